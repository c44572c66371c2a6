"""Columns of results and of predictions, as run makes them and people bring them."""

from benchkit.tables.columns.column import Column, glossary

RESULTS = glossary(
    Column("performance", "number", "the measured performance", "the metric's", importance=1, style="metric"),
    Column("better", "text", "the direction of the metric: lower or higher", importance=0),
    Column("resampling", "text", "how the replicates were made (bootstrap, kfold ...)", importance=5),
    Column("repeat", "text", "the repetition of a repeated cross-validation", importance=5),
    Column("fold", "text", "the fold within a repetition", importance=5),
    Column("n_train", "count", "rows that the algorithm learned from, with repetition", "rows", importance=6),
    Column("n_train_distinct", "count", "distinct rows among them", "rows", importance=8),
    Column("n_test", "count", "rows that it was tested on", "rows", importance=6),
    Column("status", "text", "ok, failed, timeout or out-of-memory", importance=4),
    Column("error", "text", "why a fit failed", importance=6),
    Column("fit_seconds", "number", "time to fit, a search included", "seconds", importance=7),
    Column("predict_seconds", "number", "time to predict", "seconds", importance=8),
    Column("train_performance", "number", "performance on the training rows", "the metric's", importance=8),
    Column("seed", "text", "the random seed of the row or of the command", importance=9),
    Column("parameters", "text", "the parameters that a search chose, as JSON; null without a search", importance=9),
    Column("label", "text", "the true class or value of an item", importance=1),
    Column("prediction", "text", "what the algorithm predicted for the item", importance=1),
    Column("score", "number", "the algorithm's score for the item", importance=2),
)
