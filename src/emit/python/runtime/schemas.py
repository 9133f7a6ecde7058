"""
Validation by the schemas of operations.json, in three readings. `strict` is the schema as it is, for what is sent. `open` ignores
undeclared properties. `tolerant` also accepts new values of enums, new variants, a missing property that may be null, and null for
an optional property: a new value of the server never breaks a client.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias
from urllib.parse import quote

from jsonschema_rs import Draft202012Validator, ValidationError, ValidationErrorKind

from .errors import Issue
from .json_text import step, steps

Reading = Literal["strict", "open", "tolerant"]
Schema: TypeAlias = "bool | Mapping[str, Any]"

_MOST_ISSUES = 100
_LISTS = ("prefixItems", "anyOf", "oneOf", "allOf")
_MAPS = ("properties", "patternProperties", "dependentSchemas")
_SINGLE = ("items", "contains", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "then", "else")
_STRICT = ("not", "if", "propertyNames", "contains")


class Schemas:
    """The schemas of one document. A place is a JSON pointer into operations.json."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._validators: dict[tuple[str, Reading], Draft202012Validator] = {}
        self._readings: dict[tuple[str, Reading], tuple[Any, list[tuple[str, Reading]]]] = {}
        self._accepts: dict[str, bool] = {}

    def is_valid(self, place: str, value: Any, reading: Reading = "strict") -> bool:
        """Whether a value fulfils the schema at a place."""
        validator = self._validator(place, reading)
        try:
            return validator.is_valid(value)
        except UnicodeEncodeError:
            return validator.is_valid(_printable(value))

    def issues(self, place: str, value: Any, reading: Reading = "strict") -> list[Issue]:
        """Why a value does not fulfil the schema at a place."""
        found: list[Issue] = []
        for error in self._validator(place, reading).iter_errors(_printable(value)):
            found += _explain(error)
            if len(found) >= _MOST_ISSUES:
                break
        return found[:_MOST_ISSUES]

    def read(self, place: str, value: Any, how: Literal["tolerant", "strict", "off"]) -> tuple[list[Issue], bool]:
        """What a value of the server has that the schema at a place does not allow, and whether it is tolerated."""
        first: Reading = "strict" if how == "strict" else "open"
        if how == "off" or self.is_valid(place, value, first):
            return [], True
        issues = self.issues(place, value, first) or [Issue("", "schema", "must match its schema")]
        return issues, how == "tolerant" and self.is_valid(place, value, "tolerant")

    def has_literals(self, place: str, value: Mapping[str, Any]) -> bool:
        """Whether an object has no other value where the schema at a place allows only one, as a discriminator does."""
        literals = self._literals(self.at(place), 0)
        return all(name not in value or value[name] == one[0] for name, one in literals.items() if len(one) == 1)

    def at(self, place: str) -> Schema:
        """The schema at a place."""
        found: Any = self._document
        for name in steps(place):
            found = found[int(name)] if isinstance(found, list) else found[name]
        return found

    def accepts_null(self, schema: Schema) -> bool:
        """Whether a schema accepts null, by its keywords."""
        if isinstance(schema, bool):
            return schema
        if "$ref" in schema:
            ref: str = schema["$ref"]
            if ref not in self._accepts:
                # A schema that leads to itself adds nothing.
                self._accepts[ref] = True
                self._accepts[ref] = self.accepts_null(self.at(ref[1:]))
            if not self._accepts[ref]:
                return False
        kind = schema.get("type")
        kinds = [kind] if isinstance(kind, str) else kind
        return (
            (kinds is None or "null" in kinds)
            and ("enum" not in schema or None in schema["enum"])
            and ("const" not in schema or schema["const"] is None)
            and all(map(self.accepts_null, schema.get("allOf", ())))
            and ("anyOf" not in schema or any(map(self.accepts_null, schema["anyOf"])))
            and ("oneOf" not in schema or any(map(self.accepts_null, schema["oneOf"])))
            and ("not" not in schema or not self.accepts_null(schema["not"]))
        )

    def _validator(self, place: str, reading: Reading) -> Draft202012Validator:
        key = (place, reading)
        found = self._validators.get(key)
        if found is None:
            found = Draft202012Validator(self._whole(place, reading), validate_formats=False)
            self._validators[key] = found
        return found

    def _whole(self, place: str, reading: Reading) -> dict[str, Any]:
        """The schema at a place with all that it leads to. Schemas of many resources that lead to each other are compiled without end."""
        found: dict[str, Any] = {}
        waiting: list[tuple[str, Reading]] = [(place, reading)]
        while waiting:
            key = waiting.pop()
            name = _name(*key)
            if name in found:
                continue
            if key not in self._readings:
                refs: list[tuple[str, Reading]] = []
                self._readings[key] = (self._read(self.at(key[0]), key[1], frozenset(), refs), refs)
            found[name], refs = self._readings[key]
            waiting += refs
        return {"$ref": _reference(place, reading), "$defs": found}

    def _read(self, schema: Schema, reading: Reading, required: frozenset[str], refs: list[tuple[str, Reading]]) -> Any:
        """
        A schema for one reading; its references lead to schemas of the same reading, and are added to `refs`. `required`: by the
        schemas around it.
        """
        if isinstance(schema, bool):
            return schema
        made: dict[str, Any] = dict(schema)
        if "$ref" in schema:
            refs.append((schema["$ref"][1:], reading))
            made["$ref"] = _reference(*refs[-1])
        tolerant = reading == "tolerant"
        if reading != "strict":
            for key in ("additionalProperties", "unevaluatedProperties"):
                if made.get(key) is False:
                    del made[key]
        needed = required | set(schema.get("required", ()))
        inside: frozenset[str] = needed | {one for part in schema.get("allOf", ()) for one in _required(part)}
        for key in _SINGLE:
            if key in made and key not in _STRICT:
                made[key] = self._read(made[key], reading, frozenset(), refs)
        for key in _STRICT:
            if key in made:
                made[key] = self._read(made[key], "strict", frozenset(), refs)
        for key in _MAPS:
            if key in made:
                members: Mapping[str, Schema] = made[key]
                made[key] = {name: self._read(one, reading, frozenset(), refs) for name, one in members.items()}
        for key in _LISTS:
            if key in made:
                own = frozenset() if key == "prefixItems" else inside
                made[key] = [self._read(one, reading, own, refs) for one in made[key]]
        if reading != "strict" and "oneOf" in made:
            union = {"anyOf": made.pop("oneOf")}
            made["allOf"] = [*made.get("allOf", ()), union]
        return self._relax(schema, made, inside) if tolerant else made

    def _relax(self, schema: Mapping[str, Any], made: dict[str, Any], required: frozenset[str]) -> dict[str, Any]:
        properties: Mapping[str, Schema] = schema.get("properties", {})
        if "required" in made:
            made["required"] = [
                name for name in made["required"] if not (name in properties and self.accepts_null(properties[name]))
            ]
        for name in properties:
            if name not in required and not self.accepts_null(properties[name]):
                made["properties"][name] = {"anyOf": [made["properties"][name], {"type": "null"}]}
        others = schema.get("additionalProperties")
        if isinstance(others, Mapping) and not self.accepts_null(others):
            made["additionalProperties"] = {"anyOf": [made["additionalProperties"], {"type": "null"}]}
        literals = [schema["const"]] if "const" in schema else schema.get("enum")
        if literals is not None:
            types = _types_of(literals)
            if types is not None:
                made.pop("const", None)
                made.pop("enum", None)
                made["type"] = made.get("type", types)
        for key in ("oneOf", "anyOf"):
            unknown = self._unknown_variant(schema.get(key, ()))
            if unknown is not None:
                where = made["allOf"][-1] if key == "oneOf" else made
                where["anyOf"] = [*where["anyOf"], unknown]
        return made

    def _unknown_variant(self, branches: Sequence[Schema]) -> Schema | None:
        """An object with a value of the discriminator that no branch has."""
        literals = [self._literals(one, 0) for one in branches]
        if len(branches) < 2:
            return None
        for key in literals[0]:
            values = [one for branch in literals for one in branch.get(key, ())]
            if all(key in branch for branch in literals) and len({repr(one) for one in values}) == len(values):
                types = _types_of(values)
                known = {"not": {"enum": values}, **({"type": types} if types else {})}
                return {"type": "object", "required": [key], "properties": {key: known}}
        return None

    def _literals(self, schema: Schema, hops: int) -> dict[str, list[Any]]:
        """The required properties that allow only certain primitive values."""
        if isinstance(schema, bool) or hops > 20:
            return {}
        found: dict[str, list[Any]] = {}
        parts = [*schema.get("allOf", ()), *([self.at(schema["$ref"][1:])] if "$ref" in schema else [])]
        for part in parts:
            found |= self._literals(part, hops + 1)
        for name, one in schema.get("properties", {}).items():
            resolved = self._resolved(one)
            values = [resolved["const"]] if "const" in resolved else resolved.get("enum")
            if values and name in _required(schema) and not any(isinstance(value, (dict, list)) for value in values):
                found[name] = values
        return found

    def _resolved(self, schema: Schema) -> Mapping[str, Any]:
        for _ in range(20):
            if isinstance(schema, bool):
                return {}
            if "$ref" not in schema:
                return schema
            schema = self.at(schema["$ref"][1:])
        return {}


