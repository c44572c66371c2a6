"""Columns of what a figure shows."""

from benchkit.tables.columns.column import Column, glossary

PICTURE = glossary(
    Column("place", "count", "rank within one replicate, 1 = best", importance=1),
    Column(
        "count",
        "number",
        "replicates in which the algorithm took the place (fractions when ties are shared)",
        "replicates",
        importance=1,
    ),
    Column(
        "whisker_low",
        "number",
        "smallest value within 1.5 iqr of the lower quartile",
        "the metric's",
        importance=2,
        style="metric",
    ),
    Column(
        "whisker_high",
        "number",
        "largest value within 1.5 iqr of the upper quartile",
        "the metric's",
        importance=2,
        style="metric",
    ),
    Column("draw", "count", "number of a draw from the posterior", importance=1),
    Column("share_better", "number", "drawn share of outcomes in which a is better", importance=1, style="share"),
    Column("share_equivalent", "number", "drawn share of outcomes in which they are equivalent", importance=1, style="share"),
    Column("share_worse", "number", "drawn share of outcomes in which a is worse", importance=1, style="share"),
    Column("density", "number", "estimated density at the performance", "per unit of the metric", importance=2),
)
