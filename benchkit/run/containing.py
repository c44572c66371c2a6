"""A fit leaves the process as it found it, so that the next one in the same worker does not depend on it."""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def contained() -> Iterator[None]:
    """Put back what code of others may change for everybody: folder, environment, paths of modules, warnings, error states.

    What it does to the modules themselves cannot be put back.
    """
    folder, environment, paths = os.getcwd(), dict(os.environ), list(sys.path)
    sklearn = sys.modules.get("sklearn")
    settings = sklearn.get_config() if sklearn is not None else None
    try:
        with warnings.catch_warnings(), np.errstate():
            yield
    finally:
        if os.environ != environment:
            os.environ.clear()
            os.environ.update(environment)
        sys.path[:] = paths
        os.chdir(folder)
        if sklearn is not None and settings is not None:
            sklearn.set_config(**settings)
