"""Right and wrong answers of published examples, as patterns with how often they occur."""

from collections.abc import Mapping

import numpy as np

from benchkit.methods.records import Blocks, Floats, Integers

# shared/reference/votes.csv: forest, knn, logit, tree on 200 items, as counted from the file; R's answers are in classifiers.json
VOTES = {
    "1111": 119, "1110": 23, "1011": 14, "1010": 7, "1100": 7, "0000": 6, "1001": 5, "0010": 4, "1101": 4, "0011": 4,
    "1000": 3, "0111": 2, "0001": 1, "0101": 1,
}  # fmt: skip
# mlxtend, cochrans_q.ipynb and ftest.ipynb: three models on 100 items
MLXTEND = {"111": 80, "011": 9, "000": 3, "001": 3, "100": 2, "110": 2, "010": 1}
# SAS/STAT, PROC FREQ, example "Cochran's Q test" (Agresti 2002): drugs A, B, C, 46 subjects
DRUGS = {"111": 6, "011": 2, "110": 16, "010": 4, "101": 2, "001": 6, "100": 4, "000": 6}
# llm-drift (Chen, Zaharia & Zou 2023), is a number prime: gpt-3.5 0301 and 0613, gpt-4 0314 and 0613 on 1000 items
PRIMES = {
    "0110": 387, "1111": 226, "1011": 124, "1001": 103, "0010": 66, "1101": 31, "1110": 19, "1000": 10, "0111": 9, "0100": 7,
    "1010": 5, "0011": 4, "0001": 4, "0000": 4, "0101": 1,
}  # fmt: skip


def oriented(patterns: Mapping[str, int]) -> Floats:
    """Return the items as rows, right -1 and wrong 0."""
    return np.array([[-float(digit) for digit in pattern] for pattern, count in patterns.items() for _ in range(count)])


def from_table(n11: int, n10: int, n01: int, n00: int) -> Floats:
    """Return the items of a 2 x 2 table."""
    return oriented({"11": n11, "10": n10, "01": n01, "00": n00})


def outcome_blocks(values: Floats, contrasts: Integers, clusters: Integers | None = None, **options: str) -> Blocks:
    """Return Blocks with options of the method."""
    return Blocks(values, contrasts, 0.95, np.random.default_rng(1), options=options, clusters=clusters)
