"""Adjustments for the number of pairs: add a file here and its line to the list, which loads nothing."""

from benchkit.registry import Entry


def _adjustment(name: str, summary: str, source: str, file: str = "", needs: str = "p-values of any family") -> Entry:
    """Return the entry of an adjustment of p-values in adjustment/."""
    return Entry(name, summary, source, f"benchkit.methods.adjustment.{file or name}:adjust", needs)


# what a model gives by itself, from the joint distribution of its statistics; the others take p-values
SIMULTANEOUS = ("tukey", "dunnett", "max-t", "max-t-bootstrap")

ADJUSTMENTS: tuple[Entry, ...] = (
    Entry(
        "tukey",
        "all pairs, exact studentized range or multivariate t (pooled model)",
        "Tukey 1953; Kramer 1956",
        "benchkit.methods.adjustment.tukey:sf",
        "the pooled mixed model: all pairs",
    ),
    Entry(
        "dunnett",
        "all against one baseline, multivariate t (pooled model)",
        "Dunnett 1955",
        "benchkit.methods.adjustment.dunnett:sf",
        "the pooled mixed model: one baseline",
    ),
    Entry(
        "max-t",
        "single-step, multivariate t with the estimated correlation",
        "Hothorn, Bretz & Westfall 2008",
        "benchkit.methods.adjustment.max_t:sf",
        "the mixed model, or paired-t on complete replicates",
    ),
    Entry(
        "max-t-bootstrap",
        "single-step, studentised bootstrap of whole replicates",
        "Westfall & Young 1993; Romano & Wolf 2005",
        "benchkit.methods.adjustment.max_t_bootstrap:statistics",
        "the unstructured mixed model, complete replicates",
    ),
    _adjustment("bonferroni", "single step under any dependence", "Dunn 1961"),
    _adjustment("sidak", "single step for normal and t statistics", "Sidak 1967"),
    _adjustment("holm", "step-down Bonferroni; its intervals are Bonferroni's", "Holm 1979"),
    _adjustment("hochberg", "step-up; rests on Simes' condition, unproved for two-sided pairs", "Hochberg 1988"),
    _adjustment("hommel", "closed testing with Simes' test, whose condition is unproved for two-sided pairs", "Hommel 1988"),
    _adjustment("bh", "bounds the share of false discoveries", "Benjamini & Hochberg 1995", "benjamini_hochberg"),
    _adjustment("by", "the same under any dependence", "Benjamini & Yekutieli 2001", "benjamini_yekutieli"),
    _adjustment(
        "shaffer",
        "step-down with the logic of pairs (static S1)",
        "Shaffer 1986; Garcia & Herrera 2008",
        needs="p-values of all pairs of one family",
    ),
    _adjustment(
        "bergmann",
        "closed testing with the logic of pairs",
        "Bergmann & Hommel 1988",
        needs="p-values of all pairs of at most 9 algorithms",
    ),
    _adjustment("none", "each pair by itself", "", "unadjusted"),
)
