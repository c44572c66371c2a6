"""The metrics that run computes itself, by name: to add one, write its formula and add its line here and in tables/metrics.py."""

from benchkit.registry import Entry
from benchkit.tables.metrics import METRICS

_SUMMARIES = {metric.name: metric.summary for metric in METRICS}

BUILT_IN: tuple[Entry, ...] = tuple(
    Entry(name, _SUMMARIES[name], target=f"benchkit.run.metrics.{target}", needs=needs)
    for name, target, needs in (
        ("mse", "regression:MSE", "prediction"),
        ("rmse", "regression:RMSE", "prediction"),
        ("mae", "regression:MAE", "prediction"),
        ("r2", "regression:R2", "prediction"),
        ("accuracy", "labels:ACCURACY", "prediction"),
        ("error_rate", "labels:ERROR_RATE", "prediction"),
        ("balanced_accuracy", "labels:BALANCED_ACCURACY", "prediction"),
        ("f1", "labels:F1", "prediction"),
        ("log_loss", "probabilities:LOG_LOSS", "probabilities"),
        ("brier", "probabilities:BRIER", "probabilities"),
        ("auc", "ordering:AUC", "scores"),
    )
)
