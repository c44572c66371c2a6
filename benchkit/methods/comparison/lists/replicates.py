"""Methods that compare means on shared replicates: resamples, folds, data sets."""

from benchkit.methods.comparison.lists.entry import method
from benchkit.registry import Entry

REPLICATES: tuple[Entry, ...] = (
    Entry(
        "mixed", "mean performances under a mixed model with replicates as blocks, simultaneous intervals for all pairs",
        "Eugster & Leisch 2008, section 3", "benchkit.methods.comparison.mixed:compare",
        "two or more algorithms measured on the same independent replicates; missing cells allowed",
        ("covariance", "reference", "df", "over", "adjust"),
        assumes="independent replicates; roughly normal means; pooled: one variance for all differences, unstructured: any",
        instead=(("corrected-t", "replicates that share training rows"), ("wilcoxon", "heavy tails"),
                 ("friedman", "ranks rather than means")),
    ),
    method(
        "paired-t", "paired t test of each pair, replicates taken as independent", "Student 1908", "paired_t",
        "shared independent replicates; missing cells allowed",
        assumes="independent replicates; roughly normal mean differences",
        instead=(("corrected-t", "replicates that share training rows"),
                 ("permutation", "few replicates")),
    ),
    method(
        "corrected-t", "resampled t test that allows for overlapping training sets", "Nadeau & Bengio 2003", "corrected_t",
        "resamples of one data set with n_train and n_test, or --test-share, or the columns of folds", ("test_share",),
        assumes="normal differences of replicates that correlate by the share of rows tested",
        instead=(("repeated-kfold-t", "whole repeats of cross-validation"),
                 ("bayes-correlated-t", "probabilities rather than p-values")),
    ),
    method(
        "repeated-kfold-t", "corrected repeated k-fold t test", "Bouckaert & Frank 2004", "repeated_kfold",
        "(repeated) cross-validation with columns repeat and fold", ("test_share",),
        assumes="normal differences of folds that correlate by the share of rows tested",
        instead=(("corrected-t", "other resamples than folds"), ("bayes-correlated-t", "probabilities rather than p-values")),
    ),
    method(
        "kfold-t", "plain t test of folds: a negative control, too many false alarms", "Dietterich 1998",
        "repeated_kfold:plain", "cross-validation folds",
        assumes="independent folds, which they are not; normal differences",
        instead=(("corrected-t", "conclusions that shall hold"),),
    ),
    method(
        "5x2cv-t", "t test of five repeats of twofold cross-validation", "Dietterich 1998", "five_by_two_t",
        "5 repeats x 2 folds, complete pairs",
        assumes="normal differences; the two folds of a repeat independent",
        instead=(("5x2cv-f", "results that do not hang on the first fold"),),
    ),
    method(
        "5x2cv-f", "combined F test of five repeats of twofold cross-validation", "Alpaydin 1999", "five_by_two_f",
        "5 repeats x 2 folds, complete pairs",
        assumes="normal differences; repeats and folds nearly independent",
        instead=(("corrected-t", "an interval of the mean difference"),
                 ("bayes-correlated-t", "probabilities rather than p-values")),
    ),
    method(
        "bayes-correlated-t", "posterior probabilities of better, equivalent, worse", "Corani & Benavoli 2015",
        "bayes_correlated_t", "cross-validation or resamples with sizes or folds", ("test_share",), adjusted=False,
        assumes="normal differences of replicates that correlate by the share of rows tested; a flat prior",
        instead=(("corrected-t", "p-values, and one level for all pairs together"),),
    ),
    method(
        "rm-anova", "repeated-measures F test with Greenhouse-Geisser epsilon; pairs by paired t", "Greenhouse & Geisser 1959",
        "rm_anova", "complete replicates for the overall test",
        assumes="independent replicates; normal values; unequal variances of differences are allowed for",
        instead=(("mixed", "missing cells, and simultaneous intervals"), ("friedman", "ranks rather than means")),
    ),
    method(
        "bootstrap", "BCa interval of the mean paired difference", "Efron 1987", "bootstrap",
        "shared independent replicates; missing cells allowed",
        assumes="independent replicates, 30 or more, that stand for their distribution",
        instead=(("permutation", "few replicates"),),
    ),
    method(
        "permutation", "sign flips of whole replicates, studentised, step-down max-T", "Westfall & Young 1993", "permutation",
        "shared independent replicates; missing cells allowed", adjusted=False,
        assumes="independent replicates; differences symmetric about 0 where two algorithms are equal; intervals, estimate +/- "
        "critical x std_error of the flipped differences, are no inversion of the test",
        instead=(("wilcoxon", "outliers"), ("corrected-t", "replicates that share training rows")),
    ),
)  # fmt: skip
