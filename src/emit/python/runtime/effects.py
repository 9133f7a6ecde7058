"""
A call is a generator. It yields what only a driver can do, sends a request or waits, and returns its result. Two small drivers run
it: one blocks, one awaits. So sync and async clients have the same logic.
"""

from __future__ import annotations

import asyncio
import inspect
import queue
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import httpx2

from .options import Clock

T = TypeVar("T")


class TimedOut(Exception):
    """The deadline of a call has ended."""


class Deadline:
    """The end of a call: all of its requests and waits together."""

    def __init__(self, clock: Clock, timeout: float | None) -> None:
        self._now = clock.now
        self.timeout = timeout
        self._ends = float("inf") if timeout is None else clock.now() + timeout

    def remaining(self) -> float:
        """Seconds left."""
        return self._ends - self._now()

    def check(self) -> None:
        """Raises TimedOut after the end."""
        if self.remaining() <= 0:
            raise TimedOut


class _Timeouts(dict[str, Any]):
    """The timeouts of each phase of a request, which the HTTP library reads when the phase begins."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def get(self, key: str, default: Any = None) -> Any:
        left = self._deadline.remaining()
        return None if left == float("inf") else max(left, 0.001)


@dataclass(slots=True, repr=False)
class Send:
    """Sends a request, which tools that print variables do not show. The result is an Incoming, whose body is read with Read."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | Iterable[bytes] | None
    deadline: Deadline
    target: bytes
    """The path and the query as they are sent: the HTTP library would encode them again."""


@dataclass(slots=True)
class Read:
    """Reads the next bytes of a body; None at its end."""

    incoming: Incoming
    deadline: Deadline


@dataclass(slots=True)
class Close:
    """Closes a response whose body is not read to its end."""

    incoming: Incoming


@dataclass(slots=True)
class Sleep:
    """Waits for seconds."""

    seconds: float


