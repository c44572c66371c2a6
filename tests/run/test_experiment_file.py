"""What an experiment file means: every key, every default, and where its files lie."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchkit.run.experiment_file import read
from benchkit.run.plan import (
    AlgorithmPlan,
    DatasetPlan,
    ExperimentPlan,
    MetricPlan,
    Range,
    ResamplingPlan,
    Step,
    TunePlan,
)

SMALLEST = """
[experiment]
metrics = ["mse"]
[dataset]
path = "motor.csv"
target = "y"
[resampling]
method = "bootstrap"
[algorithm]
name = "tree"
estimator = "sklearn.tree:DecisionTreeRegressor"
"""

Plan = Callable[[str], ExperimentPlan]


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """Return a function that reads a text as an experiment file."""

    def plan_of(text: str) -> ExperimentPlan:
        path = tmp_path / "first try.toml"
        path.write_text(text, encoding="utf-8")
        return read(path)

    return plan_of


def algorithm(plan: Plan, keys: str) -> AlgorithmPlan:
    """Return the algorithm with the keys, in an experiment whose holdout has validation rows."""
    text = SMALLEST.replace('"bootstrap"', '"holdout"\nvalidation = 0.2')
    return plan(text[: text.index("name =")] + f'name = "one"\n{keys}').algorithms[0]


def dataset(plan: Plan, keys: str) -> DatasetPlan:
    """Return the data set with the keys."""
    return plan(SMALLEST.replace('path = "motor.csv"\ntarget = "y"', keys)).datasets[0]


def resampling(plan: Plan, keys: str) -> ResamplingPlan:
    """Return the resampling with the keys."""
    return plan(SMALLEST.replace('method = "bootstrap"', keys)).resampling


def test_the_smallest_file_has_a_default_for_everything_else(plan: Plan, tmp_path: Path) -> None:
    assert plan(SMALLEST) == ExperimentPlan(
        path=tmp_path / "first try.toml",
        name="first try",
        seed=1,
        metrics=(MetricPlan("mse"),),
        datasets=(DatasetPlan("motor", path=tmp_path / "motor.csv", target="y"),),
        resampling=ResamplingPlan("bootstrap"),
        algorithms=(AlgorithmPlan("tree", tmp_path, (Step("decisiontreeregressor", "sklearn.tree:DecisionTreeRegressor"),)),),
        train_performance=True,
    )


def test_experiment_takes_a_name_a_seed_and_metrics_of_ones_own(plan: Plan) -> None:
    keys = """
    name = "Vergleich Nr. 3 – zweiter Lauf"
    seed = 0
    train_performance = false
    metrics = [
        "neg_max_error",
        {function = "costs:total", better = "lower"},
        {name = "gain", function = "a.b:c", better = "higher"},
    ]
    """
    found = plan(SMALLEST.replace('metrics = ["mse"]', keys))
    assert (found.name, found.seed, found.train_performance) == ("Vergleich Nr. 3 – zweiter Lauf", 0, False)
    assert found.metrics == (
        MetricPlan("neg_max_error"),
        MetricPlan("total", "costs:total", "lower"),
        MetricPlan("gain", "a.b:c", "higher"),
    )


def test_a_dataset_takes_every_key(plan: Plan, tmp_path: Path) -> None:
    keys = """
    name = "patients"
    path = "data/patients.v2.csv.gz"
    target = "outcome"
    task = "classification"
    columns = ["age", " dose"]
    group = "clinic"
    time = "visited"
    weight = "w"
    item = "patient"
    positive = "ill"
    """
    everything = DatasetPlan(
        name="patients",
        path=tmp_path / "data" / "patients.v2.csv.gz",
        target="outcome",
        task="classification",
        columns=("age", " dose"),
        group="clinic",
        time="visited",
        weight="w",
        item="patient",
        positive="ill",
    )
    assert dataset(plan, keys) == everything


@pytest.mark.parametrize(
    ("path", "name"), [("a.csv", "a"), ("../b.v2.parquet", "b.v2"), ("d/c.csv.gz", "c"), ("d.tsv.zst", "d"), ("e", "e")]
)
def test_a_dataset_is_called_by_its_file(plan: Plan, path: str, name: str) -> None:
    assert dataset(plan, f'path = "{path}"\ntarget = "y"').name == name


def test_a_loader_gives_its_name_and_takes_params(plan: Plan) -> None:
    found = dataset(plan, 'loader = "sklearn.datasets:make_friedman1"\nparams = {n_samples = 100, noise = 1.5}')
    assert found == DatasetPlan(
        "make_friedman1", loader="sklearn.datasets:make_friedman1", params={"n_samples": 100, "noise": 1.5}
    )


def test_several_tables_keep_their_order(plan: Plan) -> None:
    more = """
    [[dataset]]
    path = "b.csv"
    target = "y"
    [[dataset]]
    path = "a.csv"
    target = "y"
    [[algorithm]]
    name = "z"
    function = "m:f"
    [[algorithm]]
    name = "Z"
    function = "m:f"
    [algorithm.params]
    deep.key = [1, {a = 2}]
    """
    start, end = SMALLEST.index("[dataset]"), SMALLEST.index("[resampling]")
    found = plan(SMALLEST[:start] + SMALLEST[end : SMALLEST.index("[algorithm]")] + more)
    assert [each.name for each in found.datasets] == ["b", "a"]
    assert [each.name for each in found.algorithms] == ["z", "Z"]
    assert found.algorithms[1].params == {"deep": {"key": [1, {"a": 2}]}}


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (
            'method = "bootstrap"\nreplicates = 250\nstratify = true\nestimator = ".632+"',
            ResamplingPlan("bootstrap", replicates=250, stratify=True, estimate=".632+"),
        ),
        (
            'method = "subsampling"\nreplicates = 1\ntest = 20\nstratify = false',
            ResamplingPlan("subsampling", replicates=1, test=20, stratify=False),
        ),
        ('method = "holdout"\ntest = 0.2\nvalidation = 0.3', ResamplingPlan("holdout", test=0.2, validation=0.3)),
        ('method = "repeated-kfold"\nfolds = 2\nrepeats = 10', ResamplingPlan("repeated-kfold", folds=2, repeats=10)),
        ('method = "loo"', ResamplingPlan("loo")),
        ('method = "disjoint"\nreplicates = 9\ntest = 1', ResamplingPlan("disjoint", replicates=9, test=1)),
        (
            'method = "rolling-origin"\nfolds = 4\nhorizon = 12\nwindow = 60',
            ResamplingPlan("rolling-origin", folds=4, horizon=12, window=60),
        ),
        ('method = "predefined"\nsplit = "part"', ResamplingPlan("predefined", split=("part",))),
        ('method = "predefined"\nsplit = ["r1", "r2"]', ResamplingPlan("predefined", split=("r1", "r2"))),
    ],
)
def test_resampling_takes_the_options_of_its_method(plan: Plan, keys: str, expected: ResamplingPlan) -> None:
    assert resampling(plan, keys) == expected


def test_samples_lie_beside_the_file_and_know_the_estimators(plan: Plan, tmp_path: Path) -> None:
    found = resampling(plan, 'method = "predefined"\nsamples = "drawn.csv"\nestimator = ".632"')
    assert found == ResamplingPlan("predefined", samples=tmp_path / "drawn.csv", estimate=".632")


def test_steps_have_names_of_their_own(plan: Plan) -> None:
    steps = """
    estimator = [
        "a:Scaler",
        "b:Scaler",
        {name = "scaler-3", estimator = "c:Other", params = {k = 1}},
        "d:Scaler",
        {estimator = "e.f:Ridge"},
    ]
    params = {ridge__alpha = 2, "scaler-2__with__std" = false}
    """
    found = algorithm(plan, steps)
    assert found.steps == (
        Step("scaler", "a:Scaler"),
        Step("scaler-2", "b:Scaler"),
        Step("scaler-3", "c:Other", {"k": 1}),
        Step("scaler-4", "d:Scaler"),
        Step("ridge", "e.f:Ridge"),
    )
    assert found.params == {"ridge__alpha": 2, "scaler-2__with__std": False}


def test_what_lies_in_a_class_is_called_by_its_own_name(plan: Plan) -> None:
    assert algorithm(plan, 'estimator = "a.b:Trees.Forest"').steps == (Step("forest", "a.b:Trees.Forest"),)
    assert dataset(plan, 'loader = "data:Motor.load"\nparams = {far = inf}').name == "load"


@pytest.mark.parametrize("estimator", ['"a:Forest"', '["a:Forest"]', '[{estimator = "a:Forest"}]'])
def test_one_step_is_the_estimator_itself(plan: Plan, estimator: str) -> None:
    found = algorithm(plan, f"estimator = {estimator}\nparams = {{base__depth = 3, n = 10}}")
    assert (found.steps, found.params) == ((Step("forest", "a:Forest"),), {"base__depth": 3, "n": 10})


@pytest.mark.parametrize(
    ("kind", "preprocess"),
    [
        ('estimator = "a:B"', "auto"),
        ('estimator = "a:B"\npreprocess = "none"', "none"),
        ('function = "a:b"', "none"),
        ('function = "a:b"\npreprocess = "auto"', "auto"),
        ('command = ["p", "{test}", "{predictions}"]', "none"),
        ('command = ["p", "{test}", "{predictions}"]\npreprocess = "none"', "none"),
    ],
)
def test_only_estimators_are_preprocessed_unless_told(plan: Plan, kind: str, preprocess: str) -> None:
    assert algorithm(plan, kind).preprocess == preprocess


def test_a_command_keeps_its_texts_as_they_are(plan: Plan) -> None:
    words = r"""["my program", "-e", "f <- function(x) {{x}}", "in={train},{test}", "{predictions}", "{größe} 'k' \"{k}\"", "",
    "{validation}{seed}{dataset}{replicate}", "{test}"]"""
    found = algorithm(plan, f'command = {words}\nparams = {{"größe" = "ü"}}\ntune = {{grid = {{k = [1, 2]}}}}')
    assert found.command == (
        "my program",
        "-e",
        "f <- function(x) {{x}}",
        "in={train},{test}",
        "{predictions}",
        "{größe} 'k' \"{k}\"",
        "",
        "{validation}{seed}{dataset}{replicate}",
        "{test}",
    )


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("90", 90.0),
        ("0.5", 0.5),
        ('"90 s"', 90.0),
        ('"10 min"', 600.0),
        ('"2 h"', 7200.0),
        ('"1.5h"', 5400.0),
        ('"250 ms"', 0.25),
    ],
)
def test_times_have_units(plan: Plan, written: str, seconds: float) -> None:
    assert algorithm(plan, f'function = "a:b"\ntimeout = {written}').timeout == seconds


@pytest.mark.parametrize(
    ("written", "memory"),
    [
        ("1000000", 10**6),
        ('"500 MB"', 500 * 10**6),
        ('"2 GB"', 2 * 10**9),
        ('"1.5 GiB"', 3 * 2**29),
        ('"512mib"', 2**29),
        ('"0.1 TB"', 10**11),
    ],
)
def test_memory_has_units(plan: Plan, written: str, memory: int) -> None:
    found = algorithm(plan, f'function = "a:b"\nmemory = {written}').memory
    assert found == memory
    assert isinstance(found, int)


@pytest.mark.parametrize(
    ("tune", "expected"),
    [
        ("{grid = {k = [1, 2], w = ['a']}}", TunePlan("grid", {"k": (1, 2), "w": ("a",)})),
        (
            "{grid = {layers = [[10], [10, 5]]}, folds = 3, metric = 'mse', inner = 'folds'}",
            TunePlan("grid", {"layers": ([10], [10, 5])}, folds=3, metric="mse"),
        ),
        (
            "{random = {k = {low = 1, high = 9}, c = {low = 1e-3, high = 10, log = true}, w = ['a', 'b']}}",
            TunePlan("random", {"k": Range(1, 9), "c": Range(1e-3, 10, True), "w": ("a", "b")}, draws=20),
        ),
        (
            "{random = {k = [1]}, draws = 3, inner = 'validation'}",
            TunePlan("random", {"k": (1,)}, draws=3, inner="validation"),
        ),
    ],
)
def test_a_search_is_a_grid_or_random(plan: Plan, tune: str, expected: TunePlan) -> None:
    assert algorithm(plan, f'function = "a:b"\ntune = {tune}').tune == expected


def test_a_search_may_stand_in_tables_of_its_own(plan: Plan) -> None:
    keys = 'function = "a:b"\n[algorithm.tune]\nfolds = 2\n[algorithm.tune.random]\nk = {low = 0.5, high = 1}\n'
    assert algorithm(plan, keys).tune == TunePlan("random", {"k": Range(0.5, 1)}, draws=20, folds=2)


def test_files_are_looked_for_beside_the_experiment_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    (tmp_path / "there" / "e.toml").write_text(SMALLEST.replace("motor.csv", "../data/motor.csv"))
    monkeypatch.chdir(tmp_path / "here")
    found = read(Path("../there/e.toml"))
    assert found.path == tmp_path / "there" / "e.toml"
    assert found.algorithms[0].folder == tmp_path / "there"
    assert found.datasets[0].path == tmp_path / "data" / "motor.csv"


def test_a_linked_file_looks_beside_the_link(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "real.toml").write_text(SMALLEST)
    (tmp_path / "link.toml").symlink_to(tmp_path / "store" / "real.toml")
    found = read(tmp_path / "link.toml")
    assert (found.name, found.datasets[0].path) == ("link", tmp_path / "motor.csv")


def test_an_absolute_path_stays(plan: Plan, tmp_path: Path) -> None:
    assert dataset(plan, f'path = "{tmp_path}/far.csv"\ntarget = "y"').path == tmp_path / "far.csv"


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "e.toml").write_bytes(b"\xef\xbb\xbf" + SMALLEST.replace("\n", "\r\n").encode())
    (tmp_path / "plain.toml").write_text(SMALLEST)
    assert read(tmp_path / "e.toml").algorithms == read(tmp_path / "plain.toml").algorithms
