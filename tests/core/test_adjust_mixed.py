"""--adjust by name for the mixed model, pooled and unstructured, and max-t for paired t tests."""

from collections.abc import Mapping

import numpy as np
import polars as pl
import pytest
from in_memory import Read
from scipy.stats import t as student

from benchkit.core.compare import compare
from benchkit.core.question import Question, choose
from benchkit.errors import BenchkitError
from benchkit.methods import ADJUSTMENTS
from benchkit.tables.result import Result

NAMES = [entry.name for entry in ADJUSTMENTS if "p-values" in entry.needs]
RNG = np.random.default_rng(8)
VALUES = RNG.normal(size=(40, 1)) + RNG.normal(size=(40, 4)) * [1, 1, 2, 1] + [0.0, 0.45, 0.9, 1.2]
HOLES = np.where(RNG.random(VALUES.shape) < 0.08, np.nan, VALUES)


def ask(
    read: Read, values: np.ndarray, options: Mapping[str, str], method: str = "mixed", baseline: str | None = None, **more: object
) -> Result:
    asked = Question(method, baseline=baseline, options=options, **more)  # type: ignore[arg-type]
    return compare(read(values), asked, lambda: np.random.default_rng(1))


def pairs(*arguments: object, **more: object) -> pl.DataFrame:
    return ask(*arguments, **more).tables["pairs"]  # type: ignore[arg-type]


