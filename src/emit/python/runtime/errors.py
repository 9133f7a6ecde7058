"""The three errors of a call, and the warnings about responses that differ from the document."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Reason = Literal[
    "network",
    "timeout",
    "aborted",
    "malformed-answer",
    "unmatched-answer",
    "invalid-input",
    "invalid-answer",
    "response-too-large",
    "overflow",
]
"""Why a call has no response that matches the document."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One error of validation."""

    pointer: str
    """JSON pointer into the value; empty for the value itself."""
    keyword: str
    """The keyword of JSON Schema that rejected the value."""
    message: str


@dataclass(frozen=True, slots=True)
class Warning:
    """A response that differs from the document and is returned nevertheless, or a call of the server that was ignored."""

    operation: str
    message: str
    issues: tuple[Issue, ...]


class _Failure(Exception):
    """An error that can be copied and pickled, whatever its arguments are."""

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class CallError(_Failure):
    """
    A call without a usable response. `reason` is the kind of failure. `__cause__` has the class and the text of the error that caused it, as a
    RuntimeError: the error itself may hold addresses and secrets.
    """

    def __init__(
        self,
        reason: Reason,
        operation: str,
        message: str,
        issues: Sequence[Issue] = (),
        status: int | None = None,
        media_type: str | None = None,
        text: str | None = None,
    ) -> None:
        super().__init__(message)
        self.reason: Reason = reason
        self.operation = operation
        self.message = message
        self.issues = tuple(issues)
        self.status = status
        self.media_type = media_type
        self.text = text


class HttpError(_Failure):
    """An error response: a status outside 2xx, or a 2xx body that the document declares as an error."""

    def __init__(
        self,
        operation: str,
        status: int,
        body: Any,
        message: str,
        headers: Mapping[str, str] | None = None,
        issues: Sequence[Issue] = (),
    ) -> None:
        super().__init__(message)
        self.operation = operation
        self.status = status
        self.body: Any = body
        self.message = message
        self.headers: Mapping[str, str] = headers or {}
        self.issues = tuple(issues)


class RpcError(_Failure):
    """The error object of a JSON-RPC response."""

    def __init__(self, code: int, message: str, data: Any = None, method: str = "") -> None:
        super().__init__(f"{method}: {message} (code {code})" if method else f"{message} (code {code})")
        self.code = code
        self.message = message
        self.data: Any = data
        self.method = method
