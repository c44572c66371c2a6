"""Runs on a real Dask cluster of several processes give what a local run gives, whatever is killed on the way."""

import contextlib
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import psutil
import pytest
from distributed import LocalCluster

from benchkit.errors import BenchkitError
from benchkit.formats.data_file import read_data
from benchkit.run import cluster as cluster_module
from benchkit.run import cluster_connection, cluster_plugin
from benchkit.run.cell import Cell, Outcome
from benchkit.run.cluster import ClusterWorkers
from benchkit.run.cluster_connection import agree
from benchkit.run.cluster_plugin import FittingPlugin
from benchkit.run.design import Design
from benchkit.run.experiment_file import read
from benchkit.run.loading import load
from benchkit.run.local import LocalWorkers
from benchkit.run.metrics.known import task_of
from benchkit.run.worker import Work

Outcomes = dict[Cell, Outcome]
Prepared = tuple[Work, Design]

ALGORITHMS = """
import multiprocessing, os, signal, subprocess, time
import numpy as np

def mean(X_train, y_train, X_test):
    return np.full(len(X_test), y_train.mean())

def noisy(X_train, y_train, X_test, seed=0):
    return np.random.default_rng(seed).normal(size=len(X_test)) + np.random.normal()

def slow(X_train, y_train, X_test):
    time.sleep(0.05)
    return noisy(X_train, y_train, X_test)

def hang(X_train, y_train, X_test):
    subprocess.run(["sleep", "1000"])

def crash(X_train, y_train, X_test):
    os.kill(os.getpid(), signal.SIGSEGV)

def error(X_train, y_train, X_test):
    raise ValueError("no such luck")

def threads(X_train, y_train, X_test):
    return np.full(len(X_test), float(os.environ["OMP_NUM_THREADS"]) + float(os.environ["OPENBLAS_NUM_THREADS"]))

def assassin(X_train, y_train, X_test):
    os.kill(multiprocessing.parent_process().pid, signal.SIGKILL)
    time.sleep(1000)
"""


@pytest.fixture
def prepared(tmp_path: Path) -> Callable[..., Prepared]:
    """Return what makes an experiment of function algorithms, with further lines for some."""

    def make(replicates: int, **algorithms: str) -> Prepared:
        (tmp_path / "cluster_algorithms.py").write_text(ALGORITHMS)
        (tmp_path / "d.csv").write_text("x,y\n" + "".join(f"{i},{i * i % 17}\n" for i in range(40)))
        experiment = tmp_path / "e.toml"
        experiment.write_text(
            'experiment = {name = "e", seed = 7, metrics = ["mse", "mae"]}\n'
            'dataset = [{name = "d", path = "d.csv", target = "y"}]\n'
            f'resampling = {{method = "bootstrap", replicates = {replicates}}}\n'
            + "".join(
                f'[[algorithm]]\nname = "{name}"\nfunction = "cluster_algorithms:{name}"\n{more}\n'
                for name, more in algorithms.items()
            )
        )
        plan = read(experiment)
        datasets = [load(plan, one, task_of(plan.metrics), read_data) for one in plan.datasets]
        return Work(plan, datasets, keep_predictions=True), Design(plan, datasets)

    return make


@pytest.fixture(scope="module")
def single() -> Iterator[LocalCluster]:
    """Return a cluster of two workers with a thread each."""
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50) as made:
        yield made


def outcomes(workers: Any, design: Design) -> Outcomes:
    """Run all cells; the measured times, which differ, are left out."""
    found: Outcomes = {}
    try:
        workers.check()
        for came in workers.run(list(design.running_order())):
            if came is not None:
                assert came[0] not in found
                found[came[0]] = replace(came[1], fit_seconds=None, predict_seconds=None)
    finally:
        workers.close()
    return found


def descendants() -> set[int]:
    return {one.pid for one in psutil.Process().children(recursive=True) if one.status() != psutil.STATUS_ZOMBIE}


