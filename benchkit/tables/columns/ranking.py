"""Columns of ranks, orders and relations."""

from benchkit.tables.columns.column import Column, glossary

RANK = glossary(
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
