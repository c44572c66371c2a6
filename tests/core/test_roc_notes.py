"""What the notes of `roc` say of many ensembles, and of numbers without an interval."""

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from benchkit.core.roc.answer import roc
from benchkit.core.roc.members import members
from benchkit.core.roc.regression import regression
from benchkit.core.roc.remarks import Said, grouped
from benchkit.core.roc.request import RocRequest, parse_marks
from benchkit.errors import BenchkitError
from benchkit.methods.curve.questions import Asked
from benchkit.tables.result import Note, Result
from benchkit.tables.votes import VoteBlock, VoteSource

LABELS = np.array([0, 1] * 20, dtype=np.int8)


def block(name: str, votes: np.ndarray, labels: np.ndarray = LABELS, targets: np.ndarray | None = None) -> VoteBlock:
    items = pl.Series([f"i{row}" for row in range(len(labels))])
    if targets is not None:
        return VoteBlock(name, votes.shape[1], items, labels, values=votes.astype(np.float64), targets=targets)
    return VoteBlock(name, votes.shape[1], items, labels, votes=votes.astype(np.uint8))


def ask(*blocks: VoteBlock, by: Callable[..., Result] = roc, **request: object) -> Result:
    regressing = blocks[0].targets is not None
    given = VoteSource("votes", lambda: iter(blocks), ["memory"], dict, regression=regressing)
    return by(given, RocRequest(**request), lambda: np.random.default_rng(1))  # type: ignore[arg-type]


def message(result: Result, code: str) -> str:
    (note,) = [note for note in result.notes if note.code == code]
    return note.message


def forest(name: str, voters: int = 6, seed: int = 1) -> VoteBlock:
    chance = np.random.default_rng(seed).random((len(LABELS), voters))
    return block(name, chance < 0.3 + 0.4 * LABELS[:, None])


def test_one_note_for_each_code_names_the_ensembles() -> None:
    many = ask(*(forest(f"f{number}", 1, number) for number in range(7)), forest("whole"))
    assert message(many, "voters-unknown").startswith("7 of 8 ensembles (f0, f1, f2, f3 and 3 more): a single voter")
    codes = [note.code for note in many.notes]
    assert len(codes) == len(set(codes))
    about = message(many, "inference-target")
    assert "these very voters on new items" in about
    assert "an ensemble grown anew and tested on new items" in about


def test_a_single_ensemble_is_named_alone() -> None:
    assert message(ask(forest("a", 1)), "voters-unknown").startswith("a: a single voter")
    assert message(ask(forest("a"), voters_used=(8, 9)), "beyond-voters").startswith("a: of more voters than there are")


def test_draws_of_members_name_all_ensembles() -> None:
    labels = np.array([0, 1] * 60, dtype=np.int8)
    chance = np.random.default_rng(2).random((2, 120, 6))
    blocks = [block(name, chance[i] < 0.3 + 0.4 * labels[:, None], labels) for i, name in enumerate("ab")]
    found = ask(*blocks, by=members, draws=100, voters_used=(8,))
    for code in ("few-voters", "beyond-voters"):
        assert message(found, code).startswith("2 of 2 ensembles (a, b): ")


def test_different_texts_of_a_code_stand_in_one_note() -> None:
    (note,) = grouped([Said("code", name, f"text {name}", "warning") for name in "abcdef"], 6)
    assert note.message == "a: text a; b: text b; c: text c; d: text d; and 2 more"
    assert note.severity == "warning"


@pytest.mark.parametrize("asked", [None, Asked("voters", "rerun"), Asked("items", "deployed")])
def test_numbers_at_their_limit_are_told_whatever_varies(asked: Asked | None) -> None:
    perfect = ask(block("a", np.repeat(LABELS[:, None], 5, axis=1)), asked=asked, marks=parse_marks(["fpr=0.1"], [0.2]))
    assert perfect.tables["ensembles"]["ci_low"][0] is None
    rate, area = perfect.tables["marks"]["ci_low"].to_list()
    assert area is None
    said = message(perfect, "at-the-limit")
    if asked is not None and asked.vary == "voters":
        assert rate is None
        numbers = "AUC of 1, tpr_at_fpr=0.1 of 1, partial_auc=0.2 of 0.2"
        rates = "a: rates of 0 and 1 have no interval where only voters vary"
        assert said == f"a: at its limit a sample gives no interval: {numbers}; {rates}"
    else:
        assert rate == pytest.approx(0.025 ** (1 / 20))  # Clopper & Pearson: 20 of 20 items
        assert said == "a: at its limit a sample gives no interval: AUC of 1, partial_auc=0.2 of 0.2"


