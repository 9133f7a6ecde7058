"""HTTP clients: one path of a call, request to response, in `HttpCalls`; `Http` and `AsyncHttp` run it."""

from __future__ import annotations

import base64
import copy
import dataclasses
import re
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import httpx2

from .address import Address, Credentials, Place, check_secret, choose_place, find_address, without_origin
from .bodies import Download, choose_content, pointer, sendable, write_body
from .content import Content, codec_of, declared_content, file_name, response_codec, text_of
from .effects import Close, Deadline, Incoming, Item, Read, Sleep, TimedOut, Work
from .errors import CallError, HttpError, Issue
from .exchange import HookFailed, Outgoing, TooLarge, exchange, hook, is_busy, is_header, read_bytes, wait_before
from .failures import Failures
from .json_text import json_copy, parse_json, write_json
from .options import OMIT, CallOptions, Settings
from .pages import PageTurner
from .redact import header_secrets, hide_in_logs, redactor
from .schemas import Reading
from .serialize import encode_strictly, has_bracket_in_key, serialize_parameter, shared_delimiter
from .service import Service
from .settings import changed_settings, check_poll
from .streams import LONGEST_ITEM, Splitter, item_of

T = TypeVar("T")

Fields = Mapping[str, Any]
"""
Arguments of a call: `path.id`, `query.limit`, `body.name` of a property, `null.name` of one that may be null, `body` and
`contentType`.
"""

_PLACES = ("path", "query", "header", "cookie")


@dataclass(slots=True)
class Answer:
    """A response that was read."""

    status: int
    headers: Mapping[str, str]
    body: Any


