"""Simulates how right the standard deviations, bands and tests of `benchkit roc` are, beside the paper's formulas.

A population of 4096 trees of one random forest, grown on one training set, votes on 20,000 items: an experiment draws an
ensemble and a test set from it. Truths are standard deviations over many experiments. Kept in roc_curves.csv.
"""

import csv
from pathlib import Path

import numpy as np

from benchkit.core.roc.analysis import Analysed, analyse
from benchkit.core.roc.comparison import compare
from benchkit.core.roc.request import RocRequest
from benchkit.core.roc.voting import Ensemble, collect
from benchkit.methods.curve.questions import Asked
from benchkit.tables.votes import VoteBlock, VoteSource

FILE = Path(__file__).parent / "roc_curves.csv"
TREES, ITEMS, SIZE = 4096, 20_000, 64
FIELDS = ("what", "items", "voters", "thresholds", "runs", "joint_low", "joint_high", "paper_low", "paper_high")
TRUTHS, ESTIMATES, COVERAGE, TESTS = 2000, 30, 400, 400


def population() -> tuple[np.ndarray, np.ndarray]:
    """Return the votes, shape (ITEMS, TREES), and the labels of the items; an AUC of about 0.8 in ensembles of 64."""
    from sklearn.datasets import make_classification
    from sklearn.ensemble import RandomForestClassifier

    features, labels = make_classification(
        1000 + ITEMS, 20, n_informative=4, n_redundant=4, flip_y=0.25, class_sep=0.7, random_state=7
    )
    forest = RandomForestClassifier(TREES, max_depth=8, n_jobs=2, random_state=7).fit(features[:1000], labels[:1000])
    rows = features[1000:].astype(np.float32)
    votes = np.column_stack([tree.predict(rows).astype(np.uint8) for tree in forest.estimators_])
    return votes, labels[1000:].astype(np.int8)


def ensemble(votes: np.ndarray, labels: np.ndarray, name: str = "forest") -> Ensemble:
    """Return an ensemble as `roc` counts it."""
    import polars as pl

    items = pl.Series(np.arange(len(labels))).cast(pl.String)
    block = VoteBlock(name, votes.shape[1], items, labels, votes=np.ascontiguousarray(votes))
    return collect(VoteSource("votes", lambda: iter([block]), [name], dict), with_sums=True)[0]


def simulate() -> list[dict[str, object]]:
    """Return the rows of the table."""
    votes, labels = population()
    rows = []
    for number in (500, 2000):
        for vary, word in (("both", "new trees, new items"), ("voters", "new trees, same items")):
            rows += standard_deviations(votes, labels, number, vary, word)
        rows += [coverage(votes, labels, number), rejections(votes, labels, number)]
    return rows


def drawn(generator: np.random.Generator, number: int) -> np.ndarray:
    """Return the rows of a test set."""
    return generator.choice(ITEMS, number, replace=False)


def standard_deviations(votes: np.ndarray, labels: np.ndarray, number: int, vary: str, word: str) -> list[dict[str, object]]:
    """Return the ratios of estimated and true standard deviations of FPR and TPR, from a pool of 10 m trees and from m."""
    generator = np.random.default_rng([number, vary == "both"])
    fixed = drawn(generator, number)
    rates = np.empty((TRUTHS, 2, SIZE + 1))
    for run in range(TRUTHS):
        items = drawn(generator, number) if vary == "both" else fixed
        taken = votes[np.ix_(items, generator.choice(TREES, SIZE, replace=False))].sum(axis=1)
        for c in range(2):
            counts = np.bincount(taken[labels[items] == c], minlength=SIZE + 1)
            rates[run, c] = np.cumsum(counts[::-1])[::-1] / counts.sum()
    truth, mean = rates.std(axis=0, ddof=1), rates.mean(axis=0)
    inside = (mean >= 0.02) & (mean <= 0.98)
    found = []
    for voters in (10 * SIZE, SIZE):
        estimates = {"joint": np.zeros(truth.shape), "paper": np.zeros(truth.shape)}
        for _ in range(ESTIMATES):
            items = drawn(generator, number) if vary == "both" else fixed
            one = ensemble(votes[np.ix_(items, generator.choice(TREES, voters, replace=False))], labels[items])
            for variance, total in estimates.items():
                asked = RocRequest(Asked(vary, "rerun"), (SIZE,), variance=variance)  # type: ignore[arg-type]
                parts = analyse(one, SIZE, asked, generator).parts
                total += np.stack([part.total for part in parts])
        ratio = {name: np.sqrt(total / ESTIMATES)[inside] / truth[inside] for name, total in estimates.items()}
        ends = {f"{name}_{side}": end(part) for name, part in ratio.items() for side, end in (("low", np.min), ("high", np.max))}
        what = f"sd ratio, {word}"
        found.append({"what": what, "items": number, "voters": voters, "thresholds": int(inside.sum()), "runs": TRUTHS, **ends})
    return found


