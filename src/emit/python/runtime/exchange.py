"""One HTTP request and its response: hooks, redirects, the reading of a body, and when a call may be repeated."""

from __future__ import annotations

import email.utils
import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import httpx2

from .effects import Await, Close, Deadline, Effect, Incoming, Read, Send, TimedOut
from .options import Clock, HookRequest, HookResponse, Retry, Settings
from .redact import Redact

_LONGEST_CHAIN = 20
_CREDENTIALS = re.compile(r"^((proxy-)?authorization|cookie)$")


class TooLarge(Exception):
    """The body of a response is larger than max_response_bytes."""


class HookFailed(Exception):
    """A function of the user raised an error."""


@dataclass(slots=True, repr=False)
class Outgoing:
    """A request, ready to be sent, not to be shown. `secret_headers` are those that no other origin may receive."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes | Iterable[bytes] | None
    secret_headers: Sequence[str] = ()
    kept_redirects: bool = False
    """Whether only redirects that keep the method are followed (JSON-RPC)."""


def exchange(
    request: Outgoing, operations: tuple[str, ...], attempt: int, deadline: Deadline, settings: Settings, redact: Redact
) -> Generator[Effect, Any, Incoming]:
    """Sends a request, follows redirects, and runs the hooks."""
    headers = dict(request.headers)
    if settings.on_request is not None:
        hooked = HookRequest(operations, attempt, request.method, redact(request.url), headers)
        yield from hook(settings.on_request, hooked)
        headers = {name.lower(): value for name, value in hooked.headers.items()}
    method, url, body = request.method, request.url, request.body
    for count in range(_LONGEST_CHAIN + 1):
        incoming: Incoming = yield Send(method, url, headers, body, deadline, _target(url))
        location = incoming.headers.get("location")
        status = incoming.status
        if location is None or status not in ((307, 308) if request.kept_redirects else (301, 302, 303, 307, 308)):
            break
        yield Close(incoming)
        if count == _LONGEST_CHAIN:
            raise httpx2.TooManyRedirects("too many redirects")
        following = urljoin(url, location)
        if urlsplit(following).scheme not in ("http", "https"):
            raise httpx2.RequestError("invalid redirect")
        becomes_get = method not in ("GET", "HEAD") if status == 303 else status < 303 and method == "POST"
        same = _origin(following) == _origin(url)
        headers = {
            name: value
            for name, value in headers.items()
            if not (becomes_get and name.startswith("content-"))
            and (same or not (_CREDENTIALS.match(name) or name in request.secret_headers))
        }
        if becomes_get:
            method, body = "GET", None
        url = following
    else:
        raise httpx2.TooManyRedirects("too many redirects")
    if settings.on_response is not None:
        shown = {name: redact(value) for name, value in incoming.headers.items()}
        try:
            yield from hook(settings.on_response, HookResponse(operations, attempt, incoming.status, shown))
        except HookFailed:
            yield Close(incoming)
            raise
    return incoming


def hook(function: Any, argument: Any) -> Generator[Effect, Any, None]:
    """Calls a function of the user."""
    try:
        yield Await(function, (argument,))
    except Exception as error:
        raise HookFailed from error


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def _target(url: str) -> bytes:
    """The path and query of a URL, with what URLs cannot contain percent-encoded (WHATWG URL, 1.3)."""
    whole = re.sub(r"^[^/?#]*//[^/?#]*", "", url).partition("#")[0]
    path, mark, query = whole.partition("?")
    path = quote(path or "/", safe="!$%&'()*+,-./:;=@[\\]_|~")
    query = quote(query, safe="!$%&()*+,-./:;=?@[\\]^_`{|}~")
    return f"{path}{mark}{query}".encode()


def read_bytes(incoming: Incoming, deadline: Deadline, most: float) -> Generator[Effect, Any, bytes]:
    """The whole body. Raises TooLarge beyond `most` bytes."""
    chunks: list[bytes] = []
    size = 0
    try:
        while (chunk := (yield Read(incoming, deadline))) is not None:
            size += len(chunk)
            if size > most:
                raise TooLarge(f"the response has more than {most:.0f} bytes (max_response_bytes)")
            chunks.append(chunk)
    except (TooLarge, TimedOut):
        yield Close(incoming)
        raise
    return b"".join(chunks)


def is_busy(status: int) -> bool:
    """Whether a status says that the same request may succeed later."""
    return status in (429, 503)


def wait_before(attempt: int, retry_after: str | None, retry: Retry, clock: Clock) -> float | None:
    """Seconds until an attempt (2 is the first retry): Retry-After, else a doubling delay, of which half is random. None: too long."""
    if attempt > retry.attempts:
        return None
    asked = None if retry_after is None else _retry_after(retry_after.strip(), clock)
    if asked is not None:
        return asked if asked <= retry.longest else None
    return back_off(attempt - 1, retry, clock)


def back_off(failures: int, retry: Retry, clock: Clock) -> float:
    """Seconds after a number of failures: a doubling delay, of which half is random."""
    return min(retry.delay * 2 ** (failures - 1), retry.longest) * (0.5 + clock.random() / 2)


def _retry_after(text: str, clock: Clock) -> float | None:
    """RFC 9110, 10.2.3: seconds or a date; seconds from now."""
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        return float(text)
    try:
        if re.match(r"\d{4}-\d\d-\d\dT", text):
            date = datetime.fromisoformat(text)
        elif re.match(r"(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? ", text, re.I):
            date = email.utils.parsedate_to_datetime(text)
        else:
            return None
    except ValueError:
        return None
    date = date if date.tzinfo else date.replace(tzinfo=timezone.utc)
    return max(0.0, date.timestamp() - clock.now())


def lower(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers by lower case name. Raises TypeError for names and values that HTTP does not allow."""
    for name, value in headers.items():
        if not (isinstance(name, str) and isinstance(value, str)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("headers must be a dict of texts")
        if not re.fullmatch(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+", name) or not is_header(value):
            raise TypeError("headers contain a name or a value that HTTP does not allow")
    return {name.lower(): value for name, value in headers.items()}


def is_header(value: str) -> bool:
    """Whether HTTP allows a text as the value of a header (RFC 9110, 5.5)."""
    return re.fullmatch(r"[\t\x20-\x7e\x80-\xff]*", value) is not None
