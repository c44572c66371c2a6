from pathlib import Path

import pytest
from experiments_on_disk import MODULE, Experiment

from benchkit.errors import BenchkitError
from benchkit.formats.data_file import read_data
from benchkit.run.changes import GROWING, changes, described, refuse
from benchkit.run.design import Design
from benchkit.run.experiment_file import read
from benchkit.run.loading import load

TREE = 'estimator = "sklearn.tree:DecisionTreeRegressor"\nparams = {max_depth = 3}'
FOREST = TREE.replace("DecisionTree", "ExtraTree")
PIPELINE = 'estimator = ["sklearn.decomposition:PCA", "sklearn.linear_model:Ridge"]'
TUNED = 'estimator = "sklearn.linear_model:Ridge"\ntune = {grid = {alpha = [1, 2], tol = [0.1]}}'
COMMAND = 'command = ["R", "fit.R", "{test}", "{predictions}"]'
STARTS = "the experiment has changed since r.csv.journal was begun: "
ANEW = "--fresh starts anew; -o PATH gives another output"
MORE = "--extend keeps what is there and adds to it; " + ANEW


def description(experiment: Experiment, predictions: bool = False, votes: bool = False) -> dict:
    plan = read(experiment.folder / "e.toml")
    datasets = [load(plan, one, None, read_data) for one in plan.datasets]
    return described(plan, datasets, predictions, votes)


def own_metric(*, better: str) -> str:
    return f'["mse", {{name = "cost", function = "own:cost", better = "{better}"}}]'


BEFORE = {"algorithms": {"tree": TREE, "own": "mean"}, "replicates": 5}


def keyed(**changed: object) -> dict:
    return {**BEFORE, **changed}


def of(name: str, table: str) -> dict:
    return {**BEFORE, "algorithms": {**BEFORE["algorithms"], name: table}}


