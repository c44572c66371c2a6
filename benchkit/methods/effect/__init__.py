"""Effect sizes: add a file here and its line to the list, which loads nothing."""

from benchkit.registry import Entry


def _effect(name: str, summary: str, source: str, needs: str = "") -> Entry:
    """Return the entry of an effect size."""
    return Entry(name, summary, source, f"{__name__}.{name}:{name}", needs)


EFFECTS: tuple[Entry, ...] = (
    _effect("prob_better", "share of replicates in which a is better, ties half; Wilson's interval", "Wilson 1927"),
    _effect("mean_difference", "mean of a minus mean of b, whatever is better, with its t interval", "Student 1908"),
    _effect("ratio", "geometric mean of a / b within replicates, whatever is better", "", "values of one sign"),
    _effect("d_z", "mean of a - b, whatever is better, in its standard deviations", "Cohen 1988; Steiger & Fouladi 1997"),
    _effect("cliffs_delta", "P(a better) - P(a worse) over all pairs of values, 2 a12 - 1", "Cliff 1993; Feng & Cliff 2004"),
    _effect("a12", "probability that a value of a is better than one of b, ties half", "Vargha & Delaney 2000"),
    _effect("rank_biserial", "matched rank-biserial correlation, positive if a is better", "King & Minium 2003; Kerby 2014"),
    _effect("kendalls_w", "agreement of replicates on who is better, 0 to 1", "Kendall & Babington Smith 1939"),
    _effect("odds_ratio", "odds of being right, a against b, where they differ", "Clopper & Pearson 1934", "0/1 outcomes"),
)


def _independent(name: str, summary: str, source: str, needs: str = "") -> Entry:
    """Return the entry of what stands in for the effect size of that name where samples are independent."""
    return Entry(name, summary, source, f"{__name__}.independent:{name}", needs)


COUPLES, INTERVAL = "couples of a value of each", "Brunner and Munzel's interval"
# of independent samples; the effect sizes that have no line here need pairs
INDEPENDENT: tuple[Entry, ...] = (
    _independent("prob_better", f"P(a is better) over all {COUPLES}, ties half; {INTERVAL}", "Brunner & Munzel 2000"),
    _independent("mean_difference", "mean of a minus mean of b, whatever is better, with Welch's interval", "Welch 1947"),
    _independent("ratio", "geometric mean of a / that of b, whatever is better, with Welch's interval", "", "values of one sign"),
    _independent("cliffs_delta", f"P(a better) - P(a worse) over all {COUPLES}; {INTERVAL}", "Cliff 1993"),
    _independent("a12", f"P(a is better) over all {COUPLES}, ties half; {INTERVAL}", "Vargha & Delaney 2000"),
    _independent("odds_ratio", "odds of being right, a against b; logit interval", "Woolf 1955; Gart 1966", "0/1 outcomes"),
)
