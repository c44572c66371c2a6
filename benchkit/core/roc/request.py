"""What is asked of `roc`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benchkit.errors import BenchkitError
from benchkit.methods.curve.functionals import Functional, false_positive_rate_at, partial_area, true_positive_rate_at
from benchkit.methods.curve.questions import Asked

Variance = Literal["joint", "paper"]
Resampling = Literal["without", "with"]


@dataclass(frozen=True)
class Mark:
    """A number at a chosen place of the curve: characteristic tpr_at_fpr, fpr_at_tpr or partial_auc, and where."""

    characteristic: str
    at: float

    @property
    def functional(self) -> Functional:
        """The function of the rates."""
        makers = {"tpr_at_fpr": true_positive_rate_at, "fpr_at_tpr": false_positive_rate_at, "partial_auc": partial_area}
        return makers[self.characteristic](self.at)

    @property
    def better(self) -> str:
        """Which way is better."""
        return "lower" if self.characteristic == "fpr_at_tpr" else "higher"

    @property
    def name(self) -> str:
        """What it is called where several stand together: "tpr_at_fpr=0.01"."""
        return f"{self.characteristic}={self.at:g}"


@dataclass(frozen=True)
class RocRequest:
    """asked: what varies and what the intervals are about, as typed (None: the default, both of a rerun, where it can be had).

    voters_used: sizes m, empty for all voters. resampling: of the voters for the means. variance: joint, or the paper's.
    marks: numbers at chosen places. level: of all intervals and bands. adjust: over the pairs of ensembles. check: draws of
    the bootstrap that checks the formulas, 0 for none. draws: of the bootstrap where there are no formulas.
    """

    asked: Asked | None = None
    voters_used: Sequence[int] = ()
    resampling: Resampling = "without"
    variance: Variance = "joint"
    marks: Sequence[Mark] = ()
    level: float = 0.95
    adjust: str = "holm"
    margin: float = 0.0
    check: int = 0
    draws: int = 1000


def parse_marks(texts: Sequence[str], partial: Sequence[float] = ()) -> tuple[Mark, ...]:
    """Read --at "fpr=0.01,0.05" or "tpr=0.9", and the limits of partial areas."""
    marks: list[Mark] = []
    for text in texts:
        axis, equals, numbers = text.partition("=")
        if axis not in ("fpr", "tpr") or not equals:
            raise BenchkitError(f"--at does not understand '{text}'", "write --at fpr=0.01,0.05 or --at tpr=0.9")
        characteristic = "tpr_at_fpr" if axis == "fpr" else "fpr_at_tpr"
        marks += [Mark(characteristic, share(number, "--at")) for number in numbers.split(",")]
    marks += [Mark("partial_auc", share(str(limit), "--partial")) for limit in partial]
    return tuple(dict.fromkeys(marks))


def share(text: str, option: str) -> float:
    """Read a number above 0 and below 1; BenchkitError for anything else."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise BenchkitError(f"{option} does not understand '{text}'", "write a share between 0 and 1, such as 0.05")
    return value


def parse_sizes(text: str) -> tuple[int, ...]:
    """Read --voters-used "64,128"; BenchkitError for anything but whole numbers from 1 on, or none."""
    sizes: list[int] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        if not part.isdecimal() or not 1 <= int(part) <= 1_000_000:
            raise BenchkitError(f"--voters-used cannot be '{part}'", "write numbers of voters, such as 64,128,256")
        sizes.append(int(part))
    if text and not sizes:
        raise BenchkitError(f"--voters-used '{text}' names no number of voters", "write numbers of voters, such as 64,128,256")
    return tuple(dict.fromkeys(sizes))
