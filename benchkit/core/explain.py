"""--explain: which method answers and why, what it takes for granted, what else there is, and how to get the same again."""

from collections.abc import Iterable, Sequence

from benchkit.core.data_sets import averaged
from benchkit.core.effects import effect_entry
from benchkit.core.experiment import Experiment
from benchkit.core.question import Choice, Question
from benchkit.core.rules import RULES, Rule
from benchkit.methods import ADJUSTMENTS, COMPARISONS
from benchkit.registry import Entry
from benchkit.tables.result import EXPLAINED, Note


def notes_of(choices: Sequence[tuple[Experiment, Choice]], question: Question) -> list[Note]:
    """Return the explanation of each experiment's method, one note for each paragraph; --explain alone shows them to people.

    What is true of all experiments is said once, without a metric and a data set.
    """
    said = [(one.metric, one.dataset, explained(one, choice, question)) for one, choice in choices]
    if len(said) > 1 and all(paragraphs == said[0][2] for _, _, paragraphs in said):
        said = [(None, None, said[0][2])]
    return [Note(EXPLAINED, text, "info", metric, dataset) for metric, dataset, paragraphs in said for text in paragraphs]


def explained(experiment: Experiment, choice: Choice, question: Question) -> list[str]:
    """Return the paragraphs: the choice with its reason, its assumptions, what was rejected, and the options for it."""
    seen = averaged(experiment) if question.arrangement.over else experiment
    paragraphs = [
        f"{_chosen(seen, choice, question)} {_assumed(choice.entry)}",
        _rejected(seen, choice, question),
        _alternatives(choice.entry),
        _adjusted(choice, question),
        f"The same again, whatever the data: {_typed(choice, question)}",
    ]
    return [paragraph for paragraph in paragraphs if paragraph]


def _chosen(experiment: Experiment, choice: Choice, question: Question) -> str:
    """Name the method, what it does, and why it answers."""
    entry = choice.entry
    what = f"{entry.name} ({entry.summary}; {entry.source})"
    if question.method == "auto":
        reason = choice.reason or "it knows the options that were given"
        return f"Chosen without --method: {what}. The reason: {reason}."
    if not experiment.replicates:  # counts alone
        return f"Asked for: {what}."
    rule = _first(experiment, RULES)
    alike = rule.method == entry.name and all(choice.options.get(name) == value for name, value in rule.options.items())
    usual = "Without --method it would be the same" if alike else _instead_of(rule)
    return f"Asked for: {what}. {usual}."


def _instead_of(rule: Rule) -> str:
    options = "".join(f" --{name} {value}" for name, value in rule.options.items())
    return f"Without --method it would be {rule.method}{options} ({rule.reason})"


def _first(experiment: Experiment, rules: Iterable[Rule]) -> Rule:
    """Return the first rule that fits; the last one always does."""
    return next(rule for rule in rules if rule.fits(experiment))


def _assumed(entry: Entry) -> str:
    needs = f"It needs {entry.needs}" if entry.needs else ""
    return " ".join(f"{part}." for part in (needs, f"It assumes {entry.assumes}" if entry.assumes else "") if part)


def _rejected(experiment: Experiment, choice: Choice, question: Question) -> str:
    """Say why the rules above the chosen one do not fit, and which of those below it fit, too."""
    if question.method != "auto":
        return ""
    known = [rule for rule in RULES if set(question.options) <= set(_entry(rule).options)]
    place = next((at for at, rule in enumerate(known) if rule.method == choice.entry.name), len(known))
    unfit: dict[str, str] = {}  # a method may stand in two rows
    for rule in known[:place]:
        unfit.setdefault(rule.method, f"{rule.method} ({rule.otherwise})")
    later = [rule.method for rule in known[place + 1 :] if rule.fits(experiment)]
    said = [f"Considered before it and rejected: {', '.join(unfit.values())}."] if unfit else []
    said += [f"Left over for when nothing closer fits: {', '.join(later)}."] if later else []
    if len(known) < len(RULES):
        given = " and ".join(f"--{name.replace('_', '-')}" for name in question.options)
        said.append(f"Only methods that know {given} were considered.")
    return " ".join(said)


def _entry(rule: Rule) -> Entry:
    return next(entry for entry in COMPARISONS if entry.name == rule.method)


def _alternatives(entry: Entry) -> str:
    others = [f"{name} for {case}" for name, case in entry.instead]
    return f"Other answers to the same question: {', '.join(others)}." if others else ""


def _adjusted(choice: Choice, question: Question) -> str:
    """Say what adjusts the p-values, where that can be chosen, and what the effect size is."""
    adjustment = next((entry for entry in ADJUSTMENTS if entry.name == choice.options.get("adjust")), None)
    effect = effect_entry(question.effect, choice.paired)
    said = f"The effect size is {effect.name}: {effect.summary}." if effect else f"There is no {question.effect} without pairs."
    return said if adjustment is None else f"p-values are adjusted by {adjustment.name}: {adjustment.summary}. {said}"


def _typed(choice: Choice, question: Question) -> str:
    """Return the options that reproduce the choice, with those of the question that change its numbers."""
    more = [f"--level {question.level:.10g}"] if question.level != Question.level else []
    more += [f"--effect {question.effect}"] if question.effect != Question.effect else []
    more += [f"--family {question.family}"] if question.family != Question.family else []
    return " ".join([choice.typed, *more])
