import sys
from collections import Counter

import pytest
from experiments_on_disk import MODULE, Experiment

BAD = r'''
import ctypes, os, re, signal, subprocess, sys

class Silent(Exception):
    def __str__(self):
        raise ValueError("no text")

def abort(X_train, y_train, X_test):
    os.abort()

def segfault(X_train, y_train, X_test):
    ctypes.string_at(0)

def leave(X_train, y_train, X_test, status):
    os._exit(status)

def system_exit(X_train, y_train, X_test):
    sys.exit("enough")

def interrupt(X_train, y_train, X_test):
    raise KeyboardInterrupt

def sleeper():
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])

def sleep(X_train, y_train, X_test, deaf=False, child=False):
    if deaf:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if child:
        sleeper()
    time.sleep(600)

def hold(X_train, y_train, X_test):
    re.match(r"(a*)*b", "a" * 40)  # lets no other thread run

def eat(X_train, y_train, X_test):
    eaten = []
    for _ in range(40):
        eaten.append(np.ones(50_000_000, dtype=np.uint8))
        time.sleep(0.03)
    return mean(X_train, y_train, X_test, 0)

CHILD = """
import time
eaten = []
for _ in range(40):
    eaten.append(b"x" * 50_000_000)
    time.sleep(0.03)
"""

def feed(X_train, y_train, X_test):
    subprocess.run([sys.executable, "-c", CHILD], check=True)
    return mean(X_train, y_train, X_test, 0)

def out_of_memory(X_train, y_train, X_test):
    raise MemoryError("cannot allocate 3 TB")

def orphan(X_train, y_train, X_test):
    sleeper()
    os.abort()

MESSAGES = {
    "lines": "first line\n\tsecond  line\r\n",
    "unicode": "größer als ≈ 3 \u2028 日本",
    "long": "x" * 5000,
    "markup": "[bold red]x[/nothing] \x1b[31mred\x07 <b>&amp;</b> $x_$",
    "surrogate": "half \ud800 a pair, \0 nothing",
    "none": "",
}

def complain(X_train, y_train, X_test, which):
    raise ValueError(MESSAGES[which])

def say_nothing(X_train, y_train, X_test):
    raise Silent

def shout(X_train, y_train, X_test, seed):
    print("metric,better,dataset" * 1000, flush=True)
    os.write(1, b"noise\n" * 1000)
    os.write(2, b"noise\n" * 1000)
    subprocess.run(["echo", "noise"])
    sys.__stdout__.write("noise")
    return mean(X_train, y_train, X_test, seed)

def picky(X_train, y_train, X_test, seed):
    if Path("mended").exists() or seed % 2:
        return mean(X_train, y_train, X_test, seed)
    raise ValueError("an even seed")
'''
TIMED, LIMITED = "timeout = 0.6", 'memory = "600 MB"'


def table(function: str, params: str = "", limit: str = "") -> str:
    return f'function = "own:{function}"\nparams = {{{params}}}\n{limit}'


# algorithm -> its table, and the status and error of its fits
CASES = {
    "abort": (table("abort"), "failed", "its process died of SIGABRT"),
    "segfault": (table("segfault"), "failed", "its process died of SIGSEGV"),
    "leaves with 0": (table("leave", "status = 0"), "failed", "ended its process"),
    "leaves with 3": (table("leave", "status = 3"), "failed", "its process ended with status 3"),
    "system exit": (table("system_exit"), "failed", "SystemExit: enough"),
    "interrupt": (table("interrupt"), "failed", "KeyboardInterrupt"),
    "sleep": (table("sleep", "", TIMED), "timeout", "took longer than 0.6 s"),
    "deaf": (table("sleep", "deaf = true", TIMED), "timeout", "took longer than 0.6 s"),
    "with child": (table("sleep", "child = true", TIMED), "timeout", "took longer than 0.6 s"),
    "hold": (table("hold", "", TIMED), "timeout", "took longer than 0.6 s"),
    "eat": (table("eat", "", LIMITED), "out-of-memory", "used more than 600 MB"),
    "feed": (table("feed", "", LIMITED), "out-of-memory", "used more than 600 MB"),
    "memory error": (table("out_of_memory"), "out-of-memory", "MemoryError: cannot allocate 3 TB"),
    "orphan": (table("orphan"), "failed", "its process died of SIGABRT"),
    "lines": (table("complain", 'which = "lines"'), "failed", "ValueError: first line second line"),
    "unicode": (table("complain", 'which = "unicode"'), "failed", "ValueError: größer als ≈ 3 日本"),
    "long": (table("complain", 'which = "long"'), "failed", "ValueError: " + "x" * (496 - 12) + " ..."),
    "none": (table("complain", 'which = "none"'), "failed", "ValueError"),
    "silent": (table("say_nothing"), "failed", "Silent"),
}


