"""Pointwise intervals: by formula, by counts where these are few, and none where neither tells anything."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import beta

from benchkit.core.roc.answer import roc
from benchkit.core.roc.intervals import interval
from benchkit.core.roc.request import RocRequest, parse_marks
from benchkit.methods.curve.questions import Asked, Target, Vary
from benchkit.tables.result import Result
from benchkit.tables.votes import VoteBlock, VoteSource

# section 7 of the specification: three negative and four positive items, four voters
TINY_LABELS = np.array([0, 0, 0, 1, 1, 1, 1], dtype=np.int8)
TINY = np.array(
    [[0, 0, 0, 1], [0, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [1, 1, 1, 1], [1, 0, 1, 0]], dtype=np.uint8
)


def ask(labels: np.ndarray, votes: np.ndarray, **request: object) -> Result:
    items = pl.Series([f"i{j}" for j in range(len(labels))])
    block = VoteBlock("a", votes.shape[1], items, labels.astype(np.int8), votes=votes.astype(np.uint8))
    given = VoteSource("votes", lambda: iter([block]), ["memory"], dict)
    return roc(given, RocRequest(**request), lambda: np.random.default_rng(1))  # type: ignore[arg-type]


def forest(seed: int = 3, strength: float = 3.0, items: int = 400, voters: int = 50) -> tuple[np.ndarray, np.ndarray]:
    """Return labels and votes of a good forest, some of whose rates are 0 or 1."""
    generator = np.random.default_rng(seed)
    labels = (np.arange(items) % 2).astype(np.int8)
    place = generator.normal(size=items) + strength * labels - strength / 2
    return labels, (place[:, None] + generator.normal(size=(items, voters)) * 0.5 > 0).astype(np.uint8)


def clopper_pearson(count: float, items: float) -> tuple[float, float]:
    return (
        float(beta.ppf(0.025, count, items - count + 1)) if count else 0.0,
        float(beta.ppf(0.975, count + 1, items - count)) if count < items else 1.0,
    )


@pytest.mark.parametrize("asked", [None, Asked("items", "deployed")])
def test_marks_at_the_end_of_their_range_have_clopper_and_pearson_s_interval(asked: Asked | None) -> None:
    marks = ask(*forest(strength=6.0), asked=asked, marks=parse_marks(["fpr=0.2", "tpr=0.9"])).tables["marks"]
    tpr, fpr = marks.to_dicts()
    assert (tpr["estimate"], fpr["estimate"]) == (1.0, 0.0)
    assert (tpr["ci_low"], tpr["ci_high"]) == pytest.approx(clopper_pearson(200, 200))
    assert (fpr["ci_low"], fpr["ci_high"]) == pytest.approx(clopper_pearson(0, 200))
    tiny = ask(TINY_LABELS, TINY, asked=Asked("items", "deployed"), marks=parse_marks(["tpr=0.75"])).tables["marks"]
    assert tiny.select("estimate", "ci_low", "ci_high").row(0) == pytest.approx((0.0, *clopper_pearson(0, 3)))


EVERY: list[tuple[Vary, Target]] = [
    ("both", "rerun"), ("voters", "rerun"), ("items", "rerun"), ("both", "mean"), ("voters", "mean"), ("items", "mean"),
    ("items", "deployed"), ("both", "prediction"), ("voters", "prediction"),
]  # fmt: skip


@pytest.mark.parametrize(("vary", "target"), EVERY)
def test_no_interval_without_width_beside_a_standard_deviation(vary: Vary, target: Target) -> None:
    for labels, votes in ((TINY_LABELS, TINY), forest(), forest(strength=9.0), forest(items=24, voters=5)):
        asked = Asked(vary, target)
        found = ask(labels, votes, asked=asked, marks=parse_marks(["fpr=0.01,0.2", "tpr=0.75,0.9"], [0.1])).tables
        for table, names in (("ensembles", [("std_error", "ci")]), ("marks", [("std_error", "ci")]), ("points", RATES)):
            for sd, low in names:
                rows = found[table].filter(pl.col(sd) > 0)
                width = rows[f"{low}_high"] - rows[f"{low}_low"]
                assert (width.drop_nulls() > 0).all()
                assert vary == "voters" or width.null_count() == 0 or table != "points"


RATES = [("fpr_sd", "fpr"), ("tpr_sd", "tpr")]


@pytest.mark.parametrize("asked", [Asked("both", "rerun"), Asked("voters", "rerun"), Asked("items", "deployed")])
def test_an_area_of_one_or_nothing_has_no_interval_whatever_varies(asked: Asked) -> None:
    votes = np.array([[0, 1, 1, 1], [0, 1, 0, 1]], dtype=np.uint8)
    for labels, area in ((np.array([1, 0]), 1.0), (np.array([0, 1]), 0.0)):
        result = ask(labels, votes, asked=asked)
        row = result.tables["ensembles"].row(0, named=True)
        assert (row["auc"], row["ci_low"], row["ci_high"]) == (area, None, None)
        assert {"at-the-limit", "variance-unknown"} & {note.code for note in result.notes}


def test_rates_of_voters_alone_at_their_limit_are_null_and_told() -> None:
    result = ask(TINY_LABELS, TINY, asked=Asked("voters", "rerun"))
    row = result.tables["points"].row(3, named=True)
    assert (row["fpr"], row["fpr_sd"] > 0.18, row["fpr_low"], row["fpr_high"]) == (0.0, True, None, None)
    assert any("rates of 0 and 1" in note.message for note in result.notes)


def test_tied_votes_are_no_certainty() -> None:
    """Each item has two of four votes: other voters would part the items, though no estimate says how much."""
    votes = np.array([[0, 1, 0, 1], [0, 0, 1, 1], [1, 1, 0, 0], [1, 0, 0, 1]], dtype=np.uint8)
    result = ask(np.array([1, 0, 0, 1]), votes)
    row = result.tables["ensembles"].row(0, named=True)
    assert (row["auc"], row["std_error"], row["ci_low"]) == (0.5, None, None)
    assert {"variance-unknown"} <= {note.code for note in result.notes}
    assert "zero-variance" not in {note.code for note in result.notes}


def test_intervals_of_rates_that_expect_less_than_an_item_stay_next_to_clopper_and_pearson_s() -> None:
    rates = np.array([0.0, 1e-9, 1e-5, 1e-4, 5e-4])
    low, high = interval(rates, np.sqrt(rates * (1 - rates) / 1000), 0.95, True, 1000.0)
    assert (low <= rates).all()
    assert (high < 0.01).all()
    assert (np.diff(high) >= 0).all()
    mirrored = interval(1 - rates, np.sqrt(rates * (1 - rates) / 1000), 0.95, False, 1000.0)
    assert (mirrored[0] > 0.99).all()


def test_a_prediction_is_wider_than_an_estimate() -> None:
    for at in (3, 4):
        rows = [
            ask(TINY_LABELS, TINY, asked=Asked("both", to)).tables["points"].row(at, named=True) for to in ("mean", "prediction")
        ]
        assert rows[1]["fpr_high"] > rows[0]["fpr_high"]


def test_only_the_papers_variance_leaves_the_lowest_threshold_open() -> None:
    plain, paper = (ask(TINY_LABELS, TINY, variance=name).tables["points"].row(0, named=True) for name in ("joint", "paper"))
    assert (plain["fpr_sd"], plain["fpr_low"], plain["fpr_high"]) == (0.0, 1.0, 1.0)
    assert (paper["fpr_sd"] > 0.1, paper["fpr_low"], paper["fpr_high"]) == (True, None, None)
