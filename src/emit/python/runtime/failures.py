"""Creates the errors of one call, without secrets in text, body, headers and cause."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .errors import CallError, HttpError, Issue, Reason, Warning
from .json_text import write_json
from .redact import Redact, clean, clean_cause

_EXCERPT = 200


def describe(issues: Sequence[Issue], place: Callable[[str], str] = lambda pointer: pointer or "it") -> str:
    """`/a must be a string; /b is required`: the first issues of a value."""
    listed = [f"{place(_short(one.pointer))} {_middle(one.message)}" for one in issues[:3]]
    more = [f"and {len(issues) - 3} more"] if len(issues) > 3 else []
    return "; ".join([*listed, *more])


def _short(text: str) -> str:
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"


def _middle(text: str) -> str:
    """Without its middle: a message begins with the value, and ends with what is wrong."""
    return text if len(text) <= _EXCERPT else f"{text[: _EXCERPT // 2]}…{text[-_EXCERPT // 2 :]}"


class Failures:
    """The errors of one operation; `redact` removes the secrets of the call."""

    def __init__(self, operation: str, redact: Callable[[], Redact]) -> None:
        self.operation = operation
        self._redact = redact

    def clean(self, value: Any) -> Any:
        """A value without the secrets of the call."""
        return clean(value, self._redact())

    def call(
        self,
        reason: Reason,
        text: str,
        issues: Sequence[Issue] = (),
        cause: BaseException | None = None,
        place: Callable[[str], str] = lambda pointer: pointer or "it",
        response: tuple[int | None, str | None, str | None] = (None, None, None),
    ) -> CallError:
        """A CallError; `text` follows the name of the operation."""
        redact = self._redact()
        cleaned: list[Issue] = clean(list(issues), redact)
        why = f": {describe(cleaned, place)}" if cleaned else ""
        message = redact(f"{self.operation}{text}") + why
        error = CallError(reason, self.operation, message, cleaned, *clean(response, redact))
        # Without `from`, the error that was being handled would be printed with its secrets.
        error.__cause__ = clean_cause(cause, redact)
        error.__suppress_context__ = True
        return error

    def http(
        self, status: int, body: Any, headers: Mapping[str, str], issues: Sequence[Issue], text: str | None = None
    ) -> HttpError:
        """An HttpError with a part of the body in its message, unless `text` is its message."""
        redact = self._redact()
        cleaned: Any = clean(body, redact)
        # Redacted before it is shortened, because a part of a secret is no longer recognised.
        shown = cleaned if isinstance(cleaned, str) else "" if cleaned is None else write_json(cleaned)
        message = redact(text) if text else f"{self.operation} returned {status}{shown and f': {_short(shown)}'}"
        safe = {name: redact(value) for name, value in headers.items()}
        return HttpError(self.operation, status, cleaned, message, safe, clean(list(issues), redact))

    def warning(self, text: str, issues: Sequence[Issue]) -> Warning:
        """A warning about a response that is returned nevertheless."""
        return Warning(self.operation, text, tuple(self.clean(list(issues))))
