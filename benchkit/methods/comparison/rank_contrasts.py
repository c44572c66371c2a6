"""Pairs judged by the distance of their mean ranks: the estimate stays in the unit of the values, the test is on ranks."""

from dataclasses import dataclass

import numpy as np
from scipy.special import fdtrc

from benchkit.methods.comparison.paired import studentise
from benchkit.methods.comparison.shared import shared
from benchkit.methods.records import Answer, Floats, Integers, Overall, Pairs, Remark, Unadjusted


@dataclass(frozen=True)
class RankContrasts:
    """The contrasts of mean ranks, shape (m,) each; n replicates, all complete. std_error is that of every rank difference.

    estimate: the mean difference a - b of the values; NaN where its sign contradicts that of the mean ranks, for then
    no direction can be told from it (remark rank-direction).
    """

    n: int
    mean_a: Floats
    mean_b: Floats
    estimate: Floats
    rank_a: Floats
    rank_b: Floats
    std_error: float
    remarks: tuple[Remark, ...]

    @property
    def difference(self) -> Floats:
        """Mean rank of a minus that of b."""
        return self.rank_a - self.rank_b

    @property
    def statistic(self) -> Floats:
        """The rank difference divided by its standard error, with its limits where that is 0."""
        return studentise(self.difference, np.full(self.difference.shape, self.std_error))

    @property
    def said(self) -> tuple[Remark, ...]:
        """The remarks, and mean-ranks where other algorithms enter the verdict on a pair (Benavoli et al. 2016)."""
        return (*self.remarks, Remark("mean-ranks")) if self.estimate.size > 1 else self.remarks

    @property
    def own(self) -> dict[str, Floats]:
        """The columns that tell of ranks."""
        return {
            "mean_rank_a": self.rank_a,
            "mean_rank_b": self.rank_b,
            "rank_difference": self.difference,
            "rank_std_error": np.full(self.difference.shape, self.std_error),
        }


def rank_contrasts(values: Floats, mean_ranks: Floats, contrasts: Integers, std_error: float) -> RankContrasts:
    """Return the contrasts of `values`, (B, K), NaN where only the ranks tell of a cell, and of their mean ranks, (K,)."""
    a, b = contrasts.T
    if np.isnan(values).any():
        found = shared(values, contrasts)
        mean_a, mean_b, estimate = found.mean_a, found.mean_b, found.estimate
    else:
        means = values.mean(axis=0) if len(values) else np.full(values.shape[1], np.nan)
        mean_a, mean_b, estimate = means[a], means[b], means[a] - means[b]
    difference = mean_ranks[a] - mean_ranks[b]
    against = np.sign(estimate) * np.sign(difference) < 0
    remarks = (Remark("rank-direction", tuple(np.flatnonzero(against).tolist())),) if against.any() else ()
    return RankContrasts(
        len(values), mean_a, mean_b, np.where(against, np.nan, estimate), mean_ranks[a], mean_ranks[b], std_error, remarks
    )


def unadjusted(method: str, found: RankContrasts, p_value: Floats, df: float) -> Unadjusted:
    """Return pairs judged one by one; they have no interval in the unit of the values."""
    nothing = np.full(p_value.shape, np.nan)
    return Unadjusted(
        method=method,
        n=np.full(p_value.shape, found.n),
        mean_a=found.mean_a,
        mean_b=found.mean_b,
        estimate=found.estimate,
        p_value=p_value,
        std_error=nothing,
        statistic=found.statistic,
        df=np.full(p_value.shape, df),
        interval=lambda level: (np.full(level.shape, np.nan), np.full(level.shape, np.nan)),
        own=found.own,
        direction=found.own["rank_difference"],
        remarks=found.said,
    )


def simultaneous(
    method: str, adjust: str, found: RankContrasts, statistic: Floats, p_value: Floats, p_adjusted: Floats, df: float = np.inf
) -> Answer:
    """Return pairs judged together by p_adjusted; they have no interval in the unit of the values."""
    nothing = np.full(p_value.shape, np.nan)
    return Answer(
        method=method,
        adjust=adjust,
        ci_kind="simultaneous",
        pairs=Pairs(
            n=np.full(p_value.shape, found.n),
            mean_a=found.mean_a,
            mean_b=found.mean_b,
            estimate=found.estimate,
            std_error=nothing,
            statistic=statistic,
            df=np.full(p_value.shape, df),
            p_value=p_value,
            p_adjusted=p_adjusted,
            critical=nothing,
        ),
        tail=lambda t: np.full(np.shape(t), np.nan),
        step_wise=True,  # no interval belongs to these p-values
        low=nothing,
        high=nothing,
        p_equivalence=lambda margins: np.full(margins.shape, np.nan),
        own=found.own,
        direction=found.own["rank_difference"],
        remarks=found.said,
    )


def variance_ratio(between: int, total: int, df1: int, replicates: int) -> Overall:
    """Return (B - 1) between / (total - between) on (df1, df1 (B - 1)): Iman & Davenport's F, and Quade's.

    between, total: integers, so that their equality is seen. F is infinite and p 0 where all of the variation is between
    algorithms, 0 and 1 where there is none; NaN without a second replicate.
    """
    df2 = df1 * (replicates - 1.0)
    if replicates < 2:
        return Overall(np.nan, float(df1), np.nan, np.nan)
    if between == total:
        return Overall(np.inf if total else 0.0, float(df1), df2, 0.0 if total else 1.0)
    statistic = (replicates - 1) * between / (total - between)
    return Overall(statistic, float(df1), df2, float(fdtrc(df1, df2, statistic)))


def remarks_on(replicates: int, overall: Overall, all_tied: bool) -> tuple[Remark, ...]:
    """Return the remarks on an overall test that does not exist or that is a limit; all_tied: no replicate has a difference.

    replicates: those that the test rests on.
    """
    if np.isnan(overall.p_value):
        return (Remark("small-n", numbers={"replicates": float(replicates)}),)
    if overall.statistic == np.inf:
        return (Remark("perfect-agreement"),)
    return (Remark("ties"),) if all_tied else ()
