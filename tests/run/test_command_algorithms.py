"""Commands in any language: what they are called with, what they are given, what they may write, and how they fail."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from toy_fits import dataset, fit_of, outcome

from benchkit.errors import BenchkitError
from benchkit.run.algorithms.command import command_line, fit_command
from benchkit.run.checking import check
from benchkit.run.dataset import Dataset
from benchkit.run.plan import AlgorithmPlan, ExperimentPlan, ResamplingPlan

N = 8
NUMBERS = dataset({"x": np.arange(N) * 0.1, "color": ["a, b", 'c "d"', "e\nf", None] * 2, "y": np.arange(N) * 1.0})
COMMON = ("{test}", "{predictions}")
TRAIN, TEST = [0, 1, 1, 2, 3], [4, 6, 7]


def classes(*names) -> Dataset:
    return dataset({"x": np.arange(N) * 1.0, "y": [names[row % len(names)] for row in range(N)]}, task="classification")


def command(folder: Path, *words: str, **params) -> AlgorithmPlan:
    return AlgorithmPlan("a", folder, command=words, preprocess="none", params=params)


def python(folder: Path, code: str, *words: str, **params) -> AlgorithmPlan:
    """A command that runs Python code on test, predictions and further words."""
    return command(
        folder, sys.executable, "-c", f"import sys\ntest, out, *rest = sys.argv[1:]\n{code}", *COMMON, *words, **params
    )


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """All temporary files stand in a folder of their own, which is empty afterwards."""
    place = tmp_path / "tempo rary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield place
    assert list(place.iterdir()) == []


@pytest.fixture
def written(monkeypatch, tmp_path):
    """Give the outcome of a command that writes the bytes, without starting a process."""

    def written(content: str | bytes | None, data: Dataset = NUMBERS, *metrics: str):
        def run(words, **_):
            if content is not None:
                Path(words[-1]).write_bytes(content.encode() if isinstance(content, str) else content)
            return subprocess.CompletedProcess(words, 0)

        monkeypatch.setattr(subprocess, "run", run)
        metrics = metrics or (("mse",) if data.task == "regression" else ("accuracy",))
        return outcome(fit_of(data, command(tmp_path, "x", *COMMON), TRAIN, TEST), *metrics, predictions=True)

    return written


def test_placeholders() -> None:
    values = {"a": 1, "b": True, "c": 0.1, "d": "{a}", "e": Path("/x y/z")}
    assert command_line(["{a}-{b}", "{c}{d}", "{{a}}", "{e}", "$(touch {a}); 'q' \"r\""], values) == [
        "1-true", "0.1{a}", "{a}", "/x y/z", "$(touch 1); 'q' \"r\"",
    ]  # fmt: skip


ODD_WORDS = [
    "two words",
    "quo'te",
    'dou"ble',
    "ünïcödé ☃",
    "{{x}}",
    "a;b && c | d > e",
    "$(touch hacked)",
    "`touch hacked`",
    "*",
    "",
    "-rf",
]


def test_words_arrive_as_they_are_without_a_shell(tmp_path) -> None:
    code = "open('words.txt', 'w', encoding='utf-8').write(repr(rest)); open(out, 'w').write('1\\n2\\n3\\n')"
    algorithm = python(tmp_path, code, *ODD_WORDS, "{value}", value="-v $HOME")
    assert outcome(fit_of(NUMBERS, algorithm, TRAIN, TEST)).status == "ok"
    expected = [word.replace("{{x}}", "{x}") for word in ODD_WORDS] + ["-v $HOME"]
    assert (tmp_path / "words.txt").read_text(encoding="utf-8") == repr(expected)
    assert not (tmp_path / "hacked").exists()


def test_a_shell_script_in_a_folder_with_an_odd_name(tmp_path) -> None:
    folder = tmp_path / 'it\'s {a} "fol der"; ü $(x)'
    folder.mkdir()
    script = folder / "-fit me.sh"
    script.write_text('#!/bin/sh\necho noise\n[ "$PWD" = "$(pwd)" ] && [ -f "./-fit me.sh" ] || exit 9\n'
                      'tail -n +2 "$1" | while IFS=, read -r x rest; do echo "$x"; done > "$2"\n')  # fmt: skip
    data = dataset({"x": np.arange(N) * 0.5, "y": np.arange(N) * 0.5})
    algorithm = command(folder, "./-fit me.sh", *COMMON)
    script.chmod(0o644)
    plan = ExperimentPlan(folder / "e.toml", "e", 1, (), (), ResamplingPlan("bootstrap"), (algorithm,))
    with pytest.raises(BenchkitError, match=r"'./-fit me.sh' is not executable"):
        check(plan, [data], (), False)
    failed = outcome(fit_of(data, algorithm, TRAIN, TEST))
    assert (failed.status, failed.error) == ("failed", "./-fit me.sh cannot be run: Permission denied")
    script.chmod(0o755)
    assert check(plan, [data], (), False) == []
    got = outcome(fit_of(data, algorithm, TRAIN, TEST), predictions=True)
    assert (got.error, got.performance) == (None, {"mse": 0.0})
    assert got.predict_seconds is None
    assert got.train_performance == {}


def test_what_the_files_hold(tmp_path) -> None:
    code = (
        "import shutil\n"
        "for name in ('train', 'validation'): shutil.copy(rest.pop(0), name + '.csv')\n"
        "shutil.copy(test, 'test.csv')\n"
        "open('about.txt', 'w').write(' '.join(rest))\n"
        "open(out, 'w').write('0\\n0\\n0\\n')"
    )
    algorithm = python(tmp_path, code, "{train}", "{validation}", "{seed}", "{dataset}", "{replicate}", "{k}", k=3)
    fit_command(fit_of(NUMBERS, algorithm, TRAIN, TEST, validation=[5]))
    assert (tmp_path / "test.csv").read_text() == 'x,color\n0.4,"a, b"\n0.6000000000000001,"e\nf"\n0.7000000000000001,\n'
    train = (tmp_path / "train.csv").read_text()
    assert train.startswith('x,color,y\n0.0,"a, b",0.0\n0.1,"c ""d""",1.0\n0.1,"c ""d""",1.0\n0.2,"e\nf",2.0\n')
    assert (tmp_path / "validation.csv").read_text() == 'x,color,y\n0.5,"c ""d""",5.0\n'
    assert (tmp_path / "about.txt").read_text() == "7 d 1 3"


