"""What a reader of a comparison should know, in words that say what to do next."""

from collections.abc import Iterable

import numpy as np

from benchkit.core import components
from benchkit.core.answer_tables import new_data_interval
from benchkit.core.cautions import cautions, largest_posterior, liberal
from benchkit.core.effects import without_effect
from benchkit.core.finding import Finding
from benchkit.core.names import counted, listed, quoted
from benchkit.core.question import Choice
from benchkit.core.sentences import margin_text
from benchkit.core.target import ALLOWING
from benchkit.core.variation import of_pair, separated, without_error, without_variation
from benchkit.core.verdicts import Verdicts
from benchkit.methods.records import Remark
from benchkit.tables.result import Note, Severity

ADVISED = 100
# what single methods say of themselves; the numbers of their remarks stand in the table
METHOD_WORDS = {
    "no-discordant": "two algorithms have the same items right: nothing tells them apart",
    "mixed-variants": "pairs with many items that differ got the chi-square, the others the mid-p value (--variant chooses one)",
    "sizes-unknown": "no columns n_train and n_test tell the sizes of training and test sets; add --test-share",
    "layout-unknown": "no columns repeat and fold tell how the folds are arranged: each replicate is taken for a fold",
    "negative-control": "this test takes folds for independent and rejects too often; corrected-t does not",
    "first-difference-disagrees": "the first difference, which this test rests on, points another way than the mean (5x2cv-f)",
    "many-pairs": "with so many pairs this test, whose far tails count then, rejects somewhat too often: compare fewer "
    "(--baseline), or use --method 5x2cv-t",
    "uneven-repeats": "repeats disagree so much that every shift is rejected: the interval has no width",
    "few-draws": "the level is out of reach of so few draws: intervals are infinite",
    "normal-approximation": "too many ranks for the exact distribution: the normal one stands in",
    "perfect-agreement": "all replicates agree on the order: the statistic is at its limit",
    "ties": "all values tie in every replicate",
    "rank-direction": "ranks and means point in different directions for a pair: its estimate is left out",
    "not-connected": "the replicates fall into groups that share no algorithm: no overall test",
    "strata-left-out": "data sets with fewer than two runs of one of them are left out (column strata)",
    "mean-ranks": "verdicts on mean ranks depend on which other algorithms are there (Benavoli, Corani & Mangili 2016); "
    "--post-hoc wilcoxon judges each pair by itself",
    "two-algorithms": "with two algorithms Friedman's test is the exact sign test, which answers here (as --method sign)",
    "directions-disagree": "means and quantiles point in different directions: no verdict",
}

OF_SAMPLES = {"separated-samples": separated, "ratio-without-error": without_error}


def of_finding(finding: Finding, choice: Choice, rival: Verdicts | None) -> list[Note]:
    """Return the notes of one experiment: how the method was chosen, what it is about, what limits it."""
    one = finding.experiment
    collected: list[Note] = []

    def add(code: str, message: str, severity: Severity = "warning") -> None:
        collected.append(Note(code, message, severity, one.metric, one.dataset))

    if choice.automatic:
        why = (
            "; --method mixed alone is the model of Eugster & Leisch (2008)"
            if choice.entry.name == "mixed"
            else f": {choice.reason}"
        )
        add("chosen-method", f"chose {choice.typed}{why}; --explain tells more", "info")
    for code, message in _about_the_blocks(finding):
        add(code, message)
    for remark in finding.answer.remarks:
        message = _remark(finding, remark, rival)
        if message:
            add(remark.code, message)
    if rival is not None and finding.answer.method != "mixed":
        changed = _changed(finding, rival)
        if changed:
            add("pooled-differs", f"with pooled variances (--method mixed) it {changed}", "info")
    for code, message in (*cautions(finding), *without_effect(finding)):
        add(code, message)
    for code, message in _about_the_verdicts(finding):
        add(code, message, "info" if code == "relative-margin" else "warning")
    return collected


