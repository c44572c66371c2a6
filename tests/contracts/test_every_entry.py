"""What every method, format and figure must do; reads the lists, so that a new entry is tested as soon as it stands there."""

import io
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import polars as pl
import pytest

from benchkit import plots
from benchkit.core.blocks import experiments
from benchkit.core.compare import compare
from benchkit.core.pair_panels import pair_panels
from benchkit.core.panels import distribution_panels
from benchkit.core.question import Question
from benchkit.core.roc.answer import roc
from benchkit.core.roc.panels import roc_panels
from benchkit.core.roc.request import RocRequest
from benchkit.formats import FORMATS, SUFFIXES
from benchkit.formats.style import Style
from benchkit.methods import ADJUSTMENTS, COMPARISONS, MECHANISMS
from benchkit.methods.records import Answer, Blocks, Floats
from benchkit.plots.figure import figure, save
from benchkit.plots.look import Look
from benchkit.registry import Entry
from benchkit.tables.votes import VoteBlock, VoteSource

VARIANTS: tuple[tuple[Entry, Mapping[str, str]], ...] = tuple(
    (entry, {"covariance": covariance} if "covariance" in entry.options else {})
    for entry in COMPARISONS
    if "covariance" in entry.options
    for covariance in ("pooled", "unstructured")
)
NAMES = ("10%_tree", "$x_1$", "_hidden", "a&b | c", '"q", \n\x1b[31m')


def answer(variant: tuple[Entry, Mapping[str, str]], values: Floats, swapped: bool = False) -> Answer:
    entry, options = variant
    pairs = [(b, a) if swapped else (a, b) for a, b in combinations(range(values.shape[1]), 2)]
    made: Answer = entry.load()(Blocks(values, np.array(pairs), 0.95, np.random.default_rng(1), options=options, draws=199))
    return made


def experiment(replicates: int, missing: bool) -> Floats:
    rng = np.random.default_rng(7)
    values = rng.normal(size=(replicates, 1)) + rng.normal(size=(replicates, 4)) * [1, 2, 1, 3] + [0, 0.5, 1, 1.5]
    if missing:
        values[rng.random(values.shape) < 0.1] = np.nan
        values = values[~np.isnan(values).all(axis=1)]
    return values


each_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: "-".join([variant[0].name, *variant[1].values()]))
each_size = pytest.mark.parametrize(("replicates", "missing"), [(12, False), (40, False), (12, True), (40, True)])


@each_variant
@each_size
def test_a_method_does_not_mind_unit_and_origin(variant: tuple[Entry, Mapping[str, str]], replicates: int, missing: bool) -> None:
    values = experiment(replicates, missing)
    one, other = answer(variant, values), answer(variant, 1024 * values + 2.0**20)
    np.testing.assert_allclose(other.pairs.estimate, 1024 * one.pairs.estimate, rtol=1e-7)
    np.testing.assert_allclose(other.pairs.statistic, one.pairs.statistic, rtol=1e-7)
    np.testing.assert_allclose(other.pairs.p_adjusted, one.pairs.p_adjusted, rtol=1e-6, atol=1e-9)


@each_variant
@each_size
def test_a_swap_of_a_and_b_changes_the_sign(variant: tuple[Entry, Mapping[str, str]], replicates: int, missing: bool) -> None:
    values = experiment(replicates, missing)
    one, other = answer(variant, values), answer(variant, values, swapped=True)
    np.testing.assert_allclose(other.pairs.estimate, -one.pairs.estimate, rtol=1e-10)
    np.testing.assert_allclose(other.pairs.std_error, one.pairs.std_error, rtol=1e-10)
    np.testing.assert_allclose(other.pairs.critical, one.pairs.critical, rtol=1e-6)
    np.testing.assert_array_equal(other.pairs.n, one.pairs.n)


@each_variant
@each_size
def test_relabelled_algorithms_take_their_numbers_along(
    variant: tuple[Entry, Mapping[str, str]], replicates: int, missing: bool
) -> None:
    values = experiment(replicates, missing)
    one, other = answer(variant, values), answer(variant, values[:, ::-1])
    assert one.means is not None
    assert other.means is not None
    np.testing.assert_allclose(other.means.estimate[::-1], one.means.estimate, rtol=1e-9)
    np.testing.assert_allclose(np.sort(np.abs(other.pairs.statistic)), np.sort(np.abs(one.pairs.statistic)), rtol=1e-8)
    if one.overall is not None and other.overall is not None:
        np.testing.assert_allclose(other.overall.statistic, one.overall.statistic, rtol=1e-8)


