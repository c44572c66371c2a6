"""`roc` for ensembles that predict numbers: exact expectations, enumeration, variances that a simulation confirms."""

from itertools import combinations, product

import numpy as np
import polars as pl
import pytest

from benchkit.core.roc.regression import regression
from benchkit.core.roc.request import RocRequest, parse_marks
from benchkit.errors import BenchkitError
from benchkit.methods.curve.mean_predictions import mean_errors
from benchkit.methods.curve.members import Members
from benchkit.methods.curve.questions import Asked
from benchkit.tables.result import Result
from benchkit.tables.votes import VoteBlock, VoteSource

TINY = np.array([[1.0, 2.0, 4.0], [0.0, 0.5, 3.0]])
WANTED = np.array([2.0, 1.0])


def error_of(drawn: tuple[int, ...]) -> list[float]:
    gap = TINY[:, drawn].mean(axis=1) - WANTED
    return [float((gap**2).mean()), float(np.abs(gap).mean())]


def tiny(m: int, smoothed: bool, draws: int = 6000) -> tuple[np.ndarray, np.ndarray]:
    found = mean_errors(Members(TINY, np.ones(3)), WANTED, m, smoothed, draws, np.random.default_rng(1))
    return found.estimate, found.voters


def test_expectations_against_enumeration() -> None:
    """Without replacement all pairs of 3 members, with replacement all 9 draws; the MSE exactly."""
    pairs = np.array([error_of(drawn) for drawn in combinations(range(3), 2)])
    draws = np.array([error_of(drawn) for drawn in product(range(3), repeat=2)])
    estimate, voters = tiny(2, smoothed=False)
    assert estimate[0] == pytest.approx(pairs[:, 0].mean(), rel=1e-12)
    assert estimate[1] == pytest.approx(pairs[:, 1].mean(), abs=0.02)
    np.testing.assert_allclose(voters, draws.var(axis=0), rtol=0.08)
    estimate, _ = tiny(2, smoothed=True)
    assert estimate[0] == pytest.approx(draws[:, 0].mean(), rel=1e-12)
    assert estimate[1] == pytest.approx(draws[:, 1].mean(), abs=0.02)
    np.testing.assert_allclose(tiny(3, smoothed=False)[0], error_of((0, 1, 2)), rtol=1e-12)


def test_the_limit_is_the_same_from_every_size() -> None:
    found = [
        mean_errors(Members(TINY, np.ones(3)), WANTED, m, smoothed, 5, np.random.default_rng(1)).limit
        for m, smoothed in ((1, False), (2, False), (3, False), (1, True), (2, True), (3, True), (9, True))
    ]
    np.testing.assert_allclose([limit[0] for limit in found], found[0][0])
    gap = TINY.mean(axis=1) - WANTED
    assert found[0][0] == pytest.approx((gap**2 - TINY.var(axis=1, ddof=1) / 3).mean())


ITEMS = 150


def predicted(generator: np.random.Generator, voters: int, items: int = ITEMS) -> np.ndarray:
    """Return predictions of ITEMS numbers j/ITEMS; members are off by an amount of their own that falls with j."""
    truth = np.linspace(0, 1, items)
    return truth[:, None] + generator.normal(0.1, 0.3, voters) * (1 - truth)[:, None] + generator.normal(0, 0.5, (items, voters))


def block(name: str, values: np.ndarray, prefix: str = "i") -> VoteBlock:
    items = pl.Series([f"{prefix}{j}" for j in range(len(values))])
    labels = np.zeros(len(values), dtype=np.int8)
    return VoteBlock(name, values.shape[1], items, labels, values=values, targets=np.linspace(0, 1, len(values)))


def ask(*parts: VoteBlock, **request: object) -> Result:
    given = VoteSource("values", lambda: iter(parts), ["memory"], dict, regression=True)
    return regression(given, RocRequest(**{"draws": 400, **request}), lambda: np.random.default_rng(1))  # type: ignore[arg-type]


