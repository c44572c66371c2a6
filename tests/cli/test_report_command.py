"""--report, --explain and --mark from the command line."""

import json
from pathlib import Path

import pytest
from command_line import Run


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Return a file in which gam is better than lm by 2 in the mean: t = 6.3246, p = .0032."""
    lines = ["dataset,metric,replicate,algorithm,performance"]
    for i, (base, more) in enumerate(zip((1, 5, 2, 9, 4), (1, 2, 3, 2, 2), strict=True)):
        lines += [f"iris,mse,{i},gam,{base}", f"iris,mse,{i},lm,{base + more}"]
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


REPORT = (
    "On 5 replicates of iris, gam is better than lm in mse. Its mse is lower by 2.00 (95% interval 1.12 to 2.88, p = 0.0032), "
    "and it is the better one in 100% of the replicates (56.6% to 100%). The confidence level is 95% (method paired-t); "
    "this is about replicates like these, if they are independent, which no column tells.\n"
)


def test_the_report_stands_instead_of_the_table(run: Run, runs: Path) -> None:
    ran = run("test", runs, "--method", "paired-t", "--report")
    assert (ran.status, ran.out) == (0, REPORT)
    assert "choice-explained" not in ran.err
    assert "Asked for" not in ran.err


def test_the_report_goes_to_a_file(run: Run, runs: Path, tmp_path: Path) -> None:
    ran = run("test", runs, "--method", "paired-t", "--report", "-o", tmp_path / "r.md")
    assert (ran.status, ran.out) == (0, "")
    assert (tmp_path / "r.md").read_text().startswith("On 5 replicates of iris, gam is better than lm in mse.")
    run("test", runs, "--method", "paired-t", "--report", "-o", tmp_path / "report")
    assert (tmp_path / "report").read_text() == REPORT


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        (("--report", "-f", "csv"), "--report is text, which csv does not hold", "leave out -f csv, or choose table,"),
        (("--report", "-f", "json"), "--report is text, which json does not hold", "leave out -f json, or"),
        (("--explain", "-f", "json"), "--explain is text, which json does not hold", "; the json notes hold the explanation"),
        (("--report", "-o", "r.csv"), "--report is text, which csv does not hold", "end the name in .txt, .md or .tex"),
        (("--report", "-o", "out/"), "--report is one text, not a folder of tables", "name a file: -o report.txt"),
        (("--report", "--table", "means"), "--report shows no table", "leave out --table or --report"),
        (("--report", "--mark", "best", "-f", "latex"), "--report shows no table to mark", "leave out --mark or --report"),
        (("--mark", "best", "-f", "json"), "--mark needs a format that typesets, and json does not", "-f latex or -f markdown"),
        (("--mark", "best", "-f", "latex"), "--mark best has no place in the table pairs", "--table means"),
    ],
)
def test_what_does_not_go_together_is_refused(run: Run, runs: Path, options: tuple[str, ...], message: str, hint: str) -> None:
    said = run("test", runs, *options).complaint()
    assert said[0] == message
    assert hint in said[1]


def test_a_failed_gate_still_fails(run: Run, runs: Path) -> None:
    ran = run("test", runs, "--method", "paired-t", "--report", "--fail-if", "lm worse than gam")
    assert (ran.status, ran.out) == (1, REPORT)


def test_the_explanation_stands_below_the_table(run: Run, runs: Path) -> None:
    ran = run("test", runs, "--explain", "-q")
    table, chosen = ran.out.split("\n\nChosen without --method: mixed (")
    assert "verdict" in table
    assert "The same again, whatever the data: --method mixed --covariance unstructured" in chosen
    assert "a against b: better, worse, equivalent or undecided" in chosen


def test_json_holds_the_explanation_and_standard_error_does_not(run: Run, runs: Path) -> None:
    ran = run("test", runs, "-f", "json")
    said = [note for note in json.loads(ran.out)["notes"] if note["code"] == "choice-explained"]
    assert said[0]["message"].startswith("Chosen without --method: mixed")
    assert {note["severity"] for note in said} == {"info"}
    assert "Chosen without" not in ran.err
    assert "note: chose --method mixed --covariance unstructured" in ran.err


def test_a_report_of_several_experiments(run: Run, runs: Path) -> None:
    text = runs.read_text()
    rows = [row.replace("iris", "wine") for row in text.splitlines()[1:]]
    runs.write_text(text + "\n".join(rows) + "\n")
    paragraphs = run("test", runs, "--method", "paired-t", "--report").out.split("\n\n")
    assert [paragraph.split(",")[0] for paragraph in paragraphs] == ["On 5 replicates of iris", "On 5 replicates of wine"]


def test_marks_reach_the_table(run: Run, runs: Path) -> None:
    ran = run("test", runs, "-f", "latex", "--table", "means", "--mark", "best", "--mark", "letters", "-q")
    assert "\\textbf{gam} & \\textbf{4.2}$^{\\mathrm{a}}$" in ran.out
    stars = run("test", runs, "--method", "paired-t", "-f", "markdown", "--mark", "stars", "-q")
    assert "-2.00<sup>\\*\\*</sup>" in stars.out
    best = run("summarize", runs, "-f", "markdown", "--mark", "best", "-q")
    assert "| **gam**" in best.out


def test_methods_are_listed_with_their_assumptions(run: Run) -> None:
    rows = json.loads(run("list", "methods", "-f", "json").out)["tables"]["entries"]
    assert list(rows[0]) == ["name", "summary", "needs", "assumes", "source", "options"]
    assert all(row["assumes"] for row in rows)
