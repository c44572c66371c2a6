"""`benchplot --kind roc, shares, enough` from a document and from single tables of `benchkit roc`."""

from pathlib import Path

import polars as pl
import pytest
from command_line import Run

from benchkit.cli.curve_pictures import picture_suffix, plot_curves
from benchkit.errors import BenchkitError
from benchkit.formats import json
from benchkit.formats.style import Style
from benchkit.tables import shapes
from benchkit.tables.result import Note, Result


@pytest.fixture
def result() -> Result:
    """A result of `roc` about two ensembles of 4 voters."""
    known = {"method": "joint", "voters_used": 4, "ci_level": 0.95}
    items = {"n_voters": 4, "n_negative": 50, "n_positive": 50, "target": "rerun", "vary": "both", "share_voters": 0.4}
    ensembles = [
        known | items | {"ensemble": name, "auc": area, "ci_low": area - 0.1, "ci_high": area + 0.1}
        for name, area in (("deep", 0.9), ("flat", 0.7))
    ]
    shares = {"fpr_share_voters": 0.4, "tpr_share_voters": 0.4}
    points = [
        known | shares | {"ensemble": name, "threshold": t, "fpr": fpr, "tpr": fpr**power}
        for name, power in (("deep", 0.2), ("flat", 0.5))
        for t, fpr in enumerate((1.0, 0.5, 0.2, 0.1, 0.0))
    ]
    marks = [
        known | {"ensemble": name, "characteristic": "tpr_at_fpr", "at": 0.2, "estimate": 0.5, "ci_low": 0.4, "ci_high": 0.6}
        for name in ("deep", "flat")
    ]
    tables = {
        "ensembles": shapes.build(shapes.ENSEMBLES, ensembles),
        "points": shapes.build(shapes.POINTS, points),
        "marks": shapes.build(shapes.MARKS, marks),
        "pairs": shapes.empty(shapes.PAIRS),
    }
    return Result("roc", tables, [Note("inference-target", "intervals and bands are about it")])


@pytest.fixture
def document(result: Result, tmp_path: Path) -> Path:
    """The result as a file."""
    path = tmp_path / "roc.json"
    path.write_bytes(json.write(result, "ensembles", Style()))
    return path


@pytest.mark.parametrize("kind", ["roc", "shares", "enough"])
def test_a_document_is_drawn(run: Run, document: Path, tmp_path: Path, kind: str) -> None:
    target = tmp_path / "out.svg"
    ran = run("benchplot", document, "--kind", kind, "-o", target)
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    text = target.read_text()
    assert "deep" in text
    assert "50 negative and 50 positive items, 4 voters" in text


def test_curves_are_drawn_on_a_logarithmic_axis_unless_asked_otherwise(run: Run, document: Path) -> None:
    usual, linear = (run("benchplot", document, "--kind", "roc", "-f", "svg", *more).out for more in ((), ("--scale", "linear")))
    assert "goes on to FPR 0" in usual
    assert "goes on to FPR 0" not in linear
    assert run("benchplot", document, "--kind", "roc", "-f", "svg", "--scale", "log").out == usual


def test_a_selection_of_ensembles_keeps_colours(run: Run, document: Path) -> None:
    ran = run("benchplot", document, "--kind", "roc", "-f", "svg", "--where", "ensemble=flat")
    assert "#d55e00" in ran.out
    assert "flat: AUC 0.700 [0.600, 0.800]" in ran.out
    assert "deep" not in ran.out


def test_points_alone_are_drawn_and_numbers_given(run: Run, result: Result, document: Path, tmp_path: Path) -> None:
    result.tables["points"].write_csv(tmp_path / "points.csv")
    assert "ROC: deep, flat" in run("benchplot", tmp_path / "points.csv", "--kind", "roc", "-f", "svg").out
    numbers = run("benchplot", document, "--kind", "enough", "-f", "csv").raw
    assert pl.read_csv(numbers)["auc"].to_list() == [0.9, 0.7]


def test_what_has_no_effect_or_is_not_there_is_refused(run: Run, document: Path, result: Result, tmp_path: Path) -> None:
    ran = run("benchplot", document, "--kind", "roc", "--level", "0.9", "-f", "svg")
    assert ran.complaint() == ("--level has no effect on a figure of kind roc", "give --level to benchkit roc")
    result.tables["ensembles"].write_csv(tmp_path / "ensembles.csv")
    ran = run("benchplot", tmp_path / "ensembles.csv", "--kind", "roc", "-f", "svg")
    assert ran.complaint()[0] == "a figure of kind roc needs the table points"


def test_tables_are_drawn_into_a_file(result: Result, tmp_path: Path) -> None:
    plot_curves(result.tables, str(tmp_path / "out.png"), ascii_only=False)
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(BenchkitError, match=r"--plot cannot write out\.txt"):
        picture_suffix("out.txt")


def test_scores_are_sent_to_the_command_that_draws_them(run: Run, tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("item,algorithm,label,score\n1,svm,0,0.2\n2,svm,1,0.4\n")
    found = run("benchplot", str(tmp_path / "s.csv"), "--kind", "roc")
    assert found.status == 2
    assert "made by benchkit roc, whose --plot FILE draws votes and scores at once" in found.err