@pytest.mark.parametrize(
    "content",
    [
        "1\n2.5\n-3\n",
        "1\n2.5\n-3",
        "prediction\n1\n2.5\n-3\n",
        '"prediction"\n"1"\n"2.5"\n"-3"\n',
        "\ufeffprediction\r\n1\r\n2.5\r\n-3\r\n",
        "fit\n1\n2.5\n-3\n\n\n",
        '"","prediction"\n"1",1\n"2",2.5\n"3",-3\n',
        "prediction,lower\n1,0\n2.5e0,0\n -3 ,0\n",
    ],
)
def test_numbers_in_many_forms(content, written) -> None:
    got = written(content)
    assert (got.status, got.error, got.predictions) == ("ok", None, (["1.0", "2.5", "-3.0"], [1.0, 2.5, -3.0]))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "wrote no predictions"),
        ("", "wrote 0 predictions for 3 rows"),
        ("1\n2\n", "wrote 2 predictions for 3 rows"),
        ("1\n2\n3\n4\n", "wrote 4 predictions for 3 rows"),
        ("1\n2\n3\n4\n5\n", "wrote 5 predictions for 3 rows"),
        ("prediction\n1\n2\n", "wrote 2 predictions for 3 rows"),
        ("prediction\n1\n2\n3\n4\n", "wrote 4 predictions for 3 rows"),
        ("1\nNaN\n3\n", "prediction 2 of 3 is missing"),
        ("1\nNA\n3\n", "prediction 2 of 3 is missing"),
        ("1\n\n3\n", "prediction 2 of 3 is missing"),
        ("prediction\n1\n\n3\n", "prediction 2 of 3 is missing"),
        ("a,prediction\n1,1\n2,\n3,3\n", "prediction 2 of 3 is missing"),
        ("1\ninf\n3\n", "prediction 2 of 3 is inf"),
        ("1\nabout 2\n3\n", "prediction 2 of 3, 'about 2', is no number"),
        ("1\n1_000\n3\n", "prediction 2 of 3, '1_000', is no number"),
        ("1,5\n2,5\n3,5\n", "wrote several columns without a header that calls one of them prediction"),
        ("a,b\n1,5\n2,5\n3,5\n", "wrote the columns a, b; one has to be called prediction"),
        ("a,prediction\n1,5\n2\n3,5\n", "line 3 of its predictions has 1 cells, not 2"),
        (b"prediction\n1\n\xff\n3\n", "its predictions cannot be read: 'utf-8' codec can't decode byte 0xff"),
    ],
)
def test_what_is_no_file_of_predictions(content, message, written) -> None:
    failed = written(content)
    assert failed.status == "failed"
    assert (failed.error or "").startswith(message)


