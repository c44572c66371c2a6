"""What was found in one experiment: the record that the tables and the notes are made of."""

from dataclasses import dataclass

import numpy as np

from benchkit.core.experiment import Experiment
from benchkit.core.verdicts import Verdicts
from benchkit.methods.records import Answer, Blocks, Floats


@dataclass(frozen=True)
class Finding:
    """One experiment, the contrasts asked of it, what the method answered and how it was judged.

    blocks.values are the oriented values divided by `unit`; everything else is in the metric's unit. generator: what intervals
    of effect sizes draw from. paired: whether the method compares within replicates, and so the effect size.
    """

    experiment: Experiment
    blocks: Blocks
    answer: Answer
    verdicts: Verdicts
    unit: float
    margin: Floats
    relative_margin: bool
    level: float
    family: int
    generator: np.random.Generator
    effect: str = "prob_better"
    paired: bool = True
