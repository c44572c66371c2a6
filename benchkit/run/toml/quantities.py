"""Times and amounts of memory: numbers, or texts with a unit."""

import math
import re

from benchkit.run.toml.section import LARGEST, Section
from benchkit.run.toml.wording import listed, shown

SECONDS = {"ms": 0.001, "s": 1, "sec": 1, "min": 60, "h": 3600, "d": 86400}
BYTES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
# an interpreter alone takes many times as much: less is a number whose unit was forgotten
LEAST = 10**6

_QUANTITY = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?) *([A-Za-z]+)")
_TIME_HINT = 'write seconds, or a text such as "10 min"'
_MEMORY_HINT = 'write bytes, or a text such as "500 MB" or "2 GiB"'


def seconds(section: Section, key: str) -> float | None:
    """Return a time in seconds: a number of seconds, or a text such as "90 s", "10 min" or "2 h"."""
    found = section.value(key)
    if found is None:
        return None
    amount = _amount(section, key, found, SECONDS, "time", _TIME_HINT)
    if not 0 < amount <= LARGEST:
        raise section.fault(key, f"{shown(found)} is no time in which anything could end", _TIME_HINT)
    return float(amount)


def memory(section: Section, key: str) -> int | None:
    """Return an amount of memory in bytes: a whole number, or a text such as "500 MB" or "1.5 GiB"."""
    found = section.value(key)
    if found is None:
        return None
    if isinstance(found, float):
        raise section.fault(key, f"{shown(found)} is no whole number of bytes", _MEMORY_HINT)
    amount = round(_amount(section, key, found, BYTES, "amount of memory", _MEMORY_HINT))
    if not LEAST <= amount <= LARGEST:
        raise section.fault(key, f"{shown(found)} is {'less than 1 MB' if amount < LEAST else 'too much'}", _MEMORY_HINT)
    return amount


def is_number(found: object) -> bool:
    """Say whether it is a finite number that TOML can hold; true and false are none."""
    if isinstance(found, int):
        return not isinstance(found, bool) and abs(found) <= LARGEST
    return isinstance(found, float) and math.isfinite(found)


def _amount(section: Section, key: str, found: object, units: dict[str, float] | dict[str, int], what: str, hint: str) -> float:
    if isinstance(found, int | float) and is_number(found):
        return found
    match = _QUANTITY.fullmatch(found.strip()) if isinstance(found, str) else None
    if match is None:
        raise section.fault(key, f"{shown(found)} is no {what}", hint)
    by_fold = {unit.casefold(): factor for unit, factor in units.items()}
    number, unit = match.groups()
    if unit.casefold() not in by_fold:
        raise section.fault(key, f"{shown(found)} has the unknown unit {shown(unit)}", f"the units are {listed(units)}")
    return float(number) * by_fold[unit.casefold()]
