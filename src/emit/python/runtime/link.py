"""JSON-RPC over a WebSocket: one connection for all calls of a client. Responses are matched by id, over all calls that wait."""

from __future__ import annotations

import asyncio
import itertools
import logging
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Any, cast

from .address import Credentials, Place, find_address
from .effects import Await, Deadline, Either, Sleep, Spawn, TimedOut, Work, wait_for
from .errors import Warning
from .exchange import HookFailed, TooLarge, back_off, hook
from .incoming import Incoming, Sent
from .json_text import parse_json, write_json
from .match import id_key
from .options import Settings
from .redact import hide_in_logs, redactor
from .sent import is_call, operation_named, params_with
from .service import Service
from .socket_options import SocketOptions
from .subscriptions import Subscriptions

try:
    from websockets.exceptions import ConnectionClosed, WebSocketException
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError("a WebSocket needs the package websockets: pip install 'websockets>=15'") from missing

_log = logging.getLogger(__name__)

_SOON = 5.0
"""Seconds. A server that ends connections sooner is not asked again immediately."""
_CLOSING = 2.0
"""Seconds for the closing handshake."""
_MOST_CANCELLED = 10_000
_TOO_BIG = 1009
_LOGIN = "twinspec-login"
"""The id of the first call. Those of clients are numbers."""


class LinkBroken(Exception):
    """A text or its response was lost."""


class NotSent(Exception):
    """Something that the link needs, such as a credential, could not be obtained."""


class _Text:
    """A text whose response is not complete."""

    def __init__(self, ids: Sequence[int]) -> None:
        self.ids = ids
        self.missing = set(map(id_key, ids))
        self.messages: list[Any] = []
        self.done: Future[list[Any]] = Future()


class _Opening:
    """One opening of the link, from its beginning until it closed."""

    def __init__(self) -> None:
        self.ready: Future[Any] = Future()
        self.pending: list[_Text] = []
        self.by_id: dict[Any, _Text] = {}
        self.cancelled: set[Any] = set()
        self.buffered = 0
        self.over: Exception | None = None


