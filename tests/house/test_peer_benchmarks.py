"""What make bench says of other packages: the right numbers where they ran, and the reason where they did not."""

import math
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import curves, peer_calls, peers, speed

TINY = peers.Task("permutation", "permutation", 12, 3, peers.Question(method="permutation"), 30.0, ("scipy",), rounds=1)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "values.npy"
    np.save(path, TINY.values)
    return path


def test_all_peers_are_pinned_and_each_has_its_call(checkout: Path) -> None:
    lines = (checkout / "benchmarks/peers.txt").read_text().splitlines()
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines)
    wanted = {(task.name, name) for task in peers.TASKS for name in task.peers}
    wanted |= {("delong", name) for name in curves.PEERS}
    assert wanted == set(peer_calls.CALLS)
    assert {name for _, name in wanted} <= {line.partition("==")[0] for line in lines}


def test_the_aims_are_those_of_the_issue() -> None:
    aims = {task.name: (task.replicates, task.algorithms, task.aim) for task in peers.TASKS if task.aim}
    assert aims == {
        "outcomes": (1_000_000, 10, 0.3),
        "friedman": (100_000, 10, 1.0),
        "cliffs-delta": (10_000, 20, 1.0),
        "permutation": (250, 7, 1.0),
        "signed-rank": (1_000, 2, 2.0),
    }


def test_a_peer_is_timed_and_answers_alike(file: Path) -> None:
    found = peers.theirs("permutation", "scipy", file, Path(sys.executable))
    assert not found.trouble
    assert re.fullmatch(r"[\d.]+", found.version)
    assert 0 < found.seconds < 20
    seconds, answer = peers.ours(replace(TINY, answer=peers.cell("pairs", "p_value")), TINY.values)
    assert seconds > 0
    assert found.answer == pytest.approx(answer, abs=0.03)


def test_a_slow_peer_is_stopped(file: Path) -> None:
    found = peers.theirs("permutation", "scipy", file, Path(sys.executable), limit=0.001)
    assert found.version
    assert not found.trouble
    assert math.isnan(found.seconds)


def test_an_absent_peer_leaves_its_columns_empty_with_the_reason(file: Path, tmp_path: Path) -> None:
    absent = peers.theirs("permutation", "scipy", file, tmp_path / "no-python")
    broken = peers.theirs("permutation", "no-such-package", file, Path(sys.executable))
    text = peers.section([peers.Comparison(TINY, 0.5, math.nan, [absent, broken])])
    first, second = text.splitlines()[-2:]
    assert first.endswith("| 0.500 | under 30 s | yes | scipy: not installed (`make peers` needs a network) |  |  |  |")
    assert "no-such-package: cannot be loaded" in second
    assert second.endswith("|  |  |  |")


def test_ratios_and_answers_in_the_table() -> None:
    known = replace(TINY, tolerance=1e-9)
    fast, slow, other = peers.Peer("x", "1.0", 2.0, 0.25), peers.Peer("y", "2.0"), peers.Peer("z", "3.0", 50.0, 0.5)
    rows = peers.section([peers.Comparison(known, 0.5, 0.25, [fast, slow, other])]).splitlines()[-3:]
    assert rows[0].endswith("| x 1.0 | 2.000 | 4.0 | yes |")
    assert rows[1].endswith("| y 2.0 | > 20 | > 40 |  |")
    assert rows[2].endswith("| z 3.0 | 50.000 | 100 | no: 0.5, here 0.25 |")


def test_one_section_is_replaced_and_the_others_stay() -> None:
    page = "# Speed\n\na\n\n## One\n\nb\n\n## Two\n\nc\n"
    assert speed.with_section(page, "\n## One\n\nnew\n") == "# Speed\n\na\n\n## One\n\nnew\n\n## Two\n\nc\n"
    assert speed.with_section(page, "## Three\n\nd") == page + "\n## Three\n\nd\n"
    assert speed.with_section("", "# Speed\n\nd\n").lstrip("\n") == "# Speed\n\nd\n"
