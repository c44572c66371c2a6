"""Vote counts, tables, mean curves and covariances: the worked examples of the specification, enumeration, mpmath."""

from itertools import product

import mpmath
import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy.stats import binom, hypergeom

from benchkit.methods.curve import functionals, tally
from benchkit.methods.curve.moments import curve, moments, same_item_variance, thinned
from benchkit.methods.curve.records import VoteCounts
from benchkit.methods.curve.spread import spread
from benchkit.methods.curve.tables import binomial, density, hypergeometric
from benchkit.methods.curve.tally import Tally

# the worked example: class 0 votes 0001, 0100, 1100; class 1: 1110, 0111, 1111, 1010; M = 4
VOTES = np.array(
    [[0, 0, 0, 1], [0, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 1], [1, 1, 1, 1], [1, 0, 1, 0]], dtype=np.uint8
)
LABELS = np.array([0, 0, 0, 1, 1, 1, 1], dtype=np.int8)


def tallied(votes: np.ndarray, labels: np.ndarray) -> VoteCounts:
    counted = Tally(votes.shape[1])
    counted.add(labels, votes, packed=False)
    return counted.counts


COUNTS = tallied(VOTES, LABELS)


def close(found: ArrayLike, wanted: ArrayLike) -> None:
    np.testing.assert_allclose(np.asarray(found, dtype=float), np.asarray(wanted, dtype=float), rtol=0, atol=5e-10)


def test_sums_have_the_votes_of_each_voter_by_class_and_number_of_votes() -> None:
    assert COUNTS.histogram.tolist() == [[0, 2, 1, 0, 0], [0, 0, 1, 2, 1]]
    assert COUNTS.sums is not None
    assert COUNTS.sums[0, 1].tolist() == [0, 1, 0, 1]
    assert COUNTS.sums[1, 3].tolist() == [1, 2, 2, 1]


@pytest.mark.parametrize("voters", [1, 7, 8, 13, 64, 300])
def test_packed_and_shards_and_order_make_no_difference(voters: int) -> None:
    generator = np.random.default_rng(voters)
    votes = (generator.random((700, voters)) < generator.random((700, 1))).astype(np.uint8)
    labels = generator.integers(0, 2, 700).astype(np.int8)
    whole = tallied(votes, labels)
    shards, order = Tally(voters), generator.permutation(700)
    for start in range(0, 700, 101):
        rows = order[start : start + 101]
        taken = shards.add(labels[rows], np.packbits(votes[rows], axis=1), packed=True)
        assert taken.tolist() == votes[rows].sum(axis=1).tolist()
    np.testing.assert_array_equal(whole.histogram, shards.counts.histogram)
    assert whole.sums is not None
    assert shards.counts.sums is not None
    np.testing.assert_array_equal(whole.sums, shards.counts.sums)
    by_hand = np.zeros((2, voters + 1, voters), dtype=int)
    for row, label in zip(votes, labels, strict=True):
        by_hand[label, row.sum()] += row
    np.testing.assert_array_equal(whole.sums, by_hand)


def test_rows_are_kept_and_added_a_bounded_number_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(5)
    votes, labels = generator.integers(0, 2, (500, 12), dtype=np.uint8), generator.integers(0, 2, 500).astype(np.int8)
    whole = tallied(votes, labels)
    monkeypatch.setattr(tally, "LEAST_KEPT", 7)
    monkeypatch.setattr(tally, "MOST_KEPT", 7)
    several = Tally(12)
    for start in range(0, 500, 60):
        rows = slice(start, start + 60)
        several.add(labels[rows], votes[rows], packed=False, taken=votes[rows].sum(axis=1, dtype=np.int64))
        # counts may be looked at on the way
        assert several.counts.histogram.sum() == len(labels[: rows.stop])
    assert several.counts.sums is not None
    assert whole.sums is not None
    np.testing.assert_array_equal(several.counts.sums, whole.sums)
    np.testing.assert_array_equal(several.counts.histogram, whole.histogram)


