"""How texts from files appear in messages of one line: quoted, short, and without control characters."""

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 40

# Invisible, or able to reorder the line: bidi marks, embeddings, overrides and isolates, line separators, zero-width
# space and joiner of words, byte order mark, tags. Kept: U+200C and U+200D, which scripts and emoji need.
_INVISIBLE = (
    *(0x00AD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0xFEFF),
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE0080),
    *range(0xD800, 0xE000),
)


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_TERMINAL = {code: _escape(code) for code in [*range(0x20), *range(0x7F, 0xA0), *_INVISIBLE]}
_TERMINAL |= {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"}


def terminal(text: str) -> str:
    r"""Return `text` on one line that commands no terminal: \x1b, \n, \u202e instead of the characters."""
    return text if text.isascii() and text.isprintable() else text.translate(_TERMINAL)


def shown(text: str) -> str:
    """Return the text in single quotes, cut after 40 characters, with anything unprintable escaped."""
    return f"'{cut(text)}'"


def cut(text: str) -> str:
    """Return the text without its end if it has more than 40 characters, with anything unprintable escaped."""
    return terminal(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return which of the names resembles `name` most, None if none does; case does not matter."""
    by_fold = {other.casefold(): other for other in names}
    close = get_close_matches(name.casefold(), by_fold, 1)
    return by_fold[close[0]] if close else None
