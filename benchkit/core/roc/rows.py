"""The rows of the tables of `roc`."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from benchkit.core.roc.analysis import Analysed
from benchkit.core.roc.comparison import Compared
from benchkit.core.roc.intervals import Interval, counting, interval, of_numbers
from benchkit.core.roc.request import RocRequest
from benchkit.methods.curve.questions import Asked, Parts
from benchkit.methods.records import Floats
from benchkit.tables import shapes


def _keys(one: Analysed, request: RocRequest) -> dict[str, object]:
    """Return what begins the rows of an ensemble."""
    if one.ensemble.members is not None:
        return {"method": "joint-bootstrap", "ensemble": one.ensemble.name, "voters_used": one.curve.voters_used}
    method = "delong" if one.ensemble.scores is not None else request.variance
    size = None if one.ensemble.scores is not None else one.curve.voters_used
    return {"method": method, "ensemble": one.ensemble.name, "voters_used": size}


def tables(
    analysed: Sequence[Analysed], compared: Sequence[tuple[list[Analysed], Compared]], request: RocRequest
) -> dict[str, pl.DataFrame]:
    """Return the tables ensembles, points, marks and pairs."""
    return {
        "ensembles": shapes.build(shapes.ENSEMBLES, [ensemble(one, request) for one in analysed]),
        "points": stacked(shapes.POINTS, [points(one, request) for one in analysed]),
        "marks": shapes.build(shapes.MARKS, [row for one in analysed for row in marks(one, request)]),
        "pairs": stacked(shapes.PAIRS, [pairs(found, group, request) for group, found in compared]),
    }


def ensemble(one: Analysed, request: RocRequest) -> dict[str, object]:
    """Return the row of the table ensembles."""
    found = of_numbers(one, request)[0]
    negative, positive = one.ensemble.counts.items.astype(int).tolist()
    return {
        **_keys(one, request),
        "n_voters": one.ensemble.members if one.ensemble.scores is not None else one.ensemble.counts.voters,
        "n_negative": negative,
        "n_positive": positive,
        "target": one.asked.target,
        "vary": one.asked.vary,
        "auc": one.area.value,
        **certainty(found, request.level),
        **shares(one.asked, one.area.parts),
        "band_critical": None if one.band is None else known(one.band.critical),
    }


def certainty(found: Interval, level: float) -> dict[str, object]:
    """Return the columns of a number's standard deviation and interval."""
    return {"std_error": known(found.sd), "ci_low": known(found.low), "ci_high": known(found.high), "ci_level": level}


def shares(asked: Asked, parts: Parts) -> dict[str, object]:
    """Return the columns that say where a variance comes from, and what would help most."""
    share = _share(asked, parts)
    if share is None:
        return dict.fromkeys(("share_voters", "share_items", "advice"))
    return {"share_voters": share, "share_items": 1 - share, "advice": "more voters" if share > 0.5 else "more items"}


def _share(asked: Asked, parts: Parts) -> float | None:
    """Return the voters' share of a variance; None where only one of the two varies."""
    return known(parts.share_of_voters) if asked.vary == "both" else None


def known(value: Floats | float) -> float | None:
    """Return a number, None for NaN."""
    return None if np.isnan(value) else float(value)


def points(one: Analysed, request: RocRequest) -> pl.DataFrame:
    """Return a row for each threshold; what was not computed at a threshold is null."""
    size = one.curve.rates.shape[1]
    columns: dict[str, Floats | list[object]] = {
        "threshold": one.curve.thresholds.astype(np.float64) if one.ensemble.scores is None else _thresholds(one),
        "fpr": one.curve.rates[0],
        "tpr": one.curve.rates[1],
    }
    rates = one.curve.rates[:, one.chosen]
    for c, name in enumerate(("fpr", "tpr")):
        for column, values in _of_class(one.parts[c], rates[c], one.ensemble.counts.items[c], name, one, request.level).items():
            columns[column] = _spread_out(values, one.chosen, size)
    if one.band is not None:
        inside = one.chosen[one.band.inside]
        for side, line in (("upper", one.band.upper), ("lower", one.band.lower)):
            for c, name in enumerate(("fpr", "tpr")):
                columns[f"{side}_{name}"] = _spread_out(line[c], inside, size)
    keys = {name: [value] * size for name, value in _keys(one, request).items()}
    level = [request.level] * size
    table = shapes.build(shapes.POINTS, {**keys, **columns, "ci_level": level}).with_columns(pl.col(pl.Float64).fill_nan(None))
    # of many scores only the points that were looked at
    return table if one.ensemble.scores is None else table[one.chosen.tolist()]


