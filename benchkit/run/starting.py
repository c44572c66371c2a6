"""Worker processes can be ended from the moment they are started, and no interrupt comes between."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any

INTERRUPTS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
INTERRUPTING = signal.default_int_handler


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
    """Put off interrupts until the end: one while a process is started would leave it half made, and it would complain.

    All signals count whose handler is that of Ctrl-C.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[Any] = []
    numbers = [number for number in INTERRUPTS if number == signal.SIGINT or signal.getsignal(number) == INTERRUPTING]
    before = {number: signal.signal(number, lambda *which: came.append(which)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came and callable(handler := before[came[0][0]]):
            handler(*came[0])
