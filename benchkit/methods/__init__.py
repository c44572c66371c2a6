"""The methods by role, as lists that load nothing: to add one, write its file and add its line here."""

from benchkit.registry import Entry

COMPARISONS: tuple[Entry, ...] = (
    Entry(
        "mixed",
        "mean performances under a mixed model with replicates as blocks, simultaneous intervals for all pairs",
        "Eugster & Leisch 2008, section 3",
        "benchkit.methods.comparison.mixed:compare",
        "two or more algorithms measured on the same independent replicates; missing cells allowed",
        ("covariance", "reference", "df"),
    ),
)

ADJUSTMENTS: tuple[Entry, ...] = (
    Entry(
        "tukey",
        "all pairs, exact studentized range or multivariate t (pooled model)",
        "Tukey 1953; Kramer 1956",
        "benchkit.methods.adjustment.tukey:sf",
    ),
    Entry(
        "dunnett",
        "all against one baseline, multivariate t (pooled model)",
        "Dunnett 1955",
        "benchkit.methods.adjustment.dunnett:sf",
    ),
    Entry(
        "max-t",
        "single-step, multivariate t with the estimated correlation",
        "Hothorn, Bretz & Westfall 2008",
        "benchkit.methods.adjustment.max_t:sf",
    ),
    Entry(
        "max-t-bootstrap",
        "single-step, studentised bootstrap of whole replicates",
        "Westfall & Young 1993; Romano & Wolf 2005",
        "benchkit.methods.adjustment.max_t_bootstrap:statistics",
    ),
    Entry("holm", "step-down Bonferroni; its intervals are Bonferroni's", "Holm 1979", "benchkit.methods.adjustment.holm:adjust"),
)

MECHANISMS: tuple[Entry, ...] = (
    Entry(
        "in-degree",
        "sorts by the number of algorithms that are better (the paper's topological sort)",
        "Eugster & Leisch 2008, section 4",
        "benchkit.methods.order.relation:in_degrees",
    ),
)
