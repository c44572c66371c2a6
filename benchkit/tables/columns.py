"""The glossary: one spelling, type, unit and meaning for every column that benchkit reads or writes.

`importance` tells the table for people how early a person wants the column: 1 is never dropped, 9 goes first,
0 is for machines only. A column with `until` opens an interval that the named column closes; people see the
two as one, "[low, high]".
"""

from dataclasses import dataclass
from typing import Literal

Type = Literal["text", "number", "count", "truth"]
Style = Literal["plain", "metric", "p_value", "share"]


@dataclass(frozen=True)
class Column:
    """What one column holds and how people see it."""

    name: str
    type: Type
    meaning: str
    unit: str = ""
    label: str = ""
    importance: int = 0
    until: str = ""
    style: Style = "plain"

    @property
    def heading(self) -> str:
        """The words above the column in a table for people."""
        return self.label or self.name.replace("_", " ")


def _glossary(*columns: Column) -> dict[str, Column]:
    return {column.name: column for column in columns}


KEYS = _glossary(
    Column("metric", "text", "what the numbers measure; null when the file names none", importance=1),
    Column("dataset", "text", "what it was measured on; null when the file names none", importance=1),
    Column("method", "text", "the method that made the row", importance=0),
    Column("replicate", "text", "one resample or run on which all algorithms were measured", importance=1),
    Column("algorithm", "text", "a candidate", importance=1),
    Column("item", "text", "a test case", importance=1),
    Column("a", "text", "the first algorithm of the pair", importance=1),
    Column("b", "text", "the second algorithm of the pair", importance=1),
)

