"""JSON as `JSON.stringify` writes it, with all digits of integers, and a reader that never crashes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from .errors import Issue


def number_text(value: int | float) -> str:
    """A number as ECMAScript writes it; an integer with all its digits."""
    if isinstance(value, int):
        return int.__repr__(value)
    if value == 0.0:
        return "0"
    sign, every, exponent = Decimal(repr(value)).as_tuple()
    minus = "-" if sign else ""
    digits = "".join(map(str, every))
    place = len(digits) + int(exponent)
    digits = digits.rstrip("0")
    if 0 < place <= 21:
        whole = digits[:place].ljust(place, "0")
        return f"{minus}{whole}.{digits[place:]}" if len(digits) > place else minus + whole
    if -6 < place <= 0:
        return f"{minus}0.{'0' * -place}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{minus}{digits[0]}{fraction}e{place - 1:+d}"


def write_json(value: Any) -> str:
    """The text of a value that `json_copy` returned."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":")) if not _has_float(value) else _write(value)
    except UnicodeEncodeError:
        text = _write(value)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


_SURROGATE = re.compile("[\ud800-\udfff]")


def _has_float(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_float, value.values()))
    if isinstance(value, list):
        return any(map(_has_float, value))
    return isinstance(value, float)


def _write(value: Any) -> str:
    if isinstance(value, dict):
        members: Mapping[str, Any] = value
        return "{" + ",".join(f"{_write(key)}:{_write(one)}" for key, one in members.items()) + "}"
    if isinstance(value, list):
        items: list[Any] = value
        return "[" + ",".join(map(_write, items)) + "]"
    if isinstance(value, float):
        return number_text(value)
    return json.dumps(value, ensure_ascii=False)


_MOST_DIGITS = 4_300
_LONGEST_INTEGER = 10**_MOST_DIGITS - 1
"""Python converts no longer one to text."""


def json_copy(value: Any) -> tuple[Any, list[Issue]]:
    """The value as JSON represents it, and an issue for each part that JSON cannot represent."""
    issues: list[Issue] = []
    try:
        return _copy(value, "", issues), issues
    except RecursionError:
        return None, [Issue("", "json", "is nested too deep, or refers back to itself")]


def _copy(value: Any, pointer: str, issues: list[Issue]) -> Any:
    if isinstance(value, int) and abs(value) > _LONGEST_INTEGER:
        issues.append(Issue(pointer, "json", f"is an integer of more than {_MOST_DIGITS} digits"))
        return None
    if value is None or isinstance(value, (str, bool, int)):
        return str(value) if isinstance(value, str) and type(value) is not str else value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
    elif isinstance(value, Mapping):
        members: Mapping[Any, Any] = value
        copied: dict[str, Any] = {}
        for key, one in members.items():
            if isinstance(key, str):
                copied[key] = _copy(one, pointer + step(key), issues)
            else:
                issues.append(Issue(pointer, "json", f"has a key that is a {type(key).__name__}, not text"))
        return copied
    elif isinstance(value, (list, tuple)):
        items: list[Any] | tuple[Any, ...] = value
        return [_copy(one, f"{pointer}/{at}", issues) for at, one in enumerate(items)]
    else:
        raw = getattr(value, "raw", None)
        if isinstance(raw, dict):
            return _copy(raw, pointer, issues)
    shown = value if isinstance(value, float) else f"a {type(value).__name__}"
    hint = next((f": {text}" for kind, text in _HINTS.items() if isinstance(value, kind)), "")
    issues.append(Issue(pointer, "json", f"is {shown}, which JSON cannot represent{hint}"))
    return None


_HINTS: Mapping[type, str] = {
    bytes: "pass text, such as value.hex() or base64",
    Decimal: "pass str(value), int(value) or float(value), as the document has it",
    UUID: "pass str(value)",
    date: "pass value.isoformat()",
    set: "pass a list",
}
"""What to pass instead of values that callers may have. A datetime is a date."""


def step(key: str | int) -> str:
    """One step of a JSON pointer, with its slash."""
    return "/" + str(key).replace("~", "~0").replace("/", "~1")


def steps(pointer: str) -> list[str]:
    """The steps of a JSON pointer."""
    return [one.replace("~1", "/").replace("~0", "~") for one in pointer.split("/")[1:]]


def parse_json(text: str) -> Any:
    """The value of a JSON text. Raises ValueError, whose message does not quote the text, also for one that is nested too deep."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    # The nesting depth is at most the number of brackets.
    if text.count("[") + text.count("{") > _DEEPEST and _is_deep(value):
        raise ValueError(_TOO_DEEP)
    return value


_DEEPEST = 256
"""The greatest nesting of a text that clients of all languages read."""

_TOO_DEEP = f"the text is nested deeper than {_DEEPEST} levels"


def _is_deep(value: Any) -> bool:
    """Level by level, because one call for each level may exhaust the stack."""
    level: list[Any] = [value]
    for _ in range(_DEEPEST):
        level = [
            one for each in level for one in (each.values() if isinstance(each, dict) else each) if isinstance(one, (dict, list))
        ]
        if not level:
            return False
    return True


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")