class HttpCalls:
    """The calls of one client, as work for a driver."""

    def __init__(self, service: Service, server: str | None, auth: Credentials, settings: Settings) -> None:
        self.service = service
        self.settings = settings
        self._server = server
        self._auth = {name: value for name, value in auth.items() if value is not None}
        self._places: dict[str, Place | None] = {}
        for name, value in self._auth.items():
            if not callable(value):
                check_secret(name, value)
        document = service.document
        self._operations: Mapping[str, Mapping[str, Any]] = document["http"]
        self._servers: Sequence[Mapping[str, Any]] = document["servers"]["http"]
        self._check_address()

    def __repr__(self) -> str:
        return "HttpCalls()"

    def with_settings(self, options: CallOptions) -> HttpCalls:
        """The same calls with other options."""
        changed = copy.copy(self)
        changed.settings = changed_settings(self.settings, options)
        return changed

    def _check_address(self) -> None:
        """Invalid options are found when a client is made, not at its first call."""
        checked_servers: list[Any] = []
        named = False
        for id, operation in self._operations.items():
            servers = operation["servers"] or self._servers
            if servers in checked_servers:
                continue
            checked_servers.append(servers)
            place = self._place(id)
            named = named or place is not None
            if place is not None and not any(callable(self._auth.get(name)) for name in place.names):
                for _ in find_address(place, self._auth, self.settings):
                    pass
        if not named and checked_servers:
            choose_place([one for servers in checked_servers for one in servers], self._server, "", [])

    def _place(self, id: str) -> Place | None:
        """The server of an operation; None if only other operations have one of the chosen name."""
        if id not in self._places:
            operation = self._operations[id]
            servers: Sequence[Mapping[str, Any]] = operation["servers"] or self._servers
            names = _credential_names(operation)
            path = without_origin(servers[0]["url"]) if servers else ""
            others = [one for each in self._operations.values() for one in each["servers"]] + list(self._servers)
            mine = any(one["name"] == self._server for one in servers)
            elsewhere = self._server is not None and not mine and any(one["name"] == self._server for one in others)
            place = None if elsewhere else choose_place(servers, self._server, path, names)
            if place is not None and not place.is_documented:
                _check_placed(place, servers, self._auth)
            self._places[id] = place
        return self._places[id]

    def call(self, id: str, fields: Fields) -> Work[Any]:
        """One call: its typed result."""
        answer = yield from self._answer(id, fields)
        return answer.body if isinstance(answer.body, (str, bytes)) else self.service.converter(id)(answer.body)

    def _answer(self, id: str, fields: Fields) -> Work[Answer]:
        call = _Call(self, id, self.settings.timeout)
        return (yield from call.run(fields, call.read))

    def stream(self, id: str, fields: Fields) -> Work[None]:
        """One call whose result is a stream of items."""
        call = _Call(self, id, self.settings.timeout)
        incoming: Incoming = yield from call.run(fields, call.open)
        yield from call.items(incoming, fields)

    def pages(self, id: str, fields: Fields, each: str) -> Work[None]:
        """The pages of a list (`each` is `page`), or the items of all of them (`item`)."""
        operation = self._operations[id]
        failures = Failures(id, lambda: redactor([]))
        turner = PageTurner(operation["pages"], lambda text: failures.call("invalid-answer", f": {text}"))
        places = {one["name"]: f"{one['in']}.{one['name']}" for one in operation["parameters"]}
        whole = self.service.converter(id)
        single = self.service.converter(f"{id}.item") if each == "item" else whole
        asked = dict(fields)
        while True:
            answer = yield from self._answer(id, asked)
            for one in turner.items(answer.body) if each == "item" else [answer.body]:
                yield Item(single(one))
            following = turner.turn(answer.body, answer.headers, lambda name: asked.get(places[name]))
            if following is None:
                return
            asked |= {places[name]: value for name, value in following.items()}

    def poll(self, id: str, fields: Fields, interval: float | Callable[[int], float] | None, timeout: float | None) -> Work[None]:
        """Repeats a call until its record is final: each changed record, and the final one last."""
        check_poll(interval, timeout)
        return self._poll(id, fields, interval, timeout)

    def _poll(self, id: str, fields: Fields, interval: float | Callable[[int], float] | None, timeout: float | None) -> Work[None]:
        poll = self._operations[id]["poll"]
        order: list[str] = poll["order"]
        failures = Failures(id, lambda: redactor([]))
        deadline = Deadline(self.settings.clock, timeout)
        convert = self.service.converter(id)
        last, reached, asked = "", -1, 0
        ended = failures.call("timeout", f": not final within {timeout} s")
        while True:
            asked += 1
            if deadline.remaining() <= 0:
                raise ended
            own = self.settings.timeout
            left = deadline.remaining()
            call = _Call(self, id, left if own is None or left < own else own)
            try:
                answer = yield from call.run(fields, call.read)
            except CallError as error:
                if error.reason == "timeout" and deadline.remaining() <= 0:
                    raise ended from None
                raise
            state = str(answer.body.get(poll["field"])) if isinstance(answer.body, dict) else ""
            at = order.index(state) if state in order else -1
            if at != -1 and at < reached:
                raise failures.call("invalid-answer", f": {poll['field']} went back from {order[reached]} to {state}")
            reached = max(reached, at)
            text = write_json(answer.body)
            if text != last:
                yield Item(convert(answer.body))
            last = text
            if state in poll["terminal"]:
                return
            wait = interval(asked) if callable(interval) else min(0.5 * 1.5 ** (asked - 1), 5.0) if interval is None else interval
            yield Sleep(min(wait, max(0.0, deadline.remaining())))