@pytest.fixture
def experiment(tmp_path):
    made = Experiment(tmp_path, MODULE + BAD)
    yield made
    assert made.left_over() == []


def test_every_failure_is_a_result_beside_a_good_algorithm_that_keeps_all_of_its_own(experiment):
    good = {"good": "mean", "shouting": "shout"}
    experiment.write({**good, **{name: case[0] for name, case in CASES.items()}}, replicates=2, metrics='["mse"]')
    ran = experiment.run("--jobs", "2")
    assert ran.status == 1
    rows = experiment.rows()
    found = {name: {(row["status"], row["error"]) for row in rows if row["algorithm"] == name} for name in (*good, *CASES)}
    assert found == {**{name: {("ok", "")} for name in good}, **{name: {case[1:]} for name, case in CASES.items()}}
    assert Counter(row["algorithm"] for row in rows) == dict.fromkeys((*good, *CASES), 2)
    assert {row["n_train"] for row in rows} == {"30"}
    assert all(row["performance"] if row["algorithm"] in good else row["performance"] == "" for row in rows)
    shown = {name: f'"{name}"' if " " in name else name for name in CASES}
    counts = ", ".join(f"{shown[name]} 2" for name in sorted(CASES))
    firsts = [f"{shown[name]} on data, replicate 1: {status}: {error}" for name, (_, status, error) in CASES.items()]
    assert ran.lines[-20:] == [f"38 of 42 fits failed: {counts}", *firsts]
    # the good ones have the results that they have alone
    experiment.write(good, replicates=2, metrics='["mse"]')
    alone = experiment.run(output="alone.csv")
    assert alone.status == 0, alone.err
    assert experiment.rows("alone.csv") == [row for row in rows if row["algorithm"] in good]


def test_text_of_errors_is_data(experiment):
    marked = {name: table("complain", f'which = "{name}"') for name in ("markup", "surrogate")}
    experiment.write(marked, replicates=1, metrics='["mse"]')
    ran = experiment.run()
    assert ran.status == 1, ran.err
    errors = [row["error"] for row in experiment.rows()]
    assert errors[0].startswith("ValueError: [bold red]x[/nothing] ")
    assert errors[1].startswith("ValueError: half ")
    assert "\x1b" not in ran.err
    assert "[bold red]x[/nothing]" in ran.err


def test_each_row_has_the_reason_of_its_own_metric(experiment):
    code = "\ndef cost(y_true, y_pred):\n    raise ValueError('half \\ud800 a\\n pair')\n"
    experiment.module(MODULE + code)
    cost = '{name = "cost", function = "own:cost", better = "lower"}'
    experiment.write({"good": "mean"}, replicates=1, metrics=f'["mse", {cost}]')
    ran = experiment.run()
    assert ran.status == 0, ran.err
    reason = "cost: ValueError: half \\ud800 a pair"
    assert [(row["metric"], row["status"], row["error"]) for row in experiment.rows()] == [
        ("mse", "ok", ""),
        ("cost", "ok", reason),
    ]
    assert f"note: 1 performance missing although the fit succeeded: {reason}" in ran.lines


CHANGING = """
def changing(X_train, y_train, X_test, seed):
    with open("own.py", "a") as file:
        file.write("# more\\n")
    return mean(X_train, y_train, X_test, seed)
"""


def test_code_that_changes_while_a_run_goes_on_is_noted(experiment):
    experiment.module(MODULE + CHANGING)
    experiment.write({"good": "mean"}, replicates=2, metrics='["mse"]')
    note = "note: while this ran: algorithm '{}': the code changed; fits of both versions may stand there: --fresh"
    assert note.format("good") not in experiment.run(output="other.csv").lines
    experiment.write({"changing": "changing"}, replicates=2, metrics='["mse"]')
    ran = experiment.run()
    assert ran.status == 0, ran.err
    assert note.format("changing") in ran.lines


