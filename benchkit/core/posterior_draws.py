"""Draws from the posterior of the methods that have one over three outcomes, as a table."""

from dataclasses import replace

import numpy as np
import polars as pl

from benchkit.core.finding import Finding
from benchkit.core.question import NewGenerator
from benchkit.errors import BenchkitError
from benchkit.methods.comparison import bayes_sign, bayes_signed_rank
from benchkit.tables import shapes

DRAWN = {"bayes-signed-rank": bayes_signed_rank.draws, "bayes-sign": bayes_sign.draws}


def draws_table(finding: Finding, count: int, new_generator: NewGenerator) -> pl.DataFrame:
    """Return `count` draws of each pair that has a margin: the shares of 'a better', 'equivalent' and 'a worse'.

    They are anew from the seed's stream. Raises BenchkitError for a method without such draws and where no pair has a margin.
    """
    one, method = finding.experiment, finding.answer.method
    if method not in DRAWN:
        raise BenchkitError(f"{method} has no posterior of three shares to draw from", f"choose --method {' or '.join(DRAWN)}")
    if not finding.margin.any():
        hint = "--margin D says which differences do not matter; --kind posterior shows two"
        raise BenchkitError("without a margin there are two outcomes, and a simplex shows three", hint)
    found = DRAWN[method](replace(finding.blocks, generator=new_generator()), count)
    drawn = np.flatnonzero(~np.isnan(found[:, 0, 0]))
    first, second = finding.blocks.contrasts[drawn].T
    names = pl.Series(one.algorithms, dtype=pl.String)
    better, equivalent, worse = found[drawn].reshape(-1, 3).T
    columns = {
        "metric": one.metric,
        "dataset": one.dataset,
        "method": method,
        "a": names[first.repeat(count)],
        "b": names[second.repeat(count)],
        "draw": np.tile(np.arange(1, count + 1), len(drawn)),
        "share_better": better,
        "share_equivalent": equivalent,
        "share_worse": worse,
    }
    return shapes.build(shapes.DRAWS, columns)
