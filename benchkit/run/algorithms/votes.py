"""The votes of the members of a fitted voting ensemble."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchkit.run.algorithms.fit import FitFailed
from benchkit.run.dataset import Dataset


def votes(dataset: Dataset, fitted: Any, features: Any) -> NDArray[np.uint8] | None:
    """Return rows x members, 1 where a member predicts the positive class; None if it is no voting ensemble.

    Voting ensembles are scikit-learn's forests, BaggingClassifier and VotingClassifier, alone or as the last step of a
    pipeline. Their members were fitted on the numbers of the classes, so they answer with numbers, too.
    """
    from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier, VotingClassifier

    while hasattr(fitted, "steps"):
        features = fitted[:-1].transform(features) if len(fitted.steps) > 1 else features
        fitted = fitted.steps[-1][1]
    if dataset.positive is None:
        return None
    if isinstance(fitted, VotingClassifier):
        members = [(member, features) for member in fitted.estimators_]
    elif isinstance(fitted, BaggingClassifier):
        values = np.asarray(features)  # each member may see some of the features only
        members = [(m, values[:, columns]) for m, columns in zip(fitted.estimators_, fitted.estimators_features_, strict=True)]
    elif isinstance(fitted, RandomForestClassifier | ExtraTreesClassifier):
        values = np.asarray(features)
        members = [(member, values) for member in fitted.estimators_]
    else:
        return None
    positive = np.flatnonzero(np.asarray(fitted.classes_) == dataset.positive)
    # without a positive training row nobody votes for that class
    number = int(positive[0]) if len(positive) else -1
    columns = [np.asarray(member.predict(given)) == number for member, given in members]
    if any(column.shape != (len(features),) for column in columns):
        raise FitFailed("a member gave no single vote for each row")
    return np.column_stack(columns).astype(np.uint8)