def covers(one: Analysed, mean: np.ndarray) -> bool | None:
    """Tell whether the mean curve lies within the band wherever the band makes a claim; None without a band."""
    if one.band is None:
        return None
    lines = [line[:, np.argsort(line[0])] for line in (one.band.upper, one.band.lower)]
    left, right = max(line[0, 0] for line in lines), min(line[0, -1] for line in lines)
    at = np.linspace(left, right, 400)
    true = np.interp(at, mean[0][::-1], mean[1][::-1])
    upper, lower = (np.interp(at, line[0], line[1]) for line in lines)
    return bool(((true <= upper + 1e-9) & (true >= lower - 1e-9)).all())


def coverage(votes: np.ndarray, labels: np.ndarray, number: int) -> dict[str, object]:
    """Return how often the default band of one forest and test set holds the population's mean curve."""
    generator = np.random.default_rng([number, 7])
    mean = analyse(ensemble(votes, labels), SIZE, RocRequest(Asked("items", "rerun"), (SIZE,)), generator).curve.rates
    hits: dict[str, list[bool]] = {"joint": [], "paper": []}
    for _ in range(COVERAGE):
        items = drawn(generator, number)
        one = ensemble(votes[np.ix_(items, generator.choice(TREES, SIZE, replace=False))], labels[items])
        for variance, held in hits.items():
            asked = Asked("both", "rerun") if variance == "joint" else Asked("voters", "rerun")
            answer = covers(analyse(one, SIZE, RocRequest(asked, variance=variance), generator), mean)  # type: ignore[arg-type]
            if answer is not None:
                held.append(answer)
    ends = {f"{name}_{side}": float(np.mean(held)) for name, held in hits.items() for side in ("low", "high")}
    what = "coverage of the band, mean curve"
    return {"what": what, "items": number, "voters": SIZE, "thresholds": SIZE, "runs": len(hits["joint"]), **ends}


def rejections(votes: np.ndarray, labels: np.ndarray, number: int) -> dict[str, object]:
    """Return how often two forests of one procedure differ in AUC at level 0.05, on the same items."""
    generator = np.random.default_rng([number, 9])
    hits: dict[str, list[bool]] = {"joint": [], "paper": []}
    for _ in range(TESTS):
        items = drawn(generator, number)
        trees = generator.choice(TREES, 2 * SIZE, replace=False)
        pair = [
            ensemble(votes[np.ix_(items, part)], labels[items], name) for name, part in zip("ab", np.split(trees, 2), strict=True)
        ]
        for variance, rejected in hits.items():
            asked = Asked("both", "rerun") if variance == "joint" else Asked("voters", "rerun")
            request = RocRequest(asked, variance=variance)  # type: ignore[arg-type]
            found = compare([analyse(one, SIZE, request, generator) for one in pair], request, 0)
            rejected.append(bool(found.answer.pairs.p_value[0] <= 0.05))
    ends = {f"{name}_{side}": float(np.mean(held)) for name, held in hits.items() for side in ("low", "high")}
    return {"what": "rejections of equal forests, AUC", "items": number, "voters": SIZE, "thresholds": 0, "runs": TESTS, **ends}


def write() -> None:
    """Simulate and keep the rows."""
    with FILE.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
        writer.writeheader()
        for row in simulate():
            writer.writerow({name: f"{value:.3f}" if isinstance(value, float) else value for name, value in row.items()})


def part() -> str:
    """Return the section of the page, from the rows kept; empty without them."""
    if not FILE.exists():
        return ""
    with FILE.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    head = "| what | items | voters | runs | joint (default) | paper |\n| --- | --- | --- | --- | --- | --- |\n"
    lines = [
        f"| {row['what']} | {row['items']} | {row['voters']} | {row['runs']} "
        f"| {_range(row, 'joint')} | {_range(row, 'paper')} |\n"
        for row in rows
    ]
    return HEADING + head + "".join(lines)


def _range(row: dict[str, str], name: str) -> str:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return low if low == high else f"{low} to {high}"


HEADING = f"""
## ROC curves of voting ensembles

A random forest of {TREES} trees, grown on 1000 rows, votes on {ITEMS:,} items; an experiment draws {SIZE} of its trees and a test
set. `sd ratio`: the smallest and the largest ratio, over all thresholds whose mean rate lies in [0.02, 0.98], of the estimated
standard deviation of FPR and TPR (root of the mean variance of {ESTIMATES} estimates from so many voters) to that over {TRUTHS}
experiments (itself known within 1.6%). The paper's formulas take items as independent although they share the voters, and hold
the sum of Poisson weights fixed. `coverage`: how often the whole mean curve lies within the 95% band of one forest and test set;
`rejections`: how often two forests of the same procedure differ at level 0.05 (should be 0.05); the paper's there are its own
intervals, in which only the voters vary.

"""


if __name__ == "__main__":
    write()