class _Call:
    """One call of one operation."""

    def __init__(self, calls: HttpCalls, id: str, timeout: float | None) -> None:
        self._calls = calls
        self.id = id
        self.operation: Mapping[str, Any] = calls._operations[id]
        self.settings = calls.settings
        self.deadline = Deadline(self.settings.clock, timeout)
        self.timeout = timeout
        self.secrets: list[str] = header_secrets(self.settings.headers.items())
        self.failures = Failures(id, lambda: redactor(self.secrets))
        self.variant: str | None = None
        self.warnings: list[tuple[str, list[Issue]]] = []
        self.streams = False

    def run(self, fields: Fields, read: Callable[[Incoming], Work[T]]) -> Work[T]:
        """Sends the request, with a renewed credential after a 401, and reads the response."""
        try:
            address = yield from self._address()
            result = yield from self._attempts(fields, address, read)
            if isinstance(result, HttpError) and result.status == 401 and self._renews():
                renewed = yield from self._address()
                if renewed.credentials != address.credentials:
                    result = yield from self._attempts(fields, renewed, read)
        except TimedOut:
            raise self.failures.call("timeout", f": no response within {self.timeout} s") from None
        except HookFailed as failed:
            raise cast(BaseException, failed.__cause__) from None
        if isinstance(result, HttpError):
            raise result
        return result

    def _renews(self) -> bool:
        place = self._calls._place(self.id)
        return place is not None and any(callable(self._calls._auth.get(name)) for name in place.names)

    def _address(self) -> Work[Address]:
        place = self._calls._place(self.id)
        if place is None:
            raise self.failures.call("invalid-input", " has no server of the chosen name: give a URL")
        try:
            address = yield from find_address(place, self._calls._auth, self.settings)
        except Exception as error:
            raise self.failures.call("invalid-input", ": the credentials could not be obtained", cause=error)
        self.secrets = address.secrets + header_secrets(self.settings.headers.items())
        hide_in_logs(self.secrets)
        return address

    def _attempts(self, fields: Fields, address: Address, read: Callable[[Incoming], Work[T]]) -> Work[T | HttpError]:
        request = self._write(fields, address)
        settings = self.settings
        key = self.operation.get("idempotencyKey", "idempotency-key").lower()
        safe = self.operation.get("idempotent") is True or key in request.headers
        retried = safe and (request.body is None or isinstance(request.body, bytes))
        attempt = 0
        while True:
            attempt += 1
            outcome = yield from self._attempt(request, attempt, read)
            failed = isinstance(outcome, CallError)
            if retried and (failed or (isinstance(outcome, HttpError) and is_busy(outcome.status))):
                after = outcome.headers.get("retry-after") if isinstance(outcome, HttpError) else None
                wait = wait_before(attempt + 1, after, settings.retry, settings.clock)
                if wait is not None and wait < self.deadline.remaining():
                    yield Sleep(wait)
                    continue
            if isinstance(outcome, CallError):
                raise outcome
            return outcome

    def _attempt(self, request: Outgoing, attempt: int, read: Callable[[Incoming], Work[T]]) -> Work[T | HttpError | CallError]:
        self.warnings = []
        try:
            incoming = yield from exchange(request, (self.id,), attempt, self.deadline, self.settings, self._redact)
            result: T | HttpError
            try:
                result = yield from read(incoming)
            except HttpError as error:
                result = error
        except TooLarge as error:
            raise self.failures.call("response-too-large", f": {error}") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError) as error:
            return self.failures.call("network", f": no response: {error}", cause=error)
        for text, issues in self.warnings:
            if self.settings.on_warning is not None:
                yield from hook(self.settings.on_warning, self.failures.warning(text, issues))
        return result

    def _redact(self, text: str) -> str:
        return redactor(self.secrets)(text)

    # Writing a request

    def _write(self, fields: Fields, address: Address) -> Outgoing:
        operation, settings = self.operation, self.settings
        issues: list[Issue] = []
        texts: dict[str, list[tuple[str, str]]] = {place: [] for place in _PLACES}
        checks = settings.validate_request != "off"
        idempotency: str | None = operation.get("idempotencyKey")
        for at, parameter in enumerate(operation["parameters"]):
            name, place = parameter["name"], parameter["in"]
            value = fields.get(f"{place}.{name}")
            if value is None and place == "header" and name == idempotency:
                continue
            if value is None and parameter.get("secret"):
                value = address.credentials.get(name)
            text = self._parameter(parameter, at, value, checks, issues)
            if text is not None:
                texts[place].append((name, text))
        body = self._body(fields, checks, issues)
        auth = _authorize(operation, address.credentials, issues)
        if issues:
            raise self.failures.call("invalid-input", ": the input is not valid", issues)
        values = dict(texts["path"])
        path = re.sub(r"\{([^{}]+)\}", lambda found: values.get(found[1], found[0]), operation["path"])
        if _climbs(operation["path"], path):
            issue = Issue("/path", "pattern", "must not produce a path segment . or ..")
            raise self.failures.call("invalid-input", ": the input is not valid", [issue])
        cookies = [text for _, text in texts["cookie"]] + auth.cookies
        if settings.headers.get("cookie"):
            cookies.append(settings.headers["cookie"])
        headers: dict[str, str] = {"accept": self._accept(fields)}
        if idempotency is not None:
            headers[idempotency.lower()] = str(uuid.uuid4())
        headers |= settings.headers
        if body is not None:
            headers["content-type"] = body.content_type
        headers |= {name.lower(): text for name, text in texts["header"]}
        if cookies:
            headers["cookie"] = "; ".join(cookies)
        headers |= auth.headers
        wrong = [name for name, value in headers.items() if not is_header(value)]
        if wrong:
            shown = {one["name"].lower(): one["name"] for one in operation["parameters"]}
            message = "has a character that HTTP does not allow in a header"
            faults = [Issue(pointer("header", shown.get(name, name)), "format", message) for name in wrong]
            raise self.failures.call("invalid-input", ": the input is not valid", faults)
        base, _, own = address.url.partition("#")[0].partition("?")
        query = "&".join([*([own] if own else []), *(text for _, text in texts["query"] if text), *auth.query])
        url = f"{base}{path}{query and f'?{query}'}"
        content: bytes | Iterable[bytes] | None = None if body is None else body.stream if body.content is None else body.content
        return Outgoing(operation["method"], url, headers, content, _secret_headers(operation))

    def _parameter(self, parameter: Mapping[str, Any], at: int, passed: Any, checks: bool, issues: list[Issue]) -> str | None:
        name, place = parameter["name"], parameter["in"]
        where = pointer(place, name)
        if passed is None:
            if parameter["required"]:
                hint = ", here or as an option of the client" if parameter.get("secret") else ""
                issues.append(Issue(where, "required", f"is required{hint}"))
            return None
        value, faults = json_copy(passed)
        place_of = f"/http/{self.id}/parameters/{at}/schema"
        if not faults and checks:
            faults = self._faults(place_of, value)
        if not faults:
            delimiter = shared_delimiter(parameter, value)
            if delimiter is not None:
                faults = [Issue("", "style", f"contains '{delimiter}', which separates values here")]
            elif parameter["style"] == "deepObject" and has_bracket_in_key(value):
                faults = [Issue("", "style", "has a key with a bracket, which deepObject cannot write")]
        if faults:
            issues += [dataclasses.replace(one, pointer=where + one.pointer) for one in faults]
            return None
        text = serialize_parameter(parameter, value)
        if parameter["required"] and (text is None or (text == "" and place != "header")):
            issues.append(Issue(where, "minLength", "must not be empty"))
        return text

    def _faults(self, place: str, value: Any) -> list[Issue]:
        schemas = self._calls.service.schemas
        if schemas.is_valid(place, value):
            return []
        return schemas.issues(place, value) or [Issue("", "schema", "must match its schema")]

    def _body(self, fields: Fields, checks: bool, issues: list[Issue]) -> Any:
        declared = self.operation.get("body")
        if declared is None:
            return None
        body = fields.get("body", OMIT)
        if body is OMIT:
            properties = _properties(fields)
            if not properties and not declared["required"]:
                return None
            if not properties and "body" in fields:
                issues.append(Issue("/body", "required", "is required"))
                return None
            body = properties
        contents: Sequence[Content] = declared["content"]
        media_type, known, codec = choose_content(contents, fields.get("contentType"), body)
        if checks and known is None:
            types = " or ".join(one["type"] for one in contents)
            issues.append(Issue("/body", "contentType", f"must be sent as {types}"))
            return None
        encoding: Mapping[str, Any] = (known or {}).get("encoding", {})
        sent, values, faults = sendable(body, codec, encoding)
        if not faults and checks and known is not None:
            place = f"/http/{self.id}/body/content/{list(contents).index(known)}/schema"
            faults = next((found for one in values if (found := self._faults(place, one))), [])
        if faults:
            issues += [dataclasses.replace(one, pointer=f"/body{one.pointer}") for one in faults]
            return None
        if values:
            self.variant = self._variant_of(values[0])
        if isinstance(sent, dict) and "streamDefault" in self.operation:
            members = cast("dict[str, Any]", sent)
            self.streams = members.get("stream", self.operation["streamDefault"]) is True
        try:
            written = write_body(sent, media_type, codec, encoding)
        except TypeError as error:
            issues.append(Issue("/body", "contentType", str(error)))
            return None
        limits: Mapping[str, Any] = self._calls.service.document["limits"]["http"] | self.operation.get("limits", {})
        most = limits.get("payloadBytes")
        if most is not None and written.content is not None and len(written.content) > most:
            size = len(written.content)
            issues.append(Issue("/body", "payloadBytes", f"has {size} bytes, more than the {most} allowed"))
        return written

    def _variant_of(self, value: Any) -> str | None:
        schemas = self._calls.service.schemas
        for one in self.operation.get("variants", ()):
            if schemas.is_valid(f"/schemas/{one['request']}", value):
                return one["name"]
        return None

    def _accept(self, fields: Fields) -> str:
        responses = self.operation["responses"]
        success = [one for one in responses if one["status"].startswith("2")] or responses
        contents = [content for one in success for content in one["content"]]
        json = [one["type"] for one in contents if one["codec"] == "json"]
        streams = [one["type"] for one in contents if "stream" in one]
        if "streamDefault" in self.operation:
            streams = streams if self.streams else []
            if streams and json:
                return ", ".join(dict.fromkeys([*streams, *(f"{one};q=0.9" for one in json)]))
        elif json:
            streams = streams if fields.get("stream") else []
            if streams:
                return ", ".join(dict.fromkeys([*streams, *(f"{one};q=0.9" for one in json)]))
        return ", ".join(dict.fromkeys(json or [one["type"] for one in contents])) or "*/*"

    # Reading a response

    def read(self, incoming: Incoming) -> Work[Answer]:
        """The response, validated. Raises an HttpError for an error response, and a CallError for one that is of no use."""
        found = yield from self._described(incoming)
        if found is None:
            return Answer(incoming.status, incoming.headers, None)
        key, contents = found
        sent = incoming.headers.get("content-type")
        preferred = [one for one in contents if one["codec"] == "json"] or [one for one in contents if "stream" not in one]
        content = declared_content(preferred, sent)
        content = content or next((one for one in preferred if one["type"] == "application/octet-stream"), None)
        if content is None:
            raise (yield from self._wrong_type(incoming, preferred, sent))
        codec: str = content["codec"]
        codec = response_codec(sent or "") if codec == "any" else codec
        body = yield from read_bytes(incoming, self.deadline, self.settings.max_response_bytes)
        if codec == "text":
            return Answer(incoming.status, incoming.headers, text_of(body, sent))
        if codec != "json":
            download = Download(body)
            download.media_type = sent or ""
            download.name = file_name(incoming.headers.get("content-disposition", ""))
            return Answer(incoming.status, incoming.headers, download)
        value = self._json(text_of(body, "application/json"))
        self._raise_variant_error(incoming, value)
        status = incoming.status
        place = self._place_of(key, content)
        shown = "its schema" if key == str(status) else f"the schema of {key}"
        self._validate(place, value, f": the response ({status}) does not match {shown}")
        return Answer(status, incoming.headers, _with_aliases(value, self.operation.get("sameAs", ())))

    def _described(self, incoming: Incoming) -> Work[tuple[str, Sequence[Content]] | None]:
        """The declared response of a success; None if it has no body."""
        status, responses = incoming.status, self.operation["responses"]
        described = _declared(responses, status)
        success_keys = any(one["status"].startswith("2") for one in responses)
        error_default = described is not None and described["status"] == "default" and success_keys
        if not 200 <= status < 300 or error_default:
            raise (yield from self._rejection(incoming, described))
        if described is None and success_keys:
            yield Close(incoming)
            raise self.failures.call("malformed-answer", f": returned {status}", [_UNDOCUMENTED])
        contents: Sequence[Content] = _ANY if described is None else described["content"]
        if not contents or self.operation["method"] == "HEAD" or status in (204, 205):
            yield Close(incoming)
            return None
        return ("" if described is None else described["status"]), contents

    def _json(self, text: str) -> Any:
        try:
            return parse_json(text)
        except ValueError as error:
            what = "text that is not JSON" if text else "an empty body"
            raise self.failures.call("malformed-answer", f": returned {what} where JSON is documented", cause=error)

    def _place_of(self, key: str, content: Content) -> str:
        for at, response in enumerate(self.operation["responses"]):
            if response["status"] == key:
                for index, one in enumerate(response["content"]):
                    if one is content:
                        return f"/http/{self.id}/responses/{at}/content/{index}/schema"
        return ""

    def _validate(self, place: str, value: Any, text: str) -> None:
        """Raises a CallError for a value that differs from its schema; remembers what is tolerated."""
        reading = self.settings.validate_response
        if reading == "off" or place == "":
            return
        schemas = self._calls.service.schemas
        if self.variant is not None and place.endswith("/schema"):
            own = next(one for one in self.operation["variants"] if one["name"] == self.variant)
            places = [f"/schemas/{name}" for name in own["responses"]]
        else:
            places = [place]
        first: Reading = "strict" if reading == "strict" else "open"
        if any(schemas.is_valid(one, value, first) for one in places):
            return
        issues = schemas.issues(places[0] if len(places) == 1 else place, value, first)
        if reading == "tolerant" and any(schemas.is_valid(one, value, "tolerant") for one in places):
            self.warnings.append(("the response differs from the document", issues))
            return
        raise self.failures.call("invalid-answer", text, issues or [Issue("", "schema", "must match its schema")])

    def _raise_variant_error(self, incoming: Incoming, value: Any) -> None:
        schemas = self._calls.service.schemas
        reading: Reading = "strict" if self.settings.validate_response == "strict" else "open"
        for one in self.operation.get("variants", ()):
            if self.variant in (None, one["name"]):
                for name in one["errors"]:
                    if schemas.is_valid(f"/schemas/{name}", value, reading):
                        raise self._http_error(incoming, value, [], f"/schemas/{name}")

    def _rejection(self, incoming: Incoming, described: Mapping[str, Any] | None) -> Work[HttpError]:
        sent = incoming.headers.get("content-type")
        declared: Sequence[Content] = [] if described is None else described["content"]
        content = declared_content(declared, sent)
        raw = yield from read_bytes(incoming, self.deadline, self.settings.max_response_bytes)
        is_text = content is not None and content["codec"] not in ("any", "json")
        text = text_of(raw, sent if is_text else "application/json")
        body: Any = text or None
        is_json = False
        if not is_text and self.operation["method"] != "HEAD":
            try:
                body, is_json = parse_json(text), True
            except ValueError:
                pass
        if described is None:
            return self._http_error(incoming, body, [_UNDOCUMENTED], "")
        if declared and content is None:
            types = " or ".join(one["type"] for one in declared)
            issue = Issue("", "content", f"is {sent or 'no Content-Type'} where {types} is expected")
            return self._http_error(incoming, body, [issue], "")
        issues: list[Issue] = []
        place = "" if content is None or is_text else self._place_of(described["status"], content)
        if place:
            schemas = self._calls.service.schemas
            reading = self.settings.validate_response
            if reading != "off" and not schemas.is_valid(place, body, "strict" if reading == "strict" else "open"):
                found = schemas.issues(place, body, "open")
                if reading == "tolerant" and is_json and schemas.is_valid(place, body, "tolerant"):
                    self.warnings.append(("the response differs from the document", found))
                else:
                    issues = found or [Issue("", "schema", "must match its schema")]
        return self._http_error(incoming, body, issues, place)

    def _http_error(self, incoming: Incoming, body: Any, issues: list[Issue], place: str) -> HttpError:
        """The error of the operation's own class, whose body is typed, if the body is a documented one."""
        error = self.failures.http(incoming.status, body, incoming.headers, issues)
        own = self._calls.service.errors.get(self.id)
        if own is None or issues or not place:
            return error
        typed = self._calls.service.converter(f"{self.id}.error")(error.body)
        made = own(error.operation, error.status, typed, error.message, error.headers)
        return cast(HttpError, made)

    def _wrong_type(self, incoming: Incoming, expected: Sequence[Content], sent: str | None) -> Work[CallError]:
        text = None
        if codec_of(sent or "") in ("events", "lines", "sequence"):
            # A stream may have no end.
            yield Close(incoming)
        else:
            text = text_of((yield from read_bytes(incoming, self.deadline, self.settings.max_response_bytes)), sent)
        types = " or ".join(one["type"] for one in expected)
        message = f": returned {sent or 'no Content-Type'} where {types} is expected"
        return self.failures.call("malformed-answer", message, response=(incoming.status, sent, text))

    # Streams

    def open(self, incoming: Incoming) -> Work[Incoming]:
        """The head of a stream."""
        found = yield from self._described(incoming)
        sent = incoming.headers.get("content-type")
        streams = [] if found is None else [one for one in found[1] if "stream" in one]
        content = declared_content(streams, sent)
        if found is None or content is None:
            raise (yield from self._wrong_type(incoming, streams, sent))
        incoming.content, incoming.key = content, found[0]
        return incoming

    def items(self, incoming: Incoming, fields: Fields) -> Work[None]:
        """The items of a stream. A GET whose events have ids is continued with Last-Event-ID."""
        current = incoming
        try:
            yield from self._items(current, fields)
        except (TimedOut, httpx2.HTTPError, httpx2.StreamError, OSError) as error:
            yield Close(current)
            raise self.failures.call("network", f": the stream was interrupted: {error}", cause=error)
        except HookFailed as failed:
            raise cast(BaseException, failed.__cause__) from None
        except GeneratorExit:
            raise
        except BaseException:
            yield Close(current)
            raise

    def _items(self, incoming: Incoming, fields: Fields) -> Work[None]:
        content = incoming.content
        stream: Mapping[str, Any] = content["stream"]
        end: str | None = stream.get("end") or ("[DONE]" if stream["data"] == "json" else None)
        convert = self._calls.service.converter(f"{self.id}.item")
        place = self._place_of(incoming.key, content)
        patient = Deadline(self.settings.clock, None)
        splitter = Splitter(content["codec"])
        count, attempt = 0, 1
        while True:
            failure: Exception | None = None
            chunk: bytes | None = None
            try:
                chunk = yield Read(incoming, patient)
            except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
                failure = error
            pieces = splitter.end() if chunk is None and failure is None else [] if chunk is None else splitter.push(chunk)
            if splitter.waiting() > LONGEST_ITEM:
                raise self.failures.call("malformed-answer", f": an item exceeds {LONGEST_ITEM} characters")
            for piece in pieces:
                if piece["data"] == end:
                    yield Close(incoming)
                    return
                count += 1
                attempt = 1
                try:
                    item = item_of(piece, stream)
                except ValueError as error:
                    what = "truncated" if piece.cut_off else "not JSON"
                    raise self.failures.call("malformed-answer", f": item {count} of the stream is {what}", cause=error)
                self.warnings = []
                self._validate(place, item, f": item {count} of the stream does not match its schema")
                for text, issues in self.warnings:
                    if self.settings.on_warning is not None:
                        yield from hook(self.settings.on_warning, self.failures.warning(text, issues))
                yield Item(convert(item))
            if chunk is not None:
                continue
            whole = failure is None and ("end" not in stream or splitter.pending() == stream["end"])
            if whole:
                return
            attempt += 1
            again = yield from self._again(splitter, attempt, fields)
            if again is None:
                if failure is not None:
                    raise failure
                raise self.failures.call("network", f": the stream ended without {end}, which marks its end")
            if again.status == 204:
                return
            incoming, splitter = again, Splitter(content["codec"], splitter.last_id)

    def _again(self, splitter: Splitter, attempt: int, fields: Fields) -> Work[Incoming | None]:
        """The response that continues a stream; None if it must not be repeated."""
        retry = self.settings.retry
        if not splitter.last_id or self.operation["method"] != "GET":
            return None
        if splitter.retry is not None:
            retry = dataclasses.replace(retry, delay=splitter.retry)
        wait = wait_before(attempt, None, retry, self.settings.clock)
        if wait is None:
            return None
        yield Sleep(wait)
        last = splitter.last_id.encode().decode("latin-1")
        headers = {**self.settings.headers, "last-event-id": last}
        calls = copy.copy(self._calls)
        calls.settings = dataclasses.replace(self.settings, headers=headers, retry=dataclasses.replace(retry, attempts=1))
        call = _Call(calls, self.id, self.timeout)
        return (yield from call.run(fields, call.reopen))

    def reopen(self, incoming: Incoming) -> Work[Incoming]:
        """The head of a response that continues a stream; 204 says that there are no more items."""
        return incoming if incoming.status == 204 else (yield from self.open(incoming))


