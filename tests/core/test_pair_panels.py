"""Titles, captions and refusals of the figures of pairs; draws of posteriors."""

import numpy as np
import polars as pl
import pytest

from benchkit.core.blocks import experiments
from benchkit.core.compare import compare
from benchkit.core.pair_panels import found, pair_panels
from benchkit.core.question import Question
from benchkit.errors import BenchkitError
from benchkit.methods.comparison import bayes_sign, bayes_signed_rank
from benchkit.methods.records import Blocks
from benchkit.tables import shapes


def pairs(*rows: tuple[str, str, str | None], **more: object) -> pl.DataFrame:
    same = {"metric": "mse", "dataset": "d", "method": "m", "adjust": "holm", "n": 9, "ci_level": 0.95, "family_size": 3} | more
    return shapes.build(shapes.PAIRS, [same | {"a": a, "b": b, "verdict": verdict} for a, b, verdict in rows])


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([("a", "b", "worse")], "b is better than a"),
        ([("a", "b", "undecided")], "a and b are not separated"),
        ([("a", "b", "equivalent")], "a and b are equivalent"),
        ([("a", "b", None)], "a and b were not tested"),
        ([("a", "b", "better"), ("a", "c", "better"), ("b", "c", "undecided")], "a is better than each of the 2 others"),
        ([("a", "b", "worse"), ("a", "c", "equivalent"), ("b", "c", "undecided")], "1 of 3 pairs differ, 1 equivalent"),
        ([("a", "c", "better"), ("b", "c", "worse")], "1 of 2 are better than c, 1 worse"),
    ],
)
def test_the_title_says_the_finding(rows: list[tuple[str, str, str | None]], words: str) -> None:
    assert found(pairs(*rows)) == words
    (panel,) = pair_panels("pvalues", pairs(*rows, p_adjusted=0.5))
    assert panel.title == f"d, mse: {words}"


def test_the_caption_says_n_method_and_level() -> None:
    table = pairs(("a", "b", "better"), p_adjusted=0.01, effect=1.0, effect_low=0.5, effect_name="d_z", margin=0.0)
    (panel,) = pair_panels("pvalues", table)
    assert panel.caption == "n = 9; m; p-values adjusted by holm over 3 pairs; level 95%"
    (panel,) = pair_panels("effects", table)
    assert panel.caption == "n = 9; d_z, 95% intervals, each pair by itself; verdicts: m, holm, 95%"


@pytest.mark.parametrize(
    ("kind", "message", "hint"),
    [
        ("pvalues", "m gives no p-values", "--kind intervals"),
        ("effects", "no pair has the effect", "--effect"),
        ("posterior", "m gives no posterior", "bayes-signed-rank, bayes-sign or bayes-correlated-t"),
    ],
)
def test_what_is_not_there_is_named(kind: str, message: str, hint: str) -> None:
    with pytest.raises(BenchkitError, match=message) as refused:
        pair_panels(kind, pairs(("a", "b", "better")))
    assert hint in refused.value.hint


def test_a_posterior_that_was_read_as_text_is_numbers() -> None:
    table = pairs(("a", "b", "better"), posterior_better="0.75", posterior_equivalent="0.25", posterior_worse="0.0")
    (panel,) = pair_panels("posterior", table)
    assert panel.tables["pairs"]["posterior_better"].to_list() == [0.75]


def blocks(margin: float) -> Blocks:
    values = np.column_stack([np.arange(10.0), np.arange(10.0) + np.repeat([2.0, -2.0], [8, 2])])
    return Blocks(values, np.array([[0, 1]]), 0.95, np.random.default_rng(1), margins=np.array([margin]))


def test_draws_of_the_sign_test_have_the_dirichlet_mean() -> None:
    # Dirichlet(8.0001, 1.0001, 2.0001): the mean is the parameters over their sum
    drawn = bayes_sign.draws(blocks(1.0), 40_000)
    assert drawn.shape == (1, 40_000, 3)
    np.testing.assert_allclose(drawn.sum(axis=2), 1.0)
    np.testing.assert_allclose(drawn.mean(axis=1)[0], np.array([8, 1, 2]) / 11, atol=0.003)
    assert np.isnan(bayes_sign.draws(blocks(0.0), 5)).all()


@pytest.mark.parametrize("method", [bayes_sign, bayes_signed_rank])
def test_the_share_of_draws_in_a_region_is_the_posterior(method: object) -> None:
    drawn = method.draws(blocks(1.0), 20_000)[0]
    shares = np.bincount(drawn.argmax(axis=1), minlength=3) / len(drawn)
    np.testing.assert_allclose(shares, method.compare(blocks(1.0)).posterior[0], atol=0.015)


def reading() -> object:
    values = np.random.default_rng(5).normal(size=(20, 3))
    columns = {"replicate": np.repeat(np.arange(20), 3).astype(str), "algorithm": list("abc") * 20, "performance": values.ravel()}
    return experiments(pl.DataFrame(columns).lazy(), "results", {None: "lower"})


def new_generator() -> np.random.Generator:
    return np.random.default_rng(1)


def test_draws_come_on_request_and_go_to_their_panel() -> None:
    result = compare(reading(), Question("bayes-sign", margins=("0.2",), draws=7), new_generator)
    (panel,) = pair_panels("simplex", result.tables["pairs"], result.tables["draws"])
    assert list(panel.tables) == ["draws", "pairs"]
    assert panel.tables["draws"].height == 3 * 7
    assert "draws" not in compare(reading(), Question("bayes-sign", margins=("0.2",)), new_generator).tables


def test_draws_need_a_margin_and_a_method_that_has_them() -> None:
    with pytest.raises(BenchkitError, match="two outcomes") as refused:
        compare(reading(), Question("bayes-sign", draws=7), new_generator)
    assert "--margin" in refused.value.hint
    with pytest.raises(BenchkitError, match="no posterior of three shares"):
        compare(reading(), Question("paired-t", margins=("0.2",), draws=7), new_generator)
