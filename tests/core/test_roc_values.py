"""`roc` with weighted votes and with members that say numbers: the same tables, by the joint bootstrap."""

from collections.abc import Mapping

import numpy as np
import polars as pl
import pytest

from benchkit.core.roc.answer import roc
from benchkit.core.roc.members import members
from benchkit.core.roc.request import RocRequest, parse_marks
from benchkit.errors import BenchkitError
from benchkit.methods.curve.questions import Asked
from benchkit.tables.result import Result
from benchkit.tables.votes import VoteBlock, VoteSource

ITEMS, VOTERS = 200, 120
NAMES = tuple(f"voter{j}" for j in range(VOTERS))


def said(seed: int = 5, strength: float = 1.2) -> tuple[np.ndarray, np.ndarray]:
    """Return labels and hardness that are always the same, and what the members of one ensemble say."""
    labels = (np.arange(ITEMS) % 2).astype(np.int8)
    place = np.random.default_rng(0).normal(0, 1.0, ITEMS) + labels * strength - strength / 2
    generator = np.random.default_rng(seed)
    return labels, place[:, None] + generator.normal(0, 0.2, VOTERS) + generator.normal(0, 1.0, (ITEMS, VOTERS))


def blocks(name: str, labels: np.ndarray, what: np.ndarray, cut: int = 70, prefix: str = "i") -> list[VoteBlock]:
    """Return two blocks, of values or of votes, the second packed."""
    items = pl.Series([f"{prefix}{j}" for j in range(len(labels))])
    first, second = slice(0, cut), slice(cut, None)
    M = what.shape[1]
    names = NAMES[:M]
    if what.dtype == np.uint8:
        return [
            VoteBlock(name, M, items[first], labels[first], votes=what[first], names=names),
            VoteBlock(name, M, items[second], labels[second], packed=np.packbits(what[second], axis=1), names=names),
        ]
    return [VoteBlock(name, M, items[part], labels[part], values=what[part], names=names) for part in (first, second)]


def source(*parts: VoteBlock, weights: Mapping[str, float] | None = None) -> VoteSource:
    return VoteSource("values", lambda: iter(parts), ["memory"], dict, weights=weights)


def ask(given: VoteSource, **request: object) -> Result:
    options = {"draws": 200, **request}
    return members(given, RocRequest(**options), lambda: np.random.default_rng(1))  # type: ignore[arg-type]


def test_equal_weights_say_what_votes_say() -> None:
    labels, values = said()
    votes = (values > 0).astype(np.uint8)
    given = source(*blocks("a", labels, votes), weights=dict.fromkeys(NAMES, 2.0))
    marks = parse_marks(["fpr=0.1"], [0.3])
    found = ask(given, draws=1000, marks=marks)
    plain = roc(source(*blocks("a", labels, votes)), RocRequest(marks=marks), lambda: np.random.default_rng(1))
    row, other = (result.tables["ensembles"].row(0, named=True) for result in (found, plain))
    assert row["auc"] == pytest.approx(other["auc"], abs=1e-12)
    assert row["std_error"] == pytest.approx(other["std_error"], rel=0.1)
    assert row["share_voters"] == pytest.approx(other["share_voters"], abs=0.1)
    for name in ("method", "voters_used", "n_voters", "n_negative", "n_positive", "target", "vary"):
        assert row[name] == ("joint-bootstrap" if name == "method" else other[name])
    mine, theirs = found.tables["marks"], plain.tables["marks"]
    np.testing.assert_allclose(mine["estimate"], theirs["estimate"], atol=1e-12)
    assert mine["std_error"][1] == pytest.approx(theirs["std_error"][1], rel=0.1)
    points = found.tables["points"]
    merged = points[1:].with_columns((pl.col("threshold") * VOTERS).round().alias("votes"))
    merged = merged.join(plain.tables["points"].with_columns(pl.col("threshold").alias("votes")), on="votes", suffix="_plain")
    assert merged.height == points.height - 1
    np.testing.assert_allclose(merged["fpr"], merged["fpr_plain"], atol=1e-12)
    inside = merged.filter(pl.col("tpr").is_between(0.1, 0.9))
    np.testing.assert_allclose(inside["tpr_sd"], inside["tpr_sd_plain"], rtol=0.15)


def test_weights_make_a_weighted_mean() -> None:
    labels, values = said()
    votes = (values > 0).astype(np.uint8)
    weights = {name: 1.0 + j % 4 for j, name in enumerate(NAMES)}
    result = ask(source(*blocks("a", labels, votes), weights=weights))
    score = votes @ np.array(list(weights.values()))
    gap = score[labels == 1][:, None] - score[labels == 0]
    assert result.tables["ensembles"]["auc"][0] == pytest.approx(((gap > 0) + (gap == 0) / 2).mean(), abs=1e-12)
    # weights are found by name
    turned = dict(reversed(list(weights.items())))
    again = ask(source(*blocks("a", labels, votes), weights=turned)).tables
    for name, table in result.tables.items():
        assert table.equals(again[name])


def test_voters_without_weight_do_not_count() -> None:
    labels, values = said()
    weights = dict.fromkeys(NAMES, 1.0)
    weights[NAMES[0]] = 0.0
    row = ask(source(*blocks("a", labels, values), weights=weights)).tables["ensembles"].row(0, named=True)
    assert (row["n_voters"], row["voters_used"]) == (VOTERS - 1, VOTERS - 1)


