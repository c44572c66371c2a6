"""Methods that compare whole distributions of independent runs."""

from benchkit.methods.comparison.lists.entry import INDEPENDENT, method
from benchkit.registry import Entry

DISTRIBUTIONS: tuple[Entry, ...] = (
    method(
        "almost-stochastic-order", "violation ratio of the quantile functions", "del Barrio et al. 2018; Dror et al. 2019",
        "almost_stochastic_order", INDEPENDENT, ("unpaired",),
        assumes="independent values, enough of them to show the whole distribution",
        instead=(("welch-t", "means"), ("probability-of-improvement", "how often one wins")),
    ),
    method(
        "probability-of-improvement", "stratified bootstrap of the probability that a is better", "Agarwal et al. 2021",
        "probability_of_improvement", INDEPENDENT, ("unpaired", "over"),
        assumes="independent runs; with --over dataset within each data set",
        instead=(("brunner-munzel", "few values"), ("almost-stochastic-order", "whole distributions")),
    ),
)  # fmt: skip
