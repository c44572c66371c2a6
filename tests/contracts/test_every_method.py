"""What every comparison method must do, whatever it computes; reads the list, so that a new entry is tested at once."""

from dataclasses import replace

import numpy as np
import pytest

from benchkit.core.blocks import Reading
from benchkit.core.compare import compare
from benchkit.core.experiment import Experiment
from benchkit.core.question import Question
from benchkit.methods import ADJUSTMENTS, COMPARISONS
from benchkit.methods.records import Floats, Integers
from benchkit.registry import Entry
from benchkit.tables.columns import COLUMNS
from benchkit.tables.result import Result
from benchkit.tables.shapes import TYPES

NAMES = ("a", "b", "c")
# exact enumeration stays small with few replicates, so that methods that would draw at random do not
FEW, FOLDS = 12, 10


def is_outcomes(entry: Entry) -> bool:
    return "0/1" in entry.needs or "right or wrong" in entry.needs


def values_for(entry: Entry, seed: int = 3) -> Floats:
    """Return replicates x 3 values that suit the method, b the best on average, as more is better."""
    rng = np.random.default_rng(seed)
    count = FOLDS if entry.name.startswith("5x2cv") else 40 if is_outcomes(entry) else FEW
    if is_outcomes(entry):
        return (rng.random((count, 3)) < [0.5, 0.9, 0.4]).astype(np.float64)
    return rng.normal(size=(count, 1)) + rng.normal(size=(count, 3)) + [0.0, 2.0, 0.5]


