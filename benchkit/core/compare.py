"""Which algorithms differ, by how much and how surely? From experiments to pairs, overall, means and components."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import polars as pl

from benchkit.core import contrast, explain, notes, sentences
from benchkit.core.adjust import adjusted, check_family, readjusted
from benchkit.core.answer_tables import answer_tables
from benchkit.core.arrange import arranged, joined
from benchkit.core.blocks import Reading
from benchkit.core.data_sets import averaged
from benchkit.core.direction import check_metrics
from benchkit.core.experiment import Experiment
from benchkit.core.finding import Finding
from benchkit.core.margins import margin_of
from benchkit.core.posterior_draws import draws_table
from benchkit.core.question import Choice, NewGenerator, Question, choose
from benchkit.core.report import report
from benchkit.core.scale import mean_of, scaled_back, unit_of, with_lost_means
from benchkit.core.verdicts import Verdicts, judge
from benchkit.errors import BenchkitError
from benchkit.methods.comparison.bracket import bracket
from benchkit.methods.records import Answer, Blocks, Floats, Integers, Unadjusted
from benchkit.tables.result import Note, Result

# adjustments that rest on one of the two covariances
MODEL_BOUND = ("tukey", "dunnett", "max-t-bootstrap")
TABLES = ("pairs", "overall", "means", "components")


def compare(
    reading: Reading, question: Question, new_generator: NewGenerator, progress: Callable[[int, int], None] | None = None
) -> Result:
    """Return pairs, overall, means and components for each experiment, with notes.

    Every experiment starts its own random stream, so that its numbers do not depend on the others. Raises
    BenchkitError if no experiment can be tested; among several, those that cannot be are named in a note.
    """
    testable, collected = _testable(reading, question)
    made: dict[str, list[pl.DataFrame]] = {name: [] for name in TABLES}
    told: list[str] = []
    named = [text.rpartition("=")[0] for text in question.margins if "=" in text]
    check_metrics("--margin", named, [experiment.metric for experiment in reading.experiments])
    together = question.family == "all"
    groups = len(testable) if together else 1
    check_family(question.options.get("adjust"), groups)
    testable, findings, refused = _found(testable, question, new_generator, groups, progress)
    collected += refused
    tested = sum(_is_tested(finding) for finding in findings)
    if together and tested != groups:  # a family is made of those that have p-values
        groups = max(tested, 1)
        testable, findings, _ = _found(testable, question, new_generator, groups, None)
    if groups > 1:
        size = sum(finding.family for finding in findings if _is_tested(finding))
        findings = [replace(finding, family=size) for finding in findings]
    for finding, (_, choice) in zip(findings, testable, strict=True):
        answered = answer_tables(finding)
        for name, table in answered.items():
            made[name].append(table)
        told.append(report(finding, answered["pairs"]))
        collected += notes.of_finding(finding, choice, _rival(finding, question, choice, new_generator, groups))
    collected += explain.notes_of(testable, question)
    tables = {name: pl.concat(made[name], how="diagonal") for name in TABLES}
    if question.draws:
        tables["draws"] = pl.concat([draws_table(finding, question.draws, new_generator) for finding in findings])
    measured = sentences.measured([experiment for experiment, _ in testable])
    return Result("test", tables, collected, measured, answer=sentences.compared(findings), report=told)


Testable = list[tuple[Experiment, Choice]]


def _is_tested(finding: Finding) -> bool:
    """Say whether some pair has a p-value, or a posterior."""
    return any(word is not None for word in finding.verdicts.verdict)


def _found(
    testable: Testable,
    question: Question,
    new_generator: NewGenerator,
    groups: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[Testable, list[Finding], list[Note]]:
    """Return the experiments whose data the method takes, their findings, and a note for each of the others.

    groups: how many make one family. Raises the method's BenchkitError if it takes none.
    """
    kept: Testable = []
    findings: list[Finding] = []
    refusals: list[tuple[Experiment, BenchkitError]] = []
    for number, (experiment, choice) in enumerate(testable):
        try:
            findings.append(find(experiment, question, choice, new_generator, groups))
            kept.append((experiment, choice))
        except BenchkitError as refusal:
            refusals.append((experiment, refusal))
        if progress:
            progress(number + 1, len(testable))
    if not kept:
        raise refusals[0][1]
    return kept, findings, [_not_tested(experiment, refusal) for experiment, refusal in refusals]


def _not_tested(experiment: Experiment, refusal: BenchkitError) -> Note:
    return Note("not-tested", f"not tested: {refusal.message}", "warning", experiment.metric, experiment.dataset)


def find(experiment: Experiment, question: Question, choice: Choice, new_generator: NewGenerator, groups: int) -> Finding:
    """Ask the method and judge its answer."""
    contrasts = contrast.contrasts(experiment.algorithms, question.baseline)
    level = 1 - (1 - question.level) / groups
    oriented, log = experiment.oriented, experiment.transform == "log"
    unit = unit_of(oriented)
    wanted = margin_of(question.margins, experiment.metric)
    names = [experiment.algorithms[j] for j in contrasts[:, 1]]
    blocks = Blocks(
        oriented if unit == 1 and oriented is not experiment.values else oriented / unit,  # never the measured array itself
        contrasts,
        level,
        new_generator(),
        question.baseline is not None,
        dict(choice.options),
        margins=wanted.resolve(_means_of(experiment, contrasts[:, 1]), names, log) / unit if wanted.value else None,
        sizes=experiment.sizes,
        layout=experiment.layout,
        clusters=experiment.clusters,
    )
    found: Answer | Unadjusted = choice.entry.load()(blocks)
    if isinstance(found, Unadjusted):
        found = adjusted(found, choice.options.get("adjust", "none"), level, contrasts)
    elif found.adjust == "none" and "adjust" in choice.options:
        found = readjusted(found, choice.options["adjust"], level, contrasts)
    answer = scaled_back(found, unit)
    if unit != 1:
        answer = with_lost_means(answer, oriented, contrasts)
    margin = wanted.resolve(answer.pairs.mean_b, names, log)
    verdicts = judge(answer, question.level, margin, groups)
    return Finding(
        experiment,
        blocks,
        answer,
        verdicts,
        unit,
        margin,
        wanted.relative and not log,
        question.level,
        _tested(answer),
        new_generator(),  # the same draws whatever the method has drawn before
        question.effect,
        choice.paired,
    )


def _means_of(experiment: Experiment, columns: Integers) -> Floats:
    """Return the mean of what was measured of each of the algorithms."""
    return np.array([mean_of(experiment.values[:, column]) for column in columns], dtype=np.float64)


def _tested(answer: Answer) -> int:
    """Return how many contrasts the adjustment covers: those that can be tested."""
    tested = ~np.isnan(answer.pairs.std_error) | ~np.isnan(answer.pairs.p_value)
    return int(tested.sum()) or len(answer.pairs.n)


def _rival(finding: Finding, question: Question, choice: Choice, new_generator: NewGenerator, groups: int) -> Verdicts | None:
    """Return the verdicts under the other covariance, where a note needs them."""
    other = {"pooled": "unstructured", "unstructured": "pooled"}.get(choice.options.get("covariance", ""))
    if other is None or choice.arrangement.over:
        return None
    suspicious = any(remark.code == "unequal-variances" for remark in finding.answer.remarks)
    if len(finding.experiment.algorithms) < 3 or (other == "unstructured" and not suspicious):
        return None
    adjust = choice.options.get("adjust")
    if adjust in MODEL_BOUND:  # the other model has no such family
        return None
    enclosing = bracket(finding.blocks) if other == "unstructured" and adjust is None else None
    if enclosing is not None:
        low, high = (judge(scaled_back(answer, finding.unit), question.level, finding.margin, groups) for answer in enclosing)
        if low.verdict == high.verdict:
            return high
    options = {"covariance": other} | ({} if adjust is None else {"adjust": adjust})
    rival = Choice(choice.entry, options, choice.automatic)
    return find(finding.experiment, question, rival, new_generator, groups).verdicts


def _testable(reading: Reading, question: Question) -> tuple[Testable, list[Note]]:
    """Keep the experiments that can be tested; return each with its method, and the notes so far."""
    kept: Testable = []
    collected = list(reading.notes)
    refusals: list[BenchkitError] = []
    for given in joined(reading.experiments, question.arrangement):
        experiment = given
        try:
            choice = choose(question, averaged(given) if question.arrangement.over else given)
            experiment, said = arranged(given, question.arrangement, choice.use)
            contrast.check(experiment, question.baseline, choice.paired)
            _check_clusters(experiment, choice)
        except BenchkitError as refusal:
            refusals.append(refusal)
            collected.append(_not_tested(experiment, refusal))
        else:
            kept.append((experiment, choice))
            collected += [Note("read", experiment.read, "info", experiment.metric, experiment.dataset), *said]
    if not kept:
        raise refusals[0]
    return kept, collected


def _check_clusters(experiment: Experiment, choice: Choice) -> None:
    """Raise BenchkitError if the method is about clusters and nobody said what they are."""
    if "cluster" in choice.entry.options and experiment.clusters is None:
        raise BenchkitError(f"{choice.entry.name} needs to know what belongs together", "add --cluster COLUMN")
