"""The page of rates: docs/validity.md."""

import math
import re
from collections.abc import Iterable, Mapping

from benchmarks.validity.data import KINDS, SPREAD
from benchmarks.validity.rates import STANDARD_ERRORS, Key, exceeds, standard_error
from benchmarks.validity.simulate import DRAWS_OF_POSTERIOR, LEVEL, ROUNDS, Rates
from benchmarks.validity.subjects import ALGORITHMS, BLOCKS, DRAWS, FEWEST_RUNS, RUNS, RUNS_RESAMPLED, impossible, settings

MEASURES = {"error": "false verdict", "covered": "interval misses", "overall": "overall test", "untested": "untested"}
NOT_RUN = "not run, as no time was left"
TOO_SLOW = re.compile(rf"{FEWEST_RUNS} runs need (\d+) seconds")
TIMES = ((20, "20 seconds"), (60, "a minute"), (600, "ten minutes"), (3600, "an hour"))

Found = dict[Key, Rates]


def page(found: Found, rest: str) -> str:
    """Return the page; rest: what follows the tables of the methods."""
    return "\n\n".join([_head(), _summary(found), _methods(found), rest.rstrip("\n")]) + "\n"


KIND_IN_WORDS = {
    "normal": "normal noise",
    "skewed": "lognormal noise, the same for all algorithms",
    "bimodal": "noise with two humps",
    "tied": "normal noise, rounded so that many values are equal",
    "unequal": f"normal noise whose standard deviation differs between algorithms, up to {SPREAD:g} times",
    "skewed, unequal": "exponential noise, unequal in the same way: the medians differ, the means do not",
}
DESIGN_IN_WORDS = {
    "replicates": "each moves all algorithms together by a normal effect of sd 1, beside independent noise of sd 1",
    "replicates with gaps": "the same with a tenth of the cells missing where K > 2",
    "independent samples": "B values of each algorithm",
    "items": "right or wrong on B items that share a difficulty. An outcome is right when difficulty and own noise together "
    "stay below a threshold. normal: a share of .7 right, half of the variance from the difficulty; skewed: .95 right; bimodal: "
    "easy and hard items; tied: 9 of 10 outcomes are the item's own; unequal: some algorithms agree more than others",
    "independent outcomes": "right or wrong; normal: one half right; skewed: .95 right",
    "clusters": "B clusters of 1 to 6 items: an effect of the item, one of cluster x algorithm (sd .7), and noise",
    "data sets": "B data sets of five replicates: effects of data set, of data set x algorithm, of replicate, and half the noise",
    "model": "resamples whose performances have the one correlation n_test/(n_train + n_test) that the corrections assume",
    "regression": "real resamples of 100 rows, which are new in each experiment: each algorithm is a least-squares line on a "
    "feature of its own, performance its mean squared error. tied: rounded to halves; unequal: algorithms add random numbers of "
    "mean 0",
    "holdout, folds, 5x2cv": "a tenth of the rows tested; up to ten folds, repeated for B = 30 and 250; 5 repeats of 2 folds",
}
_POSTERIOR = (
    "a posterior is not adjusted for the number of pairs, and without a margin either side has .05, which makes .10 for one pair."
)
_TAILS = "approximate with few values, most of all in the far tails that several pairs ask for."
_SKEWED = "few replicates with skewed differences; the t distribution takes them for normal."
_OUTCOMES = "few items differ between algorithms that agree on most; the distributions are approximate then (p_exact is not)."
_FOLDS_TIE = "several pairs ask for its far tails; where values are rounded, folds that tie leave no variance (zero-variance)."
PROPERTIES = {
    "bayes-correlated-t": _POSTERIOR,
    "bayes-sign": _POSTERIOR,
    "bayes-signed-rank": _POSTERIOR,
    "bootstrap": "resampled means vary less than means do; much less with few or heavy-tailed replicates, most of all in the far "
    "tails that several pairs ask for.",
    "brunner-munzel": _TAILS,
    "probability-of-improvement": _TAILS,
    "corrected-t": "skewed effects of the data set, which all its resamples share: the t distribution takes them for normal, and "
    "more resamples do not help.",
    "repeated-kfold-t": "as corrected-t.",
    "5x2cv-f": f"repeats share their rows, which F leaves out of account; {_FOLDS_TIE}",
    "5x2cv-t": f"repeats share their rows, which t leaves out of account; {_FOLDS_TIE}",
    "kfold-t": "the negative control: folds are not independent.",
    "mixed": "one variance for all algorithms, where these differ (note unequal-variances); unstructured: the overall test of "
    "few skewed replicates.",
    "cluster-t": _SKEWED,
    "cluster-permutation": "signs of clusters may change where their sums are symmetric; few skewed ones are not.",
    "cochran-q": _OUTCOMES,
    "looney-f": _OUTCOMES,
    "mcnemar": _OUTCOMES,
    "friedman": "the distribution of F is approximate with few replicates or ties (p_exact is not); mean ranks of Nemenyi's test "
    "take all algorithms for equally spread.",
    "quade": "the distribution of F is approximate with few replicates (p_exact is not).",
    "permutation": "signs may change where differences are symmetric; few skewed ones are not.",
    "paired-t": _SKEWED,
    "rm-anova": _SKEWED,
    "welch-t": _SKEWED + " Welch's overall test is approximate with few values, most of all of many algorithms.",
    "games-howell": _SKEWED + " Welch's overall test is approximate with few values.",
    "unpaired-permutation": "few values of unequal spread may not swap; the overall test is Welch's, approximate with few "
    "values, most of all of many algorithms.",
}
HEAD = """# How often the methods err

Written by `make validity` from `benchmarks/validity/rates.csv`. In every experiment all algorithms are equal, and they are
judged at level {level} as by the command: by the method, with Holm's adjustment where it has `--adjust`.

- **false verdict**: share of the experiments in which any pair is called better or worse. It should be at most {alpha}.
  With a posterior, a verdict is a probability of {level} for one side, without a margin.
- **interval misses**: share in which any of the intervals leaves out 0; no line where it is the share of false verdicts.
- **overall test**: share in which it rejects. **untested**: share in which some pair could not be tested, which is no error.

K algorithms, B replicates (items, clusters, data sets). Monte Carlo error, the standard error of a rate of {alpha}:
{errors} experiments. A cell stands for {runs} of them, or says in brackets for
how many. A rate is **bold**, and the method is said to exceed its level, where it is more than {above} standard errors above
{alpha}. Resampling methods draw {draws} samples (so many more as there are pairs, where each pair is resampled for itself),
posteriors {posterior}; exact p-values beside an overall test are left out. A setting has some {seconds:.0f} seconds. An empty
cell has a letter, which is explained below the table."""