# before, after, what changed, whether --extend accepts it
CASES = {
    "seed": (keyed(), keyed(experiment="seed = 2"), "seed was 1, is 2", False),
    "train": (
        keyed(),
        keyed(experiment="train_performance = false"),
        "train_performance was true, is false",
        False,
    ),
    "metric added": (keyed(), keyed(metrics='["mse", "mae", "r2"]'), "metric 'r2' is new", False),
    "metric removed": (keyed(), keyed(metrics='["mse"]'), "metric 'mae' is gone", False),
    "direction": (
        keyed(metrics=own_metric(better="lower")),
        keyed(metrics=own_metric(better="higher")),
        """metric 'cost': better was "lower", is "higher\"""",
        False,
    ),
    "params": (keyed(), of("tree", TREE.replace("3", "4")), "algorithm 'tree': params.max_depth was 3, is 4", False),
    "params added": (
        keyed(),
        of("tree", TREE.replace("3", "3, min_samples_leaf = 2")),
        "algorithm 'tree': params.min_samples_leaf was not given, is 2",
        False,
    ),
    "kind of a number": (
        of("tree", TREE.replace("max_depth = 3", "max_features = 1")),
        of("tree", TREE.replace("max_depth = 3", "max_features = 1.0")),
        "algorithm 'tree': params.max_features was 1, is 1.0",
        False,
    ),
    "class": (
        keyed(),
        of("tree", FOREST),
        'algorithm \'tree\': estimator was "sklearn.tree:DecisionTreeRegressor", is "sklearn.tree:ExtraTreeRegressor"',
        False,
    ),
    "preprocess": (
        keyed(),
        of("tree", TREE + '\npreprocess = "none"'),
        """algorithm 'tree': preprocess was "auto", is "none\"""",
        False,
    ),
    "grid": (of("x", TUNED), of("x", TUNED.replace("2]", "3]")), "algorithm 'x': tune.space.alpha was [1, 2], is [1, 3]", False),
    "order of draws": (
        of("x", TUNED),
        of("x", TUNED.replace("alpha = [1, 2], tol = [0.1]", "tol = [0.1], alpha = [1, 2]")),
        """algorithm 'x': tune.order was ["alpha", "tol"], is ["tol", "alpha"]""",
        False,
    ),
    "chosen by": (
        of("x", TUNED),
        {**of("x", TUNED), "metrics": '["mae", "mse"]'},
        """algorithm 'x': tune.metric was "mse", is "mae\"""",
        False,
    ),
    "word of a command": (
        of("x", COMMAND),
        of("x", COMMAND.replace('"R"', '"S"')),
        """algorithm 'x': command was ["R", "fit.R", "{test}", "{predictions}"], is ["S", "fit.R", "{test}", "{predictions}"]""",
        False,
    ),
    "fewer replicates": (keyed(), keyed(replicates=4), "resampling.replicates was 5, is 4", False),
    "fewer than the default": (keyed(replicates=None), keyed(replicates=4), "resampling.replicates was not given, is 4", False),
    "method": (
        keyed(),
        keyed(resampling='method = "subsampling"'),
        """resampling.method was "bootstrap", is "subsampling\"""",
        False,
    ),
    "estimator": (
        keyed(),
        keyed(resampling='method = "bootstrap"\nestimator = ".632"'),
        """resampling.estimator was "oob", is ".632\"""",
        False,
    ),
    "folds": (
        keyed(replicates=None, resampling='method = "kfold"\nfolds = 5'),
        keyed(replicates=None, resampling='method = "kfold"\nfolds = 6'),
        "resampling.folds was 5, is 6",
        False,
    ),
    "more disjoint sets": (
        keyed(replicates=2, resampling='method = "disjoint"'),
        keyed(replicates=3, resampling='method = "disjoint"'),
        "resampling.replicates was 2, is 3",
        False,
    ),
    "algorithm removed": (keyed(), keyed(algorithms={"tree": TREE}), "algorithm 'own' is gone", False),
    "algorithm renamed": (
        keyed(),
        keyed(algorithms={"tree": TREE, "other": "mean"}),
        "algorithm 'other' is new; algorithm 'own' is gone",
        False,
    ),
    "data set removed": (keyed(datasets=("data", "more")), keyed(), "dataset 'more' is gone", False),
    "column": (keyed(), keyed(datasets=('data.csv"\ncolumns = ["x"]\nname = "data',)), None, False),
    "a parameter called timeout": (
        of("own", 'function = "own:mean"\nparams = {timeout = 1}'),
        of("own", 'function = "own:mean"\nparams = {timeout = 2}'),
        "algorithm 'own': params.timeout was 1, is 2",
        False,
    ),
    "many": (
        keyed(),
        keyed(experiment="seed = 2", metrics='["mse"]', replicates=4, algorithms={"x": "mean"}),
        "seed was 1, is 2; metric 'mae' is gone; resampling.replicates was 5, is 4; and 3 more",
        False,
    ),
    "more replicates": (keyed(), keyed(replicates=6), "resampling.replicates was 5, is 6", True),
    "more than the default": (keyed(replicates=None), keyed(replicates=101), "resampling.replicates was not given, is 101", True),
    "the default, which is more": (keyed(), keyed(replicates=None), "resampling.replicates was 5, is not given", True),
    "algorithm added": (keyed(), of("new", "mean"), "algorithm 'new' is new", True),
    "data set added": (keyed(), keyed(datasets=("data", "more")), "dataset 'more' is new", True),
    "timeout": (keyed(), of("own", 'function = "own:mean"\ntimeout = 5'), "algorithm 'own': timeout was not given, is 5.0", True),
    "memory": (
        of("own", 'function = "own:mean"\nmemory = "1 GB"'),
        of("own", 'function = "own:mean"\nmemory = "2 GB"'),
        "algorithm 'own': memory was 1000000000, is 2000000000",
        True,
    ),
}
HARMLESS = {
    "order of algorithms": (keyed(), keyed(algorithms={"own": "mean", "tree": TREE})),
    "order of data sets": (keyed(datasets=("data", "more")), keyed(datasets=("more", "data"))),
    "order of metrics": (keyed(), keyed(metrics='["mae", "mse"]')),
    "name": (keyed(), keyed(experiment='name = "other"')),
    "a long word of a command": (of("x", COMMAND.replace("fit.R", "x" * 5000)),) * 2,
}
CASES.pop("column")


@pytest.fixture
def experiment(tmp_path):
    made = Experiment(tmp_path, MODULE + "\ndef cost(y_true, y_pred):\n    return 0.0\n")
    made.data("more", [(i, i % 5) for i in range(25)])
    (tmp_path / "fit.R").write_text("print(1)\n")
    return made


def found(experiment: Experiment, before: dict, after: dict) -> list:
    experiment.write(**before)
    old = description(experiment)
    experiment.write(**after)
    return changes(old, description(experiment))


@pytest.mark.parametrize(("before", "after", "what", "extends"), CASES.values(), ids=CASES)
def test_what_changed_is_named(experiment, before, after, what, extends):
    differ = found(experiment, before, after)
    with pytest.raises(BenchkitError) as refused:
        refuse(differ, Path("out/r.csv.journal"), extend=False)
    assert (refused.value.message, refused.value.hint) == (STARTS + what, MORE if extends else ANEW)
    if extends:
        refuse(differ, Path("out/r.csv.journal"), extend=True)
    else:
        with pytest.raises(BenchkitError):
            refuse(differ, Path("out/r.csv.journal"), extend=True)


@pytest.mark.parametrize(("before", "after"), HARMLESS.values(), ids=HARMLESS)
def test_what_does_not_matter_is_no_change(experiment, before, after):
    assert found(experiment, before, after) == []