@dataclass(slots=True)
class Await:
    """Calls a function of the user, and awaits what it returns in an async client."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()


class Either:
    """Does the same in a client that blocks and in one that awaits."""

    __slots__ = ("awaiting", "blocking")

    def __init__(self, blocking: Callable[[], Any], awaiting: Callable[[], Awaitable[Any]]) -> None:
        self.blocking = blocking
        self.awaiting = awaiting


class Spawn:
    """
    Begins work beside the rest, in a thread or in a task. It raises nothing. `stop` ends it, when the client is closed. `in_turn`:
    whether it waits for earlier such work, where work blocks.
    """

    __slots__ = ("in_turn", "stop", "work")

    def __init__(self, work: Work[None], stop: Callable[[], Work[None]] | None = None, in_turn: bool = False) -> None:
        self.work = work
        self.stop = stop
        self.in_turn = in_turn


@dataclass(slots=True)
class Item:
    """One item of a stream, for the reader."""

    value: Any


Effect = Send | Read | Close | Sleep | Await | Either | Spawn | Item

Work = Generator[Effect, Any, T]


def wait_for(future: Future[T], deadline: Deadline | None) -> Work[T]:
    """The result of a future, which others set. Raises TimedOut at the deadline."""
    left = float("inf") if deadline is None else max(deadline.remaining(), 0)
    seconds = None if left == float("inf") else left
    try:
        return (
            yield Either(
                lambda: future.result(seconds),
                lambda: asyncio.wait_for(asyncio.shield(asyncio.wrap_future(future)), seconds),
            )
        )
    except TimeoutError:
        raise TimedOut from None


class Incoming:
    """The head of a response."""

    def __init__(self, response: httpx2.Response) -> None:
        self.response = response
        self.status = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self.chunks: Any = None
        # Of a stream: its declared content, and the status that declares it.
        self.content: Mapping[str, Any] = {}
        self.key = ""


def _request(effect: Send, body: Any) -> httpx2.Request:
    extensions: dict[str, Any] = {"timeout": _Timeouts(effect.deadline), "target": effect.target}
    headers = [(name.encode("latin-1"), text.encode("latin-1")) for name, text in effect.headers.items()]
    return httpx2.Request(effect.method, effect.url, headers=headers, content=body, extensions=extensions)


async def _async_body(body: Any) -> AsyncIterator[bytes]:
    for chunk in body:
        yield chunk


def _check_open(is_closed: bool) -> None:
    if is_closed:
        raise RuntimeError("the client is closed: make a new one")


class SyncLink:
    """Performs effects by blocking."""

    def __init__(self, client: httpx2.Client | None, clock: Clock) -> None:
        self._own = client is None
        self._client = client
        self._clock = clock
        self._stops: list[Callable[[], Work[None]]] = []
        self._turns: queue.SimpleQueue[Work[None]] | None = None
        self._is_closed = False

    def check_open(self) -> None:
        """Raises RuntimeError after the end."""
        _check_open(self._is_closed)

    @property
    def client(self) -> httpx2.Client:
        """The HTTP client, made at the first request."""
        self.check_open()
        if self._client is None:
            self._client = httpx2.Client(follow_redirects=False)
        return self._client

    def close(self) -> None:
        """Closes connections, unless the user brought the HTTP client."""
        self._is_closed = True
        while self._stops:
            self.run(self._stops.pop()())
        if self._own and self._client is not None:
            self._client.close()

    def _spawn(self, effect: Spawn) -> None:
        if effect.stop is not None:
            self._stops.append(effect.stop)
        if not effect.in_turn:
            threading.Thread(target=self.run, args=(effect.work,), daemon=True).start()
            return
        if self._turns is None:
            self._turns = queue.SimpleQueue()
            threading.Thread(target=self._take_turns, args=(self._turns,), daemon=True).start()
        self._turns.put(effect.work)

    def _take_turns(self, turns: queue.SimpleQueue[Work[None]]) -> None:
        while True:
            self.run(turns.get())

    def perform(self, effect: Effect) -> Any:
        if isinstance(effect, Send):
            effect.deadline.check()
            client = self.client
            try:
                if self._own:
                    client.cookies.jar.clear()
                return Incoming(client.send(_request(effect, effect.body), stream=True, follow_redirects=False))
            except httpx2.TimeoutException:
                raise TimedOut from None
        if isinstance(effect, Read):
            effect.deadline.check()
            incoming = effect.incoming
            incoming.chunks = incoming.chunks or incoming.response.iter_bytes()
            try:
                return next(incoming.chunks, None)
            except httpx2.TimeoutException:
                raise TimedOut from None
        if isinstance(effect, Close):
            return effect.incoming.response.close()
        if isinstance(effect, Sleep):
            return (self._clock.sleep or time.sleep)(effect.seconds)
        if isinstance(effect, Await):
            result = effect.function(*effect.arguments)
            if inspect.isawaitable(result):
                raise TypeError("a function of a sync client must not be async")
            return result
        if isinstance(effect, Either):
            return effect.blocking()
        if isinstance(effect, Spawn):
            return self._spawn(effect)
        return None

    def run(self, work: Work[T]) -> T:
        """Runs a call to its end."""
        return (self.advance(work))[1]

    def advance(self, work: Work[Any], failure: BaseException | None = None) -> tuple[bool, Any]:
        """Runs to the next item of a stream, or to the end: whether it is one, and the item or the result."""
        result: Any = None
        while True:
            try:
                effect = work.throw(failure) if failure is not None else work.send(result)
            except StopIteration as stop:
                return False, stop.value
            if isinstance(effect, Item):
                return True, effect.value
            result, failure = None, None
            try:
                result = self.perform(effect)
            except BaseException as error:
                failure = error


class AsyncLink:
    """Performs effects by awaiting."""

    def __init__(self, client: httpx2.AsyncClient | None, clock: Clock) -> None:
        self._own = client is None
        self._client = client
        self._clock = clock
        self._stops: list[Callable[[], Work[None]]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_closed = False

    def check_open(self) -> None:
        """Raises RuntimeError after the end."""
        _check_open(self._is_closed)

    @property
    def client(self) -> httpx2.AsyncClient:
        """The HTTP client, made at the first request of each event loop, because connections belong to one."""
        self.check_open()
        loop = asyncio.get_running_loop()
        if self._client is None or (self._own and self._loop is not loop):
            self._client = httpx2.AsyncClient(follow_redirects=False)
            self._loop = loop
        return self._client

    async def close(self) -> None:
        """Closes connections, unless the user brought the HTTP client."""
        self._is_closed = True
        while self._stops:
            await self.run(self._stops.pop()())
        if self._own and self._client is not None and self._loop is asyncio.get_running_loop():
            await self._client.aclose()

    def _spawn(self, effect: Spawn) -> None:
        if effect.stop is not None:
            self._stops.append(effect.stop)
        task = asyncio.get_running_loop().create_task(self.run(effect.work))
        # The loop itself does not keep tasks.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def perform(self, effect: Effect) -> Any:
        if isinstance(effect, Send):
            effect.deadline.check()
            is_stream = effect.body is not None and not isinstance(effect.body, bytes)
            request = _request(effect, _async_body(effect.body) if is_stream else effect.body)
            client = self.client
            if self._own:
                client.cookies.jar.clear()
            return Incoming(await _within(effect.deadline, client.send(request, stream=True, follow_redirects=False)))
        if isinstance(effect, Read):
            effect.deadline.check()
            incoming = effect.incoming
            incoming.chunks = incoming.chunks or incoming.response.aiter_bytes()
            return await _within(effect.deadline, anext(incoming.chunks, None))
        if isinstance(effect, Close):
            return await effect.incoming.response.aclose()
        if isinstance(effect, Sleep):
            waiting = (self._clock.sleep or asyncio.sleep)(effect.seconds)
            return await waiting if inspect.isawaitable(waiting) else waiting
        if isinstance(effect, Await):
            result = effect.function(*effect.arguments)
            return await result if inspect.isawaitable(result) else result
        if isinstance(effect, Either):
            return await effect.awaiting()
        if isinstance(effect, Spawn):
            return self._spawn(effect)
        return None

    async def run(self, work: Work[T]) -> T:
        """Runs a call to its end."""
        return (await self.advance(work))[1]

    async def advance(self, work: Work[Any], failure: BaseException | None = None) -> tuple[bool, Any]:
        """Runs to the next item of a stream, or to the end: whether it is one, and the item or the result."""
        result: Any = None
        while True:
            try:
                effect = work.throw(failure) if failure is not None else work.send(result)
            except StopIteration as stop:
                return False, stop.value
            if isinstance(effect, Item):
                return True, effect.value
            result, failure = None, None
            try:
                result = await self.perform(effect)
            except BaseException as error:
                failure = error


async def _within(deadline: Deadline, waiting: Any) -> Any:
    left = deadline.remaining()
    try:
        async with asyncio.timeout(None if left == float("inf") else max(left, 0)):
            return await waiting
    except (TimeoutError, httpx2.TimeoutException):
        raise TimedOut from None


class Stream(Generic[T], Iterator[T]):
    """Items as they arrive. It can be read once; leaving a `with` block closes the connection, or ends the subscription."""

    def __init__(self, link: SyncLink, work: Work[None]) -> None:
        self._link = link
        self._work = work

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        found, value = self._link.advance(self._work)
        if not found:
            raise StopIteration
        return value

    def close(self) -> None:
        """Closes the connection, or ends the subscription."""
        try:
            self._link.advance(self._work, Closed())
        except Closed:
            pass

    def __enter__(self) -> Stream[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncStream(Generic[T], AsyncIterator[T]):
    """Items as they arrive. It can be read once; leaving an `async with` block closes the connection, or ends the subscription."""

    def __init__(self, link: AsyncLink, work: Work[None]) -> None:
        self._link = link
        self._work = work

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        found, value = await self._link.advance(self._work)
        if not found:
            raise StopAsyncIteration
        return value

    async def close(self) -> None:
        """Closes the connection, or ends the subscription."""
        try:
            await self._link.advance(self._work, Closed())
        except Closed:
            pass

    async def __aenter__(self) -> AsyncStream[T]:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class Closed(Exception):
    """The reader of a stream has closed it."""

