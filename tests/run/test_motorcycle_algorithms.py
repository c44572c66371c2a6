"""The example algorithms: the same errors as R on the same samples, and what each method must do on data made for it."""

import csv
import importlib.util
import inspect
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from threadpoolctl import threadpool_limits

Array = NDArray[np.float64]
FUNCTIONS = {"nls": "sine", "nnet": "network", "gam": "gam", "loess": "loess", "gamboost": "gamboost"}
NAMES = ("lm", "rpart", *FUNCTIONS)


def frame(values: Any) -> pd.DataFrame:
    return pd.DataFrame({"times": np.asarray(values, dtype=float)})


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Fit as `benchkit run` does: small matrices on many threads take fifty times as long on a busy machine."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="module")
def algorithms(checkout: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("motorcycle_algorithms", checkout / "sample_data/motorcycle_algorithms.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def samples(checkout: Path) -> dict[str, tuple[pd.DataFrame, Array, pd.DataFrame, Array]]:
    """Return the training and the test rows of the first five replicates of R."""
    mcycle = pd.read_csv(checkout / "sample_data/mcycle.csv")
    assert mcycle.shape == (133, 2)
    X, y = mcycle[["times"]], mcycle["accel"].to_numpy(dtype=float)
    splits = {}
    with (checkout / "tests/reference/samples_motorcycle.csv").open(newline="") as lines:
        for row in csv.DictReader(lines):
            drawn = np.array(row["indices"].split(), dtype=int) - 1
            left_out = np.setdiff1d(np.arange(len(y)), drawn)
            splits[row["replicate"]] = (X.iloc[drawn], y[drawn], X.iloc[left_out], y[left_out])
    assert list(splits) == ["1", "2", "3", "4", "5"]
    return splits


@pytest.fixture(scope="module")
def errors_of_r(checkout: Path) -> dict[tuple[str, str], float]:
    with (checkout / "tests/reference/motorcycle.csv").open(newline="") as lines:
        return {(row["algorithm"], row["replicate"]): float(row["performance"]) for row in csv.DictReader(lines)}


def predict(module: ModuleType, name: str, X_train: pd.DataFrame, y_train: Array, X_test: pd.DataFrame, seed: int = 1) -> Array:
    if name in FUNCTIONS:
        extra = {"seed": seed} if name == "nnet" else {}
        return np.asarray(getattr(module, FUNCTIONS[name])(X_train, y_train, X_test, **extra))
    estimator = LinearRegression() if name == "lm" else module.PrunedTree()
    return np.asarray(estimator.fit(X_train, y_train).predict(X_test))


@pytest.mark.parametrize(
    ("name", "digits"), [("lm", 1e-12), ("nls", 1e-5), ("rpart", 1e-12), ("gam", 1e-6), ("loess", 1e-12), ("gamboost", 1e-7)]
)
def test_errors_are_those_of_r(
    name: str, digits: float, algorithms: ModuleType, samples: dict[str, Any], errors_of_r: dict[tuple[str, str], float]
) -> None:
    for replicate, (X_train, y_train, X_test, y_test) in samples.items():
        error = np.mean((predict(algorithms, name, X_train, y_train, X_test) - y_test) ** 2)
        assert error == pytest.approx(errors_of_r[name, replicate], rel=digits), replicate


def test_network_errs_about_as_much_as_in_r(algorithms: ModuleType, samples: dict[str, Any]) -> None:
    # R's errors in 250 replicates lie between 358 and 3046; the mean of accel alone has about 2300
    errors = [
        np.mean((predict(algorithms, "nnet", X_train, y_train, X_test, seed) - y_test) ** 2)
        for X_train, y_train, X_test, y_test in samples.values()
        for seed in (1, 2, 3)
    ]
    assert 300 < min(errors) < 1000 < max(errors) < 4000


@pytest.mark.parametrize("name", NAMES)
def test_predictions_are_finite_one_a_row_and_the_same_again(name: str, algorithms: ModuleType, samples: dict[str, Any]) -> None:
    X_train, y_train, X_test, _ = samples["2"]
    beyond = frame([-5.0, *X_test["times"], 80.0])
    first = predict(algorithms, name, X_train, y_train, beyond)
    assert first.shape == (len(beyond),)
    assert np.isfinite(first).all()
    assert np.array_equal(first, predict(algorithms, name, X_train, y_train, beyond))


def test_network_starts_anew_with_another_seed(algorithms: ModuleType, samples: dict[str, Any]) -> None:
    X_train, y_train, X_test, _ = samples["1"]
    one, two = (predict(algorithms, "nnet", X_train, y_train, X_test, seed) for seed in (1, 2))
    assert not np.allclose(one, two)


def test_network_learns_a_bend(algorithms: ModuleType) -> None:
    x = np.linspace(-3, 3, 60)
    predicted = algorithms.network(frame(x), np.tanh(2 * x), frame(x), seed=1, maxit=300)
    assert np.mean((predicted - np.tanh(2 * x)) ** 2) < 1e-4


def test_sine_finds_the_wave(algorithms: ModuleType) -> None:
    t = np.linspace(0, 60, 50)
    wave = 30 * np.sin(0.21 * t) - 12 * np.cos(0.21 * t)
    assert algorithms.sine(frame(t), wave, frame(t)) == pytest.approx(wave, abs=1e-5)


def test_sine_without_any_valley_says_so(algorithms: ModuleType) -> None:
    t = np.linspace(0, 60, 50)
    with pytest.raises(ValueError, match=r"does not converge from any of the starts \[0.2, 0.3\]"):
        algorithms.sine(frame(t), np.full(50, np.nan), frame(t), starts=[0.2, 0.3])


def test_tree_keeps_seven_rows_in_each_leaf(algorithms: ModuleType, samples: dict[str, Any]) -> None:
    for X_train, y_train, _, _ in samples.values():
        tree = algorithms.PrunedTree(cp=0).fit(X_train, y_train).tree_.tree_
        is_leaf = tree.children_left == -1
        assert is_leaf.sum() > 5
        assert tree.n_node_samples[is_leaf].min() >= 7
        assert tree.n_node_samples[~is_leaf].min() >= 20


def test_tree_prunes_relative_to_the_root(algorithms: ModuleType, samples: dict[str, Any]) -> None:
    X_train, y_train, X_test, _ = samples["1"]
    tree = clone(algorithms.PrunedTree(cp=0.05))
    assert tree.fit(X_train, 1000 * y_train).predict(X_test) == pytest.approx(1000 * tree.fit(X_train, y_train).predict(X_test))
    assert tree.tree_.get_n_leaves() < algorithms.PrunedTree(cp=0).fit(X_train, y_train).tree_.get_n_leaves()
    assert algorithms.PrunedTree(cp=1.01).fit(X_train, y_train).predict(X_test) == pytest.approx(np.mean(y_train))


def test_tree_sends_a_value_at_the_threshold_to_the_right(algorithms: ModuleType) -> None:
    x = np.arange(20.0)  # the best split is at 9.5
    tree = algorithms.PrunedTree().fit(frame(x), np.where(x < 9.5, -1.0, 1.0))
    assert tree.predict(frame([9.4, 9.5, 9.6])).tolist() == [-1, 1, 1]


def test_loess_reproduces_a_parabola(algorithms: ModuleType) -> None:
    t = np.repeat(np.random.default_rng(1).uniform(0, 50, 60), 2)
    new = np.linspace(-5, 60, 40)
    assert algorithms.loess(frame(t), 3 - 2 * t + 0.5 * t**2, frame(new)) == pytest.approx(3 - 2 * new + 0.5 * new**2, abs=1e-6)


def test_loess_at_a_row_drawn_very_often_is_its_mean(algorithms: ModuleType) -> None:
    t = np.concatenate([np.full(50, 7.0), np.arange(20, 70)])
    y = np.concatenate([np.tile([1.0, 2.0], 25), np.zeros(50)])
    assert algorithms.loess(frame(t), y, frame([7.0])) == pytest.approx([1.5])


@pytest.mark.parametrize("name", ["gam", "gamboost", "loess", "lm"])
def test_a_straight_line_stays_straight(name: str, algorithms: ModuleType) -> None:
    t = np.random.default_rng(2).uniform(0, 50, 80).round(1)
    new = np.linspace(-10, 70, 30)
    assert predict(algorithms, name, frame(t), 5 + 0.3 * t, frame(new)) == pytest.approx(5 + 0.3 * new, abs=1e-6)


@pytest.mark.parametrize("name", ["nls", "gam", "loess", "gamboost", "rpart", "lm"])
def test_order_of_the_training_rows_does_not_matter(name: str, algorithms: ModuleType, samples: dict[str, Any]) -> None:
    X_train, y_train, X_test, _ = samples["3"]
    turned = predict(algorithms, name, X_train[::-1], y_train[::-1], X_test)
    assert turned == pytest.approx(predict(algorithms, name, X_train, y_train, X_test), rel=1e-4)


def test_boosting_in_one_go_equals_boosting_step_by_step(algorithms: ModuleType, samples: dict[str, Any]) -> None:
    X_train, y_train, _, _ = samples["1"]
    fitted = np.full(len(y_train), np.mean(y_train))
    for _ in range(30):
        fitted = fitted + algorithms.gamboost(X_train, y_train - fitted, X_train, mstop=1)
    assert algorithms.gamboost(X_train, y_train, X_train, mstop=30) == pytest.approx(fitted, abs=1e-8)


def test_gam_smooths_noise_away_and_follows_a_bend(algorithms: ModuleType) -> None:
    t = np.linspace(0, 50, 200)
    noise = np.random.default_rng(3).normal(size=200)
    assert np.std(algorithms.gam(frame(t), noise, frame(t))) < 0.3
    bend = 10 * np.sin(t / 8)
    assert np.sqrt(np.mean((algorithms.gam(frame(t), bend + noise, frame(t)) - bend) ** 2)) < 0.4


def test_the_two_experiment_files_agree_and_spell_out_the_defaults(checkout: Path, algorithms: ModuleType) -> None:
    full, quick = (tomllib.loads((checkout / f"sample_data/motorcycle{end}.toml").read_text()) for end in ("", "_quick"))
    assert [algorithm["name"] for algorithm in full["algorithm"]] == ["lm", "nls", "nnet", "rpart", "gam", "loess", "gamboost"]
    for algorithm in full["algorithm"]:
        params = algorithm.pop("params", {})
        module, name = (algorithm.get("function") or algorithm["estimator"]).split(":")
        if module == "motorcycle_algorithms":
            known = inspect.signature(getattr(algorithms, name)).parameters
            assert {key: known[key].default for key in params} == {
                key: tuple(value) if isinstance(value, list) else value for key, value in params.items()
            }
    assert (full["resampling"].pop("replicates"), quick["resampling"].pop("replicates")) == (250, 25)
    assert full == quick