def _name(place: str, reading: Reading) -> str:
    return reading + place


def _reference(place: str, reading: Reading) -> str:
    return "#/$defs" + quote(step(_name(place, reading)))


def _required(schema: Schema) -> Sequence[str]:
    return () if isinstance(schema, bool) else schema.get("required", ())


def _types_of(literals: Sequence[Any]) -> list[str] | None:
    """The types of listed values; None for objects and lists, which stay as they are."""
    found: dict[str, None] = {}
    for one in literals:
        if isinstance(one, (dict, list)):
            return None
        kind = "null" if one is None else "boolean" if isinstance(one, bool) else "string" if isinstance(one, str) else "number"
        found[kind] = None
    return list(found)


def _printable(value: Any) -> Any:
    """A value without halves of surrogate pairs, which the validator cannot read."""
    if isinstance(value, str):
        return re.sub("[\ud800-\udfff]", "\ufffd", value)
    if isinstance(value, dict):
        members: dict[str, Any] = value
        return {_printable(key): _printable(one) for key, one in members.items()}
    if isinstance(value, list):
        items: list[Any] = value
        return [_printable(one) for one in items]
    return value


def _explain(error: ValidationError) -> list[Issue]:
    """The issues of an error. Of a union, those of the alternative that is the closest."""
    pointer = "".join(step(key) for key in error.instance_path)
    kind = error.kind
    if isinstance(kind, ValidationErrorKind.OneOfMultipleValid):
        return [Issue(pointer, kind.name, "must match only one of the documented alternatives, matches several")]
    if not isinstance(kind, (ValidationErrorKind.AnyOf, ValidationErrorKind.OneOfNotValid)):
        return [Issue(pointer, kind.name, error.message)]
    branches = kind.context
    likely = [one for one in branches if _other_types(one, error) is None]
    if not likely:
        types = dict.fromkeys(name for one in branches for name in _other_types(one, error) or ())
        return [Issue(pointer, kind.name, f"must be {' or '.join(types)}" if types else error.message)]
    closest = min(likely, key=_distance)
    inside = [issue for one in closest for issue in _explain(one)]
    if len(likely) == 1:
        return inside
    name = _alternative(closest, error) or f"alternative {branches.index(closest) + 1}"
    return [Issue(pointer, kind.name, f"must match one of {len(branches)} alternatives, is closest to {name}"), *inside]


