"""One parameter in the styles of OpenAPI, which are based on RFC 6570, and fields of forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

from .json_text import number_text, write_json
from .redact import well_formed

Parameter = Mapping[str, Any]
"""A parameter of operations.json: name, in, style, explode and so on."""


def encode_strictly(text: str) -> str:
    """Percent-encodes everything except RFC 3986's unreserved characters."""
    return quote(well_formed(text), safe="")


def form_encode(name: str, text: str) -> str:
    """One field of a url-encoded form, as URLSearchParams writes it."""
    return "=".join(quote_plus(well_formed(one), safe="*").replace("~", "%7E") for one in (name, text))


def plain(value: Any) -> str:
    """A scalar as text; anything else becomes JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number_text(value)
    return write_json(value)


def serialize_parameter(parameter: Parameter, value: Any) -> str | None:
    """
    The text of `{name}` in a path, `a=1&b=2` of a query, the value of a header, or `a=1; b=2` of a cookie. None if the value,
    or every member of it, is None.
    """
    if value is None:
        return None
    place, style, explode = parameter["in"], parameter["style"], parameter["explode"]
    encode = _encoder(parameter)
    wire_name: str = parameter["name"]
    name = "" if place == "header" else wire_name if style == "cookie" else encode_strictly(wire_name)
    codec = parameter.get("codec")
    if codec is not None:
        whole_query = parameter.get("isWholeQuery") is True
        if whole_query and codec == "form":
            pairs = [pair for key, one in value.items() for pair in plain_fields(key, one)]
            return "&".join(form_encode(key, text) for key, text in pairs)
        text = write_json(value) if codec == "json" else plain(value)
        named = place == "cookie" or (place == "query" and not whole_query)
        return f"{name}={encode(text)}" if named else encode(text)
    if not isinstance(value, (list, dict)):
        return _whole(parameter, name, encode(plain(value)))
    entries = _entries(value)
    members = [(key, one) for key, one in entries if one is not None]
    if not members:
        return None
    if style == "deepObject":
        fields = deep_fields(wire_name, value)
        return "&".join(f"{encode_strictly(key)}={encode(text)}" for key, text in fields) or None
    delimiter = "." if style == "label" else ","

    def within(text: str) -> str:
        if place == "header" or style == "cookie":
            return text
        return encode(text).replace(delimiter, f"%{ord(delimiter):02X}")

    texts = [(within(key), within(plain(one))) for key, one in members]
    is_list = isinstance(value, list)
    if explode:
        return _exploded(parameter, name, texts, is_list)
    flat = [text for _, text in texts] if is_list else [text for pair in texts for text in pair]
    return _whole(parameter, name, _SEPARATORS.get(style, ",").join(flat))


_SEPARATORS = {"spaceDelimited": "%20", "pipeDelimited": "%7C"}
_DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|", "cookie": ","}


def shared_delimiter(parameter: Parameter, value: Any) -> str | None:
    """The delimiter of a parameter's style, if its value contains it and no encoding distinguishes the two."""
    place, style = parameter["in"], parameter["style"]
    split = isinstance(value, (list, dict)) and "codec" not in parameter
    members: list[Any] = [value]
    if split:
        members = [*value.keys(), *value.values()] if isinstance(value, dict) else value
    between = "," if place == "header" else None if parameter["explode"] else _DELIMITERS.get(style)
    texts = [_shown(one) for one in members]
    for delimiter in (";" if style == "cookie" else None, between if split else None):
        if delimiter and any(delimiter in text for text in texts):
            return delimiter
    return None


def _shown(value: Any) -> str:
    return "null" if value is None else plain(value)


def _entries(value: list[Any] | dict[str, Any]) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else [("", one) for one in value]


def _whole(parameter: Parameter, name: str, text: str) -> str:
    style, place = parameter["style"], parameter["in"]
    if style == "label":
        return f".{text}"
    if style == "matrix":
        return f";{name}={text}" if text else f";{name}"
    return f"{name}={text}" if place in ("query", "cookie") else text


def _exploded(parameter: Parameter, name: str, members: list[tuple[str, str]], is_list: bool) -> str:
    style = parameter["style"]
    named = [f"{name if is_list else key}={text}" for key, text in members]
    pairs = [text for _, text in members] if is_list else named
    if style == "simple":
        return ",".join(pairs)
    if style == "label":
        return "." + ".".join(pairs)
    if style == "matrix":
        return ";" + ";".join(named)
    return ("; " if parameter["in"] == "cookie" else "&").join(named)


def _encoder(parameter: Parameter) -> Callable[[str], str]:
    if parameter["in"] == "header" or parameter["style"] == "cookie":
        return lambda text: text
    if parameter.get("allowReserved") and parameter["in"] == "query":
        return _encode_unreserved
    return encode_strictly


def _encode_unreserved(text: str) -> str:
    """Reserved characters and what is encoded already stay (RFC 6570, 3.2.3), but for what would change the query."""
    encoded = quote(well_formed(text), safe=";,/?:@=$!'()*")
    return re.sub("%25(?=[0-9a-fA-F]{2})", "%", encoded)


def deep_fields(name: str, value: Any) -> list[tuple[str, str]]:
    """The fields of the style `deepObject`: `filter[a]=1`, `items[0][price]=2`."""
    if value is None:
        return []
    if not isinstance(value, (list, dict)):
        return [(name, plain(value))]
    entries: list[tuple[str, Any]] = list(value.items()) if isinstance(value, dict) else [
        (str(at), one) for at, one in enumerate(value)
    ]
    return [field for key, one in entries for field in deep_fields(f"{name}[{key}]", one)]


def has_bracket_in_key(value: Any) -> bool:
    """Whether a value has a key with a bracket, which would be parsed as another key."""
    if isinstance(value, dict):
        members: dict[str, Any] = value
        return any(re.search(r"[\[\]]", key) or has_bracket_in_key(one) for key, one in members.items())
    if isinstance(value, list):
        items: list[Any] = value
        return any(map(has_bracket_in_key, items))
    return False


def plain_fields(name: str, value: Any) -> list[tuple[str, str]]:
    """The fields of a property without a style: a list is repeated, and an object becomes JSON."""
    items: list[Any] = value if isinstance(value, list) else [value]
    return [(name, plain(one)) for one in items if one is not None]
