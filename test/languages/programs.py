"""
What a program notices of the clients, beyond the contract: `programs.py FOLDER SCENARIO`, with the package of the contract's documents in the
folder. It raises what is wrong.
"""

import asyncio
import copy
import json
import pickle
import sys
import threading
import traceback
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import uuid4

import httpx2

sys.path.insert(0, f"{sys.argv[1]}/src")

from contract import AsyncHttpClient, AsyncRpcClient, CallError, HttpClient, HttpError, RpcClient, RpcError  # noqa: E402
from contract._runtime.schemas import Schemas  # noqa: E402
from contract.types import Record  # noqa: E402


@contextmanager
def server(body, status=200):
    """A server that always responds with one body; the targets of its requests."""
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.rfile.read(int(self.headers.get("content-length", 0)))
            seen.append(self.path)
            text = body if isinstance(body, str) else json.dumps(body)
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

        do_POST = do_GET

        def log_message(self, *_):
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{running.server_port}", seen
    running.shutdown()


def raised(kind, function, *arguments, **named):
    """The error that a call must raise."""
    try:
        function(*arguments, **named)
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


ONE = {"id": "a", "state": "open", "parent": None, "tags": ["x"], "more": 1}


def records_are_copied_and_pickled():
    with server(ONE) as (url, _), HttpClient(url) as client:
        record = client.get_record("a")
    for made in (copy.copy(record), copy.deepcopy(record), pickle.loads(pickle.dumps(record))):
        assert type(made) is type(record) and isinstance(made, Record)
        assert made == record and made.tags == ["x"] and made.raw["more"] == 1
    deep = copy.deepcopy(record)
    deep.raw["tags"].append("y")
    assert record.tags == ["x"]


def errors_are_copied_and_pickled():
    with server({"title": "none"}, 404) as (url, _), HttpClient(url) as client:
        refused = raised(HttpError, client.get_record, "a")
        invalid = raised(CallError, client.get_record, "")
    with server({"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no", "data": [1]}}) as (url, _):
        with RpcClient(url) as client:
            rejected = raised(RpcError, client.read_one, "k")
    for error in (refused, invalid, rejected):
        error.add_note("noted")
        for made in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error)), pickle.loads(pickle.dumps(error, 0))):
            assert type(made) is type(error) and str(made) == str(error)
            assert vars(made) == vars(error), (vars(made), vars(error))


def a_response_nested_too_deep_is_a_call_error():
    for depth in (257, 900, 100_000):
        text = "[" * depth + "]" * depth
        with server(text) as (url, _), HttpClient(url) as client:
            assert raised(CallError, client.get_free).reason == "malformed-answer"
        with server(f'{{"jsonrpc":"2.0","id":1,"result":{text}}}') as (url, _), RpcClient(url) as client:
            assert raised(CallError, client.any_value, 1).reason == "malformed-answer"
    text = "[" * 256 + "]" * 256
    with server(text) as (url, _), HttpClient(url) as client:
        assert json.dumps(client.get_free()) == text
    with server({"list": ["[]{}" * 100]}) as (url, _), HttpClient(url) as client:
        assert client.get_free() == {"list": ["[]{}" * 100]}


def no_secret_leads_to_another_address():
    with server({"jsonrpc": "2.0", "id": 1, "result": "v"}) as (url, seen):
        for wrong in ("", ".", "..", "\ud800", "a\nb"):
            for made in (RpcClient, HttpClient):
                assert "apiKey" in str(raised(TypeError, made, f"{url}/base", api_key=wrong))
            raised(TypeError, RpcClient, f"{url}/base", variables={"apiKey": wrong})
            with RpcClient(f"{url}/base", api_key=lambda: wrong) as client:
                assert raised(CallError, client.read_one, "k").reason == "invalid-input"
        assert seen == []
        with RpcClient(f"{url}/base", api_key="..a") as client:
            client.read_one("k")
        assert seen == ["/base/rpc/..a"], seen


