"""Delimited text read record by record: slow and exact, it knows the line of everything and every fault of structure."""

import csv
import io
from collections.abc import Iterator, Sequence

from benchkit.errors import BenchkitError
from benchkit.formats.content import not_utf8
from benchkit.tables.wording import shown

# a field is never longer than its file; the module's own limit would stop long error messages
csv.field_size_limit(2**31 - 1)

Record = tuple[int, list[str]]


def records(name: str, text: str, separator: str, first_line: int = 1) -> Iterator[Record]:
    """Yield (line, fields) of every record that is not blank; line is where it begins, as an editor counts.

    Double quotes enclose a field only at its beginning, blanks before them do not count. Lines end with LF, CRLF or CR.
    """
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    while True:
        line = first_line + reader.line_num
        try:
            fields = next(reader, None)
        except csv.Error as problem:
            raise _broken_quote(f"{name} line {line}", str(problem)) from problem
        if fields is None:
            return
        if len(fields) > 1 or (fields and fields[0].strip()):
            yield line, fields


def _broken_quote(place: str, problem: str) -> BenchkitError:
    hint = "a double quote inside a quoted text is written twice"
    if "unexpected end" in problem:
        return BenchkitError(f"{place}: a double quote is opened and never closed", hint)
    return BenchkitError(f"{place}: there is text after a closing double quote", hint)


def checked(name: str, body: Iterator[Record], header: Sequence[str], separator: str) -> Iterator[Record]:
    """Yield the records of `body`; BenchkitError for one with too many or too few fields or with broken characters."""
    first = True
    for line, fields in body:
        if len(fields) != len(header):
            raise _ragged(f"{name} line {line}", len(fields), len(header), separator, first)
        for column, cell in zip(header, fields, strict=True):
            if not cell.isascii():
                _check_letters(f"{name} line {line}, column {column}", cell)
        first = False
        yield line, fields


def _ragged(place: str, found: int, wanted: int, separator: str, first: bool) -> BenchkitError:
    fields = "1 field" if found == 1 else f"{found} fields"
    message = f"{place} has {fields}, but the header has {wanted}"
    if found < wanted:
        return BenchkitError(message, "a missing value still needs its separator; the file may be cut off")
    if first and found == wanted + 1:
        return BenchkitError(message, "the header lacks the name of a column (in R, write.csv(..., row.names = FALSE) is safe)")
    mark = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}[separator]
    return BenchkitError(message, f"a text or number that contains a {mark} is written in double quotes")


def header_names(name: str, line: int, fields: Sequence[str]) -> list[str]:
    """Return the stripped names of the columns, "" for a nameless one; BenchkitError if one is there twice."""
    names = [field.strip() for field in fields]
    seen: set[str] = set()
    for column in filter(None, names):
        if column in seen:
            raise BenchkitError(f"{name} line {line} has the column {shown(column)} twice", "give every column its own name")
        seen.add(column)
        _check_letters(f"{name} line {line}", column)
    return names


def _check_letters(place: str, cell: str) -> None:
    """Raise BenchkitError for a byte that is not UTF-8, which the decoder has hidden in a surrogate."""
    for letter in cell:
        if "\udc80" <= letter <= "\udcff":
            raise not_utf8(place, ord(letter) - 0xDC00)
