"""What may serve as a name, as the address of a class or function, and as the path of a file."""

import unicodedata
from collections.abc import Sequence
from pathlib import Path

from benchkit.run.toml.section import Section
from benchkit.run.toml.wording import shown

# control characters, and the two that part lines and paragraphs
_UNSEEN = frozenset({"Cc", "Zl", "Zp"})
_COMPRESSED = (".gz", ".zst")


def fault_of_name(name: str) -> str | None:
    """Return what makes the text unfit as a name, None if nothing does."""
    if not name:
        return "the name is empty"
    if name != name.strip():
        return f"{shown(name)} begins or ends with a blank"
    if any(unicodedata.category(letter) in _UNSEEN for letter in name):
        return f"{shown(name)} holds a control character"
    return None


def checked_name(section: Section, key: str, name: str) -> str:
    """Return the name; refuse one that is empty, has outer blanks or holds control characters."""
    fault = fault_of_name(name)
    if fault:
        raise section.fault(key, fault, "write a name without blanks around it or control characters in it")
    return name


def read_name(section: Section) -> str | None:
    """Return the key name, checked; None if it is absent."""
    found = section.value("name")
    if found is None:
        return None
    if not isinstance(found, str):
        raise section.fault("name", f"{shown(found)} is no text", 'write a text: name = "..."')
    return checked_name(section, "name", found)


def refuse_twice(sections: Sequence[Section], names: Sequence[str], table: str) -> None:
    """Refuse the first name that an earlier one of the sections has as well."""
    for number, name in enumerate(names):
        first = names.index(name) + 1
        if first <= number:
            problem = f"{shown(name)} is the name of [[{table}]] {first}, too"
            raise sections[number].fault("name", problem, f"give every {table} a name of its own")


def address(section: Section, key: str, text: str, kind: str) -> str:
    """Return the address of a class or function, as module:Class or module:Class.method; refuse what cannot be one."""
    module, colon, attribute = text.partition(":")
    if colon and all(part.isidentifier() for part in (*module.split("."), *attribute.split("."))):
        if module.endswith(".py"):
            raise section.fault(key, f"{shown(text)} names a file", f'write "{module.removesuffix(".py")}:{attribute}"')
        return text
    front, dot, last = text.rpartition(".")
    parts = text.split(".")
    dotted = dot and all(part.isidentifier() for part in parts)
    hint = f'write "{front}:{last}"' if dotted else f'write "module:{kind}"'
    raise section.fault(key, f"{shown(text)} is not of the form module:{kind}", hint)


def last_part(text: str) -> str:
    """Return the name of the class or function at an address, without what it lies in."""
    return text.partition(":")[2].rpartition(".")[2]


def located(folder: Path, text: str) -> Path:
    """Return the absolute path of a file that is named relative to the folder."""
    path = folder / text
    return path.parent.resolve() / path.name if path.name not in ("", "..") else path.resolve()


def stem(text: str) -> str:
    """Return the name of a file without its suffix and that of its compression."""
    name = Path(text).name
    for suffix in _COMPRESSED:
        name = name.removesuffix(suffix)
    return Path(name).stem


def label(kind: str, number: int | None, table: object) -> str:
    """Return how messages call one of several tables: "[[algorithm]] 2 (knn)"; number None for a single [algorithm]."""
    name = table.get("name") if isinstance(table, dict) else None
    known = f" ({shown(name)[1:-1]})" if isinstance(name, str) and fault_of_name(name) is None else ""
    return (f"[[{kind}]] {number}" if number else f"[{kind}]") + known
