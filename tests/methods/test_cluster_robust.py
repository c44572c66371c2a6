import numpy as np
import pytest
import scipy.linalg
from experiments import all_pairs, experiment, reference

from benchkit.methods.comparison import reml, sums
from benchkit.methods.comparison.cluster_robust import cluster_robust
from benchkit.methods.comparison.hotelling import hotelling
from benchkit.methods.comparison.missing_patterns import group, helmert


def robust_fit(name):
    values, algorithms = experiment(name)
    fit = reml.fit(sums.summarise(values), constrained=True)
    against_first = np.array([(j, 0) for j in range(1, len(algorithms))])
    return cluster_robust(values, fit.means, fit.gamma, against_first), algorithms


def dense(values, gamma, contrasts):
    """CR2, Satterthwaite df and HTZ by the formulas of Pustejovsky & Tipton 2018, one big matrix at a time."""
    rows, columns = np.nonzero(~np.isnan(values))
    y, K = values[rows, columns], values.shape[1]
    X = np.eye(K)[columns]
    same = rows[:, None] == rows[None, :]
    Phi = np.eye(len(y)) + gamma * same
    W = np.linalg.inv(Phi)
    M = np.linalg.inv(X.T @ W @ X)
    H = X @ M @ X.T @ W
    residual = y - H @ y
    covariance = (np.eye(len(y)) - H) @ Phi @ (np.eye(len(y)) - H).T
    scores, makers = [], []
    for i in np.unique(rows):
        own = rows == i
        D = np.linalg.cholesky(Phi[np.ix_(own, own)]).T
        B = D @ covariance[np.ix_(own, own)] @ D.T
        A = D.T @ np.linalg.inv(scipy.linalg.sqrtm(B).real) @ D
        maker = M @ X[own].T @ W[np.ix_(own, own)] @ A
        scores.append(maker @ residual[own])
        makers.append(maker @ (np.eye(len(y)) - H)[own])
    V = sum(np.outer(score, score) for score in scores)
    df = []
    for c in contrasts:
        G = np.array([c @ maker for maker in makers])
        P = G @ Phi @ G.T
        df.append(np.trace(P) ** 2 / np.sum(P**2))
    C = np.eye(K)[1:] - np.eye(K)[0]
    Omega = sum(C @ maker @ Phi @ maker.T @ C.T for maker in makers)
    root = np.linalg.inv(scipy.linalg.sqrtm(Omega).real)
    q, total = K - 1, 0.0
    for one in makers:
        for two in makers:
            cov = root @ C @ one @ Phi @ two.T @ C.T @ root
            total += np.trace(cov) ** 2 + np.trace(cov @ cov)
    eta = q * (q + 1) / total
    mean = M @ X.T @ W @ y
    Q = (C @ mean) @ np.linalg.solve(C @ V @ C.T, C @ mean)
    return mean, V, np.array(df), (eta - q + 1) / (eta * q) * Q, eta - q + 1


def test_club_sandwich_on_the_unbalanced_motorcycle_data():
    robust, algorithms = robust_fit("motorcycle_unbalanced")
    vcov = np.array(reference()["motorcycle_unbalanced"]["robust"]["lmer_clubSandwich_CR2"]["vcov"]["values"])
    assert robust.factor.T @ robust.factor == pytest.approx(vcov[1:, 1:], rel=1e-6)
    assert robust.mean_error[0] == pytest.approx(np.sqrt(vcov[0, 0]), rel=1e-6)
    gamboost, nnet = algorithms.index("gamboost") - 1, algorithms.index("nnet") - 1
    assert robust.std_error[[gamboost, nnet]] == pytest.approx([4.9234990, 51.413838], abs=5e-7)
    assert robust.df[[gamboost, nnet]] == pytest.approx([235.39777, 235.67001], abs=5e-6)
    assert robust.overall.statistic == pytest.approx(1317.89213, abs=5e-6)
    assert (robust.overall.df1, robust.overall.df2) == (6, pytest.approx(236.61306, abs=5e-6))


@pytest.mark.parametrize("name", ["motorcycle", "awkward_zero_variance", "awkward_two_algorithms"])
def test_club_sandwich_on_complete_data(name):
    section = {"awkward_zero_variance": "zero_block_variance", "awkward_two_algorithms": "two_algorithms"}.get(name, name)
    robust, _ = robust_fit(name)
    vcov = np.array(reference()[section]["robust"]["lmer_clubSandwich_CR2"]["vcov"]["values"])
    assert robust.factor.T @ robust.factor == pytest.approx(vcov[1:, 1:], rel=1e-6)


