"""Bytes to where they belong: standard output, a file, or a folder with one file for each table."""

import contextlib
import gzip
import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO

from benchkit.errors import BenchkitError
from benchkit.formats import SUFFIXES
from benchkit.formats.selection import select_table, table_names
from benchkit.formats.style import Style
from benchkit.tables.result import Result

Writer = Callable[[Result, str, Style], bytes]

_COMPRESSED = ".gz"
_REFUSED = (".zst", ".zstd", ".bz2", ".xz", ".zip", ".7z")
# formats that hold the whole result in one file
_DOCUMENTS = frozenset(("json",))


def format_for(path: str) -> str | None:
    """Return the format that the suffix of `path` means (`.csv`, `.csv.gz`), or None if it means none.

    Raise BenchkitError for a compression that benchkit does not write.
    """
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] in _REFUSED:
        raise BenchkitError(f"cannot write {suffixes[-1]} files: {path}", "gzip is written: end the name in .gz, as in r.csv.gz")
    if suffixes and suffixes[-1] == _COMPRESSED:
        suffixes.pop()
    return SUFFIXES.get(suffixes[-1]) if suffixes else None


def deliver(
    result: Result,
    writer: Writer,
    format_name: str,
    target: str | None,
    table: str | None,
    style: Style,
    stdout: Callable[[], BinaryIO],
) -> None:
    """Write `result` to standard output (target None; `stdout` opens it), to a file or into a folder.

    A folder (it exists, or its name ends in /) gets one file for each table, notes and provenance, or the one asked
    for; json gives one file named after the command. Files are moved into place when all are complete. What is no
    regular file (a named pipe, /dev/stdout) is written directly. Raise BenchkitError for an unknown table and for a
    place that cannot be written.
    """
    name = result.primary if table is None else table
    select_table(result, name)
    if target is not None and to_folder(target):
        _write_folder(Path(target), _files(result, writer, format_name, table, style))
    else:
        store(target, writer(result, name, style), stdout)


def _files(result: Result, writer: Writer, format_name: str, table: str | None, style: Style) -> dict[str, bytes]:
    """Return the content of each file of a folder by its name."""
    suffix = next(suffix for suffix, name in SUFFIXES.items() if name == format_name)
    if format_name in _DOCUMENTS:
        return {f"{result.command}{suffix}": writer(result, result.primary, style)}
    names = table_names(result) if table is None else [table]
    return {f"{name}{suffix}": writer(result, name, style) for name in names}


def _write_stream(stream: BinaryIO, data: bytes) -> None:
    try:
        rest = memoryview(data)
        while rest:  # an unbuffered stream may take a part only
            rest = rest[stream.write(rest) or 0 :]
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as failure:
        raise BenchkitError(
            f"cannot write: {(failure.strerror or str(failure)).lower()}", "give another place: -o PATH"
        ) from failure


def _write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as failure:
        raise _cannot_write(folder, failure) from failure
    _replace({folder / name: data for name, data in files.items()})


def store(target: str | None, data: bytes, stdout: Callable[[], BinaryIO]) -> None:
    """Write the bytes of one file (gzipped if its name ends in .gz), or to standard output where there is no target.

    Devices, pipes and standard output by another name are not replaced but written to. Raise BenchkitError for a place
    that cannot be written.
    """
    if target is None or to_stdout(target):
        _write_stream(stdout(), data)
        return
    path = Path(target)
    if path.is_dir():
        raise BenchkitError(f"cannot write {path}: it is a folder", "give a file name: -o PATH")
    data = gzip.compress(data, mtime=0) if target.lower().endswith(_COMPRESSED) else data
    if path.is_relative_to("/dev") or path.is_relative_to("/proc") or not _is_replaceable(path):
        _write_onto(path, data)
    else:
        _replace({path: data})


def to_stdout(target: str | None) -> bool:
    """Return whether `target` means standard output."""
    return target in (None, "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def check_target(target: str) -> None:
    """Raise BenchkitError if `target` could not be written; nothing is made but the folder that its name means."""
    if to_stdout(target):
        return
    path = Path(target)
    try:
        if target.endswith("/"):
            path.mkdir(exist_ok=True)
        folder = path if to_folder(target) else path.parent
        if not folder.is_dir():
            raise FileNotFoundError(2, "No such file or directory")
        if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
            raise PermissionError(13, "Permission denied")
    except OSError as failure:
        raise _cannot_write(path, failure) from failure


def to_folder(target: str) -> bool:
    """Return whether `target` means a folder, one file for each table."""
    return target.endswith("/") or os.path.isdir(target)


def _write_onto(path: Path, data: bytes) -> None:
    """Write to a device or a pipe."""
    try:
        with path.open("ab") as stream:
            _write_stream(stream, data)
    except BrokenPipeError:
        raise
    except OSError as failure:
        raise _cannot_write(path, failure) from failure


def _is_replaceable(path: Path) -> bool:
    """Return whether `path` is a regular file or nothing yet."""
    return not os.path.exists(path) or os.path.isfile(path)


def _replace(files: Mapping[Path, bytes]) -> None:
    """Write all files beside their places, then move them there; after a failure nothing half-written is left."""
    parts: dict[Path, Path] = {}
    path = next(iter(files))
    try:
        for path, data in files.items():
            place = _behind_links(path)
            part = place.with_name(f".benchkit-{secrets.token_hex(6)}.part")
            if os.path.exists(place) and not os.access(place, os.W_OK):
                raise PermissionError(13, "Permission denied")
            with part.open("xb") as stream:  # not tempfile: a new file has the permissions that umask gives
                parts[part] = place
                stream.write(data)
        for part, place in parts.items():
            part.replace(place)
    except OSError as failure:
        raise _cannot_write(path, failure) from failure
    finally:
        for part in parts:
            with contextlib.suppress(FileNotFoundError):
                part.unlink()


def _behind_links(path: Path) -> Path:
    """Return the file that a link points to, so that the link stays a link."""
    try:
        return path.resolve()
    except RuntimeError as loop:  # links that point to one another; from Python 3.13 on an OSError
        raise OSError(40, "Too many levels of symbolic links") from loop


def _cannot_write(path: Path, failure: OSError) -> BenchkitError:
    parent = path.parent
    exists = parent.is_dir()
    hint = "give a place that can be written: -o PATH" if exists else f"make the folder first: mkdir -p {parent}"
    return BenchkitError(f"cannot write {path}: {(failure.strerror or str(failure)).lower()}", hint)
