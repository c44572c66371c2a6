"""In which order do the algorithms stand? From pairs or relations to ranks, tiers, letters and one chain if there is one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from benchkit.core.names import listed, quoted
from benchkit.core.sentences import place
from benchkit.errors import BenchkitError
from benchkit.methods.order import letters, relation
from benchkit.methods.order.relation import Truths
from benchkit.methods.records import Floats
from benchkit.tables import shapes
from benchkit.tables.naming import natural_sort
from benchkit.tables.result import Note, Result

# adjustments whose verdicts hold jointly with no probability, and what their level is of
APART = {
    "bh": "false discovery rate {alpha}",
    "by": "false discovery rate {alpha}",
    "none": "{level} for each pair",
    "posterior": "posterior probability {level} for each pair",
}
RELATION = {"better": "better", "worse": "worse", "equivalent": "tied", "undecided": "tied", "tied": "tied"}


@dataclass(frozen=True)
class Standing:
    """One relation. `names` are in the global order: in-degree, then mean (best first), then name.

    apart: the adjustment, or posterior, where nothing controls the probability that any verdict is wrong; else empty.
    """

    metric: str | None
    dataset: str | None
    method: str | None
    level: float | None
    names: tuple[str, ...]
    beats: Truths
    known: Truths
    apart: str = ""


def rank(table: pl.DataFrame, notes: Sequence[Note] = (), tie: str = "\u2248") -> Result:
    """Return ranks, orders and relations of a pairs or a relations table, one order for each (metric, dataset).

    The verdicts are taken as they stand; equivalent and undecided are both tied, an absent or null pair is unknown.
    `tie` is the mark between algorithms that are not separated. Raises BenchkitError for a table of comparisons with
    one baseline, whose other pairs nobody tested, and for pairs that stand there twice.
    """
    found: dict[str, list[pl.DataFrame]] = {"ranks": [], "orders": [], "relations": []}
    standings = [
        _standing(part) for part in table.partition_by("metric", "dataset", "method", maintain_order=True) if part.height
    ]
    if not standings:
        raise BenchkitError("there are no pairs to rank", "check the command before the pipe")
    answer: list[str] = []
    further: list[Note] = []
    for standing in standings:
        chain, why = order_string(standing, tie)
        where = place(standing.metric, standing.dataset)
        prefix = f"{where}: " if len(standings) > 1 and where else ""
        answer.append(prefix + (chain or f"no single chain: {why}"))
        if why:
            text = f"no single chain is true here: {why}; read the tiers, letters" + (
                "" if standing.apart else " and rank intervals"
            )
            further.append(Note("not-transitive", text, "warning", standing.metric, standing.dataset))
        if standing.apart:
            why = "as posterior probabilities" if standing.apart == "posterior" else f"with --adjust {standing.apart}"
            text = f"no rank intervals: {why} the verdicts do not hold together (--method wilcoxon --adjust holm would)"
            further.append(Note("no-rank-intervals", text, "warning", standing.metric, standing.dataset))
        for name, made in (
            ("ranks", _ranks(standing)),
            ("orders", _orders(standing, chain)),
            ("relations", _relations(standing)),
        ):
            found[name].append(made)
    explained = legend(standings, answer, tie)
    if len(answer) == 1 and standings and found["orders"][0]["order"][0] is not None:
        answer = ["        ".join([*answer, *explained])]
    else:
        answer += explained
    return Result("rank", {name: pl.concat(tables) for name, tables in found.items()}, [*notes, *further], answer=answer)


def legend(standings: Sequence[Standing], lines: Sequence[str], tie: str) -> list[str]:
    """Explain the marks that the lines use, and how surely they hold."""
    words = {"<": "better than", tie: "not separated"}
    used = [f"{mark} {word}" for mark, word in words.items() if any(f" {mark} " in line for line in lines)]
    levels = {standing.level for standing in standings} - {None}
    together = " for all pairs together" if max(len(standing.names) for standing in standings) > 2 else ""
    said = {APART.get(standing.apart, "{level}" + together) for standing in standings}
    sure = [
        next(iter(said)).format(level=f"{100 * level:.10g}%", alpha=f"{100 * (1 - level):.10g}%")
        for level in levels
        if level is not None and len(levels) == len(said) == 1
    ]
    return [f"({'; '.join([', '.join(used), *sure])})"] if used else []


def _standing(part: pl.DataFrame) -> Standing:
    """Read one relation and put its algorithms into the global order."""
    first, second = part["a"].to_list(), part["b"].to_list()
    names = natural_sort({*first, *second})
    spot = {name: number for number, name in enumerate(names)}
    beats, known = np.zeros((2, len(names), len(names)), dtype=bool)
    for a, b, word in zip(first, second, part["verdict" if "verdict" in part.columns else "relation"].to_list(), strict=True):
        i, j = spot[a], spot[b]
        if known[i, j] or i == j:
            raise BenchkitError(f"the pair {quoted(a)}, {quoted(b)} stands there twice", "give one table, or choose with --where")
        if word is not None and word not in (*RELATION, "unknown"):
            words = ", ".join(RELATION)
            raise BenchkitError(f"'{word}' is no verdict ({quoted(a)} against {quoted(b)})", f"verdicts are {words}")
        if word in RELATION:
            known[i, j] = known[j, i] = True
            beats[i, j], beats[j, i] = RELATION[word] == "better", RELATION[word] == "worse"
    if len(names) > 2 and part.height == len(names) - 1 and (part["b"].n_unique() == 1 or part["a"].n_unique() == 1):
        raise BenchkitError(
            "this table compares with one baseline only, so the other pairs are unknown", "test without --baseline"
        )
    means = _means(part, spot)
    degrees = relation.in_degrees(beats)
    order = sorted(range(len(names)), key=lambda j: (degrees[j], np.isnan(means[j]), means[j], j))
    level = part["ci_level"][0] if "ci_level" in part.columns else None
    shown = tuple(names[j] for j in order)
    cut = np.ix_(order, order)
    return Standing(part["metric"][0], part["dataset"][0], part["method"][0], level, shown, beats[cut], known[cut], _apart(part))


def _apart(part: pl.DataFrame) -> str:
    """Return the adjustment if it leaves the probability of any wrong verdict open: bh, by, or none for several pairs.

    "posterior" where posterior probabilities decide.
    """
    if part.height > 1 and "posterior_better" in part.columns and part["posterior_better"].count():
        return "posterior"
    adjust, kind = (part[name][0] if name in part.columns else None for name in ("adjust", "ci_kind"))
    apart = kind == "pointwise" or (kind is None and adjust == "none" and part.height > 1)  # ranks have no intervals
    return str(adjust) if adjust in ("bh", "by") or apart else ""


def _means(part: pl.DataFrame, spot: dict[str, int]) -> Floats:
    """Return the oriented mean of each algorithm, NaN where the table does not say. Shape (K,)."""
    means = np.full(len(spot), np.nan)
    if {"mean_a", "mean_b"} <= set(part.columns):
        sign = -1.0 if "better" in part.columns and part["better"][0] == "higher" else 1.0
        for side in ("a", "b"):
            for name, mean in zip(part[side].to_list(), part[f"mean_{side}"].to_list(), strict=True):
                means[spot[name]] = np.nan if mean is None else sign * mean
    return means


def order_string(standing: Standing, tie: str) -> tuple[str | None, str | None]:
    """Return the chain, best first, if the relation is a weak order; else None and the reason in words."""
    problems = relation.faults(standing.beats, standing.known)
    if problems:
        return None, _reason(standing, problems, tie)
    degrees = relation.in_degrees(standing.beats)
    chain = quoted(standing.names[0])
    for position in range(1, len(standing.names)):
        mark = tie if degrees[position] == degrees[position - 1] else "<"
        chain += f" {mark} {quoted(standing.names[position])}"
    return chain, None


def _reason(standing: Standing, problems: list[relation.Fault], tie: str) -> str:
    """Say the worst fault in words, and how many more of its kind there are."""
    worst = problems[0]
    names = [quoted(standing.names[j]) for j in worst.members]
    if worst.kind == "cycle":
        ring = [
            f"{quoted(standing.names[i])} < {quoted(standing.names[j])}"
            for i in worst.members
            for j in worst.members
            if standing.beats[i, j]
        ]
        text = "a cycle: " + listed(ring, 6)
    elif worst.kind == "unknown":
        text = f"{names[0]} and {names[1]} were not tested"
    elif worst.kind == "strict":
        text = f"{names[0]} < {names[1]} and {names[1]} < {names[2]}, but {names[0]} {tie} {names[2]}"
    else:
        text = f"{names[0]} {tie} {names[1]} and {names[1]} {tie} {names[2]}, but {names[0]} < {names[2]}"
    more = sum(problem.kind == worst.kind for problem in problems) - 1
    return text + (f" (and {more} more)" if more else "")


def _keyed(standing: Standing, columns: Mapping[str, object]) -> dict[str, object]:
    return {"metric": standing.metric, "dataset": standing.dataset, "method": standing.method, **columns}


def _ranks(standing: Standing) -> pl.DataFrame:
    # who was not compared is not separated either
    tied = ~standing.beats & ~standing.beats.T
    bounds = relation.rank_bounds(standing.beats)
    low, high = ([None] * len(standing.names),) * 2 if standing.apart else (bound.tolist() for bound in bounds)
    columns = {
        "algorithm": standing.names,
        "rank": relation.ranks(relation.in_degrees(standing.beats)),
        "rank_low": low,
        "rank_high": high,
        "ci_level": standing.level,
        "tier": relation.tiers(standing.beats),
        "letters": letters.compact_letters(tied),
    }
    return shapes.build(shapes.RANKS, _keyed(standing, columns))


def _orders(standing: Standing, chain: str | None) -> pl.DataFrame:
    columns = {"mechanism": "in-degree", "order": [chain], "transitive": chain is not None}
    return shapes.build(shapes.ORDERS, _keyed(standing, columns))


def _relations(standing: Standing) -> pl.DataFrame:
    spot = {name: position for position, name in enumerate(standing.names)}
    rows = []
    names = natural_sort(standing.names)
    for position, a in enumerate(names):
        for b in names[position + 1 :]:
            i, j = spot[a], spot[b]
            word = "better" if standing.beats[i, j] else "worse" if standing.beats[j, i] else "tied"
            rows.append(_keyed(standing, {"a": a, "b": b, "relation": word if standing.known[i, j] else "unknown"}))
    return shapes.build(shapes.RELATIONS, rows)