class Link:
    """Opens the WebSocket for the first text, and again for the first one after it closed."""

    def __init__(self, service: Service, place: Place, auth: Credentials, settings: Settings) -> None:
        self._place = place
        self._auth = auth
        self._settings = settings
        self._terms = settings.socket or SocketOptions()
        self._document = service.document
        self._lock = threading.RLock()
        self._opening: _Opening | None = None
        self._opened_at = float("-inf")
        self._soon_ended = 0
        self.closed = False
        self._is_spawned = False
        self.secrets: list[str] = []
        self.subscriptions = Subscriptions(self, service, settings)
        self._incoming = Incoming(self, service, settings, self.subscriptions)

    def __repr__(self) -> str:
        return "Link()"

    def exchange(self, text: str, ids: Sequence[int], deadline: Deadline) -> Work[list[Any]]:
        """
        Sends a text. The result is the messages with its responses. Raises LinkBroken, NotSent, TooLarge or TimedOut.
        """
        one = _Text(ids)
        opening = yield from self._find_opening()
        with self._lock:
            if opening.over is not None:
                raise opening.over
            opening.pending.append(one)
        try:
            connection = yield from wait_for(opening.ready, deadline)
            most = self._terms.max_buffered_bytes
            with self._lock:
                if opening.buffered > most:
                    raise LinkBroken(f"more than {most} bytes wait to be sent (max_buffered_bytes)")
                opening.buffered += len(text)
                opening.by_id |= dict.fromkeys(one.missing, one)
            try:
                yield Await(connection.send, (text,))
            except (OSError, WebSocketException) as error:
                raise LinkBroken(str(error)) from error
            finally:
                opening.buffered -= len(text)
            # A notification has no response.
            return (yield from wait_for(one.done, deadline)) if ids else []
        except (TimedOut, asyncio.CancelledError):
            yield from self._cancel(opening, one)
            raise
        finally:
            self._forget(opening, one)

    def ignore(self, operation: str, what: str) -> Work[None]:
        """Reports what nothing here handles."""
        redact = redactor(self.secrets)
        yield from self.warn(Warning(redact(operation), f"{what} was ignored", ()))

    def warn(self, warning: Warning) -> Work[None]:
        """Passes a warning to the user, whose function must not end the connection."""
        try:
            if self._settings.on_warning is not None:
                yield from hook(self._settings.on_warning, warning)
        except HookFailed as failed:
            _log.error("on_warning failed", exc_info=failed.__cause__)

    def pass_on(self, operation: Mapping[str, Any], sent: Sent) -> Work[None]:
        """Gives a notification to its handler, which no subscription took."""
        yield from self._incoming.pass_on(operation, sent)

    def _find_opening(self) -> Work[_Opening]:
        with self._lock:
            if self.closed:
                raise LinkBroken("the client is closed")
            opening = self._opening
            if opening is not None and opening.over is None:
                return opening
            opening = self._opening = _Opening()
            stop, self._is_spawned = None if self._is_spawned else self._stop, True
        yield Spawn(self._run(opening), stop)
        return opening

    def _stop(self) -> Work[None]:
        self.closed = True
        opening = self._opening
        if opening is None or opening.over is not None:
            return
        connection = opening.ready.result() if opening.ready.done() else None
        self._end(opening, LinkBroken("the client was closed"))
        if connection is not None:
            yield Await(connection.close)

    def _run(self, opening: _Opening) -> Work[None]:
        """Connects, and reads until the connection ends."""
        try:
            connection = yield from self._connect(opening)
            with self._lock:
                if opening.over is None:
                    opening.ready.set_result(connection)
            if opening.over is not None:
                yield Await(connection.close)
            while True:
                yield from self._receive(opening, connection, (yield Await(connection.recv)))
        except ConnectionClosed as error:
            self._end(opening, *self._reasons(error))
        except BaseException as error:
            self._end(opening, error if isinstance(error, (LinkBroken, NotSent)) else LinkBroken(str(error)))
            if not isinstance(error, Exception):
                raise
        yield from self.subscriptions.renew()

    def _reasons(self, error: ConnectionClosed) -> tuple[Exception, Exception | None]:
        """Why a connection ended, and why the texts that waited have no response if that is another reason."""
        sent, received = error.sent, error.rcvd
        if received is None and sent is not None and sent.code == _TOO_BIG:
            most = self._settings.max_response_bytes
            return LinkBroken("a message was too large"), TooLarge(f"the response has more than {most:.0f} bytes (max_response_bytes)")
        if received is None and sent is not None and "ping" in sent.reason:
            return LinkBroken(f"no sign of life within {self._terms.heartbeat} s"), None
        code, reason = (1006, "") if received is None else (received.code, received.reason)
        return LinkBroken(f"the link closed: code {code}{reason and f' {reason}'}"), None

    def _end(self, opening: _Opening, failure: Exception, of_texts: Exception | None = None) -> None:
        """Every text that waits fails. The first reason counts."""
        with self._lock:
            if opening.over is not None:
                return
            opening.over = failure
            if not opening.ready.done():
                opening.ready.set_exception(failure)
            for one in opening.pending:
                if not one.done.done():
                    one.done.set_exception(of_texts or failure)

    def _connect(self, opening: _Opening) -> Work[Any]:
        """Opens a connection, and tries again with a growing delay."""
        retry, clock = self._settings.retry, self._settings.clock
        self._soon_ended = self._soon_ended + 1 if clock.now() - self._opened_at < _SOON else 0
        if self._soon_ended > 0:
            yield Sleep(back_off(self._soon_ended, retry, clock))
        for attempt in itertools.count(1):
            try:
                connection = yield from self._open(opening)
                self._opened_at = clock.now()
                return connection
            except (OSError, WebSocketException, LinkBroken) as error:
                if attempt >= retry.attempts or self.closed:
                    raise LinkBroken(str(error) or type(error).__name__) from error
            yield Sleep(back_off(attempt, retry, clock))

    def _open(self, opening: _Opening) -> Work[Any]:
        settings = self._settings
        terms = self._terms
        try:
            address = yield from find_address(self._place, self._auth, settings)
            login = terms.login
            params = (yield Await(login.params)) if login is not None and callable(login.params) else login and login.params
        except Exception as error:
            raise NotSent(str(error)) from error
        self.secrets = [*address.secrets, *_texts_in(params)]
        hide_in_logs(self.secrets)
        most = settings.max_response_bytes
        options: dict[str, Any] = {
            "additional_headers": {name: value for name, value in settings.headers.items() if name != "x-client-package"},
            "subprotocols": list(terms.protocols) or None,
            "open_timeout": terms.timeout,
            "close_timeout": _CLOSING,
            "ping_interval": terms.heartbeat,
            "ping_timeout": terms.heartbeat,
            "max_size": None if most == float("inf") else int(most),
        }
        connection = yield Either(lambda: _blocking(address.url, options), lambda: _awaiting(address.url, options))
        if login is not None:
            text = _request_text(_LOGIN, login.method, params)
            try:
                yield from self._login(opening, connection, text)
            except BaseException:
                yield Await(connection.close)
                raise
        return connection

    def _login(self, opening: _Opening, connection: Any, text: str) -> Work[None]:
        yield Await(connection.send, (text,))
        timeout = self._terms.timeout
        while True:
            data = yield Either(lambda: connection.recv(timeout), lambda: asyncio.wait_for(connection.recv(), timeout))
            message = _parsed(data)
            if not isinstance(message, dict) or message.get("id") != _LOGIN:
                yield from self._receive(opening, connection, data)
            elif "error" in message:
                raise LinkBroken(f"the login was rejected: {write_json(message['error'])}")
            else:
                return

    def _receive(self, opening: _Opening, connection: Any, data: str | bytes) -> Work[None]:
        """Gives one text of the server to the calls that wait for it, to subscriptions and to handlers."""
        message = _parsed(data)
        if message is _NOT_JSON:
            return (yield from self.ignore("", "a text that is not JSON"))
        owners: list[_Text] = []
        calls: list[Mapping[str, Any]] = []
        unmatched = 0
        with self._lock:
            for member in message if isinstance(message, list) else [message]:
                owner = None if is_call(member) else self._owner(opening, member)
                key = id_key(member.get("id")) if isinstance(member, dict) else None
                if owner is not None:
                    owners += [] if owner in owners else [owner]
                elif isinstance(member, dict) and isinstance(member.get("method"), str):
                    calls.append(cast("Mapping[str, Any]", member))
                elif key in opening.cancelled:
                    opening.cancelled.discard(key)
                else:
                    unmatched += 1
        for _ in range(unmatched):
            yield from self.ignore("", "a response without the id of a pending call")
        if calls:
            yield from self._incoming.serve(connection, calls, isinstance(message, list))
        with self._lock:
            for owner in owners:
                owner.messages.append(message)
                if not owner.missing:
                    self._forget(opening, owner)
                    if not owner.done.done():
                        owner.done.set_result(owner.messages)
        yield from self.subscriptions.tidy()

    def _owner(self, opening: _Opening, member: Any) -> _Text | None:
        """The text to which a response belongs. An error without an id is the response to the only one that waits."""
        if not isinstance(member, dict):
            return None
        key = id_key(member.get("id"))
        found = opening.by_id.get(key)
        if found is not None:
            found.missing.discard(key)
        elif member.get("id") is None and "error" in member and len(opening.pending) == 1:
            found = opening.pending[0]
            found.missing.clear()
        return found

    def _forget(self, opening: _Opening, one: _Text) -> None:
        with self._lock:
            if one in opening.pending:
                opening.pending.remove(one)
            for key in map(id_key, one.ids):
                if opening.by_id.get(key) is one:
                    del opening.by_id[key]

    def _cancel(self, opening: _Opening, one: _Text) -> Work[None]:
        """Tells the server which calls nobody waits for any more (`x-cancel`)."""
        cancel: Mapping[str, Any] = self._document.get("cancel", {})
        operation = operation_named(self._document["rpc"], cancel["notification"]) if cancel else None
        if operation is None or opening.over is not None or not opening.ready.done():
            return
        missing = [id for id in one.ids if id_key(id) in one.missing]
        with self._lock:
            if len(opening.cancelled) >= _MOST_CANCELLED:
                opening.cancelled.clear()
            opening.cancelled |= set(map(id_key, missing))
        for id in missing:
            params = params_with(operation, cancel["id"], id)
            try:
                yield Await(opening.ready.result().send, (_request_text(None, operation["method"], params),))
            except (OSError, WebSocketException):
                return


def _parsed(data: str | bytes) -> Any:
    """The message in a text."""
    try:
        return parse_json(data if isinstance(data, str) else data.decode("utf-8", "replace"))
    except ValueError:
        return _NOT_JSON


_NOT_JSON = object()


def _request_text(id: str | None, method: str, params: Any) -> str:
    return write_json({"jsonrpc": "2.0", **({} if id is None else {"id": id}), "method": method, **({} if params is None else {"params": params})})


def _texts_in(value: Any) -> list[str]:
    """All texts of params: each may be a credential."""
    if isinstance(value, Mapping):
        return [text for one in cast("Mapping[str, Any]", value).values() for text in _texts_in(one)]
    if isinstance(value, (list, tuple)):
        return [text for one in cast("Sequence[Any]", value) for text in _texts_in(one)]
    return [value] if isinstance(value, str) else []


def _blocking(url: str, options: Mapping[str, Any]) -> Any:
    from websockets.sync.client import connect

    return connect(url, **options)


def _awaiting(url: str, options: Mapping[str, Any]) -> Any:
    from websockets.asyncio.client import connect

    return connect(url, **options)
