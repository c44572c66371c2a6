"""The names that a column `resampling` may hold, and what they say about the dependence of the replicates."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["resamples", "folds", "independent", "unknown"]


@dataclass(frozen=True)
class Resampling:
    """A way to make replicates.

    kind: resamples (independent draws of one data set), folds (parts of one data set, dependent because their training
    sets overlap), independent (each replicate trained on rows of its own) or unknown.
    """

    name: str
    summary: str
    kind: Kind


RESAMPLINGS: tuple[Resampling, ...] = (
    Resampling("bootstrap", "drawn with replacement, tested on what was never drawn", "resamples"),
    Resampling("subsampling", "a random share of the rows tested by what the others trained, many times", "resamples"),
    Resampling("holdout", "one random split into training and test rows, or training, validation and test rows", "resamples"),
    Resampling("kfold", "k parts, each tested once by what the others trained", "folds"),
    Resampling("repeated-kfold", "k-fold cross-validation, repeated with new random parts", "folds"),
    Resampling("loo", "every row tested once by what all other rows trained", "folds"),
    Resampling("group-kfold", "k parts that keep the rows of a group together", "folds"),
    Resampling("leave-one-group-out", "every group tested once by what all other groups trained", "folds"),
    Resampling("5x2cv", "two-fold cross-validation, five times", "folds"),
    Resampling("disjoint", "training sets that share no row, all tested on the same rows", "independent"),
    Resampling("rolling-origin", "trained on the past, tested on what follows, the origin moving on", "folds"),
    Resampling("predefined", "splits or samples that came with the data", "unknown"),
)

_KINDS: dict[str, Kind] = {resampling.name: resampling.kind for resampling in RESAMPLINGS}


def kind(name: str) -> Kind:
    """Return how the replicates of a resampling depend on one another; unknown for a name that is not listed."""
    return _KINDS.get(name, "unknown")
