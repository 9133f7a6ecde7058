"""Values of responses: records with attributes, made of plain JSON by the annotations of the generated classes."""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal, Union, get_args, get_origin

from .schemas import Schemas

Convert = Callable[[Any], Any]


class Record:
    """
    An object of a response. Its attributes are those of the generated class; None for absent ones. `raw` is the object as it
    came, with properties that the document does not have. An object whose variant the document does not have is a plain Record.

    Attributes are read-only. A test makes a record of an object with the names of the wire: `Order({"createdAt": "2026-12-01"})`.
    """

    __slots__ = ("_kept", "raw")

    _at: ClassVar[str] = ""
    """Where its schema is in operations.json."""
    _names: ClassVar[Mapping[str, str]] = {}
    """Attribute -> name on the wire, where they differ."""
    _shapes: ClassVar[Shapes]

    raw: dict[str, Any]

    _kept: dict[str, Any]

    def __init__(self, raw: dict[str, Any]) -> None:
        object.__setattr__(self, "raw", raw)
        object.__setattr__(self, "_kept", {})

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only: make one of a changed copy of raw")

    def __getattr__(self, name: str) -> Any:
        kept = self._kept
        if name not in kept:
            convert = self._shapes.fields(type(self)).get(name)
            if convert is None:
                raise AttributeError(f"{type(self).__name__} has no {name}; other properties are in raw")
            kept[name] = convert(self.raw.get(self._names.get(name, name)))
        return kept[name]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.raw,)

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self._shapes.fields(type(self))]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and type(other) is type(self) and other.raw == self.raw

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = self._shapes.fields(type(self))
        shown = [f"{name}={value!r}" for name in fields if (value := getattr(self, name)) is not None]
        shown = [f"raw={self.raw!r}"] if type(self) is Record else shown
        return f"{type(self).__name__}({', '.join(shown)})"


class _Later:
    """A type that leads to itself. It is read when a value is."""

    hint: ClassVar[str]


_KNOWN: Mapping[str, Any] = {"Any": Any, "Literal": Literal, "Download": bytes}


class _Scope(dict[str, Any]):
    """The types that annotations name; an alias is the annotation that it names."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        super().__init__()
        self._from = names
        self._open: set[str] = set()

    def __missing__(self, name: str) -> Any:
        found = self._from[name] if name in self._from else _KNOWN.get(name) or getattr(builtins, name)
        if not isinstance(found, str):
            return found
        if name in self._open:
            return type(name, (_Later,), {"hint": name})
        self._open.add(name)
        try:
            found = self.read(found)
        finally:
            self._open.discard(name)
        self[name] = found
        return found

    def read(self, hint: str) -> Any:
        """The type that the text of an annotation means."""
        return eval(hint, {}, self)  # noqa: S307: the generator wrote it


class Shapes:
    """How values become values of annotations. `names` are the generated types, `schemas` decide between them."""

    def __init__(self, names: Mapping[str, Any], load: Callable[[], Schemas]) -> None:
        self._scope = _Scope(names)
        self._load = load
        self._fields: dict[type, dict[str, Convert]] = {}
        self._converts: dict[str, Convert] = {}

    def fields(self, record: type[Record]) -> dict[str, Convert]:
        """The attributes of a class, in their order."""
        found = self._fields.get(record)
        if found is None:
            own = {} if record is Record else record.__dict__.get("__annotations__", {})
            found = {name: self.converter(hint) for name, hint in own.items()}
            self._fields[record] = found
        return found

    def converter(self, hint: str) -> Convert:
        """The function that makes a value of an annotation, such as `list[Order] | None`."""
        found = self._converts.get(hint)
        if found is None:
            # A type may lead to itself.
            self._converts[hint] = lambda value: self._converts[hint](value)
            found = self._of(self._scope.read(hint))
            self._converts[hint] = found
        return found

    def _of(self, hint: Any) -> Convert:
        origin = get_origin(hint)
        arguments = get_args(hint)
        if origin is list:
            item = self._of(arguments[0])
            return _same if item is _same else lambda value: _items(value, item)
        if origin is dict:
            return self._map(arguments[1])
        if origin in (Union, types.UnionType):
            return self._union(arguments)
        if isinstance(hint, type) and issubclass(hint, _Later):
            return self.converter(hint.hint)
        if isinstance(hint, type) and issubclass(hint, Record):
            return lambda value: hint(value) if isinstance(value, dict) else value
        if hint is int:
            return _integer
        return _same

    def _map(self, hint: Any) -> Convert:
        member = self._of(hint)
        keeps_null = hint is Any or type(None) in _members(hint)

        def convert(value: Any) -> Any:
            if not isinstance(value, dict):
                return value
            members: dict[str, Any] = value
            return {key: member(one) for key, one in members.items() if one is not None or keeps_null}

        return convert

    def _union(self, hints: tuple[Any, ...]) -> Convert:
        members = [one for hint in hints for one in _members(hint)]
        records = [one for one in members if isinstance(one, type) and issubclass(one, Record)]
        lists = [self._of(one) for one in members if get_origin(one) is list]
        maps = [self._of(one) for one in members if get_origin(one) is dict]
        integer = int in members and float not in members

        def convert(value: Any) -> Any:
            if isinstance(value, dict):
                chosen: type[Record] | None = self._choose(records, value) if records else None
                if chosen is not None:
                    return chosen(value)
                return maps[0](value) if maps else Record(value) if records else value
            if isinstance(value, list):
                return lists[0](value) if lists else value
            return _integer(value) if integer else value

        return convert

    def _choose(self, records: list[type[Record]], value: Any) -> type[Record] | None:
        """The class whose schema accepts a value; None for a variant that the document does not have."""
        if len(records) == 1:
            return records[0]
        schemas = self._load()
        for reading in ("open", "tolerant"):
            for record in records:
                if schemas.is_valid(record._at, value, reading) and schemas.has_literals(record._at, value):
                    return record
        return None


def _members(hint: Any) -> tuple[Any, ...]:
    """The members of a union."""
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(one for member in get_args(hint) for one in _members(member))
    return (type(hint.__args__[0]),) if get_origin(hint) is Literal else (hint,)


def _items(value: Any, item: Convert) -> Any:
    items: list[Any] = value
    return [item(one) for one in items] if isinstance(value, list) else value


def _same(value: Any) -> Any:
    return value


def _integer(value: Any) -> Any:
    """1.0 is an integer, too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


