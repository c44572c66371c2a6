"""What rows are about: the keys of all tables."""

from benchkit.tables.columns.column import Column, glossary

KEYS = glossary(
    Column("metric", "text", "what the numbers measure; null when the file names none", importance=1),
    Column("dataset", "text", "what it was measured on; null when the file names none", importance=1),
    Column("method", "text", "the method that made the row", importance=0),
    Column("replicate", "text", "one resample or run on which all algorithms were measured", importance=1),
    Column("algorithm", "text", "a candidate", importance=1),
    Column("item", "text", "a test case", importance=1),
    Column("a", "text", "the first algorithm of the pair", importance=1),
    Column("b", "text", "the second algorithm of the pair", importance=1),
)
