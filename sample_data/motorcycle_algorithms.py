"""The algorithms of motorcycle.toml: an example of how to bring your own to `benchkit run`.

Two forms are shown, both named in the experiment file as "motorcycle_algorithms:NAME":

- `function`: predictions = NAME(X_train, y_train, X_test, **params). X_train and X_test are data frames of the features,
  y_train is an array, and one number per row of X_test comes back. A parameter called seed is given the seed of the
  replicate: draw from it and the results are the same on every machine.
- `estimator`: a class with scikit-learn's interface, here `PrunedTree`.

They are the methods of Eugster & Leisch (2008) as run_motorcycle.R calls them, but for lm, which scikit-learn has. Each
says how close to R it comes: README.md compares the errors on the same 250 samples.
"""

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.interpolate import BSpline
from scipy.linalg import eigh, null_space
from scipy.optimize import brentq, minimize, minimize_scalar
from scipy.special import expit
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.tree import DecisionTreeRegressor

Array = NDArray[np.floating[Any]]


def times(X: pd.DataFrame) -> Array:
    """Return the one feature of the motorcycle data, milliseconds after the impact."""
    return X["times"].to_numpy(dtype=float)


# --- nls: a sine wave --------------------------------------------------------------------------------------------------


def sine(
    X_train: pd.DataFrame, y_train: Array, X_test: pd.DataFrame, starts: Sequence[float] = (0.2, 0.15, 0.25, 0.1, 0.3)
) -> Array:
    """Predict with the least-squares wave a sin(w t) + b cos(w t); the first start for w that converges counts.

    Variable projection (Golub & Pereyra 1973): a and b are linear, so only w is searched. Brent's method goes down into
    the nearest valley, where the Gauss-Newton steps of R's nls(algorithm = "plinear") may leap into another or give up,
    and it ends closer to the bottom. A fit that raises an exception is no end of a benchmark: its cell is failed.
    """
    t = times(X_train)

    def wave(w: float, t: Array) -> Array:
        return np.column_stack([np.sin(w * t), np.cos(w * t)])

    def amplitudes(w: float) -> Array:
        return np.linalg.lstsq(wave(w, t), y_train)[0]

    def squares(w: float) -> float:
        return float(np.sum((y_train - wave(w, t) @ amplitudes(w)) ** 2))

    for start in starts:
        valley = minimize_scalar(squares, bracket=(start, start + 1e-4))
        if valley.success:
            return wave(valley.x, times(X_test)) @ amplitudes(valley.x)
    raise ValueError(f"the sine wave does not converge from any of the starts {list(starts)}")


# --- nnet: a neural network --------------------------------------------------------------------------------------------


def network(X_train: pd.DataFrame, y_train: Array, X_test: pd.DataFrame, seed: int, size: int = 10, maxit: int = 100) -> Array:
    """Predict with one layer of logistic units and a linear output, fitted by quasi-Newton steps from a random start.

    The input is not scaled and the steps are few, so that many fits end in a poor local minimum: the benchmark is to show
    that. R's nnet takes plain BFGS steps from other random starts, so that only the distribution of the errors is alike.
    """
    t = times(X_train)

    def output(weights: Array, t: Array) -> tuple[Array, Array]:
        bias, slope, height = weights[:-1].reshape(3, size)
        hidden = expit(bias + np.multiply.outer(t, slope))
        return hidden, hidden @ height + weights[-1]

    def loss(weights: Array) -> tuple[float, Array]:
        hidden, predicted = output(weights, t)
        error = predicted - y_train
        passed_back = np.multiply.outer(error, weights[2 * size : 3 * size]) * hidden * (1 - hidden)
        gradient = [passed_back.sum(axis=0), t @ passed_back, error @ hidden, [error.sum()]]
        return float(error @ error), 2 * np.concatenate(gradient)

    start = np.random.default_rng(seed).uniform(-0.7, 0.7, 3 * size + 1)
    weights = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": maxit}).x
    return output(weights, times(X_test))[1]


