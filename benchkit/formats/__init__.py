"""The formats by name, as a list that loads nothing: to add one, write its file and add its line here."""

from benchkit.registry import Entry

FORMATS: tuple[Entry, ...] = (
    Entry("table", "columns aligned for people, on a terminal", "", "benchkit.formats.table:write", "writes one table"),
    Entry(
        "csv",
        "comma-separated values (also read with ; and decimal comma)",
        "RFC 4180",
        "benchkit.formats.csv:write",
        "reads; writes one table",
    ),
    Entry("tsv", "tab-separated values", "", "benchkit.formats.tsv:write", "reads; writes one table"),
    Entry(
        "json", "everything: tables, notes and provenance", "RFC 8259", "benchkit.formats.json:write", "reads; writes all tables"
    ),
    Entry("ndjson", "one JSON object per line", "", "benchkit.formats.ndjson:write", "reads; writes one table"),
    Entry("markdown", "a pipe table", "GitHub Flavored Markdown", "benchkit.formats.markdown:write", "writes one table"),
    Entry("latex", "a booktabs table", "", "benchkit.formats.latex:write", "writes one table"),
    Entry("parquet", "Apache Parquet", "", "benchkit.formats.parquet:write", "reads; writes one table"),
    Entry("arrow", "Arrow IPC file", "", "benchkit.formats.arrow:write", "reads; writes one table"),
)

SUFFIXES: dict[str, str] = {
    ".txt": "table",
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".md": "markdown",
    ".tex": "latex",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}