def test_noise_does_not_reach_the_rows_on_standard_output(experiment):
    experiment.write({"shouting": "shout"}, replicates=2, metrics='["mse"]')
    quiet = experiment.run("--quiet", output="")
    assert (quiet.status, quiet.err) == (0, "")
    assert [line.split(",")[:3] for line in quiet.out.splitlines()] == [
        ["metric", "dataset", "replicate"],
        ["mse", "data", "1"],
        ["mse", "data", "2"],
    ]
    loud = experiment.run("--fresh", "--show-output", "--quiet", output="")
    assert [len(line.split(",")) for line in loud.out.splitlines()] == [len(quiet.out.partition("\n")[0].split(","))] * 3
    assert loud.err.count("noise") > 2000


def test_failures_may_be_allowed_and_tried_again(experiment):
    experiment.write({"picky": "picky", "good": "mean"}, replicates=8, metrics='["mse"]')
    ran = experiment.run()
    before = experiment.rows()
    bad = [row["replicate"] for row in before if row["status"] == "failed"]
    assert 0 < len(bad) < 8
    first = f"picky on data, replicate {bad[0]}: failed: ValueError: an even seed"
    assert (ran.status, ran.lines[-2:]) == (1, [f"{len(bad)} of 16 fits failed: picky {len(bad)}", first])
    (experiment.folder / "mended").touch()
    assert experiment.run("--max-failed", str(len(bad) - 1)).status == 1
    allowed = experiment.run("--max-failed", str(len(bad)))
    assert allowed.status == 0
    assert f"note: {len(bad)} of 16 fits failed: picky {len(bad)} (first: {first})" in allowed.lines
    assert experiment.rows() == before
    again = experiment.run("--retry-failed")
    assert again.status == 0, again.err
    assert f"{16 - len(bad)} of these fits were there from before" in again.err
    kept = [row for row in before if row["status"] == "ok"]
    assert [row for row in experiment.rows() if row in kept] == kept
    assert {row["status"] for row in experiment.rows()} == {"ok"}


def test_fail_fast_ends_at_the_first_failure_and_writes_no_output(experiment):
    experiment.write({"bad": "abort"}, replicates=500, metrics='["mse"]')
    ran = experiment.run("--fail-fast")
    assert ran.status == 1
    assert ran.lines == [
        "stopped at the first failure: bad on data, replicate 1: failed: its process died of SIGABRT",
        "1 fit saved; the same command without --fail-fast goes on from here",
    ]
    assert not (experiment.folder / "r.csv").exists()


def test_code_that_ends_its_process_while_it_is_loaded_is_refused(experiment):
    experiment.module("import os\nos._exit(0)\n")
    experiment.write({"bad": "mean"})
    refused = (
        "the code that the experiment names ends its process while it is loaded",
        "import it in a Python of your own first",
    )
    assert experiment.run().refusal == refused


def test_a_pilot_goes_on_after_a_fit_that_crashes_or_hangs(experiment):
    experiment.write({"bad": "abort", "slow": table("sleep", "", TIMED), "good": "mean"})
    ran = experiment.run("--dry-run", "--jobs", "2", "--format", "csv", output="")
    assert ran.status == 0, ran.err
    assert [line.split(",")[1] for line in ran.out.splitlines()[1:]] == ["bad", "slow", "good"]
    assert [word in line for word, line in zip(("SIGABRT", "took longer", "ok"), ran.out.splitlines()[1:], strict=True)] == [
        True
    ] * 3


COMMAND = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
time.sleep(600)
"""


def test_a_command_that_hangs_is_ended_with_what_it_started(experiment):
    (experiment.folder / "hang.py").write_text(COMMAND)
    words = f'["{sys.executable}", "hang.py", "{{test}}", "{{predictions}}"]'
    experiment.write({"bad": f"command = {words}\ntimeout = 0.6", "good": "mean"}, replicates=1, metrics='["mse"]')
    with experiment.start() as process:
        process.communicate(timeout=60)
        assert experiment.left_over() == []
    assert [(row["algorithm"], row["status"]) for row in experiment.rows()] == [("bad", "timeout"), ("good", "ok")]
