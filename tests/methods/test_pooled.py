"""The paper's model from matrix to answer: R's numbers, published examples, limits and invariances."""

import dataclasses
import subprocess
import sys

import numpy as np
import pytest
from experiments import all_pairs, blocks, experiment, reference
from hypothesis import given, settings
from hypothesis import strategies as st
from published import ERGOSTOOL, IMMER, MICROSECONDS, MISSING, NO_REPLICATE_VARIANCE, THREE_GROUPS
from scipy.special import stdtr
from test_reml import FILES

from benchkit.errors import BenchkitError
from benchkit.methods.adjustment import dunnett
from benchkit.methods.comparison.mixed import compare
from benchkit.methods.records import Answer, Blocks, Floats

CRITICAL = {("motorcycle", "t"): 2.95235382177, ("motorcycle", "normal"): 2.94832001753}
CRITICAL |= {("zero_block_variance", "t"): 2.61938879871, ("zero_block_variance", "normal"): 2.56903177255}


def pooled(values: Floats, **options: str) -> Answer:
    """Return the pooled answer for all pairs."""
    return compare(dataclasses.replace(blocks(values), options=options))


def signed(algorithms: tuple[str, ...], pairs: list[dict[str, float]], name: str) -> Floats:
    """Return one number of R's pairs in the order of all_pairs, with the sign of a minus b."""
    found = {(pair["first"], pair["second"]): pair[name] for pair in pairs}
    names = [(algorithms[a], algorithms[b]) for a, b in all_pairs(len(algorithms))]
    return np.array([found[pair] if pair in found else -found[pair[::-1]] for pair in names])


def bounds(answer: Answer) -> tuple[Floats, Floats]:
    """Return the ends of the simultaneous intervals."""
    reach = answer.pairs.critical * answer.pairs.std_error
    return answer.pairs.estimate - reach, answer.pairs.estimate + reach


@pytest.mark.parametrize("section", ["motorcycle", "motorcycle_span03", "two_algorithms", "zero_block_variance"])
def test_complete_data_with_the_t_reference(section: str) -> None:
    values, algorithms = experiment(FILES[section])
    table, published = reference()[section]["two_way_anova"], reference()[section]["tukey_t_studentised_range"]
    answer = pooled(values)
    assert answer.overall is not None
    assert answer.overall.statistic == pytest.approx(table["F"], rel=1e-9)
    assert (answer.overall.df1, answer.overall.df2) == (table["df1"], table["df2"])
    assert answer.overall.p_value == pytest.approx(table["p"], rel=1e-8)
    assert (answer.pairs.df == table["df2"]).all()
    np.testing.assert_allclose(answer.pairs.std_error, np.sqrt(2 * table["ms_error"] / table["B"]), rtol=1e-9)
    np.testing.assert_allclose(answer.pairs.estimate, signed(algorithms, published["pairs"], "estimate"), rtol=1e-9)
    if section != "zero_block_variance":  # R judges that one at the boundary
        expected = np.abs(signed(algorithms, published["pairs"], "p_adjusted"))
        np.testing.assert_allclose(answer.pairs.p_adjusted, expected, atol=1e-8)
    if (section, "t") in CRITICAL:
        np.testing.assert_allclose(answer.pairs.critical, CRITICAL[section, "t"], atol=1e-9)
    assert (answer.method, answer.adjust, answer.ci_kind) == ("mixed", "tukey", "simultaneous")