def _about_the_blocks(finding: Finding) -> Iterable[tuple[str, str]]:
    """Say what the replicates are, and so what the conclusion is about."""
    one = finding.experiment
    if one.block in ("data set", "item"):
        return
    kind = one.resampling_kind
    name = f"resamples of {one.dataset}" if one.dataset else "resamples of one data set"
    if kind == "resamples":
        yield "inference-target", f"about {name}{_rows(finding)}, not about new data; {_new_data(finding)}"
    elif kind == "folds" and not finding.answer.method.startswith(ALLOWING):
        what = one.resampling or "cross-validation"
        folds = one.sizes is None and one.folds > 1
        allowed = "--method repeated-kfold-t allows for it" if folds else _new_data(finding)
        yield "dependent-replicates", f"{what} replicates share training rows, so these intervals are too narrow; {allowed}"
    elif kind == "unknown" and finding.paired:
        why = f"resampling '{one.resampling}' does not tell" if one.resampling else "no column 'resampling' tells"
        yield (
            "resampling-unknown",
            f"{why} how far the replicates are independent: taken as independent; cross-validation folds are not",
        )
    elif kind == "one-test-set":
        yield "inference-target", "every replicate was tested on the same rows: about these rows, not about new ones"


def _rows(finding: Finding) -> str:
    """Return the number of rows of the data set where the sizes tell it."""
    sizes = finding.experiment.sizes
    if sizes is None:
        return ""
    rows = sizes[0] if finding.experiment.resampling == "bootstrap" else sizes[0] + sizes[1]
    return f" ({rows:.0f} rows)"


def _new_data(finding: Finding) -> str:
    """Say how many pairs an interval for new data would still separate."""
    low, high = new_data_interval(finding)
    if np.isnan(low).all():
        return "the columns n_train and n_test would give an interval that allows for it"
    differ = sum(word in ("better", "worse") for word in finding.verdicts.verdict)
    still = int(((low > finding.margin) | (high < -finding.margin)).sum())
    columns = "new_data_low, new_data_high"
    if not differ:
        return f"intervals that allow for it are there, too ({columns})"
    if still >= differ:
        return f"the same pairs differ there ({columns})"
    if differ == 1:
        return f"the pair that differs would not differ there ({columns})"
    return f"{still} of the {differ} pairs that differ would still differ there ({columns})"


def _remark(finding: Finding, remark: Remark, rival: Verdicts | None) -> str:
    """Put a method's remark into words; an empty string if there is nothing to say."""
    pairs = listed([of_pair(finding, position) for position in remark.pairs])
    if remark.code == "unequal-variances":
        (low, narrow), (high, wide) = (
            (remark.numbers[f"{side}_sd"] * finding.unit, of_pair(finding, int(remark.numbers[side])))
            for side in ("narrowest", "widest")
        )
        spread = f"differences of {wide} have sd {high:.4g}, of {narrow} {low:.4g}"
        changed = "" if rival is None else _changed(finding, rival) or "finds the same"
        effect = f"; without pooling, it {changed}" if changed else ""
        return (
            f"the variances are unequal ({spread}) and this model pools them{effect} ({components.instead_of_pooling(finding)})"
        )
    if remark.code == "liberal-at-small-n":
        return liberal(finding, remark)
    if remark.code == "too-few-to-reach":
        return largest_posterior(finding, remark)
    words = {
        "small-n": _few_replicates(finding, remark),
        "zero-variance": without_variation(finding, remark),
        "singular-fit": components.at_boundary(finding, remark),
        "confounded-components": components.confounded(remark),
        "replicates-agree": components.REPLICATES_AGREE,
        **{code: text + _where(finding, pairs) for code, text in METHOD_WORDS.items()},
        "sizes-from-folds": f"no columns n_train and n_test: {counted(int(remark.numbers.get('folds', 0)), 'fold')} of one size "
        "are taken for granted (--test-share tells another)",
        "not-estimable": _not_estimable(finding, pairs),
        "incomplete-replicates": _left_out(finding, remark),
        "failures-ranked-worst": f"{counted(int(remark.numbers.get('cells', 0)), 'missing cell')} took the worst rank of "
        f"the {finding.experiment.block} (--failures worst-rank); estimates are of the values that there are",
        "few-distinct-differences": f"the differences of {pairs} take too few values for an interval; more replicates help",
    }
    if remark.code in OF_SAMPLES:
        return OF_SAMPLES[remark.code](finding, remark)
    return words.get(remark.code, remark.code.replace("-", " ") + (f": {pairs}" if pairs else ""))


