"""Well-known metric names with their direction and unit: short and unarguable, all others are asked for."""

import re
from dataclasses import dataclass
from typing import Literal

Better = Literal["lower", "higher"]


@dataclass(frozen=True)
class Metric:
    """A metric by name: which direction is better, its unit ("" for none, or for that of the data) and what it measures."""

    name: str
    better: Better
    unit: str
    summary: str


METRICS: tuple[Metric, ...] = (
    Metric("accuracy", "higher", "", "share of cases that are classified rightly"),
    Metric("balanced_accuracy", "higher", "", "mean over classes of the share classified rightly"),
    Metric("error_rate", "lower", "", "share of cases that are classified wrongly"),
    Metric("error", "lower", "", "an error of any kind"),
    Metric("misclassification", "lower", "", "share of cases that are classified wrongly"),
    Metric("loss", "lower", "", "a loss of any kind"),
    Metric("log_loss", "lower", "nats", "mean negative log-likelihood of the true class"),
    Metric("cross_entropy", "lower", "nats", "mean negative log-likelihood of the true class"),
    Metric("brier", "lower", "", "mean squared error of predicted probabilities"),
    Metric("brier_score", "lower", "", "mean squared error of predicted probabilities"),
    Metric("auc", "higher", "", "area under the ROC curve"),
    Metric("roc_auc", "higher", "", "area under the ROC curve"),
    Metric("average_precision", "higher", "", "area under the precision-recall curve"),
    Metric("precision", "higher", "", "share of predicted positives that are positive"),
    Metric("recall", "higher", "", "share of positives that are found"),
    Metric("sensitivity", "higher", "", "share of positives that are found"),
    Metric("specificity", "higher", "", "share of negatives that are found"),
    Metric("f1", "higher", "", "harmonic mean of precision and recall"),
    Metric("f1_score", "higher", "", "harmonic mean of precision and recall"),
    Metric("mcc", "higher", "", "correlation of predicted and true class"),
    Metric("kappa", "higher", "", "agreement beyond chance"),
    Metric("mse", "lower", "", "mean squared error"),
    Metric("rmse", "lower", "", "root of the mean squared error"),
    Metric("mae", "lower", "", "mean absolute error"),
    Metric("mape", "lower", "", "mean absolute error relative to the true value"),
    Metric("r2", "higher", "", "share of variance that is explained"),
    Metric("perplexity", "lower", "", "exponential of the mean negative log-likelihood"),
    Metric("bleu", "higher", "", "agreement of a translation with its references"),
    Metric("rouge", "higher", "", "agreement of a summary with its references"),
    Metric("wer", "lower", "", "word error rate"),
    Metric("ndcg", "higher", "", "normalised discounted cumulative gain of a ranking"),
    Metric("time", "lower", "", "time taken"),
    Metric("seconds", "lower", "seconds", "time taken"),
    Metric("runtime", "lower", "", "time taken"),
    Metric("latency", "lower", "", "time until an answer"),
    Metric("fit_seconds", "lower", "seconds", "time to fit"),
    Metric("predict_seconds", "lower", "seconds", "time to predict"),
    Metric("train_time", "lower", "", "time to fit"),
    Metric("test_time", "lower", "", "time to predict"),
    Metric("throughput", "higher", "", "work done in a unit of time"),
)


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]", "", name.casefold())


_BETTER: dict[str, Better] = {_plain(metric.name): metric.better for metric in METRICS}


def direction(name: str) -> Better | None:
    """Return lower or higher for a well-known metric, None for any other; case, blanks, - and _ do not matter."""
    return _BETTER.get(_plain(name))


def unit(name: str) -> str:
    """Return the unit of a well-known metric, "" where it has none or the metric is not known."""
    plain = _plain(name)
    return next((metric.unit for metric in METRICS if _plain(metric.name) == plain), "")
