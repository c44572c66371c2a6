"""The entry of a comparison method, and the words for data that several methods need."""

from typing import Any

from benchkit.registry import Entry

RIGHT_OR_WRONG = "right or wrong (1 or 0) on shared independent items"
INDEPENDENT = "independent values, two or more of each algorithm"


def method(
    name: str,
    summary: str,
    source: str,
    target: str,
    needs: str,
    options: tuple[str, ...] = (),
    adjusted: bool = True,
    **more: Any,
) -> Entry:
    """Return the entry of a method in comparison/; core adjusts its p-values unless it does so itself.

    `more`: assumes and instead, as in Entry.
    """
    module, _, function = target.partition(":")
    place = f"benchkit.methods.comparison.{module}:{function or 'compare'}"
    return Entry(name, summary, source, place, needs, (*options, *(("adjust",) if adjusted else ())), **more)
