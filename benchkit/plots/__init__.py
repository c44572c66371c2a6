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
)
