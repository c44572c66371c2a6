"""The one exception that a person may see, and the exit statuses of the command line."""

DONE = 0
CHECK_FAILED = 1
NOT_DONE = 2
BUG = 3
INTERRUPTED = 130


class BenchkitError(Exception):
    """A request that cannot be carried out: what is wrong, and what to do about it.

    The command line prints `error: MESSAGE` and `hint: HINT`, one line each, and ends with status 2.
    """

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type["BenchkitError"], tuple[str, str]]:
        """Say how to make it again, since it travels between processes."""
        return type(self), (self.message, self.hint)
