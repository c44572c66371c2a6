import numpy as np
import pytest

from benchkit.errors import BenchkitError
from benchkit.methods.adjustment import max_t_bootstrap
from benchkit.methods.adjustment.max_t_bootstrap import quantile, resample_counts, resampled_sums, sf, statistics


def slow(differences, draws, generator):
    """T* from the resampled replicates themselves, one pair and one resample at a time."""
    B, m = differences.shape
    found = []
    for counts in resample_counts(B, draws, generator):
        for row in counts.astype(int):
            again = np.repeat(np.arange(B), row)
            assert again.size == B
            worst = 0.0
            for j in range(m):
                drawn = differences[again, j]
                if np.ptp(drawn) == 0.0:
                    worst = np.inf
                    break
                worst = max(worst, abs(drawn.mean() - differences[:, j].mean()) / (drawn.std(ddof=1) / np.sqrt(B)))
            found.append(worst)
    return np.sort(found)


@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_same_as_a_slow_loop_over_the_same_resamples(offset):
    values = np.random.default_rng(3).normal(size=(7, 3)) * [1.0, 5.0, 0.1]
    differences = (values + offset) - offset  # what is left of the digits beside the offset
    fast = statistics(differences, 600, np.random.default_rng(4))
    assert fast == pytest.approx(slow(differences, 600, np.random.default_rng(4)), rel=1e-9)


def test_a_resample_without_spread_reaches_everything():
    differences = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 3.0], [0.1, 5.0]])
    draws = 4000
    fast = statistics(differences, draws, np.random.default_rng(5))
    expected = slow(differences, draws, np.random.default_rng(5))
    # (3/4)^4 of the resamples miss the only replicate that differs
    assert np.isinf(fast).mean() == pytest.approx(0.75**4, abs=0.03)
    assert np.isinf(fast).sum() == np.isinf(expected).sum()
    assert sf(np.array([1e12]), fast)[0] > 0.25


def test_resamples_hold_whole_replicates_and_depend_on_seed_alone():
    first = np.vstack(list(resample_counts(11, 700, np.random.default_rng(6))))
    assert first.shape == (700, 11)
    assert (first.sum(axis=1) == 11).all()
    assert first.mean() == pytest.approx(1.0)
    assert first.var() == pytest.approx(10 / 11, rel=0.05)  # binomial(11, 1/11)
    again = np.vstack(list(resample_counts(11, 700, np.random.default_rng(6))))
    assert (first == again).all()
    assert (first != np.vstack(list(resample_counts(11, 700, np.random.default_rng(7))))).any()


def test_fewer_contrasts_see_the_same_resamples():
    differences = np.random.default_rng(8).normal(size=(40, 6))
    whole = statistics(differences, 300, np.random.default_rng(9))
    parts = [statistics(differences[:, [j]], 300, np.random.default_rng(9)) for j in range(6)]
    assert whole[-1] == pytest.approx(max(part[-1] for part in parts), rel=1e-12)


def test_unit_and_sign_do_not_matter():
    differences = np.random.default_rng(10).normal(size=(35, 4))
    here = statistics(differences, 300, np.random.default_rng(11))
    there = statistics(differences * [1e6, -1.0, 1e-6, -1e-200], 300, np.random.default_rng(11))
    assert there == pytest.approx(here, rel=1e-10)


def test_critical_value_is_the_order_statistic_that_the_p_value_knows():
    resampled = np.arange(1.0, 10000.0)
    assert quantile(0.95, resampled) == 9500.0  # ceil(.95 x 10000)
    assert quantile(0.9999, resampled) == 9999.0
    assert sf(np.array([9500.0]), resampled) == pytest.approx([501 / 10000])
    assert sf(np.array([9500.5]), resampled) == pytest.approx([500 / 10000])
    assert sf(np.array([0.0, 1e5]), resampled) == pytest.approx([1.0, 1 / 10000])


def test_a_level_beyond_the_resamples_is_refused():
    with pytest.raises(BenchkitError, match=r"a level of 0\.99991 needs more than 9999 bootstrap resamples") as caught:
        quantile(0.99991, np.arange(1.0, 10000.0))
    assert "0.9999" in caught.value.hint


def test_calibrated_on_normal_data():
    # one contrast, B = 200: the bootstrap t is close to Student's t with 199 df (1.972)
    differences = np.random.default_rng(12).normal(size=(200, 1))
    assert quantile(0.95, statistics(differences, 9999, np.random.default_rng(13))) == pytest.approx(1.972, abs=0.06)


@pytest.mark.parametrize("B", [600, 512, 1500])
def test_many_replicates_are_drawn_like_few(B, monkeypatch):
    monkeypatch.setattr(max_t_bootstrap, "MANY", 500)
    monkeypatch.setattr(max_t_bootstrap, "SLICE", 1024)
    draws = 4000
    marks = np.zeros((B, 5))
    marks[:, 0] = 1.0  # the size of a resample
    marks[[0, 255, 256, B - 1], [1, 2, 3, 4]] = 1.0  # how often single replicates of several blocks come
    sums = np.vstack(list(resampled_sums(marks, draws, np.random.default_rng(6))))
    assert sums.shape == (draws, 5)
    assert (sums[:, 0] == B).all()
    # multinomial: variance 1 - 1/B, covariance -1/B; their standard errors are about .036 and .016
    assert sums[:, 1:].mean(axis=0) == pytest.approx(np.ones(4), abs=0.07)
    expected = np.eye(4) - 1.0 / B
    assert np.cov(sums[:, 1:].T) == pytest.approx(expected, abs=0.15)
    poisson = [0.3679, 0.3679, 0.1839, 0.0613]  # binomial(B, 1/B), to within 0.001
    shares = np.array([(sums[:, 1:] == count).mean() for count in range(4)])
    assert shares == pytest.approx(poisson, abs=0.02)
    again = np.vstack(list(resampled_sums(marks[:, [1]], draws, np.random.default_rng(6))))
    assert (again[:, 0] == sums[:, 1]).all()  # fewer columns see the same resamples


def test_every_place_of_a_full_block_is_as_likely():
    counts = np.bincount(max_t_bootstrap._places(256, 256_000, np.random.default_rng(3)), minlength=256)
    assert counts.sum() == 256_000
    assert ((counts - 1000) ** 2 / 1000).sum() == pytest.approx(255, abs=4 * np.sqrt(2 * 255))  # chi-square of 255 df