# --- rpart: a regression tree ------------------------------------------------------------------------------------------


class PrunedTree(RegressorMixin, BaseEstimator):
    """A regression tree pruned as R's rpart does: a split must lower the squared error by cp of that at the root.

    scikit-learn's ccp_alpha is absolute, so it is known only when y is. It grows on -X because a value that equals a
    threshold goes left there and right in rpart. Most trees are those of rpart, digit by digit; in the others a value lies
    so near a threshold that single precision, in which scikit-learn holds features, sends it to the other side, or two
    splits are equally good.
    """

    def __init__(self, minsplit: int = 20, minbucket: int = 7, cp: float = 0.01, random_state: int | None = None) -> None:
        self.minsplit = minsplit
        self.minbucket = minbucket
        self.cp = cp
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Grow and prune the tree."""
        self.tree_ = DecisionTreeRegressor(
            min_samples_split=self.minsplit,
            min_samples_leaf=self.minbucket,
            ccp_alpha=self.cp * np.var(np.asarray(y)),
            random_state=self.random_state,
        ).fit(-X, y)
        return self

    def predict(self, X: Any) -> Array:
        """Return the mean of the leaf of each row."""
        return self.tree_.predict(-X)


# --- loess: local regression -------------------------------------------------------------------------------------------


def loess(X_train: pd.DataFrame, y_train: Array, X_test: pd.DataFrame, span: float = 0.2, degree: int = 2) -> Array:
    """Predict with a polynomial fitted around each test row to the nearest share `span` of the training rows.

    The weights are tricube in the distance (Cleveland 1979), a row drawn twice counts twice, and where too few distinct
    rows are near, the pseudo-inverse takes the smallest of the fits that are equally good. As R's loess(surface =
    "direct"), to rounding; the default surface of R interpolates instead.
    """
    offset = times(X_train) - times(X_test)[:, np.newaxis]
    distance = np.abs(offset)
    nearest = min(int(len(y_train) * span + 1e-5), len(y_train)) - 1
    reach = np.maximum(np.partition(distance, nearest, axis=1)[:, [nearest]], 1e-9)  # not 0 where one row was drawn often
    weight = np.sqrt(np.clip(1 - (distance / reach) ** 3, 0, None) ** 3)  # the root: it multiplies both sides
    design = weight[..., np.newaxis] * offset[..., np.newaxis] ** np.arange(degree + 1)
    lengths = np.maximum(np.linalg.norm(design, axis=1, keepdims=True), np.finfo(float).tiny)
    coefficients = np.linalg.pinv(design / lengths, rtol=100 * np.finfo(float).eps) @ (weight * y_train)[..., np.newaxis]
    return coefficients[:, 0, 0] / lengths[:, 0, 0]


# --- gam and gamboost: penalised splines -------------------------------------------------------------------------------


class PenalisedBasis:
    """A basis B with a penalty K, diagonalised once, so that the fit for any strength of the penalty is a product.

    Demmler & Reinsch (1975): V'(B'B + cK)V = 1 and V'B'BV = diag(share), where c makes the two terms equally large. With
    the penalty lK and gain = 1 / (share + (1 - share) l / c), the coefficients are V diag(gain) V'B'y, and share * gain
    are the eigenvalues of the smoother.
    """

    def __init__(self, basis: Array, penalty: Array) -> None:
        self.basis = basis
        gram = basis.T @ basis
        share, self.vectors = eigh(gram, gram + penalty * (np.trace(gram) / np.trace(penalty)))
        self.share = np.clip(share, 0, 1)

    def gain(self, log_strength: float) -> Array:
        """Return the gain of each direction; the strength is given as log(l / c)."""
        return 1 / (self.share + (1 - self.share) * np.exp(log_strength))

    def coefficients(self, gain: Array, y: Array) -> Array:
        """Return the coefficients of the fit to y."""
        return self.vectors @ (gain * (self.vectors.T @ (self.basis.T @ y)))


def gam(X_train: pd.DataFrame, y_train: Array, X_test: pd.DataFrame, k: int = 10) -> Array:
    """Predict with a thin plate regression spline of k dimensions, its penalty chosen by generalised cross-validation.

    Wood (2003): of all radial functions |x - knot|^3 the k largest eigenvectors stay, without those that a straight line
    holds. As mgcv's gam with s(times), to 6 digits; but the penalty is the best of a grid, then refined, where mgcv goes
    down from one start and may end in another minimum.
    """
    knots = np.unique(times(X_train))
    unit = np.ptp(knots)

    def radial(t: Array) -> Array:
        return np.abs((t[:, np.newaxis] - knots) / unit) ** 3

    values, vectors = eigh(radial(knots))
    largest = np.argsort(-np.abs(values))[:k]
    straight = np.column_stack([np.ones_like(knots), (knots - knots.mean()) / unit])
    wiggly = vectors[:, largest] @ null_space(straight.T @ vectors[:, largest])
    penalty = np.zeros((k, k))
    penalty[2:, 2:] = wiggly.T @ radial(knots) @ wiggly

    def basis(t: Array) -> Array:
        return np.column_stack([np.ones_like(t), (t - knots.mean()) / unit, radial(t) @ wiggly])

    spline = PenalisedBasis(basis(times(X_train)), penalty)

    def cross_validation(log_strength: float) -> float:
        gain = spline.gain(log_strength)
        residuals = y_train - spline.basis @ spline.coefficients(gain, y_train)
        return float(residuals @ residuals / (len(y_train) - np.sum(spline.share * gain)) ** 2)

    return basis(times(X_test)) @ spline.coefficients(spline.gain(lowest(cross_validation)), y_train)


def lowest(function: Callable[[float], float], low: float = -25, high: float = 25) -> float:
    """Return where the function is lowest: on a grid of steps of 1, then between the neighbours of the best."""
    grid = np.arange(low, high + 1)
    best = grid[np.argmin([function(point) for point in grid])]
    return float(minimize_scalar(function, bounds=(best - 1, best + 1), method="bounded", options={"xatol": 1e-6}).x)


def gamboost(
    X_train: pd.DataFrame,
    y_train: Array,
    X_test: pd.DataFrame,
    mstop: int = 1000,
    nu: float = 0.1,
    df: float = 4,
    knots: int = 20,
) -> Array:
    """Predict with a boosted cubic P-spline: mstop times, the share nu of a stiff spline of the residuals is added.

    With one feature there is one component to choose, and the mstop steps are a geometric series in the eigenvalues of the
    smoother (Bühlmann & Yu 2003), so that none is taken. As mboost's gamboost, to 7 digits: equidistant knots, penalty on second
    differences, df = trace(2S - S'S), straight lines beyond the training rows.
    """
    low, high = np.min(times(X_train)), np.max(times(X_train))
    inner = np.linspace(low, high, knots + 2)
    beyond = (high - low) / (knots + 1) * np.arange(1, 4)
    mesh = np.concatenate([low - beyond[::-1], inner, high + beyond])
    differences = np.diff(np.eye(len(mesh) - 4), n=2, axis=0)
    spline = PenalisedBasis(BSpline.design_matrix(times(X_train), mesh, 3).toarray(), differences.T @ differences)

    def excess(log_strength: float) -> float:
        smoother = spline.share * spline.gain(log_strength)
        return float(np.sum(2 * smoother - smoother**2) - df)

    gain = spline.gain(brentq(excess, -30, 30))
    left_over = 1 - nu * spline.share * gain
    boosted = gain * nu * np.sum(left_over[:, np.newaxis] ** np.arange(mstop), axis=1)
    curve = BSpline(mesh, spline.coefficients(boosted, y_train - np.mean(y_train)), 3)
    inside = np.clip(times(X_test), low, high)
    return np.mean(y_train) + curve(inside) + curve.derivative()(inside) * (times(X_test) - inside)