def eventually(holds: Callable[[], bool], seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


def sleeping() -> int:
    names = []
    for one in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # it has just ended
            names.append(one.name())
    return names.count("sleep")


def processes(cluster: LocalCluster) -> set[int]:
    return {state.pid for state in cluster.scheduler.workers.values()}


def plugins(cluster: LocalCluster) -> list[str]:
    return [name for name in cluster.scheduler.worker_plugins if name.startswith("benchkit")]


def test_outcomes_are_those_of_a_local_run_and_failures_are_outcomes(prepared: Callable[..., Prepared]) -> None:
    work, design = prepared(1, mean="", noisy="", threads="", error="", crash="", hang="timeout = 0.5")
    local = outcomes(LocalWorkers(work, design, 1, 1), design)
    before = descendants()
    with LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address=":0", silence_logs=50) as cluster:
        there = processes(cluster)
        found = outcomes(ClusterWorkers(work, design, cluster.scheduler_address), design)
        assert processes(cluster) == there  # a crashing algorithm is none of the Dask worker's business
    assert found == local
    assert {cell.algorithm: (outcome.status, outcome.error) for cell, outcome in found.items()} == {
        "mean": ("ok", None),
        "noisy": ("ok", None),
        "threads": ("ok", None),
        "error": ("failed", "ValueError: no such luck"),
        "crash": ("failed", "its process died of SIGSEGV"),
        "hang": ("timeout", "took longer than 0.5 s"),
    }
    assert len(found) == 6
    single_threaded = next(outcome for cell, outcome in found.items() if cell.algorithm == "threads")
    assert single_threaded.predictions is not None
    assert set(single_threaded.predictions[0]) == {"2.0"}
    assert eventually(lambda: descendants() <= before)


@pytest.mark.parametrize("allowed_failures", [3, 0])
def test_cells_of_a_killed_worker_are_run_again(
    allowed_failures: int, prepared: Callable[..., Prepared], single: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    # with no failures allowed Dask gives the cell up, and it is given to the cluster anew
    monkeypatch.setattr(single.scheduler, "allowed_failures", allowed_failures)
    work, design = prepared(10, slow="", mean="")
    workers = ClusterWorkers(work, design, single.scheduler_address)
    found: Outcomes = {}
    victim = None
    try:
        for came in workers.run(list(design.running_order())):
            if came is not None:
                found[came[0]] = replace(came[1], fit_seconds=None, predict_seconds=None)
            if victim is None and len(found) >= 3:
                busy = [state for state in single.scheduler.workers.values() if state.processing]
                victim = busy[0].pid
                os.kill(victim, signal.SIGKILL)
    finally:
        workers.close()
    assert victim is not None
    assert eventually(lambda: victim not in processes(single) and len(processes(single)) == 2)
    assert found == outcomes(LocalWorkers(work, design, 1, 1), design)


def test_a_cell_that_ends_every_dask_worker_fails_in_the_end(
    prepared: Callable[..., Prepared], single: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(single.scheduler, "allowed_failures", 0)
    monkeypatch.setattr(cluster_module, "CHANCES", 2)
    work, design = prepared(1, assassin="")
    before = processes(single)
    (outcome,) = outcomes(ClusterWorkers(work, design, single.scheduler_address), design).values()
    assert outcome.status == "failed"
    assert str(outcome.error).startswith("all Dask workers that ran it were lost, the last one tcp://127.0.0.1:")
    assert eventually(lambda: len(processes(single)) == 2)
    assert len(before - processes(single)) == 2


class CountingPlugin(FittingPlugin):
    """Writes a line for each worker that is given the experiment."""

    def setup(self, worker: Any) -> None:
        super().setup(worker)
        with (next(iter(self._algorithms.values())).folder / "setups").open("a") as file:
            file.write(f"{worker.address}\n")


def test_each_worker_gets_the_experiment_once_also_one_that_joins_later(
    prepared: Callable[..., Prepared], single: LocalCluster, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cluster_plugin, "FittingPlugin", CountingPlugin)
    assert eventually(lambda: len(single.scheduler.workers) == 2)
    early = set(single.scheduler.workers)
    work, design = prepared(3, slow="")
    workers = ClusterWorkers(work, design, single.scheduler_address)
    late: set[str] = set()
    served = False
    try:
        workers.check()
        assert set((tmp_path / "setups").read_text().split()) == early
        single.scale(3)
        with closing(workers.run(cycle(design.cells))) as coming:
            for _ in coming:
                late = set(single.scheduler.workers) - early
                served = any(state.processing for name, state in single.scheduler.workers.items() if name in late)
                if served:
                    break
        assert len(plugins(single)) == 1
    finally:
        workers.close()
        single.scale(2)
    assert eventually(lambda: len(processes(single)) == 2)
    setups = (tmp_path / "setups").read_text().split()
    assert served
    assert sorted(setups) == sorted(early | late)
    assert not plugins(single)


def test_close_ends_what_is_being_fitted_and_leaves_no_process(prepared: Callable[..., Prepared], single: LocalCluster) -> None:
    work, design = prepared(4, hang="")
    assert eventually(lambda: len(single.scheduler.workers) == 2)
    before = descendants()
    workers = ClusterWorkers(work, design, single.scheduler_address)
    try:
        with closing(workers.run(design.cells)) as coming:
            assert next(coming) is None
            assert eventually(lambda: sleeping() == 2)
        assert eventually(lambda: sleeping() == 0)  # the run was stopped, but is not closed
    finally:
        workers.close()
    workers.close()
    assert eventually(lambda: descendants() <= before, 5.0)
    assert not single.scheduler.tasks


def test_what_the_experiment_names_is_checked_on_a_worker(prepared: Callable[..., Prepared], single: LocalCluster) -> None:
    work, design = prepared(1, nothing="")
    workers = ClusterWorkers(work, design, single.scheduler_address)
    with pytest.raises(BenchkitError, match=r"^on the Dask worker tcp://\S+: .*'nothing'"):
        workers.check()
    workers.close()


def test_a_lost_scheduler_ends_the_run(prepared: Callable[..., Prepared]) -> None:
    work, design = prepared(20, slow="")
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0", silence_logs=50) as cluster:
        workers = ClusterWorkers(work, design, cluster.scheduler_address)
        try:
            coming = workers.run(design.cells)
            next(coming)
            cluster.close()
            with pytest.raises(BenchkitError, match=r"^the Dask scheduler at \S+ is gone$") as raised:
                list(coming)
        finally:
            workers.close()
    assert raised.value.hint == "the outcomes so far are saved; the same command goes on from there"


def test_without_workers_it_waits_and_says_so(prepared: Callable[..., Prepared], monkeypatch: pytest.MonkeyPatch) -> None:
    work, design = prepared(1, mean="")
    said: list[str] = []
    with LocalCluster(n_workers=0, threads_per_worker=1, processes=False, dashboard_address=":0", silence_logs=50) as cluster:
        workers = ClusterWorkers(work, design, cluster.scheduler_address, said.append)
        monkeypatch.setattr(cluster_module, "FIRST", 0.5)
        with pytest.raises(BenchkitError, match=r"^the Dask scheduler at \S+ has no workers$"):
            workers.check()
        coming = workers.run(design.cells)
        assert next(coming) is None
        cluster.scale(1)
        found = [came for came in coming if came is not None]
        workers.close()
    assert [outcome.status for _, outcome in found] == ["ok"]
    assert len(said) == 2
    assert said[0].startswith("the Dask cluster has no workers; waiting for some: dask worker ")
    assert said[1] == "the Dask cluster has workers now"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("tcp://127.0.0.1:9", "no Dask scheduler answers at tcp://127.0.0.1:9"),
        ("host", "'host' is not the address of a Dask scheduler: missing port number in address 'host'"),
        ("", "'' is not the address of a Dask scheduler: it is empty"),
    ],
)
def test_nobody_at_the_address(
    address: str, message: str, prepared: Callable[..., Prepared], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_connection, "FIND", 0.3)
    level = logging.getLogger("distributed").level
    workers = ClusterWorkers(*prepared(1, mean=""), address)
    with pytest.raises(BenchkitError) as raised:
        workers.check()
    workers.close()
    assert raised.value.message == message
    assert logging.getLogger("distributed").level == level


