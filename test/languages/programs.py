"""
What a program notices of the clients, beyond the contract: `programs.py FOLDER SCENARIO`, with the package of the contract's documents in the
folder. It raises what is wrong.
"""

import copy
import json
import pickle
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, f"{sys.argv[1]}/src")

from contract import CallError, HttpClient, HttpError, RpcClient, RpcError  # noqa: E402
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


globals()[sys.argv[2]](*sys.argv[3:])
