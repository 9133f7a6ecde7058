"""The bases of generated clients: those of `Client` block, those of `AsyncClient` await."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Generic, Self, TypeVar, Unpack

import httpx2

from .address import Credentials
from .effects import AsyncLink, AsyncStream, Stream, SyncLink
from .options import AsyncClientOptions, CallOptions, ClientOptions, SubscribeOptions
from .rpc import Batch
from .service import Service
from .settings import make_settings

Interval = float | Callable[[int], float] | None
"""Seconds between two requests, or a function of the number of requests so far; by default 0.5, growing to 5."""


def fields_of(slots: Mapping[str, str], arguments: Sequence[Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call by where they go. Raises TypeError for a name that no variant has."""
    found = dict(zip(slots.values(), arguments, strict=False))
    for name, value in fields.items():
        if name not in slots:
            raise TypeError(f"there is no argument {name}")
        found[slots[name]] = value
    return found


class Client:
    """What clients of both protocols have."""

    def __init__(self, make: Any, service: Service, server: str | None, auth: Credentials, options: ClientOptions, handlers: Any = None) -> None:
        settings = make_settings(options, handlers)
        http_client = settings.http_client
        if not (http_client is None or isinstance(http_client, httpx2.Client)):
            raise TypeError("http_client must be an httpx2.Client")
        self._calls: Any = make(service, server, auth, settings)
        self._link = SyncLink(http_client, settings.clock)

    def with_options(self, **options: Unpack[CallOptions]) -> Self:
        """The same client, over the same connections, with other options for every call."""
        changed = copy.copy(self)
        changed._calls = self._calls.with_settings(options)
        return changed

    def close(self) -> None:
        """Closes the connections, but not those of the option `http_client`."""
        self._link.close()

    def __enter__(self) -> Self:
        self._link.check_open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _call(self, id: str, fields: Any) -> Any:
        self._link.check_open()
        return self._link.run(self._calls.call(id, fields))

    def _pages(self, id: str, fields: Any, each: str) -> Any:
        self._link.check_open()
        return Stream[Any](self._link, self._calls.pages(id, fields, each))

    def _stream(self, id: str, fields: Mapping[str, Any]) -> Any:
        self._link.check_open()
        return Stream[Any](self._link, self._calls.stream(id, fields))

    def _subscribe(self, id: str, params: Sequence[Any], options: SubscribeOptions) -> Any:
        self._link.check_open()
        return Stream[Any](self._link, self._calls.subscribe(id, params, options))

    def _poll(self, id: str, fields: Mapping[str, Any], interval: Interval, timeout: float | None) -> Any:
        self._link.check_open()
        return Stream[Any](self._link, self._calls.poll(id, fields, interval, timeout))


class AsyncClient:
    """What async clients of both protocols have."""

    def __init__(self, make: Any, service: Service, server: str | None, auth: Credentials, options: AsyncClientOptions, handlers: Any = None) -> None:
        settings = make_settings(options, handlers)
        http_client = settings.http_client
        if not (http_client is None or isinstance(http_client, httpx2.AsyncClient)):
            raise TypeError("http_client must be an httpx2.AsyncClient")
        self._calls: Any = make(service, server, auth, settings)
        self._link = AsyncLink(http_client, settings.clock)

    def with_options(self, **options: Unpack[CallOptions]) -> Self:
        """The same client, over the same connections, with other options for every call."""
        changed = copy.copy(self)
        changed._calls = self._calls.with_settings(options)
        return changed

    async def close(self) -> None:
        """Closes the connections, but not those of the option `http_client`."""
        await self._link.close()

    async def __aenter__(self) -> Self:
        self._link.check_open()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def _call(self, id: str, fields: Any) -> Any:
        self._link.check_open()
        return await self._link.run(self._calls.call(id, fields))

    def _pages(self, id: str, fields: Any, each: str) -> Any:
        self._link.check_open()
        return AsyncStream[Any](self._link, self._calls.pages(id, fields, each))

    def _stream(self, id: str, fields: Mapping[str, Any]) -> Any:
        self._link.check_open()
        return AsyncStream[Any](self._link, self._calls.stream(id, fields))

    def _subscribe(self, id: str, params: Sequence[Any], options: SubscribeOptions) -> Any:
        self._link.check_open()
        return AsyncStream[Any](self._link, self._calls.subscribe(id, params, options))

    def _poll(self, id: str, fields: Mapping[str, Any], interval: Interval, timeout: float | None) -> Any:
        self._link.check_open()
        return AsyncStream[Any](self._link, self._calls.poll(id, fields, interval, timeout))


B = TypeVar("B", bound=Batch)


class BatchBlock(Generic[B]):
    """`with rpc.batch() as batch:`"""

    def __init__(self, link: SyncLink, batch: B) -> None:
        self._link = link
        self._batch = batch

    def __enter__(self) -> B:
        self._link.check_open()
        return self._batch

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        work = self._batch._finish(error)
        if work is not None:
            self._link.run(work)


class AsyncBatchBlock(Generic[B]):
    """`async with rpc.batch() as batch:`"""

    def __init__(self, link: AsyncLink, batch: B) -> None:
        self._link = link
        self._batch = batch

    async def __aenter__(self) -> B:
        self._link.check_open()
        return self._batch

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        work = self._batch._finish(error)
        if work is not None:
            await self._link.run(work)
