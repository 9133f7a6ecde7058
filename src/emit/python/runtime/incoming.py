"""What the server of a link sends by itself: notifications and requests, for the handlers of the user and for subscriptions."""

from __future__ import annotations

import dataclasses
import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .effects import Await, Spawn, Work
from .errors import CallError, Issue, RpcError
from .failures import Failures
from .json_text import json_copy, step, write_json
from .options import Settings
from .redact import redactor
from .service import Service

if TYPE_CHECKING:
    from .link import Link
    from .subscriptions import Subscriptions

_log = logging.getLogger(__name__)

_MOST_RUNNING = 1_000
"""Calls of the server that wait or run at once."""


@dataclass(slots=True)
class Sent:
    """The params of a message of the server: as values of their types, or with the error that rejects them."""

    raw: Any
    values: list[Any]
    error: CallError | None = None


@dataclass(slots=True)
class _Job:
    """One call of the server, for its handler. Without an operation, it has no handler."""

    call: Mapping[str, Any]
    operation: Mapping[str, Any] | None = None
    sent: Sent | None = None


class Incoming:
    """Raises TypeError for a handler of another method."""

    def __init__(self, link: Link, service: Service, settings: Settings, subscriptions: Subscriptions) -> None:
        known: Mapping[str, Mapping[str, Any]] = service.document.get("sent", {})
        for id, handler in settings.handlers.items():
            if id not in known:
                raise TypeError(f"handlers takes no '{id}'; it takes {', '.join(known)}")
            if not callable(handler):
                raise TypeError(f"handlers['{id}'] must be a function")
        self._methods = {one["method"]: one for one in known.values()}
        self._link = link
        self._service = service
        self._settings = settings
        self._subscriptions = subscriptions
        self._lock = threading.Lock()
        self.running = 0

    def serve(self, connection: Any, calls: Sequence[Mapping[str, Any]], is_batch: bool) -> Work[None]:
        """Gives the calls in one text to subscriptions and handlers, in their order. Responses are sent together."""
        jobs: list[_Job] = []
        for call in calls:
            operation = self._methods.get(call["method"])
            is_request = "id" in call
            is_item = operation is not None and not is_request and self._subscriptions.takes(operation)
            handler = operation and self._settings.handlers.get(operation["id"])
            if operation is None or not (handler or is_item):
                if is_request:
                    jobs.append(_Job(call))
                else:
                    yield from self._link.ignore(call["method"], "a call of the server")
                continue
            sent = yield from self._read(operation, call.get("params"))
            if is_item and self._subscriptions.offer(operation, sent):
                continue
            if handler:
                jobs.append(_Job(call, operation, sent))
            else:
                yield from self._link.ignore(call["method"], "a call of the server")
        if not jobs:
            return
        with self._lock:
            is_busy = self.running + len(jobs) > _MOST_RUNNING
            self.running += 0 if is_busy else len(jobs)
        if not is_busy:
            yield Spawn(self._handle(connection, jobs, is_batch), in_turn=True)
            return
        for job in jobs:
            if "id" not in job.call:
                yield from self._link.ignore(job.call["method"], "one call of too many of the server")
            else:
                yield from self._send(connection, _failure(job.call["id"], -32005, "Too many calls at once"))

    def pass_on(self, operation: Mapping[str, Any], sent: Sent) -> Work[None]:
        """Gives a notification to its handler, which no subscription took."""
        if self._settings.handlers.get(operation["id"]) is None:
            yield from self._link.ignore(operation["method"], "a call of the server")
        else:
            yield from self._handle_one(_Job({"method": operation["method"]}, operation, sent))

    def _handle(self, connection: Any, jobs: Sequence[_Job], is_batch: bool) -> Work[None]:
        try:
            texts: list[str] = []
            for job in jobs:
                text = yield from self._handle_one(job)
                texts += [] if text is None else [text]
            if texts:
                yield from self._send(connection, f"[{','.join(texts)}]" if is_batch else texts[0])
        finally:
            with self._lock:
                self.running -= len(jobs)

    def _send(self, connection: Any, text: str) -> Work[None]:
        try:
            yield Await(connection.send, (text,))
        except Exception as error:
            # The connection ended, so nobody waits for the response.
            _log.debug("a response was not sent: %s", type(error).__name__)

    def _handle_one(self, job: _Job) -> Work[str | None]:
        """Calls a handler. The text of the response, or None for a notification."""
        call, operation, sent = job.call, job.operation, job.sent
        is_request = "id" in call
        id = call.get("id")
        if operation is None or sent is None:
            return _failure(id, -32601, "Method not found")
        if sent.error is not None:
            if is_request:
                return _failure(id, -32602, "Invalid params")
            failures = Failures(operation["method"], lambda: redactor(self._link.secrets))
            yield from self._link.warn(failures.warning(sent.error.message, sent.error.issues))
            return None
        try:
            result = yield Await(self._settings.handlers[operation["id"]], tuple(sent.values))
            if not is_request:
                return None
            copied, issues = json_copy(result)
            place = f"/sent/{operation['id']}/result/schema"
            if self._settings.validate_request != "off" and not issues:
                issues = self._service.schemas.read(place, copied, "strict")[0]
            if issues:
                failures = Failures(operation["method"], lambda: redactor(self._link.secrets))
                raise failures.call("invalid-input", ": the result of its handler does not match its schema", issues)
            return write_json({"jsonrpc": "2.0", "id": id, "result": copied})
        except RpcError as error:
            if is_request:
                return _failure(id, error.code, error.message, error.data)
            _log.error("the handler of %s failed", operation["method"], exc_info=error)
        except Exception as error:
            _log.error("the handler of %s failed", operation["method"], exc_info=error)
            return _failure(id, -32603, "Internal error") if is_request else None
        return None

    def _read(self, operation: Mapping[str, Any], raw: Any) -> Work[Sent]:
        """The params of a message, validated as results are. What is tolerated is reported."""
        failures = Failures(operation["method"], lambda: redactor(self._link.secrets))
        declared: Sequence[Mapping[str, Any]] = operation["params"]
        by_name = isinstance(raw, dict)
        structure = operation["paramStructure"]
        takes = {"by-name": (dict,), "by-position": (list,)}.get(structure, (dict, list))
        if raw is not None and not isinstance(raw, takes):
            shape = "an object" if structure == "by-name" else "an array"
            return Sent(raw, [], failures.call("invalid-answer", f": the params of the message must be {shape}"))
        issues: list[Issue] = []
        values: list[Any] = []
        is_tolerated = True
        how = self._settings.validate_response
        schemas = self._service.schemas
        for at, param in enumerate(declared):
            name = param["name"] if by_name else at
            is_given = name in raw if isinstance(raw, dict) else raw is not None and at < len(raw)
            value: Any = raw[name] if raw is not None and is_given else None
            if value is None and not param["required"] and how != "strict":
                is_given = is_given and param.get("acceptsNull") is True
            if not is_given:
                if param["required"] and how != "off":
                    issues.append(Issue("", "required", f"need {param['name']}"))
                    is_tolerated = False
                values.append(None)
                continue
            found, may_pass = schemas.read(f"/sent/{operation['id']}/params/{at}/schema", value, how)
            issues += [dataclasses.replace(one, pointer=step(name) + one.pointer) for one in found]
            is_tolerated = is_tolerated and may_pass
            values.append(self._service.converter(f"{operation['id']}.{at}")(value))
        if issues and not is_tolerated:
            return Sent(raw, [], failures.call("invalid-answer", ": the message does not match its schema", issues))
        if issues:
            yield from self._link.warn(failures.warning("the message does not match its schema", issues))
        return Sent(raw, values)


def _failure(id: Any, code: int, message: str, data: Any = None) -> str:
    copied, issues = json_copy(data)
    error = {"code": code, "message": message, **({} if data is None or issues else {"data": copied})}
    return write_json({"jsonrpc": "2.0", "id": id, "error": error})
