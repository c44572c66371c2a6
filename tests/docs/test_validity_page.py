"""The simulation of error rates: a few runs of it, what it keeps, and the page that it writes."""

import math
import runpy
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from benchkit.methods import COMPARISONS
from benchmarks.validity import mixed_rules, page, rates, roc_curves
from benchmarks.validity.__main__ import is_missing, run
from benchmarks.validity.data import DESIGNS, KINDS
from benchmarks.validity.simulate import ROUNDS, Rates, Round, affordable, experiment, simulate, simulate_in
from benchmarks.validity.subjects import Setting, impossible, settings, subjects

EXPERIMENTS = 300


def setting(method: str, kind: str = "normal", algorithms: int = 2, blocks: int = 10, design: str | None = None) -> Setting:
    subject = next(one for one in subjects() if one.name == method and design in (None, one.design))
    return Setting(subject, kind, algorithms, blocks)


def test_numbers_depend_on_the_setting_alone() -> None:
    wanted = [setting("paired-t"), setting("permutation", algorithms=5), setting("cochran-q", algorithms=5), setting("welch-t")]
    there = [simulate(one, 6) for one in wanted]
    back = [simulate(one, 6) for one in reversed(wanted)]
    assert there == back[::-1]
    assert experiment(wanted[1], 3) == experiment(wanted[1], 3)


def test_more_runs_keep_the_earlier_ones() -> None:
    one = setting("kfold-t", blocks=30, design="folds, model")
    six, twelve = (simulate(one, runs).error * runs for runs in (6, 12))
    assert six <= twelve <= six + 6


def test_a_liberal_method_is_flagged_and_its_correction_is_not() -> None:
    """At 250 folds of correlation .1 the plain t is sqrt(250 / 9 + 1) = 5.4 times too large."""
    plain, corrected = (
        simulate(setting(name, blocks=250, design="folds, model"), 150) for name in ("kfold-t", "repeated-kfold-t")
    )
    assert plain.error == pytest.approx(0.71, abs=0.12)  # 2 P(t > 1.97 / 5.4)
    assert rates.exceeds(plain, "error")
    assert rates.exceeds(plain, "covered")
    assert not rates.exceeds(corrected, "error")


def test_a_round_limits_the_runs() -> None:
    found = simulate_in(Round(1, 30, 1e9, 1e9), setting("paired-t"))
    assert (found.runs, found.round, found.reason) == (30, 1, "")
    assert simulate_in(Round(1, 30, 0.0, 0.0), setting("paired-t")).runs == 0


def test_chance_is_not_flagged() -> None:
    assert rates.standard_error(2000) == pytest.approx(0.004873, abs=1e-6)
    assert not rates.exceeds(Rates(2000, 0.065, 0.935, 0.065, 0.0), "error")
    assert rates.exceeds(Rates(2000, 0.068, 0.932, 0.068, 0.0), "covered")
    assert not rates.exceeds(Rates(0, reason="no"), "error")


def test_every_method_is_simulated_somewhere() -> None:
    possible = {one.subject.entry.name for one in settings() if not impossible(one)}
    assert possible == {entry.name for entry in COMPARISONS}
    keys = [one.key for one in settings()]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("kind", KINDS)
def test_no_algorithm_is_better(design: str, kind: str) -> None:
    """The mean of each experiment, since folds and the rows of a data set vary together."""
    blocks = 10 if design.startswith("5x2cv") else 5
    found = [np.nanmean(DESIGNS[design](kind, blocks, 3, np.random.default_rng(i)).values, axis=0) for i in range(EXPERIMENTS)]
    difference = np.array(found) - np.mean(found, axis=1, keepdims=True)
    assert (np.abs(difference.mean(axis=0)) < 4.5 * difference.std(axis=0) / math.sqrt(len(found))).all()


def test_a_slow_setting_has_fewer_runs_or_none() -> None:
    one = Round(2, 2000, 10.0, 60.0)
    assert affordable(2000, 0.001, one) == (2000, "")
    assert affordable(2000, 0.01, one) == (1000, "")
    assert affordable(500, 0.1, one) == (200, "")
    assert affordable(500, 3.0, one) == (0, "200 runs need 600 seconds")


def test_the_second_round_takes_up_what_may_have_more_runs() -> None:
    first, second = ROUNDS
    plain, resampled, none = setting("sign"), setting("bootstrap"), setting("wilcoxon", kind="skewed, unequal")
    assert is_missing(plain, {}, first)
    found = {plain.key: Rates(500, round=1), resampled.key: Rates(500, round=1), none.key: Rates(0, reason="none")}
    assert not is_missing(plain, found, first)
    assert is_missing(plain, found, second)
    assert not is_missing(resampled, found, second)
    assert is_missing(resampled, {resampled.key: Rates(0, reason="slow", round=1)}, second)
    assert not is_missing(none, found, second)
    assert not is_missing(plain, {plain.key: Rates(1000, round=2)}, second)


def test_a_run_keeps_each_setting_and_the_page_says_why_a_cell_is_empty(tmp_path: Path) -> None:
    wanted = [setting("paired-t"), setting("5x2cv-t", blocks=5), setting("wilcoxon", kind="skewed, unequal")]
    file, kept = tmp_path / "rates.csv", []

    def keep(found: dict[rates.Key, Rates]) -> None:
        rates.write(found, file)
        kept.append(len(rates.read(file)))

    simulation = partial(simulate, runs=25)
    run(wanted, simulation, {}, 1, math.inf, keep)
    assert kept == [1, 2, 3]
    found = rates.read(file)
    assert found[wanted[0].key].runs == 25
    assert found[wanted[1].key].reason == "5x2cv has ten replicates"
    run(wanted, simulation, found, 1, -math.inf, keep)
    assert len(kept) == 3  # no time is left
    text = page.page(found, "the rest\n")
    part = text.split("## paired-t")[1].split("##")[0]
    assert "| normal | false verdict | a |" in part
    assert "(25)" in part
    assert f"a: {page.NOT_RUN}" in part
    assert "the medians differ" in text.split("## wilcoxon")[1].split("##")[0]
    assert text.endswith("the rest\n")


def test_a_method_that_fails_is_an_empty_cell_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise ZeroDivisionError("no\nway")

    one = setting("sign")
    monkeypatch.setattr("benchkit.methods.comparison.sign.compare", fail)
    assert simulate(one, 5).reason == "stopped in run 0: ZeroDivisionError: no way"


def test_the_committed_page_shows_the_committed_rates(checkout: Path) -> None:
    committed = (checkout / "docs/validity.md").read_text(encoding="utf-8")
    assert committed == page.page(rates.read(), mixed_rules.part()) + roc_curves.part(), (
        "stale: python -m benchmarks.validity --write-only"
    )


def test_the_methods_page_says_which_exceed_their_level(checkout: Path) -> None:
    made = runpy.run_path(str(checkout / "docs/generate.py"))
    row = next(line for line in made["methods_page"]().splitlines() if line.startswith("| `kfold-t` |"))
    assert "false verdicts up to" in row