@pytest.mark.parametrize("covariance", ["pooled", "unstructured"])
@pytest.mark.parametrize("values", [VALUES, HOLES], ids=["complete", "incomplete"])
@pytest.mark.parametrize("name", NAMES)
def test_p_values_of_any_name_beside_bonferroni_intervals(read: Read, covariance: str, values: np.ndarray, name: str) -> None:
    plain = pairs(read, values, {"covariance": covariance})
    found = pairs(read, values, {"covariance": covariance, "adjust": name})
    for same in ("method", "estimate", "std_error", "statistic", "df", "p_value", "n", "mean_a", "mean_b"):
        assert found[same].to_list() == plain[same].to_list(), same
    p = plain["p_value"].to_numpy()
    contrasts = np.array([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
    function = next(entry for entry in ADJUSTMENTS if entry.name == name).load()
    np.testing.assert_allclose(found["p_adjusted"], function(p, contrasts), rtol=1e-12)
    share = {"none": 0.05, "sidak": 1 - 0.95 ** (1 / 6)}.get(name, 0.05 / 6)
    half = student.isf(share / 2, found["df"].to_numpy()) * found["std_error"].to_numpy()
    np.testing.assert_allclose(found["ci_high"] - found["estimate"], half, rtol=1e-9)
    assert set(found["adjust"]) == {name}
    assert set(found["ci_kind"]) == {{"none": "pointwise", "sidak": "simultaneous"}.get(name, "bonferroni")}
    assert (found["family_size"] == 6).all()
    better = [e < 0 for e in found["estimate"]]
    for row, first in zip(found.iter_rows(named=True), better, strict=True):
        assert row["verdict"] == (("better" if first else "worse") if row["p_adjusted"] <= 0.05 else "undecided")


def test_the_other_tables_stay(read: Read) -> None:
    one, other = (ask(read, VALUES, options).tables for options in ({}, {"adjust": "holm"}))
    for name in ("overall", "components"):
        assert one[name].equals(other[name])
    assert one["means"].drop("letters").equals(other["means"].drop("letters"))


def test_a_normal_reference_and_no_variation(read: Read) -> None:
    found = pairs(read, VALUES, {"reference": "normal", "adjust": "bonferroni"})
    np.testing.assert_allclose(
        (found["ci_high"] - found["estimate"]) / found["std_error"], 2.638257273, rtol=1e-8
    )  # R: qnorm(1 - .05/12)
    shifted = VALUES[:, :1] + np.arange(3.0)
    for covariance in ("pooled", "unstructured"):
        found = pairs(read, shifted, {"covariance": covariance, "adjust": "holm"})
        assert found["p_adjusted"].to_list() == [0.0] * 3
        assert (found["ci_low"] == found["estimate"]).all()


def test_margins_come_from_the_intervals(read: Read) -> None:
    found = pairs(read, VALUES, {"adjust": "holm"}, margins=("3",))
    assert set(found["verdict"]) == {"equivalent"}
    room = (3 - found["estimate"].abs()) / found["std_error"]
    np.testing.assert_allclose(found["p_equivalence"], 6 * 2 * student.sf(room, found["df"]), rtol=1e-6, atol=1e-14)


def test_max_t_by_name(read: Read) -> None:
    tukey, forced = (pairs(read, VALUES, options) for options in ({"adjust": "tukey"}, {"adjust": "max-t"}))
    assert tukey.equals(pairs(read, VALUES, {}))
    assert (set(forced["adjust"]), set(forced["ci_kind"])) == ({"max-t"}, {"simultaneous"})
    np.testing.assert_allclose(forced["p_adjusted"], tukey["p_adjusted"], atol=2e-4)  # the same distribution, by directions
    dunnett, forced = (pairs(read, VALUES, {"adjust": name}, baseline="a1") for name in ("dunnett", "max-t"))
    assert dunnett.equals(pairs(read, VALUES, {}, baseline="a1"))
    np.testing.assert_allclose(forced["p_adjusted"], dunnett["p_adjusted"], atol=2e-4)
    assert set(pairs(read, HOLES, {"adjust": "max-t"})["adjust"]) == {"max-t"}


def test_max_t_without_pooling(read: Read) -> None:
    few = VALUES[:15]
    unstructured = {"covariance": "unstructured"}
    assert set(pairs(read, few, unstructured)["adjust"]) == {"holm"}
    found = pairs(read, few, {**unstructured, "adjust": "max-t"})
    bonferroni = pairs(read, few, {"adjust": "bonferroni"}, method="paired-t")
    assert set(found["adjust"]) == {"max-t"}
    assert (found["p_adjusted"] <= bonferroni["p_adjusted"] + 1e-12).all()
    assert (found["p_adjusted"] >= found["p_value"]).all()
    assert set(pairs(read, few, {**unstructured, "adjust": "max-t-bootstrap"})["adjust"]) == {"max-t-bootstrap"}
    assert set(pairs(read, HOLES, {**unstructured, "adjust": "max-t"})["adjust"]) == {"max-t"}


def test_max_t_of_paired_t_tests(read: Read) -> None:
    found = pairs(read, VALUES, {"adjust": "max-t"}, method="paired-t")
    plain = pairs(read, VALUES, {}, method="paired-t")
    assert (set(found["method"]), set(found["adjust"])) == ({"paired-t"}, {"max-t"})
    for same in ("estimate", "std_error", "df", "p_value"):
        np.testing.assert_allclose(found[same], plain[same], rtol=1e-9, err_msg=same)
    with pytest.raises(BenchkitError, match="needs complete replicates"):
        pairs(read, HOLES, {"adjust": "max-t"}, method="paired-t")
    with pytest.raises(BenchkitError, match="--adjust max-t needs the mixed model, or paired-t on complete replicates") as caught:
        pairs(read, VALUES, {"adjust": "max-t"}, method="sign")
    assert caught.value.hint.startswith("add --method mixed or paired-t; this method takes --adjust bonferroni, sidak, holm")
    with pytest.raises(BenchkitError, match="--adjust tukey needs the pooled mixed model: all pairs") as caught:
        pairs(read, VALUES, {"adjust": "tukey"}, method="wilcoxon")
    assert caught.value.hint.startswith("add --method mixed; ")


@pytest.mark.parametrize(
    ("options", "values", "baseline", "words"),
    [
        ({"adjust": "tukey"}, HOLES, None, "tukey's distribution needs complete replicates"),
        ({"adjust": "tukey"}, VALUES, "a1", "tukey compares all pairs"),
        ({"adjust": "dunnett"}, VALUES, None, "dunnett compares with one baseline"),
        ({"adjust": "max-t-bootstrap"}, VALUES, None, "pools no variances"),
        ({"adjust": "tukey", "covariance": "unstructured"}, VALUES, None, "tukey rests on equal variances"),
        ({"adjust": "dunnett", "covariance": "unstructured"}, VALUES, "a1", "dunnett rests on equal variances"),
        ({"adjust": "max-t-bootstrap", "covariance": "unstructured"}, HOLES, None, "needs complete replicates"),
        ({"adjust": "shaffer"}, VALUES, "a1", "'shaffer' is for all pairs"),
        ({"adjust": "bergmann"}, VALUES, "a1", "'bergmann' is for all pairs"),
        ({"adjust": "fdr"}, VALUES, None, "there is no adjustment 'fdr'"),
    ],
)
def test_what_does_not_fit(read: Read, options: Mapping[str, str], values: np.ndarray, baseline: str | None, words: str) -> None:
    with pytest.raises(BenchkitError, match=words):
        ask(read, values, options, baseline=baseline)


@pytest.mark.parametrize("name", ["shaffer", "bergmann"])
def test_the_logic_of_pairs_knows_one_family(read: Read, name: str) -> None:
    columns = {
        "dataset": ["x"] * 6 + ["y"] * 6,
        "replicate": ["1", "1", "2", "2", "3", "3"] * 2,
        "algorithm": ["a", "b"] * 6,
        "performance": [1.0, 2.0, 1.5, 2.0, 1.2, 2.9, 1.0, 2.0, 1.9, 2.0, 1.2, 2.1],
    }
    asked = Question("mixed", options={"adjust": name}, family="all")
    with pytest.raises(BenchkitError, match=f"'{name}' is for all pairs of one family"):
        compare(read(columns), asked, lambda: np.random.default_rng(1))


def test_one_pair_needs_no_adjustment(read: Read) -> None:
    for covariance in ("pooled", "unstructured"):
        row = pairs(read, VALUES[:, :2], {"covariance": covariance, "adjust": "holm"}).row(0, named=True)
        assert (row["adjust"], row["ci_kind"], row["p_adjusted"]) == ("none", "simultaneous", row["p_value"])


def test_holm_does_not_change_the_automatic_choice(read: Read) -> None:
    result = ask(read, VALUES, {"adjust": "holm"}, method="auto")
    assert set(result.tables["pairs"]["method"]) == {"mixed-unstructured"}
    said = next(note.message for note in result.notes if note.code == "chosen-method")
    assert said.startswith("chose --method mixed --covariance unstructured --adjust holm")
    assert choose(Question()).options == {"covariance": "unstructured"}  # without the option the model's own family stays


def test_the_note_on_pooling_compares_like_with_like(read: Read) -> None:
    unequal = VALUES * [1, 1, 6, 1]
    for options in ({"adjust": "holm"}, {"adjust": "tukey"}, {"adjust": "max-t"}):
        notes = ask(read, unequal, options).notes
        assert "unequal-variances" in [note.code for note in notes]