RESULTS = _glossary(
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

RUN = _glossary(
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

SUMMARY = _glossary(
    Column("n", "count", "replicates that the row rests on", "replicates", importance=6),
    Column("n_missing", "count", "replicates without a value of this algorithm", "replicates", importance=0),
    Column("mean", "number", "arithmetic mean", "the metric's", importance=1, style="metric"),
    Column("sd", "number", "standard deviation of a single replicate (n - 1)", "the metric's", importance=3, style="metric"),
    Column("std_error", "number", "standard error of the estimate", "the metric's", importance=0, style="metric"),
    Column("ci_low", "number", "lower end of the confidence interval", "the metric's", "CI", 2, "ci_high", "metric"),
    Column("ci_high", "number", "upper end of the confidence interval", "the metric's", style="metric"),
    Column("ci_level", "number", "confidence level of the interval", style="share"),
    Column(
        "spread_low",
        "number",
        "mean - z sd: where single replicates lie if normal (the paper's '95% CI')",
        "the metric's",
        style="metric",
    ),
    Column("spread_high", "number", "mean + z sd: where single replicates lie if normal", "the metric's", style="metric"),
    Column("median", "number", "median", "the metric's", importance=4, style="metric"),
    Column("q1", "number", "lower quartile (R type 7)", "the metric's", style="metric"),
    Column("q3", "number", "upper quartile (R type 7)", "the metric's", style="metric"),
    Column("iqr", "number", "interquartile range", "the metric's", importance=6, style="metric"),
    Column("min", "number", "smallest value", "the metric's", style="metric"),
    Column("max", "number", "largest value", "the metric's", style="metric"),
    Column("mean_rank", "number", "mean place over complete replicates, 1 = best, ties share", "places", importance=5),
    Column("wins", "number", "complete replicates won; ties share the win", "replicates", importance=5),
)

TEST = _glossary(
    Column("adjust", "text", "how the p-values were adjusted for the number of pairs"),
    Column("mean_a", "number", "the model's mean of a", "the metric's", style="metric"),
    Column("mean_b", "number", "the model's mean of b", "the metric's", style="metric"),
    Column("estimate", "number", "a minus b in pairs, the mean in means", "the metric's", "estimate", 2, style="metric"),
    Column("statistic", "number", "the test statistic", importance=7),
    Column("df", "number", "its degrees of freedom", importance=8),
    Column("df1", "number", "numerator degrees of freedom; those of a chi-square", importance=3),
    Column("df2", "number", "denominator degrees of freedom", importance=3),
    Column("ci_kind", "text", "simultaneous, bonferroni or pointwise"),
    Column("margin", "number", "differences smaller than this do not matter", "the metric's", style="metric"),
    Column("p_value", "number", "p-value of the row alone", importance=0, style="p_value"),
    Column("p_adjusted", "number", "p-value adjusted for all pairs of the family", "", "p adjusted", 3, style="p_value"),
    Column(
        "p_equivalence", "number", "smallest alpha at which the pair would be equivalent; null without a margin", style="p_value"
    ),
    Column("noninferior", "truth", "the interval excludes that a is worse by the margin or more; null without one"),
    Column("family_size", "count", "contrasts that the adjustment covers"),
    Column("effect_name", "text", "the effect size that is given"),
    Column("effect", "number", "the effect size", importance=6),
    Column("effect_low", "number", "lower end of its interval"),
    Column("effect_high", "number", "upper end of its interval"),
    Column(
        "detectable",
        "number",
        "about the true difference that this experiment finds with power 0.8 (less surely below 30 replicates)",
        "the metric's",
        style="metric",
    ),
    Column(
        "new_data_low",
        "number",
        "lower end of an interval that also covers new data (Nadeau & Bengio)",
        "the metric's",
        "on new data",
        0,
        "new_data_high",
        "metric",
    ),
    Column("new_data_high", "number", "upper end of an interval that also covers new data", "the metric's", style="metric"),
    Column("verdict", "text", "a against b: better, worse, equivalent or undecided", importance=1),
    Column("n_replicates", "count", "replicates used", "replicates", "replicates", 4),
    Column("n_algorithms", "count", "algorithms compared", "", "algorithms", 5),
    Column("component", "text", "the variance component", importance=1),
    Column("variance", "number", "its variance", "the metric's, squared", importance=1, style="metric"),
)

OWN = _glossary(
    # columns that only some methods make
    Column("n10", "number", "items that only a has right", "items", importance=5),
    Column("n01", "number", "items that only b has right", "items", importance=5),
    Column("odds_ratio", "number", "n10 / n01, or odds of being right of a against b", importance=7),
    Column("p_exact", "number", "exact p-value", importance=6, style="p_value"),
    Column("p_monte_carlo", "number", "p-value by seeded random orders", style="p_value"),
    Column("p_chi_square", "number", "p-value of the chi-square approximation", style="p_value"),
    Column("chi_square", "number", "the chi-square statistic", importance=4),
    Column("kendall_w", "number", "Kendall's coefficient of concordance", importance=4),
    Column("critical_difference", "number", "difference of mean ranks that separates (Nemenyi)", importance=4),
    Column("replicates_used", "number", "replicates that the overall test rests on", "replicates"),
    Column("epsilon", "number", "Greenhouse and Geisser's epsilon", importance=4),
    Column("p_sphericity", "number", "p-value if variances of differences were equal", style="p_value"),
    Column("test_train_ratio", "number", "n_test / n_train that the variance allows for", importance=7),
    Column("correlation", "number", "correlation of replicates that is assumed", importance=7),
    Column("smallest_p", "number", "smallest p-value that so few replicates allow", style="p_value"),
    Column("smallest_p_value", "number", "smallest p-value that so few replicates allow", style="p_value"),
    Column("n_better", "number", "replicates in which a is better", "replicates", importance=5),
    Column("n_equivalent", "number", "replicates in which the difference is within the margin", "replicates", importance=5),
    Column("n_equal", "number", "replicates in which neither is better", "replicates", importance=6),
    Column("n_worse", "number", "replicates in which a is worse", "replicates", importance=5),
    Column("rank_biserial", "number", "matched rank-biserial correlation, positive if a is better", importance=6),
    Column("mean_rank_a", "number", "mean rank of a, 1 is best", "ranks", importance=5),
    Column("mean_rank_b", "number", "mean rank of b, 1 is best", "ranks", importance=5),
    Column("rank_difference", "number", "mean rank of a less that of b", "ranks", importance=3),
    Column("rank_std_error", "number", "its standard error", "ranks"),
    Column("clusters", "number", "clusters of replicates", "clusters", importance=6),
    Column("design_effect", "number", "variance relative to that of independent replicates", importance=7),
    Column("n_a", "number", "values of a", "values", importance=6),
    Column("n_b", "number", "values of b", "values", importance=6),
    Column("exact", "number", "1 if all permutations were looked at, else 0"),
    Column("prob_better", "number", "probability that a is better, ties half", importance=5),
    Column("prob_better_std_error", "number", "its standard error"),
    Column("prob_better_low", "number", "lower end of its interval"),
    Column("prob_better_high", "number", "upper end of its interval"),
    Column("strata", "number", "strata that are resampled apart", "strata"),
    Column("violation_ratio", "number", "0 if a is better at every quantile, 1 if b is", importance=4),
    Column("violation_std_error", "number", "its standard error"),
    Column("violation_p_value", "number", "p-value of the violation ratio alone", style="p_value"),
    Column("epsilon_min_a", "number", "upper bound of the violation ratio", importance=5),
    Column("epsilon_min_b", "number", "the same with a and b exchanged", importance=5),
    Column("posterior_better", "number", "posterior probability that a is better", importance=3, style="share"),
    Column("posterior_equivalent", "number", "posterior probability that they are equivalent", importance=3, style="share"),
    Column("posterior_worse", "number", "posterior probability that a is worse", importance=3, style="share"),
)

RANK = _glossary(
    Column("rank", "count", "1 + the number of algorithms that fewer others beat", importance=1),
    Column("rank_low", "count", "best rank that the confidence interval allows", "", "interval", 2, "rank_high"),
    Column("rank_high", "count", "worst rank that the confidence interval allows"),
    Column("tier", "count", "1 + the longest chain of better algorithms above it", importance=4),
    Column("letters", "text", "algorithms that share a letter are not separated (or were not compared)", importance=3),
    Column("mechanism", "text", "how the order was made", importance=4),
    Column("order", "text", "best first; < better than, \u2248 not separated; null when no single chain is true", importance=1),
    Column("transitive", "truth", "the relation is a weak order, so that one chain says it all", importance=3),
    Column("objective", "number", "what the mechanism minimises; null if nothing", importance=0),
    Column("n_optima", "count", "orders that reach the same objective", importance=0),
    Column("relation", "text", "a against b: better, worse, tied or unknown", importance=1),
)

PICTURE = _glossary(
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
    Column("density", "number", "estimated density at the performance", "per unit of the metric", importance=2),
)

OTHER = _glossary(
    Column("name", "text", "the name to type", importance=1),
    Column("summary", "text", "what it is", importance=1),
    Column("needs", "text", "what data it asks for", importance=3),
    Column("source", "text", "where it comes from", importance=2),
    Column("options", "text", "the options that it knows", importance=4),
    Column("code", "text", "the kind of note", importance=1),
    Column("severity", "text", "info or warning", importance=1),
    Column("message", "text", "the note in words", importance=1),
    Column("key", "text", "what is recorded", importance=1),
    Column("value", "text", "its value", importance=1),
)

COLUMNS: dict[str, Column] = KEYS | RESULTS | RUN | SUMMARY | TEST | OWN | RANK | PICTURE | OTHER
