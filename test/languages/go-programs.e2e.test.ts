import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { emitGo } from '../../src/emit/go/go.js'
import { apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'
import { temporaryFolder } from '../temporary-folder.js'
import { HAS_GO, WITHOUT_GO } from './go.js'
import { startServer } from './server.js'

const text = { type: 'string' }
const Details = {
  type: 'object',
  required: ['hint'],
  properties: { hint: text, at: { type: 'integer', format: 'int32' } },
}
const json = (schema: object) => ({ 'application/json': { schema } })

/** A variant, which its state tells. */
const job = (title: string, state: string) => ({
  ...{ title, type: 'object', required: ['state'] },
  properties: { state: { const: state } },
})

const schemaOf = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const DOCUMENTS = {
  openapi: openapiOf({
    servers: [{ 'x-name': 'main', url: 'http://127.0.0.1:9/' }],
    version: '3.1.0',
    schemas: {
      Details,
      Message: { type: 'object', required: ['text'], properties: { text } },
      Sum: {
        type: 'object',
        required: ['terms'],
        properties: { terms: { type: 'array', items: { type: 'integer', format: 'int32' } } },
      },
    },
    paths: {
      '/orders': {
        get: {
          operationId: 'getOrders',
          responses: {
            204: { description: 'Done.' },
            409: { description: 'No.', content: json({ $ref: '#/components/schemas/Details' }) },
          },
        },
      },
      '/sent': {
        post: {
          operationId: 'submit',
          requestBody: {
            required: true,
            content: json({ oneOf: ['Message', 'Sum'].map(schemaOf) }),
          },
          responses: { 200: { description: 'Done.', content: json(schemaOf('Details')) } },
          'x-variants': {
            message: { request: schemaOf('Message'), responses: [schemaOf('Details')] },
            sum: { request: schemaOf('Sum'), responses: [schemaOf('Details')] },
          },
        },
      },
      '/jobs': {
        get: {
          operationId: 'getJob',
          security: [{ key: [] }],
          'x-poll': { field: 'state', terminal: ['done'] },
          responses: {
            200: {
              description: 'Yes.',
              content: json({ oneOf: [job('Waiting', 'waiting'), job('Done', 'done')] }),
            },
          },
        },
      },
    },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  }),
  openrpc: openrpcOf({
    servers: [{ name: 'main', url: 'http://127.0.0.1:9/' }],
    schemas: { Details },
    methods: [
      method('read', [{ name: 'key', required: true, schema: text }], text),
      {
        ...method('ask', [{ name: 'question', required: true, schema: text }], { type: 'boolean' }),
        'x-direction': 'server',
      },
    ],
  }),
}

/** Subscriptions to numbers, and a notification that cancels a call. */
const FOLLOWED = {
  openrpc: openrpcOf({
    servers: [{ name: 'main', url: 'http://127.0.0.1:9/' }],
    'x-cancel': { notification: 'cancel', id: '/id' },
    methods: [
      { ...method('read', [], text), 'x-idempotent': true },
      {
        name: 'cancel',
        params: [{ name: 'id', required: true, schema: {} }],
        paramStructure: 'by-name',
        'x-direction': 'client',
      },
      {
        ...method('follow', [], text),
        'x-subscription': {
          unsubscribe: 'unfollow',
          id: '/subscription',
          notifications: [{ method: 'followed', item: '/item' }],
        },
      },
      method('unfollow', [{ name: 'id', required: true, schema: text }], { type: 'boolean' }),
      {
        name: 'followed',
        params: [
          { name: 'subscription', required: true, schema: text },
          { name: 'item', required: true, schema: { type: 'integer', format: 'int32' } },
        ],
        paramStructure: 'by-name',
        'x-direction': 'server',
      },
    ],
  }),
}

/** Writes a module with a program, runs it, and returns its lines. */
const linesOf = async (
  documents: Parameters<typeof apiOf>[0],
  program: string,
  ...args: readonly string[]
): Promise<readonly string[]> => {
  const folder = temporaryFolder('go-program')
  const files = [
    ...emitGo(await apiOf(documents), { module: 'example.com/orders' }),
    { name: 'cmd/program/main.go', text: program },
  ]
  for (const file of files) {
    mkdirSync(dirname(join(folder, file.name)), { recursive: true })
    writeFileSync(join(folder, file.name), file.text)
  }
  const run = promisify(execFile)
  const { stdout } = await run('go', ['-C', folder, 'run', './cmd/program', ...args])
  return stdout.trim().split('\n')
}

it.skipIf(!HAS_GO)(
  `a Go program reads the body of an HTTP error, and the data of a JSON-RPC error, as types of the document${WITHOUT_GO}`,
  async () => {
    const server = await startServer()
    const data = { hint: 'later', at: 7, more: true }
    const failed = { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'no', data } }
    server.play({
      script: [{ status: 409, body: JSON.stringify(data) }, { body: JSON.stringify(failed) }],
    })
    const program = `package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"example.com/orders"
)

func main() {
	http, err := orders.NewHTTPClient(os.Args[1])
	if err != nil {
		panic(err)
	}
	err = http.GetOrders(context.Background())
	if refused, ok := errors.AsType[*orders.GetOrdersError](err); ok {
		fmt.Println(refused.Status, refused.Body.Hint, *refused.Body.At, refused.Body.Raw()["more"])
	}
	rpc, err := orders.NewRPCClient(os.Args[1])
	if err != nil {
		panic(err)
	}
	_, err = rpc.Read(context.Background(), "k")
	if refused, ok := errors.AsType[*orders.RPCError](err); ok {
		details, err := orders.RPCErrorData[orders.Details](refused)
		fmt.Println(refused.Code, details.Hint, *details.At, err)
		_, err = orders.RPCErrorData[string](refused)
		fmt.Println(err)
	}
}
`
    try {
      expect(await linesOf(DOCUMENTS, program, server.origin)).toEqual([
        '409 later 7 true',
        '-32001 later 7 <nil>',
        'the data of the error -32001 of read: an object cannot be returned as string',
      ])
    } finally {
      server.close()
    }
  },
)

