import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import ndtri

from benchkit.methods.comparison.tango import tango_interval


def one(b, c, n, level):
    low, high = tango_interval(*(np.array([float(number)]) for number in (b, c, n, level)))
    return float(low[0]), float(high[0])


@pytest.mark.parametrize(
    ("b", "c", "n", "level", "low", "high", "digits"),
    [
        # airway hyper-responsiveness (Bentur et al. 2009), as quoted in the source of R's ratesci
        (1, 7, 21, 0.95, -0.517, -0.026, 3),
        # complete response (Cavo et al. 2012), as in the tests of R's contingencytables (Fagerland, Lydersen & Laake)
        (6, 16, 161, 0.95, -0.1240, -0.0054, 4),
        # R's PropCIs, scoreci.mp(25, 28, 618, .90), which estimates (c - b)/n, as quoted by its users
        (28, 25, 618, 0.90, -0.0148, 0.0247, 4),
    ],
)
def test_published_intervals(b, c, n, level, low, high, digits):
    assert one(b, c, n, level) == (pytest.approx(low, abs=0.5 * 10**-digits), pytest.approx(high, abs=0.5 * 10**-digits))


def score(b, c, n, difference):
    """Return the score statistic with q = P(only c) from maximising the likelihood itself, by numbers."""
    lowest, highest = max(0.0, -difference), (1.0 - difference) / 2.0

    def minus_log_likelihood(q):
        cells = ((b, q + difference), (c, q), (n - b - c, 1.0 - 2.0 * q - difference))
        return -sum(count * np.log(max(share, 1e-300)) for count, share in cells if count)

    q = minimize_scalar(minus_log_likelihood, bounds=(lowest, highest), method="bounded", options={"xatol": 1e-13}).x
    return (b - c - n * difference) / np.sqrt(n * (2.0 * q + difference * (1.0 - difference)))


@pytest.mark.parametrize(
    ("b", "c", "n"), [(1, 7, 21), (0, 3, 12), (3, 0, 12), (40, 20, 160), (0, 0, 15), (5, 5, 10), (12, 0, 12)]
)
@pytest.mark.parametrize("level", [0.5, 0.95, 0.9999])
def test_it_inverts_the_score_test(b, c, n, level):
    low, high = one(b, c, n, level)
    z = -ndtri((1 - level) / 2)
    if low > -1:
        assert score(b, c, n, low) == pytest.approx(z, rel=1e-4)
    if high < 1:
        assert score(b, c, n, high) == pytest.approx(-z, rel=1e-4)
    for difference in np.linspace(-0.98, 0.98, 50):
        accepted = abs(score(b, c, n, difference)) <= z
        assert accepted == (low <= difference <= high), difference


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 30), st.floats(1e-12, 0.999))
@example(0, 0, 1, 0.05)
@example(0, 30, 1, 1e-12)
def test_extremes_swapping_and_nesting(b, c, rest, alpha):
    n = b + c + rest - 1
    if n == 0:
        return
    low, high = one(b, c, n, 1 - alpha)
    assert -1 <= low <= (b - c) / n <= high <= 1
    assert one(c, b, n, 1 - alpha) == (-high, -low)
    wider = one(b, c, n, 1 - alpha / 2)
    assert wider[0] <= low + 1e-12
    assert wider[1] >= high - 1e-12
    # it leaves out 0 exactly when the chi-square does
    z = -ndtri(alpha / 2)
    statistic = (b - c) / np.sqrt(b + c) if b + c else 0.0
    if abs(abs(statistic) - z) > 1e-6:
        assert (low > 0 or high < 0) == (abs(statistic) > z)


def test_limits():
    z2 = ndtri(0.975) ** 2
    assert one(0, 0, 20, 0.95) == (pytest.approx(-z2 / (20 + z2)), pytest.approx(z2 / (20 + z2)))
    assert one(20, 0, 20, 0.95)[1] == 1.0
    assert one(0, 20, 20, 0.95)[0] == -1.0
    assert one(3, 4, 20, 1.0) == (-1.0, 1.0)
    assert np.isnan(one(0, 0, 0, 0.95)).all()
    low, high = one(30_000_000, 30_000_000, 10**9, 0.95)
    assert (low, high) == (pytest.approx(-high), pytest.approx(1.959963984540054 * np.sqrt(6e7) / 1e9, rel=1e-6))
