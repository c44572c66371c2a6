"""Inputs that once ended in a traceback, or in a wrong answer with status 0."""

import json
from pathlib import Path

import pytest
from command_line import Run

HEAD = "replicate,algorithm,performance\n"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (HEAD + "1,a,0.3\n2,a,0.30000000000000004\n1,b,1\n2,b,2\n", ("benchplot", "--kind", "violin", "-f", "csv")),
        (
            HEAD + "".join(f"{i},{a},{i * i + j}e-90\n" for i in range(9) for j, a in enumerate("abc")),
            ("test", "--method", "mixed"),
        ),
        (
            HEAD + "".join(f"{i},{a},{i * i + j}e80\n" for i in range(9) for j, a in enumerate("abc")),
            ("test", "--method", "mixed"),
        ),
        (HEAD + "".join(f"{'1' * 5000}{i},{a},{i}\n" for i in range(3) for a in "ab"), ("summarize",)),
        ("replicate,algorithm,performance,status\n1,a,1,OK\n1,b,2,ok\n2,a,3,OK\n2,b,3,Ok\n", ("test",)),
    ],
)
def test_it_answers(run: Run, tmp_path: Path, text: str, options: tuple[str, ...]) -> None:
    path = tmp_path / "r.csv"
    path.write_text(text)
    ran = run(options[0], path, "--better", "lower", *options[1:])
    assert ran.status == 0, ran.err
    assert len(ran.out.splitlines()) > 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dataset,algorithm,performance\nx,a,1\nx,b,2\n,a,1\n,b,3\n", "no column tells the replicates apart"),
        ("replicate,algorithm,performance,status\n1,a,1,done\n1,b,2,ok\n", "the column 'status' says 'done'"),
    ],
)
def test_it_refuses(run: Run, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "r.csv"
    path.write_text(text)
    assert message in run("test", path, "--better", "lower").complaint()[0]


def test_a_misspelt_verdict_is_not_unknown(run: Run) -> None:
    assert run("rank", "-", stdin=b"a,b,relation\nx,y,bettr\n").complaint()[0] == "'bettr' is no verdict (x against y)"


def test_large_whole_numbers_stay_apart_as_names(run: Run) -> None:
    rows = [{"replicate": 18446744073709551615 - (a == "b"), "algorithm": a, "performance": 1.0} for a in "ab"] + [
        {"replicate": 3, "algorithm": a, "performance": 2.0} for a in "ab"
    ]
    ran = run("summarize", "-", "--better", "lower", "-f", "json", "-q", stdin=json.dumps(rows).encode())
    assert [row["n_missing"] for row in json.loads(ran.out)["tables"]["algorithms"]] == [1, 1]


def test_members_of_a_cycle_have_a_rank_inside_their_interval(run: Run) -> None:
    ran = run("rank", "-", "-f", "json", "-q", stdin=b"a,b,relation\nx,y,better\ny,z,better\nx,z,worse\n")
    for row in json.loads(ran.out)["tables"]["ranks"]:
        assert (row["rank_low"], row["rank"], row["rank_high"]) == (1, 1, 3)


def test_figures_by_file_never_share_a_name(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    rows = [f"{d},{i},{a},{i}" for d in ("a/b", "a_b") for i in range(3) for a in "xy"]
    path.write_text("dataset,replicate,algorithm,performance\n" + "\n".join(rows))
    target = tmp_path / "o.svg"
    options = ("--better", "lower", "--kind", "box", "--by", "file", "-o", target, "-q")
    assert run("benchplot", path, *options).complaint()[0] == "two figures would have the same file name"
    assert list(tmp_path.glob("*.svg")) == []
    path.write_text(path.read_text().replace("a/b", "c"))
    assert run("benchplot", path, *options).status == 0
    assert sorted(made.name for made in tmp_path.glob("*.svg")) == ["o-a_b.svg", "o-c.svg"]