@pytest.mark.parametrize("section", ["motorcycle", "motorcycle_span03", "two_algorithms", "zero_block_variance"])
def test_complete_data_with_the_normal_reference(section: str) -> None:
    values, algorithms = experiment(FILES[section])
    published = reference()[section]["tukey_normal_studentised_range"]
    chi_square = reference()[section]["global"]["wald_chisq"]
    answer = pooled(values, reference="normal")
    assert answer.overall is not None
    assert answer.overall.statistic == pytest.approx(chi_square["chisq"] / chi_square["df"], rel=1e-9)
    assert np.isinf(answer.overall.df2)
    assert answer.overall.p_value == pytest.approx(chi_square["p"], rel=1e-8, abs=1e-300)
    error = np.abs(signed(algorithms, published["pairs"], "se"))
    estimate = signed(algorithms, published["pairs"], "estimate")
    np.testing.assert_allclose(answer.pairs.std_error, error, rtol=1e-9)
    expected = np.abs(signed(algorithms, published["pairs"], "p_adjusted"))
    np.testing.assert_allclose(answer.pairs.p_adjusted, expected, atol=1e-8)
    if (section, "normal") in CRITICAL:
        low, high = bounds(answer)
        np.testing.assert_allclose(answer.pairs.critical, CRITICAL[section, "normal"], atol=1e-9)
        np.testing.assert_allclose(low, estimate - CRITICAL[section, "normal"] * error, rtol=1e-8)
        np.testing.assert_allclose(high, estimate + CRITICAL[section, "normal"] * error, rtol=1e-8)


def test_replicates_that_vary_less_than_chance() -> None:
    values = experiment("awkward_zero_variance")[0]
    free, bound = pooled(values), pooled(values, reference="normal")
    for answer in (free, bound):
        assert answer.components == {"replicate": 0.0, "residual": pytest.approx(3.234925320027932, rel=1e-9)}
        assert answer.remarks[0].code == "singular-fit"
    assert free.overall is not None
    assert (free.overall.statistic, free.overall.df2) == (pytest.approx(43.50116863, abs=1e-8), 87)
    assert bound.overall is not None
    assert bound.overall.statistic == pytest.approx(56.81979904, abs=1e-8)
    np.testing.assert_allclose(free.pairs.std_error, 0.53074497, atol=5e-9)
    np.testing.assert_allclose(bound.pairs.std_error, 0.46439389, atol=5e-9)


def test_a_huge_offset_changes_nothing_but_the_means() -> None:
    plain, far = pooled(experiment("motorcycle")[0]), pooled(experiment("awkward_offset_1e9")[0])
    assert plain.overall is not None
    assert far.overall is not None
    assert far.overall.statistic == pytest.approx(reference()["huge_offset"]["two_way_anova"]["F"], rel=1e-8)
    np.testing.assert_allclose(far.pairs.p_adjusted, plain.pairs.p_adjusted, atol=1e-8)
    for shifted, straight in zip(bounds(far), bounds(plain), strict=True):
        np.testing.assert_allclose(shifted, straight, atol=1e-6)
    np.testing.assert_allclose(far.pairs.mean_a - 1e9, plain.pairs.mean_a, atol=1e-6)


@pytest.mark.parametrize("df", ["kenward-roger", "satterthwaite"])
def test_incomplete_data(df: str) -> None:
    values, algorithms = experiment("motorcycle_unbalanced")
    section = reference()["motorcycle_unbalanced"]
    answer = pooled(values, df=df)
    published = section["tukey_emmeans"][df]["pairs"]
    np.testing.assert_allclose(answer.pairs.std_error, [pair["se"] for pair in published], rtol=1e-9)
    np.testing.assert_allclose(answer.pairs.df, [pair["df"] for pair in published], rtol=1e-6)
    np.testing.assert_allclose(answer.pairs.estimate, [pair["estimate"] for pair in published], rtol=1e-8)
    first = (answer.pairs.std_error[0], answer.pairs.df[0])
    exact = {"kenward-roger": (31.548930, 1345.117968), "satterthwaite": (31.546331, 1344.835599)}
    assert first == pytest.approx(exact[df], rel=2e-8)
    # glht has one df for all pairs (1494) where these are near 1345: at such df that is 3e-5
    expected = np.abs(signed(algorithms, section["tukey_t_glht"]["pairs"], "p_adjusted"))
    np.testing.assert_allclose(answer.pairs.p_adjusted, expected, atol=2e-4)
    if df == "kenward-roger":
        assert answer.overall is not None
        assert answer.overall.statistic == pytest.approx(830.492810986, rel=1e-9)
        assert answer.overall.df2 == pytest.approx(1347.294474670, rel=1e-9)
        assert answer.means is not None
        means = section["tukey_emmeans"][df]["means"]
        np.testing.assert_allclose(answer.means.estimate, [mean["emmean"] for mean in means], rtol=1e-9)
        np.testing.assert_allclose(answer.means.std_error, [mean["se"] for mean in means], rtol=1e-9)
        np.testing.assert_allclose(answer.means.df, [mean["df"] for mean in means], rtol=1e-6)