@pytest.mark.parametrize("gamma", [0.0, 0.3, 8.0, 1e3])
@pytest.mark.parametrize(("B", "K", "missing"), [(6, 3, 3), (9, 4, 10), (12, 5, 12)])
def test_same_as_dense_matrices(B, K, missing, gamma):
    generator = np.random.default_rng(100 * B + K)
    values = generator.normal(size=(B, K)) + generator.normal(size=(B, 1))
    while True:
        holes = values.copy()
        holes.flat[generator.choice(B * K, missing, replace=False)] = np.nan
        present = ~np.isnan(holes)
        if present.any(axis=1).all() and (present.sum(axis=0) > 1).all():
            break
    pairs = all_pairs(K)
    contrasts = np.vstack([np.eye(K)[pairs[:, 0]] - np.eye(K)[pairs[:, 1]], np.eye(K)])
    mean, V, df, statistic, df2 = dense(holes, gamma, contrasts)
    robust = cluster_robust(holes, mean, gamma, pairs)
    wanted = contrasts[: len(pairs)]
    assert robust.factor.T @ robust.factor == pytest.approx(wanted @ V @ wanted.T, rel=1e-7, abs=1e-9 * np.abs(V).max())
    assert robust.mean_error == pytest.approx(np.sqrt(np.diag(V)), rel=1e-7)
    assert np.concatenate([robust.df, robust.mean_df]) == pytest.approx(df, rel=1e-7)
    if df2 > 0:
        assert robust.overall.statistic == pytest.approx(statistic, rel=1e-6)
        assert robust.overall.df2 == pytest.approx(df2, rel=1e-7)
    else:
        assert robust.reason == "small-n"


@pytest.mark.parametrize("gamma", [0.0, 0.1125, 10.0, 1e6, 1e10, np.inf])
def test_complete_replicates_give_paired_errors_and_hotelling(gamma):
    values = experiment("motorcycle")[0]
    pairs = all_pairs(7)
    robust = cluster_robust(values, values.mean(axis=0), gamma, pairs)
    differences = values[:, pairs[:, 0]] - values[:, pairs[:, 1]]
    assert robust.std_error == pytest.approx(differences.std(axis=0, ddof=1) / np.sqrt(250), rel=1e-12)
    assert robust.df == pytest.approx(np.full(21, 249.0), rel=1e-12)
    assert robust.mean_error == pytest.approx(values.std(axis=0, ddof=1) / np.sqrt(250), rel=1e-9)
    expected = hotelling(values)[0]
    assert robust.overall.statistic == pytest.approx(expected.statistic, rel=1e-10)
    assert robust.overall.df2 == pytest.approx(expected.df2, rel=1e-10)


@pytest.mark.parametrize("K", [4, 12, 30])
def test_a_very_large_ratio_keeps_its_digits(K):
    # the limit is approached like 1/gamma: from 1e7 to 1e10 nothing may move in the sixth digit
    generator = np.random.default_rng(K)
    values = generator.normal(size=(45, K))
    values[generator.random((45, K)) < 0.2] = np.nan
    fit = [cluster_robust(values, np.nanmean(values, axis=0), gamma, all_pairs(K)) for gamma in (1e7, 1e10)]
    assert fit[1].std_error == pytest.approx(fit[0].std_error, rel=1e-5)
    assert fit[1].df == pytest.approx(fit[0].df, rel=1e-5)
    assert fit[1].overall.df2 == pytest.approx(fit[0].overall.df2, rel=1e-5)


def test_replicates_are_grouped_by_what_they_hold():
    present = np.array([[1, 1, 0], [0, 1, 1], [1, 1, 0], [1, 1, 1], [0, 0, 1]], dtype=bool)
    found = {}
    for patterns in group(present):
        for algorithms, rows in zip(patterns.algorithms.tolist(), patterns.rows, strict=True):
            found[tuple(algorithms)] = rows.tolist()
    assert found == {(0, 1): [0, 2], (1, 2): [1], (0, 1, 2): [3], (2,): [4]}


def test_helmert_is_orthogonal_with_a_constant_first_column():
    for n in (1, 2, 3, 8):
        basis = helmert(n)
        assert basis.T @ basis == pytest.approx(np.eye(n), abs=1e-14)
        assert basis[:, 0] == pytest.approx(np.full(n, n**-0.5))
