"""Events to JSON and back: the row of the journal and the line of `events.jsonl` alike."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, NewType, Union, get_args, get_origin, get_type_hints

from rules import Color

from .events import Entry, Event

SCHEMA_VERSION: Final = 1


class JournalError(Exception):
    """A journal cannot be read: it is damaged, foreign, or from a newer program."""


def to_json(entry: Entry) -> str:
    """Return one line of JSON for an entry, without the line end."""
    event = entry.event
    head = {"v": SCHEMA_VERSION, "seq": entry.seq, "type": type(event).__name__}
    return json.dumps(head | plain_fields(event), ensure_ascii=False, separators=(",", ":"))


def plain_fields(event: object) -> dict[str, object]:
    """Return the fields of an event, a dataclass, as JSON takes them."""
    names = [field.name for field in fields(event)]  # type: ignore[arg-type]
    return {name: _plain(getattr(event, name)) for name in names}


def from_json(line: str) -> Entry:
    """Return the entry that `to_json` wrote.

    Raises:
        JournalError: The line is no JSON object, its type is unknown, or a value does not fit.
    """
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise JournalError(f"an event must be one JSON object a line, got {line[:80]!r}") from error
    if not isinstance(data, dict) or data.get("v") != SCHEMA_VERSION:
        raise JournalError(f'an event must have "v": {SCHEMA_VERSION}, got {line[:80]!r}')
    kind = _event_types().get(str(data.get("type")))
    if kind is None:
        raise JournalError(f"event type {data.get('type')!r} is not known to this version")
    try:
        return Entry(seq=int(data["seq"]), event=kind(**typed_fields(kind, data)))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise JournalError(f"event {line[:120]!r} does not fit its type: {error}") from error


def typed_fields(kind: type, data: Mapping[str, object]) -> dict[str, Any]:
    """Return the fields of an event of this kind, in their types, from a JSON object.

    Raises:
        KeyError: A field is missing.
        TypeError: A value has another type.
        ValueError: A value is none that the field may have.
    """
    hints, spare = _hints(kind), _spare(kind)
    given = {name: hint for name, hint in hints.items() if name in data or name not in spare}
    return {name: _typed(hint, data[name]) for name, hint in given.items()}


def _plain(value: object) -> object:
    match value:
        case Color():
            return value.name.lower()
        case tuple():
            return [_plain(item) for item in value]
        case _:
            return value


@cache
def _event_types() -> dict[str, type]:
    return {kind.__name__: kind for kind in get_args(Event)}


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def _spare(kind: type) -> frozenset[str]:
    """Return the fields that older journals lack."""
    return frozenset(field.name for field in fields(kind) if field.default is not MISSING)


def _typed(hint: object, value: object) -> object:
    """Return `value` as JSON gave it in the type that a field wants."""
    origin = get_origin(hint)
    if origin is tuple:
        return _typed_tuple(get_args(hint), value)
    if origin in (Union, UnionType):
        if value is None and NoneType in get_args(hint):
            return None
        (only,) = [option for option in get_args(hint) if option is not NoneType]
        return _typed(only, value)
    if origin is Literal:
        if value not in get_args(hint):
            raise ValueError(f"{value!r} is not one of {get_args(hint)}")
        return value
    if isinstance(hint, NewType):
        return _typed(hint.__supertype__, value)
    if hint is Color:
        return Color[str(value).upper()]
    if hint is float and type(value) is int:
        return float(value)
    if type(value) is not hint:
        raise TypeError(f"expected {hint}, got {value!r}")
    if isinstance(value, str):
        value.encode()  # half a surrogate is a text for JSON, and for nobody else
    return value


def _typed_tuple(items: tuple[object, ...], value: object) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise TypeError(f"expected a list, got {value!r}")
    if items[-1] is Ellipsis:
        return tuple(_typed(items[0], item) for item in value)
    return tuple(_typed(item, given) for item, given in zip(items, value, strict=True))
