"""What cannot be done: one error line, one hint, status 2, nothing written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Run

HEAD = "replicate,algorithm,performance\n"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (HEAD + "1,a,1\n2,a,2\n", ("--better", "lower"), "there is only one algorithm: a"),
        (HEAD + "1,a,1\n2,b,2\n", ("--better", "lower"), "no replicate has two algorithms"),
        (HEAD + "1,a,1\n1,b,inf\n", ("--better", "lower"), "an infinite performance (b in replicate 1) has no mean"),
        (HEAD + "1,a,1\n1,b,2\n", (), "the direction of 'performance' is not known"),
        (HEAD + "1,a,1\n1,b,2\n", ("--better", "lower", "--baseline", "c"), "there is no algorithm c"),
        (HEAD + "1,a,1\n1,b,2\n", ("--better", "up"), "--better does not know 'up'"),
        (HEAD + "1,a,1\n1,b,2\n", ("--better", "lower", "--margin", "x"), "--margin does not understand 'x'"),
        (HEAD + "1,a,1\n1,b,fast\n", ("--better", "lower"), "r.csv line 3, column performance: 'fast' is not a number"),
        (HEAD + "1,a,NA\n1,b,\n", ("--better", "lower"), "no replicate has two algorithms"),
        (HEAD, ("--better", "lower"), "r.csv"),
        ("", ("--better", "lower"), "r.csv"),
        ("run,method,score\n1,a,2\n", (), "r.csv has no column 'algorithm' (it has: run, method, score)"),
    ],
)
def test_test_refuses(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, options: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_text(text)
    said, hint = run("test", "r.csv", *options, "-o", "out.csv").complaint()
    assert message in said
    assert hint
    assert os.listdir() == ["r.csv"]


def test_the_hint_of_wrong_names_can_be_pasted(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text("run,method,score\n1,a,2\n1,b,3\n2,a,2\n2,b,4\n")
    _, hint = run("test", path).complaint()
    assert hint == "--rename method=algorithm --rename run=replicate --rename score=performance"
    assert run("test", path, *hint.split(), "--better", "lower").status == 0


def test_one_bad_dataset_among_good_ones_is_named(run: Run, tmp_path: Path) -> None:
    rows = [f"{d},{i},{a},{i + (a == 'b')}.{d[-1]}{i}" for d in ("d1", "d2") for i in range(5) for a in "ab"] + ["d3,1,a,1"]
    path = tmp_path / "r.csv"
    path.write_text("dataset,replicate,algorithm,performance\n" + "\n".join(rows))
    ran = run("test", path, "--better", "lower")
    assert ran.status == 0
    assert "not tested: there is only one algorithm on d3: a" in ran.err
    gated = run("test", path, "--better", "lower", "--fail-if", "a worse than b")
    assert gated.status == 2


def test_gate_statuses(run: Run, motorcycle: Path, tmp_path: Path) -> None:
    out = tmp_path / "pairs.csv"
    hit = run("test", motorcycle, "--fail-if", "lm worse than gam", "-q", "-o", out)
    assert hit.status == 1
    assert hit.err.startswith("lm is worse than gam on mcycle: mse +1643, 95% interval [")
    assert out.exists()
    assert run("test", motorcycle, "--fail-if", "gam worse than lm", "-q").status == 0
    assert run("test", motorcycle, "--fail-if", "gam worst lm").status == 2
    assert run("test", motorcycle, "--fail-if", "gam worse than typo", "-q").status == 2


def test_a_bug_leaves_a_file_and_no_traceback(run: Run, motorcycle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("deep inside")

    monkeypatch.setattr("benchkit.core.summarize.summarize", broken)
    ran = run("summarize", motorcycle)
    assert ran.status == 3
    assert ran.err.startswith("error: internal error\nhint: this is a bug: please report it with the file ")
    report = Path(ran.err.rsplit(" ", 1)[1].strip())
    assert "ZeroDivisionError: deep inside" in report.read_text()
    report.unlink()


def test_usage_errors_have_one_hint(run: Run) -> None:
    assert run("tset").complaint()[0] == "no such command 'tset'"
    assert "did you mean" in run("test", "--metod", "mixed").complaint()[1]
    assert run("test", "x.csv", "--method", "mixd").complaint() == ("there is no method 'mixd'", "did you mean mixed?")
    assert run("test", "x.csv", "--reference", "t").complaint() == (
        "--reference belongs to the pooled model",
        "add --method mixed",
    )
    assert run("summarize", "--level", "95").complaint()[0] == "--level cannot be 95"


def test_nothing_to_read(run: Run) -> None:
    assert "no" in run("summarize").complaint()[0]
    message, _ = run("rank", stdin=b"").complaint()
    assert "empty" in message


def test_names_from_files_command_no_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(HEAD + "".join(f"{i},{name},{i}\n" for i in range(3) for name in ("\x1b[31mred", "[bold]x[/bold]")))
    ran = run("test", path, "--better", "lower", "--baseline", "\x1b]0;pwned\x07")
    assert "\x1b" not in ran.err
    shown = run("summarize", path, "--better", "lower", "-f", "table")
    assert "\x1b" not in shown.out
    assert "[bold]x[/bold]" in shown.out


def test_a_closed_pipe_is_no_error(motorcycle: Path) -> None:
    command = f'"{sys.executable}" -m benchkit benchplot "{motorcycle}" -f csv | head -n 1; echo "${{PIPESTATUS[0]}}"'
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "0"
    assert "Traceback" not in ran.stderr


def test_statuses_when_nobody_reads_and_when_nothing_fits(motorcycle: Path) -> None:
    benchkit = f'"{sys.executable}" -m benchkit'
    for command in ("--help", f'summarize "{motorcycle}" -q', f'benchplot "{motorcycle}" -f csv --table dots -q'):
        ran = subprocess.run(
            ["bash", "-c", f'{benchkit} {command} | true; echo "${{PIPESTATUS[0]}}"'], capture_output=True, text=True, check=True
        )
        assert ran.stdout.splitlines()[-1] == "0", command
    if Path("/dev/full").exists():
        full = subprocess.run(
            ["bash", "-c", f'{benchkit} test "{motorcycle}" -q > /dev/full'], capture_output=True, text=True, check=False
        )
        assert full.returncode == 2
        assert full.stderr.startswith("error: cannot write: no space left")


@pytest.mark.parametrize("name", ["r.xlsx", "fig.png", "r.html"])
def test_a_suffix_that_names_no_format_is_refused(run: Run, motorcycle: Path, tmp_path: Path, name: str) -> None:
    message, hint = run("summarize", motorcycle, "-o", tmp_path / name).complaint()
    assert message == f"the suffix .{name.split('.')[1]} names no format"
    assert ".csv" in hint
    assert not (tmp_path / name).exists()
    assert run("summarize", motorcycle, "-o", tmp_path / "plain", "-q").status == 0


def test_options_without_effect_on_a_figure_are_refused(run: Run, motorcycle: Path, tmp_path: Path) -> None:
    assert (
        run("benchplot", motorcycle, "--margin", "3", "-o", tmp_path / "x.svg")
        .complaint()[0]
        .startswith("--margin has no effect")
    )
    message, _ = run("benchplot", motorcycle, "--kind", "box", "--ties", "share", "-o", tmp_path / "x.svg").complaint()
    assert message.startswith("--ties has no effect")


def test_a_closed_output_and_links_in_a_ring(motorcycle: Path, tmp_path: Path) -> None:
    benchkit = f'"{sys.executable}" -m benchkit'
    for command, status in (
        (f'summarize "{motorcycle}" -q >&-', 2),
        (f'summarize "{motorcycle}" -q -o "{tmp_path}/o.csv" >&-', 0),
    ):
        ran = subprocess.run(["bash", "-c", f"{benchkit} {command}"], capture_output=True, text=True, check=False)
        assert (ran.returncode, "Traceback" in ran.stderr) == (status, False), ran.stderr
    ring = tmp_path / "ring.csv"
    ring.symlink_to(ring)
    ran = subprocess.run(
        ["bash", "-c", f'{benchkit} summarize "{motorcycle}" -q -o "{ring}"'], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert ran.stderr.splitlines()[0].startswith("error: cannot write")


def test_a_backend_that_does_not_exist_draws_all_the_same(run: Run, motorcycle: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "MPLBACKEND": "nonsense"}
    command = [
        sys.executable,
        "-m",
        "benchkit",
        "benchplot",
        str(motorcycle),
        "--kind",
        "box",
        "-q",
        "-o",
        str(tmp_path / "b.svg"),
    ]
    assert subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0
    assert (tmp_path / "b.svg").exists()
