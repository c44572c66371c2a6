"""Results to write: a summary and a test with plain numbers, and names that every format must survive."""

from typing import Any

import polars as pl

from benchkit.tables import shapes
from benchkit.tables.result import Note, Result

ODD_NAMES = (
    "10%_tree", "a&b", "svm_rbf", "x|y", "[bold]red[/bold]", "*star*", "`tick`", "<b>&amp;</b>", "~{$^#}\\", "\x1b[31mred",
    "two\nlines", "\u202egpj.exe", "決定木", "e\u0301te\u0301", "🌲 forest", "👩\u200d🔬", "=1+1", 'say "hi", ok',
)  # fmt: skip


def summary(rows: list[dict[str, Any]], **more: Any) -> Result:
    table = shapes.build(shapes.ALGORITHMS, rows)
    return Result("summarize", {"algorithms": table}, **{"headlines": ["mse: two algorithms"], **more})


def small() -> Result:
    """Two algorithms, one with a missing interval."""
    first = {"metric": "mse", "dataset": "mcycle", "algorithm": "gam", "n": 250, "mean": 570.04, "sd": 117.9, "wins": 155.0}
    second = {"metric": "mse", "dataset": "mcycle", "algorithm": "lm", "n": 250, "mean": 2213.36, "sd": 340.25, "wins": 0.5}
    interval = {"ci_low": 555.3, "ci_high": 584.64, "ci_level": 0.95}
    note = Note("ties", "3 replicates are tied", "warning", "mse")
    return summary([first | interval, second], notes=[note], provenance={"seed": 1, "options": {"level": 0.95}})


def odd_summary() -> Result:
    """One algorithm for each odd name."""
    rows = [{"algorithm": name, "mean": 1.5 + place, "sd": 0.25} for place, name in enumerate(ODD_NAMES)]
    return summary(rows, headlines=[f"best: {ODD_NAMES[9]}"])


def pairs() -> Result:
    """Twelve pairs in two metrics of different scale, with p-values from 1 down to 0."""
    p_values = (1.0, 0.8142, 0.04214, 0.003214, 3.214e-4, 2.34e-7, 1e-299, 0.0, None, 0.5, 0.25, 0.125)
    rows = [
        {
            "metric": "accuracy" if place < 6 else "seconds", "dataset": "iris", "method": "mixed", "a": "a", "b": f"b{place}",
            "estimate": (-1) ** place * (0.01234 * (place + 1) if place < 6 else 123.4567 * place),
            "ci_low": -0.5 if place < 6 else -2000.0, "ci_high": 0.25 if place < 6 else 1500.0, "ci_level": 0.9,
            "p_adjusted": p_values[place], "noninferior": place % 2 == 0, "verdict": "undecided",
        }
        for place in range(12)
    ]  # fmt: skip
    return Result("test", {"pairs": shapes.build(shapes.PAIRS, rows), "overall": shapes.empty(shapes.OVERALL)})


def ranks() -> Result:
    """An order with ties: ranks with letters, and the order as one string."""
    letters = ("a", "ab", "b", "c")
    rows = [
        {
            "algorithm": f"m{place}",
            "rank": place,
            "rank_low": place,
            "rank_high": place + 9,
            "ci_level": 0.99,
            "tier": 1,
            "letters": letter,
        }
        for place, letter in enumerate(letters, 1)
    ]
    order = {"mechanism": "in-degree", "order": 'm1 \u2248 "x \u2248 y" < m3', "transitive": False}
    tables = {"ranks": shapes.build(shapes.RANKS, rows), "orders": shapes.build(shapes.ORDERS, [order])}
    return Result("rank", tables, headlines=["m1 \u2248 m2"], provenance={"options": {"level": 0.99}})


def one_table(frame: pl.DataFrame) -> Result:
    return Result("summarize", {"algorithms": frame})
