"""What an algorithm is given for one fit, and what it gives back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchkit.run.dataset import Dataset, Values
from benchkit.run.plan import AlgorithmPlan
from benchkit.run.resampling.splits import Index


class FitFailed(Exception):  # noqa: N818 - a finding, not a mistake
    """The algorithm did not do what it should; the text says why, in one line."""


@dataclass(frozen=True, eq=False)
class Fit:
    """One fit: which rows it may learn from and which it has to predict.

    train: row numbers with repetition. validation: rows of a three-way holdout, or None. params: all parameters, tuned
    ones included. needs: what the metrics ask for beyond predictions: probabilities, scores. wants_scores: give scores where
    there are any. keep_train: predict the training rows, too. keep_votes: give the members' votes.
    """

    dataset: Dataset
    algorithm: AlgorithmPlan
    replicate: str
    train: Index
    test: Index
    validation: Index | None
    params: Mapping[str, Any]
    seed: int
    needs: frozenset[str]
    wants_scores: bool = False
    keep_train: bool = False
    keep_votes: bool = False

    def features(self, index: Index) -> pd.DataFrame:
        """Return the features of some rows, numbered anew."""
        return self.dataset.rows_of(index)

    def target(self, index: Index) -> Values:
        """Return the target of some rows."""
        return self.dataset.target[index]

    def weights(self, index: Index) -> NDArray[np.float64] | None:
        """Return the case weights of some rows, None without weights."""
        return None if self.dataset.weights is None else self.dataset.weights[index]


@dataclass(frozen=True, eq=False)
class Predicted:
    """Predictions for some rows: values, and for classification perhaps probabilities (n x K) and scores (n)."""

    prediction: Values
    probabilities: NDArray[np.float64] | None = None
    scores: NDArray[np.float64] | None = None


@dataclass(frozen=True, eq=False)
class Fitted:
    """What a fit gave: predictions of the test rows, perhaps of the training rows, seconds (None if not measured), votes.

    votes: n_test x members, 1 where a member votes for the positive class.
    """

    test: Predicted
    train: Predicted | None
    fit_seconds: float
    predict_seconds: float | None
    votes: NDArray[np.uint8] | None = None