_ANY: Sequence[Content] = ({"type": "*/*", "codec": "any", "schema": True},)
_UNDOCUMENTED = Issue("", "responses", "has a status that is not documented")


@dataclass(slots=True, repr=False)
class _Authorization:
    headers: dict[str, str]
    query: list[str]
    cookies: list[str]


def _declared(responses: Sequence[Mapping[str, Any]], status: int) -> Mapping[str, Any] | None:
    for wanted in (str(status), f"{status // 100}XX", "default"):
        for one in responses:
            if one["status"] == wanted:
                return one
    return None


def _credential_names(operation: Mapping[str, Any]) -> list[str]:
    schemes = operation["schemes"]
    secret = [one["name"] for one in operation["parameters"] if one.get("secret")]
    named = [name for names in operation["security"] for name in names]
    return secret + [name for name in named if name in schemes and schemes[name]["kind"] != "outside"]


def _check_placed(place: Place, servers: Sequence[Mapping[str, Any]], auth: Credentials) -> None:
    for one in servers:
        for name in re.findall(r"\{([^{}]+)\}", one["url"]):
            declared = one["variables"].get(name)
            if (declared is None or declared.get("secret")) and name in auth and name not in place.names:
                raise TypeError(f"the server already has a value in the place of {name}: write {{{name}}} there")


