"""The mixed model over data sets from matrix to answer: R's numbers, exact balanced analysis, limits and invariances.

R 4.2.2 with lme4, lmerTest and pbkrtest made the numbers:

    make <- function(R, K, between) {
      x <- do.call(rbind, lapply(seq_along(R), function(d) expand.grid(k = 1:K, r = 1:R[d], d = d)))
      x$y <- with(x, 0.3*k + 2*sin(3*d+1) + 0.6*sin((5*d+8*r)^2) + between*sin((11*d+13*k)^2) + 0.5*sin((17*d+29*r+23*k)^2))
      x
    }
    balanced <- make(rep(4, 6), 4, 0.8); unequal <- make(c(2, 5, 3, 7, 1, 4), 4, 0.8)
    missing <- subset(unequal, !((3*d + 5*r + 2*k) %% 7 == 0 | (d == 2 & k == 3)))
    boundary <- make(c(2, 5, 3, 7, 1, 4), 4, 0)
    boundary$y <- with(boundary, y - 0.7*ave(0.5*sin((17*d+29*r+23*k)^2), d, k))
    x <- transform(DATA, k = factor(k), r = factor(paste(d, r)), d = factor(d))
    m <- lmer(y ~ 0 + k + (1|d) + (1|r) + (1|d:k), x, control = lmerControl(optCtrl = list(xtol_abs = 1e-12, ftol_abs = 1e-14)))
    as.data.frame(VarCorr(m)); REMLcrit(m)
    KRmodcomp(update(m, . ~ k + (1|d) + (1|r) + (1|d:k)), cbind(0, diag(3)))$stats       # Fstat, ddf
    l <- c(1, -1, 0, 0); sqrt(l %*% vcovAdj(m) %*% l); Lb_ddf(l, vcov(m), vcovAdj(m))    # Kenward-Roger
    contest1D(m, l)                                                                      # Satterthwaite, lmerTest
"""

import dataclasses
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from experiments import codes, interval
from scipy.special import fdtrc

from benchkit.errors import BenchkitError
from benchkit.methods.adjustment import dunnett, tukey
from benchkit.methods.comparison import pooled
from benchkit.methods.comparison.data_sets import compare
from benchkit.methods.records import Answer, Blocks, Floats, Integers

UNEQUAL = (2, 5, 3, 7, 1, 4)


def make(replicates: Sequence[int], algorithms: int, between: float) -> tuple[Floats, Integers]:
    """Return the values and the data sets of R's make."""
    d, r = np.array([(d, r) for d, last in enumerate(replicates, 1) for r in range(1, last + 1)]).T
    k = np.arange(1, algorithms + 1)
    d_, r_ = d[:, None], r[:, None]
    values = 0.3 * k + 2 * np.sin(3 * d_ + 1) + 0.6 * np.sin((5 * d_ + 8 * r_) ** 2)
    values = values + between * np.sin((11 * d_ + 13 * k) ** 2) + 0.5 * np.sin((17 * d_ + 29 * r_ + 23 * k) ** 2)
    return values, d - 1


def with_holes(values: Floats, d: Integers) -> Floats:
    """Return the values without the cells that R's subset leaves out."""
    r = np.concatenate([np.arange(1, n + 1) for n in np.bincount(d)])[:, None]
    k, number = np.arange(1, values.shape[1] + 1), d[:, None] + 1
    return np.where(((3 * number + 5 * r + 2 * k) % 7 == 0) | ((number == 2) & (k == 3)), np.nan, values)


def boundary() -> tuple[Floats, Integers]:
    """Return data whose algorithms differ between data sets less than their noise does."""
    values, d = make(UNEQUAL, 4, 0.0)
    r = np.concatenate([np.arange(1, n + 1) for n in UNEQUAL])[:, None]
    noise = 0.5 * np.sin((17 * (d[:, None] + 1) + 29 * r + 23 * np.arange(1, 5)) ** 2)
    for each in range(6):
        values[d == each] -= 0.7 * noise[d == each].mean(axis=0)
    return values, d


