"""What the peers are asked, each in a process of its own in their own environment: it knows nothing of benchkit.

Usage: python peer_calls.py TASK DISTRIBUTION VALUES.npy LIMIT. Prints two lines of JSON: {"version"} once all is imported, and
{"seconds", "answer"}, the least of up to three runs and one number that benchkit finds, too. A run that takes longer than
LIMIT seconds ends the process by SIGALRM.
"""

import contextlib
import importlib
import json
import signal
import sys
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from itertools import combinations
from typing import Any

import numpy as np

RUNS, ENOUGH = 3, 5.0  # no further run once so many seconds have passed
DRAWS, POSTERIOR_DRAWS, ROPE = 9999, 50_000, 0.1


def pairs(values: Any) -> Any:
    """Return the columns of values, two and two."""
    return combinations(np.ascontiguousarray(values.T), 2)


def mlxtend_outcomes(values: Any) -> float:
    """Return Cochran's Q, after McNemar's test of all pairs."""
    evaluate = importlib.import_module("mlxtend.evaluate")
    columns = np.ascontiguousarray(values.T).astype(np.int64)
    right = np.ones(len(values), dtype=np.int64)
    for a, b in combinations(columns, 2):
        evaluate.mcnemar(evaluate.mcnemar_table(right, a, b), corrected=False)
    return float(evaluate.cochrans_q(right, *columns)[0])


def statsmodels_outcomes(values: Any) -> float:
    """Return Cochran's Q, after McNemar's test of all pairs; it takes 2x2 tables, which numpy counts here."""
    table = importlib.import_module("statsmodels.stats.contingency_tables")
    for a, b in combinations(np.ascontiguousarray(values.T).astype(np.int64), 2):
        table.mcnemar(np.bincount(2 * a + b, minlength=4).reshape(2, 2), exact=False, correction=False)
    return float(table.cochrans_q(values).statistic)


def posthocs_friedman(values: Any) -> float:
    """Return Friedman's chi-square (from scipy), after Nemenyi's p-values."""
    importlib.import_module("scikit_posthocs").posthoc_nemenyi_friedman(values)
    return float(importlib.import_module("scipy.stats").friedmanchisquare(*values.T).statistic)


def autorank_friedman(values: Any) -> float:
    """Return NaN: autorank tells no statistic, but a p-value, which is 0 here."""
    frame = importlib.import_module("pandas").DataFrame(values)
    importlib.import_module("autorank").autorank(frame, force_mode="nonparametric")
    return float("nan")


def cliffs_delta(values: Any) -> float:
    """Return the delta of the first pair, positive if less is more often its first, after those of all."""
    one = importlib.import_module("cliffs_delta").cliffs_delta
    answers = [one(b, a)[0] for a, b in pairs(values)]
    return float(answers[0])


def scipy_permutation(values: Any) -> float:
    """Return the p-value of the first pair, after those of all, not adjusted."""
    test = importlib.import_module("scipy.stats").permutation_test

    def mean_difference(a: Any, b: Any, axis: int) -> Any:
        return (a - b).mean(axis=axis)

    generator = np.random.default_rng(1)
    settings = {"permutation_type": "samples", "vectorized": True, "n_resamples": DRAWS, "rng": generator}
    answers = [test((a, b), mean_difference, **settings).pvalue for a, b in pairs(values)]
    return float(answers[0])


def mlxtend_permutation(values: Any) -> float:
    """Return the p-value of the first pair, after those of all, not adjusted."""
    test = importlib.import_module("mlxtend.evaluate").permutation_test
    settings = {"method": "approximate", "num_rounds": DRAWS, "seed": 1, "paired": True}
    answers = [test(a, b, **settings) for a, b in pairs(values)]
    return float(answers[0])


def baycomp_signed_rank(values: Any) -> float:
    """Return the probability that the first algorithm is better, where less is better."""
    test = importlib.import_module("baycomp").SignedRankTest
    return float(test.probs(values[:, 0], values[:, 1], ROPE, nsamples=POSTERIOR_DRAWS, random_state=1)[2])


def sklearn_area(values: Any) -> float:
    """Return the area under the ROC curve; scikit-learn knows no variance of it."""
    return float(importlib.import_module("sklearn.metrics").roc_auc_score(values[:, 0], values[:, 1]))


def confidenceinterval_delong(values: Any) -> float:
    """Return the area, after DeLong's interval."""
    labels = values[:, 0].astype(np.int64)
    return float(importlib.import_module("confidenceinterval").roc_auc_score(labels, values[:, 1])[0])


def mlstatkit_delong(values: Any) -> float:
    """Return the area, after DeLong's test of the scores against others: it takes two."""
    test = importlib.import_module("MLstatkit").Delong_test
    return float(test(values[:, 0].astype(int), values[:, 1], values[:, 2])[4])


# by task and distribution: what is imported before the clock starts, and what is timed
CALLS: dict[tuple[str, str], tuple[str, Callable[[Any], float]]] = {
    ("outcomes", "mlxtend"): ("mlxtend.evaluate", mlxtend_outcomes),
    ("outcomes", "statsmodels"): ("statsmodels.stats.contingency_tables", statsmodels_outcomes),
    ("friedman", "scikit-posthocs"): ("scikit_posthocs", posthocs_friedman),
    ("friedman", "autorank"): ("autorank", autorank_friedman),
    ("cliffs-delta", "cliffs-delta"): ("cliffs_delta", cliffs_delta),
    ("permutation", "scipy"): ("scipy.stats", scipy_permutation),
    ("permutation", "mlxtend"): ("mlxtend.evaluate", mlxtend_permutation),
    ("signed-rank", "baycomp"): ("baycomp", baycomp_signed_rank),
    ("delong", "scikit-learn"): ("sklearn.metrics", sklearn_area),
    ("delong", "confidenceinterval"): ("confidenceinterval", confidenceinterval_delong),
    ("delong", "MLstatkit"): ("MLstatkit", mlstatkit_delong),
}


def run(task: str, distribution: str, file: str, limit: float) -> None:
    """Import, say so, run and time."""
    warnings.simplefilter("ignore")
    module, call = CALLS[task, distribution]
    importlib.import_module(module)
    importlib.import_module("scipy.stats")
    values = np.load(file)
    print(json.dumps({"version": version(distribution)}), flush=True)
    seconds: list[float] = []
    answer = float("nan")
    while len(seconds) < RUNS and sum(seconds) < ENOUGH:
        signal.setitimer(signal.ITIMER_REAL, limit)
        start = time.perf_counter()
        with contextlib.redirect_stdout(sys.stderr):  # some peers talk
            answer = call(values)
        seconds.append(time.perf_counter() - start)
        signal.setitimer(signal.ITIMER_REAL, 0.0)
    print(json.dumps({"seconds": min(seconds), "answer": None if np.isnan(answer) else answer}), flush=True)


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]))
