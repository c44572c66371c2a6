"""Orders of algorithms: add a file here and its line to the list, which loads nothing."""

from benchkit.registry import Entry

MECHANISMS: tuple[Entry, ...] = (
    Entry(
        "in-degree",
        "sorts by the number of algorithms that are better (the paper's topological sort)",
        "Eugster & Leisch 2008, section 4",
        "benchkit.methods.order.relation:in_degrees",
    ),
)
