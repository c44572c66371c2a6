"""The brute-force joint bootstrap: enumeration of the worked example, the analytic variances, blocks and packing."""

from itertools import product

import numpy as np
import pytest

from benchkit.methods.curve.functionals import area
from benchkit.methods.curve.joint_bootstrap import VoterBootstrap, draws_of, with_new_items
from benchkit.methods.curve.moments import curve, moments
from benchkit.methods.curve.questions import Vary
from benchkit.methods.curve.spread import spread
from benchkit.methods.curve.tally import Tally

# the worked example of the specification: class 0 votes 0001, 0100, 1100; class 1: 1110, 0111, 1111, 1010
VOTES = np.array(
    [[0, 0, 0, 1], [0, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [1, 1, 1, 1], [1, 0, 1, 0]], dtype=np.uint8
)
LABELS = np.array([0, 0, 0, 1, 1, 1, 1], dtype=np.int8)


def resampled(votes: np.ndarray, labels: np.ndarray, m: int, draws: int, vary: Vary, seed: int = 1) -> tuple[np.ndarray, ...]:
    """Return rates (draws, 2, m + 1) and areas (draws,)."""
    generator = np.random.default_rng(seed)
    if vary == "items":
        taken = votes.sum(axis=1)
        histogram = np.stack([np.bincount(taken[labels == c], minlength=m + 1) for c in range(2)])
        histograms = iter([histogram] * draws)
    else:
        found = VoterBootstrap(votes.shape[1], m, draws, generator)
        found.add(labels, votes, packed=False)
        histograms = found.histograms
    rates, numbers = draws_of(histograms if vary == "voters" else with_new_items(histograms, generator), [area])
    return rates, numbers[:, 0]


def test_every_draw_is_a_resample_and_their_variance_that_of_all_of_them() -> None:
    """All 16 ways to draw 2 of 4 voters: Var FPR (0, .0677, .0399), E AUC .78125, Var AUC .02268."""
    whole = []
    for chosen in product(range(4), repeat=2):
        taken = VOTES[:, chosen].sum(axis=1)
        whole.append([[(taken[rows] >= t).mean() for t in range(3)] for rows in (LABELS == 0, LABELS == 1)])
    exact = np.array(whole)
    areas = [area(one)[0] for one in exact]
    np.testing.assert_allclose(exact[:, 0].var(axis=0), [0, 0.0677083333, 0.0399305556], atol=1e-10)
    assert np.mean(areas) == pytest.approx(0.78125)
    assert np.var(areas) == pytest.approx(0.0226779514, abs=1e-10)

    rates, found = resampled(VOTES, LABELS, 2, 40_000, "voters")
    kinds = {one.tobytes() for one in exact}
    assert {one.tobytes() for one in rates} == kinds
    # the error of an SD of 40,000 draws is 0.35%
    np.testing.assert_allclose(rates[:, 0].std(axis=0), np.sqrt([0, 0.0677083333, 0.0399305556]), rtol=0.015)
    assert found.std() == pytest.approx(np.sqrt(0.0226779514), rel=0.015)
    assert found.mean() == pytest.approx(0.78125, abs=0.003)


def forest(items: int, voters: int, seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Return votes and labels: voters lean one way for items that look alike, so that items share what voters do."""
    generator = np.random.default_rng(seed)
    labels = (np.arange(items) % 2).astype(np.int8)
    place = generator.normal(labels * 1.2 - 0.6, 1.0)
    tilt = generator.normal(0, 0.25, voters)
    votes = (place[:, None] + tilt + generator.normal(0, 1.0, (items, voters)) > 0).astype(np.uint8)
    return votes, labels


@pytest.mark.parametrize("vary", ["voters", "items", "both"])
def test_it_agrees_with_the_analytic_variances(vary: Vary) -> None:
    """D + (M - 1)/M O for voters, F (1 - F)/n for items, both together for both: D is in each of the two."""
    votes, labels = forest(500, 200)
    tally = Tally(200)
    tally.add(labels, votes, packed=False)
    counts, m = tally.counts, 200 if vary == "items" else 25
    mean = curve(counts, m, with_replacement=vary != "items")
    parts = moments(counts, m, mean.thresholds)
    n = counts.items[:, None]
    again = np.stack([parts.same_item[c].diagonal() + 199 / 200 * parts.across_items[c, c].diagonal() for c in range(2)])
    sampling = mean.rates * (1 - mean.rates) / n
    of_area = spread(counts, m, area(mean.rates)[1], realised=False)[0]
    area_again = of_area.same_item + 199 / 200 * of_area.across_items
    variance = {"voters": again, "items": sampling, "both": sampling + again * (1 - 1 / n)}[vary]
    of_numbers = {"voters": area_again, "items": of_area.items, "both": area_again + of_area.items}[vary]
    draws = 3000
    rates, areas = resampled(votes, labels, m, draws, vary)
    inside = (mean.rates > 0.02) & (mean.rates < 0.98)
    ratio = rates.std(axis=0)[inside] / np.sqrt(variance[inside])
    # the Monte Carlo error of a ratio is 1.3%; the first order leaves out what the tails of such tilted voters have beyond it
    assert inside.sum() > 12
    assert np.abs(ratio - 1).max() < 4.5 / np.sqrt(2 * (draws - 1))
    assert np.abs(ratio.mean() - 1) < 0.025
    assert areas.std() / np.sqrt(of_numbers) == pytest.approx(1, abs=0.05)


def test_blocks_and_packing_make_no_difference() -> None:
    votes, labels = forest(300, 13)
    whole = resampled(votes, labels, 7, 50, "voters")[0]
    found = VoterBootstrap(13, 7, 50, np.random.default_rng(1))
    for start in range(0, 300, 41):
        rows = slice(start, start + 41)
        found.add(labels[rows], np.packbits(votes[rows], axis=1), packed=True)
    np.testing.assert_array_equal(draws_of(found.histograms, [])[0], whole)
    np.testing.assert_array_equal(draws_of(found.histograms, [], np.array([0, 3]))[0], whole[:, :, [0, 3]])


def test_threshold_0_is_1_and_does_not_vary() -> None:
    rates, _ = resampled(*forest(60, 9), 4, 30, "both")
    assert (rates[:, :, 0] == 1.0).all()
    assert (np.diff(rates, axis=2) <= 0).all()
