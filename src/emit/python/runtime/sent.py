"""What a JSON-RPC server sends by itself, as messages: which texts are calls, and the places in their params."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .json_text import step, steps
from .pages import value_at


def is_call(member: Any) -> bool:
    """Whether a message is a call and no response. Some servers repeat the method in a response."""
    return isinstance(member, dict) and "method" in member and "result" not in member and "error" not in member


def operation_named(operations: Mapping[str, Mapping[str, Any]], method: str) -> Mapping[str, Any] | None:
    """The operation with a method."""
    return next((one for one in operations.values() if one["method"] == method), None)


def value_at_params(operation: Mapping[str, Any], pointer: str, params: Any) -> Any:
    """
    The value at a pointer into params. Its first step is the name or the position of a param, however the params were sent.
    None if there is none.
    """
    if pointer == "":
        return params
    first = steps(pointer)[0]
    at, name = _param_at(operation, first)
    start = step(at if isinstance(params, list) else name)
    return value_at(start + pointer[len(step(first)) :], params)


def params_with(operation: Mapping[str, Any], pointer: str, value: Any) -> Any:
    """Params with one value at a pointer."""
    if pointer == "":
        return value
    first, *rest = steps(pointer)
    for key in reversed(rest):
        value = {key: value}
    at, name = _param_at(operation, first)
    return {name: value} if operation["paramStructure"] == "by-name" else [*[None] * at, value]


def _param_at(operation: Mapping[str, Any], key: str) -> tuple[int, str]:
    for at, param in enumerate(operation["params"]):
        if key in (param["name"], str(at)):
            return at, param["name"]
    return int(key) if key.isdecimal() else 0, key

