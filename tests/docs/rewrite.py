"""Runs the console blocks of Markdown files and writes what they print into the files.

Usage: python tests/docs/rewrite.py README.md docs/guide.md
Lines with `...` are kept where they still fit; everything else becomes what the terminal shows.
"""

import sys
import tempfile
from pathlib import Path

from terminal import Run, matches, run_document


def renewed(expected: tuple[str, ...], lines: tuple[str, ...]) -> list[str]:
    """Return the output to show: `lines`, with the `...` of `expected` kept where they still fit."""
    if matches(expected, lines):
        return list(expected)
    parts: list[list[str]] = [[]]
    for line in expected:
        if line.strip() == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    first, last = len(parts[0]), len(parts[-1])
    if len(parts) == 1 or first + last >= len(lines):
        return _keep_dots(expected, lines)
    shown = [*_keep_dots(tuple(parts[0]), lines[:first]), "..."]
    rest, end = first, len(lines) - last
    for part in parts[1:-1]:
        size = len(part)
        found = next((at for at in range(rest, end - size + 1) if matches(tuple(part[:1]), lines[at : at + 1])), None)
        if part and found is not None:
            shown += [*_keep_dots(tuple(part), lines[found : found + size]), "..."]
            rest = found + size
    return shown + _keep_dots(tuple(parts[-1]), lines[end:])


def _keep_dots(expected: tuple[str, ...], lines: tuple[str, ...]) -> list[str]:
    """Return the lines, each as the first expected line with dots inside that fits it."""
    dotted = [line for line in expected if "..." in line and line.strip() != "..."]
    return [next((pattern for pattern in dotted if matches((pattern,), (line,))), line) for line in lines]


def body(runs: list[Run], old: str) -> str:
    """Write a console block anew; an empty line parts commands where one did before, and after new output."""
    shown = []
    for number, run in enumerate(runs):
        if run.status != run.command.status:
            sys.exit(f"{' '.join(run.command.shown)} ended with status {run.status}:\n" + "\n".join(run.lines))
        status = [f"# exit status {run.status}"] if run.status else []
        shown.append("\n".join([*run.command.shown, *status, *renewed(run.command.expected, run.lines)]))
        if number + 1 < len(runs):
            parted = "\n\n" + runs[number + 1].command.shown[0] + "\n" in old
            shown.append("\n\n" if parted or (run.lines and not run.command.expected) else "\n")
    return "".join(shown) + "\n"


def rewrite(document: Path) -> bool:
    """Rewrite one document in place; tell whether it changed."""
    text = document.read_text(encoding="utf-8")
    new, done = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for block, runs in run_document(text, Path(folder)):
            new += [text[done : block.start], body(runs, text[block.start : block.end])]
            done = block.end
    changed = "".join([*new, text[done:]])
    document.write_text(changed, encoding="utf-8")
    return changed != text


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"{name}: {'rewritten' if rewrite(Path(name)) else 'up to date'}")