def test_incomplete_data_with_the_normal_reference() -> None:
    values, algorithms = experiment("motorcycle_unbalanced")
    published = reference()["motorcycle_unbalanced"]["tukey_normal_glht"]
    answer = pooled(values, reference="normal")
    np.testing.assert_allclose(answer.pairs.std_error, np.abs(signed(algorithms, published["pairs"], "se")), rtol=1e-9)
    np.testing.assert_allclose(answer.pairs.p_adjusted, np.abs(signed(algorithms, published["pairs"], "p_adjusted")), atol=2e-4)
    np.testing.assert_allclose(answer.pairs.critical, published["calpha"], atol=1e-3)
    assert np.isinf(answer.pairs.df).all()


def test_means_of_complete_data() -> None:
    section = reference()["motorcycle"]["tukey_emmeans"]["kenward-roger"]["means"]
    means = pooled(experiment("motorcycle")[0]).means
    assert means is not None
    np.testing.assert_allclose(means.estimate, [mean["emmean"] for mean in section], rtol=1e-9)
    np.testing.assert_allclose(means.std_error, [mean["se"] for mean in section], rtol=1e-9)
    np.testing.assert_allclose(means.df, [mean["df"] for mean in section], rtol=1e-6)
    assert (means.n == 250).all()


def test_barley() -> None:
    # TukeyHSD of the block design, in the order M-P M-S M-T M-V P-S P-T P-V S-T S-V T-V
    answer = pooled(IMMER)
    p = [0.670063958, 0.982419709, 0.006783701, 0.931020848, 0.360680099, 0.113221634, 0.98035008, 0.002027122, 0.679824487]
    np.testing.assert_allclose(answer.pairs.p_adjusted, [*p, 0.037710044], atol=1e-8)
    low, high = bounds(answer)
    assert (-high[0], -low[0]) == pytest.approx((-10.037586, 26.3375861), abs=1e-6)
    assert answer.components == {"replicate": pytest.approx(402.253, abs=1e-3), "residual": pytest.approx(110.8254416667)}


def test_stools() -> None:
    # Pinheiro & Bates 2000, section 1.2: standard deviations 1.332465 and 1.100295
    answer = pooled(ERGOSTOOL)
    assert answer.components is not None
    assert np.sqrt(list(answer.components.values())) == pytest.approx([1.332465, 1.100295], abs=1e-6)
    p = [5.613e-07, 0.0013709223, 0.5807508181, 0.0182036707, 1.14889e-05, 0.0295821928]
    np.testing.assert_allclose(answer.pairs.p_adjusted, p, atol=1e-8)


def test_the_reference_can_decide() -> None:
    np.testing.assert_allclose(pooled(THREE_GROUPS).pairs.p_adjusted, [0.0571, 0.9963, 0.0479], atol=5e-5)
    normal = pooled(THREE_GROUPS, reference="normal").pairs.p_adjusted
    # glht's Monte Carlo: .04196, .9963, .03373
    np.testing.assert_allclose(normal, [0.04196, 0.9963, 0.03373], atol=1e-4)


def test_microseconds_are_as_good_as_seconds() -> None:
    tiny, large = pooled(MICROSECONDS), pooled(1e6 * MICROSECONDS)
    np.testing.assert_allclose(tiny.pairs.statistic, [-25.5706005, 7.3726459, 32.9432464], rtol=1e-8)
    np.testing.assert_allclose(tiny.pairs.p_adjusted, large.pairs.p_adjusted, rtol=1e-8)
    assert large.components == {
        "replicate": pytest.approx(0.000669226269, rel=1e-8),
        "residual": pytest.approx(0.000635200882, rel=1e-8),
    }