def test_large_products_have_six_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(6)
    share = np.concatenate([generator.beta(0.3, 2, 1500), generator.beta(2, 0.5, 500)])
    counts = tallied(
        (generator.random((2000, 600)) < share[:, None]).astype(np.uint8), np.repeat([0, 1], [1500, 500]).astype(np.int8)
    )
    exact = moments(counts, 64, np.arange(65))
    monkeypatch.setattr("benchkit.methods.curve.moments.MOST_EXACT", 0)
    found = moments(counts, 64, np.arange(65))
    for c in range(2):
        sd, wanted = (np.sqrt(np.diag(one.first_order[c, c])) for one in (found, exact))
        np.testing.assert_allclose(sd, wanted, rtol=1e-5)
    gradient = functionals.area(curve(counts, 64).rates)[1]
    known, anew = (spread(counts, 64, gradient, False, influence)[0] for influence in (exact.influence, None))
    assert known.first_order == pytest.approx(anew.first_order, rel=1e-10)


def test_more_than_255_equal_rows_do_not_overflow() -> None:
    counts = tallied(np.ones((1000, 3), dtype=np.uint8), np.ones(1000, dtype=np.int8))
    assert counts.sums is not None
    assert counts.sums[1, 3].tolist() == [1000, 1000, 1000]


def test_mean_curves_of_the_example() -> None:
    close(curve(COUNTS, 2, with_replacement=True).rates, [[1, 0.5416666667, 0.125], [1, 0.90625, 0.59375]])
    three = [[1, 0.6770833333, 0.2708333333, 0.0520833333], [1, 0.9609375, 0.796875, 0.4921875]]
    close(curve(COUNTS, 3, with_replacement=True).rates, three)
    four = [[1, 0.7682291667, 0.4036458333, 0.1380208333, 0.0234375], [1, 0.982421875, 0.896484375, 0.697265625, 0.423828125]]
    close(curve(COUNTS, 4, with_replacement=True).rates, four)


def test_without_replacement_all_voters_are_the_ensemble_at_hand() -> None:
    found = curve(COUNTS, 4)
    assert found.realised
    close(found.rates, [[1, 1, 1 / 3, 0, 0], [1, 1, 1, 0.75, 0.25]])
    close(curve(COUNTS, 1).rates, curve(COUNTS, 1, with_replacement=True).rates)


def test_covariances_of_the_example() -> None:
    found = moments(COUNTS, 2, np.arange(3))
    diagonal = found.same_item.diagonal(axis1=1, axis2=2)
    close(diagonal, [[0, 0.0755208333, 0.0338541667], [0, 0.0190429688, 0.0424804688]])
    close(same_item_variance(COUNTS, 2), diagonal)
    phi: list[list[list[float]]] = [
        [[0.0] * 4, [-0.0416666667, 0.2083333333, -0.2083333333, 0.0416666667], [0.0416666667, 0.125, -0.125, -0.0416666667]],
        [[0.0] * 4, [0.03125, -0.03125, 0.09375, -0.09375], [-0.03125, 0.03125, 0.15625, -0.15625]],
    ]
    close(found.influence, phi)
    close(found.first_order[0, 0].diagonal(), [0, 0.0601851852, 0.0231481481])
    close(found.first_order[1, 1].diagonal(), [0, 0.0130208333, 0.0338541667])
    close(found.own[0].diagonal(), [0, 0.0810185185, 0.025462963])
    close(found.own[1].diagonal(), [0, 0.0143229167, 0.0455729167])
    close(found.across_items[0, 0].diagonal(), [0, -0.0208333333, -0.0023148148])
    close(found.across_items[0, 1].diagonal(), [0, -0.0208333333, -0.0069444444])


@pytest.mark.parametrize("m", [1, 2, 3])
def test_first_order_is_the_variance_of_conditional_means_by_enumeration(m: int) -> None:
    """(M - 1)/M FO_00 = m Var_i E[FPR | the first voter is i], over all M^m resamples."""
    rates: dict[int, list[np.ndarray]] = {i: [] for i in range(4)}
    for chosen in product(range(4), repeat=m):
        taken = VOTES[LABELS == 0][:, chosen].sum(axis=1)
        rates[chosen[0]].append((taken[:, None] >= np.arange(m + 1)).mean(axis=0))
    conditional = np.array([np.mean(each, axis=0) for each in rates.values()])
    wanted = m * conditional.var(axis=0)
    found = 0.75 * moments(COUNTS, m, np.arange(m + 1)).first_order[0, 0].diagonal()
    np.testing.assert_allclose(found, wanted, atol=1e-15)
    if m == 3:
        close(found, [0, 0.0315755208, 0.0325520833, 0.0055338542])


