"""From a finding to its tidy tables, turned back to the metric's own direction."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from benchkit.core.effects import effects
from benchkit.core.experiment import Experiment
from benchkit.core.finding import Finding
from benchkit.methods.order.letters import compact_letters
from benchkit.methods.records import Answer, Floats
from benchkit.methods.t_quantile import upper_t
from benchkit.tables import shapes


def answer_tables(finding: Finding) -> dict[str, pl.DataFrame]:
    """Return the four tables of `test` for one experiment."""
    return {
        "pairs": pairs_table(finding),
        "overall": _overall(finding),
        "means": _means(finding),
        "components": _components(finding),
    }


def _keyed(finding: Finding, columns: Mapping[str, object]) -> dict[str, object]:
    one = finding.experiment
    return {"metric": one.metric, "dataset": one.dataset, "method": finding.answer.method, **columns}


def _turned(experiment: Experiment, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Turn an oriented interval back to the metric's direction."""
    return (low, high) if experiment.sign > 0 else (-high, -low)


def _shown(experiment: Experiment, values: Floats) -> Floats:
    """Return numbers in the metric's direction as they are shown: differences of logarithms as ratios."""
    if experiment.transform != "log":
        return values + 0.0  # turns -0.0 into 0.0
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.exp(values), dtype=np.float64)


def pairs_table(finding: Finding) -> pl.DataFrame:
    """Return the pairs table: estimate is a minus b in the metric's own unit; the verdict is about a."""
    one, answer, verdicts = finding.experiment, finding.answer, finding.verdicts
    pairs, sign = answer.pairs, one.sign
    first, second = finding.blocks.contrasts.T
    low, high = _turned(one, verdicts.low, verdicts.high)
    effect, effect_low, effect_high = effects(finding)
    new_low, new_high = new_data_interval(finding)
    columns = {
        "adjust": answer.adjust,
        "better": one.better,
        "a": [one.algorithms[j] for j in first],
        "b": [one.algorithms[j] for j in second],
        "n": pairs.n,
        "mean_a": _shown(one, sign * pairs.mean_a),
        "mean_b": _shown(one, sign * pairs.mean_b),
        "estimate": _shown(one, sign * pairs.estimate),
        "std_error": pairs.std_error,
        "statistic": _statistic(answer, sign),
        "df": pairs.df,
        "ci_low": _shown(one, low),
        "ci_high": _shown(one, high),
        "ci_level": finding.level,
        "ci_kind": None if np.isnan(verdicts.low).all() else answer.ci_kind,
        "margin": np.where(finding.margin > 0, _shown(one, finding.margin), 0.0),
        "p_value": pairs.p_value,
        "p_adjusted": verdicts.p_adjusted,
        "p_equivalence": verdicts.p_equivalence,
        "noninferior": verdicts.noninferior,
        "family_size": finding.family,
        "effect_name": finding.effect,
        "effect": effect,
        "effect_low": effect_low,
        "effect_high": effect_high,
        "detectable": _shown(one, verdicts.detectable),
        "new_data_low": _shown(one, new_low),
        "new_data_high": _shown(one, new_high),
        "verdict": verdicts.verdict,
        **_arrangement(one, len(first)),
        **answer.own,
        **_posterior(answer),
    }
    return shapes.build(shapes.PAIRS, _keyed(finding, columns)).with_columns(pl.col(pl.Float64).fill_nan(None))


def _arrangement(experiment: Experiment, pairs: int) -> dict[str, list[str]]:
    """Return the columns that say on what scale the numbers are, none for the metric's own."""
    said = {"scale": experiment.scale, "transform": experiment.transform}
    return {name: [word] * pairs for name, word in said.items() if word != "none"}


def _posterior(answer: Answer) -> dict[str, Floats]:
    """Return the columns of a posterior, none without one."""
    if answer.posterior is None:
        return {}
    names = ("posterior_better", "posterior_equivalent", "posterior_worse")
    return dict(zip(names, answer.posterior.T, strict=True))


def _statistic(answer: Answer, sign: float) -> Floats:
    """Return the statistic in the metric's direction."""
    if answer.turned is not None:
        return answer.pairs.statistic if sign > 0 else answer.turned
    return sign * answer.pairs.statistic + 0.0