CONTENTS = {
    "own.py": (of("x", "mean"), "algorithm 'own': the code changed; algorithm 'x': the code changed"),
    "fit.R": (of("x", COMMAND), "algorithm 'x': the code changed"),
    "data.csv": (keyed(algorithms={"tree": TREE}), "dataset 'data': the data changed"),
    "samples.csv": (
        keyed(replicates=None, algorithms={"tree": TREE}, resampling='method = "predefined"\nsamples = "samples.csv"'),
        "resampling: the file of samples changed",
    ),
}


@pytest.mark.parametrize(("file", "experiment_file", "what"), [(file, *case) for file, case in CONTENTS.items()], ids=CONTENTS)
def test_changed_files_are_named(experiment, file, experiment_file, what):
    (experiment.folder / "samples.csv").write_text("replicate,indices\n1,1 2 3\n2,4 5 6\n")
    experiment.write(**experiment_file)
    old = description(experiment)
    assert changes(old, description(experiment)) == []
    with (experiment.folder / file).open("a") as stream:
        stream.write({".py": "# more\n", ".R": "# more\n", ".csv": "3,4\n"}[Path(file).suffix])
    assert "; ".join(change.what for change in changes(old, description(experiment))) == what
    assert not any(change.extends for change in changes(old, description(experiment)))


def test_code_of_a_metric_is_looked_at(experiment):
    experiment.write(**keyed(algorithms={"tree": TREE}, metrics=own_metric(better="lower")))
    old = description(experiment)
    experiment.module(MODULE + "\ndef cost(y_true, y_pred):\n    return 1.0\n")
    assert [change.what for change in changes(old, description(experiment))] == ["metric 'cost': the code changed"]


def test_what_a_run_kept_in_addition_may_be_left_out_but_not_asked_for_later(experiment):
    experiment.write(**keyed())
    plain, kept = description(experiment), description(experiment, predictions=True, votes=True)
    assert [change.what for change in changes(plain, kept)] == ["--predictions was false, is true", "--votes was false, is true"]
    assert not any(change.extends for change in changes(plain, kept))
    assert changes(kept, plain) == []


def test_a_step_of_a_pipeline_is_named(experiment):
    differ = found(experiment, of("x", PIPELINE), of("x", PIPELINE.replace("linear_model:Ridge", "linear_model:Lasso")))
    assert [change.what for change in differ] == [
        """algorithm 'x': steps.2.name was "ridge", is "lasso\"""",
        """algorithm 'x': steps.2.estimator was "sklearn.linear_model:Ridge", is "sklearn.linear_model:Lasso\"""",
    ]


def test_the_numbers_that_may_grow_have_the_defaults_of_the_resampling(experiment):
    for method, name, each in (
        ("bootstrap", "replicates", 1),
        ("subsampling", "replicates", 1),
        ("repeated-kfold", "repeats", 10),
    ):
        experiment.write(**keyed(replicates=None, resampling=f'method = "{method}"'))
        plan = read(experiment.folder / "e.toml")
        design = Design(plan, [load(plan, one, None, read_data) for one in plan.datasets])
        assert len(design.names("data")) == GROWING[name] * each


def test_an_extended_run_equals_one_that_was_whole_from_the_start(experiment):
    small = keyed(replicates=2, algorithms={"tree": TREE})
    whole = keyed(replicates=4, algorithms={"own": "mean", "tree": TREE}, datasets=("more", "data"))
    experiment.write(**whole)
    assert experiment.run(output="whole.csv").status == 0
    experiment.write(**small)
    assert experiment.run().status == 0
    old = experiment.rows()
    experiment.write(**whole)
    refused = experiment.run().refusal
    assert refused == (STARTS + "resampling.replicates was 2, is 4; dataset 'more' is new; algorithm 'own' is new", MORE)
    assert experiment.rows() == old
    extended = experiment.run("--extend")
    assert extended.status == 0, extended.err
    assert "2 of these fits were there from before" in extended.err
    assert experiment.rows() == experiment.rows("whole.csv")
    assert [row for row in experiment.rows() if row in old] == old
    again = experiment.run()  # what was accepted once is the experiment from now on
    assert "16 of these fits were there from before" in again.err


def test_fresh_starts_anew_and_another_order_only_moves_the_rows(experiment):
    experiment.write(**keyed(replicates=2, algorithms={"a": "mean", "b": "slow"}))
    assert experiment.run().status == 0
    rows = experiment.rows()
    experiment.write(**keyed(replicates=2, algorithms={"b": "slow", "a": "mean"}))
    moved = experiment.run()
    assert "4 of these fits were there from before" in moved.err
    assert experiment.rows() != rows
    assert sorted(map(repr, experiment.rows())) == sorted(map(repr, rows))
    experiment.write(**keyed(replicates=2, algorithms={"a": "mean", "b": "slow"}, experiment="seed = 2"))
    assert experiment.run("--extend").refusal == (STARTS + "seed was 1, is 2", ANEW)
    anew = experiment.run("--fresh")
    assert (anew.status, "from before" in anew.err) == (0, False)
    assert [row["seed"] for row in experiment.rows()] != [row["seed"] for row in rows]