@each_variant
@each_size
def test_interval_and_p_value_agree(variant: tuple[Entry, Mapping[str, str]], replicates: int, missing: bool) -> None:
    found = answer(variant, experiment(replicates, missing))
    at_critical = found.tail(found.pairs.critical)
    np.testing.assert_allclose(at_critical, 0.05, atol=0.006)  # 199 draws: steps of 0.005
    excluded = np.abs(found.pairs.statistic) > found.pairs.critical
    if not found.step_wise:
        np.testing.assert_array_equal(found.pairs.p_adjusted <= 0.05, excluded)
    else:
        assert (found.pairs.p_adjusted[excluded] <= 0.05).all()
    assert (found.pairs.p_adjusted >= found.pairs.p_value * (1 - 1e-9)).all() or found.adjust == "max-t-bootstrap"


@each_variant
@pytest.mark.parametrize("replicates", [1, 2, 3, 40])
@pytest.mark.parametrize("kind", ["equal", "shifted", "one value", "no overlap"])
def test_degenerate_data_give_a_limit_or_nothing(variant: tuple[Entry, Mapping[str, str]], replicates: int, kind: str) -> None:
    base = np.random.default_rng(2).normal(size=(replicates, 1))
    values = np.hstack([base, base, base])
    if kind == "shifted":
        values += [0.0, 1.0, 2.0]
    if kind == "one value":
        values[1:, 2] = np.nan
    if kind == "no overlap":
        values = np.random.default_rng(3).normal(size=(2 * replicates, 3))
        values[:replicates, 0] = values[replicates:, 2] = np.nan
    found = answer(variant, values)
    assert not np.isnan(found.pairs.estimate).all() or kind == "no overlap"
    known = ~np.isnan(found.pairs.p_adjusted)
    assert ((found.pairs.p_adjusted[known] >= 0) & (found.pairs.p_adjusted[known] <= 1)).all()
    if kind == "equal" and replicates > 1:
        np.testing.assert_array_equal(found.pairs.p_adjusted, 1.0)
    if kind == "shifted" and replicates > 1:
        np.testing.assert_array_equal(found.pairs.p_adjusted, 0.0)


@pytest.mark.parametrize("entry", [*COMPARISONS, *ADJUSTMENTS, *MECHANISMS, *FORMATS, *plots.PLOTS], ids=lambda entry: entry.name)
def test_an_entry_loads_and_says_what_it_is(entry: Entry) -> None:
    assert callable(entry.load())
    assert entry.summary
    assert entry.name == entry.name.lower()


@pytest.mark.parametrize("entry", FORMATS, ids=lambda entry: entry.name)
def test_a_format_writes_every_table_and_odd_names(entry: Entry) -> None:
    result = compare(reading(), Question(), lambda: np.random.default_rng(1))
    assert entry.name in SUFFIXES.values()
    for table in (*result.tables, "notes"):
        first = entry.load()(result, table, Style())
        assert first == entry.load()(result, table, Style())
        assert first or not (result.tables.get(table, pl.DataFrame()).height)


@pytest.mark.parametrize("entry", plots.PLOTS, ids=lambda entry: entry.name)
@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_a_figure_draws_odd_names_and_the_same_bytes_twice(entry: Entry, form: str) -> None:
    drawn = []
    for _ in range(2):
        if entry.name in plots.OF_PAIRS:
            bayesian = Question("bayes-sign", margins=("0.2",), draws=20)
            question = bayesian if entry.name in ("posterior", "simplex") else Question()
            tables = compare(reading(), question, lambda: np.random.default_rng(1)).tables
            panels = pair_panels(entry.name, tables["pairs"], tables.get("draws"))
        elif entry.name in plots.OF_CURVES:
            sizes = RocRequest(voters_used=(4, 8) if entry.name == "enough" else ())
            panels = roc_panels(entry.name, roc(voting(), sizes, lambda: np.random.default_rng(1)).tables)
        else:
            panels = distribution_panels(entry.name, reading(), "random", 0.95, lambda: np.random.default_rng(1))
        stream = io.BytesIO()
        save(figure(entry, [(one.title, one.tables, Look(names=NAMES, caption=one.caption)) for one in panels]), stream, form)
        drawn.append(stream.getvalue())
    assert drawn[0] == drawn[1]
    if form == "svg":
        assert b"10%_tree" in drawn[0]


def voting() -> VoteSource:
    generator = np.random.default_rng(5)
    labels = generator.integers(0, 2, 120).astype(np.int8)
    items = pl.Series([str(j) for j in range(120)])
    votes = [(generator.random((120, 8)) < 0.3 + 0.4 * labels[:, None]).astype(np.uint8) for _ in NAMES]
    blocks = [VoteBlock(name, 8, items, labels, votes=each) for name, each in zip(NAMES, votes, strict=True)]
    return VoteSource("votes", lambda: iter(blocks), ["memory"], dict)


def reading() -> object:
    values = np.random.default_rng(5).normal(size=(20, len(NAMES)))
    table = pl.DataFrame(
        {
            "replicate": np.repeat(np.arange(20), len(NAMES)).astype(str),
            "algorithm": list(NAMES) * 20,
            "performance": values.ravel(),
        }
    )
    return experiments(table.lazy(), "results", {None: "lower"})
