"""Text from files is data: how it is shown so that it stays what it is on a terminal, in Markdown and in LaTeX."""

import re

from benchkit.tables.wording import terminal

__all__ = ["ascii_glyphs", "latex", "markdown", "terminal"]

_MARKDOWN = {ord(sign): f"\\{sign}" for sign in "\\`*_<>&[]~|#$"}

_LATEX = {ord(sign): f"\\{sign}" for sign in "{}$&#_%"} | {
    ord("\\"): r"\textbackslash{}",
    ord("^"): r"\textasciicircum{}",
    ord("~"): r"\textasciitilde{}",
    ord("<"): r"\textless{}",
    ord(">"): r"\textgreater{}",
    ord("|"): r"\textbar{}",
    ord('"'): r"\textquotedbl{}",
    ord("\u2248"): r"$\approx$",
    ord("\u00d7"): r"$\times$",
    # \\ would take a following [ or * as its own
    ord("["): "{[}",
    ord("*"): "{*}",
    ord("`"): r"\textasciigrave{}",
}

_LIGATURES = re.compile("-(?=-)|'(?=')|,(?=,)")
_GLYPHS = re.compile("(?<= )[\u2248\u00d7](?= )")
_LESS = re.compile(r"(?<= )\\textless\{\}(?= )")


def markdown(text: str) -> str:
    """Return Markdown (GitHub's) that renders as `text` would on a terminal, in a cell or a paragraph."""
    return terminal(text).translate(_MARKDOWN)


def latex(text: str) -> str:
    r"""Return LaTeX (T1 encoding) that typesets `text`; ≈ and × become $\approx$ and $\times$."""
    return _LIGATURES.sub(r"\g<0>{}", terminal(text).translate(_LATEX))


def latex_order(text: str) -> str:
    """Return LaTeX for an order of algorithms, whose own < is a relation (names with blanks stand in quotes)."""
    parts = text.split('"')
    quote = _LATEX[ord('"')]
    return quote.join(latex(part) if i % 2 else _LESS.sub("$<$", latex(part)) for i, part in enumerate(parts))


def ascii_glyphs(text: str) -> str:
    """Return `text` with ~ and x for our own ≈ and ×, which stand between blanks; what is in quotes is a name."""
    parts = text.split('"')
    plain = (part if i % 2 else _GLYPHS.sub(_plain_glyph, part) for i, part in enumerate(parts))
    return '"'.join(plain)


def _plain_glyph(found: re.Match[str]) -> str:
    return "~" if found[0] == "\u2248" else "x"