def test_no_replicate_variance_either_way() -> None:
    free, bound = pooled(NO_REPLICATE_VARIANCE).pairs, pooled(NO_REPLICATE_VARIANCE, reference="normal").pairs
    assert (free.p_adjusted[2], -free.statistic[2]) == pytest.approx((0.5713, 1.0247), abs=5e-5)
    assert (free.std_error[2], free.df[2]) == pytest.approx((0.38744, 18), abs=5e-6)
    assert bound.p_adjusted[2] == pytest.approx(0.4208, abs=1e-4)
    assert bound.std_error[2] == pytest.approx(0.316342934, rel=1e-8)


def test_all_rows_count() -> None:
    answer = pooled(MISSING, reference="normal")
    assert answer.pairs.n.tolist() == [6, 7, 7]
    np.testing.assert_allclose(-answer.pairs.estimate[:2], [0.0446136299, 0.0480702017], rtol=1e-7)
    np.testing.assert_allclose(answer.pairs.std_error, [0.0108870195, 0.0104159381, 0.0104159381], rtol=1e-6)
    assert answer.components == {
        "replicate": pytest.approx(0.000300343848, rel=1e-6),
        "residual": pytest.approx(0.000397004546, rel=1e-6),
    }


def test_many_to_one_is_dunnett() -> None:
    values = experiment("motorcycle")[0]
    contrasts = np.array([(k, 0) for k in range(1, 7)])
    answer = compare(blocks(values, contrasts, many_to_one=True))
    assert answer.adjust == "dunnett"
    np.testing.assert_allclose(answer.pairs.critical, dunnett.quantile(0.95, 6, 1494.0))
    np.testing.assert_allclose(answer.pairs.p_adjusted, dunnett.sf(np.abs(answer.pairs.statistic), 6, 1494.0))
    incomplete = compare(blocks(experiment("motorcycle_unbalanced")[0], contrasts, many_to_one=True))
    assert incomplete.adjust == "dunnett"
    np.testing.assert_allclose(incomplete.pairs.critical, dunnett.quantile(0.95, 6, 1345.0), atol=5e-3)


def test_two_algorithms_are_one_t_test_under_either_name() -> None:
    values = experiment("awkward_two_algorithms")[0]
    alone, baseline = compare(blocks(values)), compare(blocks(values, many_to_one=True))
    assert (alone.adjust, baseline.adjust) == ("tukey", "dunnett")
    np.testing.assert_allclose(alone.pairs.p_adjusted, 2 * stdtr(249, -np.abs(alone.pairs.statistic)), rtol=1e-10)
    np.testing.assert_array_equal(alone.pairs.p_adjusted, baseline.pairs.p_adjusted)
    assert alone.pairs.p_adjusted == pytest.approx(alone.pairs.p_value)


def test_other_families_use_the_real_correlation() -> None:
    answer = compare(blocks(experiment("motorcycle")[0], np.array([(0, 1), (1, 3), (2, 5)])))
    assert answer.adjust == "max-t"
    assert (answer.pairs.critical < CRITICAL["motorcycle", "t"]).all()
    assert (answer.pairs.critical > 1.97).all()
    single = compare(blocks(experiment("motorcycle")[0], np.array([(0, 1)])))
    np.testing.assert_allclose(single.pairs.p_adjusted, single.pairs.p_value, rtol=1e-10)


@pytest.mark.parametrize("name", ["motorcycle", "motorcycle_unbalanced"])
def test_the_tail_is_the_one_of_p_and_interval(name: str) -> None:
    answer = pooled(experiment(name)[0])
    np.testing.assert_allclose(answer.tail(answer.pairs.critical), 0.05, rtol=1e-7)
    np.testing.assert_array_equal(answer.tail(np.abs(answer.pairs.statistic)), answer.pairs.p_adjusted)


def test_unequal_variances_are_told_with_their_pairs() -> None:
    remark = next(each for each in pooled(experiment("motorcycle")[0]).remarks if each.code == "unequal-variances")
    assert len(remark.pairs) == 21
    # sd of the differences nls - nnet and gam - gamboost, by numpy from motorcycle.csv
    assert (remark.numbers["widest"], remark.numbers["narrowest"]) == (18, 0)
    assert remark.numbers["widest_sd"] == pytest.approx(820.0, abs=0.05)
    assert remark.numbers["narrowest_sd"] == pytest.approx(60.3276375, abs=1e-6)
    generator = np.random.default_rng(2)
    even = generator.normal(size=(200, 4)) + generator.normal(size=(200, 1))
    assert pooled(even).remarks == ()
    even[:, 2] *= 4
    remark = pooled(even).remarks[0]
    assert remark.code == "unequal-variances"
    assert set(remark.pairs) >= {1, 3, 5}


