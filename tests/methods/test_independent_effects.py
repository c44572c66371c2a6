"""Effect sizes of independent samples: against R, and at the limits."""

import numpy as np
import pytest

from benchkit.methods.comparison.brunner_munzel import compare
from benchkit.methods.effect import independent
from benchkit.methods.records import Blocks, Floats

A, B = (4.1, 5.2, 6.3, 5.5, 7.1), (3.2, 5.2, 2.8, 4.4, 3.9, 6.0, 2.5)
PAIR = np.array([[0, 1]])


def columns(a: tuple[float, ...], b: tuple[float, ...]) -> Floats:
    values = np.full((max(len(a), len(b)), 2), np.nan)
    values[: len(a), 0], values[: len(b), 1] = a, b
    return values


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mean_difference", (1.64, 0.0604383473888747, 3.2195616526111248)),  # R: t.test(a, b)
        ("ratio", (1.44959577767150, 1.02945387843515, 2.04120647137416)),  # R: exp of t.test(log(a), log(b))
        # R: placements by outer(), t with Satterthwaite's df; the lower end is -0.1058 and cut
        ("prob_better", (0.157142857142857, 0.0, 0.420088022749740)),
        ("a12", (0.157142857142857, 0.0, 0.420088022749740)),
        ("cliffs_delta", (2 * 0.157142857142857 - 1, -1.0, 2 * 0.420088022749740 - 1)),
    ],
)
def test_numbers_of_r(name: str, expected: tuple[float, float, float]) -> None:
    found = getattr(independent, name)(columns(A, B), PAIR, 0.95)
    assert [float(part[0]) for part in found] == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_odds_of_two_shares() -> None:
    # 7 of 10 and 4 of 13 right, as more is better; R: the logit interval with 1/2 added to each count
    values = columns((-1.0,) * 7 + (0.0,) * 3, (-1.0,) * 4 + (0.0,) * 9)
    found = independent.odds_ratio(values, PAIR, 0.95)
    assert [float(part[0]) for part in found] == pytest.approx((5.25, 0.831855613972471, 24.601447972420608), rel=1e-12)
    effect, low, high = independent.odds_ratio(columns((-1.0,) * 5, (-1.0, 0.0, 0.0)), PAIR, 0.95)
    assert effect[0] == high[0] == np.inf
    assert 0 < low[0] < np.inf
    assert np.isnan(independent.odds_ratio(columns((-1.0,) * 5, (-1.0,) * 3), PAIR, 0.95)).all()
    assert np.isnan(independent.odds_ratio(columns(A, B), PAIR, 0.95)).all()


@pytest.mark.parametrize("seed", range(40))
def test_the_interval_of_prob_better_leaves_out_one_half_when_brunner_and_munzel_reject(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=9).round(1), rng.normal(1.0, 2.0, size=12).round(1)
    values = columns(tuple(a), tuple(b))
    effect, low, high = independent.prob_better(values, PAIR, 0.95)
    theirs = compare(Blocks(values, PAIR, 0.95, np.random.default_rng(1)))
    assert effect[0] == pytest.approx(theirs.own["prob_better"][0], rel=1e-12)
    if 0 < effect[0] < 1:
        assert (not low[0] <= 0.5 <= high[0]) == (theirs.p_value[0] < 0.05)


def test_limits() -> None:
    apart = independent.prob_better(columns((1.0, 2.0, 3.0), (7.0, 8.0, 9.0, 9.5)), PAIR, 0.95)
    z2 = 1.959963984540054**2
    assert [float(part[0]) for part in apart] == pytest.approx((1.0, 3 / (3 + z2), 1.0))  # Wilson's for 3 of 3
    same = independent.prob_better(columns((1.0,) * 4, (1.0,) * 4), PAIR, 0.95)
    assert same[0][0] == 0.5
    assert same[1][0] < 0.5 < same[2][0]
    for name in ("prob_better", "cliffs_delta", "mean_difference", "ratio"):
        effect, low, high = getattr(independent, name)(columns((1.0,), B), PAIR, 0.95)
        assert np.isfinite(effect[0])
        assert np.isnan([low[0], high[0]]).all()
        assert np.isnan(getattr(independent, name)(columns((), B), PAIR, 0.95)).all()
    constant = independent.mean_difference(columns((1.0,) * 4, (3.0,) * 4), PAIR, 0.95)
    assert [float(part[0]) for part in constant] == [-2.0, -2.0, -2.0]
    assert np.isnan(independent.ratio(columns((1.0, 0.0), B), PAIR, 0.95)).all()
