"""Which inputs are meant by the paths on the command line: files, folders, globs, standard input, and names for them."""

import difflib
import glob
import mmap
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import BinaryIO

from benchkit.errors import BenchkitError
from benchkit.formats.content import Content
from benchkit.formats.wording import listed, shown_path
from benchkit.tables.naming import natural_sort
from benchkit.tables.wording import shown

PACKED = (".gz", ".zst")
DATA = (".csv", ".tsv", ".json", ".ndjson", ".jsonl", ".parquet", ".arrow", ".feather", ".ipc")
PIPE_HINT = "the command before the pipe may have failed"


@dataclass(frozen=True)
class Input:
    """One input: its path ("-" for standard input) and the name that was given to its algorithm."""

    path: str
    algorithm: str | None = None

    @property
    def name(self) -> str:
        """How messages call it."""
        return "standard input" if self.path == "-" else self.path

    @property
    def stem(self) -> str | None:
        """The name of the file without its suffixes for data and packing; None for standard input."""
        if self.path == "-":
            return None
        name = PurePath(self.path).name
        for suffixes in (PACKED, DATA):
            suffix = PurePath(name).suffix
            name = name[: -len(suffix)] if suffix.lower() in suffixes else name
        return name


def expand(paths: Sequence[str], stdin: bool) -> list[Input]:
    """Return the inputs in the order of `paths`, those of a folder or glob in natural order, none twice.

    A path that exists is taken literally; else "name=path" names the algorithm, and a path with *, ? or [ is a glob.
    Without paths, standard input is meant if it may be read. BenchkitError for a path that leads to nothing.
    """
    if not paths and not stdin:
        raise BenchkitError("no input", "name a file, or pipe one in")
    inputs = list(dict.fromkeys(item for path in paths or ("-",) for item in _meant(path)))
    if not stdin and any(item.path == "-" for item in inputs):
        raise BenchkitError("standard input is not there to be read", "name a file, or pipe one in")
    return inputs


def _meant(path: str) -> Iterator[Input]:
    algorithm, equals, rest = path.partition("=")
    if path == "-" or os.path.lexists(path):
        yield from (Input(file) for file in _files(path))
    elif equals and algorithm and rest:
        yield from (Input(file, algorithm.strip()) for file in _files(rest))
    else:
        yield from (Input(file) for file in _files(path))


def _files(path: str) -> list[str]:
    if path == "-":
        return [path]
    if os.path.isdir(path):
        return _in_folder(path)
    if os.path.lexists(path):
        return [path]
    if glob.has_magic(path):
        found = natural_sort(glob.glob(path, recursive=True))
        if found:
            return [file for entry in found for file in (_in_folder(entry) if os.path.isdir(entry) else [entry])]
        raise BenchkitError(f"no file matches {shown(path)}", _near(path))
    raise no_file(path)


def no_file(path: str) -> BenchkitError:
    """Return the error for a path that leads to nothing, with the file that was perhaps meant."""
    return BenchkitError(f"there is no file {shown_path(path)}", _near(path))


def _is_data(name: str) -> bool:
    suffixes = [suffix.lower() for suffix in PurePath(name).suffixes]
    if suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return bool(suffixes) and suffixes[-1] in DATA and not name.startswith((".", "_"))


def _in_folder(folder: str) -> list[str]:
    names = natural_sort(name for name in os.listdir(folder) if _is_data(name) and os.path.isfile(os.path.join(folder, name)))
    if not names:
        raise BenchkitError(f"the folder {shown(folder)} holds no data files", f"data files end in {', '.join(DATA)}")
    return [os.path.join(folder, name) for name in names]


def _near(path: str) -> str:
    """Say which file was perhaps meant, or which are there."""
    folder, name = os.path.split(path)
    if not os.path.isdir(folder or "."):
        return f"there is no folder {shown(folder)} either"
    names = natural_sort(os.listdir(folder or "."))
    close = difflib.get_close_matches(name, names, 1)
    if close:
        return f"did you mean {os.path.join(folder, close[0])}?"
    data = [entry for entry in names if _is_data(entry)]
    where = f"in {folder}" if folder else "here"
    return f"the data files {where}: {listed(data)}" if data else f"there are no data files {where}"


def load(item: Input, stdin: BinaryIO | None) -> Content:
    """Return the bytes of an input; BenchkitError if it cannot be read or is empty."""
    if item.path == "-":
        data = stdin.read() if stdin else b""
        if not data.strip():
            raise BenchkitError("standard input is empty", PIPE_HINT)
        return Content(item.name, data)
    try:
        content = _open(item)
    except OSError as problem:
        raise BenchkitError(
            f"{item.name} cannot be read: {(problem.strerror or 'input error').lower()}", "check the path and its permissions"
        ) from problem
    if not content.data[:1]:
        raise BenchkitError(f"{item.name} is empty", "the command that wrote it may have failed")
    return content


def _open(item: Input) -> Content:
    with open(item.path, "rb") as file:
        if not Path(item.path).is_file():  # a named pipe, such as the shell's <(command)
            return Content(item.name, file.read())
        if not os.fstat(file.fileno()).st_size:
            return Content(item.name, b"")
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return Content(item.name, data, os.path.abspath(item.path))
