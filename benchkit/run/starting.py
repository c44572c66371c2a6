"""Worker processes can be ended from the moment they are started, and no interrupt comes between."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any


class Recording:
    """A context of multiprocessing that remembers the processes that it made, for whoever has to end them."""

    def __init__(self, context: Any) -> None:
        """Take the context that makes them."""
        self._context = context
        self._made: list[Any] = []

    def Process(self, **arguments: Any) -> Any:  # noqa: N802  # as a context calls it
        """Make a process."""
        process = self._context.Process(**arguments)
        self._made.append(process)
        return process

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def kill(self) -> None:
        """End all processes that were started."""
        for process in self._made:
            with contextlib.suppress(AttributeError, ValueError, OSError):  # it has not been started, or is gone
                process.kill()


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Put off an interrupt until the end: one while a process is started would leave it half made, and it would complain."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[Any] = []
    before = signal.signal(signal.SIGINT, lambda *which: came.append(which))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came and callable(before):
            before(*came[0])
