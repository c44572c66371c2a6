import time

import numpy as np
import pytest
from experiments import all_pairs

from benchkit.methods.comparison import bayes_sign, bayes_signed_rank
from benchkit.methods.comparison.bayes_sign import commonest
from benchkit.methods.comparison.bayes_signed_rank import masses, merged
from benchkit.methods.records import Blocks

METHODS = (bayes_sign.compare, bayes_signed_rank.compare)
# the differences of a test of baycomp 1.0.3 (tests/test_multiple.py): x - y with more is better
X = np.array([15, 16, 17, 24, 11, 12, 13, 14], dtype=float)
Y = np.array([10, 13, 15, 24, 15, 82, 83, 84], dtype=float)

BAYCOMP_RANK = {0.0: (0.1386, 0.0, 0.8614), 1.0: (0.1261, 0.0070, 0.8670), 2.5: (0.0325, 0.1795, 0.7880)}
BAYCOMP_SIGN = {1.0: (0.2992, 0.1179, 0.5829), 2.5: (0.1188, 0.2987, 0.5826), 3.0: (0.0215, 0.4895, 0.4891)}


def blocks(values, margin=None, seed=1):
    contrasts = all_pairs(values.shape[1])
    margins = None if margin is None else np.full(len(contrasts), margin)
    return Blocks(values, contrasts, 0.95, np.random.default_rng(seed), margins=margins)


def differing(*differences):
    """Return two algorithms of which a minus b has these differences."""
    return np.column_stack([np.array(differences, dtype=float), np.zeros(len(differences))])


def baycomp_masses(difference, margin, weights):
    """Return SignedRankTest.sample of baycomp 1.0.3 for y - x = difference and one draw of weights: left, rope, right."""
    padded = np.concatenate([[0.0], difference])
    sums, products = padded[:, None] + padded, np.outer(weights, weights)

    def heaviside(a, threshold):
        return (a > threshold) + 0.5 * (a == threshold)

    left, right = np.sum(products * heaviside(-sums, 2 * margin)), np.sum(products * heaviside(sums, 2 * margin))
    return np.array([left, 1 - left - right, right])


@pytest.mark.parametrize("margin", [0.0, 0.5, 1.0])
def test_masses_by_all_pairs(margin):
    generator = np.random.default_rng(2)
    for difference in (generator.normal(size=9), generator.integers(-3, 4, 12).astype(float), np.zeros(3)):
        points, strength = merged(difference, 1e-12)
        assert strength.sum() == difference.size + 0.5
        weights = generator.standard_gamma(strength[:, None], (points.size, 4))
        borders = [
            bayes_signed_rank._positions(points, border, 1e-12) for border in ((-2 * margin, 2 * margin) if margin else (0.0,))
        ]
        found = masses(weights, borders)
        for draw in range(4):
            # the weight of merged points, on the first of them
            share = np.zeros(difference.size + 1)
            place = [0 if point == 0 else 1 + int(np.argmax(difference == point)) for point in points]
            share[place] = weights[:, draw] / weights[:, draw].sum()
            expected = baycomp_masses(difference, margin, share)
            assert found[[0, 2], draw] == pytest.approx(expected[[0, 2]], abs=1e-12)
            if margin:
                assert found[1, draw] == pytest.approx(expected[1], abs=1e-12)


def test_baycomp_signed_rank():
    # baycomp 1.0.3, SignedRankTest.probs(X, Y, rope, nsamples=300000, random_state=1); its left is "x is better"
    for margin, expected in BAYCOMP_RANK.items():
        answer = bayes_signed_rank.compare(blocks(-np.column_stack([X, Y]), margin))
        assert answer.posterior[0] == pytest.approx(expected, abs=0.009)


def test_baycomp_sign():
    # baycomp 1.0.3, SignTest.probs(X, Y, rope, nsamples=1000000, random_state=1)
    for margin, expected in BAYCOMP_SIGN.items():
        answer = bayes_sign.compare(blocks(-np.column_stack([X, Y]), margin))
        assert answer.posterior[0] == pytest.approx(expected, abs=0.002)
    counts = bayes_sign.compare(blocks(-np.column_stack([X, Y]), 3.0)).own
    assert [counts[name][0] for name in ("n_better", "n_equivalent", "n_worse")] == [1, 3, 4]


