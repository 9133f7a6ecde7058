"""Subscriptions over a link: their items, their renewal after the connection broke, and their end."""

from __future__ import annotations

import itertools
import json
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from .effects import Await, Item, Sleep, Spawn, Work, wait_for
from .errors import CallError
from .exchange import back_off
from .failures import Failures
from .options import Settings, SubscribeOptions
from .redact import redactor
from .sent import operation_named, value_at_params
from .service import Service
from .socket_options import SubscriptionGap

if TYPE_CHECKING:
    from .incoming import Sent
    from .link import Link
    from .rpc import RpcCalls

_MOST_EARLY = 10_000
"""Notifications that arrive before the id of their subscription."""


class _Live:
    """One reader of a subscription."""

    def __init__(self, calls: RpcCalls, operation: Mapping[str, Any], params: Sequence[Any], options: SubscribeOptions) -> None:
        self.calls = calls
        self.operation = operation
        self.params = params
        self.options = options
        self.waiting: deque[SubscriptionGap | Item] = deque()
        self.items = 0
        self.dropped = 0
        self.key: str | None = None
        """Of the id on the current connection."""
        self.id: Any = None
        self.was_open = False
        self.is_stale = False
        """Whether the connection of the id, or of the running call, ended."""
        self.is_over = False
        self.failure: Exception | None = None
        self.wake: Future[None] | None = None

    def notify(self) -> None:
        """Wakes the reader."""
        wake, self.wake = self.wake, None
        if wake is not None and not wake.done():
            wake.set_result(None)

    def fail(self, error: Exception) -> None:
        """Ends the subscription with an error, after the items that wait."""
        self.failure = self.failure or error
        self.notify()


