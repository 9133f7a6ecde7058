"""The driver of Python: `python.py FOLDER sync|async`, with the generated package in the folder. README.md has the protocol."""

import asyncio
import inspect
import io
import json
import logging
import sys
import threading
import traceback
import urllib.request

import httpx2

sys.path.insert(0, f"{sys.argv[1]}/src")

from contract import (  # noqa: E402
    OMIT,
    AsyncHttpClient,
    AsyncRpcClient,
    CallError,
    Clock,
    Download,
    File,
    HttpClient,
    HttpError,
    Retry,
    RpcClient,
    RpcError,
    SubscriptionGap,
)
from contract._runtime.json_text import json_copy, write_json  # noqa: E402
from contract._service import SERVICE  # noqa: E402

SENT = SERVICE.document["sent"]
IS_ASYNC = sys.argv[2:] == ["async"]
SHARED = httpx2.AsyncClient() if IS_ASYNC else httpx2.Client()


async def maybe(value):
    return await value if inspect.isawaitable(value) else value


def secret(value):
    if isinstance(value, str):
        return value
    if "user" in value:
        return (value["user"], value["password"])
    left = list(value["each"])
    return lambda: left.pop(0) if len(left) > 1 else left[0]


def handlers_of(case, handled):
    """Handlers get their params as arguments; the cases have them as a list, or by name."""

    def made(operation, handling):
        declared = SENT[operation]

        def handle(*arguments):
            sent = list(arguments)
            while sent and sent[-1] is None:
                sent.pop()
            by_name = declared["paramStructure"] == "by-name"
            shown = {one["name"]: value for one, value in zip(declared["params"], sent)} if by_name else sent
            handled.append({"operation": operation, "value": write_json(json_copy(shown)[0])})
            if "error" in handling:
                raise RpcError(handling["error"]["code"], handling["error"]["message"])
            return handling.get("result")

        return handle

    return {operation: made(operation, handling) for operation, handling in case["call"]["handlers"].items()}


def make_client(case, waits, warnings, handled, cancel_at):
    options = dict(case.get("options", {}))
    auth = options.pop("auth", {})
    given = {"on_warning": warnings.append}
    if "retry" in options:
        given["retry"] = Retry(**options.pop("retry"))
    now = [1_700_000_000.0]

    def sleep(seconds):
        waits.append(round(seconds, 9))
        now[0] += seconds
        if IS_ASYNC:
            cancel_at("wait")
            return asyncio.sleep(0)

    if options.pop("clock", None) != "real":
        given["clock"] = Clock(now=lambda: now[0], sleep=sleep, random=lambda: 0.5)
    names = {
        "maxResponseBytes": "max_response_bytes",
        "validateRequest": "validate_request",
        "validateResponse": "validate_response",
    }
    server = options.pop("server")
    given |= {names.get(name, name): value for name, value in options.items()}
    if "handlers" in case["call"]:
        given["handlers"] = handlers_of(case, handled)
    if case["property"] == "wire":
        # A client of its own reads certificates each time.
        given["http_client"] = SHARED
    kinds = {
        ("http", False): HttpClient,
        ("http", True): AsyncHttpClient,
        ("rpc", False): RpcClient,
        ("rpc", True): AsyncRpcClient,
    }
    arguments = {"apiKey": "api_key"}
    secrets = {arguments.get(name, name): secret(value) for name, value in auth.items()}
    return kinds[(case["protocol"], IS_ASYNC)](server, **secrets, **given)


def with_files(value):
    if isinstance(value, list):
        return [with_files(one) for one in value]
    if isinstance(value, dict):
        if "$null" in value:
            return None
        if "$int" in value:
            return int(value["$int"])
        if "$float" in value:
            return float(value["$float"])
        if "$file" in value:
            file = value["$file"]
            content = file["text"].encode()
            return content if "name" not in file else File(content, file["name"], file.get("type"))
        return {key: with_files(one) for key, one in value.items()}
    return value


def fields_of(given):
    fields = {f"{place}.{name}": with_files(value) for place in ("path", "query", "header", "cookie") for name, value in given.get(place, {}).items()}
    for name in ("body", "contentType"):
        if name in given:
            fields[name] = with_files(given[name])
    return fields


def params_of(client, operation, params):
    declared = client._calls.service.document["rpc"][operation]["params"]
    if isinstance(params, dict):
        return [with_files(params.get(one["name"], OMIT)) for one in declared]
    return [OMIT if one is None else with_files(one) for one in params or []]


def value_of(value):
    if isinstance(value, Download):
        return {"kind": "value", "value": "{}"}
    return {"kind": "value", "value": write_json(json_copy(value)[0])}


def gap_of(gap: SubscriptionGap):
    return {"kind": "gap", "reason": gap.reason, **({"dropped": gap.dropped} if gap.dropped else {})}


def outcome_of(error):
    pointers = sorted((one.pointer for one in getattr(error, "issues", ())), key=lambda one: (len(one), one))
    placed = {"pointer": pointers[0]} if pointers else {}
    if isinstance(error, CallError):
        return {"kind": "CallError", "reason": error.reason, "operation": error.operation, **placed}
    if isinstance(error, HttpError):
        text = write_json(json_copy(error.body)[0])
        return {"kind": "HttpError", "status": error.status, "operation": error.operation, "text": text, **placed}
    if isinstance(error, RpcError):
        return {"kind": "RpcError", "code": error.code, "operation": error.method, "text": error.message}
    if isinstance(error, TypeError):
        return {"kind": "TypeError"}
    return {"kind": "crash", "text": "".join(traceback.format_exception(error))}