def test_one_voter_of_many_varies_as_the_class_mean_vote() -> None:
    """At m = 1 D + (M - 1)/M O is the variance over voters of the class's mean vote, exactly."""
    found = moments(COUNTS, 1, np.arange(2))
    for c, wanted in ((0, VOTES[LABELS == 0].mean(axis=0).var()), (1, VOTES[LABELS == 1].mean(axis=0).var())):
        assert found.same_item[c, 1, 1] + 0.75 * found.across_items[c, c, 1, 1] == pytest.approx(wanted, abs=1e-15)
    assert VOTES[LABELS == 0].mean(axis=0).var() == pytest.approx(0.0555555556, abs=1e-10)


def test_the_area_and_its_variance_of_the_example() -> None:
    value, gradient = functionals.area(curve(COUNTS, 2, with_replacement=True).rates)
    found, psi = spread(COUNTS, 2, gradient, realised=False)
    close(value, 0.7864583333)
    close(gradient, [[0, -0.203125, -0.453125], [0, 0.4375, 0.2708333333]])
    close(psi, [-0.0052083333, -0.1041666667, 0.1822916667, -0.0729166667])
    close([found.first_order, found.own, found.same_item], [0.0329499421, 0.0271448206, 0.0215115017])
    close([found.items, found.items - found.same_item], [0.0262021665, 0.0046906648])
    close(found.items + found.across_items, 0.032007288)


def test_the_forest_at_hand() -> None:
    rates = curve(COUNTS, 4).rates
    value, gradient = functionals.area(rates)
    assert value == pytest.approx(23 / 24)
    close(spread(COUNTS, 4, gradient, realised=True)[0].items, 0.0034722222)
    close(functionals.partial_area(0.5)(rates)[0], 0.4583333333)
    close(functionals.true_positive_rate_at(0.2)(rates)[0], 0.9)


def test_the_area_s_parts_are_those_of_the_whole_covariance() -> None:
    gradient = functionals.area(curve(COUNTS, 3, with_replacement=True).rates)[1]
    whole = moments(COUNTS, 3, np.arange(4))
    found, psi = spread(COUNTS, 3, gradient, realised=False)
    close(np.einsum("ct,cti->i", gradient, whole.influence), psi)
    close(np.einsum("ct,cdts,ds->", gradient, whole.first_order, gradient), found.first_order)
    close(np.einsum("ct,cts,cs->", gradient, whole.own, gradient), found.own)
    close(np.einsum("ct,cts,cs->", gradient, whole.same_item, gradient), found.same_item)


@pytest.mark.parametrize("name", ["area", "partial", "tpr", "fpr"])
def test_gradients_are_those_of_differences(name: str) -> None:
    generator = np.random.default_rng(3)
    for _ in range(40):
        level = float(generator.uniform(0.05, 0.9))
        functional = {
            "area": functionals.area,
            "partial": functionals.partial_area(level),
            "tpr": functionals.true_positive_rate_at(level),
            "fpr": functionals.false_positive_rate_at(level),
        }[name]
        rates = np.column_stack([np.ones(2), np.sort(generator.random((2, 6)), axis=1)[:, ::-1]])
        gradient = functional(rates)[1]
        for c, t in product(range(2), range(1, 7)):
            up, down = rates.copy(), rates.copy()
            up[c, t] += 1e-7
            down[c, t] -= 1e-7
            slope = (functional(up)[0] - functional(down)[0]) / 2e-7
            assert gradient[c, t] == pytest.approx(slope, rel=1e-5, abs=1e-5)


def test_rates_at_corners() -> None:
    rates = np.array([[1.0, 0.5, 0.5, 0.0, 0.0], [1.0, 1.0, 0.75, 0.5, 0.25]])
    assert functionals.true_positive_rate_at(0.5)(rates)[0] == 1.0  # vertical: the best
    assert functionals.true_positive_rate_at(0.0)(rates)[0] == 0.5
    assert functionals.true_positive_rate_at(1.0)(rates)[0] == 1.0
    assert functionals.false_positive_rate_at(1.0)(rates)[0] == 0.5
    assert functionals.false_positive_rate_at(0.5)(rates)[0] == 0.0
    assert functionals.false_positive_rate_at(0.0)(rates)[0] == 0.0
    assert functionals.partial_area(1.0)(rates)[0] == pytest.approx(functionals.area(rates)[0])


