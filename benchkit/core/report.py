"""--report: three sentences for each experiment, made of the rows of its pairs table: who, by how much, how surely."""

from collections.abc import Mapping, Sequence

import polars as pl

from benchkit.core.duel import Duel
from benchkit.core.finding import Finding
from benchkit.core.names import listed, quoted
from benchkit.core.sentences import ADJUSTMENT, MODEL, margin_text
from benchkit.core.target import about, blocks_of, measured_on

MOST = 6
FALSE_DISCOVERIES = ("bh", "by")
NO_EVIDENCE = "which is no evidence that they are equal"


def report(finding: Finding, pairs: pl.DataFrame) -> str:
    """Return the sentences about one experiment; `pairs` is its pairs table.

    Better and worse are the verdicts of the table, lower and higher the signs of its estimates; a large p-value is never
    taken for equality. The first sentence says who, the second by how much, the third how surely and about what.
    """
    rows = list(pairs.iter_rows(named=True))
    if all(row["verdict"] is None for row in rows):
        said = ["No pair could be tested, for reasons that the notes give."]
        return " ".join([f"Measured on {measured_on(finding, _items(rows))}: {Duel.of(rows[0]).measure}.", *said])
    if len(rows) == 1:
        said = _of_two(finding, rows[0])
    elif finding.blocks.many_to_one:
        said = _against_baseline(finding, rows)
    else:
        said = _of_several(finding, rows)
    return " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in said)


def _items(rows: Sequence[Mapping[str, object]]) -> int:
    return int(str(rows[0]["n"] or 0))


def _on(finding: Finding, rows: Sequence[Mapping[str, object]]) -> str:
    return f"on {measured_on(finding, _items(rows))}"


def _within(duel: Duel) -> str:
    """Return "within the margin of 5"."""
    return f" within the margin of {margin_text([duel.margin])}" if duel.margin else ""


def _beyond(duel: Duel) -> str:
    """Return "by more than the margin of 5"."""
    return f" by more than the margin of {margin_text([duel.margin])}" if duel.margin else ""


def _joined(duel: Duel, finding: Finding) -> str:
    """Say the difference and the effect: "its mse is lower by 41.4 (...), and it is the better one in 81.2% of ..."."""
    effect = duel.effect_words(blocks_of(finding))
    return duel.amount() + (f", and {effect}" if effect else "")


def _of_two(finding: Finding, row: Mapping[str, object]) -> list[str]:
    """Return the sentences about a single pair, told from the side of the better one."""
    duel = Duel.of(row)
    if duel.verdict == "worse":
        duel = Duel.of(row, duel.second)
    first, second = quoted(duel.first), quoted(duel.second)
    if duel.verdict == "better":
        who = f"{first} is better than {second} in {duel.measure}{_beyond(duel)}"
    elif duel.verdict == "equivalent":
        who = f"{first} and {second} are equivalent in {duel.measure}{_within(duel)}"
    elif duel.margin and row["noninferior"]:  # told of a, which comes first unless it is worse
        margin = margin_text([duel.margin])
        who = f"{first} is not worse than {second} in {duel.measure} by the margin of {margin} or more (noninferior)"
        who += ", and it is undecided whether it is better or equivalent"
    elif duel.margin:
        who = f"it is undecided whether {first} and {second} differ in {duel.measure}{_beyond(duel)}"
    else:
        who = f"it is undecided whether {first} or {second} is better in {duel.measure}, {NO_EVIDENCE}"
    side = "" if duel.verdict == "better" else f"for {first} against {second}, "
    together = f" for all {finding.family} pairs together" if finding.family > 1 else ""
    decides = "a posterior probability of {} decides" if finding.answer.posterior is not None else "the confidence level is {}"
    sure = f"{decides.format(_level(finding))}{together} ({_model(finding)})"
    return [f"{_on(finding, [row])}, {who}", side + _joined(duel, finding), f"{sure}; this is {about(finding)}"]


def _named(rows: Sequence[Mapping[str, object]], algorithm: str) -> dict[str | None, list[Duel]]:
    """Return the duels of one algorithm by its verdict, each seen from its side."""
    found: dict[str | None, list[Duel]] = {}
    for row in rows:
        if algorithm in (row["a"], row["b"]):
            duel = Duel.of(row, algorithm)
            found.setdefault(duel.verdict, []).append(duel)
    return found


def _names(duels: Sequence[Duel]) -> str:
    return listed([quoted(duel.second) for duel in duels], MOST)


def _leader(finding: Finding, rows: Sequence[Mapping[str, object]]) -> tuple[str, int]:
    """Return the algorithm that the fewest others beat, of several the one with the best mean, and how many beat it."""
    beaten: dict[str, int] = {}
    means: dict[str, float] = {}
    for row in rows:
        a, b = str(row["a"]), str(row["b"])
        beaten[a] = beaten.get(a, 0) + (row["verdict"] == "worse")
        beaten[b] = beaten.get(b, 0) + (row["verdict"] == "better")
        for name, mean in ((a, row["mean_a"]), (b, row["mean_b"])):
            if mean is not None:
                means.setdefault(name, finding.experiment.sign * float(str(mean)))
    leader = min(beaten, key=lambda name: (beaten[name], means.get(name, float("inf"))))
    return leader, beaten[leader]


