"""Algorithms for the tests: some record which rows they are given, others answer in odd ways."""

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

# what the recording algorithms were given, as ("fit" or "predict", ids), in order
SEEN: list[tuple[str, tuple[int, ...]]] = []


def ids(X) -> tuple[int, ...]:
    return tuple(int(value) for value in np.asarray(X)[:, 0])


class Recorder(RegressorMixin, BaseEstimator):
    """Predicts `shift` plus the mean; the first column identifies the rows."""

    def __init__(self, shift=0.0, fails_at=None, random_state=None):
        self.shift, self.fails_at, self.random_state = shift, fails_at, random_state

    def fit(self, X, y, sample_weight=None):
        SEEN.append(("fit", ids(X)))
        if self.fails_at == self.shift:
            raise ArithmeticError(f"cannot do {self.shift}")
        self.mean_, self.weight_ = float(np.mean(y)), sample_weight
        return self

    def predict(self, X):
        SEEN.append(("predict", ids(X)))
        return np.full(len(X), self.mean_ + self.shift)


class ClassRecorder(ClassifierMixin, BaseEstimator):
    """Predicts the commonest class."""

    def __init__(self, knob=0):
        self.knob = knob

    def fit(self, X, y):
        SEEN.append(("fit", ids(X)))
        self.classes_, counts = np.unique(y, return_counts=True)
        self.common_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        SEEN.append(("predict", ids(X)))
        return np.full(len(X), self.common_)


def recording(X_train, y_train, X_test, shift=0.0):
    SEEN.append(("fit", ids(X_train)))
    SEEN.append(("predict", ids(X_test)))
    return np.full(len(X_test), np.mean(y_train) + shift)


class Odd(ClassifierMixin, RegressorMixin, BaseEstimator):
    """Answers with what it was made with: `answer` to predict, `odds` to predict_proba."""

    def __init__(self, answer=None, classes=None, repeat=True):
        self.answer, self.classes, self.repeat = answer, classes, repeat

    def fit(self, X, y):
        self.classes_ = np.unique(y) if self.classes is None else np.array(self.classes)
        return self

    def predict(self, X):
        return np.array([self.answer] * len(X)) if self.repeat else self.answer


class Unsorted(ClassifierMixin, BaseEstimator):
    """Names its classes in descending order, as scikit-learn never does; certain of the first class of all."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)[::-1]
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[-1])

    def predict_proba(self, X):
        return np.tile([0.0] * (len(self.classes_) - 1) + [1.0], (len(X), 1))


class Distances(ClassifierMixin, BaseEstimator):
    """Has a decision function and no probabilities: the first column."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]

    def decision_function(self, X):
        return np.asarray(X, dtype=float)[:, 0]


class Floats(ClassifierMixin, BaseEstimator):
    """Returns floats for whole-number classes, as gradient boosting libraries do, and as a column."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full((len(X), 1), float(self.classes_[0]), dtype=np.float32)


class Broken(BaseEstimator):
    """Raises `error` in fit."""

    def __init__(self, error="ValueError"):
        self.error = error

    def fit(self, X, y):
        raise {
            "ValueError": ValueError("two\n lines"),
            "SystemExit": SystemExit(3),
            "Memory": MemoryError(),
            "Mute": MuteError(),
            "Long": RuntimeError("x" * 2000),
            "Empty": RuntimeError(),
        }[self.error]


class MuteError(Exception):
    def __str__(self):
        raise TypeError("no words")


class Chancy(RegressorMixin, BaseEstimator):
    """Predicts numbers of NumPy's and Python's global generators."""

    def fit(self, X, y):
        import random

        self.value_ = np.random.rand() + random.random()
        return self

    def predict(self, X):
        return np.full(len(X), self.value_)


class Plain:
    """No estimator at all."""


class Weighted(RegressorMixin, BaseEstimator):
    """Predicts the weighted mean, which is NaN without weights."""

    def fit(self, X, y, sample_weight=None):
        self.mean_ = np.nan if sample_weight is None else float(np.average(y, weights=sample_weight))
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


def offered(X_train, y_train, X_test, seed, weights=None, groups=None, X_validation=None, y_validation=None):
    """Predicts a digest of everything that is offered."""
    parts = [seed, weights, groups, X_validation, y_validation]
    OFFERED.append(parts)
    return np.zeros(len(X_test))


OFFERED: list[list[object]] = []


def with_prepared(X_train, y_train, X_test, X_validation=None):
    OFFERED.append([X_train, X_test, X_validation])
    return np.zeros(len(X_test))


def changing(X_train, y_train, X_test, values):
    values.append(len(values))
    X_train.iloc[:, :] = 0
    y_train[:] = 0
    return np.full(len(X_test), float(len(values)))


def answering(X_train, y_train, X_test, kind):
    n = len(X_test)
    known = np.unique(y_train)
    answers = {
        "nothing": lambda: None,
        "generator": lambda: (0.0 for _ in range(n)),
        "text": lambda: "abc",
        "short": lambda: [0.0] * (n - 1),
        "square": lambda: np.zeros((n, 2)),
        "cube": lambda: np.zeros((n, 1, 1)),
        "column": lambda: np.ones((n, 1)),
        "series": lambda: pd.Series(np.ones(n), index=range(n)[::-1]),
        "nan": lambda: [1.0, float("nan"), *[1.0] * (n - 2)],
        "infinite": lambda: [float("-inf")] * n,
        "words": lambda: ["x"] * n,
        "none": lambda: [1.0, None, *[1.0] * (n - 2)],
        "complex": lambda: np.full(n, 1j),
        "masked": lambda: np.ma.masked_array(np.zeros(n), [True, *[False] * (n - 1)]),
        "ragged": lambda: [[1.0], *[[1.0, 2.0]] * (n - 1)],
        "numerals": lambda: ["1"] * n,
        "odds": lambda: np.tile(np.arange(1, len(known) + 1) / sum(range(1, len(known) + 1)), (n, 1)),
        "frame": lambda: pd.DataFrame(np.tile([0.7, 0.2, 0.1], (n, 1)), columns=["c", "a", "b"]),
        "unnormed": lambda: np.full((n, len(known)), 0.9),
        "negative": lambda: np.tile([1.5, -0.5, *[0.0] * (len(known) - 2)], (n, 1)),
        "thirds": lambda: np.full((n, 5), 0.2),
    }
    return answers[kind]()


def exits(X_train, y_train, X_test, code):
    raise SystemExit(code)


def with_anything(X_train, y_train, X_test, **others):
    return np.full(len(X_test), float(sum(others.values())))


NUMBER = 3