def test_commonest_outcome_in_closed_form():
    assert commonest(np.array([3.0, 3.0, 3.0])) == pytest.approx([1 / 3] * 3, rel=1e-10)
    assert commonest(np.array([5.0001, 1.0001, 0.0001]))[0] == pytest.approx(1 - 0.5**5, abs=1e-4)
    draws = np.random.default_rng(3).dirichlet([4.5, 7.0, 6.2], 400_000).argmax(axis=1)
    assert commonest(np.array([4.5, 7.0, 6.2])) == pytest.approx(np.bincount(draws) / draws.size, abs=0.003)
    huge = commonest(np.array([50_000.0, 50_300.0, 1e-4]))
    assert huge[0] == pytest.approx(0.5 * (1 - 0.6567), abs=0.01)


@pytest.mark.parametrize("compare", METHODS)
@pytest.mark.parametrize("margin", [None, 0.1])
def test_less_is_better_in_both_directions(compare, margin):
    values = differing(*(-1.0 - 0.1 * np.arange(12)))
    better, worse = compare(blocks(values, margin)), compare(blocks(values[:, ::-1], margin))
    assert better.posterior[0, 0] > 0.99
    assert worse.posterior[0] == pytest.approx(better.posterior[0, ::-1], abs=0.01)
    assert better.estimate[0] < 0 < worse.estimate[0]
    assert np.isnan(better.p_value).all()
    assert better.posterior.sum(axis=1) == pytest.approx([1])
    assert better.remarks == ()


@pytest.mark.parametrize("compare", METHODS)
def test_equivalent_within_the_margin(compare):
    generator = np.random.default_rng(5)
    answer = compare(blocks(generator.normal(0, 0.01, (30, 2)), 0.1))
    assert answer.posterior[0, 1] > 0.99


@pytest.mark.parametrize("compare", METHODS)
def test_the_same_seed_gives_the_same_and_order_does_not_matter(compare):
    generator = np.random.default_rng(6)
    values = generator.normal(size=(15, 3))
    first = compare(blocks(values, 0.2)).posterior
    assert (compare(blocks(values, 0.2)).posterior == first).all()
    assert compare(blocks(values[::-1] + 7, 0.2)).posterior == pytest.approx(first, abs=0.01)


@pytest.mark.parametrize("compare", METHODS)
def test_limits(compare):
    equal = compare(blocks(differing(*np.zeros(6))))
    assert equal.posterior[0] == pytest.approx([0.5, 0, 0.5])
    assert equal.estimate[0] == 0
    assert [remark.code for remark in equal.remarks] == ["zero-variance"]
    assert compare(blocks(differing(*np.zeros(6)), 0.1)).posterior[0, 1] > 0.99
    noise = compare(blocks(differing(*(1e-15 * np.arange(6))) + 1))
    assert noise.posterior[0] == pytest.approx([0.5, 0, 0.5])
    one = compare(blocks(differing(-1)))
    assert np.isnan(one.posterior).all()
    few = compare(blocks(differing(-1, -1, -1, -1)))
    assert [(remark.code, remark.numbers) for remark in few.remarks] == [("small-n", {"replicates": 4.0})]
    nothing = compare(blocks(np.array([[1.0, np.nan], [np.nan, 2.0]])))
    assert np.isnan(nothing.posterior).all()
    assert [remark.code for remark in nothing.remarks] == ["not-estimable"]


def test_missing_cells_leave_the_shared_replicates():
    values = np.random.default_rng(7).normal(size=(12, 2))
    holed = np.vstack([values, [[np.nan, 5.0]]])
    answer = bayes_sign.compare(blocks(holed, 0.3))
    assert answer.n.tolist() == [12]
    assert (answer.posterior == bayes_sign.compare(blocks(values, 0.3)).posterior).all()


def test_speed():
    values = np.random.default_rng(8).normal(size=(1000, 2))
    start = time.process_time()
    bayes_signed_rank.compare(blocks(values, 0.1))
    assert time.process_time() - start < 2
