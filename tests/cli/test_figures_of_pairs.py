"""`benchplot` for what a test found: from results, from a pairs table, from a pipe; what cannot be drawn."""

from pathlib import Path

import pytest
from command_line import Run

THREE = ("--where", "algorithm=gam,gamboost,loess")


@pytest.mark.parametrize("kind", ["intervals", "pvalues", "effects"])
def test_results_and_their_pairs_give_the_same_figure(run: Run, motorcycle: Path, tmp_path: Path, kind: str) -> None:
    table = tmp_path / "pairs.csv"
    assert run("test", motorcycle, *THREE, "--method", "mixed", "-q", "-o", table).status == 0
    direct = run("benchplot", motorcycle, *THREE, "--kind", kind, "--method", "mixed", "-q", "-f", "csv")
    assert direct.raw == run("benchplot", table, "--kind", kind, "-q", "-f", "csv").raw
    assert direct.out.splitlines()[0] == table.read_text().splitlines()[0]
    picture = run("benchplot", "-", "--kind", kind, "-q", stdin=table.read_bytes())
    assert picture.status == 0
    assert picture.raw.startswith(b"<?xml")
    assert picture.raw == run("benchplot", table, "--kind", kind, "-q").raw


def test_a_posterior_from_a_pipe(run: Run, motorcycle: Path) -> None:
    tested = run("test", motorcycle, *THREE, "--method", "bayes-sign", "--margin", "30", "-q", "-f", "csv")
    picture = run("benchplot", "--kind", "posterior", "-q", stdin=tested.raw)
    assert picture.status == 0
    assert "posterior probability" in picture.out


def test_a_method_without_a_posterior(run: Run, motorcycle: Path, tmp_path: Path) -> None:
    message, hint = run("benchplot", motorcycle, *THREE, "--kind", "posterior", "-o", tmp_path / "x.png").complaint()
    assert message == "mixed-unstructured gives no posterior"
    assert hint == "choose --method bayes-signed-rank, bayes-sign or bayes-correlated-t"
    simplex = ("benchplot", motorcycle, *THREE, "--kind", "simplex", "-o", tmp_path / "x.png", "--method")
    assert "no posterior of three shares" in run(*simplex, "bayes-correlated-t", "--margin", "9").complaint()[0]
    assert "--margin D" in run(*simplex, "bayes-sign").complaint()[1]
    no_p = run("benchplot", motorcycle, *THREE, "--kind", "pvalues", "--method", "bayes-sign", "-o", tmp_path / "x.png")
    assert no_p.complaint()[0] == "bayes-sign gives no p-values"


def test_a_simplex_prints_its_draws(run: Run, motorcycle: Path) -> None:
    options = (*THREE, "--kind", "simplex", "--method", "bayes-sign", "--margin", "30", "-q", "-f", "csv")
    lines = run("benchplot", motorcycle, *options).out.splitlines()
    assert lines[0] == "metric,dataset,method,a,b,draw,share_better,share_equivalent,share_worse"
    assert len(lines) == 1 + 3 * 1000


@pytest.mark.parametrize(("effect", "usual"), [("ratio", "log"), ("mean_difference", "linear"), ("prob_better", "linear")])
def test_ratios_stand_on_a_logarithmic_axis_unless_one_asks(run: Run, motorcycle: Path, effect: str, usual: str) -> None:
    asked = ("benchplot", motorcycle, *THREE, "--kind", "effects", "--effect", effect, "--method", "paired-t", "-q")
    assert run(*asked).raw == run(*asked, "--scale", usual).raw
    if usual == "log":
        assert run(*asked).raw != run(*asked, "--scale", "linear").raw