def _authorize(operation: Mapping[str, Any], credentials: Credentials, issues: list[Issue]) -> _Authorization:
    """The first alternative with credentials for all its schemes; else nothing, if the document allows that."""
    made = _Authorization({}, [], [])
    security: Sequence[Sequence[str]] = operation["security"]
    schemes: Mapping[str, Mapping[str, Any]] = operation["schemes"]

    def outside(name: str) -> bool:
        return name in schemes and schemes[name]["kind"] == "outside"

    chosen = next((names for names in security if names and all(name in credentials for name in names)), None)
    if chosen is None:
        chosen = next((names for names in security if names and all(outside(name) or name in credentials for name in names)), None)
    if chosen is None and security and [] not in security:
        missing = [" and ".join(name for name in names if not outside(name) and name not in credentials) for names in security]
        issues.append(Issue("/auth", "required", f"needs the credentials {', or '.join(missing)}"))
    for name in chosen or ():
        scheme = schemes.get(name)
        secret = credentials.get(name)
        if scheme is None or scheme["kind"] == "outside" or secret is None:
            continue
        kind = scheme["kind"]
        if isinstance(secret, tuple) != (kind == "basic"):
            shape = "(username, password)" if kind == "basic" else "text"
            issues.append(Issue(pointer("auth", name), "type", f"must be {shape}"))
        elif kind == "basic":
            pair = f"{secret[0]}:{secret[1]}".encode()
            made.headers["authorization"] = f"Basic {base64.b64encode(pair).decode()}"
        elif kind == "bearer":
            made.headers["authorization"] = f"Bearer {secret}"
        elif scheme["in"] == "header":
            made.headers[scheme["parameter"].lower()] = secret
        else:
            text = f"{encode_strictly(scheme['parameter'])}={encode_strictly(secret)}"
            (made.query if scheme["in"] == "query" else made.cookies).append(text)
    return made


