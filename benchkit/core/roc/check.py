"""`roc --check N`: the standard deviations by formula beside those of a brute-force bootstrap with N draws."""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from benchkit.core.names import counted
from benchkit.core.roc.analysis import Analysed
from benchkit.core.roc.remarks import FEW_USED
from benchkit.core.roc.request import RocRequest
from benchkit.errors import BenchkitError
from benchkit.methods.curve import moments as of_votes
from benchkit.methods.curve.functionals import Functional, area
from benchkit.methods.curve.joint_bootstrap import VoterBootstrap, draws_of, with_new_items
from benchkit.methods.curve.questions import Vary
from benchkit.methods.curve.spread import spread
from benchkit.methods.records import Floats, Integers
from benchkit.tables import shapes
from benchkit.tables.result import Note
from benchkit.tables.votes import VoteSource

# bytes that the histograms of all draws may take
MOST_BYTES = 4_000_000_000
# rates nearer to 0 or 1 than that are left out of the range that is told: their standard deviations are of few items
NEAR = 0.02
# of fewer voters, what two items share by chance adds noticeably to what draws of them vary
FEW_VOTERS = 100

WHAT = {
    "voters": "D + (M - 1)/M O, the resampling of these voters",
    "items": "F(1 - F)/n of the voters at hand (--target deployed)",
    "both": "F(1 - F)/n + D + (M - 1)/M O, which has D twice as every resampling of both does; the other tables have it once",
}
PAPER = {
    "voters": "the paper's D, for items that vary independently",
    "items": "the paper's F/n, for Poisson weights whose sum is not held fixed",
    "both": "the paper's F/n + D, for Poisson weights and items that vary independently",
}


def check(
    source: VoteSource, analysed: Sequence[Analysed], request: RocRequest, draws: int, generator: np.random.Generator
) -> tuple[pl.DataFrame, list[Note]]:
    """Return the table check and what it compares; reads the votes once more, a block at a time, if voters vary.

    Resampled are m of M voters with replacement, items within their class. The ratio's standard error is
    ratio/sqrt(2 (draws - 1)). Raises BenchkitError for fewer than 2 draws, and for targets that no resampling shows.
    """
    if draws < 2:
        raise BenchkitError(f"--check {draws} is too few draws for a standard deviation", "write --check 1000")
    varied = [_varied(one, request) for one in analysed]
    bootstraps = _voters_drawn(source, analysed, varied, draws, generator)
    tables, kept = [], []
    for number, (one, vary) in enumerate(zip(analysed, varied, strict=True)):
        histograms = bootstraps[number].histograms if number in bootstraps else _at_hand(one, draws)
        if vary != "voters":
            histograms = with_new_items(histograms, generator)
        functionals = (area, *(mark.functional for mark in request.marks))
        rates, numbers = draws_of(histograms, functionals, one.chosen)
        mean, found = _analytic(one, vary, functionals, request)
        wanted = rates.std(axis=0, ddof=1), numbers.std(axis=0, ddof=1)
        table = _table(one, vary, request, found, wanted, draws)
        told = np.concatenate([[True] * len(functionals), *((rate > NEAR) & (rate < 1 - NEAR) for rate in mean)])
        tables.append(table)
        kept.append(table.filter(pl.Series(told))["ratio"].drop_nulls())
    return pl.concat(tables), _notes(analysed, varied, pl.concat(kept), request, draws)


def _varied(one: Analysed, request: RocRequest) -> Vary:
    """Return what to resample; BenchkitError where a resampling does not show what was asked for."""
    asked = one.asked
    if request.asked is None and asked.target == "mean":
        message = f"--check of {one.curve.voters_used} voters of '{one.ensemble.name}' needs the votes of each voter"
        raise BenchkitError(message, "leave out --voters-used, or --check")
    if asked.target in ("mean", "prediction"):
        message = f"--check cannot check --target {asked.target}: resampled ensembles vary as reruns do"
        raise BenchkitError(message, "check --target rerun, which it is made of, or --vary items --target deployed")
    if asked.vary == "items" and one.ensemble.scores is None and one.curve.voters_used != one.ensemble.counts.voters:
        message = f"--check of --vary items takes all {one.ensemble.counts.voters} voters, not {one.curve.voters_used}"
        raise BenchkitError(message, "leave out --voters-used")
    return asked.vary


def _voters_drawn(
    source: VoteSource, analysed: Sequence[Analysed], varied: Sequence[Vary], draws: int, generator: np.random.Generator
) -> dict[int, VoterBootstrap]:
    """Return the resampled voters of those analyses whose voters vary, by position; one pass over the votes."""
    bootstraps = {}
    needed = sum(32 * draws * (one.curve.voters_used + 1) for one, vary in zip(analysed, varied, strict=True) if vary != "items")
    if needed > MOST_BYTES:
        raise BenchkitError(f"--check {draws} would take {needed / 1e9:.0f} GB", "take fewer draws, or check one --voters-used")
    for number, (one, vary) in enumerate(zip(analysed, varied, strict=True)):
        if vary != "items":
            bootstraps[number] = VoterBootstrap(one.ensemble.counts.voters, one.curve.voters_used, draws, generator)
    if bootstraps:
        for block in source.blocks():
            for number, bootstrap in bootstraps.items():
                if analysed[number].ensemble.name == block.ensemble:
                    votes = block.packed if block.packed is not None else block.votes
                    if votes is None:
                        message = f"--check needs the votes of each voter of '{block.ensemble}'"
                        raise BenchkitError(message, "check --vary items --target deployed")
                    bootstrap.add(block.labels, votes, packed=block.packed is not None)
    return bootstraps