def an_integer_too_long_for_python_is_invalid_input():
    with server("", 204) as (url, seen), HttpClient(url) as http, RpcClient(url) as rpc:
        error = raised(CallError, http.body_json, body={"list": [10**5000]})
        assert error.reason == "invalid-input" and error.issues[0].pointer == "/body/list/0", error.issues
        error = raised(CallError, rpc.any_value, [-(10**5000)])
        assert error.reason == "invalid-input" and error.issues[0].pointer == "/0/0", error.issues
        assert seen == []
        http.body_json(body=10**4000)


def the_error_of_a_union_names_the_closest_alternative():
    def issues_of(body):
        with server(body) as (url, _), HttpClient(url) as client:
            error = raised(CallError, client.get_shape)
            return error.issues, str(error)

    issues, text = issues_of({"kind": "circle", "radius": "x" * 1000})
    assert [one.pointer for one in issues] == ["", "/radius"], issues
    assert "must match one of 2 alternatives, is closest to Circle" in text and 'not of type "number"' in text, text
    issues, text = issues_of(5)
    assert [(one.pointer, one.message) for one in issues] == [("", "must be object")], issues
    with RpcClient("http://127.0.0.1:9", api_key="k") as client:
        text = str(raised(CallError, client.null_or_text, ["x" * 1000]))
        assert '"null"' in text, text
    with HttpClient("http://127.0.0.1:9") as client:
        error = raised(CallError, client._call, "submit", {"body": {"method": 1, "texts": []}})
        assert "closest to Call" in str(error) and '1 is not of type "string"' in str(error), str(error)


def wrong_options_are_type_errors_with_their_names():
    client = HttpClient("http://127.0.0.1:9")
    for name, value in (
        *(("timeout", value) for value in ("5", httpx2.Timeout(5), -1, float("nan"), True)),
        *(("retry", 5), ("headers", 5), ("headers", {"a": 5}), ("variables", {"a": 5}), ("clock", 5), ("on_warning", 5)),
        *(("max_response_bytes", "5"), ("client_package", 5), ("http_client", 5), ("foo", 3)),
    ):
        assert name in str(raised(TypeError, HttpClient, "http://127.0.0.1:9", **{name: value}))
        assert name in str(raised(TypeError, client.with_options, **{name: value}))
    for made in (HttpClient, RpcClient):
        assert "server must be" in str(raised(TypeError, made, 5))
    assert "http_client" in str(raised(TypeError, HttpClient, http_client=httpx2.AsyncClient()))
    assert "http_client" in str(raised(TypeError, AsyncHttpClient, http_client=httpx2.Client()))
    for wrong in ({"interval": -1}, {"interval": "1"}, {"timeout": "1"}):
        assert next(iter(wrong)) in str(raised(TypeError, client.get_state_poll, **wrong))
    client.with_options(timeout=None, headers={"a": "b"})


def a_closed_client_is_not_used():
    with server("5") as (url, seen):
        for used in (False, True):
            client = HttpClient(url)
            if used:
                client.get_free()
            begun = client.list_by_page_items()
            client.close()
            client.close()
            for use in (client.get_free, client.with_options().get_free, client.list_by_page_items, client.get_state_poll, client.__enter__, begun.__next__):
                assert "the client is closed" in str(raised(RuntimeError, use))
        rpc = RpcClient(url)
        rpc.close()
        raised(RuntimeError, rpc.read_one, "k")
        raised(RuntimeError, rpc.batch().__enter__)
        assert seen == ["/free"], seen

        async def use():
            client = AsyncHttpClient(url)
            await client.close()
            await client.get_free()

        raised(RuntimeError, asyncio.run, use())


def an_async_client_works_in_one_event_loop_after_another():
    with server({"jsonrpc": "2.0", "id": 1, "result": "v"}) as (url, _):
        http = AsyncHttpClient(url)
        for _ in range(2):
            assert asyncio.run(http.get_free())["result"] == "v"
        asyncio.run(http.close())