def test_equal_values_and_constant_differences_have_limits() -> None:
    for values in (np.full((5, 3), 0.1), 0.1 * np.arange(1.0, 8.0)[:, None] * np.ones(3)):
        answer = pooled(values)
        assert [remark.code for remark in answer.remarks] == ["zero-variance"]
        assert (answer.pairs.estimate == 0).all()
        assert (answer.pairs.p_adjusted == 1).all()
        assert answer.overall is not None
        assert answer.overall.p_value == 1
    generator = np.random.default_rng(1)
    values = np.array([0.1, 0.2, 0.2, 0.4]) + generator.normal(size=(30, 1))
    for each in (values, np.where(generator.random(values.shape) < 0.2, np.nan, values)):
        answer = pooled(each)
        assert [remark.code for remark in answer.remarks] == ["zero-variance"]
        np.testing.assert_allclose(answer.pairs.estimate, [-0.1, -0.1, -0.3, 0.0, -0.2, -0.2], atol=1e-12)
        assert answer.pairs.p_adjusted.tolist() == [0, 0, 0, 1, 0, 0]
        assert np.isinf(answer.pairs.statistic).tolist() == [True, True, True, False, True, True]
        low, high = bounds(answer)
        np.testing.assert_array_equal(low, high)
        assert answer.overall is not None
        assert (answer.overall.statistic, answer.overall.p_value) == (np.inf, 0)


@pytest.mark.parametrize(
    "values",
    [np.array([[1.0, 2.0, 4.0]]), np.array([[1.0, 2.0, np.nan], [np.nan, np.nan, 3.0]])],
)
@pytest.mark.parametrize("options", [{}, {"reference": "normal"}, {"df": "satterthwaite"}])
def test_without_residual_degrees_of_freedom_only_estimates_are_given(values: Floats, options: dict[str, str]) -> None:
    answer = pooled(values, **options)
    assert [remark.code for remark in answer.remarks] == ["small-n"]
    assert np.isfinite(answer.pairs.estimate).all()
    for part in ("std_error", "statistic", "df", "p_value", "p_adjusted", "critical"):
        assert np.isnan(getattr(answer.pairs, part)).all()
    assert answer.overall is not None
    assert np.isnan(answer.overall.p_value)
    assert np.isnan(answer.tail(np.ones(3))).all()


@pytest.mark.parametrize("options", [{}, {"reference": "normal"}, {"df": "satterthwaite"}])
def test_one_value_for_each_replicate_is_the_one_way_analysis(options: dict[str, str]) -> None:
    generator = np.random.default_rng(1)
    groups = generator.normal(size=(3, 6))
    values = np.full((18, 3), np.nan)
    values[np.arange(18), np.repeat(np.arange(3), 6)] = groups.ravel()
    answer = pooled(values, **options)
    residual = groups.var(axis=1, ddof=1).mean()
    assert answer.components == {"replicate": 0.0, "residual": pytest.approx(residual)}
    assert answer.overall is not None
    assert answer.overall.statistic == pytest.approx(6 * groups.mean(axis=1).var(ddof=1) / residual)
    assert answer.pairs.n.tolist() == [0, 0, 0]
    assert (answer.pairs.df == (np.inf if options.get("reference") else 15)).all()


def test_an_unknown_covariance_is_refused() -> None:
    with pytest.raises(BenchkitError, match="'banded' is no covariance"):
        pooled(ERGOSTOOL, covariance="banded")


