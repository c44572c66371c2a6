"""What a figure of pairs shows of each metric and data set: the pairs, the finding as its title, and its caption."""

from dataclasses import replace

import polars as pl

from benchkit.core.names import counted
from benchkit.core.panels import Panel
from benchkit.core.sentences import margin_text, place
from benchkit.errors import BenchkitError
from benchkit.tables import metrics

POSTERIOR = ("posterior_better", "posterior_equivalent", "posterior_worse")
BAYESIAN = ("bayes-signed-rank", "bayes-sign", "bayes-correlated-t")
SIMPLEX = BAYESIAN[:2]
# what a kind draws of each pair, and what to do where no pair has it
DRAWS = {
    "pvalues": ("p_adjusted", "p-value", "--kind intervals, effects or posterior shows what there is"),
    "effects": ("effect", "effect", "choose another --effect (benchkit list effects)"),
    "posterior": (POSTERIOR[0], "posterior", f"choose --method {', '.join(BAYESIAN[:-1])} or {BAYESIAN[-1]}"),
    "simplex": (POSTERIOR[0], "posterior", f"choose --method {' or '.join(SIMPLEX)}"),
}


def pair_panels(kind: str, pairs: pl.DataFrame, draws: pl.DataFrame | None = None) -> list[Panel]:
    """Return a panel for each (metric, dataset, method) of a pairs table, titled by what was found.

    Intervals have the data as their title. draws: those of the posterior, which go to their panels. Raises BenchkitError
    where no pair of the table has what the kind draws.
    """
    if kind in DRAWS:
        pairs = _with_numbers(kind, pairs)
    parts = pairs.partition_by("metric", "dataset", "method", maintain_order=True) if pairs.height else []
    panels = [_panel(kind, part) for part in parts]
    if draws is None:
        return panels
    return [replace(panel, tables={"draws": _drawn_in(draws, panel), **panel.tables}) for panel in panels]


def _drawn_in(draws: pl.DataFrame, panel: Panel) -> pl.DataFrame:
    """Return the draws of the panel's metric and data set."""
    return draws.filter(pl.col("metric").eq_missing(panel.metric) & pl.col("dataset").eq_missing(panel.dataset))