def show(error, shown):
    shown.append("".join(traceback.format_exception(error)))
    while error is not None:
        shown += [repr(error), str(vars(error)), str(getattr(error, "issues", ""))]
        shown += [str(dict(getattr(error, "headers", {}))), str(getattr(error, "body", ""))]
        error = error.__cause__


def wire_name(case, operation):
    if case["protocol"] == "http" or operation is None:
        return operation
    return SERVICE.document["rpc"][operation]["method"]


async def at_once(works, client):
    """Runs calls of one client at once: in threads, or in tasks."""
    if IS_ASYNC:
        await asyncio.gather(*(client._link.run(work) for work in works))
        return
    threads = [threading.Thread(target=client._link.run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


async def separate(client, call):
    """The outcomes of calls of their own, at once or one after the other."""
    members = [client._calls.member(one["operation"], params_of(client, one["operation"], one["params"])) for one in call["members"]]
    works = [client._calls.send([member], False) for member in members]
    if call["how"] == "together":
        await at_once(works, client)
    else:
        for work in works:
            await maybe(client._link.run(work))
    return [one.pending for one in members]


async def run(case):
    waits, warnings, shown, found, handled = [], [], [], [], []
    call = case["call"]
    how = call.get("how", "call")
    task = asyncio.current_task()

    def cancel_at(place):
        if call.get("cancel") == place:
            task.cancel()

    async def cancel_held():
        await asyncio.to_thread(urllib.request.urlopen, case["options"]["server"].replace("ws:", "http:") + "/cancel")
        task.cancel()

    held = asyncio.create_task(cancel_held()) if call.get("cancel") == "held" else None
    source = None
    cancelled = {"kind": "CallError", "reason": "aborted", "operation": wire_name(case, call.get("operation"))}
    client = None
    try:
        client = make_client(case, waits, warnings, handled, cancel_at)
        cancel_at("before")
        shown += [repr(client), repr(client._calls), repr(client._calls.settings)]
        operation = call.get("operation")
        if how in ("batch", "together", "sequence"):
            if how == "batch":
                block = client.batch()
                batch = await maybe(block.__aenter__() if IS_ASYNC else block.__enter__())
                pending = [batch._add(one["operation"], params_of(client, one["operation"], one["params"])) for one in call["members"]]
                await maybe(block.__aexit__(None, None, None) if IS_ASYNC else block.__exit__(None, None, None))
            else:
                pending = await separate(client, call)
            for one in pending:
                error = one.error()
                if error is not None:
                    show(error, shown)
                found.append(value_of(one.result()) if error is None else outcome_of(error))
            outcome = {"kind": "list", "list": found}
        else:
            given = fields_of(call.get("input", {})) if case["protocol"] == "http" else params_of(client, operation, call.get("params"))
            if how == "call":
                outcome = value_of(await maybe(client._call(operation, given)))
            else:
                if how == "stream":
                    source = client._stream(operation, given)
                elif how == "subscribe":
                    attempts = {"attempts": call["attempts"]} if "attempts" in call else {}
                    source = client._subscribe(operation, given, {"on_gap": lambda gap: found.append(gap_of(gap)), **attempts})
                elif how == "poll":
                    source = client._poll(operation, given, call.get("interval"), call.get("timeout"))
                else:
                    source = client._pages(operation, given, {"pages": "page", "items": "item"}[how])
                outcome = {"kind": "list", "list": found}
                while sum(one["kind"] == "value" for one in found) < call.get("take", 1_000):
                    try:
                        item = await anext(source) if IS_ASYNC else next(source)
                    except (StopIteration, StopAsyncIteration):
                        break
                    found.append(value_of(item))
                    cancel_at("item")
                    if IS_ASYNC:
                        # A task is cancelled where it waits.
                        await asyncio.sleep(0)
                await maybe(source.close())
    except asyncio.CancelledError:
        task.uncancel()
        if source is not None:
            # As the end of an `async with` block does.
            await source.close()
        outcome = cancelled
        if how == "batch":
            outcome = {"kind": "list", "list": [{**cancelled, "operation": wire_name(case, one["operation"])} for one in call["members"]]}
        elif how != "call" and (found or how != "stream"):
            outcome = {"kind": "list", "list": [*found, cancelled]}
    except Exception as error:
        show(error, shown)
        outcome = outcome_of(error)
        if how not in ("call", "batch") and found:
            outcome = {"kind": "list", "list": [*found, outcome]}
        elif how not in ("call", "batch", "stream") and outcome["kind"] != "TypeError":
            outcome = {"kind": "list", "list": [outcome]}
    if held is not None:
        await held
    if "handlers" in call:
        # Messages of the server are read on, after the response.
        await asyncio.sleep(0.05)
    if client is not None:
        await maybe(client.close())
    own = {"handled": handled} if "handlers" in call else {}
    return {"id": case["id"], "outcome": outcome, "waits": waits, "warnings": len(warnings), **own, "shown": "\n".join(shown)}


async def main():
    log = io.StringIO()
    logging.basicConfig(level=logging.DEBUG, stream=log)
    logging.getLogger("asyncio").setLevel(logging.WARNING)
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        log.seek(0)
        log.truncate()
        answer = await run(json.loads(line))
        print(json.dumps({**answer, "shown": f"{answer['shown']}\n{log.getvalue()}"}), flush=True)


asyncio.run(main())
