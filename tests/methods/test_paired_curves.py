"""Differences between ensembles and between scores: DeLong by brute force, and voters that count once."""

import numpy as np
import pytest

from benchkit.methods.curve.functionals import area
from benchkit.methods.curve.moments import curve
from benchkit.methods.curve.paired import Member, difference
from benchkit.methods.curve.questions import Asked
from benchkit.methods.curve.records import Spread, VoteCounts
from benchkit.methods.curve.scores import ranked
from benchkit.methods.curve.spread import sample_variance, spread
from benchkit.methods.curve.tally import Tally


def placements(scores: np.ndarray, labels: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Return DeLong's area and placement values by comparing every pair, O(n^2)."""
    negative, positive = scores[labels == 0], scores[labels == 1]
    wins = (positive[:, None] > negative).astype(float) + 0.5 * (positive[:, None] == negative)
    return float(wins.mean()), wins.mean(axis=0), wins.mean(axis=1)


def delong(first: np.ndarray, second: np.ndarray, labels: np.ndarray) -> float:
    """Return DeLong's variance of the difference of two areas on the same items (DeLong, DeLong & Clarke-Pearson 1988)."""
    (_, x0, x1), (_, y0, y1) = placements(first, labels), placements(second, labels)
    return float(np.var(x0 - y0, ddof=1) / len(x0) + np.var(x1 - y1, ddof=1) / len(x1))


def member(counts: VoteCounts, taken: np.ndarray, m: int, with_replacement: bool = False) -> Member:
    found = curve(counts, m, with_replacement)
    gradient = area(found.rates)[1]
    without_voters = Spread(0.0, 0.0, 0.0, np.nan)
    parts = without_voters if counts.sums is None else spread(counts, m, gradient, found.realised)[0]
    return Member(counts.voters, m, gradient, parts, found.realised, taken)


def scored(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    labels = generator.integers(0, 2, 150).astype(np.int8)
    first = np.round(generator.normal(size=150) + labels, 1)  # many ties
    return labels, first, np.round(first + generator.normal(size=150), 1)


def test_one_area_and_its_variance_are_delong_s() -> None:
    labels, scores, _ = scored(np.random.default_rng(1))
    counts, _, distinct = ranked(scores, labels)
    value, negative, positive = placements(scores, labels)
    rates = curve(counts, counts.voters).rates
    found, gradient = area(rates)
    assert found == pytest.approx(value, rel=1e-13)
    wanted = np.var(negative, ddof=1) / len(negative) + np.var(positive, ddof=1) / len(positive)
    assert len(distinct) == counts.voters
    assert sample_variance(counts, gradient) == pytest.approx(wanted, rel=1e-12)


def test_the_paired_variance_is_delong_s() -> None:
    labels, first, second = scored(np.random.default_rng(2))
    members = []
    for scores in (first, second):
        counts, rank, _ = ranked(scores, labels)
        members.append(member(counts, rank, counts.voters))
    found = difference(Asked("items", "deployed"), members[0], members[1], labels)
    assert float(found.total) == pytest.approx(delong(first, second, labels), rel=1e-12)


def forests(m: int) -> tuple[list[Member], np.ndarray, list[np.ndarray]]:
    generator = np.random.default_rng(5)
    labels = generator.integers(0, 2, 300).astype(np.int8)
    shares = [0.3 + 0.4 * labels[:, None] * generator.random((300, 1)) for _ in "ab"]
    votes = [(generator.random((300, 40)) < share).astype(np.uint8) for share in shares]
    members = []
    for each in votes:
        tally = Tally(40)
        taken = tally.add(labels, each, packed=False)
        members.append(member(tally.counts, taken, m))
    return members, labels, votes


def test_ensembles_at_hand_add_what_their_voters_share_to_delong() -> None:
    (a, b), labels, votes = forests(40)
    paired = delong(votes[0].sum(axis=1), votes[1].sum(axis=1), labels)
    both = difference(Asked("both", "rerun"), a, b, labels)
    wanted = paired + max(a.spread.across_items, 0) + max(b.spread.across_items, 0)
    assert float(both.total) == pytest.approx(wanted, rel=1e-12)
    assert float(difference(Asked("items", "deployed"), a, b, labels).total) == pytest.approx(paired, rel=1e-12)
    voters = difference(Asked("voters", "rerun"), a, b, labels)
    assert float(voters.items) == 0.0
    items = difference(Asked("items", "rerun"), a, b, labels)
    assert float(voters.total + items.items) == pytest.approx(float(both.total), rel=1e-12)


def test_a_part_of_the_voters() -> None:
    (a, b), labels, _ = forests(10)
    both = difference(Asked("both", "rerun"), a, b, labels)
    mean = difference(Asked("both", "mean"), a, b, labels)
    prediction = difference(Asked("both", "prediction"), a, b, labels)
    assert float(prediction.total) == pytest.approx(float(both.total + mean.total), rel=1e-12)
    assert 0 < float(mean.total) < float(both.total)


def test_an_ensemble_does_not_differ_from_itself() -> None:
    (a, _), labels, _ = forests(40)
    assert float(difference(Asked("items", "deployed"), a, a, labels).total) == 0.0
