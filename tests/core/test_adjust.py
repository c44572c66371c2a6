"""The family: intervals of Bonferroni, Sidak or each pair alone, and the smallest alpha of equivalence."""

import numpy as np
import pytest
from scipy.stats import t as student

from benchkit.core.adjust import adjusted
from benchkit.core.verdicts import judge
from benchkit.errors import BenchkitError
from benchkit.methods.records import Unadjusted

PAIRS = np.array([[0, 1], [0, 2], [1, 2]])


def found(estimate: list[float], error: float = 1.0, df: float = 10.0) -> Unadjusted:
    values = np.array(estimate)
    m = len(values)
    p = 2 * student.sf(np.abs(values / error), df)
    nothing = np.zeros(m)
    return Unadjusted("x", np.full(m, 11), nothing, nothing, values, p, np.full(m, error), values / error, np.full(m, df))


@pytest.mark.parametrize(
    ("name", "share"), [("bonferroni", 0.05 / 3), ("holm", 0.05 / 3), ("sidak", 1 - 0.95 ** (1 / 3)), ("none", 0.05)]
)
def test_intervals_are_those_of_the_family(name: str, share: float) -> None:
    answer = adjusted(found([1.0, -4.0, 0.5]), name, 0.95, PAIRS)
    half = student.isf(share / 2, 10)
    np.testing.assert_allclose(answer.low, np.array([1.0, -4.0, 0.5]) - half, rtol=1e-12)
    np.testing.assert_allclose(answer.high, np.array([1.0, -4.0, 0.5]) + half, rtol=1e-12)
    assert answer.ci_kind == {"none": "pointwise", "sidak": "simultaneous"}.get(name, "bonferroni")


def test_the_smallest_alpha_of_equivalence_is_where_the_interval_fits() -> None:
    answer = adjusted(found([1.0, -4.0, 0.5]), "holm", 0.95, PAIRS)
    margin = np.full(3, 5.0)
    expected = np.minimum(1, 3 * 2 * student.sf(5.0 - np.abs([1.0, -4.0, 0.5]), 10))
    np.testing.assert_allclose(judge(answer, 0.95, margin).p_equivalence, expected, rtol=1e-9)
    assert judge(answer, 0.95, margin).verdict == ["equivalent" if p < 0.05 else "undecided" for p in expected]
    assert np.isnan(judge(answer, 0.95, np.zeros(3)).p_equivalence).all()


def test_one_pair_needs_no_adjustment() -> None:
    answer = adjusted(found([2.5]), "holm", 0.95, PAIRS[:1])
    assert (answer.adjust, answer.ci_kind) == ("none", "simultaneous")
    assert answer.pairs.p_adjusted == pytest.approx(answer.pairs.p_value)


def test_step_wise_verdicts_come_from_p_values_and_the_side_from_the_direction() -> None:
    one = found([3.3, 2.9, -2.7])
    words = judge(adjusted(one, "holm", 0.95, PAIRS), 0.95, np.zeros(3)).verdict
    assert words == ["worse", "worse", "better"]  # by Bonferroni's intervals only the first two
    assert judge(adjusted(one, "bonferroni", 0.95, PAIRS), 0.95, np.zeros(3)).verdict == ["worse", "worse", "undecided"]


def test_a_posterior_decides_by_itself() -> None:
    from dataclasses import replace

    posterior = np.array([[0.96, 0.03, 0.01], [0.02, 0.95, 0.03], [0.5, 0.0, 0.5]])
    answer = adjusted(replace(found([-1.0, 0.0, 0.0]), posterior=posterior), "none", 0.95, PAIRS)
    assert judge(answer, 0.95, np.full(3, 0.1)).verdict == ["better", "equivalent", "undecided"]
    assert (answer.adjust, answer.ci_kind) == ("none", "pointwise")
    without = replace(found([-1.0, 0.0, 0.0]), posterior=posterior, p_value=np.full(3, np.nan))  # a posterior has no p-values
    assert adjusted(without, "none", 0.95, PAIRS).ci_kind == "pointwise"
    one = replace(without, posterior=np.array([[0.9, 0.1, 0.0], *[[np.nan] * 3] * 2]))
    assert adjusted(one, "none", 0.95, PAIRS).ci_kind == "simultaneous"


def test_an_unknown_adjustment_is_named() -> None:
    with pytest.raises(BenchkitError, match="there is no adjustment 'fdr' of p-values") as caught:
        adjusted(found([1.0]), "fdr", 0.95, PAIRS[:1])
    assert caught.value.hint.startswith("--adjust takes bonferroni, sidak, holm")