def ask(values: Floats, data_sets: Integers, contrasts: Integers | None = None, **options: str) -> Answer:
    """Return the answer for all pairs, or for the contrasts."""
    pairs = np.array(list(combinations(range(values.shape[1]), 2))) if contrasts is None else contrasts
    return compare(Blocks(values, pairs, 0.95, np.random.default_rng(1), options=options, clusters=data_sets))


def overall(answer: Answer) -> tuple[float, float, float]:
    """Return F and its degrees of freedom."""
    assert answer.overall is not None
    return answer.overall.statistic, answer.overall.df1, answer.overall.df2


def check_components(answer: Answer, *expected: float) -> None:
    """Hold the variances of replicates, data set x algorithm, data sets and residual against lme4's, in its order d:k, r, d."""
    assert answer.components is not None
    names = ("dataset:algorithm", "dataset:replicate", "dataset", "residual")
    np.testing.assert_allclose([answer.components[name] for name in names], expected, rtol=2e-7, atol=1e-12)
    assert list(answer.components) == ["dataset", "dataset:replicate", "dataset:algorithm", "residual"]


def test_balanced_data() -> None:
    answer = ask(*make([4] * 6, 4, 0.8))
    check_components(answer, 0.297657104019, 0.167553956439, 1.388520867132, 0.137605648619)
    assert overall(answer) == pytest.approx((3.86978670939, 3, 15), rel=1e-7)
    np.testing.assert_allclose(answer.pairs.estimate[[0, 1, 3]], [-0.382237904208, -1.01775934669, -0.635521442478], rtol=1e-10)
    np.testing.assert_allclose(answer.pairs.std_error, 0.332695314151, rtol=1e-7)
    np.testing.assert_allclose(answer.pairs.df, 15)
    np.testing.assert_allclose(answer.pairs.p_adjusted, tukey.sf(np.abs(answer.pairs.statistic), 4, 15.0))
    assert answer.means is not None
    first = answer.means.estimate[0], answer.means.std_error[0], answer.means.df[0]
    assert first == pytest.approx((-0.0245023468518, 0.541982144911, 6.72030084686), rel=1e-7)
    assert (answer.method, answer.adjust, answer.pairs.n.tolist()) == ("mixed-datasets", "tukey", [6] * 6)
    assert answer.means.n.tolist() == [6] * 4


@pytest.mark.parametrize("between", [0.8, 0.0])
def test_balanced_data_are_the_analysis_of_variance(between: float) -> None:
    values, d = make([5] * 4, 3, between)
    cells = values.reshape(4, 5, 3).mean(axis=1)
    rest = cells - cells.mean(axis=0) - cells.mean(axis=1, keepdims=True) + cells.mean()
    error = 5 * (rest**2).sum() / 6
    algorithms = 20 * ((cells.mean(axis=0) - cells.mean()) ** 2).sum() / 2
    answer = ask(values, d)
    assert overall(answer) == pytest.approx((algorithms / error, 2, 6))
    assert answer.overall is not None
    assert answer.overall.p_value == pytest.approx(float(fdtrc(2, 6, algorithms / error)))
    np.testing.assert_allclose(answer.pairs.std_error, np.sqrt(2 * error / 20))


def test_balanced_data_keep_a_small_mean_square() -> None:
    values, d = make([6] * 5, 3, 0.0)
    for each in range(5):
        noise = values[d == each] - values[d == each].mean(axis=1, keepdims=True)
        values[d == each] -= 0.9 * (noise.mean(axis=0) - [-0.3, 0.0, 0.3])
    answer = ask(values, d)
    cells = values.reshape(5, 6, 3).mean(axis=1)
    rest = cells - cells.mean(axis=0) - cells.mean(axis=1, keepdims=True) + cells.mean()
    np.testing.assert_allclose(answer.pairs.std_error, np.sqrt(2 * (rest**2).sum() / 8 / 5))
    assert answer.components is not None
    assert answer.components["dataset:algorithm"] == 0
    # lme4 pools both: (SS_(alg x dataset) + SS_residual) on 8 + 50 degrees of freedom
    cube = values.reshape(5, 6, 3)
    left = cube - cells[:, None] - cube.mean(axis=2, keepdims=True) + cells.mean(axis=1)[:, None, None]
    assert answer.components["residual"] == pytest.approx((6 * (rest**2).sum() + (left**2).sum()) / 58)
    remark = next(each for each in answer.remarks if each.code == "singular-fit")
    assert list(remark.numbers) == ["dataset:algorithm"]


