"""What can be told of a metric from its name, without importing what it may need."""

from collections.abc import Sequence

from benchkit.run.metrics.resolve import built_in
from benchkit.run.plan import MetricPlan, Task
from benchkit.tables.metrics import Better


def direction_of(plan: MetricPlan) -> Better:
    """Return which way is better: as declared, as a built-in metric has it, else higher, as for all scorers."""
    metric = built_in(plan.name) if plan.function is None else None
    return plan.better or (metric.better if metric is not None else "higher")


def task_of(plans: Sequence[MetricPlan]) -> Task | None:
    """Return the task that the built-in metrics are for; None if they are for both, or disagree."""
    metrics = [built_in(plan.name) for plan in plans if plan.function is None]
    tasks = {metric.task for metric in metrics if metric is not None and metric.task is not None}
    return tasks.pop() if len(tasks) == 1 else None
