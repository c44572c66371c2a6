"""Columns of lists, notes and provenance."""

from benchkit.tables.columns.column import Column, glossary

OTHER = glossary(
    Column("name", "text", "the name to type", importance=1),
    Column("summary", "text", "what it is", importance=1),
    Column("needs", "text", "what data it asks for", importance=3),
    Column("assumes", "text", "what it takes for granted", importance=3),
    Column("source", "text", "where it comes from", importance=2),
    Column("options", "text", "the options that it knows", importance=4),
    Column("code", "text", "the kind of note", importance=1),
    Column("severity", "text", "info or warning", importance=1),
    Column("message", "text", "the note in words", importance=1),
    Column("key", "text", "what is recorded", importance=1),
    Column("value", "text", "its value", importance=1),
)
