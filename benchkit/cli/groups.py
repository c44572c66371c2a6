"""Option groups: a command asks for a whole group by its type, and the command line shows the single options."""

import dataclasses
import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, get_type_hints


def flattened(command: Callable[..., None], like: Callable[..., Any] | None = None) -> Callable[..., None]:
    """Return the command with every parameter whose type is a dataclass replaced by that dataclass's fields.

    `like` is a function whose parameters are the command's, where the command itself takes any.
    """
    hints = get_type_hints(like or command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if name != "return" and dataclasses.is_dataclass(kind)}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(like or command).parameters.values():
        if parameter.name in groups:
            parameters += _fields(groups[parameter.name])
        else:
            parameters.append(parameter.replace(annotation=hints[parameter.name], kind=inspect.Parameter.KEYWORD_ONLY))

    @wraps(command)
    def flat(**values: Any) -> None:
        arguments = {
            name: kind(**{f.name: values.pop(f.name) for f in dataclasses.fields(kind)}) for name, kind in groups.items()
        }
        command(**arguments, **values)

    flat.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    flat.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return flat


def _fields(group: Any) -> list[inspect.Parameter]:
    """Return a keyword parameter for each field of the group."""
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=_default(field), annotation=hints[field.name])
        for field in dataclasses.fields(group)
    ]


def _default(field: Any) -> Any:
    """Return the default of a field, made anew where it has a factory."""
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def typed(group: Any) -> dict[str, object]:
    """Return the fields of a group that differ from their defaults: what was typed."""
    values = {field: getattr(group, field.name) for field in dataclasses.fields(group)}
    return {field.name: value for field, value in values.items() if value != _default(field)}
