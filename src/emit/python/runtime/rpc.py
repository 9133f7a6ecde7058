"""JSON-RPC clients: calls, batches that are matched by id and split at the limits, retries of idempotent calls."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import json
import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import httpx2

from .address import Address, Credentials, check_secret, choose_place, find_address
from .content import codec_of, text_of
from .effects import Close, Deadline, Effect, Incoming, Item, Read, Sleep, TimedOut, Work
from .errors import CallError, HttpError, Issue, Reason, RpcError, Warning
from .exchange import HookFailed, Outgoing, TooLarge, exchange, hook, is_busy, read_bytes, wait_before
from .failures import Failures
from .json_text import json_copy, parse_json, step, write_json
from .match import Matches, Rejected, Result
from .options import OMIT, CallOptions, Settings, SubscribeOptions
from .pages import PageTurner
from .redact import clean, hide_in_logs, redactor
from .service import Service
from .settings import changed_settings
from .streams import Splitter

if TYPE_CHECKING:
    from .link import Link

T = TypeVar("T")

_LIMIT_EXCEEDED = -32005
"""The code of servers for a call over their rate limit (EIP-1474)."""


class Pending(Generic[T]):
    """A call of a batch. It has a result or an error when the batch has been sent."""

    def __init__(self) -> None:
        self._done = False
        self._value: Any = None
        self._error: Exception | None = None
        self.raw: Any = None
        """The result as it came."""

    def result(self) -> T:
        """The result of the call; raises its own error."""
        self._check()
        if self._error is not None:
            raise self._error
        return self._value

    def error(self) -> Exception | None:
        """The error of the call: RpcError, HttpError or CallError; None if it has a result."""
        self._check()
        return self._error

    def _check(self) -> None:
        if not self._done:
            raise RuntimeError("the batch has not been sent: read results after its block")

    def settle(self, value: Any, error: Exception | None = None) -> None:
        """The outcome of the call; the first one counts."""
        if not self._done:
            self._done, self._value, self._error = True, value, error


@dataclass(slots=True)
class _Member:
    """One call in a text."""

    id: int | None
    operation: Mapping[str, Any]
    text: str
    pending: Pending[Any]
    failures: Failures

    @property
    def size(self) -> int:
        return len(self.text.encode("utf-8", "replace"))


class RpcCalls:
    """The calls of one client, as work for a driver."""

    def __init__(self, service: Service, server: str | None, auth: Credentials, settings: Settings) -> None:
        self.service = service
        self.settings = settings
        self._auth = {name: value for name, value in auth.items() if value is not None}
        for name, value in self._auth.items():
            if not callable(value):
                check_secret(name, value)
        document = service.document
        self._operations: Mapping[str, Mapping[str, Any]] = document["rpc"]
        self._limits: Mapping[str, Any] = document["limits"]["rpc"]
        self._place = choose_place(document["servers"]["rpc"], server, document.get("path", ""), [])
        is_socket = re.match("wss?:", self._place.url, re.I) is not None
        if is_socket:
            self._place.schemes = "ws"
        elif settings.handlers:
            raise TypeError("handlers need a WebSocket: choose a ws:// or wss:// server")
        placed = [name for one in document["servers"]["rpc"] for name in one["variables"] if one["variables"][name].get("secret")]
        for name in placed:
            if name in self._auth and name not in self._place.names:
                raise TypeError(f"the server already has a value in the place of {name}: write {{{name}}} there")
        if not self._has_functions():
            for _ in find_address(self._place, self._auth, settings):
                pass
        self._ids = itertools.count(1)
        self._secrets: list[str] = []
        self._link: Link | None = None
        if is_socket:
            # Only clients that need it load it.
            from .link import Link

            self._link = Link(service, self._place, self._auth, settings)

    def __repr__(self) -> str:
        return "RpcCalls()"

    def _has_functions(self) -> bool:
        return any(callable(self._auth.get(name)) for name in self._place.names)

    def with_settings(self, options: CallOptions) -> RpcCalls:
        """The same calls with other options."""
        changed = copy.copy(self)
        changed.settings = changed_settings(self.settings, options)
        return changed

    def call(self, id: str, params: Sequence[Any]) -> Work[Any]:
        """One call: its typed result."""
        member = self.member(id, params)
        yield from self.send([member], False)
        return member.pending.result()

    def raw_call(self, id: str, params: Sequence[Any]) -> Work[Any]:
        """One call: its result as it came."""
        member = self.member(id, params)
        yield from self.send([member], False)
        member.pending.result()
        return member.pending.raw

    def subscribe(self, id: str, params: Sequence[Any], options: SubscribeOptions) -> Work[None]:
        """The items of a subscription, which ends with the stream."""
        if self._link is None:
            failures = Failures(self._operations[id]["method"], lambda: redactor([]))
            raise failures.call("invalid-input", ": subscriptions need a WebSocket: choose a ws:// or wss:// server")
        yield from self._link.subscriptions.read(self, self._operations[id], params, options)

    def pages(self, id: str, params: Sequence[Any], each: str) -> Work[None]:
        """The pages of a list (`each` is `page`), or the items of all of them (`item`)."""
        operation = self._operations[id]
        failures = Failures(operation["method"], lambda: redactor([]))
        turner = PageTurner(operation["pages"], lambda text: failures.call("invalid-answer", f": {text}"))
        names = [one["name"] for one in operation["params"]]
        convert = self.service.converter(f"{id}.item" if each == "item" else id)
        asked = dict(zip(names, params, strict=False))
        while True:
            member = self.member(id, [asked.get(name, OMIT) for name in names])
            yield from self.send([member], False)
            member.pending.result()
            body = member.pending.raw
            for one in turner.items(body) if each == "item" else [body]:
                yield Item(convert(one))
            following = turner.turn(body, {}, lambda name: None if asked.get(name) is OMIT else asked.get(name))
            if following is None:
                return
            asked |= following

    def member(self, id: str, passed: Sequence[Any]) -> _Member:
        """The request of one call. Raises a CallError for invalid params."""
        operation = self._operations[id]
        failures = Failures(operation["method"], lambda: redactor(self._secrets))
        number = None if operation.get("isNotification") else next(self._ids)
        params, issues = self._params(id, operation, passed)
        if issues:
            declared = operation["params"]

            def place(pointer: str) -> str:
                at = pointer.split("/")[1] if pointer else ""
                name = declared[int(at)]["name"] if at.isdecimal() and int(at) < len(declared) else None
                return f"{name} ({pointer})" if name else pointer or "the params"

            raise failures.call("invalid-input", " was not sent", issues, place=place)
        head = '{"jsonrpc":"2.0"' + ("" if number is None else f',"id":{number}')
        name = json.dumps(operation["method"], ensure_ascii=False)
        text = f'{head},"method":{name},"params":{write_json(params)}}}'
        return _Member(number, operation, text, Pending(), failures)

    def _params(self, id: str, operation: Mapping[str, Any], passed: Sequence[Any]) -> tuple[Any, list[Issue]]:
        declared: Sequence[Mapping[str, Any]] = operation["params"]
        by_name = operation["paramStructure"] == "by-name"
        checks = self.settings.validate_request != "off"
        issues: list[Issue] = []
        values: list[Any] = []
        for at, param in enumerate(declared):
            value = passed[at] if at < len(passed) else OMIT
            if value is None and not param["required"] and not param.get("acceptsNull"):
                value = OMIT
            where = step(param["name"] if by_name else at)
            if value is OMIT:
                if param["required"]:
                    issues.append(Issue("", "required", f"need {param['name']}"))
                values.append(OMIT)
                continue
            copied, faults = json_copy(value)
            place = f"/rpc/{id}/params/{at}/schema"
            if not faults and checks and not self.service.schemas.is_valid(place, copied):
                faults = self.service.schemas.issues(place, copied) or [Issue("", "schema", "must match its schema")]
            issues += [dataclasses.replace(one, pointer=where + one.pointer) for one in faults]
            values.append(copied)
        if by_name:
            names = [one["name"] for one in declared]
            return {name: value for name, value in zip(names, values, strict=True) if value is not OMIT}, issues
        while values and values[-1] is OMIT:
            values.pop()
        return [None if one is OMIT else one for one in values], issues

    def send(self, members: Sequence[_Member], batch: bool) -> Work[None]:
        """Sends calls, batched as the limits allow, and settles them."""
        deadline = Deadline(self.settings.clock, self.settings.timeout)
        sendable: list[_Member] = []
        for member in members:
            own: Mapping[str, Any] = member.operation.get("limits", {})
            most = min(self._limits.get("payloadBytes", float("inf")), own.get("payloadBytes", float("inf")))
            if member.size <= most:
                sendable.append(member)
                continue
            message = f" was not sent: its {member.size} bytes exceed the limit of {most}"
            member.pending.settle(None, member.failures.call("invalid-input", message))
        for group in self._plan(sendable):
            # A batch of one is sent without brackets if they would exceed the limit.
            full = group[0].size + 2 > self._limits.get("payloadBytes", float("inf"))
            yield from self._send_group(group, batch and not full, deadline)

    def _plan(self, members: Sequence[_Member]) -> list[list[_Member]]:
        most: float = self._limits.get("payloadBytes", float("inf"))
        count: float = self._limits.get("batchSize", float("inf"))
        groups: list[list[_Member]] = []
        size = 0
        for member in members:
            joined = size + 1 + member.size
            if not groups or len(groups[-1]) >= count or joined > most:
                groups.append([member])
                size = 2 + member.size
            else:
                groups[-1].append(member)
                size = joined
        return groups

    def _send_group(self, members: Sequence[_Member], batch: bool, deadline: Deadline) -> Work[None]:
        """Sends one text. Idempotent calls with a temporary failure are sent again in a new batch."""
        waiting = list(members)
        attempt = 0
        while waiting:
            attempt += 1
            settings = self.settings
            try:
                outcomes, after = yield from self._exchange(waiting, batch or len(waiting) > 1, attempt, deadline)
            except TimedOut:
                for one in waiting:
                    one.pending.settle(None, one.failures.call("timeout", f": no response within {settings.timeout} s"))
                return
            except HookFailed as failed:
                for one in waiting:
                    one.pending.settle(None, cast(Exception, failed.__cause__))
                return
            passing = [one.operation.get("idempotent") is True and outcome[1] for one, outcome in zip(waiting, outcomes, strict=True)]
            wait = wait_before(attempt + 1, after, settings.retry, settings.clock) if any(passing) else None
            again: list[_Member] = []
            for member, (outcome, _), may_repeat in zip(waiting, outcomes, passing, strict=True):
                if may_repeat and wait is not None and wait < deadline.remaining():
                    again.append(member)
                elif isinstance(outcome, Result):
                    yield from self._settle(member, outcome.value)
                else:
                    member.pending.settle(None, outcome)
            waiting = again
            if waiting:
                yield Sleep(wait or 0)

    def _settle(self, member: _Member, value: Any) -> Work[None]:
        """Settles a call with its result, if it is valid or tolerated."""
        if member.id is not None:
            place = f"/rpc/{member.operation['id']}/result/schema"
            issues, is_tolerated = self.service.schemas.read(place, value, self.settings.validate_response)
            if not is_tolerated:
                error = member.failures.call("invalid-answer", ": the result does not match its schema", issues)
                return member.pending.settle(None, error)
            if issues and self.settings.on_warning is not None:
                warning = member.failures.warning("the result does not match its schema", issues)
                try:
                    yield from hook(self.settings.on_warning, warning)
                except HookFailed as failed:
                    return member.pending.settle(None, cast(Exception, failed.__cause__))
        member.pending.raw = value
        typed = None if member.id is None else self.service.converter(member.operation["id"])(value)
        return member.pending.settle(typed)

    def _exchange(
        self, members: Sequence[_Member], batch: bool, attempt: int, deadline: Deadline
    ) -> Work[tuple[list[tuple[Any, bool]], str | None]]:
        """The outcome of each call, whether it may succeed later, and Retry-After."""
        if self._link is not None:
            return (yield from self._exchange_over(self._link, members, batch, deadline)), None
        try:
            address = yield from find_address(self._place, self._auth, self.settings)
        except Exception as error:
            return [(one.failures.call("invalid-input", " was not sent", cause=error), False) for one in members], None
        self._use(address)
        text = ",".join(one.text for one in members)
        body = (f"[{text}]" if batch else text).encode("utf-8", "replace")
        try:
            methods = tuple(one.operation["method"] for one in members)
            incoming = yield from self._post(address, body, methods, attempt, deadline)
            if incoming.status == 401 and self._has_functions():
                renewed = yield from find_address(self._place, self._auth, self.settings)
                if renewed.credentials != address.credentials:
                    yield Close(incoming)
                    self._use(renewed)
                    address = renewed
                    incoming = yield from self._post(address, body, methods, attempt, deadline)
            received = yield from self._read(incoming, members, address, deadline)
        except TooLarge as error:
            return [(one.failures.call("response-too-large", f": {error}"), False) for one in members], None
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError) as error:
            return [(one.failures.call("network", f" got no response: {error}", cause=error), True) for one in members], None
        return self._http_outcomes(members, batch, incoming, received)

    def _exchange_over(self, link: Link, members: Sequence[_Member], batch: bool, deadline: Deadline) -> Work[list[tuple[Any, bool]]]:
        """The same over a link: the outcome of each call, and whether it may succeed later."""
        from .link import LinkBroken, NotSent

        text = ",".join(one.text for one in members)
        ids = [one.id for one in members if one.id is not None]
        reason: Reason
        try:
            messages = yield from link.exchange(f"[{text}]" if batch else text, ids, deadline)
            self._secrets = link.secrets
            if not ids:
                return [(Result(None), False) for _ in members]
            flat = [one for message in messages for one in (message if isinstance(message, list) else [message])]
            body = messages[0] if len(messages) == 1 else flat
            return self._outcomes(members, Matches([one.id for one in members], body, batch or len(messages) > 1))
        except (TooLarge, LinkBroken, NotSent) as error:
            self._secrets = link.secrets
            cause: BaseException | None = error.__cause__
            if isinstance(error, TooLarge):
                reason, why, cause = "response-too-large", f": {error}", None
            elif isinstance(error, NotSent):
                reason, why = "invalid-input", " was not sent"
            else:
                reason, why = "network", f" got no response: {error}"
            may_pass = isinstance(error, LinkBroken)
            return [(one.failures.call(reason, why, cause=cause), may_pass) for one in members]

    def _use(self, address: Address) -> None:
        self._secrets = address.secrets
        hide_in_logs(address.secrets)

    def _post(
        self, address: Address, body: bytes, methods: tuple[str, ...], attempt: int, deadline: Deadline
    ) -> Generator[Effect, Any, Incoming]:
        kind = "application/json"
        headers = {"accept": kind, "content-type": kind, **self.settings.headers}
        request = Outgoing("POST", address.url, headers, body, kept_redirects=True)
        return (yield from exchange(request, methods, attempt, deadline, self.settings, self._redact))

    def _redact(self, text: str) -> str:
        return redactor(self._secrets)(text)

    def _read(self, incoming: Incoming, members: Sequence[_Member], address: Address, deadline: Deadline) -> Work[str]:
        """
        The text of a response. Of an event stream, the responses in its events as one list. A notification of the server in it is a
        warning, because nothing here handles it; a request gets an error, by a request of its own.
        """
        if codec_of(incoming.headers.get("content-type", "")) != "events" or not 200 <= incoming.status < 300:
            return text_of((yield from read_bytes(incoming, deadline, self.settings.max_response_bytes)), "application/json")
        splitter = Splitter("events")
        missing = {one.id for one in members if one.id is not None}
        found: list[str] = []
        ignored: list[tuple[str, str]] = []
        while missing:
            chunk: bytes | None = yield Read(incoming, deadline)
            if chunk is None:
                break
            for piece in splitter.push(chunk):
                try:
                    message: Any = parse_json(piece["data"])
                except ValueError:
                    continue
                for one in message if isinstance(message, list) else [message]:
                    if not isinstance(one, dict):
                        continue
                    response = cast("dict[str, Any]", one)
                    if "method" in response:
                        if "id" not in response:
                            ignored.append((str(response["method"]), "a call of the server was ignored"))
                        elif not (yield from self._reject(response["id"], address, deadline)):
                            ignored.append(("", "a response to a call of the server was ignored"))
                        continue
                    missing.discard(response.get("id"))
                    if response.get("id") is None and "error" in response:
                        missing.clear()
                    found.append(write_json(response))
        yield Close(incoming)
        if self.settings.on_warning is not None:
            for method, text in ignored:
                warning = Warning(self._redact(method), text, ())
                yield from hook(self.settings.on_warning, warning)
        return found[0] if len(found) == 1 else f"[{','.join(found)}]" if found else ""

    def _reject(self, id: Any, address: Address, deadline: Deadline) -> Work[bool]:
        """Responds to a request of the server, which nothing here handles (JSON-RPC 2.0, 5.1): whether the server accepts it."""
        error = {"code": -32601, "message": "Method not found"}
        text = write_json({"jsonrpc": "2.0", "id": id, "error": error})
        try:
            incoming = yield from self._post(address, text.encode("utf-8", "replace"), (), 1, deadline)
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError):
            return False
        yield Close(incoming)
        return 200 <= incoming.status < 300

    def _http_outcomes(
        self, members: Sequence[_Member], batch: bool, incoming: Incoming, text: str
    ) -> tuple[list[tuple[Any, bool]], str | None]:
        """The outcomes of a response of HTTP, and its Retry-After."""
        after = incoming.headers.get("retry-after") if is_busy(incoming.status) else None
        try:
            body = parse_json(text)
        except ValueError as error:
            what = "not JSON" if text.strip() else "empty"
            why = (f": the response is {what}", error)
            return self._outcomes(members, why, incoming, text), after
        return self._outcomes(members, Matches([one.id for one in members], body, batch), incoming, body), after

    def _outcomes(
        self, members: Sequence[_Member], found: Matches | tuple[str, ValueError], incoming: Incoming | None = None, body: Any = None
    ) -> list[tuple[Any, bool]]:
        """The outcome of each call, and whether it may succeed later. `found` may be why the response is unreadable."""
        redact = self._redact
        # A status of HTTP outside 2xx.
        refusal = incoming if incoming is not None and not 200 <= incoming.status < 300 else None
        may_pass = refusal is not None and is_busy(refusal.status)
        outcomes: list[tuple[Any, bool]] = []
        for one in members:
            match = found.of(one.id) if isinstance(found, Matches) else None
            if isinstance(match, Rejected):
                rejection = RpcError(match.code, redact(match.message), clean(match.data, redact), one.operation["method"])
                if refusal is not None:
                    rejection.__cause__ = self._http_error(one, refusal, body)
                outcomes.append((rejection, match.code == _LIMIT_EXCEEDED or may_pass))
            elif refusal is not None:
                outcomes.append((self._http_error(one, refusal, body), may_pass))
            elif isinstance(match, Result):
                outcomes.append((match, False))
            elif one.id is None:
                outcomes.append((Result(None), False))
            elif match is None:
                text, failure = cast("tuple[str, ValueError]", found)
                outcomes.append((one.failures.call("malformed-answer", text, cause=failure), False))
            else:
                unusable = one.failures.call(match.reason, f": {match.message}")
                if match.because is not None:
                    because = match.because
                    unusable.__cause__ = RpcError(because.code, redact(because.message), clean(because.data, redact))
                outcomes.append((unusable, False))
        return outcomes

    def _http_error(self, member: _Member, incoming: Incoming, body: Any) -> HttpError:
        location = incoming.headers.get("location")
        moved = f", a redirect to {location}" if location else ""
        text = f"{member.operation['method']}: the server returned HTTP {incoming.status}{moved}"
        return member.failures.http(incoming.status, body, incoming.headers, [], text)


class Batch:
    """Collects calls. They are sent together at the end of its block, split at the limits of the document."""

    def __init__(self, calls: RpcCalls) -> None:
        self._calls = calls
        self._members: list[_Member] = []
        self._open = True

    def _add(self, id: str, params: Sequence[Any]) -> Any:
        if not self._open:
            raise RuntimeError("the batch has been sent")
        try:
            member = self._calls.member(id, params)
        except CallError as error:
            pending = Pending[Any]()
            pending.settle(None, error)
            return pending
        self._members.append(member)
        return member.pending

    def _finish(self, error: BaseException | None) -> Work[None] | None:
        self._open = False
        if error is None:
            return self._calls.send(self._members, True)
        for one in self._members:
            one.pending.settle(None, one.failures.call("aborted", " was not sent: its batch was abandoned"))
        return None
