import numpy as np
import pytest

from benchkit.methods import walsh

GENERATOR = np.random.default_rng(2)
SAMPLES = {
    "normal": GENERATOR.normal(size=700),
    "cauchy": GENERATOR.standard_cauchy(700),
    "few values": GENERATOR.integers(-2, 3, 700) * 0.1,
    "zeros": np.zeros(700),
    "mostly zero": np.where(np.arange(700) % 9 == 0, 1.0, 0.0),
    "far from zero": 1e9 + GENERATOR.normal(size=700),
    "two clusters": np.repeat([0.0, 1e6], 350) + GENERATOR.normal(size=700),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_selection_finds_what_sorting_finds(name):
    values = SAMPLES[name]
    i, j = np.triu_indices(values.size)
    expected = np.sort(values[i] / 2 + values[j] / 2)
    averages = walsh.WalshAverages(values)
    assert averages.size == expected.size > walsh.FEW
    for k in [1, 2, 3, averages.size // 2, averages.size - 1, averages.size, *GENERATOR.integers(1, averages.size, 10)]:
        assert averages.smallest(int(k)) == pytest.approx(expected[k - 1], rel=1e-13, abs=2e-15 * np.abs(values).max())
    assert averages.median() == pytest.approx(np.median(expected), rel=1e-13, abs=2e-15 * np.abs(values).max())


def test_few_values_are_sorted():
    averages = walsh.WalshAverages(np.array([3.0, 1.0, 2.0]))
    assert [averages.smallest(k) for k in range(1, 7)] == [1.0, 1.5, 2.0, 2.0, 2.5, 3.0]
    assert averages.median() == 2.0
    assert walsh.WalshAverages(np.array([1.0, 2.0, 4.0, 8.0, 9.0])).median() == 5.0


def test_averages_within_the_noise_are_zero():
    assert walsh.WalshAverages(np.array([0.3 - 0.2, 0.6 - 0.7]), 1e-12).smallest(2) == 0.0