def _secret_headers(operation: Mapping[str, Any]) -> list[str]:
    schemes = operation["schemes"].values()
    keys = [one["parameter"] for one in schemes if one["kind"] == "key" and one["in"] == "header"]
    own = [one["name"] for one in operation["parameters"] if one.get("secret") and one["in"] == "header"]
    return [name.lower() for name in keys + own]


def _properties(fields: Fields) -> dict[str, Any]:
    """The properties of a body among the arguments of a call."""
    found: dict[str, Any] = {}
    for key, value in fields.items():
        place, _, name = key.partition(".")
        if (place == "body" and name and value is not None) or (place == "null" and value is not OMIT):
            found[name] = value
    return found


def _climbs(template: str, path: str) -> bool:
    """Whether a parameter adds a segment `..` or `.`, which would reach another operation."""
    documented = template.split("/")
    return any(re.fullmatch(r"(\.|%2[eE]){1,2}", one) and one not in documented for one in path.split("/"))


def _with_aliases(body: Any, pairs: Iterable[Sequence[str]]) -> Any:
    """`x-same-as`: if one of two properties is absent or null, it gets the value of the other."""
    if not isinstance(body, dict):
        return body
    members: dict[str, Any] = body
    for one, other in pairs:
        first, second = members.get(one), members.get(other)
        if first is None and second is not None:
            members[one] = second
        elif second is None and first is not None:
            members[other] = first
    return members
