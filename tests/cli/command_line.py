"""What running a command gives."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Ran:
    """What a command printed and its exit status."""

    status: int
    out: str
    err: str
    raw: bytes

    def complaint(self) -> tuple[str, str]:
        """Return the error and the hint, after checking that there is exactly one line of each and no traceback."""
        lines = self.err.splitlines()
        assert self.status == 2, self
        assert [line.split(":")[0] for line in lines] == ["error", "hint"], self.err
        return lines[0].removeprefix("error: "), lines[1].removeprefix("hint: ")


Run = Callable[..., Ran]