class Subscriptions:
    """Several readers may have one id: some servers respond to equal subscriptions with the same."""

    def __init__(self, link: Link, service: Service, settings: Settings) -> None:
        document = service.document
        self._link = link
        self._service = service
        self._settings = settings
        self._operations: Mapping[str, Mapping[str, Any]] = document["rpc"]
        self._sources: dict[str, list[tuple[Mapping[str, Any], str, str]]] = {}
        for notification in document.get("sent", {}).values():
            for operation in self._operations.values():
                terms: Mapping[str, Any] = operation.get("subscription") or {"notifications": ()}
                for one in terms["notifications"]:
                    if one["method"] == notification["method"]:
                        self._sources.setdefault(one["method"], []).append((operation, terms["id"], one["item"]))
        self._lock = threading.RLock()
        self._all: list[_Live] = []
        self._by_key: dict[str, list[_Live]] = {}
        self._ending: set[str] = set()
        self._starting = 0
        self._early: list[tuple[Mapping[str, Any], Sent]] = []
        self._left: list[_Live] = []

    def read(self, calls: RpcCalls, operation: Mapping[str, Any], params: Sequence[Any], options: SubscribeOptions) -> Work[None]:
        """Subscribes, yields the items, and unsubscribes when the reader leaves."""
        live = _Live(calls, operation, params, options)
        with self._lock:
            self._all.append(live)
        try:
            yield from self._begin(live)
            while True:
                with self._lock:
                    following = self._following(live)
                if isinstance(following, Future):
                    yield from wait_for(following, None)
                elif isinstance(following, Item):
                    yield following
                elif "on_gap" in options:
                    yield Await(options["on_gap"], (following,))
        except GeneratorExit:
            # Nobody closed the stream. The link ends the subscription.
            self._leave(live)
            self._left.append(live)
            raise
        except BaseException:
            self._leave(live)
            yield from self._release(live)
            raise

    def takes(self, notification: Mapping[str, Any]) -> bool:
        """Whether a notification has items of subscriptions."""
        return notification["method"] in self._sources

    def offer(self, notification: Mapping[str, Any], sent: Sent) -> bool:
        """Gives a notification to its subscription: whether one has it, or may have it as soon as its id is known."""
        with self._lock:
            for operation, id, item in self._sources[notification["method"]]:
                key = _key(operation, value_at_params(notification, id, sent.raw))
                lives = self._by_key.get(key)
                for live in lives or ():
                    if sent.error is not None:
                        live.fail(sent.error)
                    else:
                        convert = self._service.converter(f"{operation['id']}.item")
                        self._deliver(live, convert(value_at_params(notification, item, sent.raw)))
                if lives is not None or key in self._ending:
                    return True
            if self._starting == 0 or len(self._early) >= _MOST_EARLY:
                return False
            self._early.append((notification, sent))
            return True

    def renew(self) -> Work[None]:
        """Subscribes again, after a connection ended."""
        with self._lock:
            self._early.clear()
            self._ending.clear()
            self._by_key.clear()
            renewed = [live for live in self._all if live.key is not None]
            for live in self._all:
                live.is_stale, live.key = True, None
        for live in renewed:
            yield Spawn(self._begin(live))

    def tidy(self) -> Work[None]:
        """Ends subscriptions whose readers are gone."""
        while self._left:
            yield Spawn(self._release(self._left.pop()))

    def _following(self, live: _Live) -> SubscriptionGap | Item | Future[None]:
        """What the reader gets next. Raises the error that ended the subscription."""
        if live.dropped > 0:
            dropped, live.dropped = live.dropped, 0
            return SubscriptionGap("overflow", dropped)
        if live.waiting:
            found = live.waiting.popleft()
            live.items -= isinstance(found, Item)
            return found
        if live.failure is not None:
            raise live.failure
        live.wake = Future()
        return live.wake

    def _deliver(self, live: _Live, value: Any) -> None:
        if live.is_over or live.failure is not None:
            return
        most = live.options.get("buffer", 1_000)
        if live.items >= most and live.options.get("overflow", "error") == "error":
            text = f": more than {most} items wait for the reader: read faster, or set buffer or overflow"
            live.fail(self._failures(live).call("overflow", text))
            return
        live.waiting.append(Item(value))
        live.items += 1
        if live.items > most:
            # Gaps among the items that wait are kept.
            live.waiting.remove(next(one for one in live.waiting if isinstance(one, Item)))
            live.items -= 1
            live.dropped += 1
        live.notify()

    def _failures(self, live: _Live) -> Failures:
        return Failures(live.operation["method"], lambda: redactor(self._link.secrets))

    def _begin(self, live: _Live) -> Work[None]:
        """Subscribes until it succeeds, or fails for another reason than the connection. Raises nothing."""
        for failures in itertools.count(1):
            try:
                yield from self._start(live)
                if not live.is_stale:
                    break
            except Exception as error:
                is_lost = isinstance(error, CallError) and error.reason == "network" and not self._link.closed
                if not (is_lost and live.was_open) or failures >= live.options.get("attempts", 10):
                    return live.fail(error)
            if live.is_over:
                return
            yield Sleep(back_off(failures, self._settings.retry, self._settings.clock))
        if live.is_over:
            yield from self._release(live)

    def _start(self, live: _Live) -> Work[None]:
        """Subscribes once. Early notifications are kept until the id is known."""
        unknown: list[tuple[Mapping[str, Any], Sent]] = []
        failure: Exception | None = None
        with self._lock:
            self._starting += 1
            live.is_stale = False
        try:
            id = yield from live.calls.raw_call(live.operation["id"], live.params)
            with self._lock:
                if not live.is_stale:
                    if live.was_open:
                        live.waiting.append(SubscriptionGap("reconnect"))
                    live.key, live.id, live.was_open = _key(live.operation, id), id, True
                    self._by_key.setdefault(live.key, []).append(live)
                    live.notify()
                    self._replay()
        except Exception as error:
            failure = error
        finally:
            with self._lock:
                self._starting -= 1
                unknown = self._replay()
        for one in unknown:
            yield from self._link.pass_on(*one)
        if failure is not None:
            raise failure

    def _replay(self) -> list[tuple[Mapping[str, Any], Sent]]:
        """Gives early notifications to subscriptions that are known by now. Those that no subscription takes."""
        early, self._early = self._early, []
        return [one for one in early if not self.offer(*one)]

    def _leave(self, live: _Live) -> None:
        with self._lock:
            live.is_over = True
            if live in self._all:
                self._all.remove(live)

    def _release(self, live: _Live) -> Work[None]:
        """Ends the subscription on the server, unless another reader has the same. Raises nothing."""
        with self._lock:
            key, live.key = live.key, None
            own = self._by_key.get(key) if key is not None else None
            if key is None or own is None:
                return
            own.remove(live)
            if own:
                return
            del self._by_key[key]
            operation = operation_named(self._operations, live.operation["subscription"]["unsubscribe"])
            if operation is None:
                return
            self._ending.add(key)
        try:
            yield from live.calls.raw_call(operation["id"], [live.id])
        except Exception as error:
            # A connection that ended has no subscriptions.
            if not (isinstance(error, CallError) and error.reason == "network"):
                yield from self._link.ignore(operation["method"], "its error")
        finally:
            with self._lock:
                self._ending.discard(key)


def _key(operation: Mapping[str, Any], id: Any) -> str:
    return f"{operation['id']} {json.dumps(id, sort_keys=True)}"
