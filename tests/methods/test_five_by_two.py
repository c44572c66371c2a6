import warnings
from dataclasses import replace

import numpy as np
import pytest
from experiments import blocks, codes
from scipy import stats

from benchkit.errors import BenchkitError
from benchkit.methods.comparison import five_by_two_f, five_by_two_t

LAYOUT = np.array([(repeat, fold) for repeat in range(5) for fold in range(2)])
BOTH = [five_by_two_t.compare, five_by_two_f.compare]

# rasbt/mlxtend, docs of paired_ttest_5x2cv and combined_ftest_5x2cv (one-vs-rest) and its tests (multinomial): iris, items
# right of 75 in each fold, as re-run; published t, p, F, p
OVR = [68, 71, 72, 68, 69, 72, 70, 68, 73, 65]
MULTINOMIAL = [71, 73, 74, 69, 72, 74, 72, 72, 72, 72]
TREE = [71, 73, 71, 71, 71, 72, 71, 70, 71, 67]
STUMP = [47, 47, 48, 49, 47, 41, 48, 47, 48, 46]
MLXTEND = [
    (OVR, TREE, (-1.539, 0.184, 1.053, 0.509)),
    (OVR, STUMP, (5.386, 0.003, 34.934, 0.001)),
    (MULTINOMIAL, TREE, (0.0, 1.0, 1.14, 0.47)),
    (MULTINOMIAL, STUMP, (7.269, 0.001, 59.587, 0.0)),
]
AGAIN = [
    (-1.538967528127731, 0.18443111892554892, 1.0526315789473684, 0.5094842647651711),
    (5.386386348447061, 0.002974888669175772, 34.93421052631581, 0.0005328924839916959),
    (0.0, 1.0, 1.1395348837209303, 0.4704629478124438),
    (7.269390393784591, 0.0007701198372066734, 59.587155963302735, 0.00014469995171312536),
]


def five(*columns, layout=LAYOUT, **more):
    """Blocks of columns of ten values each, by repeat and fold."""
    return replace(blocks(np.column_stack([np.asarray(column, dtype=np.float64) for column in columns])), layout=layout, **more)


@pytest.mark.parametrize(
    ("first", "second", "published", "known"), [(*row, known) for row, known in zip(MLXTEND, AGAIN, strict=True)]
)
def test_the_examples_of_mlxtend(first, second, published, known):
    accuracies = [-np.array(column) / 75 for column in (first, second)]  # less is better
    t, f = (compare(five(*accuracies)) for compare in BOTH)
    found = (-t.statistic[0], t.p_value[0], f.statistic[0], f.p_value[0])
    assert found == pytest.approx(known, rel=1e-11, abs=1e-15)
    assert found == pytest.approx(published, abs=6e-4)
    assert (t.df[0], f.df[0]) == (5, 5)
    assert f.estimate[0] == pytest.approx(t.mean_a[0] - t.mean_b[0], rel=1e-9)
    assert t.estimate[0] == pytest.approx(accuracies[0][0] - accuracies[1][0], rel=1e-12)


def test_a_first_difference_against_the_mean_is_told():
    found = five_by_two_t.compare(five([5, 1, 1, 2, 1, 2, 1, 1, 2, 1], [4, 3, 3, 3, 3, 3, 3, 3, 3, 3]))
    assert found.estimate[0] == 1.0
    assert found.mean_a[0] < found.mean_b[0]
    assert codes(found) == ["first-difference-disagrees"]


@pytest.mark.parametrize("compare", BOTH)
def test_several_algorithms_are_their_pairs(compare):
    columns = np.random.default_rng(1).normal(size=(4, 10))
    together = compare(five(*columns))
    for i, (a, b) in enumerate(together_pairs := blocks(columns.T).contrasts):
        alone = compare(five(columns[a], columns[b]))
        assert together.p_value[i] == pytest.approx(alone.p_value[0], rel=1e-12)
    assert len(together_pairs) == 6