def _at_hand(one: Analysed, draws: int) -> Iterator[Integers]:
    """Yield the histogram of the voters at hand as often as there are draws."""
    return (one.ensemble.counts.histogram for _ in range(draws))


def _analytic(
    one: Analysed, vary: Vary, functionals: Sequence[Functional], request: RocRequest
) -> tuple[Floats, tuple[Floats, Floats]]:
    """Return the mean rates at the chosen thresholds, (2, T), and by formula the SDs of the rates, (2, T), and numbers, (K,).

    Everything is of resampling these voters and items, so the curve is the one with replacement where voters vary.
    """
    counts, m, paper = one.ensemble.counts, one.curve.voters_used, request.variance == "paper"
    mean = one.curve if vary == "items" else of_votes.curve(counts, m, with_replacement=True)
    rates, n = mean.rates[:, one.chosen], counts.items[:, None]
    sampling = rates / n if paper else rates * (1 - rates) / n
    if vary == "items":
        spreads = [number.spread for number in (one.area, *one.marks)]
    else:
        spreads = [spread(counts, m, functional(mean.rates)[1], realised=False)[0] for functional in functionals]
    of_items = np.array([each.poisson if paper else each.items for each in spreads])
    if vary == "items":
        return rates, (np.sqrt(sampling), np.sqrt(of_items))
    again = np.array([each.same_item for each in spreads])
    if paper:
        each_rate = of_votes.same_item_variance(counts, m)[:, one.chosen]
    else:
        left = (counts.voters - 1) / counts.voters
        moments = of_votes.moments(counts, m, one.chosen)
        each_rate = np.stack([moments.same_item[c].diagonal() + left * moments.across_items[c, c].diagonal() for c in range(2)])
        again = again + left * np.array([each.across_items for each in spreads])
    if vary == "both":
        each_rate, again = sampling + each_rate * (1 if paper else 1 - 1 / n), of_items + again
    return rates, (np.sqrt(np.maximum(each_rate, 0.0)), np.sqrt(np.maximum(again, 0.0)))


def _table(
    one: Analysed, vary: Vary, request: RocRequest, found: tuple[Floats, Floats], wanted: tuple[Floats, Floats], draws: int
) -> pl.DataFrame:
    """Return the rows of one ensemble at one size: the numbers, then the rates; the ratio is null where nothing varies."""
    thresholds = one.curve.thresholds[one.chosen].astype(np.float64)
    if one.ensemble.scores is not None:
        thresholds = np.concatenate([[-np.inf], one.ensemble.scores])[one.chosen]
    analytic, bootstrap = (np.concatenate([numbers, rates.ravel()]) for rates, numbers in (found, wanted))
    varies = (analytic > 1e-12) & (bootstrap > 1e-12)
    ratio = np.divide(analytic, bootstrap, out=np.full(len(analytic), np.nan), where=varies)
    size = len(ratio)
    columns: dict[str, object] = {
        "method": [request.variance] * size,
        "ensemble": [one.ensemble.name] * size,
        "voters_used": [None if one.ensemble.scores is not None else one.curve.voters_used] * size,
        "characteristic": ["auc", *(mark.characteristic for mark in request.marks)]
        + ["fpr"] * len(thresholds) + ["tpr"] * len(thresholds),
        "at": [None, *(mark.at for mark in request.marks), *thresholds.tolist(), *thresholds.tolist()],
        "vary": [vary] * size,
        "analytic_sd": analytic,
        "bootstrap_sd": bootstrap,
        "ratio": ratio,
        "ratio_error": ratio / np.sqrt(2 * (draws - 1)),
        "draws": [draws] * size,
    }  # fmt: skip
    return shapes.build(shapes.CHECK, columns).with_columns(pl.col(pl.Float64).fill_nan(None))


def _notes(
    analysed: Sequence[Analysed], varied: Sequence[Vary], ratios: pl.Series, request: RocRequest, draws: int
) -> list[Note]:
    """Say what was compared, and how far apart the two are."""
    words = PAPER if request.variance == "paper" else WHAT
    notes = [Note("check", "--check compares " + "; or ".join(words[vary] for vary in dict.fromkeys(varied)), "info")]
    if len(ratios):
        low, high = float(np.min(ratios.to_numpy())), float(np.max(ratios.to_numpy()))
        text = (
            f"standard deviations by formula are {low:.3f} to {high:.3f} of those of {counted(draws, 'draw')} (rates from "
            f"{NEAR:g} to {1 - NEAR:g}, and the numbers); by chance alone a ratio strays by {1 / np.sqrt(2 * (draws - 1)):.3f}"
        )
        notes.append(Note("check-ratios", text, "info"))
    if request.variance == "joint" and set(varied) != {"items"}:
        why = []
        used = [one.curve.voters_used for one in analysed if one.ensemble.scores is None]
        fewest = min((one.ensemble.counts.voters for one in analysed), default=FEW_VOTERS)
        if any(1 < size < FEW_USED for size in used):
            size = counted(min(size for size in used if size > 1), "voter")
            why.append(f"of ensembles of only {size} the formulas leave out what several voters do together")
        if fewest < FEW_VOTERS:
            why.append(f"draws of {counted(fewest, 'voter')} overstate somewhat what voters add")
        if why:
            notes.append(Note("few-voters", f"{', and '.join(why)}, so that ratios below 1 are no surprise", "info"))
    return notes