def _thresholds(one: Analysed) -> Floats:
    """Return the scores from which on an item counts as positive: none for (1, 1), where every one does."""
    assert one.ensemble.scores is not None
    return np.concatenate([[-np.inf], one.ensemble.scores])


def _of_class(parts: Parts, rates: Floats, items: float, name: str, one: Analysed, level: float) -> dict[str, Floats]:
    """Return the columns of one rate at the chosen thresholds."""
    sd = np.sqrt(parts.total)
    low, high = interval(rates, sd, level, name == "fpr", counting(one.asked, items))
    # at threshold 0 every item counts as positive, whatever the votes are; only the paper's variance is none the less above 0
    low[0] = high[0] = np.nan if sd[0] > 0 else 1.0
    share = parts.share_of_voters if one.asked.vary == "both" else np.full(sd.shape, np.nan)
    return {f"{name}_sd": sd, f"{name}_low": low, f"{name}_high": high, f"{name}_share_voters": share}


def _spread_out(values: Floats, chosen: np.ndarray, size: int) -> Floats:
    """Return values at their thresholds among all, NaN elsewhere."""
    whole = np.full(size, np.nan)
    whole[chosen] = values
    return whole


def marks(one: Analysed, request: RocRequest) -> list[dict[str, object]]:
    """Return the rows of the chosen places."""
    return [
        {
            **_keys(one, request),
            "characteristic": mark.characteristic,
            "at": mark.at,
            "estimate": found.value,
            **certainty(found, request.level),
            "share_voters": _share(one.asked, number.parts),
        }
        for mark, number, found in zip(request.marks, one.marks, of_numbers(one, request)[1:], strict=True)
    ]


def pairs(compared: Compared, group: list[Analysed], request: RocRequest) -> pl.DataFrame:
    """Return the pairs table of one number, in its own direction."""
    mark = request.marks[compared.number - 1] if compared.number else None
    metric, better = (mark.name, mark.better) if mark else ("auc", "higher")
    return pair_table(compared, metric, better, [_keys(one, request) for one in group], request)


def pair_table(
    compared: Compared, metric: str, better: str, keys: Sequence[Mapping[str, object]], request: RocRequest
) -> pl.DataFrame:
    """Return the pairs table of one number. keys: method, ensemble and voters_used of each ensemble."""
    answer, verdicts = compared.answer, compared.verdicts
    sign = 1.0 if better == "lower" else -1.0
    found = answer.pairs
    low, high = (verdicts.low, verdicts.high) if sign > 0 else (-verdicts.high, -verdicts.low)
    names = [each["ensemble"] for each in keys]
    if len(request.voters_used) > 1:  # so that each pair has one row for each metric
        metric += f" ({keys[0]['voters_used']} voters)"
    a, b = compared.contrasts.T
    size = len(a)
    columns = {
        "metric": [metric] * size,
        "method": [keys[0]["method"]] * size,
        "adjust": [answer.adjust] * size,
        "better": [better] * size,
        "a": [names[j] for j in a],
        "b": [names[j] for j in b],
        "n": found.n,
        "mean_a": sign * found.mean_a + 0.0,
        "mean_b": sign * found.mean_b + 0.0,
        "estimate": sign * found.estimate + 0.0,
        "std_error": found.std_error,
        "statistic": sign * found.statistic + 0.0,
        "ci_low": low + 0.0,
        "ci_high": high + 0.0,
        "ci_level": [request.level] * size,
        "ci_kind": [answer.ci_kind] * size,
        "margin": [request.margin] * size,
        "p_value": found.p_value,
        "p_adjusted": verdicts.p_adjusted,
        "p_equivalence": verdicts.p_equivalence,
        "noninferior": verdicts.noninferior,
        "family_size": [size] * size,
        "detectable": verdicts.detectable,
        "verdict": verdicts.verdict,
        "voters_used": [keys[j]["voters_used"] for j in a],
    }
    return shapes.build(shapes.PAIRS, columns).with_columns(pl.col(pl.Float64).fill_nan(None))


def stacked(shape: shapes.Shape, tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return the tables one below the other; an empty one of that shape if there is none."""
    return pl.concat(tables, how="diagonal") if tables else shapes.empty(shape)
