"""The options of clients and calls."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

import httpx2

from .errors import Warning

if TYPE_CHECKING:
    from .socket_options import SocketOptions, SubscriptionGap

Secret: TypeAlias = "str | Callable[[], str]"
"""A secret, or a function that returns it and is called for every call, and once more after a 401."""

AsyncSecret: TypeAlias = "str | Callable[[], str | Awaitable[str]]"

Basic: TypeAlias = "tuple[str, str]"
"""User and password."""

BasicSecret: TypeAlias = "Basic | Callable[[], Basic]"

AsyncBasicSecret: TypeAlias = "Basic | Callable[[], Basic | Awaitable[Basic]]"


class Omit:
    """The type of `OMIT`."""

    def __repr__(self) -> str:
        return "OMIT"


OMIT = Omit()
"""An argument that is not sent, where None would be sent as null."""


@dataclass(frozen=True, slots=True)
class Retry:
    """Applies to operations marked `x-idempotent` and calls with an idempotency key; no other call is retried."""

    attempts: int = 3
    """The maximum number of attempts, the first one included."""
    delay: float = 0.25
    """Seconds before the second attempt, doubled for each further one."""
    longest: float = 60.0
    """The longest wait in seconds; if the server requires a longer one, the call is not retried."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time, waiting and chance of a client; tests replace them."""

    now: Callable[[], float] = time.time
    """Seconds since 1970."""
    sleep: Callable[[float], Any] | None = None
    """Waits for seconds; an async client awaits what it returns."""
    random: Callable[[], float] = random.random


class SubscribeOptions(TypedDict, total=False):
    """The options of a subscription."""

    buffer: int
    """How many items may wait for the reader; 1,000 by default."""
    overflow: Literal["error", "drop-oldest"]
    """What happens with one more: `error`, the default, ends it with a CallError; `drop-oldest` drops the oldest one."""
    on_gap: Callable[[SubscriptionGap], Any]
    """Called between the items between which others may be missing."""
    attempts: int
    """How often it is renewed in succession after a connection broke; 10 by default."""


@dataclass(slots=True)
class HookRequest:
    """One HTTP request, as `on_request` receives it. `headers` may be changed; they may contain secrets."""

    operations: tuple[str, ...]
    attempt: int
    method: str
    url: str
    headers: MutableMapping[str, str]


@dataclass(frozen=True, slots=True)
class HookResponse:
    """The head of a response, as `on_response` receives it."""

    operations: tuple[str, ...]
    attempt: int
    status: int
    headers: Mapping[str, str]


class CallOptions(TypedDict, total=False):
    """The options of `with_options`."""

    timeout: float | None
    """Seconds for one call, retries included; None for no timeout. 60 by default."""
    headers: Mapping[str, str]
    """Additional headers; documented ones take precedence."""
    retry: Retry
    validate_request: Literal["strict", "off"]
    validate_response: Literal["tolerant", "strict", "off"]
    """
    `tolerant`, the default: unknown properties are ignored. A new value of an enum, a new variant, and null for an optional property
    are reported to `on_warning` and returned. Every other difference raises a CallError.
    """


class _CommonOptions(CallOptions, total=False):
    variables: Mapping[str, str]
    """Values of the variables of server URLs."""
    max_response_bytes: float
    """The maximum size of a response body, decompressed; 100 MiB by default."""
    client_package: str
    """The package of the program with its version, such as `acme-shop/1.4.2`, sent as X-Client-Package."""
    on_warning: Callable[[Warning], Any]
    """Receives a warning for each response that differs from the document and is returned, and for ignored calls of the server."""
    on_request: Callable[[HookRequest], Any]
    on_response: Callable[[HookResponse], Any]
    clock: Clock
    socket: SocketOptions
    """Of JSON-RPC over a WebSocket."""


class ClientOptions(_CommonOptions, total=False):
    """The options of a client."""

    http_client: httpx2.Client
    """Sends all requests; its creator closes it. By default one that reads proxies from the environment."""


class AsyncClientOptions(_CommonOptions, total=False):
    """The options of an async client."""

    http_client: httpx2.AsyncClient
    """Sends all requests; its creator closes it. By default one that reads proxies from the environment."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a client, with their defaults."""

    timeout: float | None = 60.0
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    retry: Retry = Retry()
    validate_request: Literal["strict", "off"] = "strict"
    validate_response: Literal["tolerant", "strict", "off"] = "tolerant"
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    max_response_bytes: float = 100 * 2**20
    client_package: str | None = None
    on_warning: Callable[[Warning], Any] | None = None
    on_request: Callable[[HookRequest], Any] | None = None
    on_response: Callable[[HookResponse], Any] | None = None
    clock: Clock = Clock()
    socket: SocketOptions | None = None
    handlers: Mapping[str, Callable[..., Any]] = field(default_factory=dict[str, "Callable[..., Any]"])
    http_client: httpx2.Client | httpx2.AsyncClient | None = None

    def __repr__(self) -> str:
        return "Settings()"