def _other_types(branch: Sequence[ValidationError], union: ValidationError) -> Sequence[str] | None:
    """The types that an alternative of a union wants, if the value has none of them."""
    for one in branch:
        if isinstance(one.kind, ValidationErrorKind.Type) and len(one.instance_path) == len(union.instance_path):
            return one.kind.types
    return None


_CONTRARY = (ValidationErrorKind.Constant, ValidationErrorKind.Enum, ValidationErrorKind.Not)


def _distance(branch: Sequence[ValidationError]) -> tuple[int, int, int]:
    """How far a value is from an alternative: differing literals and forbidden properties, then errors, then how early they are."""
    kinds = [one.kind for one in branch]
    literals = sum(isinstance(one, _CONTRARY) for one in kinds)
    errors = sum(len(one.unexpected) if isinstance(one, ValidationErrorKind.AdditionalProperties) else 1 for one in kinds)
    return literals, errors, -max(len(one.instance_path) for one in branch)


def _alternative(branch: Sequence[ValidationError], union: ValidationError) -> str | None:
    """The name of the schema that an alternative refers to, by an error in that schema itself."""
    for one in branch:
        # After the path of the union: the number of the alternative, and its keywords.
        inside = list(one.evaluation_path)[len(union.evaluation_path) + 1 :]
        path = list(map(str, one.schema_path))
        found = re.fullmatch(r"\w+/schemas/([^/]+)", path[1]) if inside[:1] == ["$ref"] and inside.count("$ref") == 1 else None
        if found:
            return steps(f"/{found[1]}")[0]
    return None
