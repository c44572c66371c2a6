"""Which of the glossary's tables a file holds, and whether the command reads such tables."""

from collections.abc import Collection, Sequence

from benchkit.errors import BenchkitError
from benchkit.formats.content import Document
from benchkit.tables.shapes import PREDICTIONS, RESULTS, SHAPES, Shape, recognise


def wider(accept: Sequence[str]) -> list[str]:
    """Return the accepted kinds with predictions after results."""
    return [kind for name in accept for kind in ((name, "predictions") if name == "results" else (name,))]


def find(name: str, columns: Collection[str], accept: Sequence[str], command: str) -> Shape | None:
    """Return the shape of the table with these columns, None if it fills none.

    A file of people's own may have columns of other tables as context, so accepted shapes come first; a table that has
    all columns of another one is ours and is that one. BenchkitError for a table of a kind that the command does not read.
    """
    present = set(columns)
    kinds = wider(accept)
    fitting = recognise(present)
    if fitting is PREDICTIONS and "performance" in present and "results" in kinds:
        return RESULTS  # what was measured goes before what could be computed
    if fitting and fitting.name not in kinds and not present.issuperset(fitting.columns):
        fitting = next(
            (shape for shape in SHAPES.values() if shape.name in kinds and present.issuperset(shape.required)), fitting
        )
    if fitting and fitting.name not in kinds:
        raise wrong_kind(name, described(fitting), accept, command)
    return fitting


def primary(document: Document, accept: Sequence[str], command: str) -> str:
    """Return the name of the table of a result document that the command reads; BenchkitError if there is none."""
    for kind in wider(accept):
        if kind in document.tables:
            return kind
    maker = f"a {document.command} document" if document.command else "a document"
    raise wrong_kind(document.name, f"{maker} ({', '.join(document.tables) or 'no tables'})", accept, command)


def described(shape: Shape) -> str:
    """Return what a table of `shape` is called: by its command, and by its name where the command makes several."""
    several = sum(other.made_by == shape.made_by for other in SHAPES.values()) > 1
    if shape.made_by == "every command":
        return f"a table of {shape.name}"
    return f"a {shape.made_by} table" + (f" ({shape.name})" if several else "")


def wrong_kind(name: str, what: str, accept: Sequence[str], command: str) -> BenchkitError:
    """Return the error for an input that the command does not read."""
    reads = " or ".join((", ".join(accept[:-1]), accept[-1])) if len(accept) > 1 else accept[0]
    hint = "give the results that it was made from" if "results" in accept else f"give a table of {reads}"
    if "pairs" in accept and "roc" in what:
        hint = "its pairs: benchkit roc VOTES --table pairs"
    elif command == "benchplot" and what.startswith("a roc"):
        hint = "curves are drawn with --kind roc, --kind shares or --kind enough"
    elif command == "benchplot" and "pairs" in what:
        hint = "what a test found is drawn with --kind intervals, --kind pvalues or --kind effects"
    return BenchkitError(f"{name} is {what}; {command} reads {reads}", hint)