def test_unequal_numbers_of_replicates() -> None:
    values, d = make(UNEQUAL, 4, 0.8)
    answer = ask(values, d)
    check_components(answer, 0.229390302316, 0.212568510917, 1.288962404897, 0.136224447212)
    assert overall(answer) == pytest.approx((2.54516308777, 3, 14.6715468832), rel=1e-7)
    np.testing.assert_allclose(answer.pairs.estimate[[0, 1, 3]], [-0.353001130091, -0.808640423123, -0.455639293032], rtol=1e-7)
    np.testing.assert_allclose(answer.pairs.std_error, 0.306037978969, rtol=1e-7)
    np.testing.assert_allclose(answer.pairs.df, 14.6715469104, rtol=1e-7)
    assert answer.means is not None
    first = answer.means.estimate[0], answer.means.std_error[0], answer.means.df[0]
    assert first == pytest.approx((0.198591230466, 0.525443539972, 6.49109268175), rel=1e-6)
    np.testing.assert_allclose(answer.pairs.p_adjusted, tukey.sf(np.abs(answer.pairs.statistic), 4, answer.pairs.df[0]))
    satterthwaite = ask(values, d, df="satterthwaite")
    assert overall(satterthwaite) == pytest.approx((2.55617, 3, 15.68411661), rel=2e-6)
    np.testing.assert_allclose(satterthwaite.pairs.std_error, 0.305378348203, rtol=1e-7)
    np.testing.assert_allclose(satterthwaite.pairs.df, 15.684115689, rtol=1e-7)


def test_missing_cells() -> None:
    values, d = make(UNEQUAL, 4, 0.8)
    values = with_holes(values, d)
    assert np.isfinite(values).sum() == 70
    answer = ask(values, d)
    check_components(answer, 0.221060763157, 0.201814995869, 1.106522860130, 0.137103566450)
    assert overall(answer) == pytest.approx((1.89799789171, 3, 12.629264834), rel=1e-7)
    pairs, chosen = answer.pairs, [0, 1, 3]
    np.testing.assert_allclose(pairs.estimate[chosen], [-0.332388110767, -0.688603744749, -0.356215633982], rtol=1e-7)
    np.testing.assert_allclose(pairs.std_error[chosen], [0.308121068036, 0.33175291893, 0.33175291893], rtol=1e-7)
    np.testing.assert_allclose(pairs.df[chosen], [12.8239385384, 13.1408979078, 13.1408979078], rtol=1e-7)
    # data set 2 lacks algorithm 3, data set 5 algorithm 4
    assert pairs.n.tolist() == [6, 5, 5, 5, 5, 4]
    assert answer.means is not None
    first = answer.means.estimate[0], answer.means.std_error[0], answer.means.df[0]
    assert first == pytest.approx((0.176088186285, 0.495373284307, 6.63312210424), rel=1e-6)
    satterthwaite = ask(values, d, df="satterthwaite")
    # the overall df depends on the basis of contrasts, which is lmerTest's own there
    assert overall(satterthwaite)[2] == pytest.approx(13.56594198, rel=1e-3)
    assert overall(satterthwaite)[0] == pytest.approx(1.91308, rel=3e-6)
    np.testing.assert_allclose(satterthwaite.pairs.std_error[chosen], [0.307115915079, 0.329763151106, 0.329763151106], rtol=1e-7)
    np.testing.assert_allclose(satterthwaite.pairs.df[chosen], [13.7737418929, 14.1061314796, 14.1061314785], rtol=1e-7)


def test_a_variance_of_zero() -> None:
    answer = ask(*boundary())
    check_components(answer, 0, 0.217907979414, 0.882551961095, 0.108804918432)
    assert overall(answer) == pytest.approx((25.1833485363, 3, 10.0125911775), rel=1e-7)
    np.testing.assert_allclose(answer.pairs.std_error, 0.103189018585, rtol=1e-7)
    np.testing.assert_allclose(answer.pairs.df, 10.0125911775, rtol=1e-7)
    assert "singular-fit" in codes(answer)


