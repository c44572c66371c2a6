"""Code that an experiment names, "module:attribute", is imported; modules beside the experiment file come first."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from benchkit.errors import BenchkitError


@cache
def attribute(spec: str, folder: Path) -> Any:
    """Return what "module:attribute" names, looked up once; the attribute may be dotted, as in "module:Class.method".

    folder: where the experiment file stands. It comes first while importing, and stays last on sys.path, so that what is
    imported within functions later is found, too. BenchkitError if the module or attribute is not there, if importing
    raises anything, or if a file in the folder bears the name of another module, which would be taken for it.
    """
    name, colon, path = spec.partition(":")
    if not (colon and all(name.split(".")) and all(path.split("."))):
        raise BenchkitError(
            f"'{spec}' names nothing that can be imported", "write MODULE:NAME, as in sklearn.tree:DecisionTreeRegressor"
        )
    found: Any = _module(name, folder)
    owner = name
    for part in path.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            near = get_close_matches(part, [public for public in dir(found) if not public.startswith("_")], 3)
            hint = f"did you mean {' or '.join(near)}?" if near else "check the spelling"
            raise BenchkitError(f"{owner} has no '{part}'", hint) from None
        except Exception as error:  # a module that imports its parts when they are asked for
            raise _failed(f"{owner}.{part}", folder, error) from error
        owner = f"{owner}.{part}"
    return found


def _module(name: str, folder: Path) -> ModuleType:
    """Import a module, which is that of the folder if there is a file of its name."""
    top = name.partition(".")[0]
    files = [file for file in (folder / f"{top}.py", folder / top / "__init__.py") if file.is_file()]
    if files and top in sys.stdlib_module_names:
        raise _taken(files[0], folder, top, "Python's own module")
    if files and top in sys.modules and not _is_one_of(sys.modules[top], files):
        raise _taken(files[0], folder, top, "another module")
    try:
        with _first(folder):
            module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise BenchkitError(
                f"there is no module '{error.name}'",
                f"install it, or put {name.replace('.', '/')}.py beside the experiment file, into {folder}",
            ) from None
        raise _failed(name, folder, error) from error
    except (Exception, SystemExit) as error:
        raise _failed(name, folder, error) from error
    if files and not _is_one_of(sys.modules[top], files):
        raise _taken(files[0], folder, top, "another module")
    return module


def _is_one_of(module: ModuleType, files: list[Path]) -> bool:
    origin = getattr(module, "__file__", None)
    return origin is not None and Path(origin).resolve() in [file.resolve() for file in files]


def _taken(file: Path, folder: Path, top: str, other: str) -> BenchkitError:
    called = file.relative_to(folder)
    return BenchkitError(f"{called} beside the experiment file is hidden by {other} of the name '{top}'", "give it another name")


def _failed(name: str, folder: Path, error: BaseException) -> BenchkitError:
    said = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
    return BenchkitError(f"importing {name} failed: {said}", f"python -c 'import {name}' in {folder} shows where")


@contextmanager
def _first(folder: Path) -> Iterator[None]:
    """Put the folder first on sys.path for a while, and leave it there as the last."""
    importlib.invalidate_caches()
    place = str(folder)
    sys.path.insert(0, place)
    try:
        yield
    finally:
        sys.path.remove(place)
        if place not in sys.path:
            sys.path.append(place)
