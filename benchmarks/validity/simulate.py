"""Runs one setting: simulated experiments, the method called as core calls it, and how often it errs."""

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations
from unittest.mock import patch
from zlib import crc32

import numpy as np

from benchkit.core.adjust import adjusted
from benchkit.core.verdicts import judge
from benchkit.methods.comparison import bayes_signed_rank, permuted_totals
from benchkit.methods.records import Answer, Blocks, Floats, Unadjusted
from benchmarks.validity.data import DESIGNS
from benchmarks.validity.subjects import FEWEST_RUNS, Setting, impossible

SEED, LEVEL = 2008, 0.95
# experiments that tell how long a setting takes: one if that is hopeless already, else so many
PROBE, HOPELESS = 20, 3.0
DRAWS_OF_POSTERIOR = 2000
# an end of an interval this far beyond 0 is rounding
ROUNDING = 1e-12


@dataclass(frozen=True)
class Round:
    """All settings are run in the first round, with few experiments, and what there is time for again in the second.

    runs: at most so many. seconds: of processor time for a setting; if FEWEST_RUNS need more, at most `longest`.
    """

    number: int
    runs: int
    seconds: float
    longest: float


ROUNDS = (Round(1, 500, 5.0, 5.0), Round(2, 2000, 10.0, 60.0))


@dataclass(frozen=True)
class Rates:
    """What `runs` experiments of a setting showed, as shares of them; NaN where there is nothing to count.

    error: some pair was called better or worse. covered: all intervals that there are hold 0 (of the experiments with any).
    overall: the overall test rejects (of the experiments with one). untested: some pair could not be tested. reason: why
    there are no runs. round: the number of the round, 0 if the setting is none for the method.
    """

    runs: int
    error: float = np.nan
    covered: float = np.nan
    overall: float = np.nan
    untested: float = np.nan
    reason: str = ""
    round: int = 0


def experiment(setting: Setting, run: int) -> tuple[float, float, float, float]:
    """Return error, covered, overall and untested of one experiment, 0 or 1, or NaN.

    Its seeds come from the names of the design and of the method, so that methods see the same data and numbers depend on
    nothing else.
    """
    method, design, kind, K, B = setting.key
    data_seed, method_seed = (crc32(f"{name}/{kind}/{K}/{B}".encode()) for name in (design, f"{design}/{method}"))
    data = DESIGNS[design](kind, B, K, np.random.default_rng([SEED, data_seed, run]))
    pairs = np.array(list(combinations(range(K), 2)))
    blocks = Blocks(
        data.values,
        pairs,
        LEVEL,
        np.random.default_rng([SEED, method_seed, run]),
        options=dict(setting.subject.options),
        draws=setting.subject.draws(len(pairs)),
        sizes=data.sizes,
        layout=data.layout,
        clusters=data.clusters,
    )
    found: Answer | Unadjusted = setting.subject.entry.load()(blocks)
    if isinstance(found, Unadjusted):
        found = adjusted(found, blocks.options.get("adjust", "none"), LEVEL, pairs)
    verdicts = judge(found, LEVEL, np.zeros(len(pairs)))
    error = any(word in ("better", "worse") for word in verdicts.verdict)
    untested = any(word is None for word in verdicts.verdict)
    overall = np.nan if found.overall is None or np.isnan(found.overall.p_value) else float(found.overall.p_value <= 1 - LEVEL)
    return float(error), _covered(verdicts.low, verdicts.high), overall, float(untested)


def _covered(low: Floats, high: Floats) -> float:
    known = ~(np.isnan(low) | np.isnan(high))
    return float((low[known] <= ROUNDING).all() and (high[known] >= -ROUNDING).all()) if known.any() else np.nan


def simulate(setting: Setting, runs: int) -> Rates:
    """Return the rates of a setting in `runs` experiments, or none with the reason."""
    reason = impossible(setting)
    if reason:
        return Rates(0, reason=reason)
    found: list[tuple[float, float, float, float]] = []
    with warnings.catch_warnings(), _shortened():
        warnings.simplefilter("error")
        try:
            while len(found) < runs:
                found.append(experiment(setting, len(found)))
        except Exception as fault:
            return Rates(0, reason=f"stopped in run {len(found)}: {type(fault).__name__}: {' '.join(str(fault).split())}")
    table = np.array(found)
    counted = (~np.isnan(table)).sum(axis=0)
    shares = np.divide(np.nansum(table, axis=0), counted, out=np.full(4, np.nan), where=counted > 0)
    return Rates(len(found), *shares.tolist())


def simulate_in(round_: Round, setting: Setting) -> Rates:
    """Return the rates of a setting with as many runs as the round allows, which a probe tells; or none with the reason."""
    wanted, reason = min(setting.subject.runs, round_.runs), impossible(setting)
    if reason:
        return Rates(0, reason=reason)
    simulate(setting, 1)  # imports and caches
    seconds = _seconds(setting, 1)
    if FEWEST_RUNS * seconds < HOPELESS * round_.longest:
        seconds = _seconds(setting, PROBE)
    runs, reason = affordable(wanted, seconds, round_)
    return replace(Rates(0, reason=reason) if reason else simulate(setting, runs), round=round_.number)


def _seconds(setting: Setting, runs: int) -> float:
    """Return the processor time of one experiment."""
    started = time.process_time()
    simulate(setting, runs)
    return (time.process_time() - started) / runs


@contextmanager
def _shortened() -> Iterator[None]:
    """Leave out what decides nothing here: exact p-values beside the overall test, and most of 50,000 posterior draws."""
    with patch.object(permuted_totals, "MOST_STEPS", 0), patch.object(bayes_signed_rank, "DRAWS", DRAWS_OF_POSTERIOR):
        yield


def affordable(wanted: int, seconds: float, round_: Round) -> tuple[int, str]:
    """Return how many runs of so many seconds a setting has, in steps, so that timing hardly changes it; and why none."""
    for runs in (wanted, 1000, 500, FEWEST_RUNS):
        if runs <= wanted and runs * seconds <= (round_.longest if runs == FEWEST_RUNS else round_.seconds):
            return runs, ""
    return 0, f"{FEWEST_RUNS} runs need {FEWEST_RUNS * seconds:.0f} seconds"
