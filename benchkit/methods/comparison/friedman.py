"""Friedman's test on ranks within replicates, with pairs by signed ranks or by the distance of mean ranks."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import chdtrc, ndtr, ndtri

from benchkit.errors import BenchkitError
from benchkit.methods.adjustment import tukey
from benchkit.methods.choice import choice
from benchkit.methods.comparison import sign, wilcoxon
from benchkit.methods.comparison.paired import two_sided
from benchkit.methods.comparison.permuted_totals import p_values
from benchkit.methods.comparison.rank_contrasts import (
    RankContrasts,
    rank_contrasts,
    remarks_on,
    simultaneous,
    unadjusted,
    variance_ratio,
)
from benchkit.methods.comparison.shared import algorithm_means, complete_replicates
from benchkit.methods.mid_ranks import doubled, mid_ranks
from benchkit.methods.records import Answer, Blocks, Floats, Integers, Overall, Remark, Unadjusted
from benchkit.methods.t_quantile import upper_t


@dataclass(frozen=True)
class _Ranked:
    """Complete replicates: values and doubled mid-ranks (B, K), doubled rank sums (K,).

    between, total: integers whose ratio is Kendall's W; total is fixed by the ties (or by K alone where they are ignored).
    """

    values: Floats
    ranks: Integers
    sums: Integers
    between: int
    total: int

    @property
    def mean_ranks(self) -> Floats:
        return np.asarray(self.sums / 2.0 / (len(self.values) or np.nan))

    @property
    def variance(self) -> float:
        """S2, the variance of a rank within a replicate: K (K + 1) / 12 without ties."""
        B, K = self.values.shape
        return self.total / (4.0 * B * B * (K - 1)) if B else float("nan")


def compare(blocks: Blocks) -> Unadjusted | Answer:
    """Compare algorithms by their ranks within complete replicates, rank 1 for the least value, ties sharing the middle.

    overall: Iman & Davenport's F = (B-1) chi2 / (B(K-1) - chi2) on (K-1, (K-1)(B-1)), infinite with p 0 where all
    replicates agree (note perfect-agreement), 0 with p 1 where all values tie (note ties). overall_own: chi_square = B
    sum (mean rank - (K+1)/2)^2 / S2 with S2 = sum (r - (K+1)/2)^2 / (B(K-1)), p_chi_square, kendall_w = chi2 / (B(K-1)),
    p_exact (all orders of the tied ranks within replicates), or p_monte_carlo if these are too many (NaN for what is not
    used, and for large data), and critical_difference of mean ranks at the level, Nemenyi's or that of the post hoc test.
    options["ties"]: corrected (default), or ignore: S2 = K(K+1)/12 as in Demsar 2006.

    options["failures"]: drop (default; only complete replicates count), or worst-rank: a missing cell of a replicate that has a
    value takes its worst rank, tied with the other missing ones (note failures-ranked-worst). Estimates then are of the
    replicates that have both values, and post_hoc cannot be wilcoxon (BenchkitError).

    options["post_hoc"]: wilcoxon (default; each pair by itself, as wilcoxon.py), nemenyi (studentized range), conover
    (t with the ranks' residual variance) or bonferroni-dunn (normal). The last three test mean ranks, which depend on all
    algorithms (note mean-ranks), and have no interval in the unit of the values. K = 2 is the exact sign test, which then is the
    overall test, too, unless wilcoxon, zeros or worst-rank is asked for.
    Source: Friedman 1937; Iman & Davenport 1980; Demsar 2006; Conover 1999, section 5.8.
    """
    post_hoc = choice(blocks, "post_hoc", ("wilcoxon", "nemenyi", "conover", "bonferroni-dunn"))
    ignore = choice(blocks, "ties", ("corrected", "ignore")) == "ignore"
    values, said = _ranked_cells(blocks)
    ranked = _rank(np.where(np.isnan(values), np.inf, values), ignore)
    B, K = values.shape
    overall = variance_ratio(ranked.between, ranked.total, K - 1, B)
    error = float(np.sqrt(2.0 * ranked.variance / B)) if B else float("nan")
    contrasts = rank_contrasts(values, ranked.mean_ranks, blocks.contrasts, error)
    found: Unadjusted | Answer
    if K == 2 and blocks.options.get("post_hoc") != "wilcoxon" and not {"zeros", "failures"} & set(blocks.options):
        found = sign.compare(blocks)
        found = replace(found, method="friedman-sign", remarks=(Remark("two-algorithms"), *found.remarks))
        overall = Overall(float(found.statistic[0]), np.nan, np.nan, float(found.p_value[0]))
        critical = _nemenyi_distance(blocks.level, K, error)
    elif post_hoc == "wilcoxon":
        found = wilcoxon.compare(blocks)
        found = replace(found, method=f"friedman-{found.method}")
        critical = _nemenyi_distance(blocks.level, K, error)
    else:
        found, critical = _POST_HOC[post_hoc](blocks, ranked, contrasts)
    return replace(
        found,
        overall=overall,
        means=algorithm_means(blocks.values),
        own={**contrasts.own, **found.own},
        overall_own={
            **_agreement(ranked),
            **p_values(ranked.ranks, blocks.generator, blocks.draws),
            "critical_difference": critical,
        },
        remarks=said + remarks_on(B, overall, bool((ranked.ranks == K + 1).all())) + found.remarks,
    )


def _ranked_cells(blocks: Blocks) -> tuple[Floats, tuple[Remark, ...]]:
    """Return the replicates that are ranked, with what is said of missing cells.

    drop: those that are complete. worst-rank: those with a value, NaN in the cells that come last, tied among themselves.
    """
    if choice(blocks, "failures", ("drop", "worst-rank")) == "drop":
        return complete_replicates(blocks.values)
    if blocks.options.get("post_hoc", "wilcoxon") == "wilcoxon":
        raise BenchkitError(
            "--failures worst-rank gives ranks, and signed ranks of differences need values",
            "add --post-hoc nemenyi, conover or bonferroni-dunn",
        )
    values = blocks.values[~np.isnan(blocks.values).all(axis=1)]
    failed = int(np.isnan(values).sum())
    return values, (Remark("failures-ranked-worst", numbers={"cells": float(failed)}),) if failed else ()


def _rank(values: Floats, ignore_ties: bool) -> _Ranked:
    B, K = values.shape
    ranks = doubled(mid_ranks(values))
    sums = ranks.sum(axis=0)
    between = sum(int(sum_ - B * (K + 1)) ** 2 for sum_ in sums)
    total = B * K * (K * K - 1) // 3 if ignore_ties else int(((ranks - (K + 1)) ** 2).sum())
    return _Ranked(values, ranks, sums, between, B * total)


def _agreement(ranked: _Ranked) -> dict[str, float]:
    """Return Friedman's chi-square with its p-values, and Kendall's W."""
    B, K = ranked.values.shape
    if not B:
        return dict.fromkeys(("chi_square", "p_chi_square", "kendall_w"), float("nan"))
    agreement = ranked.between / ranked.total if ranked.total else float("nan")
    chi_square = B * (K - 1) * agreement if ranked.total else 0.0
    return {
        "chi_square": chi_square,
        "p_chi_square": float(chdtrc(K - 1, chi_square)),
        "kendall_w": agreement,
    }


def _nemenyi_distance(level: float, K: int, error: float) -> float:
    return tukey.quantile(level, K, np.inf) * error


def _nemenyi(blocks: Blocks, ranked: _Ranked, contrasts: RankContrasts) -> tuple[Answer, float]:
    """Return q = rank difference / sqrt(S2 / B), with the studentized range of K and infinite df. Nemenyi 1963."""
    t = contrasts.statistic
    K = ranked.values.shape[1]
    p_adjusted = tukey.sf(np.abs(t), K, np.inf)
    answer = simultaneous("friedman-nemenyi", "tukey", contrasts, t * np.sqrt(2.0), _normal(t), p_adjusted)
    return answer, _nemenyi_distance(blocks.level, K, contrasts.std_error)


def _bonferroni_dunn(blocks: Blocks, _: _Ranked, contrasts: RankContrasts) -> tuple[Unadjusted, float]:
    """Return z = rank difference / sqrt(2 S2 / B), normal, for core to adjust. Dunn 1961; Demsar 2006, pp. 12 and 13.

    The critical difference is Bonferroni's over the contrasts, whatever adjusts the p-values.
    """
    z = contrasts.statistic
    found = unadjusted("friedman-bonferroni-dunn", contrasts, _normal(z), np.inf)
    return found, float(-ndtri((1.0 - blocks.level) / (2.0 * max(z.size, 1)))) * contrasts.std_error


def _conover(blocks: Blocks, ranked: _Ranked, contrasts: RankContrasts) -> tuple[Unadjusted, float]:
    """Return t = rank difference / sqrt(2 s2 / B), s2 the residual variance of the ranks on (B-1)(K-1) df. Conover 1999, p. 371.

    The residual is total - between with the ranks' own total, whatever was decided on ties. The critical difference is that
    of one pair.
    """
    B, K = ranked.values.shape
    df = (B - 1.0) * (K - 1)
    own = _rank(ranked.values, ignore_ties=False)
    residual = (own.total - own.between) / (4.0 * B * df) if df > 0 else float("nan")
    error = float(np.sqrt(2.0 * residual / B)) if B else float("nan")
    contrasts = replace(contrasts, std_error=error)
    found = unadjusted("friedman-conover", contrasts, two_sided(contrasts.statistic, df), df if df > 0 else np.nan)
    return found, float(upper_t(df, (1.0 - blocks.level) / 2.0)) * error if df > 0 else float("nan")


_POST_HOC: dict[str, Callable[[Blocks, _Ranked, RankContrasts], tuple[Unadjusted | Answer, float]]] = {
    "nemenyi": _nemenyi,
    "bonferroni-dunn": _bonferroni_dunn,
    "conover": _conover,
}


def _normal(z: Floats) -> Floats:
    return np.asarray(np.minimum(1.0, 2.0 * ndtr(-np.abs(z))))
