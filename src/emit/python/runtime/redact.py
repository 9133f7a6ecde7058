"""Secrets never appear in an error, a log or the text of an object."""

from __future__ import annotations

import base64
import json
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import quote, quote_plus, unquote

from .errors import Issue

Redact = Callable[[str], str]

REDACTED = "[redacted]"


def well_formed(text: str) -> str:
    """The text with U+FFFD instead of each half of a surrogate pair, which has no UTF-8."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def redactor(secrets: Iterable[str]) -> Redact:
    """Redacts secrets: unchanged, percent-encoded, escaped in JSON and in base64."""
    spellings = {one for secret in secrets for one in _spell(secret) if one}
    if not spellings:
        return lambda text: text
    # Longest first, so that no form matches only a part of a longer one.
    pattern = re.compile("|".join(map(_pattern, sorted(spellings, key=len, reverse=True))))
    return lambda text: pattern.sub(REDACTED, text)


def _spell(secret: str) -> list[str]:
    text = well_formed(secret)
    encoded = base64.b64encode(text.encode()).decode()
    plain = encoded.rstrip("=")
    return [
        secret,
        quote(text, safe="!'()*"),
        quote(text, safe=""),
        quote(text, safe=";,/?:@&=+$#!'()*"),
        quote_plus(text, safe="*"),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        encoded,
        plain,
        plain.replace("+", "-").replace("/", "_"),
        quote(encoded, safe=""),
    ]


def _pattern(text: str) -> str:
    pattern = re.sub(
        r"%[0-9A-F]{2}",
        lambda one: re.sub("[A-F]", lambda digit: f"[{digit[0]}{digit[0].lower()}]", one[0]),
        re.escape(text),
    )
    # A short secret is redacted only as a whole word, because inside a word it is a coincidence.
    return rf"(?:(?<![\w])|(?<=%[\da-fA-F]{{2}})){pattern}(?!\w)" if len(text) < 4 else pattern


def clean(value: Any, redact: Redact) -> Any:
    """The same data with every text in it redacted, keys included."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Issue):
        return Issue(redact(value.pointer), value.keyword, redact(value.message))
    if isinstance(value, Mapping):
        members: Mapping[str, Any] = value
        return {redact(key): clean(one, redact) for key, one in members.items()}
    if isinstance(value, (list, tuple)):
        items: list[Any] | tuple[Any, ...] = value
        return [clean(one, redact) for one in items]
    return value


def clean_cause(error: BaseException | None, redact: Redact) -> BaseException | None:
    """An error that is safe as a cause: one of its class and text, without the request that it holds."""
    if error is None:
        return None
    text = redact(str(error))
    cleaned = RuntimeError(f"{type(error).__name__}: {text}" if text else type(error).__name__)
    cleaned.__cause__ = clean_cause(error.__cause__, redact)
    return cleaned


def is_secret_name(name: str) -> bool:
    """Whether the name of a header says that its value is secret."""
    return bool(re.search(r"auth|cookie|key|passw|pwd|secret|session|^sig$|signature|token", name, re.I))


def header_secrets(headers: Iterable[tuple[str, str]]) -> list[str]:
    """Credentials by the name of their header: `Bearer token`, and `token` alone."""
    found: list[str] = []
    for name, value in headers:
        if not is_secret_name(name):
            continue
        text = value.strip()
        found.append(text)
        if name.lower().endswith("authorization"):
            found += _scheme_secrets(text)
        elif name.lower().endswith("cookie"):
            found += [part for pair in text.split(";") if len(part := pair.partition("=")[2].strip()) >= 8]
    return found


def _scheme_secrets(value: str) -> list[str]:
    scheme, _, credentials = value.partition(" ")
    credentials = credentials.strip()
    if scheme.lower() != "basic":
        return [credentials]
    try:
        pair = base64.b64decode(credentials, validate=True).decode()
    except ValueError:
        return [credentials]
    return [credentials, pair, pair.partition(":")[2]]


def url_secrets(url: str) -> list[str]:
    """User and password of a URL that a user wrote, and every part of it with the length of a key."""
    found: list[str] = []
    user = re.match(r"[^/?#]*//([^/?#:@]*)(?::([^/?#@]*))?@", url)
    if user:
        found += [user[1], user[2] or "", f"{user[1]}:{user[2]}" if user[2] else ""]
    parts = re.split(r"[/?&=#]", re.sub(r"^[^/?#]*//[^/?#]*", "", url))
    found += [part for part in parts if len(part) >= 16 and "{" not in part]
    return [spelling for text in found for spelling in (text, unquote(text))]


class _Filter(logging.Filter):
    """Libraries log whole addresses. Their records lose the secrets that calls have used."""

    def __init__(self) -> None:
        super().__init__()
        self.secrets: dict[str, None] = {}
        self.redact: Redact | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        if self.secrets:
            redact = self.redact or redactor(tuple(self.secrets))
            self.redact = redact
            record.msg = redact(record.getMessage())
            record.args = ()
        return True


_filter = _Filter()

_LOGGERS = ("httpx2", "websockets.client", *(f"httpcore2.{name}" for name in ("connection", "http11", "http2", "proxy", "socks")))

_MOST_SECRETS = 1000


def hide_in_logs(secrets: Iterable[str]) -> None:
    """Redacts secrets in the logs of the libraries of HTTP and WebSockets, from now on."""
    for secret in secrets:
        if secret and secret not in _filter.secrets:
            if not _filter.secrets:
                for name in _LOGGERS:
                    logging.getLogger(name).addFilter(_filter)
            _filter.secrets[secret] = None
            _filter.redact = None
            if len(_filter.secrets) > _MOST_SECRETS:
                _filter.secrets.pop(next(iter(_filter.secrets)))