@pytest.mark.parametrize(
    ("names", "content", "predicted"),
    [
        (("no", "yes"), "yes\nno\nyes\n", ["yes", "no", "yes"]),
        (("no", "yes"), "prediction\n yes \nno\nyes\n", ["yes", "no", "yes"]),
        (("no", "yes"), "x\nyes\nno\nyes\n", ["yes", "no", "yes"]),
        ((3, 10), "10\n3.0\n3\n", ["10", "3", "3"]),
        ((False, True), "TRUE\nFalse\n1\n", ["true", "false", "true"]),
        (("a, b", 'c "d"'), 'prediction\n"a, b"\n"c ""d"""\n"a, b"\n', ["a, b", 'c "d"', "a, b"]),
        (("NA", "prediction"), "NA\nprediction\nNA\n", ["NA", "prediction", "NA"]),
    ],
)
def test_classes(names, content, predicted, written) -> None:
    got = written(content, classes(*names))
    assert (got.error, got.predictions) == (None, (predicted, [None] * 3))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("yes\nno\nyes\nno\n", "wrote 4 predictions for 3 rows"),
        ("yes\nperhaps\nyes\n", "predicted 'perhaps', which is none of the classes no, yes"),
        ("yes\n\nyes\n", "prediction 2 of 3 is missing"),
        ("prediction\nyes\nNA\nyes\n", "prediction 2 of 3 is missing"),
        ("yes,no\n0.5,0.5\n0.5\n0.5,0.5\n", "line 3 of its predictions has 1 cells, not 2"),
        ("yes,no\n0.5,0.5\n0.5,x\n0.5,0.5\n", "prediction 2 of 3, 'x', is no number"),
        ("yes,no\n0.5,0.5\n0.5,\n0.5,0.5\n", "prediction 2 of 3 is missing"),
        ("yes,no\n0.5,0.5\n0.5,0.6\n0.5,0.5\n", "gave probabilities that are negative or do not add up to 1"),
        ("yes,no\n0.5,0.5\n0.5,0.5\n", "wrote 2 predictions for 3 rows"),
        ("yes\n0.5\n0.5\n0.5\n", "wrote 4 predictions for 3 rows"),
        ("yes,maybe\n0.5,0.5\n0.5,0.5\n0.5,0.5\n", "wrote the columns yes, maybe; one has to be called prediction"),
    ],
)
def test_what_is_no_file_of_classes(content, message, written) -> None:
    failed = written(content, classes("no", "yes"))
    assert (failed.status, failed.error) == ("failed", message)


@pytest.mark.parametrize(
    "content",
    [
        "no,yes\n0.9,0.1\n0.2,0.8\n0.5,0.5\n",
        "yes,no\r\n.1,.9\r\n.8,.2\r\n.5,.5\r\n",
        '"","yes","no"\n"1",0.1,0.9\n"2",0.8,0.2\n"3",0.5,0.5\n',
    ],
)
def test_probabilities_in_any_order(content, written) -> None:
    got = written(content, classes("no", "yes"), "accuracy", "log_loss", "auc")
    assert got.error is None
    assert got.predictions == (["no", "yes", "no"], [0.1, 0.8, 0.5])
    assert got.performance["log_loss"] == pytest.approx(-np.mean(np.log([0.9, 0.2, 0.5])))  # no, no, yes


def test_a_prediction_beside_the_probabilities_counts(written) -> None:
    got = written("prediction,yes,no\nyes,0.1,0.9\nno,0.8,0.2\nyes,0.5,0.5\n", classes("no", "yes"), "accuracy", "log_loss")
    assert got.predictions == (["yes", "no", "yes"], [0.1, 0.8, 0.5])


def test_probabilities_of_classes_with_commas_and_quotes(written) -> None:
    got = written('"c ""d""","a, b"\n0.3,0.7\n0.6,0.4\n1,0\n', classes("a, b", 'c "d"'), "log_loss")
    assert got.predictions == (["a, b", 'c "d"', 'c "d"'], [0.3, 0.6, 1.0])
    truths = written('"True","False"\n0.3,0.7\n0.6,0.4\n1,0\n', classes(False, True), "log_loss")
    assert truths.predictions == (["false", "true", "true"], [0.3, 0.6, 1.0])
    assert written("10,3\n1,0\n0,1\n0,1\n", classes(3, 10), "log_loss").predictions == (["10", "3", "3"], [1.0, 0.0, 0.0])


