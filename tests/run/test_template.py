"""The template is read without a fault, and so is every example in its comments."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchkit.errors import BenchkitError
from benchkit.registry import Entry
from benchkit.run.experiment_file import read
from benchkit.run.plan import ExperimentPlan
from benchkit.run.resampling import RESAMPLERS
from benchkit.run.template import text

EXAMPLE = re.compile(r"#(\w+) = |#\[\[")
LINES = text().splitlines()


def examples(part: str) -> list[str]:
    """Return the commented keys below the first line that begins like this, up to a line that is empty."""
    start = next(number for number, line in enumerate(LINES) if line.startswith(part))
    end = next((number for number in range(start, len(LINES)) if not LINES[number]), len(LINES))
    return [line for line in LINES[start:end] if EXAMPLE.match(line)]


def uncommented(chosen: Sequence[str], without: Sequence[str] = ()) -> str:
    """Return the template with the chosen lines as keys, and without others."""
    return "\n".join(line[1:] if line in chosen else line for line in LINES if line not in without)


def plan(folder: Path, content: str) -> ExperimentPlan:
    (folder / "experiment.toml").write_text(content, encoding="utf-8")
    return read(folder / "experiment.toml")


def line(start: str) -> str:
    """Return the first line that begins like this."""
    return next(line for line in LINES if line.startswith(start))


def test_it_is_read_as_it_is(tmp_path: Path) -> None:
    found = plan(tmp_path, text())
    assert [algorithm.name for algorithm in found.algorithms] == ["tree", "logistic", "knn"]
    assert [algorithm.tune is not None for algorithm in found.algorithms] == [False, False, True]
    assert found.datasets[0].loader == "sklearn.datasets:load_breast_cancer"


def test_it_fits_a_screen_and_a_half() -> None:
    assert len(LINES) <= 90
    assert max(map(len, LINES)) <= 120
    assert text().endswith("\n")
    assert text().isascii()


def test_all_examples_that_go_together_are_read_at_once(tmp_path: Path) -> None:
    chosen = [
        each
        for each in LINES
        if EXAMPLE.match(each) and not each.startswith("#tune") and each not in examples("[resampling]") and "metrics" not in each
    ]
    found = plan(tmp_path, uncommented([*chosen, line("#stratify"), line("#estimator")]))
    assert [dataset.name for dataset in found.datasets] == ["cancer", "patients"]
    assert [bool(found.algorithms[-2].function), bool(found.algorithms[-1].command)] == [True, True]
    assert (found.algorithms[0].timeout, found.algorithms[0].memory) == (600, 2 * 10**9)
    assert found.resampling.estimate == ".632"


def test_a_metric_of_ones_own_is_read(tmp_path: Path) -> None:
    found = plan(tmp_path, uncommented([line("#metrics")], without=[line("metrics")]))
    assert [metric.name for metric in found.metrics] == ["cost", "error_rate", "auc"]


def methods(example: str) -> list[str]:
    """Return the ways of resampling that a comment names, as in "# kfold, predefined (samples): ..."."""
    return [name.partition(" ")[0] for name in re.split(r" {2,}# ", example)[1].partition(":")[0].split(", ")]


@pytest.mark.parametrize("entry", RESAMPLERS, ids=lambda entry: str(entry.name))
def test_the_comments_say_which_resampling_takes_which_key(tmp_path: Path, entry: Entry) -> None:
    replicates = line("replicates")
    chosen = [each for each in (*examples("[resampling]"), f"#{replicates}") if entry.name in methods(each)]
    keys = {each[1:].partition(" ")[0] for each in chosen}
    extra = {"estimator"} if entry.name == "predefined" else set()
    assert keys == {"estimator" if option == "estimate" else option for option in entry.options} | extra

    content = uncommented(chosen, [] if "replicates" in keys else [replicates]).replace('"bootstrap"', f'"{entry.name}"')
    if entry.name == "predefined":
        split = line("#split")[1:] + "\n"
        assert plan(tmp_path, content.replace(split, "")).resampling.estimate == ".632"
        content = uncommented([line("#split")], [replicates]).replace('"bootstrap"', '"predefined"')
    assert plan(tmp_path, content).resampling.method == entry.name


def test_the_other_searches_are_read(tmp_path: Path) -> None:
    random, validated = (each for each in LINES if each.startswith("#tune"))
    tuned = line("tune")
    assert plan(tmp_path, uncommented([random], [tuned])).algorithms[2].tune.draws == 20  # type: ignore[union-attr]
    holdout = uncommented([validated, line("#validation")], [tuned, line("replicates")]).replace('"bootstrap"', '"holdout"')
    assert plan(tmp_path, holdout).algorithms[2].tune.inner == "validation"  # type: ignore[union-attr]


@pytest.mark.parametrize("table", ["[experiment]", "[[dataset]]", "[resampling]", "[[algorithm]]"])
def test_every_key_that_is_known_is_shown(tmp_path: Path, table: str) -> None:
    with pytest.raises(BenchkitError) as caught:
        plan(tmp_path, text().replace(f"\n{table}\n", f"\n{table}\nzzzzzz = 1\n", 1))
    known = caught.value.hint.removeprefix("known keys: ").split(", ")
    shown = {each.lstrip("#").partition(" ")[0] for each in LINES}
    assert len(known) > 3
    assert not set(known) - shown
