"""The lists of well-known metrics and resamplings."""

import pytest

from benchkit.tables import metrics, resamplings


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("accuracy", "higher"),
        ("Log-Loss", "lower"),
        ("LOG LOSS", "lower"),
        ("balancedAccuracy", "higher"),
        ("MSE", "lower"),
        ("R2", "higher"),
        ("score", None),
        ("", None),
        ("accuracy2", None),
    ],
)
def test_direction(name: str, better: str | None) -> None:
    assert metrics.direction(name) == better


def test_no_two_metrics_are_the_same_name() -> None:
    names = [metric.name.replace("_", "") for metric in metrics.METRICS]
    assert len(set(names)) == len(names)
    assert all(metrics.direction(metric.name) == metric.better for metric in metrics.METRICS)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bootstrap", "resamples"),
        ("5x2cv", "folds"),
        ("disjoint", "one-test-set"),
        ("predefined", "unknown"),
        ("other", "unknown"),
    ],
)
def test_kind(name: str, kind: str) -> None:
    assert resamplings.kind(name) == kind