def test_standard_deviations_are_those_of_new_ensembles() -> None:
    """On the same items: over 2000 new ensembles of 20 members, from a pool of 400."""
    generator = np.random.default_rng(7)
    truth = np.linspace(0, 1, ITEMS)
    gaps = [predicted(generator, 20).mean(axis=1) - truth for _ in range(2000)]
    wanted = {"mse": np.std([(gap**2).mean() for gap in gaps]), "mae": np.std([np.abs(gap).mean() for gap in gaps])}
    means = {"mse": np.mean([(gap**2).mean() for gap in gaps]), "mae": np.mean([np.abs(gap).mean() for gap in gaps])}
    pool = block("a", predicted(np.random.default_rng(8), 400))
    result = ask(pool, asked=Asked("voters", "rerun"), voters_used=(20,), draws=1500)
    for row in result.tables["ensembles"].to_dicts():
        assert row["estimate"] == pytest.approx(means[row["metric"]], rel=0.05)
        assert row["std_error"] == pytest.approx(wanted[row["metric"]], rel=0.1)
        assert (row["share_voters"], row["share_items"], row["advice"]) == (None, None, None)  # of one cause there are no shares


def test_the_row_of_an_ensemble() -> None:
    values = predicted(np.random.default_rng(1), 40)
    result = ask(block("a", values))
    mse, mae = result.tables["ensembles"].to_dicts()
    losses = (values.mean(axis=1) - np.linspace(0, 1, ITEMS)) ** 2
    assert (mse["metric"], mae["metric"], mse["method"]) == ("mse", "mae", "joint-bootstrap")
    assert (mse["voters_used"], mse["n_voters"], mse["n_items"]) == (40, 40, ITEMS)
    assert mse["estimate"] == pytest.approx(losses.mean())
    assert (mse["auc"], mse["n_positive"], mae["limit"]) == (None, None, None)
    assert mse["limit"] < mse["estimate"]
    assert mse["ci_low"] < mse["estimate"] < mse["ci_high"]
    assert mse["advice"] == ("more voters" if mse["share_voters"] > 0.5 else "more items")
    items = ask(block("a", values), asked=Asked("items", "deployed")).tables["ensembles"]["std_error"][0]
    assert items == pytest.approx(losses.std(ddof=1) / np.sqrt(ITEMS))
    assert {"joint-bootstrap", "inference-target"} <= {note.code for note in result.notes}


def test_more_voters_are_better() -> None:
    table = ask(block("a", predicted(np.random.default_rng(1), 40)), voters_used=(2, 10, 40)).tables["ensembles"]
    mse = table.filter(pl.col("metric") == "mse")
    assert mse["estimate"].is_sorted(descending=True)
    assert mse["std_error"].is_sorted(descending=True)


def test_pairs() -> None:
    first = predicted(np.random.default_rng(1), 40)
    second = predicted(np.random.default_rng(2), 40) + 0.3
    result = ask(block("a", first), block("b", second))
    mse = result.tables["pairs"].row(0, named=True)
    assert (mse["metric"], mse["better"], mse["verdict"], mse["n"]) == ("mse", "lower", "better", ITEMS)
    assert mse["estimate"] == pytest.approx(mse["mean_a"] - mse["mean_b"])
    assert mse["estimate"] < 0
    assert result.answer[0] == "1 of 1 pair differs in mse at 40 voters"
    apart = ask(block("a", first), block("b", second, "k"))
    errors = apart.tables["ensembles"].filter(pl.col("metric") == "mse")["std_error"].to_numpy()
    assert apart.tables["pairs"]["std_error"][0] == pytest.approx(np.hypot(*errors))
    assert "unpaired" in {note.code for note in apart.notes}


def test_edges() -> None:
    values = predicted(np.random.default_rng(1), 6)
    with pytest.raises(BenchkitError, match="ROC curves"):
        ask(block("a", values), marks=parse_marks(["fpr=0.1"]))
    single = ask(block("a", values[:, :1])).tables["ensembles"]
    assert single["target"].to_list() == ["deployed", "deployed"]
    assert single["limit"].null_count() == 2
    one_item = ask(block("a", values[:1])).tables["ensembles"]
    assert one_item["std_error"].null_count() == 2
    exact = ask(block("a", np.repeat(np.linspace(0, 1, ITEMS)[:, None], 3, axis=1))).tables["ensembles"]
    assert exact["estimate"].abs().max() < 1e-12  # type: ignore[operator]
