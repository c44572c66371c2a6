"""The effect size of each pair, in the metric's own direction and unit, and why it may be missing."""

import copy
from collections.abc import Iterable

import numpy as np

from benchkit.core.data_sets import averaged
from benchkit.core.experiment import Experiment
from benchkit.core.finding import Finding
from benchkit.core.names import counted, listed, quoted
from benchkit.core.scale import unit_of
from benchkit.errors import BenchkitError
from benchkit.methods import EFFECTS
from benchkit.methods.effect import INDEPENDENT
from benchkit.methods.records import Floats
from benchkit.registry import Entry

DEFAULT = "prob_better"
# a minus b in the metric's own direction, as estimate is; all others are about being better, and oriented values give that
SIGNED = ("mean_difference", "d_z")


def effect_entry(name: str, paired: bool = True) -> Entry | None:
    """Return the effect size of that name for pairs or for independent samples; None if it needs pairs and there are none.

    BenchkitError if there is none of that name.
    """
    entry = next((entry for entry in EFFECTS if entry.name == name), None)
    if entry is None:
        names = ", ".join(entry.name for entry in EFFECTS)
        raise BenchkitError(f"there is no effect size '{name}'", f"--effect takes {names}")
    return entry if paired else next((entry for entry in INDEPENDENT if entry.name == name), None)


def effects(finding: Finding) -> tuple[Floats, Floats, Floats]:
    """Return the effect of each pair with the ends of its interval at the finding's level, shape (m,).

    Of paired methods it is that of the shared replicates, of others that of all values of a against all of b. mean_difference,
    d_z and ratio are of a to b in the metric's direction, whatever is better; the others are about a being better (kendalls_w
    has no side). ratio is NaN unless all values of both are positive, and so is what needs pairs
    where there are none.
    """
    entry, blocks, one = effect_entry(finding.effect, finding.paired), finding.blocks, finding.experiment
    if entry is None:
        nothing = np.full(len(blocks.contrasts), np.nan)
        return nothing, nothing, nothing
    if "strata" in finding.answer.own and entry.name == DEFAULT:  # the method's own estimate, which keeps the strata apart
        own = finding.answer.own
        return own["prob_better"], own["prob_better_low"], own["prob_better_high"]
    draws = finding.paired and entry.name != DEFAULT
    arguments = (copy.deepcopy(finding.generator),) if draws else ()
    values, unit = _values(finding)
    found, low, high = entry.load()(values, blocks.contrasts, finding.level, *arguments)
    if one.clusters is not None and one.block != "data set":  # their intervals would take the replicates as independent
        low, high = np.full(low.shape, np.nan), np.full(high.shape, np.nan)
    if entry.name in SIGNED:
        # + 0.0 turns -0.0 into 0.0
        found, low, high = (found, low, high) if one.sign > 0 else (-found, -high, -low)
        found, low, high = found + 0.0, low + 0.0, high + 0.0
    if entry.name == "mean_difference":  # in the metric's unit
        with np.errstate(over="ignore"):
            found, low, high = found * unit, low * unit, high * unit
    if entry.name == "ratio":
        positive = [not count for count in _not_positive(one)]
        both = np.array([positive[a] and positive[b] for a, b in blocks.contrasts.tolist()], dtype=bool)
        found, low, high = (np.where(both, part, np.nan) for part in (found, low, high))
    return found, low, high


def without_effect(finding: Finding) -> Iterable[tuple[str, str]]:
    """Yield the code and the words of a note where the effect size that was asked for does not exist."""
    name, one = finding.effect, finding.experiment
    if effect_entry(name, finding.paired) is None:
        known = listed([entry.name for entry in INDEPENDENT])
        why = f"{name} compares within replicates, and {finding.answer.method} takes samples for independent"
        yield "effect-needs-pairs", f"{why}; --effect {known} do not need pairs"
    elif name == "ratio":
        wrong = _not_positive(one)
        who = [f"{quoted(one.algorithms[j])} ({counted(count, 'value')})" for j, count in enumerate(wrong) if count]
        if who:
            have = "has" if len(who) == 1 else "have"
            text = f"a ratio needs positive values, and {listed(who)} {have} some of 0 or less: no ratio of their pairs"
            yield "effect-undefined", f"{text}; --effect mean_difference takes any"
    elif name == "odds_ratio" and not one.holds_outcomes:
        yield "effect-undefined", "an odds ratio is of outcomes, right or wrong, and not every performance is 0 or 1"


def _not_positive(one: Experiment) -> list[int]:
    """Return how many values of each algorithm are 0 or less."""
    return [int(np.count_nonzero(column <= 0)) for column in one.values.T]


def _values(finding: Finding) -> tuple[Floats, float]:
    """Return the oriented values as measured, without logarithms, divided by a unit, and the unit.

    Of replicates in data sets they are the means of the data sets.
    """
    one = finding.experiment
    if one.transform == "none" and one.clusters is None:
        return finding.blocks.values, finding.unit
    measured = averaged(one) if one.block == "data set" else one
    unit = unit_of(measured.values)
    return measured.sign * measured.values / unit, unit
