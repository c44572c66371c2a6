"""Columns of a comparison, whatever the method."""

from benchkit.tables.columns.column import Column, glossary

TEST = glossary(
    Column("adjust", "text", "how the p-values were adjusted for the number of pairs"),
    Column("mean_a", "number", "the model's mean of a", "the metric's", style="metric"),
    Column("mean_b", "number", "the model's mean of b", "the metric's", style="metric"),
    Column("estimate", "number", "a minus b in pairs, the mean in means", "the metric's", "estimate", 2, style="metric"),
    Column("statistic", "number", "the test statistic", importance=7),
    Column("df", "number", "its degrees of freedom, of an F those of the denominator", importance=8),
    Column("df1", "number", "numerator degrees of freedom; those of a chi-square", importance=3),
    Column("df2", "number", "denominator degrees of freedom", importance=3),
    Column("ci_kind", "text", "simultaneous (sidak, too), bonferroni or pointwise; null where no pair has an interval"),
    Column("margin", "number", "differences smaller than this do not matter", "the metric's", style="metric"),
    Column("p_value", "number", "p-value of the row alone", importance=0, style="p_value"),
    Column("p_adjusted", "number", "p-value adjusted for all pairs of the family", "", "p adjusted", 3, style="p_value"),
    Column(
        "p_equivalence",
        "number",
        "smallest alpha at which the pair would be equivalent; null without a margin or with a posterior",
        style="p_value",
    ),
    Column("noninferior", "truth", "the interval excludes that a is worse by the margin or more; null without one"),
    Column("family_size", "count", "contrasts that the adjustment covers"),
    Column("effect_name", "text", "the effect size that is given"),
    Column(
        "effect",
        "number",
        "the effect size; a is better above 0.5 (prob_better, a12), 0 (cliffs_delta, rank_biserial) or 1 (odds_ratio); "
        "mean_difference and d_z are a minus b, ratio is a / b",
        importance=6,
    ),
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
