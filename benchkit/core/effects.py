"""The effect size of each pair, in the metric's own direction and unit."""

import numpy as np

from benchkit.core.finding import Finding
from benchkit.errors import BenchkitError
from benchkit.methods import EFFECTS
from benchkit.methods.records import Floats
from benchkit.registry import Entry

DEFAULT = "prob_better"
# about a minus b, so that they turn with the metric's direction
SIGNED = ("mean_difference", "d_z", "cliffs_delta", "rank_biserial")


def effect_entry(name: str) -> Entry:
    """Return the effect size of that name; BenchkitError if there is none."""
    entry = next((entry for entry in EFFECTS if entry.name == name), None)
    if entry is None:
        names = ", ".join(entry.name for entry in EFFECTS)
        raise BenchkitError(f"there is no effect size '{name}'", f"--effect takes {names}")
    return entry


def effects(finding: Finding) -> tuple[Floats, Floats, Floats]:
    """Return the effect of each pair with the ends of its interval at the finding's level, shape (m,).

    Signed effects are about a minus b in the metric's direction; ratio is NaN unless all values of both are positive.
    """
    entry, blocks, one = effect_entry(finding.effect), finding.blocks, finding.experiment
    generator = np.random.default_rng(len(blocks.values))  # the same draws whatever the method has drawn before
    arguments = () if entry.name == DEFAULT else (generator,)
    found, low, high = entry.load()(blocks.values, blocks.contrasts, finding.level, *arguments)
    if entry.name in SIGNED and one.sign < 0:
        found, low, high = -found + 0.0, -high + 0.0, -low + 0.0
    if entry.name == "mean_difference":  # in the metric's unit
        found, low, high = found * finding.unit, low * finding.unit, high * finding.unit
    if entry.name == "ratio":
        positive = [bool((np.isnan(column) | (column > 0)).all()) for column in one.values.T]
        both = np.array([positive[a] and positive[b] for a, b in blocks.contrasts.tolist()], dtype=bool)
        found, low, high = (np.where(both, part, np.nan) for part in (found, low, high))
    return found, low, high