def test_the_normal_reference_is_lme4s_own_standard_error() -> None:
    values, d = make(UNEQUAL, 4, 0.8)
    answer = ask(values, d, reference="normal")
    np.testing.assert_allclose(answer.pairs.std_error, 0.305378348203, rtol=1e-7)
    assert np.isinf(answer.pairs.df).all()
    assert overall(answer) == pytest.approx((2.55617, 3, np.inf), rel=2e-6)
    even = ask(*make([4] * 6, 4, 0.8), reference="normal")
    np.testing.assert_allclose(even.pairs.std_error, 0.332695314151, rtol=1e-7)


def test_many_to_one_is_dunnett() -> None:
    values, d = make(UNEQUAL, 4, 0.8)
    contrasts = np.array([(1, 0), (2, 0), (3, 0)])
    plain = Blocks(values, contrasts, 0.95, np.random.default_rng(1), many_to_one=True, clusters=d)
    answer = compare(plain)
    assert answer.adjust == "dunnett"
    np.testing.assert_allclose(answer.pairs.critical, dunnett.quantile(0.95, 3, answer.pairs.df[0]))
    gaps = compare(dataclasses.replace(plain, values=with_holes(values, d)))
    assert gaps.adjust == "dunnett"
    np.testing.assert_allclose(gaps.tail(gaps.pairs.critical), 0.05, rtol=1e-6)


def test_one_replicate_of_each_data_set_is_the_pooled_model() -> None:
    values, d = make([1] * 8, 4, 0.8)
    answer = ask(values, d)
    known = pooled.compare(Blocks(values, np.array(list(combinations(range(4), 2))), 0.95, np.random.default_rng(1)))
    np.testing.assert_array_equal(answer.pairs.p_adjusted, known.pairs.p_adjusted)
    assert answer.overall == known.overall
    assert known.components is not None
    assert answer.components == {"dataset": known.components["replicate"], "residual": known.components["residual"]}
    assert codes(answer)[0] == "confounded-components"
    assert list(answer.remarks[0].numbers) == ["dataset:replicate", "dataset:algorithm"]


def test_replicates_of_single_algorithms_leave_out_what_they_cannot_tell() -> None:
    # each value is its own replicate: unpaired runs within data sets, the two-way analysis of variance with interaction
    generator = np.random.default_rng(3)
    cells = generator.normal(size=(5, 3)) + 2 * generator.normal(size=(5, 1))
    values, d = np.full((60, 3), np.nan), np.repeat(np.arange(5), 12)
    column = np.tile(np.repeat(np.arange(3), 4), 5)
    values[np.arange(60), column] = cells[d, column] + generator.normal(size=60)
    answer = ask(values, d)
    assert codes(answer) == ["confounded-components"]
    assert list(answer.remarks[0].numbers) == ["dataset:replicate"]
    means = values[np.arange(60), column].reshape(5, 3, 4).mean(axis=2)
    rest = means - means.mean(axis=0) - means.mean(axis=1, keepdims=True) + means.mean()
    np.testing.assert_allclose(answer.pairs.std_error, np.sqrt(2 * (rest**2).sum() / 8 / 5))
    np.testing.assert_allclose(answer.pairs.df, 8)


@pytest.mark.parametrize("holes", [False, True])
def test_a_huge_offset_changes_nothing(holes: bool) -> None:
    for replicates in (UNEQUAL, [4] * 6):
        values, d = make(replicates, 4, 0.8)
        values = with_holes(values, d) if holes else values
        plain, far = ask(values, d), ask(values + 1e9, d)
        assert overall(far) == pytest.approx(overall(plain), rel=1e-6)
        np.testing.assert_allclose(interval(far), interval(plain), atol=1e-6)
        np.testing.assert_allclose(far.pairs.mean_a - 1e9, plain.pairs.mean_a, atol=1e-6)
        assert codes(far) == codes(plain)