it.skipIf(!HAS_GO)(
  `a Go program answers a request of the server within an event stream, by a request of its own${WITHOUT_GO}`,
  async () => {
    const server = await startServer()
    const event = (message: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`
    server.play({
      script: [
        {
          headers: { 'content-type': 'text/event-stream' },
          body: event({ id: 'q', method: 'ask', params: ['sure?'] }),
          rest: event({ id: 1, result: 'asked' }),
        },
        { status: 202 },
      ],
    })
    const program = `package main

import (
	"context"
	"fmt"
	"os"

	"example.com/orders"
)

func main() {
	rpc, err := orders.NewRPCClient(os.Args[1], orders.WithHandlers(orders.RPCHandlers{
		Ask: func(_ context.Context, question string) (bool, error) { return question == "sure?", nil },
	}))
	if err != nil {
		panic(err)
	}
	fmt.Println(rpc.Read(context.Background(), "k"))
}
`
    try {
      expect(await linesOf(DOCUMENTS, program, server.origin)).toEqual(['asked <nil>'])
      expect(server.requests().map(({ body }) => body)[1]).toBe(
        '{"jsonrpc":"2.0","id":"q","result":true}',
      )
    } finally {
      server.close()
    }
  },
)

it.skipIf(!HAS_GO)(
  `a Go program carries calls over a link of its own, and answers a request of the server${WITHOUT_GO}`,
  async () => {
    const program = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"example.com/orders"
)

// link is a server in the same program: it asks before it responds.
type link struct {
	messages chan string
	closed   chan struct{}
}

func (l *link) Receive(context.Context, int64) ([]byte, error) {
	select {
	case message := <-l.messages:
		return []byte(message), nil
	case <-l.closed:
		return nil, errors.New("closed")
	}
}

func (l *link) Send(_ context.Context, message []byte) error {
	var sent struct {
		ID     json.RawMessage
		Method string
		Result *bool
	}
	if err := json.Unmarshal(message, &sent); err != nil {
		return err
	}
	if sent.Method != "" {
		l.messages <- \`{"jsonrpc":"2.0","id":"q","method":"ask","params":["sure?"]}\`
	} else {
		l.messages <- fmt.Sprintf(\`{"jsonrpc":"2.0","id":1,"result":"%v"}\`, *sent.Result)
	}
	return nil
}

func (l *link) Close() error {
	close(l.closed)
	return nil
}

func main() {
	opened := 0
	rpc, err := orders.NewRPCClient("", orders.WithLink(func(context.Context, orders.LinkTarget) (orders.Link, error) {
		opened++
		return &link{make(chan string, 8), make(chan struct{})}, nil
	}), orders.WithHandlers(orders.RPCHandlers{
		Ask: func(_ context.Context, question string) (bool, error) { return question == "sure?", nil },
	}))
	if err != nil {
		panic(err)
	}
	fmt.Println(rpc.Read(context.Background(), "k"))
	rpc.Close()
	_, err = rpc.Read(context.Background(), "k")
	fmt.Println(err, opened)
}
`
    expect(await linesOf(DOCUMENTS, program)).toEqual([
      'true <nil>',
      'read was not sent: the client was closed 1',
    ])
  },
)

it.skipIf(!HAS_GO)(
  `a Go program bounds the items of a subscription, and a cancelled context cancels a call on the server${WITHOUT_GO}`,
  async () => {
    const program = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"example.com/orders"
)

// link is a server of five items, which does not respond to read.
type link struct {
	messages chan string
	count    int
	// processed is closed when the client has read all items.
	processed chan struct{}
	onRead    func()
	cancelled chan string
}

func (l *link) Receive(ctx context.Context, _ int64) ([]byte, error) {
	l.count++
	if l.count == 7 {
		close(l.processed)
	}
	select {
	case message := <-l.messages:
		return []byte(message), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *link) Send(_ context.Context, message []byte) error {
	var sent struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
	}
	_ = json.Unmarshal(message, &sent)
	switch sent.Method {
	case "follow":
		l.messages <- fmt.Sprintf(\`{"jsonrpc":"2.0","id":%s,"result":"s"}\`, sent.ID)
		l.item(1)
	case "unfollow":
		fmt.Println("unfollow", string(sent.Params))
		l.messages <- fmt.Sprintf(\`{"jsonrpc":"2.0","id":%s,"result":true}\`, sent.ID)
	case "read":
		l.onRead()
	case "cancel":
		l.cancelled <- string(sent.Params)
	}
	return nil
}

func (l *link) item(number int) {
	l.messages <- fmt.Sprintf(\`{"jsonrpc":"2.0","method":"followed","params":{"subscription":"s","item":%d}}\`, number)
}

func (l *link) Close() error { return nil }

func open(onRead func()) (*orders.RPCClient, *link) {
	own := &link{make(chan string, 8), 0, make(chan struct{}), onRead, make(chan string, 1)}
	rpc, err := orders.NewRPCClient("", orders.WithLink(func(context.Context, orders.LinkTarget) (orders.Link, error) { return own, nil }))
	if err != nil {
		panic(err)
	}
	return rpc, own
}

func follow(options ...orders.CallOption) {
	rpc, own := open(nil)
	options = append(options, orders.WithOnGap(func(gap orders.Gap) { fmt.Println("dropped", gap.Dropped) }))
	for item, err := range rpc.FollowStream(context.Background(), options...) {
		if failed, ok := errors.AsType[*orders.CallError](err); ok {
			fmt.Println(failed.Reason)
			break
		}
		fmt.Println(item)
		if item == 1 {
			for number := range 4 {
				own.item(number + 2)
			}
			<-own.processed
		}
		if item == 5 {
			break
		}
	}
	rpc.Close()
}

func main() {
	follow(orders.WithBuffer(2))
	follow(orders.WithBuffer(2), orders.WithDropOldest())
	ctx, cancel := context.WithCancel(context.Background())
	rpc, own := open(cancel)
	_, err := rpc.Read(ctx)
	if failed, ok := errors.AsType[*orders.CallError](err); ok {
		fmt.Println(failed.Reason, errors.Is(err, context.Canceled), <-own.cancelled)
	}
	rpc.Close()
	var closing *orders.RPCClient
	closing, _ = open(func() { go closing.Close() })
	fmt.Println(closing.Read(context.Background()))
}
`
    const lines = await linesOf(FOLLOWED, program)
    const unfollow = 'unfollow ["s"]'
    expect(lines.slice(0, 5)).toEqual(['1', '2', '3', unfollow, 'overflow'])
    expect(lines.slice(5, 10)).toEqual(['1', 'dropped 2', '4', '5', unfollow])
    expect(lines.slice(10)).toEqual([
      'aborted true {"id":1}',
      ' read got no response: the client was closed',
    ])
  },
)

it.skipIf(!HAS_GO)(
  `a Go program finds its own errors and the deadline of its context in those of calls, and an unknown variant by its type${WITHOUT_GO}`,
  async () => {
    const program = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"example.com/orders"
)

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(request *http.Request) (*http.Response, error) { return t(request) }

var errMine = errors.New("mine")

func client(send transport, options ...orders.Option) *orders.HTTPClient {
	made, err := orders.NewHTTPClient("http://127.0.0.1:9", append([]orders.Option{
		orders.WithHTTPClient(&http.Client{Transport: send}), orders.WithKey("sesame"),
		orders.WithRetry(orders.Retry{Attempts: 1}),
	}, options...)...)
	if err != nil {
		panic(err)
	}
	return made
}

func waits(request *http.Request) (*http.Response, error) {
	<-request.Context().Done()
	return nil, request.Context().Err()
}

func states(state string) transport {
	return func(*http.Request) (*http.Response, error) {
		body := io.NopCloser(strings.NewReader(\`{"state":"\` + state + \`"}\`))
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: body}, nil
	}
}

func show(err error) {
	reason := orders.Reason("")
	if failed, ok := errors.AsType[*orders.CallError](err); ok {
		reason = failed.Reason
	}
	fmt.Println(reason, errors.Is(err, errMine), errors.Is(err, context.DeadlineExceeded), err)
}

func main() {
	background := context.Background()
	soon := func() context.Context {
		made, _ := context.WithTimeout(background, 20*time.Millisecond)
		return made
	}
	_, err := client(func(*http.Request) (*http.Response, error) { return nil, fmt.Errorf("outer sesame: %w", errMine) }).GetJob(background)
	show(err)
	_, err = client(waits, orders.WithKeyFunc(func(context.Context) (string, error) { return "", errMine })).GetJob(background)
	show(err)
	cancelled, cancel := context.WithCancelCause(background)
	cancel(errMine)
	_, err = client(waits).GetJob(cancelled)
	show(err)
	_, err = client(waits).GetJob(soon())
	show(err)
	_, err = client(waits).GetJob(background, orders.WithTimeout(20*time.Millisecond))
	show(err)
	_, err = client(waits, orders.WithHTTPClient(&http.Client{Transport: transport(waits), Timeout: 20 * time.Millisecond})).GetJob(background)
	show(err)
	for _, err := range client(states("waiting")).GetJobPoll(soon(), orders.WithPollInterval(time.Hour)) {
		if err != nil {
			show(err)
		}
	}
	for _, state := range []string{"waiting", "done", "lost"} {
		found, err := client(states(state)).GetJob(background)
		text, _ := json.Marshal(found)
		again, _ := orders.ReadJSON[orders.GetJobResult2](text)
		fmt.Printf("%T %v %T\\n", found, err, again)
	}
}
`
    expect(await linesOf(DOCUMENTS, program)).toEqual([
      'network true false getJob: no response: outer [redacted]: mine',
      'invalid-input true false getJob: the credentials could not be obtained',
      'aborted true false getJob: the call was cancelled',
      'timeout false true getJob: no response before the deadline of the context',
      'timeout false true getJob: no response within 20ms',
      'timeout false true getJob: no response: context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
      'timeout false true getJob: no response before the deadline of the context',
      '*orders.Waiting <nil> *orders.Waiting',
      '*orders.Done <nil> *orders.Done',
      '*orders.UnknownGetJobResult2 <nil> *orders.UnknownGetJobResult2',
    ])
  },
)

it.skipIf(!HAS_GO)(
  `a Go program gets an error for what it passes wrongly, and no panic${WITHOUT_GO}`,
  async () => {
    const program = `package main

import (
	"context"
	"fmt"

	"example.com/orders"
)

func open(server string, options ...orders.Option) {
	_, err := orders.NewHTTPClient(server, options...)
	fmt.Println(err)
}

func main() {
	ctx := context.Background()
	open("http://127.0.0.1:port")
	open("Testnet")
	open("", orders.WithKey("k\\xff"))
	open("", orders.WithKeyFunc(nil))
	open("", nil)
	open("", orders.WithPollInterval(-1))
	open("", orders.WithVariables(map[string]string{"region": "eu"}))
	http, _ := orders.NewHTTPClient("http://127.0.0.1:9", orders.WithKey("k"))
	_, err := http.GetJob(nil)
	fmt.Println(err)
	_, err = http.GetJob(ctx, nil)
	fmt.Println(err)
	_, err = http.SubmitSum(ctx, orders.Sum{})
	fmt.Println(err)
	rpc, _ := orders.NewRPCClient("")
	_, err = rpc.Read(ctx, "bad \\xff")
	fmt.Println(err)
	_, err = orders.RPCErrorData[string](nil)
	fmt.Println(err)
	batch := rpc.Batch()
	batch.Read("k")
	fmt.Println(batch.Send(ctx, orders.WithoutInputValidation()))
}
`
    expect(await linesOf(DOCUMENTS, program)).toEqual([
      'the address of the server is not a URL',
      'no server is named "Testnet": give a URL or "main"',
      'key must be valid UTF-8',
      'the function of the credential key is nil',
      'an option is nil: leave it out',
      'the interval of polls must not be negative',
      'no server has a variable "region": the names are []',
      'the context is nil: use context.Background()',
      'an option is nil: leave it out',
      'submit: the input is not valid: /body/terms must be array, not null',
      'read was not sent: key (/0) has bytes that are not UTF-8',
      'there is no error of JSON-RPC: it is nil',
      'WithoutInputValidation is no option of Send, because calls are validated when they are added: give it to the client',
    ])
  },
)
