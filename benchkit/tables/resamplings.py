"""The names that a column `resampling` may hold, and what they say about the dependence of the replicates."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["resamples", "folds", "one-test-set", "unknown"]


@dataclass(frozen=True)
class Resampling:
    """A way to make replicates.

    kind: resamples (independent draws of one data set), folds (parts of one data set, dependent because their training
    sets overlap), one-test-set (independent training sets, all tested on the same rows) or unknown.
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
    Resampling("disjoint", "training sets that share no row, all tested on the same rows", "one-test-set"),
    Resampling("rolling-origin", "trained on the past, tested on what follows, the origin moving on", "folds"),
    Resampling("predefined", "splits or samples that came with the data", "unknown"),
    Resampling("predefined-folds", "parts that came with the data, each tested once (what run calls them)", "folds"),
    Resampling("predefined-samples", "samples that came with the data, tested on what they left out", "resamples"),
    Resampling("bootstrap-632", "bootstrap, each performance .368 apparent + .632 out-of-bootstrap", "resamples"),
)

_KINDS: dict[str, Kind] = {resampling.name: resampling.kind for resampling in RESAMPLINGS}


def kind(name: str) -> Kind:
    """Return how the replicates of a resampling depend on one another; unknown for a name that is not listed."""
    return _KINDS.get(name, "unknown")
