"""From the bytes of an experiment file to its TOML, with messages that name the line."""

import re
import tomllib
from pathlib import Path
from typing import Any

from benchkit.errors import BenchkitError
from benchkit.run.toml.wording import shown
from benchkit.tables.wording import terminal

_INIT_HINT = "benchkit run --init writes one to start from"
_SYNTAX_HINT = "every key stands on a line of its own; texts stand in double quotes, lists in [ ]"
_POSITION = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)


def parsed(name: str, path: Path) -> dict[str, Any]:
    """Return what the file holds; BenchkitError, which calls it `name`, if it is no UTF-8 text or no TOML."""
    text = _text(name, path)
    try:
        # a last line without its end would be reported without its number
        return tomllib.loads(text + "\n")
    except tomllib.TOMLDecodeError as problem:
        raise _syntax_error(name, str(problem)) from problem
    except RecursionError as problem:
        raise BenchkitError(f"{name} is nested too deeply", "lists and tables in lists need only a few levels") from problem
    except ValueError as problem:
        raise BenchkitError(f"{name} holds a number that is too long", "write a shorter one, or a text in quotes") from problem


def _text(name: str, path: Path) -> str:
    """Return the text of the file, perhaps after a byte order mark."""
    try:
        data = path.read_bytes()
    except FileNotFoundError as problem:
        raise BenchkitError(f"there is no file {shown(str(path))}", _INIT_HINT) from problem
    except IsADirectoryError as problem:
        raise BenchkitError(f"{name} is a folder", "name the experiment file in it") from problem
    except OSError as problem:
        reason = (problem.strerror or "input error").lower()
        raise BenchkitError(f"{name} cannot be read: {reason}", "check the path and its permissions") from problem
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        message = f"{name} line {line}: the byte 0x{data[problem.start]:02x} is not UTF-8 text"
        raise BenchkitError(message, "save the file as UTF-8") from problem
    if not text.strip():
        raise BenchkitError(f"{name} is empty", _INIT_HINT)
    return text


def _syntax_error(name: str, complaint: str) -> BenchkitError:
    """Return what the parser says with the line up front."""
    match = _POSITION.fullmatch(complaint)
    what, line, column = match.groups() if match else (complaint, None, None)
    place = f"{name} line {line}, column {column}" if line else f"{name}, at its end"
    again = re.fullmatch(r"Cannot declare \('(dataset|algorithm)',\) twice", what)
    if again:
        return BenchkitError(f"{place}: [{again[1]}] stands there again", f"write [[{again[1]}]] for each of several")
    hint = _SYNTAX_HINT
    if "overwrite" in what or "twice" in what:
        hint = "give every table and every key once"
    elif "\\" in what:
        hint = "write \\\\ for a backslash, or the text in single quotes"
    return BenchkitError(f"{place}: {terminal(what[:1].lower() + what[1:])}", hint)
