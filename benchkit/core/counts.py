"""Two algorithms known by a 2 x 2 table alone: McNemar's test without a file, however many items were counted."""

import re
from dataclasses import replace

import numpy as np
import polars as pl

from benchkit.core import explain, notes, sentences
from benchkit.core.adjust import adjusted
from benchkit.core.answer_tables import answer_tables
from benchkit.core.arrange import Arrangement
from benchkit.core.effects import DEFAULT
from benchkit.core.experiment import Experiment
from benchkit.core.finding import Finding
from benchkit.core.margins import margin_of
from benchkit.core.names import counted
from benchkit.core.question import Question, choose
from benchkit.core.report import report
from benchkit.core.verdicts import judge
from benchkit.errors import BenchkitError
from benchkit.methods.comparison.table_counts import compare_counts
from benchkit.methods.effect import odds_ratio, prob_better
from benchkit.methods.records import Blocks
from benchkit.tables.result import Note, Result

METHOD, METRIC = "mcnemar", "accuracy"
# beyond it neighbouring counts are no longer different numbers
MOST_ITEMS = 2**53


def parse_counts(text: str) -> tuple[int, ...]:
    """Read "9959,11,1,29": both right, only 1 right, only 2 right, both wrong. BenchkitError for anything else."""
    cells = [cell.strip() for cell in text.split(",")]
    hint = "give whole numbers for both right, only 1 right, only 2 right, both wrong: --table-counts 9959,11,1,29"
    if len(cells) != 4 or not all(re.fullmatch("[0-9]{1,18}", cell) for cell in cells):
        raise BenchkitError(f"--table-counts does not understand '{text}'", hint)
    counts = tuple(map(int, cells))
    if not 0 < sum(counts) <= MOST_ITEMS:
        raise BenchkitError(f"--table-counts cannot count {'no' if not sum(counts) else 'so many'} items", hint)
    return counts


def question_of_counts(question: Question) -> Question:
    """Return the question, asked of McNemar's test. BenchkitError for another method or an option that it does not know."""
    if question.method not in ("auto", METHOD):
        raise BenchkitError(f"{question.method} cannot work from four counts", f"leave out --method, or use --method {METHOD}")
    if question.baseline not in (None, "1", "2"):
        raise BenchkitError(f"there is no algorithm {question.baseline} in the table", "choose --baseline among 1, 2")
    if question.arrangement != Arrangement():
        raise BenchkitError("four counts cannot be rearranged", "leave out --over, --scale and --transform")
    asked = replace(question, method=METHOD)
    choose(asked)
    return asked


def compare_table(counts: tuple[int, ...], question: Question) -> Result:
    """Return the tables of `test` for algorithms 1 and 2, as if their items had been read: metric accuracy, higher is better.

    Effect sizes other than prob_better and odds_ratio, which the counts do not tell, are null (note effect-unknown).
    """
    both_right, only_first, only_second, both_wrong = counts
    names = ("1", "2")
    if question.baseline == "1":  # the baseline is b
        names, only_first, only_second = ("2", "1"), only_second, only_first
    choice = choose(question)
    contrasts = np.array([[0, 1]], dtype=np.int64)
    found = compare_counts((both_right, only_first, only_second, both_wrong), choice.options.get("variant", "auto"))
    answer = adjusted(found, choice.options["adjust"], question.level, contrasts)
    wanted = margin_of(question.margins, METRIC)
    margin = wanted.resolve(answer.pairs.mean_b, names[1:])
    one = Experiment(METRIC, None, "higher", (), names, np.empty((0, 2)), block="item")
    blocks = Blocks(one.values, contrasts, question.level, np.random.default_rng(1), question.baseline is not None)
    verdicts = judge(answer, question.level, margin)
    finding = Finding(one, blocks, answer, verdicts, 1.0, margin, wanted.relative, question.level, 1, blocks.generator, DEFAULT)
    tables = answer_tables(finding)
    items = sum(counts)
    tables["pairs"] = tables["pairs"].with_columns(**_effect(question, only_first, only_second, items))
    tables["overall"] = tables["overall"].with_columns(n_replicates=pl.lit(items, pl.Int64))
    size = f"2 algorithms x {counted(items, 'item')}, complete"
    said = [Note("read", f"{2 * items} values, {size}, higher is better ({METRIC})", "info", METRIC)]
    said += [*notes.of_finding(finding, choice, None), *explain.notes_of([(one, choice)], question)]
    if verdicts.verdict[0] in ("better", "worse") and items >= notes.ADVISED and not margin.any():
        said.append(Note("margin-advised", notes.margin_advice(items), "warning", METRIC))
    if question.effect not in EFFECTS:
        known = " and ".join(EFFECTS)
        said.append(Note("effect-unknown", f"four counts do not tell {question.effect}; they tell {known}", "warning", METRIC))
    told = [report(finding, tables["pairs"])]
    return Result("test", tables, said, (f"{one.title}: {size}",), answer=sentences.compared([finding]), report=told)


EFFECTS = ("prob_better", "odds_ratio")


def _effect(question: Question, only_first: int, only_second: int, items: int) -> dict[str, pl.Expr]:
    """Return the columns of the effect size; null where four counts do not tell it."""
    values: tuple[np.ndarray, ...] = (np.array([np.nan]),) * 3
    if question.effect == "prob_better":
        wins = only_first + (items - only_first - only_second) / 2
        values = prob_better.share_of(np.array([float(wins)]), np.array([float(items)]), question.level)
    elif question.effect == "odds_ratio":
        values = odds_ratio.odds_of(np.array([float(only_first)]), np.array([float(only_second)]), question.level)
    names = ("effect", "effect_low", "effect_high")
    columns = {name: pl.lit(float(value[0])).fill_nan(None) for name, value in zip(names, values, strict=True)}
    return {"effect_name": pl.lit(question.effect), **columns}