def an_error_of_the_server_has_its_method_and_code():
    with server({"jsonrpc": "2.0", "id": 1, "error": {"code": -7, "message": "nope"}}) as (url, _), RpcClient(url) as client:
        error = raised(RpcError, client.read_one, "k")
    assert str(error) == "read_one: nope (code -7)" and error.message == "nope"


def the_failure_of_a_key_function_is_the_cause():
    def key():
        raise LookupError("no vault")

    for made, call in ((HttpClient, "secured_header"), (RpcClient, "get_entry")):
        with made("http://127.0.0.1:9", **{"header" if made is HttpClient else "api_key": key}) as client:
            error = raised(CallError, getattr(client, SECURED if made is HttpClient else call))
            assert "LookupError: no vault" in str(error.__cause__), error.__cause__


SECURED = next(one for one in dir(HttpClient) if one.startswith("secured") and one.endswith("header"))


def tools_that_show_variables_show_no_key():
    for made, name in ((HttpClient, SECURED), (RpcClient, "get_entry")):
        with made("http://127.0.0.1:9", **{"header" if made is HttpClient else "api_key": "sesame-of-mine"}) as client:
            error = raised(CallError, getattr(client, name))
        frames = traceback.TracebackException.from_exception(error, capture_locals=True).format()
        shown = [line for text in frames for line in text.splitlines() if "sesame-of-mine" in line]
        assert not [one for one in shown if "made" not in one], shown


def an_unknown_variant_is_a_plain_record():
    body = {"kind": "triangle", "radius": 1, "side": 2}
    with server(body) as (url, _):
        for client in (HttpClient(url), HttpClient(url, validate_response="off")):
            shape = client.get_shape()
            assert type(shape) is Record and shape.raw == body and "triangle" in repr(shape), shape
    with server({"kind": "square", "side": 2}) as (url, _), HttpClient(url) as client:
        assert type(client.get_shape()).__name__ == "Square"
    with server({"id": "a", "state": "weird", "parent": None}) as (url, _), HttpClient(url) as client:
        assert client.get_record("a").state == "weird"


def records_are_read_only_and_made_of_objects():
    with server(ONE) as (url, _), HttpClient(url) as client:
        made = client.get_record("a")
    record = type(made)
    assert record(ONE) == made and record({"id": "b"}).id == "b" and record({"id": "b"}).note is None
    for name in ("id", "raw", "other"):
        assert "read-only" in str(raised(AttributeError, setattr, made, name, 1))
    assert made.id == "a"


def values_that_are_no_json_are_refused_with_a_hint():
    values = [(b"a", "base64"), (uuid4(), "str(value)"), (Decimal("1.5"), "float(value)"), (datetime(2026, 12, 1), "isoformat"), ({1}, "list")]
    with RpcClient("http://127.0.0.1:9") as client:
        for value, hint in values:
            error = raised(CallError, client.any_value, [value])
            assert error.reason == "invalid-input" and error.issues[0].pointer == "/0/0" and hint in str(error), error


def alternatives_are_chosen_by_what_they_forbid_and_named_by_their_own_schema():
    text = {"type": "string"}
    message = {"type": "object", "required": ["text"], "properties": {"text": text, "abi": {"not": {}}}}
    call = {"type": "object", "required": ["abi", "to", "method"], "properties": {"abi": {"type": "array"}}}
    union = {"oneOf": [{"$ref": "#/schemas/Message"}, {"$ref": "#/schemas/Call"}]}
    nested = {"oneOf": [{"type": "object", "properties": {"at": {"$ref": "#/schemas/At"}}}, {"type": "object", "required": ["a", "b"]}]}
    schemas = Schemas({"schemas": {"Message": message, "Call": call, "At": text, "Union": union, "Nested": nested}})
    first, *others = schemas.issues("/schemas/Union", {"abi": []})
    assert first.message == "must match one of 2 alternatives, is closest to Call" and len(others) == 2, (first, others)
    first, other = schemas.issues("/schemas/Nested", {"at": 5})
    assert first.message == "must match one of 2 alternatives, is closest to alternative 1" and other.pointer == "/at", (first, other)


globals()[sys.argv[2]](*sys.argv[3:])
