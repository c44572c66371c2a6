"""Arrays to numbers: the methods by role, as lists that load nothing; each folder holds its own."""

from benchkit.methods.adjustment import ADJUSTMENTS
from benchkit.methods.comparison import COMPARISONS
from benchkit.methods.effect import EFFECTS
from benchkit.methods.order import MECHANISMS

__all__ = ["ADJUSTMENTS", "COMPARISONS", "EFFECTS", "MECHANISMS"]