def _head() -> str:
    text = HEAD.format(
        level=LEVEL,
        alpha=f"{1 - LEVEL:.2f}",
        errors=", ".join(f"{standard_error(runs):.3f} in {runs}" for runs in (RUNS, 1000, RUNS_RESAMPLED, FEWEST_RUNS)),
        runs=RUNS,
        above=STANDARD_ERRORS,
        draws=DRAWS,
        posterior=DRAWS_OF_POSTERIOR,
        seconds=ROUNDS[-1].seconds,
    )
    kinds = "\n".join(f"- {name}: {KIND_IN_WORDS[name]}." for name in KINDS)
    designs = "\n".join(f"- {name}: {words}." for name, words in DESIGN_IN_WORDS.items())
    return f"{text}\n\nThe data:\n\n{kinds}\n\nThe designs:\n\n{designs}"


def _summary(found: Found) -> str:
    """Return the methods that exceed their level: why, and the worst cell of each kind of data."""
    parts = []
    for entry in dict.fromkeys(key[0].split()[0] for key in found):
        lines = [
            f"- {method}, {design}, {MEASURES[name]}: {_worst({key: _rate(found[key], name) for key in above})}"
            for (method, design), keys in _by_method(found).items()
            if method.split()[0] == entry
            for name in ("error", "covered", "overall")
            # where verdicts come from the intervals, these say the same
            if (
                above := [
                    key for key in keys if exceeds(found[key], name) and (name != "covered" or not exceeds(found[key], "error"))
                ]
            )
        ]
        if lines:
            why = PROPERTIES.get(entry, "")
            parts.append(f"**{entry}**{': ' if why else ''}{why}\n\n" + "\n".join(lines))
    return "## Which exceed their level\n\n" + "\n\n".join(parts or ["None."])


