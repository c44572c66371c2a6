"""Columns that a run makes beside its results: its plan, and estimates of the .632 family."""

from benchkit.tables.columns.column import Column, glossary

RUN = glossary(
    Column("ensemble", "text", "a voting ensemble: the algorithm that made it", importance=1),
    Column("estimator", "text", "how apparent and out-of-bootstrap performance are joined: .632 or .632+", importance=2),
    Column("apparent", "number", "performance of one fit on all rows, on these", "the metric's", importance=4, style="metric"),
    Column("oob", "number", "mean out-of-bootstrap performance", "the metric's", importance=3, style="metric"),
    Column(
        "no_information",
        "number",
        "performance of predictions without information",
        "the metric's",
        "",
        5,
        style="metric",
    ),
    Column("overfitting", "number", "relative overfitting rate R, 0 to 1", importance=6),
    Column("weight", "number", "weight of the out-of-bootstrap performance", importance=6),
    Column("n_cells", "count", "fits that the plan asks for", "fits", "fits", 1),
    Column("n_train_low", "count", "fewest training rows of a replicate", "rows", "rows trained on", 3, "n_train_high"),
    Column("n_train_high", "count", "most training rows of a replicate", "rows"),
    Column("n_test_low", "count", "fewest test rows of a replicate", "rows", "rows tested on", 3, "n_test_high"),
    Column("n_test_high", "count", "most test rows of a replicate", "rows"),
    Column("seconds", "number", "time that one fit took in a trial, measuring included", "seconds", "seconds a fit", 2),
    Column("total_seconds", "number", "estimated time of all fits, one after the other", "seconds", "seconds in all", 2),
)