@pytest.mark.parametrize("compare", BOTH)
def test_order_of_replicates_does_not_matter_and_swapping_turns_signs(compare):
    a, b = np.random.default_rng(2).normal(size=(2, 10))
    there, order = compare(five(a, b)), np.random.default_rng(3).permutation(10)
    shuffled = compare(five(a[order], b[order], layout=LAYOUT[order]))
    back = compare(five(b, a))
    assert shuffled.p_value == pytest.approx(there.p_value, rel=1e-12)
    assert back.p_value == pytest.approx(there.p_value, rel=1e-12)
    assert back.estimate == pytest.approx(-there.estimate, rel=1e-12)
    tiny = compare(five(a * 1e-200, b * 1e-200))
    assert tiny.statistic == pytest.approx(there.statistic, rel=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_the_interval_of_f_holds_the_shifts_that_f_does_not_reject(seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 10)) + np.array([[0.5 * seed], [0.0]])
    found = five_by_two_f.compare(five(a, b))
    for level in (0.9, 0.95, 0.999):
        low, high = found.interval(np.array([level]))
        for end in (low[0], high[0]):
            assert five_by_two_f.compare(five(a - end, b)).p_value[0] == pytest.approx(1 - level, rel=1e-6)
        assert ((low > 0) | (high < 0))[0] == (found.p_value[0] < 1 - level)


def test_repeats_that_differ_more_than_their_folds_leave_no_width():
    differences = np.array([5, 5.1, -5, -5.1, 9, 9.1, -3, -3.1, 5, 5.1])
    found = five_by_two_f.compare(five(differences, np.zeros(10)))
    low, high = found.interval(np.array([0.95]))
    assert low == high == pytest.approx(differences.mean())
    assert found.p_value[0] < 1e-6
    assert codes(found) == ["uneven-repeats"]


@pytest.mark.parametrize("compare", BOTH)
def test_degenerate_data_have_limits_and_no_warnings(compare):
    base = np.linspace(0.1, 0.9, 10)
    by_repeat = base + np.repeat([0.0, 0.1, 0.2, 0.3, 0.4], 2)  # the folds of each repeat agree, the first is 0
    hole = base.copy()
    hole[4] = np.nan
    columns = [base, base * (1 + 1e-15), base + 0.1, by_repeat, hole]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compare(five(*columns, contrasts=np.array([[0, 1], [0, 2], [0, 3], [0, 4]])))
        ends = None if found.interval is None else np.array(found.interval(np.array([0.95, 0.9, 1.0, 0.95])))
    if compare is five_by_two_f.compare:  # F is on (10, 5)
        assert found.own["df_numerator"] == pytest.approx([10, 10, 10, np.nan], nan_ok=True)
        assert found.df == pytest.approx([5, 5, 5, np.nan], nan_ok=True)
    known = [0.0, np.inf, np.inf if compare is five_by_two_f.compare else np.nan, np.nan]
    assert np.abs(found.statistic) == pytest.approx(known, nan_ok=True)
    p = [1.0, 0.0, 0.0 if compare is five_by_two_f.compare else np.nan, np.nan]
    assert found.p_value == pytest.approx(p, nan_ok=True)
    said = {remark.code: remark.pairs for remark in found.remarks}
    assert said["zero-variance"] == (0, 1, 2)
    assert said["not-estimable"] == (3,)
    assert found.n.tolist() == [10, 10, 10, 9]
    if ends is not None:
        assert ends[:, :3] == pytest.approx(np.array([found.estimate[:3]] * 2), abs=0)
        assert np.isnan(ends[:, 3]).all()


@pytest.mark.parametrize("compare", BOTH)
def test_another_layout_is_refused(compare):
    a, b = np.random.default_rng(4).normal(size=(2, 10))
    for layout in (None, LAYOUT[:, ::-1], np.column_stack([np.zeros(10, dtype=np.int64), np.arange(10)])):
        with pytest.raises(BenchkitError, match="5 repeats of 2 folds") as caught:
            compare(five(a, b, layout=layout))
        assert caught.value.hint
    with pytest.raises(BenchkitError, match="these 9 replicates are 5 and 2"):
        compare(five(a[1:], b[1:], layout=LAYOUT[1:]))


def test_t_keeps_its_level_on_independent_normal_differences():
    # |d11| / scale is exactly |t(5)| then
    generator = np.random.default_rng(5)
    columns = [generator.normal(size=10) for _ in range(400)]
    columns.append(np.zeros(10))
    found = five_by_two_t.compare(five(*columns, contrasts=np.array([(i, 400) for i in range(400)])))
    assert stats.kstest(found.p_value, "uniform").pvalue > 0.001


@pytest.mark.parametrize(("algorithms", "told"), [(5, False), (6, True)])
def test_more_than_ten_pairs_are_told(algorithms, told):
    columns = np.random.default_rng(1).normal(size=(10, algorithms))
    assert ("many-pairs" in codes(five_by_two_f.compare(five(*columns.T)))) == told
