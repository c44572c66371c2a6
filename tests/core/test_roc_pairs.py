"""Pairs of ensembles of which different things are known, and differences without a variance."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from benchkit.core.roc.answer import roc
from benchkit.core.roc.members import members
from benchkit.core.roc.request import RocRequest, parse_marks
from benchkit.methods.curve.questions import Asked
from benchkit.tables.result import Result
from benchkit.tables.votes import VoteBlock, VoteSource

ITEMS, VOTERS = 200, 16
LABELS = np.random.default_rng(0).integers(0, 2, ITEMS).astype(np.int8)


def votes(seed: int, strength: float = 1.0) -> np.ndarray:
    place = np.random.default_rng(5).normal(size=ITEMS) + strength * (LABELS - 0.5)
    return (place[:, None] + np.random.default_rng(seed).normal(size=(ITEMS, VOTERS)) > 0).astype(np.uint8)


def block(name: str, what: np.ndarray, counted: bool = False, prefix: str = "i") -> VoteBlock:
    items = pl.Series([f"{prefix}{j}" for j in range(ITEMS)])
    if counted:
        return VoteBlock(name, VOTERS, items, LABELS, taken=what.sum(axis=1).astype(np.int64))
    return VoteBlock(name, VOTERS, items, LABELS, votes=what)


def ask(*blocks: VoteBlock, by: Callable[..., Result] = roc, **request: object) -> Result:
    given = VoteSource("votes", lambda: iter(blocks), ["memory"], dict)
    return by(given, RocRequest(**request), lambda: np.random.default_rng(1))  # type: ignore[arg-type]


def of_code(result: Result, code: str) -> str:
    return "; ".join(note.message for note in result.notes if note.code == code)


@pytest.mark.parametrize("prefix", ["i", "other"])
@pytest.mark.parametrize("sizes", [(), (VOTERS,), (6,)])
def test_a_pair_of_votes_and_counts_is_about_items_in_either_order(prefix: str, sizes: tuple[int, ...]) -> None:
    first, second = votes(1), votes(2)
    found = []
    for names in (("a", "b"), ("b", "a")):
        blocks = [block(names[0], first), block(names[1], second, counted=True, prefix=prefix)]
        found.append(ask(*blocks, voters_used=sizes, marks=parse_marks(["fpr=0.2"])))
    for row, other in zip(*(result.tables["pairs"].to_dicts() for result in found), strict=True):
        assert row["std_error"] > 0
        assert row["std_error"] == pytest.approx(other["std_error"], rel=1e-12)
        assert row["estimate"] == pytest.approx(-other["estimate"], abs=1e-12)
        assert row["verdict"] == other["verdict"] or {row["verdict"], other["verdict"]} == {"better", "worse"}
    assert "a and b: the difference is about" in of_code(found[0], "inference-target")
    both = ask(*(block(name, what, True, p) for name, what, p in (("a", first, "i"), ("b", second, prefix))), voters_used=sizes)
    assert found[0].tables["pairs"]["std_error"][0] == pytest.approx(both.tables["pairs"]["std_error"][0], rel=1e-12)


def test_the_same_votes_and_their_numbers_do_not_differ() -> None:
    row = ask(block("a", votes(1)), block("b", votes(1), counted=True)).tables["pairs"].row(0, named=True)
    assert (row["estimate"], row["p_value"], row["verdict"]) == (0.0, 1.0, "undecided")


ITEMS_ONLY = [Asked("items", "rerun"), Asked("items", "mean")]


@pytest.mark.parametrize("asked", ITEMS_ONLY)
@pytest.mark.parametrize("counted", [False, True])
def test_equal_votes_do_not_differ_whatever_varies(asked: Asked, counted: bool) -> None:
    row = ask(block("a", votes(1), counted), block("b", votes(1), counted), asked=asked).tables["pairs"].row(0, named=True)
    assert (row["estimate"], row["std_error"], row["p_value"], row["verdict"]) == (0.0, 0.0, 1.0, "undecided")


@pytest.mark.parametrize("asked", ITEMS_ONLY)
def test_a_difference_without_a_variance_is_told(asked: Asked) -> None:
    """The same forest grown twice: the items' part is none, and comes out negative for some pair of seeds."""
    told = 0
    for seed in range(12):
        result = ask(block("a", votes(2 * seed)), block("b", votes(2 * seed + 1)), asked=asked)
        row = result.tables["pairs"].row(0, named=True)
        if row["std_error"] is None:
            told += 1
            assert (row["p_value"], row["ci_low"], row["verdict"]) == (None, None, None)
            assert "a and b: the variance of a difference" in of_code(result, "variance-unknown")
        else:
            assert row["std_error"] > 0
    assert told > 0


def test_members_have_no_certain_differences_either() -> None:
    """Draws of members: where what is left for the items is negative, there is no test, not a certain one."""
    for seed in range(6):
        blocks = [block("a", votes(2 * seed)), block("b", votes(2 * seed + 1))]
        result = ask(*blocks, by=members, asked=Asked("items", "rerun"), draws=100)
        row = result.tables["pairs"].row(0, named=True)
        assert row["std_error"] is None or row["std_error"] > 0
        assert row["std_error"] is not None or "a and b" in of_code(result, "variance-unknown")


def test_counts_answer_what_needs_only_counts() -> None:
    whole, counted = block("a", votes(1)), block("a", votes(1), counted=True)
    requests: list[dict[str, Any]] = [
        {"asked": Asked("items", "rerun")}, {"asked": Asked("items", "mean")}, {"asked": Asked("items", "deployed")},
        {"asked": Asked("items", "rerun"), "voters_used": (6, 40)}, {"asked": Asked("items", "mean"), "voters_used": (6,)},
    ]  # fmt: skip
    for request in requests:
        known, found = (ask(one, marks=parse_marks(["fpr=0.2"], [0.3]), **request).tables for one in (whole, counted))
        for name in ("ensembles", "points", "marks"):
            assert known[name].equals(found[name])
        assert found["ensembles"]["std_error"].null_count() == 0
    sizes = ask(counted, voters_used=(6, VOTERS))
    rows = sizes.tables["ensembles"].to_dicts()
    assert [(row["target"], row["vary"]) for row in rows] == [("mean", "items"), ("deployed", "items")]
    assert "voters-unknown" in {note.code for note in sizes.notes}