def test_complete_data_never_load_scipy_stats() -> None:
    program = (
        "import sys, numpy as np; from benchkit.methods.comparison.mixed import compare;"
        "from benchkit.methods.records import Blocks;"
        "compare(Blocks(np.arange(12.0).reshape(4, 3) ** 2, np.array([(0, 1), (0, 2), (1, 2)]), 0.95, np.random.default_rng(1)));"
        "sys.exit('scipy.stats' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@st.composite
def random_experiments(draw: st.DrawFn, missing: bool = False) -> Floats:
    """Return 4 to 12 replicates of 2 to 4 algorithms, multiples of 1/1024, so that adding 1e9 loses nothing."""
    seed, rows, columns = draw(st.integers(0, 2**32 - 1)), draw(st.integers(4, 12)), draw(st.integers(2, 4))
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(rows, columns)) + draw(st.sampled_from([0.0, 1.0, 5.0])) * generator.normal(size=(rows, 1))
    values = np.round(values * 1024) / 1024
    if missing:
        row = generator.integers(1, rows)
        values[row, generator.integers(0, columns)] = np.nan
    return values


def agree(first: Answer, second: Answer, sign: float = 1.0, scale: float = 1.0, p: float = 1e-8) -> None:
    """Assert that two answers tell the same, up to the sign and the unit of the differences."""
    assert first.overall is not None
    assert second.overall is not None
    assert second.overall.statistic == pytest.approx(first.overall.statistic, rel=1e-8, abs=1e-12)
    assert second.overall.p_value == pytest.approx(first.overall.p_value, rel=1e-7)
    np.testing.assert_allclose(second.pairs.estimate, sign * scale * first.pairs.estimate, rtol=1e-8, atol=1e-12 * scale)
    np.testing.assert_allclose(second.pairs.statistic, sign * first.pairs.statistic, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(second.pairs.df, first.pairs.df, rtol=1e-6)
    np.testing.assert_allclose(second.pairs.p_adjusted, first.pairs.p_adjusted, rtol=1e-6, atol=p)
    np.testing.assert_allclose(second.pairs.critical, first.pairs.critical, rtol=max(p, 1e-8))


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("reference_distribution", ["t", "normal"])
def test_unit_origin_and_order_do_not_matter(missing: bool, reference_distribution: str) -> None:
    # the Sobol error of an incomplete experiment depends on the order of the contrasts
    tolerance = 2e-3 if missing else 1e-8

    @settings(max_examples=8 if missing else 25)
    @given(random_experiments(missing))
    def check(values: Floats) -> None:
        option = {"reference": reference_distribution}
        plain = pooled(values, **option)
        for scale in (1e6, 1e-6):
            agree(plain, pooled(scale * values, **option), scale=scale)
        agree(plain, pooled(values + 1e9, **option))
        agree(plain, pooled(values[::-1], **option))
        given_blocks = dataclasses.replace(blocks(values), options=option)
        swapped = dataclasses.replace(given_blocks, contrasts=given_blocks.contrasts[:, ::-1])
        agree(plain, compare(swapped), sign=-1.0, p=tolerance)
        agree(plain, compare(relabelled(given_blocks)), p=tolerance)

    check()


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.sampled_from([{}, {"reference": "normal"}, {"df": "satterthwaite"}]))
def test_two_algorithms_with_any_gaps_give_an_answer_or_a_remark(seed: int, options: dict[str, str]) -> None:
    generator = np.random.default_rng(seed)
    rows = int(generator.integers(1, 9))
    values = generator.normal(size=(rows, 2)) * 10.0 ** generator.integers(-8, 9) + 1e3 * generator.normal(size=(rows, 1))
    values = np.where(generator.random(values.shape) < generator.choice([0.0, 0.3, 0.7]), np.nan, values)
    values = np.vstack([values[~np.isnan(values).all(axis=1)], np.round(generator.normal(size=(1, 2)))])
    answer = pooled(values, **options)
    missing = np.isnan(answer.pairs.p_adjusted).any()
    assert missing == ("small-n" in [remark.code for remark in answer.remarks])
    assert missing or ((answer.pairs.p_adjusted >= 0) & (answer.pairs.p_adjusted <= 1 + 1e-12)).all()


def relabelled(given_blocks: Blocks) -> Blocks:
    """Return the same experiment with the algorithms in reverse order, and the contrasts where they were."""
    K = given_blocks.values.shape[1]
    return dataclasses.replace(given_blocks, values=given_blocks.values[:, ::-1], contrasts=K - 1 - given_blocks.contrasts)
