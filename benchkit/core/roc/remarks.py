"""What a reader of ROC curves should know, in words."""

from collections.abc import Sequence

from benchkit.core.names import counted, listed, quoted
from benchkit.core.roc.analysis import Analysed
from benchkit.core.roc.comparison import Compared
from benchkit.core.roc.request import RocRequest
from benchkit.core.roc.voting import Ensemble
from benchkit.tables.result import Note

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
# with replacement and fewer voters than so many times the size, means are too smooth
SMOOTH = 10


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


def of(analysed: Sequence[Analysed], compared: Sequence[Compared], request: RocRequest) -> list[Note]:
    """Return the notes: what the intervals are about, and what limits them."""
    notes: list[Note] = []
    about = dict.fromkeys(
        "these very classifiers on new items" if _is_classifier(one) else ABOUT[one.asked.target, one.asked.vary]
        for one in analysed
    )
    for text in about:
        notes.append(Note("inference-target", f"intervals and bands are about {text} (--target, --vary)", "info"))
    if request.variance == "paper":
        text = "the paper's variance takes items as independent although they share the voters; --variance joint does not"
        notes.append(Note("paper-variance", text, "warning"))
    notes += [note for one in analysed for note in _of_one(one, request)]
    for found in compared:
        if found.number == 0 and found.unpaired:
            notes.append(unpaired(found))
    return notes


def _is_classifier(one: Analysed) -> bool:
    """Say whether there are scores and no members behind them."""
    return one.ensemble.scores is not None and one.ensemble.members is None


def _of_one(one: Analysed, request: RocRequest) -> list[Note]:
    notes, counts, name = [], one.ensemble.counts, quoted(one.ensemble.name)
    votes = one.ensemble.scores is None
    if votes and not one.ensemble.has_voters and request.asked is None and request.variance == "joint":
        what = "a single voter" if counts.voters == 1 else "only numbers of votes"
        notes.append(Note("voters-unknown", f"{name} has {what}: how a rerun would vary is unknown, only items vary here"))
    m, M = one.curve.voters_used, counts.voters
    if votes and m > M:
        notes.append(Note("beyond-voters", f"{name} has {M} voters: curves of {m} take them for all there are, which smooths"))
    elif votes and request.resampling == "with" and SMOOTH * m > M:
        text = f"{name}: {M} voters resampled with replacement smooth the curve of {m}; --resample without does not"
        notes.append(Note("smoothed", text))
    if one.band is None:
        notes.append(Note("no-band", f"{name}: too few items of a class for a band (10 of each kind at a threshold)"))
    if len(one.chosen) < one.curve.rates.shape[1] and votes:
        text = f"{name}: variances at {len(one.chosen)} of {one.curve.rates.shape[1]} thresholds, evenly along the curve"
        notes.append(Note("thinned", text, "info"))
    if one.area.value < 0.5:
        notes.append(Note("below-half", f"{name} has an AUC below one half: is the positive class right? Nothing is flipped"))
    total = float(one.area.parts.total)
    if total == 0 and 0 < one.area.value < 1:
        notes.append(Note("zero-variance", f"{name}: nothing varies at all, so the interval of the AUC has no width"))
    elif total == 0:
        notes.append(
            Note("at-the-limit", f"{name}: an AUC of {one.area.value:g} is at its limit, where a sample gives no interval")
        )
    elif total != total:
        notes.append(Note("variance-unknown", f"{name}: no variance of the AUC can be estimated from so few voters or items"))
    return notes


def unpaired(found: Compared) -> Note:
    """Say that pairs are on different items."""
    shared = sum(found.unpaired.values())
    text = f"{counted(len(found.unpaired), 'pair')} of ensembles on different items: taken as independent"
    if shared:
        text += ", which is conservative where items are shared; keep the shared ones for a paired test"
    return Note("unpaired", text)