def _with_numbers(kind: str, pairs: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs with the posterior as numbers, null where absent; BenchkitError if there is nothing to draw."""
    column, what, hint = DRAWS[kind]
    if column in POSTERIOR:
        present = [name for name in POSTERIOR if name in pairs.columns]
        absent = [pl.lit(None, pl.Float64).alias(name) for name in POSTERIOR if name not in present]
        pairs = pairs.with_columns(pl.col(present).cast(pl.Float64, strict=False), *absent)
    if pairs.height and pairs[column].null_count() == pairs.height:
        methods = ", ".join(pairs["method"].drop_nulls().unique(maintain_order=True).to_list())
        tested = pairs["verdict"].null_count() < pairs.height
        if kind == "effects":
            of = ", ".join(pairs["effect_name"].drop_nulls().unique(maintain_order=True).to_list())
            raise BenchkitError(f"no pair has the effect {of}".rstrip(), hint)
        reason = f"{methods or 'the method'} gives no {what}s" if tested else f"no pair has a {what}: none could be tested"
        raise BenchkitError(reason.replace("posteriors", "posterior"), hint)
    return pairs


def _panel(kind: str, part: pl.DataFrame) -> Panel:
    """Return the panel of one metric and data set."""
    row = part.row(0, named=True)
    where = place(row["metric"] or "performance", row["dataset"])
    title = where if kind == "intervals" else f"{where}: {found(part)}"
    caption = "; ".join(part for part in (_counts(part), *CAPTIONS[kind](part)) if part)
    return Panel(row["metric"], row["dataset"], title, caption, metrics.unit(row["metric"] or ""), row["better"], {"pairs": part})


def found(pairs: pl.DataFrame) -> str:
    """Say what the verdicts of one metric and data set come to: who is better than whom, or how many pairs differ."""
    rows = pairs.select("a", "b", "verdict").rows()
    verdicts = [verdict for _, _, verdict in rows]
    if len(rows) == 1:
        a, b, verdict = rows[0]
        return {
            "better": f"{a} is better than {b}",
            "worse": f"{b} is better than {a}",
            "equivalent": f"{a} and {b} are equivalent",
            "undecided": f"{a} and {b} are not separated",
        }.get(verdict, f"{a} and {b} were not tested")
    others = len({name for a, b, _ in rows for name in (a, b)}) - 1
    if others == len(rows) and len({b for _, b, _ in rows}) == 1:
        equal = verdicts.count("equivalent")
        said = f"{verdicts.count('better')} of {others} are better than {rows[0][1]}, {verdicts.count('worse')} worse"
        return said + (f", {equal} equivalent" if equal else "")
    winners = [a if verdict == "better" else b for a, b, verdict in rows if verdict in ("better", "worse")]
    best = max(winners, key=winners.count, default="")
    if best and winners.count(best) == others:
        return f"{best} is better than each of the {others} others"
    equivalent = verdicts.count("equivalent")
    said = f"{len(winners)} of {counted(len(rows), 'pair')} differ"
    return said + (f", {equivalent} equivalent" if equivalent else "")


def _counts(pairs: pl.DataFrame) -> str:
    counts = sorted(set(pairs["n"].drop_nulls().to_list()))
    return "n = " + (" to ".join(str(count) for count in dict.fromkeys((counts[0], counts[-1]))) if counts else "unknown")


def _level(pairs: pl.DataFrame) -> str:
    level = pairs["ci_level"][0]
    return "" if level is None else f"{100 * level:.10g}%"


def _method(pairs: pl.DataFrame) -> str:
    return f"{pairs['method'][0]}, {pairs['adjust'][0]}"


def _band(pairs: pl.DataFrame, name: str) -> str:
    margins = pairs["margin"].drop_nulls().to_list()
    return f"{name} {margin_text(margins)}" if any(margins) else ""


def _of_intervals(pairs: pl.DataFrame) -> list[str]:
    without = pairs["ci_low"].null_count() == pairs.height  # ranks have no interval in the metric's unit
    words = " ".join(filter(None, (_level(pairs), pairs["ci_kind"][0], "intervals")))
    return [f"no intervals in this unit, {_level(pairs)}" if without else words, _method(pairs), _band(pairs, "band: margin")]


def _of_p_values(pairs: pl.DataFrame) -> list[str]:
    family = pairs["family_size"][0]
    adjusted = pairs["adjust"][0]
    over = f" over {counted(family, 'pair')}" if family is not None and family > 1 and adjusted != "none" else ""
    words = "p-values not adjusted" if adjusted == "none" else f"p-values adjusted by {adjusted}{over}"
    level = f"level {_level(pairs)}" if _level(pairs) else ""
    margin = _band(pairs, "verdicts with the margin")
    return [f"{pairs['method'][0]}", words, level, f"{margin}, p-values without" if margin else ""]


def _of_effects(pairs: pl.DataFrame) -> list[str]:
    bounded = pairs["effect_low"].null_count() < pairs.height
    words = f"{_level(pairs)} intervals, each pair by itself".lstrip() if bounded else "no intervals"
    adjusted = "not adjusted" if pairs["adjust"][0] == "none" else pairs["adjust"][0]
    verdicts = ", ".join(filter(None, (pairs["method"][0], adjusted, _level(pairs))))
    return [f"{pairs['effect_name'][0]}, {words}", f"verdicts: {verdicts}", _band(pairs, "margin")]


def _of_posterior(pairs: pl.DataFrame) -> list[str]:
    margin = _band(pairs, "equivalent within the margin")
    decided = f"decided from a probability of {_level(pairs)}" if _level(pairs) else ""
    return [str(pairs["method"][0]), margin or "no margin, so that nothing is equivalent", decided]


CAPTIONS = {
    "intervals": _of_intervals,
    "pvalues": _of_p_values,
    "effects": _of_effects,
    "posterior": _of_posterior,
    "simplex": _of_posterior,
}
