"""What a reader of ROC curves should know, in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchkit.core.names import counted, listed, quoted
from benchkit.core.roc.analysis import Analysed
from benchkit.core.roc.comparison import Compared
from benchkit.core.roc.intervals import LIMIT, Interval, of_numbers
from benchkit.core.roc.request import RocRequest
from benchkit.core.roc.voting import Ensemble
from benchkit.methods.curve.bands import LEAST_COUNT
from benchkit.tables.result import Note, Severity

ABOUT = {
    ("rerun", "both"): "an ensemble grown anew and tested on new items",
    ("rerun", "voters"): "an ensemble grown anew, tested on these items",
    ("rerun", "items"): "new items, as far as voters do not add to it",
    ("mean", "both"): "the mean curve of the procedure on all items, estimated from these voters and items",
    ("mean", "voters"): "the mean curve of the procedure on these items",
    ("mean", "items"): "the mean curve on all items, these voters being all",
    ("deployed", "items"): "these very voters on new items",
    ("prediction", "both"): "what a rerun on new items will show, predicted from these",
    ("prediction", "voters"): "what a rerun on these items will show, predicted from these voters",
}
CLASSIFIERS = "these very classifiers on new items"
# with replacement and fewer voters than so many times the size, means are too smooth
SMOOTH = 10
# from so many voters on standard deviations by formula are within about 5% of those of new ensembles; 4 have 77 to 97%, 8 have
# 89 to 100% of them where each of 600 items has voters of its own mind that also lean one way together
FEW_USED = 16
# an area nearer to 0 or 1 comes from classes that hardly overlap
APART = 0.05
BEYOND = (
    "of more voters than there are, m of M, curves take these for all there are and look like those of 1/(1/m + 1/M) voters: "
    "do not compare them with smaller sizes (--resample with makes all sizes alike)"
)
# different texts of one note that are told
MOST_TEXTS = 4


def headline(ensembles: Sequence[Ensemble]) -> tuple[str, ...]:
    """Say what was measured."""
    if len(ensembles) == 1:
        one = ensembles[0]
        number = one.members if one.scores is not None else one.counts.voters
        voters = "" if number is None else f"{counted(number, 'voter')}, "
        negative, positive = one.counts.items.astype(int)
        return (f"{quoted(one.name)}: {voters}{negative} negative and {positive} positive items",)
    kind = "classifier" if ensembles[0].scores is not None and ensembles[0].members is None else "ensemble"
    return (f"{counted(len(ensembles), kind)}: {listed([quoted(one.name) for one in ensembles])}",)


def answer(analysed: Sequence[Analysed], compared: Sequence[tuple[list[Analysed], Compared]]) -> list[str]:
    """Say what more voters or items would do, and which ensembles differ."""
    said = []
    for group, found in compared:
        if found.number == 0:
            differ = sum(verdict in ("better", "worse") for verdict in found.verdicts.verdict)
            sizes = {one.curve.voters_used for one in group}
            votes = group[0].ensemble.scores is None and len(sizes) == 1
            size = f" at {counted(min(sizes), 'voter')}" if votes else ""
            verb = "differs" if len(found.contrasts) == 1 else "differ"
            said.append(f"{differ} of {counted(len(found.contrasts), 'pair')} {verb} in AUC{size}")
    return [*said, *_advice(analysed)]


def _advice(analysed: Sequence[Analysed]) -> list[str]:
    """Say whether more voters or more items would make the areas surer, at the largest size of each ensemble."""
    last = {one.ensemble.name: one for one in analysed}.values()
    shares = {one.ensemble.name: float(one.area.parts.share_of_voters) for one in last if one.asked.vary == "both"}
    said = []
    for cause, advice, mine in (
        ("voters", "more voters", {name: share for name, share in shares.items() if share > 0.5}),
        ("test items", "more items", {name: 1 - share for name, share in shares.items() if share <= 0.5}),
    ):
        if mine:
            percents = dict.fromkeys(f"{100 * share:.0f}%" for share in (min(mine.values()), max(mine.values())))
            who = listed([quoted(name) for name in mine])
            said.append(
                f"{who}: {' to '.join(percents)} of the variance of the AUC is from the {cause}: {advice} would help most"
            )
    return said


@dataclass(frozen=True)
class Said:
    """What is to be said of one ensemble, in words that say the same of every ensemble that they fit."""

    code: str
    ensemble: str
    text: str
    severity: Severity = "info"


def of(analysed: Sequence[Analysed], compared: Sequence[Compared], request: RocRequest) -> list[Note]:
    """Return the notes, one for each code: what the intervals are about, and what limits them."""
    notes = about(
        "intervals and bands",
        [CLASSIFIERS if _is_classifier(one) else ABOUT[one.asked.target, one.asked.vary] for one in analysed],
    )
    if request.variance == "paper":
        text = "the paper's variance takes items as independent although they share the voters; --variance joint does not"
        notes.append(Note("paper-variance", text, "warning"))
    ensembles = len({one.ensemble.name for one in analysed})
    kind = "classifiers" if all(map(_is_classifier, analysed)) else "ensembles"
    every = [said for one in analysed for said in (*_of_one(one, request), *_of_numbers(one, request), *_of_rates(one))]
    notes += grouped(every, ensembles, kind)
    return merged([*notes, *of_pairs(compared, kind)])


def about(what: str, targets: Sequence[str]) -> list[Note]:
    """Say what the intervals of the ensembles are about."""
    text = "; of others about ".join(dict.fromkeys(targets))
    return [Note("inference-target", f"{what} are about {text} (--target, --vary)", "info")]


def grouped(every: Sequence[Said], ensembles: int, kind: str = "ensembles") -> list[Note]:
    """Return one note for each code, which names the ensembles, or how many of how many they are."""
    codes: dict[str, dict[str, dict[str, Said]]] = {}
    for said in every:
        codes.setdefault(said.code, {}).setdefault(said.text, {})[said.ensemble] = said
    notes = []
    for code, texts in codes.items():
        parts = [f"{_who(list(same), ensembles, kind)}: {text}" for text, same in texts.items()]
        more = f"; and {len(parts) - MOST_TEXTS} more" if len(parts) > MOST_TEXTS else ""
        severity = next(iter(next(iter(texts.values())).values())).severity
        notes.append(Note(code, "; ".join(parts[:MOST_TEXTS]) + more, severity))
    return notes


def _who(names: Sequence[str], ensembles: int, kind: str) -> str:
    if len(names) == 1:
        return quoted(names[0])
    return f"{len(names)} of {ensembles} {kind} ({listed([quoted(name) for name in names])})"


def _is_classifier(one: Analysed) -> bool:
    """Say whether there are scores and no members behind them."""
    return one.ensemble.scores is not None and one.ensemble.members is None


def _of_one(one: Analysed, request: RocRequest) -> Iterator[Said]:
    """Say what limits the curve and its band."""
    counts, name = one.ensemble.counts, one.ensemble.name
    votes = one.ensemble.scores is None
    if votes and not one.ensemble.has_voters and request.asked is None and request.variance == "joint":
        what = "a single voter" if counts.voters == 1 else "only numbers of votes"
        yield Said("voters-unknown", name, f"{what}: how a rerun would vary is unknown, only items vary here")
    m, M = one.curve.voters_used, counts.voters
    if votes and m > M:
        yield Said("beyond-voters", name, BEYOND)
    elif votes and request.resampling == "with" and SMOOTH * m > M:
        text = f"with fewer than {SMOOTH} times as many voters, resampling with replacement smooths the curve"
        yield Said("smoothed", name, f"{text}; --resample without does not")
    if votes and 1 < m < FEW_USED and one.asked.vary != "items" and request.variance == "joint":
        text = f"of fewer than {FEW_USED} voters standard deviations by formula are too small, of 4 by up to a quarter or more"
        yield Said("few-voters-used", name, text)
    if one.band is None:
        yield Said("no-band", name, _without_band(one))
    if len(one.chosen) < one.curve.rates.shape[1] and votes:
        yield Said("thinned", name, "variances at some thresholds only, evenly along the curve; null at the others")
    if one.area.value < 0.5:
        yield Said("below-half", name, "an AUC below one half: is the positive class right? Nothing is flipped")


def _without_band(one: Analysed) -> str:
    """Say why at no threshold there are enough items of each class on either side."""
    least = int(one.ensemble.counts.items.min())
    if least < 2 * LEAST_COUNT:
        why = f"a class has only {counted(least, 'item')}"
    elif not APART < one.area.value < 1 - APART:
        why = "the classes are separated too well"
    else:
        what = "numbers of votes" if one.ensemble.scores is None else "scores"
        why = f"there are too few items, or too few different {what}"
    return f"no band: no threshold has {LEAST_COUNT:g} items of each class on either side; {why}"


def _of_rates(one: Analysed) -> Iterator[Said]:
    """Say why rates have no standard deviation or interval at some thresholds."""
    name, sd = one.ensemble.name, np.array([parts.total for parts in one.parts])
    rates = one.curve.rates[:, one.chosen]
    if np.isnan(sd).any() and not np.isnan(sd[:, 1:]).all():
        text = "at some thresholds the variance of a rate is estimated as negative, and null"
        yield Said("variance-unknown", name, text)
    limited = (rates <= LIMIT) | (rates >= 1 - LIMIT)
    if one.asked.vary == "voters" and limited[:, 1:].any():
        yield Said("at-the-limit", name, "rates of 0 and 1 have no interval where only voters vary")


def _of_numbers(one: Analysed, request: RocRequest) -> Iterator[Said]:
    """Say which of the area and the chosen places have no interval, or one without width, and why."""
    return without_interval(one.ensemble.name, of_numbers(one, request))


def without_interval(ensemble: str, numbers: Sequence[Interval]) -> Iterator[Said]:
    """Say which numbers of an ensemble have no standard deviation, no interval, or one without width."""
    kinds = (
        ("variance-unknown", "no variance can be estimated from so few voters or items, or so many ties", [
            each.name for each in numbers if np.isnan(each.sd)
        ]),
        ("zero-variance", "nothing varies, so that intervals have no width", [
            each.name for each in numbers if each.sd == 0 and each.low == each.high
        ]),
        ("at-the-limit", "at its limit a sample gives no interval", [
            f"{each.name} of {each.value:g}" for each in numbers if np.isnan(each.low) and not np.isnan(each.sd)
        ]),
    )  # fmt: skip
    for code, text, names in kinds:
        if names:
            yield Said(code, ensemble, f"{text}: {listed(names)}")


def of_pairs(compared: Sequence[Compared], kind: str = "ensembles") -> list[Note]:
    """Say which pairs are about something else than their ensembles, have no variance, or are on different items.

    compared: the numbers of all pairs, at each size.
    """
    notes = []
    mixed = dict.fromkeys((_pair(found, position), found.asked[position]) for found in compared for position in found.mixed)
    if mixed:
        texts = dict.fromkeys(ABOUT[asked.target, asked.vary] for _, asked in mixed)
        who = listed(list(dict.fromkeys(pair for pair, _ in mixed)))
        text = f"{who}: the difference is about {' or '.join(texts)}, since no more is known of one of the two"
        notes.append(Note("inference-target", text, "info"))
    unknown = [np.flatnonzero(np.isnan(found.answer.pairs.std_error)).tolist() for found in compared]
    pairs = dict.fromkeys(_pair(found, each) for found, some in zip(compared, unknown, strict=True) for each in some)
    if pairs:
        text = f"{listed(list(pairs))}: the variance of a difference is unknown, or estimated as negative"
        notes.append(Note("variance-unknown", text, "info"))
    unpaired = {pair: shared for found in compared for pair, shared in found.unpaired.items()}
    if unpaired:
        text = f"{counted(len(unpaired), 'pair')} of {kind} on different items: taken as independent"
        if any(unpaired.values()):
            text += ", which is conservative where items are shared; keep the shared ones for a paired test"
        notes.append(Note("unpaired", text))
    return notes


def _pair(compared: Compared, position: int) -> str:
    """Return "a and b"."""
    return " and ".join(quoted(compared.names[one]) for one in compared.contrasts[position])


def merged(notes: Sequence[Note]) -> list[Note]:
    """Return the notes, those of one code put together where the first stands."""
    found: dict[str, Note] = {}
    for note in notes:
        first = found.get(note.code)
        found[note.code] = note if first is None else replace(first, message=f"{first.message}; {note.message}")
    return list(found.values())
