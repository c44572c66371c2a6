"""What the Bayesian tests of pairs of algorithms share: margins, too few replicates, and an answer that is a posterior."""

from collections.abc import Callable, Mapping

import numpy as np

from benchkit.methods.comparison.shared import algorithm_means
from benchkit.methods.comparison.signed_differences import Differences, remarks, signed_differences
from benchkit.methods.records import Blocks, Floats, Integers, Remark, Unadjusted

FEWEST = 2


def posterior_answer(
    method: str,
    blocks: Blocks,
    judge: Callable[[Differences, float], Floats],
    own: Callable[[Differences, float], Mapping[str, float]] | None = None,
) -> Unadjusted:
    """Return an answer with judge(pair, margin) as its posterior: shape (3,), 'a better', 'equivalent', 'a worse'.

    The rope is [-margin, margin], 0 without blocks.margins. Pairs with fewer than two shared replicates get NaN. estimate: the
    mean difference. No p-value, no interval. own: columns of a pair. Remarks: not-estimable without a shared replicate; small-n
    where even a sign test of replicates that all agree could not reach the level (fewer than 5 at 0.95), since the posterior
    of such a pair says little more than its prior; zero-variance where all differences are 0.
    """
    margins = np.zeros(len(blocks.contrasts)) if blocks.margins is None else blocks.margins
    pairs = signed_differences(blocks.values, blocks.contrasts)
    n = np.array([pair.values.size for pair in pairs], dtype=np.int64)
    posterior = np.full((len(pairs), 3), np.nan)
    columns: dict[str, list[float]] = {}
    for i, (pair, margin) in enumerate(zip(pairs, margins.tolist(), strict=True)):
        if n[i] >= FEWEST and not np.isnan(margin):
            posterior[i] = judge(pair, margin)
        for name, value in own(pair, margin).items() if own else ():
            columns.setdefault(name, []).append(value)
    nothing = np.full(n.shape, np.nan)
    return Unadjusted(
        method=method,
        n=n,
        mean_a=np.array([pair.mean_a for pair in pairs]),
        mean_b=np.array([pair.mean_b for pair in pairs]),
        estimate=np.array([pair.values.mean() if pair.values.size else np.nan for pair in pairs]),
        p_value=nothing,
        std_error=nothing,
        statistic=nothing,
        df=nothing,
        means=algorithm_means(blocks.values),
        own={name: np.array(column) for name, column in columns.items()},
        posterior=posterior,
        remarks=remarks(pairs) + _few(n, blocks.level),
    )


def posterior_draws(blocks: Blocks, count: int, draw: Callable[[Differences, float], Floats]) -> Floats:
    """Return draw(pair, margin), shape (count, 3), of each pair with a margin and two or more shared replicates, else NaN."""
    found = np.full((len(blocks.contrasts), count, 3), np.nan)
    if blocks.margins is not None:
        for i, pair in enumerate(signed_differences(blocks.values, blocks.contrasts)):
            if pair.values.size >= FEWEST and blocks.margins[i] > 0:
                found[i] = draw(pair, float(blocks.margins[i]))
    return found


def _few(n: Integers, level: float) -> tuple[Remark, ...]:
    few = (n > 0) & (0.5**n > 1.0 - level)
    if not few.any():
        return ()
    return (Remark("small-n", tuple(np.flatnonzero(few).tolist()), numbers={"replicates": float(n[few].min())}),)
