"""Search over parameters inside the training rows: the inner half of nested cross-validation."""

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from benchkit.run.algorithms.fit import Fit, FitFailed
from benchkit.run.fitting import fit_algorithm, judge, measured, needs, said
from benchkit.run.metrics.records import Metric, Undefined
from benchkit.run.plan import Range, ResamplingPlan, TunePlan
from benchkit.run.resampling.rolling import rolling_origin
from benchkit.run.resampling.splits import Index, Rows
from benchkit.run.seeds import generator_for

Params = dict[str, Any]


def tuned(fit: Fit, metric: Metric) -> Params:
    """Return the parameters of the search that did best in the inner resampling; of equal ones the first.

    Only fit.train is looked at, and fit.validation where the plan says so or where the algorithm asks for it. A candidate
    of which a fit fails is out; FitFailed if all are.
    """
    plan = fit.algorithm.tune
    assert plan is not None
    parts = list(inner_splits(fit, plan))
    best, chosen, reason = math.inf, None, ""
    sign = 1.0 if metric.better == "lower" else -1.0
    for params in candidates(plan, fit.seed):
        try:
            loss = sign * _performance(fit, params, parts, metric)
        except (Exception, SystemExit) as error:  # code of others may raise anything
            reason = reason or said(error)
            continue
        if loss < best or chosen is None:
            best, chosen = loss, params
    if chosen is None:
        raise FitFailed(f"no candidate of the search could be fitted: {reason}")
    return chosen


def candidates(plan: TunePlan, seed: int) -> Iterator[Params]:
    """Yield the combinations of a grid in the order of the file, or the draws of a random search."""
    if plan.search == "grid":
        lists = [value for value in plan.space.values() if isinstance(value, tuple)]
        yield from (dict(zip(plan.space, combination, strict=True)) for combination in itertools.product(*lists))
        return
    generator = generator_for(seed, "search")
    for _ in range(plan.draws or 1):
        yield {name: _drawn(values, generator) for name, values in plan.space.items()}


def _drawn(values: tuple[Any, ...] | Range, generator: np.random.Generator) -> Any:
    if not isinstance(values, Range):
        return values[int(generator.integers(len(values)))]
    low, high = values.low, values.high
    if isinstance(low, int) and isinstance(high, int) and not values.log:
        return int(generator.integers(low, high, endpoint=True))
    if not values.log:
        return float(generator.uniform(low, high))
    drawn = math.exp(generator.uniform(math.log(low), math.log(high)))
    return min(max(round(drawn), low), high) if isinstance(low, int) and isinstance(high, int) else drawn


def inner_splits(fit: Fit, plan: TunePlan) -> Iterator[tuple[Index, Index]]:
    """Yield (train, test) row numbers of the inner resampling.

    With validation rows: one split. With a time column: forward in time. Else folds, stratified by class; all copies of
    a row that a bootstrap drew, and all rows of a group, stay in one fold, else the search would be tested on what it
    was fitted on.
    """
    if plan.inner == "validation" and fit.validation is not None:
        yield fit.train, fit.validation
        return
    rows = fit.dataset.rows
    if rows.times is not None:
        inside = Rows(where="the training sample", n=len(fit.train), times=rows.times[fit.train])
        forward = rolling_origin(inside, ResamplingPlan("rolling-origin", folds=plan.folds), fit.seed)
        for place in range(len(forward.names)):
            split = forward.draw(place)
            yield fit.train[split.train], fit.train[split.test]
        return
    fold = _folds(fit, plan.folds)
    for number in range(int(fold.max()) + 1):
        yield fit.train[fold != number], fit.train[fold == number]


def _folds(fit: Fit, folds: int) -> Index:
    """Return the inner fold of each training row."""
    rows = fit.dataset.rows
    units, first, unit_of = np.unique(
        fit.train if rows.groups is None else rows.groups[fit.train], return_index=True, return_inverse=True
    )
    if len(units) < 2:
        raise FitFailed("has too few distinct training rows for an inner resampling")
    order = generator_for(fit.seed, "inner").permutation(len(units))
    if rows.classes is not None and rows.groups is None:
        # dealt out class by class, so that each fold gets its share of each class
        order = order[np.argsort(rows.classes[fit.train[first[order]]], kind="stable")]
    fold = np.empty(len(units), dtype=np.int64)
    fold[order] = np.arange(len(units)) % min(folds, len(units))
    return fold[unit_of]


def _performance(fit: Fit, params: Mapping[str, Any], parts: list[tuple[Index, Index]], metric: Metric) -> float:
    """Return the mean performance of one candidate over the inner splits in which the metric is defined."""
    values, reason = [], ""
    for train, test in parts:
        inner = replace(
            fit,
            train=train,
            test=test,
            params={**fit.params, **params},
            needs=needs((metric,)),
            wants_scores=False,
            keep_train=False,
            keep_votes=False,
        )
        predicted = fit_algorithm(inner).test
        try:
            values.append(measured(metric, judge(inner, test, predicted)))
        except Undefined as undefined:
            reason = str(undefined)
    if not values:
        raise FitFailed(reason)
    return float(np.mean(values))
