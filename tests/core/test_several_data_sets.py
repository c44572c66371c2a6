"""Several data sets in one comparison: means of data sets as blocks, a common scale, and what is refused."""

import numpy as np
import polars as pl
import pytest
from in_memory import Read

from benchkit.core.arrange import Arrangement
from benchkit.core.common_scale import on_scale
from benchkit.core.compare import compare
from benchkit.core.data_sets import averaged, joined
from benchkit.core.experiment import Experiment
from benchkit.core.question import Question
from benchkit.errors import BenchkitError

# three data sets, two replicates each, algorithms x and y; z is missing once on d2 and absent from d3
ROWS = [
    ("d1", "1", "x", 1.0), ("d1", "1", "y", 2.0), ("d1", "1", "z", 3.0),
    ("d1", "2", "x", 3.0), ("d1", "2", "y", 5.0), ("d1", "2", "z", 4.0),
    ("d2", "1", "x", 10.0), ("d2", "1", "y", 30.0), ("d2", "1", "z", 20.0),
    ("d2", "2", "x", 50.0), ("d2", "2", "y", 90.0), ("d2", "2", "z", np.nan),
    ("d3", "1", "x", 7.0), ("d3", "1", "y", 6.0),
    ("d3", "2", "x", 9.0), ("d3", "2", "y", 4.0),
]  # fmt: skip


def new_generator() -> np.random.Generator:
    return np.random.default_rng(1)


def columns(rows: list[tuple[str, str, str, float]]) -> dict[str, list[object]]:
    names = ("dataset", "replicate", "algorithm", "performance")
    return {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}


def over(method: str = "auto", scale: str | None = None, **more: str) -> Question:
    return Question(method, options=more, arrangement=Arrangement("dataset", scale))


def test_means_of_data_sets_are_over_complete_replicates(read: Read) -> None:
    one = joined(read(columns(ROWS)).experiments)[0]
    assert one.clusters is not None
    assert one.clusters.tolist() == [0, 0, 1, 1, 2, 2]
    assert one.replicates[2] == "d2/1"
    means = averaged(one)
    assert means.replicates == ("d1", "d2", "d3")
    # by hand: d2 only by its first replicate, d3 without z
    np.testing.assert_array_equal(means.values, [[2.0, 3.5, 3.5], [10.0, 30.0, 20.0], [8.0, 5.0, np.nan]])


def test_what_means_leave_out_is_said(read: Read) -> None:
    rows = [("d4", "1", "x", 1.0), ("d4", "2", "y", 2.0), ("d4", "3", "z", 4.0), *ROWS]
    said = [note.message for note in compare(read(columns(rows)), over("friedman"), new_generator).notes]
    assert "1 incomplete replicate left out of the means of data sets" in said
    assert any("no replicate of d4 is complete" in message for message in said)


def test_means_are_of_ranks_and_of_standardised_values(read: Read) -> None:
    generator = np.random.default_rng(8)
    values = generator.normal(size=(5, 6, 3)) * [[[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]]]
    rows = [(f"d{d}", str(r), "xyz"[k], values[d, r, k]) for d in range(5) for r in range(6) for k in range(3)]
    ranks = np.argsort(np.argsort(values, axis=2), axis=2) + 1.0
    flat = values.reshape(5, -1)
    standard = (values - flat.mean(axis=1)[:, None, None]) / flat.std(axis=1, ddof=1)[:, None, None]
    for scale, wanted in (("rank", ranks), ("standardise", standard)):
        found = compare(read(columns(rows)), over("paired-t", scale), new_generator).tables["means"]
        by_name = dict(found.select("algorithm", "estimate").iter_rows())
        np.testing.assert_allclose([by_name[name] for name in "xyz"], wanted.mean(axis=(0, 1)), atol=1e-12)


def test_means_of_logarithms_are_geometric(read: Read) -> None:
    generator = np.random.default_rng(9)
    values = np.exp(generator.normal(size=(5, 6, 2)))
    rows = [(f"d{d}", str(r), "xy"[k], values[d, r, k]) for d in range(5) for r in range(6) for k in range(2)]
    question = Question("paired-t", arrangement=Arrangement("dataset", None, "log"))
    found = compare(read(columns(rows)), question, new_generator).tables["pairs"]
    logs = np.log(values).mean(axis=(0, 1))
    assert found["estimate"][0] == pytest.approx(np.exp(logs[0] - logs[1]), rel=1e-12)