def _where(finding: Finding, pairs: str) -> str:
    """Return in parentheses the pairs that a remark concerns, where there are others."""
    return f" ({pairs})" if pairs and len(finding.blocks.contrasts) > 1 else ""


def _not_estimable(finding: Finding, pairs: str) -> str:
    """Say of which pairs there is no error, and what there is too little of."""
    one = finding.experiment
    if one.clusters is None or one.block == "data set":
        return f"no estimate or no error of {pairs}: too few shared replicates"
    if len(one.cluster_names) == 1:
        return "there is one cluster only: no error can be estimated"
    return f"no estimate or no error of {pairs}: they share fewer than two clusters"


def _left_out(finding: Finding, remark: Remark) -> str:
    """Say how many incomplete replicates a method leaves out."""
    number = int(remark.numbers.get("left_out", 0))
    used = len(finding.experiment.replicates) - number
    return f"{counted(number, 'incomplete ' + finding.experiment.block)} left out of the overall test, which uses {used}"


def _few_replicates(finding: Finding, remark: Remark) -> str:
    """Say what cannot be had with so few replicates."""
    count = int(remark.numbers.get("replicates", len(finding.experiment.replicates)))
    if count < 2:
        return ""  # one-replicate and unequal-replicates say it
    few = f"only {counted(count, finding.experiment.block)}" + (
        " with two algorithms" if count < len(finding.experiment.replicates) else ""
    )
    if all(verdict is None for verdict in finding.verdicts.verdict):
        return f"{few}: too few for intervals"
    if "algorithms" in remark.numbers:
        return f"{few} for {counted(len(finding.experiment.algorithms), 'algorithm')}: too few for an overall test"
    if finding.answer.posterior is not None:
        return f"{few}: the posterior says little more than its prior"
    if "expected" in remark.numbers:
        return "few outcomes of a kind are expected in a sample: the normal distribution is rough; --method fisher is exact"
    normal = "" if np.isnan(finding.answer.pairs.std_error).all() else " and rest on normal differences"
    return f"{few}: the intervals are wide{normal}"


def _changed(finding: Finding, rival: Verdicts) -> str:
    """Say in which pairs the rival's verdicts differ from the finding's; empty if in none."""
    lost: list[int] = []
    gained: list[int] = []
    turned: list[int] = []
    pairs = zip(finding.verdicts.verdict, rival.verdict, strict=True)
    for position, (mine, other) in enumerate(pairs):
        if mine == other or mine is None or other is None:
            continue
        separated = {"better", "worse"}
        kind = lost if mine in separated and other not in separated else gained if other in separated else turned
        kind.append(position)
    parts = []
    if lost:
        parts.append("would not separate " + listed([of_pair(finding, position) for position in lost]))
    if gained:
        better = [_better_pair(finding, position, rival.verdict[position]) for position in gained]
        parts.append(f"separates {counted(len(gained), 'more pair')}: " + listed(better))
    if turned:
        parts.append("judges differently " + listed([of_pair(finding, position) for position in turned]))
    return "; ".join(parts)


def _better_pair(finding: Finding, position: int, verdict: str | None) -> str:
    names = finding.experiment.algorithms
    a, b = finding.blocks.contrasts[position]
    first, second = (a, b) if verdict == "better" else (b, a)
    return f"{quoted(names[first])} < {quoted(names[second])}"


def margin_advice(replicates: int) -> str:
    """Say that so many replicates separate everything."""
    return f"all pairs differ at B = {replicates}; say what difference matters with --margin"


def _about_the_verdicts(finding: Finding) -> Iterable[tuple[str, str]]:
    """Say what the verdicts do not tell by themselves."""
    verdicts, overall = finding.verdicts.verdict, finding.answer.overall
    differ = [word in ("better", "worse") for word in verdicts]
    if overall is not None and overall.p_value > 1 - finding.level and any(differ):
        yield "omnibus-disagrees", "the overall test is not significant and a pair is; the pairs control the error by themselves"
    if all(differ) and len(finding.experiment.replicates) >= ADVISED and not finding.margin.any():
        yield "margin-advised", margin_advice(len(finding.experiment.replicates))
    if finding.relative_margin and not np.isnan(finding.margin).all():
        size = margin_text(finding.margin.tolist())
        yield "relative-margin", f"the margin is a share of the mean of b ({size}), treated as known"
