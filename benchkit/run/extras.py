"""Libraries that are extras of the project: asked for once, before anything is imported from them."""

from collections.abc import Sequence
from importlib.util import find_spec

from benchkit.errors import BenchkitError

RUN = ("sklearn", "pandas", "pebble", "psutil")
CLUSTER = ("distributed",)
_CALLED = {"sklearn": "scikit-learn"}


def require(modules: Sequence[str], extra: str) -> None:
    """Raise BenchkitError, with how to install the extra, if one of the modules is not there."""
    missing = [_CALLED.get(name, name) for name in modules if find_spec(name) is None]
    if missing:
        raise BenchkitError(
            f"this needs {' and '.join(missing)}, which {'are' if len(missing) > 1 else 'is'} not installed",
            f"install the extra in the checkout: .venv/bin/pip install -e '.[{extra}]'",
        )
