"""
What a program notices of a WebSocket client, beyond the contract: `links.py FOLDER SCENARIO [URL]`, with the package of the contract's documents in
the folder. It raises what is wrong.
"""

import asyncio
import faulthandler
import gc
import json
import logging
import sys
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager

sys.path.insert(0, f"{sys.argv[1]}/src")

import contract  # noqa: E402
from contract import AsyncRpcClient, CallError, RpcClient, SocketLogin, SocketOptions, SubscriptionGap  # noqa: E402


@contextmanager
def server(serve: Callable[..., None]):
    """A WebSocket server; `serve` has the received texts as messages, and a function that sends."""
    from websockets.sync.server import serve as listen

    received = []

    def handle(socket):
        socket.seen = received
        for text in socket:
            message = json.loads(text)
            received.append(message)
            serve(socket, message)

    with listen(handle, "127.0.0.1", 0) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"ws://127.0.0.1:{running.socket.getsockname()[1]}", received
        running.shutdown()


def result(socket, message, value="v"):
    socket.send(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": value}))


def item(socket, size, subscription="s"):
    params = {"subscription": subscription, "item": {"kind": "x", "size": size}}
    socket.send(json.dumps({"jsonrpc": "2.0", "method": "followed", "params": params}))


def feed(count):
    """Sends so many items at once to who subscribes."""

    def serve(socket, message):
        if message["method"] == "follow":
            result(socket, message, "s")
            for size in range(count):
                item(socket, size)
        else:
            result(socket, message, message["method"] == "unfollow" or "v")

    return serve


def soon(condition):
    for _ in range(500):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come")


def threads_share_a_connection():
    with server(result) as (url, received), RpcClient(url) as client:
        found = []
        threads = [threading.Thread(target=lambda: found.append(client.read_one("k"))) for _ in range(20)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert found == ["v"] * 20, found
        assert len({one["id"] for one in received}) == 20


def tasks_share_a_connection():
    async def main(url):
        async with AsyncRpcClient(url) as client:
            return await asyncio.gather(*(client.read_one(str(at)) for at in range(50)))

    def serve(socket, message):
        result(socket, message, message["params"][0])

    with server(serve) as (url, _):
        assert asyncio.run(main(url)) == [str(at) for at in range(50)]


def a_handler_may_call_the_client():
    def serve(socket, message):
        if message.get("method") == "read_one" and message["params"] == ["first"]:
            socket.first = message
            socket.send('{"jsonrpc":"2.0","id":"q","method":"ask","params":["ready?"]}')
        elif message.get("method") == "read_one":
            result(socket, message, "second")
        else:
            result(socket, socket.first, message["result"] and "first")

    with server(serve) as (url, _):
        with RpcClient(url, timeout=5.0, handlers={"ask": lambda question: client.read_one(question) == "second"}) as client:
            assert client.read_one("first") == "first"

        async def main():
            async def ask(question: str) -> bool:
                return await client.read_one(question) == "second"

            async with AsyncRpcClient(url, timeout=5.0, handlers={"ask": ask}) as client:
                assert await client.read_one("first") == "first"

        asyncio.run(main())


def a_full_buffer_ends_the_subscription():
    with server(feed(5)) as (url, received), RpcClient(url) as client:
        with client.follow_stream("all", buffer=2) as items:
            assert next(items).size == 0
            soon(lambda: client._calls._link.subscriptions._all[0].failure)
            rest = []
            try:
                for one in items:
                    rest.append(one.size)
            except CallError as error:
                assert error.reason == "overflow", error
            else:
                raise AssertionError("no error")
        assert received[-1]["method"] == "unfollow"


def a_full_buffer_may_drop_the_oldest():
    gaps: list[SubscriptionGap] = []
    with server(feed(9)) as (url, _), RpcClient(url) as client:
        with client.follow_stream("all", buffer=2, overflow="drop-oldest", on_gap=gaps.append) as items:
            found = [next(items).size]
            live = client._calls._link.subscriptions._all[0]
            soon(lambda: found[0] + 1 + live.dropped + live.items == 9)
            while found[-1] != 8:
                found.append(next(items).size)
        assert len(found) <= 3 and found == sorted(found), found
        assert sum(one.dropped for one in gaps) + len(found) == 9 and gaps[-1].reason == "overflow", gaps


def a_stream_that_nobody_reads_any_more_is_ended():
    def serve(socket, message):
        feed(1)(socket, message)
        if message["method"] == "read_one":
            item(socket, 2)

    with server(serve) as (url, received), RpcClient(url) as client:
        for one in client.follow_stream("all"):
            assert one.size == 0
            break
        gc.collect()
        client.read_one("k")
        soon(lambda: received[-1]["method"] == "unfollow")


def a_cancelled_task_unsubscribes():
    async def main(url):
        async with AsyncRpcClient(url) as client:

            async def read():
                async with client.follow_stream("all") as items:
                    async for _ in items:
                        pass

            task = asyncio.create_task(read())
            while not received:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.2)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                return
            raise AssertionError("it was not cancelled")

    with server(feed(1)) as (url, received):
        asyncio.run(main(url))
        assert received[-1]["method"] == "unfollow", received


def the_first_call_may_log_in():
    def serve(socket, message):
        is_right = message.get("params") == {"token": "open-sesame"}
        if message["method"] == "read_one" or is_right:
            result(socket, message)
        else:
            error = {"code": 1, "message": f"not with {message['params']['token']}"}
            socket.send(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}))

    with server(serve) as (url, received):
        tokens = iter(["open-sesame"])
        login = SocketLogin("login", lambda: {"token": next(tokens)})
        with RpcClient(url, socket=SocketOptions(login=login)) as client:
            assert client.read_one("k") == "v"
        assert [one["method"] for one in received] == ["login", "read_one"]
        wrong = SocketLogin("login", {"token": "wrong-secret"})
        with RpcClient(url, socket=SocketOptions(login=wrong), retry=contract.Retry(attempts=1)) as client:
            try:
                client.read_one("k")
            except CallError as error:
                shown = f"{error} {error.__cause__!r}"
                assert error.reason == "network" and "login was rejected" in shown, shown
                assert "wrong-secret" not in shown, shown
            else:
                raise AssertionError("no error")