def test_real_values_over_sizes() -> None:
    labels, values = said()
    result = ask(source(*blocks("a", labels, values)), voters_used=(5, 30, VOTERS, 200))
    table = result.tables["ensembles"]
    assert table["voters_used"].to_list() == [5, 30, VOTERS, 200]
    assert table["share_voters"].is_sorted(descending=True)
    score = values.mean(axis=1)
    gap = score[labels == 1][:, None] > score[labels == 0]
    assert table["auc"][2] == pytest.approx(gap.mean(), abs=1e-12)
    assert table["auc"][0] < table["auc"][1] < table["auc"][2]
    assert {"beyond-voters", "joint-bootstrap", "inference-target"} <= {note.code for note in result.notes}
    points = result.tables["points"].filter(pl.col("voters_used") == 30)
    assert points.row(0, named=True)["threshold"] == -np.inf
    assert points["tpr"].is_sorted(descending=True)
    assert points.drop_nulls("upper_tpr").height > 3


def test_pairs_on_the_same_items_share_their_draws() -> None:
    labels, strong = said(1)
    _, weak = said(2, 0.4)
    order = np.random.default_rng(3).permutation(ITEMS)
    two = blocks("b", labels[order], weak[order])
    items = pl.Series([f"i{j}" for j in order])
    shuffled = [VoteBlock("b", VOTERS, items[:70], two[0].labels, values=two[0].values, names=NAMES)]
    shuffled.append(VoteBlock("b", VOTERS, items[70:], two[1].labels, values=two[1].values, names=NAMES))
    result = ask(source(*blocks("a", labels, strong), *shuffled), marks=parse_marks(["tpr=0.8"]), draws=500)
    auc, fpr = result.tables["pairs"].to_dicts()
    assert (auc["metric"], auc["method"], auc["verdict"], auc["n"]) == ("auc", "joint-bootstrap", "better", ITEMS)
    assert (fpr["metric"], fpr["better"]) == ("fpr_at_tpr=0.8", "lower")
    errors = dict(result.tables["ensembles"].select("ensemble", "std_error").iter_rows())
    assert auc["std_error"] < 0.9 * np.hypot(errors["a"], errors["b"])
    plain = ask(source(*blocks("a", labels, strong), *blocks("b", labels, weak)), draws=500).tables["pairs"]
    assert plain["std_error"][0] == pytest.approx(auc["std_error"], rel=1e-9)
    apart = ask(source(*blocks("a", labels, strong), *blocks("b", labels, weak, prefix="k")))
    errors = dict(apart.tables["ensembles"].select("ensemble", "std_error").iter_rows())
    assert apart.tables["pairs"]["std_error"][0] == pytest.approx(np.hypot(errors["a"], errors["b"]))
    assert "unpaired" in {note.code for note in apart.notes}


def test_targets() -> None:
    labels, values = said()
    given = source(*blocks("a", labels, values))
    variance = {}
    for vary in ("voters", "items", "both"):
        table = ask(given, asked=Asked(vary, "rerun")).tables["ensembles"]
        variance[vary] = float(table["std_error"][0]) ** 2
    assert variance["both"] == pytest.approx(variance["voters"] + variance["items"], rel=1e-9)
    deployed = ask(given, asked=Asked("items", "deployed"), draws=1500).tables["ensembles"].row(0, named=True)
    score = values.mean(axis=1)
    wins = score[labels == 1][:, None] > score[labels == 0]
    delong = wins.mean(axis=1).var(ddof=1) / (ITEMS / 2) + wins.mean(axis=0).var(ddof=1) / (ITEMS / 2)
    assert deployed["std_error"] == pytest.approx(np.sqrt(delong), rel=0.08)


def test_a_single_member_is_a_classifier() -> None:
    labels, values = said()
    row = ask(source(*blocks("a", labels, values[:, :1]))).tables["ensembles"].row(0, named=True)
    assert (row["target"], row["vary"], row["share_voters"]) == ("deployed", "items", None)


def test_what_cannot_be_done() -> None:
    labels, values = said()
    given = source(*blocks("a", labels, values))
    for request, words in (
        ({"variance": "paper"}, "--variance paper"),
        ({"check": 10}, "--check"),
        ({"draws": 1}, "too few"),
        ({"asked": Asked("both", "mean")}, "--target mean"),
        ({"asked": Asked("items", "deployed"), "voters_used": (7,)}, "about all 120 voters"),
    ):
        with pytest.raises(BenchkitError, match=words):
            ask(given, **request)
    with pytest.raises(BenchkitError, match="one voter"):
        ask(source(*blocks("a", labels, values[:, :1])), asked=Asked("both", "rerun"))
    with pytest.raises(BenchkitError, match="voter 'voter3' of ensemble 'a' has no weight"):
        ask(source(*blocks("a", labels, values), weights={name: 1.0 for name in NAMES if name != "voter3"}))
    with pytest.raises(BenchkitError, match="is positive"):
        ask(source(*blocks("a", np.zeros(ITEMS, dtype=np.int8), values)))
    values[100, 7] = np.nan
    with pytest.raises(BenchkitError, match="voter 'voter7' of ensemble 'a' says no number of item 'i100'"):
        ask(source(*blocks("a", labels, values)))
    counted = VoteBlock("a", 5, pl.Series(["i"]), labels[:1], taken=np.array([3]))
    with pytest.raises(BenchkitError, match="only the number of votes"):
        ask(source(counted, weights={"1": 1.0}))


def test_the_same_request_gives_the_same_numbers() -> None:
    labels, values = said()
    first, second = (ask(source(*blocks("a", labels, values)), voters_used=(10, VOTERS), draws=50).tables for _ in "12")
    for name, table in first.items():
        assert table.equals(second[name])
