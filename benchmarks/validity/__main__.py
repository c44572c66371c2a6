"""Simulates how often each comparison method errs when nothing differs, and writes docs/validity.md.

Usage: python -m benchmarks.validity [--minutes N] [--jobs J] [--again METHOD ...] [--write-only] (`make validity`)

Results are kept in benchmarks/validity/rates.csv after each setting, and settings that stand there are not run again. Each
experiment has its own seed, so that the numbers depend neither on the order nor on how many processes share the work.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import partial
from pathlib import Path

from benchmarks.validity import mixed_rules, page, rates, roc_curves
from benchmarks.validity.simulate import ROUNDS, Rates, Round, simulate_in
from benchmarks.validity.subjects import Setting, settings, subjects

Found = dict[rates.Key, Rates]
PAGE = Path(__file__).parent.parent.parent / "docs/validity.md"


def main() -> None:
    """Run what is missing in the time given, and write the page."""
    asked = _arguments()
    if not asked.write_only:
        found: Found = {key: one for key, one in rates.read().items() if key[0].split()[0] not in asked.again}
        for subject in subjects():
            subject.entry.load()  # so that the processes share what is imported
        end = time.monotonic() + 60 * asked.minutes
        for round_ in ROUNDS:
            missing = [setting for setting in settings() if is_missing(setting, found, round_)]
            run(missing, partial(simulate_in, round_), found, asked.jobs, end, rates.write)
        if "mixed" in asked.again or not mixed_rules.FILE.exists():
            mixed_rules.write(mixed_rules.simulate(mixed_rules.RUNS, asked.jobs))
        if "roc" in asked.again or not roc_curves.FILE.exists():
            roc_curves.write()
    PAGE.write_text(page.page(rates.read(), mixed_rules.part()) + roc_curves.part(), encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.validity")
    parser.add_argument("--minutes", type=float, default=120.0, help="no setting begins later")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--again", nargs="*", default=[], metavar="METHOD", help="forget the results of these methods first")
    parser.add_argument("--write-only", action="store_true", help="write the page from the results that there are")
    return parser.parse_args()


def is_missing(setting: Setting, found: Found, round_: Round) -> bool:
    """Say whether a setting is to be run in a round: it was not yet, and may have more runs than it had before."""
    result = found.get(setting.key)
    return result is None or (0 < result.round < round_.number and result.runs < setting.subject.runs)


def run(
    missing: Iterable[Setting],
    simulation: Callable[[Setting], Rates],
    found: Found,
    jobs: int,
    end: float,
    keep: Callable[[Found], None],
) -> None:
    """Simulate the settings in their order until `end`, hand all results to `keep` after each, and say how far it is."""
    todo = iter(missing)
    running: dict[Future[Rates], Setting] = {}
    with ProcessPoolExecutor(jobs) as workers:
        while True:
            while len(running) < jobs and time.monotonic() < end and (setting := next(todo, None)) is not None:
                running[workers.submit(simulation, setting)] = setting
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                setting = running.pop(future)
                found[setting.key] = result = future.result()
                keep(found)
                if not result.reason or result.reason.startswith("stopped"):
                    print(setting.key, result, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
