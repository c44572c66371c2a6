"""What difference matters: --margin, resolved once for each metric and pair."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchkit.core.names import quoted
from benchkit.errors import BenchkitError
from benchkit.methods.records import Floats

HINT = "write a number in the metric's unit, such as 0.02, or a share of the mean, such as 5%, or METRIC=0.02"


@dataclass(frozen=True)
class Margin:
    """A number in the metric's unit, or (relative) a share of the absolute mean of b."""

    value: float
    relative: bool

    def resolve(self, mean_b: Floats, names: Sequence[str], log: bool = False) -> Floats:
        """Return the margin of each pair in the metric's unit, of logarithms where these are compared: 5% is log 1.05.

        mean_b, names: the mean and the name of b of each pair. Raises BenchkitError for a share of a zero mean, and for a
        difference where ratios are compared.
        """
        if log:
            if self.value > 0 and not self.relative:
                raise BenchkitError("with --transform log differences are ratios", "give --margin as a share, such as 5%")
            return np.full(mean_b.shape, np.log1p(self.value))
        if not self.relative:
            return np.full(mean_b.shape, self.value)
        zero = np.flatnonzero(mean_b == 0)
        if self.value > 0 and zero.size:
            message = f"a relative margin of a mean of 0 is 0, and that of {quoted(names[zero[0]])} is 0"
            raise BenchkitError(message, "give --margin in the metric's unit")
        return self.value * np.abs(mean_b)


def margin_of(options: Sequence[str], metric: str | None) -> Margin:
    """Return the margin for one metric: `METRIC=VALUE` wins over `VALUE`; without any it is 0."""
    general = [text for text in options if "=" not in text]
    own = [text.rpartition("=")[2] for text in options if "=" in text and text.rpartition("=")[0] == metric]
    return parse(own[-1]) if own else parse(general[-1]) if general else Margin(0.0, False)


def parse(text: str) -> Margin:
    """Read "0.02" or "5%"; raise BenchkitError for anything that is not a finite number of 0 or more."""
    relative = text.strip().endswith("%")
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError:
        raise BenchkitError(f"--margin does not understand '{text}'", HINT) from None
    if not 0 <= value < 1e150:
        raise BenchkitError(f"--margin cannot be {text}", HINT)
    return Margin(value / 100 if relative else value, relative)
