"""The .632 and .632+ estimates by hand, at their edges, and where a peer leaves the unit interval."""

from math import inf, isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from sklearn.neighbors import KNeighborsClassifier

from benchkit.run.metrics.records import Judged
from benchkit.run.metrics.resolve import built_in
from benchkit.run.optimism import blend, plus

UNIT = some.floats(0, 1)


def test_blend_by_hand() -> None:
    assert blend(0.1, 0.3) == pytest.approx(0.368 * 0.1 + 0.632 * 0.3)
    assert blend(0.1, [0.3, nan, 0.1]) == pytest.approx([0.2264, nan, 0.1], nan_ok=True)
    assert blend([1.0, nan], [2.0, 3.0]) == pytest.approx([1.632, nan], nan_ok=True)


@pytest.mark.parametrize(
    ("apparent", "outside", "chance", "overfitting", "weight", "performance"),
    [
        # R = .2 / .4 = .5, w = .632 / .816, and (1 - w) .1 + w .3
        (0.1, 0.3, 0.5, 0.5, 0.632 / 0.816, 0.1 + 0.2 * 0.632 / 0.816),
        # no overfitting: the .632 estimate
        (0.2, 0.2, 0.5, 0.0, 0.632, 0.2),
        # fully overfitted: the out-of-bootstrap error alone
        (0.0, 0.5, 0.5, 1.0, 1.0, 0.5),
        # worse than chance outside counts as chance
        (0.1, 0.7, 0.5, 1.0, 1.0, 0.5),
        # better outside than inside: R = 0
        (0.3, 0.2, 0.5, 0.0, 0.632, 0.368 * 0.3 + 0.632 * 0.2),
        # apparent = g: R = 0, not a division by zero, and oob' = g
        (0.5, 0.6, 0.5, 0.0, 0.632, 0.5),
        # apparent beyond g
        (0.6, 0.7, 0.5, 0.0, 0.632, 0.368 * 0.6 + 0.632 * 0.5),
        # all equal, as for constant labels
        (0.0, 0.0, 0.0, 0.0, 0.632, 0.0),
    ],
)
def test_plus_by_hand(apparent, outside, chance, overfitting, weight, performance) -> None:
    found = plus(apparent, outside, chance, "lower")
    assert (found.overfitting, found.weight, found.performance) == pytest.approx((overfitting, weight, performance), abs=1e-15)
    assert (found.apparent, found.out_of_bootstrap, found.no_information) == (apparent, outside, chance)
    # as accuracies the same, turned
    turned = plus(1 - apparent, 1 - outside, 1 - chance, "higher")
    assert (turned.overfitting, turned.weight, turned.performance) == pytest.approx(
        (overfitting, weight, 1 - performance), abs=1e-12
    )


@pytest.mark.parametrize("missing", [nan, inf, -inf])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_plus_of_missing_values_is_missing(missing: float, place: int) -> None:
    values = [0.1, 0.2, 0.3]
    values[place] = missing
    for better in ("lower", "higher"):
        found = plus(*values, better)
        assert all(isnan(value) for value in (found.performance, found.overfitting, found.weight))


@given(UNIT, UNIT, UNIT)
def test_plus_stays_between_its_parts(apparent: float, outside: float, chance: float) -> None:
    for better, counted in (("lower", min(outside, chance)), ("higher", max(outside, chance))):
        found = plus(apparent, outside, chance, better)
        assert 0 <= found.overfitting <= 1
        assert 0.632 <= found.weight <= 1
        low, high = sorted((apparent, counted))
        assert low - 1e-15 <= found.performance <= high + 1e-15


@given(UNIT, UNIT, UNIT, some.sampled_from([-8.0, -1.0, 0.5, 4.0]), some.sampled_from([-2.0, 0.0, 1.0]))
def test_plus_follows_linear_functions_of_the_metric(apparent, outside, chance, scale, shift) -> None:
    # on a grid of binary fractions, so that no rounding breaks a tie
    values = [round(value * 64) / 64 for value in (apparent, outside, chance)]
    found = plus(*values, "lower")
    moved = plus(*(scale * value + shift for value in values), "lower" if scale > 0 else "higher")
    assert moved.performance == pytest.approx(scale * found.performance + shift, abs=1e-12)
    assert moved.overfitting == pytest.approx(found.overfitting, abs=1e-12)


def _estimates(labels: np.ndarray, name: str, rng: np.random.Generator, replicates: int) -> tuple[float, list[float]]:
    """The .632+ of 1-nearest-neighbour, and that from each replicate alone."""
    n = len(labels)
    features = rng.normal(size=(n, 3))
    metric = built_in(name)
    known = np.unique(labels)

    def judged(train: np.ndarray, rows: np.ndarray) -> Judged:
        fitted = KNeighborsClassifier(1).fit(features[train], labels[train])
        return Judged(labels[rows], fitted.predict(features[rows]), classes=known)

    whole = judged(np.arange(n), np.arange(n))
    apparent, chance = metric.measure(whole), metric.no_information(whole)
    outside = []
    for _ in range(replicates):
        drawn = rng.integers(0, n, n)
        outside.append(metric.measure(judged(drawn, np.setdiff1d(np.arange(n), drawn))))
    each = [plus(apparent, value, chance, metric.better).performance for value in outside]
    return plus(apparent, float(np.mean(outside)), chance, metric.better).performance, each


def test_one_nearest_neighbour_on_random_labels() -> None:
    # complaint 9: a peer gives accuracies from -0.50 to 0.74 here; apparent accuracy is 1, the truth one half
    rng = np.random.default_rng(9)
    for n in (10, 20, 60):
        for name in ("accuracy", "error_rate"):
            overall, each = _estimates(rng.permutation(np.arange(n) % 2), name, rng, 25)
            assert 0 <= min(each) <= max(each) <= 1
            assert overall == pytest.approx(0.5, abs=0.2)
            if name == "error_rate":
                assert overall <= 0.5 + 1e-12, "never beyond the rate without information"


def test_constant_labels_are_always_right() -> None:
    # complaint 9 again: not NaN
    overall, each = _estimates(np.ones(12, dtype=int), "accuracy", np.random.default_rng(1), 5)
    assert [overall, *each] == [1.0] * 6