def _worst(rates: Mapping[Key, float]) -> str:
    parts = []
    for kind in KINDS:
        of_kind = [key for key in rates if key[2] == kind]
        if of_kind:
            worst = max(of_kind, key=rates.__getitem__)
            parts.append(f"{kind} up to {rates[worst]:.3f} (K = {worst[3]}, B = {worst[4]})")
    return "; ".join(parts)


def _rate(rates: Rates, name: str) -> float:
    value: float = getattr(rates, name)
    return 1 - value if name == "covered" else value


def _by_method(found: Iterable[Key]) -> dict[tuple[str, str], list[Key]]:
    grouped: dict[tuple[str, str], list[Key]] = {}
    for key in found:
        grouped.setdefault(key[:2], []).append(key)
    return grouped


def _methods(found: Found) -> str:
    filled = {one.key: found.get(one.key) or Rates(0, reason=impossible(one) or NOT_RUN) for one in settings()}
    parts = [_table(f"## {method}: {design}", method, design, filled) for method, design in _by_method(filled)]
    return "\n\n".join(parts)


def _table(title: str, method: str, design: str, found: Found) -> str:
    """Return the table of a method, one line for each kind of data and measure, and the reasons of its empty cells."""
    sizes = [(K, B) for K in ALGORITHMS for B in BLOCKS]
    reasons: dict[str, str] = {}
    lines = []
    for kind in KINDS:
        cells = [found[method, design, kind, K, B] for K, B in sizes]
        if len({cell.reason for cell in cells}) == 1 and not any(cell.runs for cell in cells):
            lines.append([kind, cells[0].reason, *[""] * len(cells)])
            continue
        for name in _measures(cells):
            lines.append([kind, MEASURES[name], *(_cell(cell, name, reasons) for cell in cells)])
    headings = ["data", "rate of", *(f"K {K}, B {B}" for K, B in sizes)]
    rows = [headings, ["---"] * len(headings), *lines]
    notes = "; ".join(f"{letter}: {reason}" for reason, letter in reasons.items())
    return f"{title}\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows) + (f"\n\n{notes}" if notes else "")


def _measures(cells: Iterable[Rates]) -> list[str]:
    """Return what is shown of a line of cells: what there is, and says more than the lines before."""
    run = [cell for cell in cells if cell.runs]
    shown = ["error"]
    missed = [cell for cell in run if not math.isnan(cell.covered)]
    if any(f"{1 - cell.covered:.3f}" != f"{cell.error:.3f}" for cell in missed):
        shown.append("covered")
    if any(not math.isnan(cell.overall) for cell in run):
        shown.append("overall")
    if any(cell.untested > 0 for cell in run):
        shown.append("untested")
    return shown


def _reason(cell: Rates) -> str:
    """Return why a cell is empty; how many seconds it would take is rounded up to one of a few times."""
    found = TOO_SLOW.fullmatch(cell.reason)
    if found is None:
        return cell.reason
    longest = next((words for seconds, words in TIMES if int(found[1]) <= seconds), "hours")
    return f"{FEWEST_RUNS} runs would take up to {longest}"


def _cell(cell: Rates, name: str, reasons: dict[str, str]) -> str:
    if not cell.runs:
        return reasons.setdefault(_reason(cell), "abcdefghijklmnopqrstuvwxyz"[len(reasons)])
    rate = _rate(cell, name)
    if math.isnan(rate):
        return ""
    text = f"{rate:.3f}"
    if name != "untested" and exceeds(cell, name):
        text = f"**{text}**"
    return text if cell.runs == RUNS else f"{text} ({cell.runs})"
