// CPU of a call beside one that is written by hand with net/http and the same check: `call ADDRESS SCHEMA`. Prints microseconds, ours
// first.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"syscall"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"example.com/bench"
)

const calls, rounds = 300, 7

type order struct {
	ID    string  `json:"id"`
	State string  `json:"state"`
	Count int64   `json:"count"`
	Price float64 `json:"price"`
	Items []struct {
		Name  string `json:"name"`
		Count int64  `json:"count"`
	} `json:"items"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func used() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e3
}

func cpu(call func()) float64 {
	began := used()
	for range calls {
		call()
	}
	return (used() - began) / calls
}

func main() {
	address := os.Args[1]
	ctx := context.Background()
	client := must(bench.NewHTTPClient(address))
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("order", must(jsonschema.UnmarshalJSON(bytes.NewReader([]byte(os.Args[2]))))); err != nil {
		panic(err)
	}
	schema := compiler.MustCompile("order")
	ours := func() {
		if must(client.GetOrder(ctx, "17")).ID != "17" {
			panic("another order")
		}
	}
	byHand := func() {
		request := must(http.NewRequestWithContext(ctx, "GET", address+"/orders/17", nil))
		request.Header.Set("Accept", "application/json")
		response := must(http.DefaultClient.Do(request))
		text := must(io.ReadAll(response.Body))
		_ = response.Body.Close()
		value := must(jsonschema.UnmarshalJSON(bytes.NewReader(text)))
		if err := schema.Validate(value); err != nil {
			panic(err)
		}
		var found order
		if err := json.Unmarshal(text, &found); err != nil || found.ID != "17" {
			panic("another order")
		}
	}
	cpu(ours)
	cpu(byHand)
	least := [2]float64{1e9, 1e9}
	for range rounds {
		// Rounds alternate, so that the load of the machine meets both.
		least[0] = min(least[0], cpu(ours))
		least[1] = min(least[1], cpu(byHand))
	}
	fmt.Println(string(must(json.Marshal(least))))
}
