"""Weighted and real-valued members: the curves of votes where all weigh alike, enumeration, the same parts of variances."""

from itertools import product

import numpy as np
import pytest

from benchkit.methods.curve.functionals import area, true_positive_rate_at
from benchkit.methods.curve.members import Members, Resampled, resample, without_replacement
from benchkit.methods.curve.moments import curve, moments
from benchkit.methods.curve.spread import spread
from benchkit.methods.curve.tally import Tally

FUNCTIONALS = (area, true_positive_rate_at(0.1))


def forest(items: int, voters: int, seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Return what the members say, as a real number, and labels."""
    generator = np.random.default_rng(seed)
    labels = (np.arange(items) % 2).astype(np.int8)
    place = generator.normal(labels * 1.2 - 0.6, 1.0)
    return place[:, None] + generator.normal(0, 0.2, voters) + generator.normal(0, 1.0, (items, voters)), labels


def found(
    said: np.ndarray, labels: np.ndarray, m: int, draws: int = 600, smoothed: bool = False, weights: np.ndarray | None = None
) -> Resampled:
    weights = np.ones(said.shape[1]) if weights is None else weights
    one, other = np.random.default_rng(1).spawn(2)
    return resample(Members(said, weights), labels, m, smoothed, FUNCTIONALS, draws, (one, other))


def test_votes_that_weigh_alike_are_an_ordinary_ensemble() -> None:
    values, labels = forest(240, 300)
    votes = (values > 0).astype(np.uint8)
    tally = Tally(300)
    tally.add(labels, votes, packed=False)
    # at hand: the very curve, with thresholds as shares of the votes
    whole = found(votes, labels, 300)
    exact = curve(tally.counts, 300)
    needed = np.round(np.maximum(whole.thresholds, 0) * 300).astype(int)
    needed[0] = 0
    np.testing.assert_allclose(whole.rates, exact.rates[:, needed], atol=1e-15)
    assert whole.numbers[0] == pytest.approx(area(exact.rates)[0], abs=1e-14)
    parts = spread(tally.counts, 300, area(exact.rates)[1], realised=True)[0]
    assert whole.number_items[0] == pytest.approx(parts.items, rel=0.2)  # 600 draws know a variance to 6%

    # ensembles of 20: means, D, D + O
    some = found(votes, labels, 20, draws=2000)
    mean = curve(tally.counts, 20)
    parts = spread(tally.counts, 20, area(curve(tally.counts, 20, with_replacement=True).rates)[1], realised=False)[0]
    assert some.numbers[0] == pytest.approx(area(mean.rates)[0], abs=0.003)
    assert some.number_same[0] == pytest.approx(parts.same_item, rel=0.1)
    assert some.number_voters[0] == pytest.approx(parts.same_item + parts.across_items, rel=0.15)
    assert some.number_items[0] == pytest.approx(parts.items, rel=0.1)
    steps = 1 + np.flatnonzero(np.isclose(some.thresholds[1:] * 20, np.round(some.thresholds[1:] * 20)))
    t = np.round(some.thresholds[steps] * 20).astype(int)
    by_formula = moments(tally.counts, 20, t)
    np.testing.assert_allclose(some.rates[:, steps], mean.rates[:, t], atol=0.006)
    for c in range(2):
        inside = (mean.rates[c, t] > 0.05) & (mean.rates[c, t] < 0.95)
        same = some.same_item[c].diagonal()[steps][inside]
        np.testing.assert_allclose(same, by_formula.same_item[c].diagonal()[inside], rtol=0.03)
        both = by_formula.same_item[c] + by_formula.across_items[c, c]
        np.testing.assert_allclose(some.voters[c, c].diagonal()[steps][inside], both.diagonal()[inside], rtol=0.25)


def test_weighted_draws_against_enumeration() -> None:
    """All 27 draws of 3 of 3 members, the weights 1, 2 and 5."""
    votes = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 1, 1], [1, 0, 1]], dtype=np.uint8)
    labels, weights = np.array([0, 0, 0, 1, 1, 1], dtype=np.int8), np.array([1.0, 2.0, 5.0])
    areas = []
    for draw in product(range(3), repeat=3):
        score = (votes[:, draw] * weights[list(draw)]).sum(axis=1) / weights[list(draw)].sum()
        gap = np.round(score[labels == 1][:, None] - score[labels == 0], 12)
        areas.append(((gap > 0) + (gap == 0) / 2).mean())
    result = found(votes, labels, 3, draws=4000, smoothed=True, weights=weights)
    assert result.numbers[0] == pytest.approx(np.mean(areas), abs=0.01)
    assert result.number_voters[0] == pytest.approx(np.var(areas), rel=0.1)
    # at hand: scores 5/8, 1/8, 2/8 against 3/8, 7/8, 6/8
    assert found(votes, labels, 3, draws=5, weights=weights).numbers[0] == pytest.approx(8 / 9)


def test_only_ratios_of_weights_matter() -> None:
    values, labels = forest(60, 9)
    weights = np.arange(1.0, 10.0)
    first, second = (found(values, labels, 9, draws=20, weights=scale * weights) for scale in (1.0, 0.3))
    np.testing.assert_allclose(first.rates, second.rates)
    np.testing.assert_allclose(first.number_voters, second.number_voters)


def test_a_change_of_unit_changes_thresholds_alone() -> None:
    values, labels = forest(80, 7)
    for unit in (1e-9, 3.0, 1e7):
        first, second = (found(scale * values, labels, 7, draws=20) for scale in (1.0, unit))
        np.testing.assert_allclose(first.rates, second.rates)
        np.testing.assert_allclose(first.thresholds[1:] * unit, second.thresholds[1:], rtol=1e-6)


def test_real_values_and_their_items_variance() -> None:
    """With all members equal nothing varies but items, and the bootstrap gives DeLong's variance."""
    values, labels = forest(300, 1)
    result = found(np.repeat(values, 5, axis=1), labels, 5, draws=3000)
    assert result.number_voters[0] == 0.0
    assert result.number_same[0] == 0.0
    scores = values[:, 0]
    wins = scores[labels == 1][:, None] > scores[labels == 0]
    delong = wins.mean(axis=1).var(ddof=1) / 150 + wins.mean(axis=0).var(ddof=1) / 150
    assert result.numbers[0] == pytest.approx(wins.mean())
    assert result.number_items[0] == pytest.approx(delong, rel=0.12)


def test_without_replacement_takes_each_member_at_most_once() -> None:
    drawn = without_replacement(7, 3, 50, np.random.default_rng(1))
    assert drawn.shape == (7, 50)
    assert set(drawn.ravel().tolist()) == {0, 1}
    assert (drawn.sum(axis=0) == 3).all()
