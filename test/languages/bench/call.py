"""CPU of a call beside one that is written by hand with httpx2 and the same check: `call.py ADDRESS`. Prints microseconds, ours first."""

import json
import sys
import time
from collections.abc import Callable

import httpx2
from bench import HttpClient
from jsonschema_rs import Draft202012Validator

ADDRESS, SCHEMA = sys.argv[1], json.loads(sys.argv[2])
CALLS, ROUNDS = 300, 7

client = HttpClient(ADDRESS)
plain = httpx2.Client()
check = Draft202012Validator(SCHEMA)


def ours() -> None:
    assert client.get_order("17").id == "17"


def by_hand() -> None:
    response = plain.get(f"{ADDRESS}/orders/17", headers={"accept": "application/json"})
    order = response.json()
    assert response.status_code == 200 and check.is_valid(order) and order["id"] == "17"


def cpu(call: Callable[[], None]) -> float:
    began = time.process_time()
    for _ in range(CALLS):
        call()
    return (time.process_time() - began) / CALLS * 1e6


cpu(ours), cpu(by_hand)
# Rounds alternate, so that the load of the machine meets both.
rounds = [(cpu(ours), cpu(by_hand)) for _ in range(ROUNDS)]
print(json.dumps([min(one[0] for one in rounds), min(one[1] for one in rounds)]))