def new_data_interval(finding: Finding) -> tuple[Floats, Floats]:
    """Return the interval that also covers new data, in the metric's direction; NaN where sizes are unknown.

    estimate +/- t(1 - alpha/(2m), B - 1) sd(d_ab) sqrt(1/B + mean n_test/mean n_train): Nadeau & Bengio 2003 with
    Bonferroni over the family; B and sd are those of the replicates that have both algorithms.
    """
    one, pairs = finding.experiment, finding.answer.pairs
    nothing = np.full(pairs.n.shape, np.nan)
    elsewhere = one.resampling_kind == "one-test-set" or one.resampling == "bootstrap-632"  # other variances than it knows
    if one.sizes is None or one.block in ("data set", "item") or elsewhere or one.sizes[0] <= 0:
        return nothing, nothing
    a, b = finding.blocks.contrasts.T
    differences = finding.blocks.values[:, a] - finding.blocks.values[:, b]
    n = pairs.n
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        centred = differences - np.nansum(differences, axis=0) / np.maximum(n, 1)
        sd = np.sqrt(np.nansum(centred**2, axis=0) / (n - 1))
        quantile = upper_t(np.maximum(n - 1, 1), (1 - finding.level) / (2 * finding.family))
        half = np.where(n > 1, quantile * sd * finding.unit * np.sqrt(1 / n + one.sizes[1] / one.sizes[0]), np.nan)
        return _turned(one, pairs.estimate - half, pairs.estimate + half)


def _overall(finding: Finding) -> pl.DataFrame:
    overall, one = finding.answer.overall, finding.experiment
    left_out = sum(remark.numbers.get("left_out", 0.0) for remark in finding.answer.remarks)
    columns: dict[str, object] = {
        "n_replicates": (int((~np.isnan(one.values)).any(axis=1).sum()) if one.missing else len(one.values)) - int(left_out),
        "n_algorithms": len(one.algorithms),
    }
    if overall is not None:
        numbers = {name: getattr(overall, name) for name in ("statistic", "df1", "df2", "p_value")}
        numbers |= finding.answer.overall_own
        columns |= {name: None if np.isnan(number) else number for name, number in numbers.items()}
    return shapes.build(shapes.OVERALL, [_keyed(finding, columns)])


def _means(finding: Finding) -> pl.DataFrame:
    """Return the means with per-mean t intervals (not simultaneous), best first, and the letters of the verdicts."""
    one, means = finding.experiment, finding.answer.means
    if means is None:
        return shapes.empty(shapes.MEANS)
    order = np.lexsort((np.arange(len(means.estimate)), means.estimate))
    with np.errstate(invalid="ignore", over="ignore"):  # beyond the largest double an interval has no end
        half = upper_t(np.where(np.isnan(means.df), np.inf, means.df), (1 - finding.level) / 2) * means.std_error
        low, high = _turned(one, means.estimate - half, means.estimate + half)
    columns = {
        "algorithm": [one.algorithms[j] for j in order],
        "n": means.n[order],
        "estimate": _shown(one, one.sign * means.estimate[order]),
        "std_error": means.std_error[order],
        "df": means.df[order],
        "ci_low": _shown(one, low[order]),
        "ci_high": _shown(one, high[order]),
        "ci_level": finding.level,
        "letters": _letters(finding, order.tolist()),
    }
    return shapes.build(shapes.MEANS, _keyed(finding, columns)).with_columns(pl.col(pl.Float64).fill_nan(None))


def _letters(finding: Finding, order: list[int]) -> list[str] | list[None]:
    """Return compact letters in the order given; none when only pairs with a baseline were tested."""
    if finding.blocks.many_to_one and len(order) > 2:
        return [None] * len(order)
    tied = np.zeros((len(order), len(order)), dtype=bool)
    for (a, b), verdict in zip(finding.blocks.contrasts.tolist(), finding.verdicts.verdict, strict=True):
        tied[a, b] = tied[b, a] = verdict not in ("better", "worse")
    return compact_letters(tied[np.ix_(order, order)])


def _components(finding: Finding) -> pl.DataFrame:
    components = finding.answer.components
    if not components:
        return shapes.empty(shapes.COMPONENTS)
    columns = {
        "component": list(components),
        "variance": list(components.values()),
        "sd": np.sqrt(list(components.values())),
    }
    return shapes.build(shapes.COMPONENTS, _keyed(finding, columns))
