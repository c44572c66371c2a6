"""A command in any language: it reads the training and test rows from CSV files and writes the predictions to another."""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from benchkit.run.algorithms.fit import Fit, FitFailed, Fitted
from benchkit.run.algorithms.written import read_predictions
from benchkit.run.plan import AlgorithmPlan

PLACE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
LONGEST = 300
# bytes at the end of what a command says in which the last line is looked for
LAST = 10_000
STDERR = 2


def command_line(words: Sequence[str], values: Mapping[str, Any]) -> list[str]:
    """Return the words with every {name} replaced by its value; doubled braces are literal ones. There is no shell."""

    def replaced(found: re.Match[str]) -> str:
        if found[0] in ("{{", "}}"):
            return found[0][0]
        value = values[found[1]]
        return str(value).lower() if isinstance(value, bool) else str(value)

    return [PLACE.sub(replaced, word) for word in words]


def fit_command(fit: Fit) -> Fitted:
    """Run the command once; the time is all in fit_seconds. FitFailed says what went wrong, with its last words.

    The training file holds the features and the target, the test file the features only. What the command has to write
    is told in algorithms/written.py. What it prints goes where this process's errors go; its last
    words are those on standard error, else those on standard output.
    """
    with tempfile.TemporaryDirectory(prefix="benchkit-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        files = {place: folder / f"{place}.csv" for place in ("train", "test", "validation", "predictions")}
        for place, index in (("train", fit.train), ("validation", fit.validation)):
            if index is not None:
                fit.features(index).assign(**{fit.dataset.target_name: fit.target(index)}).to_csv(files[place], index=False)
        fit.features(fit.test).to_csv(files["test"], index=False)
        about = {"seed": fit.seed, "dataset": fit.dataset.name, "replicate": fit.replicate}
        words = command_line(fit.algorithm.command, {**fit.params, **about, **files})
        start = time.perf_counter()
        try:
            _run(fit.algorithm, words, folder)
            seconds = time.perf_counter() - start
            predicted = read_predictions(fit, files["predictions"])
        except FitFailed as failure:
            raise FitFailed(_lasting(str(failure), folder)) from failure
    return Fitted(predicted, None, seconds, None)


def _lasting(text: str, folder: Path) -> str:
    """Return the text without the folder, whose name is another one every time."""
    return text.replace(f"{folder}{os.sep}", "").replace(str(folder), ".")


def _run(algorithm: AlgorithmPlan, words: Sequence[str], folder: Path) -> None:
    """Run the words as they are; what they say goes through files, since it may be long."""
    with (folder / "output.txt").open("w+b") as output, (folder / "errors.txt").open("w+b") as errors:
        try:
            done = subprocess.run(
                words, cwd=algorithm.folder, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, check=False
            )
        except (OSError, ValueError) as error:
            raise FitFailed(f"{words[0]} cannot be run: {getattr(error, 'strerror', None) or error}") from error
        with contextlib.suppress(OSError), open(STDERR, "wb", closefd=False) as out:
            for file in (output, errors):
                file.seek(0)
                shutil.copyfileobj(file, out)
        if done.returncode:
            how = f"was ended by signal {-done.returncode}" if done.returncode < 0 else f"ended with status {done.returncode}"
            last = _lasting(_last_line(errors) or _last_line(output), folder)
            raise FitFailed(f"{words[0]} {how}" + (f": {last[:LONGEST]}" if last else ""))


def _last_line(file: BinaryIO) -> str:
    """Return the last line that is not empty, nothing if there is none."""
    file.seek(max(file.seek(0, os.SEEK_END) - LAST, 0))
    lines = file.read().decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else ""
