"""Calls the service with the package beside it: `program.py ADDRESS KEY`. Prints one JSON object a line.

Logs and every text of an error or a client go to standard error, where the test looks for the key.
"""

import asyncio
import json
import logging
import sys
import traceback

from zkt import AsyncHttpClient, AsyncRpcClient, CallError, HttpClient, HttpError, RpcClient, RpcError
from zkt.errors import GetZktTransactionError
from zkt.types import ZktDeployAnswer, ZktReadAnswer, ZktWriteAnswer

_, ADDRESS, KEY = sys.argv
logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)

CODE = """// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Sum {
  uint256 public sum;
  function add(uint256 value) external { sum += value; }
}"""
ABI = ["function add(uint256 value)", "function sum() view returns (uint256)"]
RPC = f"{ADDRESS}/zgt/{{apiKey}}"


def tell(**facts: object) -> None:
    print(json.dumps(facts), flush=True)


def show(error: Exception) -> None:
    traceback.print_exception(error)
    cause: BaseException | None = error
    while cause is not None:
        print(repr(cause), cause, vars(cause), file=sys.stderr)
        cause = cause.__cause__ or cause.__context__


def blocking() -> None:
    with HttpClient(ADDRESS, api_key=KEY) as http:
        print(repr(http), vars(http), file=sys.stderr)
        sent = http.submit_zkt(arguments="hello")
        assert isinstance(sent, ZktWriteAnswer) and sent.queue_id is not None
        states = [record.status for record in http.get_zkt_transaction_poll(sent.queue_id, timeout=60.0)]
        tell(message=states[-1])

        deployed = http.submit_zkt(code=CODE)
        assert isinstance(deployed, ZktDeployAnswer) and deployed.queue_id is not None
        *_, mined = http.get_zkt_transaction_poll(deployed.queue_id, timeout=60.0)
        with RpcClient(RPC, api_key=KEY) as rpc:
            receipt = rpc.eth_get_transaction_receipt(mined.transaction_hash)
        assert receipt is not None and receipt.contract_address is not None
        to = receipt.contract_address
        tell(deploy=mined.status)

        written = http.submit_zkt(abi=ABI, to=to, method="add", arguments=["12"], wait=True)
        assert isinstance(written, ZktWriteAnswer) and written.receipt is not None
        read = http.submit_zkt(abi=ABI, to=to, method="sum", arguments=[])
        assert isinstance(read, ZktReadAnswer)
        tell(call=written.receipt.status, read=read.output)

        try:
            http.get_zkt_transaction("5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942")
        except GetZktTransactionError as error:
            show(error)
            tell(unknown=error.status, body=error.body.raw)
        try:
            http.submit_zkt(abi=ABI, to=to, method="none", arguments=[])
        except (CallError, HttpError) as error:
            show(error)
            tell(method=type(error).__name__)

    with RpcClient(RPC, api_key=KEY) as rpc:
        print(repr(rpc), vars(rpc), file=sys.stderr)
        with rpc.batch() as batch:
            chains = [batch.eth_chain_id() for _ in range(39)]
            broken = batch.eth_send_raw_transaction("0x00")
        failed = broken.error()
        assert isinstance(failed, RpcError)
        show(failed)
        tell(batch=[int(one.result(), 16) for one in chains], code=failed.code)

    # Nothing listens there: the error of the network has the address of the request.
    with HttpClient("http://127.0.0.1:9", api_key=KEY) as nowhere:
        try:
            nowhere.submit_zkt(arguments="hello")
        except CallError as error:
            show(error)
            tell(nowhere=error.reason)


async def awaiting() -> None:
    async with AsyncHttpClient(ADDRESS, api_key=KEY) as http:
        sent = await http.submit_zkt(arguments="hello")
        assert isinstance(sent, ZktWriteAnswer) and sent.queue_id is not None
        states = [record.status async for record in http.get_zkt_transaction_poll(sent.queue_id, timeout=60.0)]
        tell(message=states[-1])
    async with AsyncRpcClient(RPC, api_key=KEY) as rpc:
        async with rpc.batch() as batch:
            chains = [batch.eth_chain_id() for _ in range(39)]
            broken = batch.eth_send_raw_transaction("0x00")
        failed = broken.error()
        assert isinstance(failed, RpcError)
        show(failed)
        tell(batch=[int(one.result(), 16) for one in chains], code=failed.code)


blocking()
asyncio.run(awaiting())