def test_a_class_of_a_single_item_is_told() -> None:
    labels = np.array([1] + [0] * 39, dtype=np.int8)
    chance = np.random.default_rng(3).random((40, 6))
    for asked in (None, Asked("items", "deployed")):
        found = ask(block("a", chance < 0.5, labels), asked=asked, marks=parse_marks(["fpr=0.2"]))
        assert found.tables["ensembles"]["std_error"][0] is None
        assert found.tables["marks"]["std_error"][0] is None
        assert message(found, "variance-unknown").endswith("or so many ties: AUC, tpr_at_fpr=0.2")


def test_errors_of_predictions_without_an_interval_are_told() -> None:
    said = np.array([[1.0, 2.0, 4.0]])
    single = ask(block("a", said, np.zeros(1, np.int8), np.array([2.0])), by=regression, draws=50)
    assert single.tables["ensembles"]["std_error"].is_null().all()
    assert (
        message(single, "variance-unknown")
        == "a: no variance can be estimated from so few voters or items, or so many ties: mse, mae"
    )
    right = np.repeat(np.arange(5.0)[:, None], 3, axis=1)
    perfect = ask(block("a", right, np.zeros(5, np.int8), right[:, 0]), by=regression, draws=50)
    assert perfect.tables["ensembles"]["ci_high"].is_null().all()
    assert message(perfect, "at-the-limit") == "a: at its limit a sample gives no interval: mse of 0, mae of 0"


def test_a_check_tells_what_it_compares_and_what_it_found() -> None:
    found = ask(forest("a"), check=100)
    assert message(found, "check").startswith("--check compares F(1 - F)/n + D")
    assert message(found, "check-ratios").startswith("standard deviations by formula are ")


def test_small_ensembles_have_more_variance_than_the_formulas_say() -> None:
    labels = np.array([0, 1] * 60, dtype=np.int8)
    pool = block("a", np.random.default_rng(2).random((120, 200)) < 0.3 + 0.4 * labels[:, None], labels)
    assert message(ask(pool, voters_used=(4, 16)), "few-voters-used").startswith("a: of fewer than 16 voters standard deviations")
    for request in ({"voters_used": (16,)}, {"voters_used": (1,)}, {"voters_used": (4,), "asked": Asked("items", "mean")}):
        assert "few-voters-used" not in {note.code for note in ask(pool, **request).notes}
    said = message(ask(pool, voters_used=(4,), check=100), "few-voters")
    assert said == "of ensembles of only 4 voters the formulas leave out what several voters do together, so that ratios " + (
        "below 1 are no surprise"
    )


def test_why_there_is_no_band() -> None:
    labels = np.array([0, 1] * 100, dtype=np.int8)
    apart = block("a", np.repeat(labels[:, None], 5, axis=1), labels)
    assert message(ask(apart), "no-band").endswith("the classes are separated too well")
    assert message(ask(block("a", np.ones((200, 5)), labels)), "no-band").endswith("too few different numbers of votes")
    assert message(ask(block("a", np.ones((18, 5)), labels[:18])), "no-band").endswith("a class has only 9 items")


def test_one_class_of_the_items_that_are_left() -> None:
    some = block("a", np.ones((40, 3)), np.ones(40, np.int8))
    note = Note("missing-votes", "a: 3 of 43 items have missing votes (3 in all) and are left out")
    given = VoteSource("votes", lambda: iter([some]), ["memory"], dict, notes=[note])
    for by in (roc, members):
        with pytest.raises(BenchkitError, match=r"no item of ensemble 'a' is negative.*3 of 43 items have missing votes"):
            by(given, RocRequest(), lambda: np.random.default_rng(1))
