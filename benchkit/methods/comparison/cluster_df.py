"""Degrees of freedom of cluster-robust variances: moments of quadratic forms, summed over patterns of missing cells.

A robust variance is a sum over replicates of squares of u_i = g_i'(residuals of i). Under the working model
Cov(u_i, u_j) = [i = j] g_i' Theta_i g_i - h_i' M h_j, where h = X'g and M is the covariance of the means. Its moments need
only sums over replicates, so replicates with one pattern of missing cells are counted, not visited.
"""

import numpy as np

from benchkit.methods.comparison.missing_patterns import BATCH
from benchkit.methods.records import Floats

# Satterthwaite df are at least 1 by Cauchy-Schwarz; what falls below by more than this is numerical failure.
SLACK = 1e-6


class QuadraticForms:
    """Collects, pattern by pattern, what the Satterthwaite df of single contrasts need."""

    def __init__(self, contrasts: Floats, root: Floats) -> None:
        """contrasts: (m, K); root root' = M, the covariance of the means under the working model."""
        self._wanted = root @ (root.T @ contrasts.T)
        m, K = contrasts.shape
        self._trace = np.zeros(m)
        self._squares = np.zeros(m)
        self._cross = np.zeros((m, K, K))

    def add(self, weights: Floats, scaled: Floats, spread: Floats, counts: Floats) -> None:
        """Add P patterns: X'WA (P, K, n), X root (P, n, K), the diagonal of Theta (n,), replicates of each (P,)."""
        P, K, n = weights.shape
        flat = weights.transpose(0, 2, 1).reshape(P * n, K)
        step = max(1, BATCH // (P * K))
        for start in range(0, len(self._trace), step):
            part = slice(start, start + step)
            g = (flat @ self._wanted[:, part]).reshape(P, n, -1)
            own = spread @ g**2
            h = scaled.transpose(0, 2, 1) @ g
            common = (h**2).sum(axis=1)
            self._trace[part] += counts @ (own - common)
            self._squares[part] += counts @ (own**2 - 2.0 * own * common)
            by_contrast = np.ascontiguousarray(h.transpose(2, 0, 1))
            self._cross[part] += (by_contrast * counts[:, None]).transpose(0, 2, 1) @ by_contrast

    def df(self) -> Floats:
        """2 E^2 / Var of each robust variance, (m,); NaN where the sums hold no digits."""
        variance = self._squares + np.einsum("mkl,mkl->m", self._cross, self._cross)
        df = np.divide(self._trace**2, variance, out=np.full(variance.shape, np.nan), where=variance > 0)
        return np.where(df >= 1.0 - SLACK, df, np.nan)


class WaldForms:
    """Collects what the degrees of freedom eta of the approximate Hotelling test (HTZ) of equal means need."""

    def __init__(self, root: Floats) -> None:
        """Of M = root root' in Helmert coordinates; the contrasts are all coordinates but the first, whitened."""
        K = len(root)
        self._shape = (K, K - 1)
        model = root @ root.T
        scale = 1.0 / np.sqrt(np.diag(model)[1:])
        lower = np.linalg.cholesky(scale[:, None] * model[1:, 1:] * scale)
        whitening = np.linalg.inv(lower) * scale
        self._wanted = model[:, 1:] @ whitening.T
        self._sum = 0.0
        self._cross = np.zeros((K * (K - 1), K * (K - 1)))

    def add(self, weights: Floats, scaled: Floats, spread: Floats, counts: Floats) -> None:
        """Add P patterns, as QuadraticForms.add."""
        g = weights.transpose(0, 2, 1) @ self._wanted
        own = (g * spread[:, None]).transpose(0, 2, 1) @ g
        h = scaled.transpose(0, 2, 1) @ g
        common = h.transpose(0, 2, 1) @ h
        traces = np.einsum("pss->p", own), np.einsum("pss->p", common)
        squares = traces[0] ** 2 - 2.0 * traces[0] * traces[1]
        squares += np.einsum("pst,pst->p", own, own - 2.0 * common)
        self._sum += float(counts @ squares)
        flat = h.reshape(len(h), -1) * np.sqrt(counts)[:, None]
        self._cross += flat.T @ flat

    def df(self) -> float:
        """Eta = q (q + 1) / (sum of the variances of the whitened covariance); NaN if that sum is not positive."""
        K, q = self._shape
        cross = self._cross.reshape(K, q, K, q)
        swapped = sum(float(np.sum(block * block.transpose(2, 1, 0))) for block in cross)
        total = self._sum + float(np.vdot(self._cross, self._cross)) + swapped
        return q * (q + 1) / total if total > 0 else float("nan")