def test_unequal_variances_are_told_of_many_data_sets() -> None:
    generator = np.random.default_rng(6)
    for replicates in (np.full(60, 3), generator.integers(1, 5, 60)):
        d = np.repeat(np.arange(60), replicates)
        values = (generator.normal(size=(60, 4)) * np.array([1, 1, 1, 5.0]))[d] + generator.normal(size=(len(d), 4))
        answer = ask(values, d)
        remark = next(remark for remark in answer.remarks if remark.code == "unequal-variances")
        assert remark.numbers["widest"] in {2, 4, 5}
        assert remark.numbers["widest_sd"] > 4
        few = ask(values[d < 20], d[d < 20])
        assert "unequal-variances" not in codes(few)


@pytest.mark.parametrize("holes", [False, True])
def test_neither_order_nor_unit_matter(holes: bool) -> None:
    values, d = make(UNEQUAL, 4, 0.8)
    values = with_holes(values, d) if holes else values
    order = np.random.default_rng(2).permutation(len(d))
    plain, mixed = ask(values, d), ask(1e-6 * values[order], 3 * d[order] + 2)
    np.testing.assert_allclose(mixed.pairs.statistic, plain.pairs.statistic, rtol=1e-8)
    np.testing.assert_allclose(mixed.pairs.df, plain.pairs.df, rtol=1e-8)
    turned = ask(values[:, ::-1], d)
    np.testing.assert_allclose(np.sort(np.abs(turned.pairs.statistic)), np.sort(np.abs(plain.pairs.statistic)), rtol=1e-8)
    assert overall(turned) == pytest.approx(overall(plain), rel=1e-8)


def test_one_data_set_is_refused() -> None:
    with pytest.raises(BenchkitError, match="one data set") as caught:
        ask(*make([5], 3, 0.8))
    assert "--over dataset" in str(caught.value.hint)
    values, d = make([5, 5], 3, 0.8)
    values[5:] = np.nan
    with pytest.raises(BenchkitError, match="one data set"):
        ask(values, d)


def test_values_that_do_not_vary_have_limits() -> None:
    d = np.repeat(np.arange(4), [2, 3, 3, 2])
    for holes in (False, True):
        values = np.full((10, 3), 0.1)
        if holes:
            values[[0, 4], [1, 2]] = np.nan
        answer = ask(values, d)
        assert codes(answer) == ["zero-variance"]
        assert answer.pairs.p_adjusted.tolist() == [1, 1, 1]
        shifted = ask(values + np.array([0.0, 0.1, 0.1]), d)
        assert shifted.pairs.p_adjusted.tolist() == [0, 0, 1]


def test_replicates_that_agree_leave_the_means_of_data_sets() -> None:
    generator = np.random.default_rng(4)
    cells, d = generator.normal(size=(6, 3)) + 4 * generator.normal(size=(6, 1)), np.repeat(np.arange(6), UNEQUAL)
    answer = ask(cells[d] + generator.normal(size=len(d))[:, None], d)
    alone = pooled.compare(Blocks(cells, np.array([(0, 1), (0, 2), (1, 2)]), 0.95, np.random.default_rng(1)))
    np.testing.assert_allclose(answer.pairs.statistic, alone.pairs.statistic)
    assert answer.overall is not None
    assert alone.overall is not None
    assert answer.overall.statistic == pytest.approx(alone.overall.statistic)
    assert codes(answer)[0] == "replicates-agree"
    assert answer.components is not None
    assert answer.components["residual"] == 0
    assert alone.components is not None
    assert answer.components["dataset:algorithm"] == pytest.approx(alone.components["residual"])


def test_an_algorithm_without_values_is_an_error() -> None:
    values, d = make(UNEQUAL, 4, 0.8)
    values[:, 2] = np.nan
    with pytest.raises(BenchkitError, match="no value at all"):
        ask(values, d)


def test_unknown_options_are_refused() -> None:
    with pytest.raises(BenchkitError, match="covariance"):
        ask(*make(UNEQUAL, 4, 0.8), covariance="unstructured")
    with pytest.raises(BenchkitError, match="df"):
        ask(*make(UNEQUAL, 4, 0.8), df="residual")
