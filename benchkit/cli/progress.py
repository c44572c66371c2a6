"""A counter on standard error while several data sets or metrics are tested."""

import sys
from collections.abc import Callable


def progress(quiet: bool) -> Callable[[int, int], None] | None:
    """Return a function that shows `done of total` on a terminal and wipes it at the end; None where nobody looks."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        if total > 1:
            text = f"tested {done} of {total}" if done < total else ""
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()

    return show
