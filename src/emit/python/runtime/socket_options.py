"""The options of WebSockets. Only packages whose clients may use one load them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class SocketLogin:
    """The first call of each connection, for servers that authenticate by one. Nothing else is sent before its result."""

    method: str
    params: Any = None
    """By position or by name; a function is called for each connection."""


@dataclass(frozen=True, slots=True)
class SocketOptions:
    """How a WebSocket is opened and kept."""

    protocols: Sequence[str] = ()
    """Subprotocols, of which the server selects one."""
    login: SocketLogin | None = None
    timeout: float = 10.0
    """Seconds until an opening counts as failed. `retry` says how often it is tried."""
    heartbeat: float | None = 30.0
    """Seconds between pings. After as many without an answer, the connection is lost."""
    max_buffered_bytes: int = 16 * 2**20
    """How many bytes may wait to be sent; further texts are rejected."""


@dataclass(frozen=True, slots=True)
class SubscriptionGap:
    """Items may be missing: the connection broke, or `dropped` items did not fit into the buffer."""

    reason: Literal["reconnect", "overflow"]
    dropped: int = 0
