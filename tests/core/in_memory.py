"""The type of the fixture that reads from memory."""

from collections.abc import Callable

from benchkit.core.blocks import Reading

Read = Callable[..., Reading]
