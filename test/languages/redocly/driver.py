"""A driver of the contract for Redocly CLI's Python client, for the cases of parameters alone: `redocly.py CLIENT.py`."""

import importlib.util
import json
import re
import sys

spec = importlib.util.spec_from_file_location("redocly_client", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["redocly_client"] = module
spec.loader.exec_module(module)


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def plain(value):
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        if "$int" in value:
            return int(value["$int"])
        if "$float" in value:
            return float(value["$float"])
        return {key: plain(one) for key, one in value.items()}
    return value


print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    case = json.loads(line)
    call = case["call"]
    client = module.Client(case["options"]["server"])
    values = {name: plain(one) for place in call["input"].values() for name, one in place.items()}
    try:
        getattr(client, snake(call["operation"]))(**values)
        outcome = {"kind": "value", "value": "null"}
    except Exception as error:
        outcome = {"kind": "CallError", "reason": f"{type(error).__name__}: {error}"[:200]}
    print(json.dumps({"id": case["id"], "outcome": outcome, "waits": [], "warnings": 0, "shown": ""}), flush=True)
