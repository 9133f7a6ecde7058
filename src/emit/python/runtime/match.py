"""The response of each call of one text, by its id alone (JSON-RPC 2.0, 5 and 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .errors import Reason


@dataclass(frozen=True, slots=True)
class Result:
    """A result."""

    value: Any


@dataclass(frozen=True, slots=True)
class Rejected:
    """The error object of a response."""

    code: int
    message: str
    data: Any = None


@dataclass(frozen=True, slots=True)
class Unusable:
    """A response that no call can use. `because` is an error in it that belongs to no call."""

    reason: Reason
    message: str
    because: Rejected | None = None


Match = Result | Rejected | Unusable


class Matches:
    """
    The order and number of responses are ignored, `"1"` is not 1, and two responses with one id are both unusable. The error of a
    response without an id is that of every call.
    """

    def __init__(self, ids: Sequence[int | None], body: Any, batch: bool) -> None:
        self._every: Match | None = None
        self._members: list[Any] = body if isinstance(body, list) else [body]
        self._by_id: dict[tuple[type, Any], list[Any]] = {}
        for member in self._members:
            self._by_id.setdefault(id_key(_id(member)), []).append(member)
        whole = [_without_id(member) for member in self._members]
        first = whole[0] if whole else None
        if first is not None and all(one is not None and one.code == first.code for one in whole):
            self._every = first
        elif not batch and isinstance(body, list):
            self._every = _malformed("the response to a single call is an array")
        elif not isinstance(body, list) and not any(id is not None and id_key(id) in self._by_id for id in ids):
            only = _read(body)
            self._every = only if isinstance(only, Unusable) else None

    def of(self, id: int | None) -> Match:
        """The response of one call; a notification has none."""
        if self._every is not None:
            return self._every
        found = self._by_id.get(id_key(id)) if id is not None else None
        if not found:
            return self._missing(id)
        if len(found) > 1:
            return Unusable("unmatched-answer", f"{len(found)} responses have id {id}, so none is used")
        return _read(found[0])

    def _missing(self, id: int | None) -> Match:
        members = self._members
        stray = next((one for one in members if _id(one) is None or len(members) == 1), None)
        match = _read(stray)
        error = match if isinstance(match, Rejected) else None
        seen = ", ".join(_shown(one, id) for one in members[:5]) or "nothing"
        more = ", …" if len(members) > 5 else ""
        detail = f"; the server returned the error {error.code} {error.message}" if error else ""
        return Unusable("unmatched-answer", f"no response has id {id} (seen: {seen}{more}){detail}", error)


def _id(member: Any) -> Any:
    return member.get("id") if isinstance(member, dict) else None


def id_key(id: Any) -> tuple[type, Any]:
    """1 and 1.0 are one number of JSON; True is none, and lists cannot be ids."""
    if isinstance(id, float) and id.is_integer():
        id = int(id)
    return (type(id), id if isinstance(id, (int, float, str)) else None)


def _without_id(member: Any) -> Rejected | None:
    match = _read(member) if _id(member) is None else None
    return match if isinstance(match, Rejected) else None


def _shown(member: Any, wanted: int | None) -> str:
    """The text of another id is not quoted, because it is text of the server."""
    id = _id(member)
    if not isinstance(member, dict) or "id" not in member:
        return "none"
    if id == str(wanted):
        return f'"{id}"'
    if id is None or (isinstance(id, (int, float)) and not isinstance(id, bool)):
        return "null" if id is None else str(id)
    return "a string" if isinstance(id, str) else "a boolean" if isinstance(id, bool) else "an object"


def _read(response: Any) -> Match:
    if not isinstance(response, dict):
        return _malformed("the response is not an object")
    members: dict[str, Any] = response
    if members.get("jsonrpc") != "2.0":
        return _malformed('the response does not have jsonrpc "2.0"')
    if "result" in members and "error" in members:
        return _malformed("the response has both a result and an error")
    if "result" in members:
        return Result(members["result"])
    if "error" not in members:
        return _malformed("the response has neither a result nor an error")
    error: Any = members["error"]
    code: Any = error.get("code") if isinstance(error, dict) else None
    whole = isinstance(code, int) and not isinstance(code, bool) or isinstance(code, float) and code.is_integer()
    if not whole or not isinstance(error.get("message"), str):
        return _malformed("the error has no integer code and string message")
    return Rejected(int(code), error["message"], error.get("data"))


def _malformed(message: str) -> Unusable:
    return Unusable("malformed-answer", message)