def _of_several(finding: Finding, rows: Sequence[Mapping[str, object]]) -> list[str]:
    """Return the sentences about all pairs, told from the side of the leading algorithm."""
    leader, beaten = _leader(finding, rows)
    duels = _named(rows, leader)
    others = sum(len(found) for found in duels.values())
    better, undecided = duels.get("better", []), duels.get("undecided", [])
    equivalent, untested = duels.get("equivalent", []), duels.get(None, [])
    measure, name = Duel.of(rows[0]).measure, quoted(leader)
    if len(better) == others:
        said = [f"{name} is better in {measure} than each of the {others} others{_beyond(better[0])}"]
    elif better:
        said = [f"{name} is better in {measure} than {_names(better)}{_beyond(better[0])}"]
    elif beaten:
        said = [f"every algorithm is beaten in {measure} by another, so that none is the best"]
    elif any(row["verdict"] in ("better", "worse") for row in rows):
        said = [f"none is shown to be the best in {measure}; of those that no other beats, {name} has the best mean"]
    elif undecided:
        beyond = _beyond(undecided[0]) or f", {NO_EVIDENCE}"
        said = [f"no algorithm is shown to be better in {measure} than another{beyond}"]
    else:
        said = [f"no algorithm differs in {measure} from another{_beyond((equivalent or untested)[0])}"]
    said += [f"its comparison with {_names(undecided)} is undecided"] if undecided and better else []
    said += [f"it is equivalent to {_names(equivalent)}{_within(equivalent[0])}"] if equivalent and better else []
    apart = [f"{quoted(str(row['a']))} and {quoted(str(row['b']))}" for row in rows if row["verdict"] is None]
    said += [f"{listed(apart, MOST)} could not be compared"] if apart else []
    who = f"{_on(finding, rows)}, " + "; ".join(said)
    nearest = min(better or undecided or equivalent or untested, key=lambda duel: duel.size)
    closest = ", the closest of them" if len(better) > 1 else ""
    how = f"{'' if better else f'for {name} '}against {quoted(nearest.second)}{closest}, {_joined(nearest, finding)}"
    return [who, how, f"{_count(finding, rows)}; this is {about(finding)}"]


def _against_baseline(finding: Finding, rows: Sequence[Mapping[str, object]]) -> list[str]:
    """Return the sentences about every algorithm against the baseline."""
    duels = [Duel.of(row) for row in rows]
    base = quoted(duels[0].second)
    parts = []
    for word in ("better", "worse", "equivalent", "undecided", None):
        found = [quoted(duel.first) for duel in duels if duel.verdict == word]
        if found:
            whole = len(found) == len(duels)
            verb = "are" if len(found) > 1 else "is"
            parts.append(f"{f'all {len(found)} others' if whole else listed(found, MOST)} {verb} {word or 'not tested'}")
    safe = [quoted(str(row["a"])) for row in rows if row["verdict"] == "undecided" and row["noninferior"]]
    if safe:
        parts.append(f"{listed(safe, MOST)} {'are' if len(safe) > 1 else 'is'} not worse by the margin or more (noninferior)")
    margins = [duel.margin for duel in duels if duel.margin]  # a pair that shares nothing has none
    margin = f" with a margin of {margin_text(margins)}" if margins else ""
    who = f"{_on(finding, rows)}, against {base} in {duels[0].measure}{margin}: {'; '.join(parts)}"
    sized = sorted((duel for duel in duels if duel.verdict is not None), key=lambda duel: duel.size)
    smallest, largest = sized[0], sized[-1]
    how = f"the largest difference is that of {quoted(largest.first)}: {_joined(largest, finding)}"
    if len(sized) > 1:
        how += f"; the smallest is that of {quoted(smallest.first)}: {smallest.amount()}"
    return [who, how, f"{_count(finding, rows)}; this is {about(finding)}"]


def _model(finding: Finding) -> str:
    answer = finding.answer
    return MODEL.get(answer.method, f"method {answer.method}") + ADJUSTMENT.get(answer.adjust, f", {answer.adjust}")


def _level(finding: Finding) -> str:
    return f"{100 * finding.level:.10g}%"


def _count(finding: Finding, rows: Sequence[Mapping[str, object]]) -> str:
    """Say how many of the pairs differ, how surely and by which model."""
    differ = sum(row["verdict"] in ("better", "worse") for row in rows)
    verb = "differs" if differ == 1 else "differ"
    untested = sum(row["verdict"] is None for row in rows)
    verb += f" and {untested} could not be tested" if untested else ""
    return f"in all, {differ} of the {len(rows)} pairs {verb}, {_sure(finding)} ({_model(finding)})"


def _sure(finding: Finding) -> str:
    """Say what the level covers."""
    answer, level = finding.answer, _level(finding)
    if answer.posterior is not None:
        return f"a posterior probability of {level} deciding"
    if answer.adjust in FALSE_DISCOVERIES:
        return f"and {100 * (1 - finding.level):.3g}% of such differences are expected to be false"
    if answer.ci_kind == "pointwise":
        return f"each judged at {level} by itself, so that some may differ by chance"
    together = f" for all {finding.family} pairs together" if finding.family > 1 else ""
    return f"with {level} confidence{together}"
