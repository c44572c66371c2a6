"""The figures by name, as a list that loads nothing: to add one, write its file and add its line here."""

from benchkit.registry import Entry

PAPER = "Eugster & Leisch 2008"

PLOTS: tuple[Entry, ...] = (
    Entry(
        "podium",
        "bench plot: each algorithm's performances on each place, and how often it took the place",
        f"{PAPER}, Figure 4",
        "benchkit.plots.podium:draw",
        "places and dots; the direction of the metric",
    ),
    Entry(
        "lines",
        "bench plot whose dots are joined within each replicate",
        PAPER,
        "benchkit.plots.lines:draw",
        "places and dots; the direction of the metric",
    ),
    Entry(
        "dot",
        "every performance, with the mean and its confidence interval",
        f"{PAPER}, Figure 2",
        "benchkit.plots.dot:draw",
        "algorithms and dots",
    ),
    Entry(
        "box",
        "box plot: quartiles, whiskers and the performances beyond them",
        f"{PAPER}, Figure 3; Tukey 1977",
        "benchkit.plots.box:draw",
        "boxes and dots",
    ),
    Entry(
        "strip",
        "every performance, spread within its row so that none hides another",
        "Tukey & Tukey 1990",
        "benchkit.plots.strip:draw",
        "dots",
    ),
    Entry(
        "violin",
        "mirrored densities with median and quartiles",
        "Hintze & Nelson 1998",
        "benchkit.plots.violin:draw",
        "densities and boxes",
    ),
    Entry("density", "estimated densities, one curve for each algorithm", "", "benchkit.plots.density:draw", "densities"),
    Entry(
        "intervals",
        "simultaneous confidence intervals of the differences of all pairs",
        f"{PAPER}, Figure 5",
        "benchkit.plots.intervals:draw",
        "pairs",
    ),
    Entry(
        "pvalues",
        "heat map of the adjusted p-values of all pairs, with signs that point to the better one",
        "",
        "benchkit.plots.pvalues:draw",
        "pairs with p-values",
    ),
    Entry(
        "effects",
        "the effect of each pair with its interval, beside the line of no effect",
        "",
        "benchkit.plots.effects:draw",
        "pairs with effects",
    ),
    Entry(
        "posterior",
        "posterior probabilities of better, equivalent and worse, one bar for each pair",
        "Benavoli et al. 2017",
        "benchkit.plots.posterior:draw",
        "pairs of a Bayesian method",
    ),
    Entry(
        "simplex",
        "draws of the posterior of better, equivalent and worse, one triangle for each pair",
        "Benavoli et al. 2017",
        "benchkit.plots.simplex:draw",
        "results, a Bayesian method of signs or ranks, and a margin",
    ),
    Entry(
        "roc",
        "ROC curves with simultaneous bands, on a logarithmic axis with a linear inset",
        "Gamst, Reyes & Walker 2017",
        "benchkit.plots.roc:draw",
        "points of benchkit roc; ensembles and marks where there are",
    ),
    Entry(
        "shares",
        "shares of the variance from voters and from test items along the curve",
        "",
        "benchkit.plots.shares:draw",
        "points of benchkit roc --vary both",
    ),
    Entry(
        "enough",
        "AUC and rates at marked points against the number of voters: did I grow enough trees?",
        "",
        "benchkit.plots.enough:draw",
        "ensembles of benchkit roc --voters-used",
    ),
)

# what a test found; all but the simplex, which needs draws, are also drawn from its pairs table
OF_PAIRS = ("intervals", "pvalues", "effects", "posterior", "simplex")

# what benchkit roc found: drawn from its tables
OF_CURVES = ("roc", "shares", "enough")