def layout_for(entry: Entry, count: int) -> Integers | None:
    if "fold" not in entry.needs and not entry.name.startswith("5x2cv"):
        return None
    folds = 2 if entry.name.startswith("5x2cv") else count
    return np.array([(i // folds, i % folds) for i in range(count)])


def experiment(entry: Entry, values: Floats, better: str = "higher", names: tuple[str, ...] = NAMES) -> Experiment:
    replicates = tuple(map(str, range(1, len(values) + 1)))
    one = Experiment("m", "d", better, replicates, names, values, None, (90.0, 10.0), "replicate", layout_for(entry, len(values)))
    if "cluster" not in entry.options:
        return one
    return replace(one, clusters=np.arange(len(values)) // 2, cluster_names=tuple(map(str, range(len(values) // 2))))


def ask(entry: Entry, one: Experiment, **question: object) -> Result:
    options = {"unpaired": ""} if "unpaired" in entry.options else {}
    asked = replace(Question(entry.name, options=options), **question)  # type: ignore[arg-type]
    return compare(Reading((one,), one.values.size, ()), asked, lambda: np.random.default_rng(5))


each = pytest.mark.parametrize("entry", COMPARISONS, ids=lambda entry: entry.name)


@each
def test_the_other_direction_gives_the_same_verdicts(entry: Entry) -> None:
    values = values_for(entry)
    turned = 1 - values if is_outcomes(entry) else -values
    up, down = (ask(entry, experiment(entry, v, way)).tables["pairs"] for v, way in ((values, "higher"), (turned, "lower")))
    assert up["verdict"].to_list() == down["verdict"].to_list()
    for name in ("p_value", "p_adjusted", "std_error"):
        np.testing.assert_allclose(_numbers(up, name), _numbers(down, name), rtol=1e-9, err_msg=name)
    np.testing.assert_allclose(_numbers(up, "estimate"), -_numbers(down, "estimate"), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(_numbers(up, "ci_low"), -_numbers(down, "ci_high"), rtol=1e-9, atol=1e-12)


@each
def test_the_best_is_called_better_if_anything_is(entry: Entry) -> None:
    pairs = ask(entry, experiment(entry, values_for(entry))).tables["pairs"]
    words = dict(zip(zip(pairs["a"], pairs["b"], strict=True), pairs["verdict"], strict=True))
    assert words["a", "b"] in ("worse", "undecided")
    assert words["b", "c"] in ("better", "undecided")
    estimates = dict(zip(zip(pairs["a"], pairs["b"], strict=True), pairs["estimate"], strict=True))
    assert estimates["a", "b"] is None or estimates["a", "b"] < 0


@each
def test_relabelled_algorithms_take_their_numbers_along(entry: Entry) -> None:
    values = values_for(entry)
    one = ask(entry, experiment(entry, values)).tables["pairs"]
    other = ask(entry, experiment(entry, values[:, ::-1])).tables["pairs"]  # a is c now, and c is a
    mirrored = {("a", "b"): ("b", "c"), ("a", "c"): ("a", "c"), ("b", "c"): ("a", "b")}
    place = {pair: i for i, pair in enumerate(zip(other["a"], other["b"], strict=True))}
    swap = {"better": "worse", "worse": "better", "undecided": "undecided", None: None}
    draws = entry.name in ("bootstrap", "almost-stochastic-order", "probability-of-improvement", "bayes-signed-rank")
    for i, pair in enumerate(zip(one["a"], one["b"], strict=True)):
        j = place[mirrored[pair]]
        assert other["verdict"][j] == swap[one["verdict"][i]], pair
        if one["p_value"][i] is not None:
            assert other["p_value"][j] == pytest.approx(
                one["p_value"][i], rel=0.2 if draws else 1e-8, abs=0.02 if draws else 1e-12
            )


@each
def test_equal_algorithms_never_differ(entry: Entry) -> None:
    values = values_for(entry)
    values[:, 1] = values[:, 0]
    pairs = ask(entry, experiment(entry, values)).tables["pairs"]
    assert pairs["verdict"][0] in ("undecided", None)
    if "independent" not in entry.needs and pairs["p_value"][0] is not None:
        assert pairs["p_value"][0] == 1.0


@each
def test_missing_cells_give_fewer_replicates_never_an_error(entry: Entry) -> None:
    values = values_for(entry)
    values[1, 0] = values[4, 2] = np.nan
    if entry.name.startswith("5x2cv"):
        pytest.skip("five times two-fold cross-validation has no incomplete form")
    pairs = ask(entry, experiment(entry, values)).tables["pairs"]
    assert pairs.height == 3
    assert set(pairs["verdict"].to_list()) <= {"better", "worse", "undecided", None}


@each
def test_a_baseline_and_two_algorithms(entry: Entry) -> None:
    values = values_for(entry)
    against = ask(entry, experiment(entry, values), baseline="b").tables["pairs"]
    assert list(zip(against["a"], against["b"], strict=True)) == [("a", "b"), ("c", "b")]
    two = ask(entry, experiment(entry, values[:, :2], names=("a", "b"))).tables["pairs"]
    assert two.height == 1
    assert two["verdict"][0] in ("worse", "undecided")


@each
def test_a_wide_margin_is_never_exceeded(entry: Entry) -> None:
    pairs = ask(entry, experiment(entry, values_for(entry)), margins=("50",)).tables["pairs"]
    assert set(pairs["verdict"].to_list()) <= {"equivalent", "undecided", None}


@each
@pytest.mark.parametrize("margin", [0.3, 2.0, 50.0])
def test_the_p_value_of_equivalence_is_the_smallest_alpha_of_the_verdict(entry: Entry, margin: float) -> None:
    one = experiment(entry, values_for(entry))
    pairs = ask(entry, one, margins=(str(margin),)).tables["pairs"]
    for row, (estimate, p) in enumerate(zip(pairs["estimate"], pairs["p_equivalence"], strict=True)):
        if "posterior_equivalent" in pairs.columns:
            assert p is None  # the posterior decides
        elif estimate is not None and p is not None:
            assert abs(estimate) < margin or p == 1.0
            assert p < 1.0 or pairs["verdict"][row] != "equivalent"
            for factor in (0.99, 1.01):
                if 1e-12 < p * factor < 1 and p < 1:
                    told = ask(entry, one, margins=(str(margin),), level=1 - p * factor).tables["pairs"]["verdict"][row]
                    assert (told == "equivalent") == (factor > 1), (row, p, factor)


@each
def test_data_sets_of_one_two_and_three_replicates_stack(entry: Entry) -> None:
    if entry.name.startswith("5x2cv"):
        pytest.skip("five times two-fold cross-validation has ten replicates")
    one = experiment(entry, values_for(entry))
    parts = []
    for rows in (1, 2, 3):
        layout, clusters = (None if known is None else known[:rows] for known in (one.layout, one.clusters))
        few = replace(one, dataset=f"d{rows}", values=one.values[:rows], replicates=one.replicates[:rows], layout=layout)
        parts.append(replace(few, clusters=clusters))
    options = {"unpaired": ""} if "unpaired" in entry.options else {}
    reading = Reading((*parts, replace(one, dataset="all")), one.values.size, ())
    tables = compare(reading, Question(entry.name, options=options), lambda: np.random.default_rng(5)).tables
    assert set(tables["pairs"]["dataset"]) >= {"all"}
    for table in tables.values():
        known = {name: COLUMNS[name].type for name in table.columns if name in COLUMNS}
        assert {name: table.schema[name] for name in known} == {name: TYPES[kind] for name, kind in known.items()}


@pytest.mark.parametrize("entry", [one for one in ADJUSTMENTS if "p-values" in one.needs], ids=lambda entry: entry.name)
def test_an_adjustment_is_at_least_the_p_value_and_can_be_asked_for(entry: Entry) -> None:
    method = next(one for one in COMPARISONS if one.name == "paired-t")
    pairs = ask(method, experiment(method, values_for(method)), options={"adjust": entry.name}).tables["pairs"]
    assert set(pairs["adjust"]) == {entry.name}
    assert (pairs["p_adjusted"] >= pairs["p_value"]).all()
    assert (pairs["p_adjusted"] <= 1).all()
    assert set(pairs["ci_kind"]) == {{"none": "pointwise", "sidak": "simultaneous"}.get(entry.name, "bonferroni")}


def _numbers(table: "object", name: str) -> Floats:
    return table[name].cast(float).fill_null(np.nan).to_numpy()  # type: ignore[index]
