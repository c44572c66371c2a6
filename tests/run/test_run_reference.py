"""Whole runs against numbers that are known: R's linear model, the bootstrap's .632 estimators, replicates that stay."""

import csv
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "tests" / "reference"
LINEAR = 'name = "lm"\nestimator = "sklearn.linear_model:LinearRegression"'


def run(path: Path, output: Path, *options: str) -> pl.DataFrame:
    command = [sys.executable, "-m", "benchkit", "run", str(path), "-o", str(output), "-q", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return pl.read_parquet(output) if output.suffix == ".parquet" else pl.DataFrame()


def experiment(folder: Path, resampling: str, algorithm: str = LINEAR, metrics: str = '["mse"]', data: str = "") -> Path:
    path = folder / "e.toml"
    dataset = data or f'name = "mcycle"\npath = "{ROOT}/sample_data/mcycle.csv"\ntarget = "accel"'
    path.write_text(
        f"[experiment]\nmetrics = {metrics}\n[[dataset]]\n{dataset}\n[resampling]\n{resampling}\n[[algorithm]]\n{algorithm}\n"
    )
    return path


def test_the_linear_model_of_r_on_the_same_samples(tmp_path: Path) -> None:
    samples = REFERENCE / "samples_motorcycle.csv"
    path = experiment(tmp_path, f'method = "predefined"\nsamples = "{samples}"')
    found = run(path, tmp_path / "r.parquet")
    with (REFERENCE / "motorcycle.csv").open() as file:
        of_r = {row["replicate"]: float(row["performance"]) for row in csv.DictReader(file) if row["algorithm"] == "lm"}
    assert found["replicate"].to_list() == ["1", "2", "3", "4", "5"]
    for replicate, performance in found.select("replicate", "performance").iter_rows():
        assert performance == pytest.approx(of_r[replicate], rel=1e-9)
    assert found["n_train"].to_list() == [133] * 5
    assert found["n_test"].to_list() == [133 - distinct for distinct in found["n_train_distinct"]]


def test_the_quick_motorcycle_run_is_the_beginning_of_the_full_one(tmp_path: Path) -> None:
    """Names and the seed decide about every draw, so the first replicates of 250 are those of 25."""
    quick = (ROOT / "sample_data/motorcycle_quick.toml").read_text()
    algorithms = [line for line in quick.splitlines() if '"nnet"' not in line]  # the slowest of them
    results = {}
    for count in (2, 3):
        folder = tmp_path / str(count)
        folder.mkdir()
        for name in ("mcycle.csv", "motorcycle_algorithms.py"):
            (folder / name).write_bytes((ROOT / "sample_data" / name).read_bytes())
        path = folder / "e.toml"
        path.write_text("\n".join(algorithms).replace("replicates = 25", f"replicates = {count}"))
        results[count] = run(path, folder / "r.parquet").drop("fit_seconds", "predict_seconds")
    assert results[3].head(12).equals(results[2])
    assert results[2]["status"].unique().to_list() == ["ok"]


NEAREST = """
def nearest(X_train, y_train, X_test):
    import numpy as np
    distances = np.abs(X_test["x"].to_numpy()[:, None] - X_train["x"].to_numpy()[None, :])
    return y_train[distances.argmin(axis=1)]
"""


@pytest.mark.parametrize("estimator", [".632", ".632+"])
def test_632_of_the_nearest_neighbour_on_labels_without_a_rule(estimator: str, tmp_path: Path) -> None:
    """Error rate: apparent 0, no information .5; .632 is too good, .632+ about .5 (Efron & Tibshirani 1997, section 4)."""
    (tmp_path / "nearest_rule.py").write_text(NEAREST)
    labels = [(i * i // 7 + i // 3) % 2 for i in range(60)]
    zeros = labels.count(0)
    (tmp_path / "d.csv").write_text("x,y\n" + "".join(f"{i},{'ab'[label]}\n" for i, label in enumerate(labels)))
    path = experiment(
        tmp_path,
        f'method = "bootstrap"\nreplicates = 20\nestimator = "{estimator}"',
        'name = "1-nn"\nfunction = "nearest_rule:nearest"',
        '["error_rate", "accuracy"]',
        'path = "d.csv"\ntarget = "y"',
    )
    (tmp_path / "out").mkdir()
    run(path, tmp_path / "out", "-f", "parquet")
    estimates = {row["metric"]: row for row in pl.read_parquet(tmp_path / "out" / "estimates.parquet").to_dicts()}
    results = pl.read_parquet(tmp_path / "out" / "results.parquet").filter(pl.col("metric") == "error_rate")
    error = estimates["error_rate"]
    assert (error["estimator"], error["n"], error["apparent"]) == (estimator, 20, 0.0)
    assert results.height == 20
    if estimator == ".632":
        assert error["performance"] == pytest.approx(0.632 * error["oob"])
        assert results["performance"].mean() == pytest.approx(error["performance"])
        return
    assert results["performance"].mean() == pytest.approx(error["oob"])
    share = zeros / 60
    rate = 2 * share * (1 - share)  # apparent predictions are the labels themselves
    assert error["no_information"] == pytest.approx(rate)
    overfitting = min(error["oob"], rate) / rate
    weight = 0.632 / (1 - 0.368 * overfitting)
    assert (error["overfitting"], error["weight"]) == (pytest.approx(overfitting), pytest.approx(weight))
    assert error["performance"] == pytest.approx(weight * min(error["oob"], rate))
    assert estimates["accuracy"]["performance"] == pytest.approx(1 - error["performance"])
    assert 0.632 * error["oob"] < error["performance"] <= rate


def test_5x2cv_gives_the_rows_that_its_tests_read(tmp_path: Path) -> None:
    found = run(experiment(tmp_path, 'method = "5x2cv"'), tmp_path / "r.parquet")
    assert found["replicate"].to_list() == [str(i) for i in range(1, 11)]
    assert list(zip(found["repeat"], found["fold"], strict=True)) == [(str(r), str(f)) for r in range(1, 6) for f in (1, 2)]
    assert found["resampling"].unique().to_list() == ["5x2cv"]
    pairs = found["n_test"].to_list()
    assert all({one, other} == {66, 67} for one, other in zip(pairs[::2], pairs[1::2], strict=True))
