"""Runs the console blocks of a Markdown file in a pseudo-terminal of 100 columns and compares what they print.

A block ```console holds commands, each a line that begins with `$ ` (a line that ends with a backslash goes on in the
next one), followed by what the command prints. `# exit status 1` right after a command says that it ends so; without
it the command must end with 0. In the expected output a line `...` stands for any lines, `...` within a line for any
text; colours and blanks at the end of a line or of the output do not count. A block of any other language whose first
line is `# file: NAME` is written to that file. All blocks of a document share one folder, in order; each command has
a bash of its own.
"""

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ROWS, COLUMNS = 50, 100
SECONDS = 120
COPIED = ("sample_data", "docs")

_FENCE = re.compile(r"^```(?P<language>\w*)[^\n]*\n(?P<body>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_CONTROL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[()][0-9A-Z]|[=>])")
_STATUS = re.compile(r"^# exit status (\d+)$")
_FILE = re.compile(r"^# file: (\S+)$")


@dataclass(frozen=True)
class Command:
    """One command of a console block; `line` counts from 1 in the document, `shown` is how the command is written."""

    line: int
    shown: tuple[str, ...]
    status: int
    expected: tuple[str, ...]

    @property
    def script(self) -> str:
        """What the shell is given."""
        return "\n".join((self.shown[0].removeprefix("$ "), *(line.removeprefix("> ") for line in self.shown[1:])))


@dataclass(frozen=True)
class Block:
    """A console block, or a block that is written to a file; `start` and `end` bound its body in the text."""

    start: int
    end: int
    commands: tuple[Command, ...] = ()
    file: str = ""
    content: str = ""


@dataclass(frozen=True)
class Run:
    """What a command printed on the terminal, line by line, and its exit status."""

    command: Command
    status: int
    lines: tuple[str, ...]

    @property
    def problem(self) -> str:
        """What differs from the document, or nothing."""
        if self.status == self.command.status and matches(self.command.expected, self.lines):
            return ""
        shown = "\n".join(self.command.shown)
        parts = [f"line {self.command.line}: {shown}"]
        if self.status != self.command.status:
            parts.append(f"exit status {self.status}, not {self.command.status}")
        return "\n".join([*parts, "--- in the document", *self.command.expected, "--- on the terminal", *self.lines])


def _trimmed(lines: list[str]) -> tuple[str, ...]:
    """Drop blanks at the ends of the lines, and empty lines at the end."""
    kept = [line.rstrip() for line in lines]
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)


def _commands(body: str, first_line: int) -> Iterator[Command]:
    """Cut the body of a console block into its commands."""
    lines = body.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    if lines and (not starts or starts[0]):
        raise ValueError(f"line {first_line}: a console block begins with a command, '$ ...'")
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        after = start + 1
        while lines[after - 1].endswith("\\") and after < end:
            after += 1
        shown = tuple(lines[start:after])
        status = _STATUS.match(lines[after]) if after < end else None
        expected = _trimmed(lines[after + 1 if status else after : end])
        yield Command(first_line + start, shown, int(status[1]) if status else 0, expected)


def blocks(text: str) -> Iterator[Block]:
    """Yield the console and file blocks of a Markdown text, in order."""
    for fence in _FENCE.finditer(text):
        body = fence["body"]
        head, _, rest = body.partition("\n")
        file = _FILE.match(head)
        if fence["language"] == "console":
            first_line = text.count("\n", 0, fence.start("body")) + 1
            yield Block(fence.start("body"), fence.end("body"), commands=tuple(_commands(body, first_line)))
        elif file:
            yield Block(fence.start("body"), fence.end("body"), file=file[1], content=rest)


def _pattern(line: str) -> str:
    """Return a regular expression for one expected line, with its newline."""
    if line.strip() == "...":
        return r"(?:[^\n]*\n)*?"
    return r"[^\n]*?".join(re.escape(part) for part in line.split("...")) + r"\n"


def matches(expected: tuple[str, ...], lines: tuple[str, ...]) -> bool:
    """Tell whether the lines are those expected, where `...` stands for any."""
    return re.fullmatch("".join(map(_pattern, expected)), "".join(f"{line}\n" for line in lines)) is not None


class Terminal:
    """A folder with copies of the inputs, and a shell in a terminal of 100 columns that runs commands there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checkout"
        self.folder.mkdir()
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, self.folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        programs = folder / "bin"
        programs.mkdir()
        # Console scripts break in folders with quotes in their names; this works for every interpreter and folder.
        start = "import sys; sys.argv[0] = 'benchkit'; from benchkit.__main__ import run; run()"
        program = programs / "benchkit"
        program.write_text(f'#!/bin/sh\nexec "$BENCHKIT_PYTHON" -P -c "{start}" "$@"\n')
        program.chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")}
        self.environment = kept | {
            "PATH": f"{programs}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "BENCHKIT_PYTHON": sys.executable,
            "TERM": "dumb",  # no live display, whose pictures would all be output
            "PYTHONUTF8": "1",
        }

    def run(self, command: Command) -> Run:
        """Run one command; standard output and standard error both go to the terminal."""
        ours, theirs = pty.openpty()
        try:
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            process = subprocess.Popen(
                ["bash", "-c", command.script],
                cwd=self.folder, env=self.environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
            )  # fmt: skip
        finally:
            os.close(theirs)
        try:
            output = _read(ours, time.monotonic() + SECONDS)
            status = process.wait(timeout=10)
        finally:
            process.kill()
            process.wait()
            os.close(ours)
        return Run(command, status, screen(output.decode("utf-8", errors="replace")))

    def write(self, block: Block) -> None:
        """Write the file of a file block."""
        target = (self.folder / block.file).resolve()
        if not target.is_relative_to(self.folder.resolve()):
            raise ValueError(f"'{block.file}' lies outside the folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(block.content, encoding="utf-8")


def _read(terminal: int, until: float) -> bytes:
    """Read until the last process has closed its end, or raise TimeoutError."""
    parts: list[bytes] = []
    while True:
        ready, _, _ = select.select([terminal], [], [], max(0, until - time.monotonic()))
        if not ready:
            raise TimeoutError(f"no end after {SECONDS} seconds: {b''.join(parts)!r}")
        try:
            part = os.read(terminal, 65536)
        except OSError:  # how Linux tells that nobody holds the other end any more
            part = b""
        if not part:
            return b"".join(parts)
        parts.append(part)


def screen(output: str) -> tuple[str, ...]:
    """Return the lines as a person sees them: without control sequences, with what a carriage return overwrote gone."""
    plain = _CONTROL.sub("", output).replace("\r\n", "\n")
    return _trimmed([line.rstrip("\r").rpartition("\r")[2] for line in plain.split("\n")])


def run_document(text: str, folder: Path) -> Iterator[tuple[Block, list[Run]]]:
    """Run the blocks of a document in order, in `folder`; yield each console block with its runs."""
    terminal = Terminal(folder)
    for block in blocks(text):
        if block.file:
            terminal.write(block)
        else:
            yield block, [terminal.run(command) for command in block.commands]