def texts_that_wait_are_bounded():
    with server(result) as (url, _), RpcClient(url, socket=SocketOptions(max_buffered_bytes=-1)) as client:
        try:
            client.write_one("k")
        except CallError as error:
            assert error.reason == "network" and "max_buffered_bytes" in str(error), error
        else:
            raise AssertionError("no error")


def a_closed_client_sends_nothing():
    with server(result) as (url, _):
        client = RpcClient(url)
        client.read_one("k")
        client.close()
        try:
            client.read_one("k")
        except RuntimeError as error:
            assert "the client is closed" in str(error), error
        else:
            raise AssertionError("no error")


def secrets_are_not_logged():
    lines = []

    class Lines(logging.Handler):
        def emit(self, record):
            lines.append(record.getMessage())

    logging.basicConfig(level=logging.DEBUG, handlers=[Lines()])
    with server(result) as (url, _), RpcClient(url, api_key="sesame-of-mine") as client:
        client.read_one("k")
    own = [one for one in lines if "GET" in one and "sesame-of-mine" in one]
    # The server is in this process: its line is one.
    assert len(own) <= 1 and any("[redacted]" in one for one in lines), lines


def websockets_is_loaded_by_those_that_need_it():
    RpcClient("http://127.0.0.1:9").close()
    assert "websockets" not in sys.modules
    RpcClient("ws://127.0.0.1:9").close()
    assert "websockets" in sys.modules


def its_absence_is_told():
    sys.modules["websockets"] = None
    try:
        RpcClient("ws://127.0.0.1:9")
    except ModuleNotFoundError as error:
        assert "pip install" in str(error), error
    else:
        raise AssertionError("no error")


def handlers_are_checked():
    for server_url, handlers, text in (
        ("ws://127.0.0.1:9", {"other": print}, "it takes followed, noted, ask"),
        ("ws://127.0.0.1:9", {"noted": 1}, "must be a function"),
        ("http://127.0.0.1:9", {"noted": print}, "need a WebSocket"),
    ):
        try:
            RpcClient(server_url, handlers=handlers)
        except TypeError as error:
            assert text in str(error), error
        else:
            raise AssertionError("no error")


def a_mock_server(url):
    warnings = []
    with RpcClient(url, timeout=20.0, on_warning=warnings.append) as client:
        assert client.read_one("k") == "text"
        with client.follow_stream("all") as items:
            assert [next(items).kind, next(items).kind] == ["x", "x"]
        with client.batch() as batch:
            entry, text = batch.get_entry(), batch.read_one("k")
        assert (entry.result().kind, text.result()) == ("x", "text")
    assert warnings == [], warnings


# A program that waits forever says where.
faulthandler.dump_traceback_later(120, exit=True)
globals()[sys.argv[2]](*sys.argv[3:])