def test_a_metric_that_needs_probabilities(written) -> None:
    got = written("yes\nno\nyes\n", classes("no", "yes"), "log_loss", "accuracy")
    assert (got.status, got.error) == ("ok", None)
    without = "log_loss: the algorithm gives no probabilities (predict_proba, or a column for each class)"
    assert got.undefined == {"log_loss": without}
    assert got.performance == {"log_loss": None, "accuracy": pytest.approx(2 / 3)}  # rows 4, 6, 7: no, no, yes


def test_the_target_of_the_test_rows_is_not_there(tmp_path) -> None:
    code = "text = open(test).read(); open('seen.txt', 'w').write(text); open(out, 'w').write('1\\n2\\n3\\n')"
    data = dataset({"x": np.arange(N) * 1.0, "secret": np.arange(N) + 1234.5}, target="secret")
    assert outcome(fit_of(data, python(tmp_path, code), TRAIN, TEST)).status == "ok"
    assert (tmp_path / "seen.txt").read_text() == "x\n4.0\n6.0\n7.0\n"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("print('no', file=sys.stderr); print(' why ', file=sys.stderr); sys.exit(3)", "ended with status 3: why"),
        ("import os; os.kill(os.getpid(), 9)", "was ended by signal 9"),
        ("sys.stderr.write('w' * 100000 + '\\nlast words\\n' ); sys.exit(1)", "ended with status 1: last words"),
        ("print('told'); print(' on out '); sys.exit(4)", "ended with status 4: on out"),
        ("print('on out'); print('on err', file=sys.stderr); sys.exit(4)", "ended with status 4: on err"),
        ("sys.exit('cannot read ' + test)", "ended with status 1: cannot read test.csv"),
        ("import os; sys.exit('nothing in ' + os.path.dirname(test))", "ended with status 1: nothing in ."),
        ("sys.exit('x' * 250 + test + 'y' * 99)", f"ended with status 1: {'x' * 250}test.csv{'y' * 42}"),
        ("sys.stderr.buffer.write(b'\\xff\\n'); sys.exit(1)", "ended with status 1: \N{REPLACEMENT CHARACTER}"),
    ],
)
def test_how_a_command_may_end(code, message, tmp_path) -> None:
    failed = outcome(fit_of(NUMBERS, python(tmp_path, code), TRAIN, TEST))
    assert (failed.status, failed.error) == ("failed", f"{sys.executable} {message}")


def test_words_on_standard_error_are_no_failure_and_pass_on(tmp_path, capfd) -> None:
    code = "print('to out'); print('to err', file=sys.stderr); open(out, 'w').write('1\\n2\\n3\\n')"
    assert outcome(fit_of(NUMBERS, python(tmp_path, code), TRAIN, TEST)).status == "ok"
    out, err = capfd.readouterr()
    assert out == ""
    assert "to out" in err
    assert "to err" in err


def test_a_process_that_stays_behind_holds_nobody_up(tmp_path) -> None:
    code = (
        "import subprocess\n"
        "child = subprocess.Popen(['sleep', '30'])\n"
        "open('child.txt', 'w').write(str(child.pid))\n"
        "open(out, 'w').write('1\\n2\\n3\\n')"
    )
    got = outcome(fit_of(NUMBERS, python(tmp_path, code), TRAIN, TEST))
    os.kill(int((tmp_path / "child.txt").read_text()), 9)
    assert got.status == "ok"
    assert (got.fit_seconds or 99) < 15


@pytest.mark.parametrize("program", ["no-such-program-here", "./no-such-file", "/no/such/file"])
def test_a_program_that_is_not_there(program, tmp_path) -> None:
    algorithm = command(tmp_path, program, *COMMON)
    failed = outcome(fit_of(NUMBERS, algorithm, TRAIN, TEST))
    assert (failed.status, failed.error) == ("failed", f"{program} cannot be run: No such file or directory")
    plan = ExperimentPlan(tmp_path / "e.toml", "e", 1, (), (), ResamplingPlan("bootstrap"), (algorithm,))
    with pytest.raises(BenchkitError, match=f"there is no program '{program}'"):
        check(plan, [NUMBERS], (), False)


def test_a_parameter_with_a_null_character(tmp_path) -> None:
    failed = outcome(fit_of(NUMBERS, command(tmp_path, "true", "{x}", *COMMON, x="a\0b"), TRAIN, TEST))
    assert failed.error == "true cannot be run: embedded null byte"