def test_without_a_complete_replicate_all_values_count(read: Read) -> None:
    rows = [("d1", "1", "x", 1.0), ("d1", "2", "y", 2.0), ("d1", "3", "x", 4.0), ("d2", "1", "x", 1.0), ("d2", "1", "y", 1.0)]
    means = averaged(joined(read(columns(rows)).experiments)[0])
    np.testing.assert_array_equal(means.values, [[2.5, 2.0], [1.0, 1.0]])


def test_the_comparison_over_data_sets_is_that_of_their_means(read: Read) -> None:
    generator = np.random.default_rng(5)
    values = generator.normal(size=(6, 4, 3)) + np.array([0.0, 0.4, 1.0])
    rows = [(f"d{d}", str(r), "xyz"[k], values[d, r, k]) for d in range(6) for r in range(4) for k in range(3)]
    found = compare(read(columns(rows)), over("paired-t"), new_generator)
    means = compare(read(values.mean(axis=1)), Question("paired-t"), new_generator)
    for name in ("estimate", "statistic", "p_adjusted", "ci_low"):
        np.testing.assert_allclose(found.tables["pairs"][name], means.tables["pairs"][name], rtol=1e-12)
    automatic = compare(read(columns(rows)), over(), new_generator)
    assert automatic.tables["pairs"]["method"].unique().to_list() == ["friedman-wilcoxon"]
    assert {"datasets-as-blocks", "scale", "chosen-method"} <= {note.code for note in automatic.notes}
    chosen = next(note.message for note in automatic.notes if note.code == "chosen-method")
    assert "--over dataset" in chosen


def test_one_data_set_is_refused(read: Read) -> None:
    with pytest.raises(BenchkitError, match="needs several data sets"):
        compare(read(columns(ROWS[:6])), over(), new_generator)
    with pytest.raises(BenchkitError, match="no column dataset"):
        compare(read(np.ones((3, 2))), over(), new_generator)


def test_a_scale_without_several_data_sets_is_refused(read: Read) -> None:
    with pytest.raises(BenchkitError, match="--scale puts several data sets"):
        compare(read(np.ones((3, 2))), Question(arrangement=Arrangement(None, "rank")), new_generator)


def data_sets(values: list[list[float]], clusters: list[int] | None, better: str = "lower") -> Experiment:
    names = tuple(f"d{code}" for code in sorted(set(clusters or ())))
    array = np.array(values)
    codes = None if clusters is None else np.array(clusters)
    rows = tuple(map(str, range(len(array))))
    return Experiment(None, None, better, rows, ("x", "y"), array, block="data set", clusters=codes, cluster_names=names)


def test_ranks_have_1_for_the_best_and_lower_is_better() -> None:
    scaled = on_scale(data_sets([[0.9, 0.7], [0.5, 0.5], [0.1, np.nan]], [0, 0, 1], "higher"), "rank")
    np.testing.assert_array_equal(scaled.values, [[1.0, 2.0], [1.5, 1.5], [np.nan, np.nan]])
    assert scaled.better == "lower"


def test_standardised_values_have_mean_0_and_sd_1_on_each_data_set() -> None:
    scaled = on_scale(data_sets([[1.0, 2.0], [3.0, 6.0], [5e9, 5e9]], [0, 0, 1]), "standardise")
    assert scaled.values[:2].mean() == pytest.approx(0.0, abs=1e-15)
    assert scaled.values[:2].std(ddof=1) == pytest.approx(1.0)
    assert scaled.values[2].tolist() == [0.0, 0.0]  # no spread


@pytest.mark.parametrize(("better", "best"), [("lower", 2.0), ("higher", 4.0)])
def test_ratios_are_to_the_best_mean_of_the_data_set(better: str, best: float) -> None:
    scaled = on_scale(data_sets([[1.0, 2.0], [3.0, 6.0]], [0, 0], better), "ratio-to-best")
    np.testing.assert_array_equal(scaled.values, np.array([[1.0, 2.0], [3.0, 6.0]]) / best)
    with pytest.raises(BenchkitError, match="positive values"):
        on_scale(data_sets([[0.0, 2.0]], None), "ratio-to-best")