def test_without_dask_it_says_what_to_install(prepared: Callable[..., Prepared], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    workers = ClusterWorkers(*prepared(1, mean=""), "tcp://127.0.0.1:9")
    with pytest.raises(BenchkitError, match=r"^this needs distributed, which is not installed$") as raised:
        workers.check()
    assert raised.value.hint == "install the extra in the checkout: .venv/bin/pip install -e '.[cluster]'"


def found(benchkit: str | None, python: str, numpy: str = "2.0") -> dict[str, Any]:
    packages = {"benchkit": benchkit, "python": python, "numpy": numpy, "scipy": "1", "pandas": "2", "scikit-learn": "1"}
    return {"packages": packages}


def test_workers_must_have_the_same_benchkit_and_python() -> None:
    own = ".".join(map(str, sys.version_info))
    here = found("0.1.0", own)
    assert agree({"client": here, "workers": {}}) == []
    assert agree({"client": here, "workers": {"tcp://a:1": here}}) == []
    with pytest.raises(BenchkitError, match=r"^the Dask worker tcp://a:1 has no benchkit$"):
        agree({"client": here, "workers": {"tcp://a:1": found(None, own)}})
    with pytest.raises(BenchkitError, match=r"^the Dask worker tcp://a:1 has benchkit 0\.0\.9 with Python .*, not 0\.1\.0 with"):
        agree({"client": here, "workers": {"tcp://a:1": found("0.0.9", own)}})
    with pytest.raises(BenchkitError, match=r"has benchkit 0\.1\.0 with Python 2\.7, not"):
        agree({"client": here, "workers": {"tcp://a:1": found("0.1.0", "2.7.18.final.0")}})
    assert agree({"client": here, "workers": {"tcp://a:1": here, "tcp://b:1": found("0.1.0", own, "1.9")}}) == [
        "numpy is 1.9 on workers, 2.0 here: the last digits of results may differ"
    ]
