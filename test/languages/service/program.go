// The program calls the service with the module of its documents: `program ADDRESS KEY`. It prints one JSON object a line.
// Logs and every text of an error or a client go to standard error, where the test looks for the key.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"example.com/acme/zkt"
)

const code = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Sum {
  uint256 public sum;
  function add(uint256 value) external { sum += value; }
}`

var abi = []zkt.AbiSignature{"function add(uint256 value)", "function sum() view returns (uint256)"}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func tell(facts map[string]any) { fmt.Println(string(must(json.Marshal(facts)))) }

func show(err error) {
	for ; err != nil; err = errors.Unwrap(err) {
		fmt.Fprintf(os.Stderr, "%v %+v %#v\n", err, err, err)
	}
}

func final(ctx context.Context, client *zkt.HTTPClient, id *zkt.QueueID) zkt.GetZktTransactionResult {
	var last zkt.GetZktTransactionResult
	for record, err := range client.GetZktTransactionPoll(ctx, *id) {
		last = must(record, err)
	}
	return last
}

func main() {
	ctx := context.Background()
	address, key := os.Args[1], os.Args[2]
	client := must(zkt.NewHTTPClient(address, zkt.WithAPIKey(key)))
	rpc := must(zkt.NewRPCClient(address+"/zgt/{apiKey}", zkt.WithAPIKey(key)))
	fmt.Fprintf(os.Stderr, "%v %+v %#v\n%v %+v %#v\n", client, client, client, rpc, rpc, rpc)

	sent := must(client.SubmitZktMessage(ctx, zkt.ZktV1Message{Arguments: "hello"}))
	tell(map[string]any{"message": final(ctx, client, sent.GetQueueID()).GetStatus()})

	deployed := must(client.SubmitZktDeploy(ctx, zkt.ZktV2Deploy{Code: code}))
	mined := final(ctx, client, deployed.GetQueueID())
	receipt := must(rpc.EthGetTransactionReceipt(ctx, mined.(*zkt.StatusCompleted).TransactionHash))
	to := *receipt.ContractAddress
	tell(map[string]any{"deploy": mined.GetStatus()})

	add := zkt.ZktV2Call{Abi: abi, To: to, Method: "add", Arguments: []any{"12"}, Wait: new(true)}
	written := must(client.SubmitZktCall(ctx, add)).(*zkt.ZktWriteAnswer)
	sum := zkt.ZktV2Call{Abi: abi, To: to, Method: "sum", Arguments: []any{}}
	read := must(client.SubmitZktCall(ctx, sum)).(*zkt.ZktReadAnswer)
	tell(map[string]any{"call": written.Receipt.Status, "read": read.Output})

	_, err := client.GetZktTransaction(ctx, "5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942")
	show(err)
	refused, ok := errors.AsType[*zkt.GetZktTransactionError](err)
	if !ok {
		panic(err)
	}
	tell(map[string]any{"unknown": refused.Status, "body": refused.Body})
	_, err = client.SubmitZktCall(ctx, zkt.ZktV2Call{Abi: abi, To: to, Method: "none", Arguments: []any{}})
	show(err)
	tell(map[string]any{"method": strings.TrimPrefix(fmt.Sprintf("%T", err), "*zkt.")})

	batch := rpc.Batch()
	chains := make([]*zkt.Pending[zkt.Uint256], 39)
	for at := range chains {
		chains[at] = batch.EthChainID()
	}
	broken := batch.EthSendRawTransaction("0x00")
	show(batch.Send(ctx))
	ids := make([]zkt.Uint256, len(chains))
	for at, one := range chains {
		ids[at] = must(one.Result())
	}
	_, err = broken.Result()
	show(err)
	failed, ok := errors.AsType[*zkt.RPCError](err)
	if !ok {
		panic(err)
	}
	tell(map[string]any{"batch": ids, "code": failed.Code})

	// Nothing listens there: the error of the network has the address of the request.
	nowhere := must(zkt.NewHTTPClient("http://127.0.0.1:9", zkt.WithAPIKey(key)))
	_, err = nowhere.SubmitZktMessage(ctx, zkt.ZktV1Message{Arguments: "hello"})
	show(err)
	unsent, ok := errors.AsType[*zkt.CallError](err)
	if !ok {
		panic(err)
	}
	tell(map[string]any{"nowhere": unsent.Reason})
}