def test_tables_against_scipy_and_identities() -> None:
    shares = np.array([0.0, 1e-9, 0.03, 0.5, 0.97, 1.0])
    probability, upper = binomial(shares, 30)
    t = np.arange(31)
    np.testing.assert_allclose(probability, binom.pmf(t, 30, shares[:, None]), rtol=1e-11, atol=1e-300)
    np.testing.assert_allclose(upper, binom.sf(t - 1, 30, shares[:, None]), rtol=1e-11, atol=1e-300)
    slope = density(probability, shares)
    np.testing.assert_allclose(slope[1:-1].sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(slope[2:5, 1:], binom.pmf(t[1:] - 1, 29, shares[2:5, None]), rtol=1e-11)
    assert not slope[[0, -1]].any()
    votes = np.array([0, 1, 5, 20, 39, 40])
    drawn, more = hypergeometric(votes, 40, 13)
    t = np.arange(14)
    np.testing.assert_allclose(drawn, hypergeom.pmf(t, 40, votes[:, None], 13), rtol=1e-10, atol=1e-300)
    np.testing.assert_allclose(more, hypergeom.sf(t - 1, 40, votes[:, None], 13), rtol=1e-10, atol=1e-300)


def upper_tail(m: int, p: mpmath.mpf, t: int) -> mpmath.mpf:
    """Return P(Bin(m, p) >= t) to 30 digits: the terms from t on, or one less those below it, until they no longer count."""
    rising = t < m * p
    start = t - 1 if rising else t
    term = mpmath.binomial(m, start) * p**start * (1 - p) ** (m - start)
    total = mpmath.mpf(0)
    while term > total * mpmath.mpf("1e-30"):
        total += term
        if start in (0, m) and rising == (start == 0):
            break
        term *= start * (1 - p) / ((m - start + 1) * p) if rising else (m - start) * p / ((start + 1) * (1 - p))
        start += -1 if rising else 1
    return 1 - total if rising else total


@pytest.mark.parametrize("m", [1, 17, 1000, 100_000])
def test_upper_tails_to_eleven_digits(m: int) -> None:
    mpmath.mp.dps = 40
    generator = np.random.default_rng(m)
    for _ in range(3):
        share = float(generator.uniform(0.001, 0.999))
        upper = binomial(np.array([share]), m)[1][0]
        sd = np.sqrt(m * share * (1 - share))
        for place in (-4.0, 0.0, 3.0, 12.0):
            t = round(m * share + place * sd)
            if not 1 <= t <= m:
                continue
            exact = upper_tail(m, mpmath.mpf(share), t)
            if exact > mpmath.mpf("1e-290"):
                assert upper[t] == pytest.approx(float(exact), rel=1e-11)


def test_thinned_thresholds_are_few_and_spread() -> None:
    rates = np.linspace(1.0, 0.0, 3001)[None, :].repeat(2, axis=0)
    kept = thinned(rates, 100)
    assert len(kept) <= 100
    assert kept[0] == 0
    assert kept[-1] == 3000
    assert (np.diff(kept) > 0).all()
    assert thinned(rates[:, :50], 100).tolist() == list(range(50))


def test_edges() -> None:
    equal = tallied(np.ones((6, 5), dtype=np.uint8), LABELS[:6])
    found = moments(equal, 3, np.arange(4))
    assert not found.same_item.any()
    assert not found.first_order.any()
    assert not found.own.any()
    single = tallied(np.array([[0], [1], [1]], dtype=np.uint8), np.array([0, 1, 0], dtype=np.int8))
    assert np.isnan(moments(single, 1, np.arange(2)).first_order).all()
    begins = curve(COUNTS, 2).rates[:, 0]
    assert begins.tolist() == [1.0, 1.0]
    assert not moments(COUNTS, 2, np.arange(3)).same_item[:, 0].any()