def test_several_units_are_never_averaged_in_silence(read: Read) -> None:
    generator = np.random.default_rng(6)
    rows = [
        (f"d{d}", str(r), "xy"[k], 100.0**d * (5.0 + generator.normal()))
        for d in range(3) for r in range(3) for k in range(2)
    ]  # fmt: skip
    with pytest.raises(BenchkitError, match="times larger on one data set") as refusal:
        compare(read(columns(rows)), over("mixed"), new_generator)
    assert "--scale none" in refusal.value.hint
    for scale in ("none", "rank", "standardise", "ratio-to-best"):
        pairs = compare(read(columns(rows)), over("mixed", scale), new_generator).tables["pairs"]
        assert pairs["p_value"].is_not_null().all()
        assert ("scale" in pairs.columns) == (scale != "none")
    warned = compare(read(columns(rows)), over("paired-t"), new_generator)
    assert "several-scales" in {note.code for note in warned.notes}


def test_scaled_results_keep_their_own_unit_apart(read: Read) -> None:
    result = compare(read(columns(ROWS[:12]), "higher"), over("sign", "rank"), new_generator).tables["pairs"]
    assert result.select("better", "scale").unique().rows() == [("lower", "rank")]
    assert isinstance(result, pl.DataFrame)


def mixed_over(read: Read, values: np.ndarray) -> dict[str, str]:
    """Return the notes of the mixed model over data sets on values (data sets, replicates, algorithms)."""
    sets, replicates, algorithms = values.shape
    rows = [
        (f"d{d}", f"{d}.{r}", "abcdef"[k], 500 + values[d, r, k])
        for d in range(sets)
        for r in range(replicates)
        for k in range(algorithms)
    ]
    found = compare(read(columns(rows)), over("mixed"), new_generator)
    return {note.code: note.message for note in found.notes}


def test_components_that_one_replicate_cannot_tell_apart(read: Read) -> None:
    values = np.random.default_rng(3).normal(size=(8, 1, 3)) + np.arange(8)[:, None, None]
    told = mixed_over(read, values)
    assert told["confounded-components"] == (
        "these data cannot tell dataset:algorithm, dataset:replicate from the others (one replicate of each data set, or of each "
        "value): left out of the table components"
    )


def test_components_that_explain_nothing_are_named(read: Read) -> None:
    rng = np.random.default_rng(3)
    level = 10 * rng.normal(size=(6, 1, 1))
    noise = rng.normal(size=(6, 4, 3))
    noise -= noise.mean(axis=1, keepdims=True)  # the means of data sets differ by their levels alone
    told = mixed_over(read, level + noise + rng.normal(size=(6, 4, 1)) + [0.0, 1.0, 2.0])
    assert told["singular-fit"] == "dataset:algorithm explains no variance (estimate at the boundary, 0)"


def test_replicates_that_agree_are_told(read: Read) -> None:
    rng = np.random.default_rng(3)
    told = mixed_over(read, rng.normal(size=(6, 1, 3)) + rng.normal(size=(6, 4, 1)))
    assert told["replicates-agree"].startswith("within data sets nothing varies but whole replicates: the analysis rests on one")


def test_unequal_variances_over_data_sets_lead_to_paired_t(read: Read) -> None:
    rng = np.random.default_rng(3)
    told = mixed_over(read, (rng.normal(size=(80, 1, 3)) + 0.01 * rng.normal(size=(80, 2, 3))) * [1.0, 1.0, 9.0])
    assert told["unequal-variances"].endswith("this model pools them (--method paired-t --over dataset)")


@pytest.mark.parametrize("method", ["mixed", "friedman", "paired-t"])
def test_one_value_for_each_data_set_is_said_once(read: Read, method: str) -> None:
    generator = np.random.default_rng(6)
    rows = [(f"d{d}", "1", "xyz"[k], float(generator.normal())) for d in range(6) for k in range(3)]
    given = {name: values for name, values in columns(rows).items() if name != "replicate"}
    for asked in (over(method), Question(method)):
        codes = [note.code for note in compare(read(given), asked, new_generator).notes]
        assert codes.count("datasets-as-blocks") == 1
