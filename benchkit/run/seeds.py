"""Seeds by name: every draw has its own stream, whatever else the experiment holds and whoever draws first."""

import hashlib

import numpy as np


def _digest(seed: int, names: tuple[str, ...]) -> bytes:
    """Return 32 bytes for the seed and the names, different for ("ab", "c") and ("a", "bc")."""
    parts = [str(seed), *names]
    return hashlib.sha256("".join(f"{len(part)}:{part}" for part in parts).encode("utf-8", "surrogatepass")).digest()


def seed_for(seed: int, *names: str) -> int:
    """Return the seed that belongs to the names: 0 to 2**31 - 1, as every library takes it."""
    return int.from_bytes(_digest(seed, names)[:4], "big") >> 1


def generator_for(seed: int, *names: str) -> np.random.Generator:
    """Return a generator whose stream belongs to the names alone."""
    return np.random.Generator(np.random.PCG64(int.from_bytes(_digest(seed, names), "big")))
