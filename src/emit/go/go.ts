import type { Api, HttpOperation } from '../../model/api.js'
import { httpOperations, rpcOperations } from '../../model/operations.js'
import { goString } from '../../text/escape.js'
import type { File } from '../file.js'
import { runtimeFiles } from '../languages/runtime-files.js'
import { emitOperationsJson } from '../operations-json.js'
import { documentedAliases } from './aliases.js'
import { createGoCalls } from './calls.js'
import { comment, GO_HEADER, goFile } from './layout.js'
import { exportedName } from './names.js'
import { type GoCredential, type GoModule, type GoPackage, goPackage } from './package.js'
import { type GoRequirements, goReadmeFile, moduleFiles } from './project.js'
import type { GoResults } from './results.js'
import type { GoTypes } from './types.js'

/** The files of a Go module with clients of both protocols: types and signatures, the data of the operations, and the runtime. */
export const emitGo = (api: Api, options: GoModule = {}): readonly File[] => {
  const made = goPackage(api, options)
  const { module, name, types, resultsOf } = made
  const go = (file: string, body: string, more?: readonly string[], about?: string): File => ({
    name: file,
    text: goFile(name, `${module}/internal/runtime`, documentedAliases(body), more, about),
  })
  const clients = made.clients.map(({ name, text }) => go(name, text))
  const errors = errorsText(api, types, resultsOf)
  const data = emitOperationsJson(api)
  const needsRegexp2 = patternsIn(JSON.parse(data.text)).some(isBeyondRe2)
  const needsSocket = hasSockets(api)
  return [
    ...clients,
    ...moduleFiles(module, { needsRegexp2, needsSocket }),
    goReadmeFile(api, createGoCalls(made)),
    go('types.go', types.declarations().join('\n\n')),
    go('errors.go', errors.text),
    go('options.go', [optionsText(made.options), ...linkOptions(api)].join('\n\n')),
    go(
      'operations.go',
      operationsText(types, errors.names, { needsRegexp2, needsSocket }),
      ['_ "embed"'],
      comment([`Package ${name} has clients of ${api.title}, ${api.version}.`]),
    ),
    ...(needsRegexp2 ? [{ name: 'patterns.go', text: PATTERNS.replace('NAME', name) }] : []),
    ...(needsSocket
      ? [{ name: 'socket.go', text: SOCKET.replace('NAME', name).replace('MODULE', module) }]
      : []),
    { name: data.name, text: `${JSON.stringify(JSON.parse(data.text))}\n` },
    ...runtimeFiles('go').map((file) => ({
      name: `internal/runtime/${file.name}`,
      text: `${GO_HEADER}\n\n${file.text}`,
    })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const errorsText = (
  api: Api,
  types: GoTypes,
  resultsOf: (operation: HttpOperation) => GoResults,
) => {
  const errors = httpOperations(api).flatMap((operation) => {
    const { error } = resultsOf(operation)
    return error === undefined
      ? []
      : [{ id: operation.id, error, name: types.name(`${exportedName(operation.id)}Error`) }]
  })
  const own = errors.map(
    ({
      id,
      error,
      name,
    }) => `${comment([`${name} is an error response of ${id} that the document describes.`])}
type ${name} struct {
	*HTTPError
	Body ${error}
}

// Unwrap returns the error with any body.
func (e *${name}) Unwrap() error {
	return e.HTTPError
}`,
  )
  return {
    text: [ERRORS, ...(rpcOperations(api).length > 0 ? [ERROR_DATA] : []), ...own].join('\n\n'),
    names: errors.map(({ id, name }) => `runtime.ErrorOf[${name}](${goString(id)})`),
  }
}

const ERRORS = `// The errors of calls, for errors.As and errors.AsType.
type (
	// CallError is a call without a usable response.
	CallError = runtime.CallError
	// HTTPError is an error response of the server.
	HTTPError = runtime.HTTPError
	// RPCError is the error object of a JSON-RPC response.
	RPCError = runtime.RPCError
	// Issue is one error of validation.
	Issue = runtime.Issue
	// Warning is a response that differs from the document and is returned nevertheless.
	Warning = runtime.Warning
	// Reason says why a call has no response that matches the document.
	Reason = runtime.Reason
)

// The reasons of a CallError.
const (
	ReasonNetwork          = runtime.Network
	ReasonTimeout          = runtime.Timeout
	ReasonAborted          = runtime.Aborted
	ReasonMalformedAnswer  = runtime.MalformedAnswer
	ReasonUnmatchedAnswer  = runtime.UnmatchedAnswer
	ReasonInvalidInput     = runtime.InvalidInput
	ReasonInvalidAnswer    = runtime.InvalidAnswer
	ReasonResponseTooLarge = runtime.ResponseTooLarge
	ReasonOverflow         = runtime.Overflow
)`

/** OpenRPC has examples of the data of an error, and no schema. */
const ERROR_DATA = `// RPCErrorData returns the data of an error of JSON-RPC as a type of this package, which the document does not say. It is the zero
// value, if the error has no data.
func RPCErrorData[T any](failed *RPCError) (T, error) {
	return runtime.DataOf[T](operations, failed)
}`

const operationsText = (
  types: GoTypes,
  errors: readonly string[],
  { needsRegexp2, needsSocket }: GoRequirements,
): string => {
  const list = (type: string, members: readonly string[]): string =>
    members.length === 0
      ? ` []${type}`
      : ` = []${type}{\n${members.map((one) => `${one.replace(/^/gm, '\t')},\n`).join('')}}`
  return `//go:embed operations.json
var operationsJSON []byte

// operations are the data of the operations, and the types that the runtime makes of responses.
var operations = runtime.NewPackage(operationsJSON, unions, errorTypes, ${needsRegexp2 ? 'compilePattern' : 'nil'}, ${needsSocket ? 'openSocket' : 'nil'})

var unions${list('runtime.Union', types.unions())}

var errorTypes${list('runtime.ErrorType', errors)}`
}

const PATTERNS = `${GO_HEADER}

package NAME

import "github.com/dlclark/regexp2"

// compilePattern compiles a pattern that package regexp cannot, such as one with look-ahead.
func compilePattern(text string) (func(string) bool, error) {
	found, err := regexp2.Compile(text, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		return nil, err
	}
	return func(value string) bool {
		ok, err := found.MatchString(value)
		return ok && err == nil
	}, nil
}
`

/** Whether the document declares a server of JSON-RPC over a WebSocket. */
const hasSockets = ({ rpc }: Api): boolean =>
  (rpc?.servers ?? []).some(({ url }) => /^wss?:/i.test(url))

const SOCKET = `${GO_HEADER}

package NAME

import (
	"context"
	"io"
	"time"

	"github.com/coder/websocket"

	"MODULE/internal/runtime"
)

// heartbeat is the time of silence after which a ping asks the server for a sign of life, and the time for its response.
const heartbeat = 30 * time.Second

// socket is a WebSocket that carries messages of JSON-RPC.
type socket struct {
	connection *websocket.Conn
	received   chan struct{}
	closed     context.Context
	cancel     context.CancelFunc
}

func openSocket(ctx context.Context, target runtime.LinkTarget) (runtime.Link, error) {
	client := *target.Client
	client.Timeout = 0
	options := &websocket.DialOptions{HTTPClient: &client, HTTPHeader: target.Header}
	connection, _, err := websocket.Dial(ctx, target.URL, options)
	if err != nil {
		return nil, err
	}
	// Receive limits messages.
	connection.SetReadLimit(-1)
	closed, cancel := context.WithCancel(context.Background())
	made := &socket{connection, make(chan struct{}, 1), closed, cancel}
	go made.ping()
	return made, nil
}

// ping keeps the connection alive, or ends it.
func (s *socket) ping() {
	silence := time.NewTimer(heartbeat)
	defer silence.Stop()
	for {
		select {
		case <-s.closed.Done():
			return
		case <-s.received:
		case <-silence.C:
			ctx, cancel := context.WithTimeout(s.closed, heartbeat)
			err := s.connection.Ping(ctx)
			cancel()
			if err != nil {
				_ = s.connection.CloseNow()
				return
			}
		}
		silence.Reset(heartbeat)
	}
}

func (s *socket) Receive(ctx context.Context, most int64) ([]byte, error) {
	_, reader, err := s.connection.Reader(ctx)
	if err != nil {
		return nil, err
	}
	message, err := io.ReadAll(io.LimitReader(reader, most+1))
	if err == nil {
		_, err = io.Copy(io.Discard, reader)
	}
	select {
	case s.received <- struct{}{}:
	default:
	}
	return message, err
}

func (s *socket) Send(ctx context.Context, message []byte) error {
	return s.connection.Write(ctx, websocket.MessageText, message)
}

func (s *socket) Close() error {
	s.cancel()
	return s.connection.Close(websocket.StatusNormalClosure, "")
}
`

/** The options of links, of handlers of what the server sends, and of subscriptions. */
const linkOptions = (api: Api): readonly string[] => [
  ...(rpcOperations(api).length > 0 ? [LINK_OPTIONS] : []),
  ...(api.serverMethods.length > 0 ? [HANDLER_OPTIONS] : []),
  ...(rpcOperations(api).some(({ subscription }) => subscription) ? [SUBSCRIPTION_OPTIONS] : []),
]

const LINK_OPTIONS = `type (
	// Link is an open connection that carries messages of JSON-RPC in both directions, such as a WebSocket.
	Link = runtime.Link
	// LinkTarget is where a link of the document leads.
	LinkTarget = runtime.LinkTarget
	// OpenLink opens a link: for the first call, and for the first one after it ended.
	OpenLink = runtime.OpenLink
)

// WithLink sends all calls over links of the program, such as connections of a WebSocket library, in place of HTTP.
func WithLink(open OpenLink) Option { return runtime.WithLink(open) }`

const HANDLER_OPTIONS = `// WithOnHandlerError receives errors of handlers that no response tells: those of notifications, and those that are no *RPCError. By
// default they are logged.
func WithOnHandlerError(receive func(method string, err error)) Option {
	return runtime.WithOnHandlerError(receive)
}`

const SUBSCRIPTION_OPTIONS = `// Gap is a place between two items of a subscription where others may be missing.
type Gap = runtime.Gap

// WithOnGap is called between two items of a subscription where others may be missing.
func WithOnGap(receive func(Gap)) CallOption { return runtime.WithOnGap(receive) }

// WithBuffer sets how many items of a subscription may wait for the loop; 1,000 by default.
func WithBuffer(items int) CallOption { return runtime.WithBuffer(items) }

// WithDropOldest drops the oldest items of a full buffer, in place of an error.
func WithDropOldest() CallOption { return runtime.WithDropOldest() }

// WithResubscriptions sets how often a subscription whose connection broke is begun again in succession; 10 by default.
func WithResubscriptions(attempts int) CallOption { return runtime.WithResubscriptions(attempts) }`

/** The patterns of schemas. */
const patternsIn = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, one]) => [
        ...(key === 'pattern' && typeof one === 'string' ? [one] : []),
        ...(key === 'patternProperties' ? Object.keys(Object(one)) : []),
        ...patternsIn(one),
      ])

/** Whether a pattern has what RE2 lacks: look-around, references to groups, and more than 1,000 repetitions. */
const isBeyondRe2 = (pattern: string): boolean =>
  /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</.test(pattern) ||
  [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].some(
    ([, low, high]) => Math.max(Number(low), Number(high || 0)) > 1000,
  )

const optionsText = ({ servers, credentials }: GoPackage['options']): string =>
  [
    OPTIONS,
    ...[...servers].map(
      ([name, own]) => `// ${own} is the name of a server.\nconst ${own} = ${goString(name)}`,
    ),
    ...credentials.map(secretText),
  ].join('\n\n')

const secretText = ({ name, option: own, isBasic }: GoCredential): string => {
  const key = goString(name)
  const about = comment([`${own} sets the credential ${name}.`])
  const function_ = comment([
    `${own}Func sets a function that returns the credential ${name}. It is called for every call, and once more after a 401.`,
  ])
  return isBasic
    ? `${about}
func ${own}(user, password string) Option {
	return runtime.WithBasic(${key}, user, password)
}

${function_}
func ${own}Func(secret func(context.Context) (user, password string, err error)) Option {
	return runtime.WithBasicFunc(${key}, secret)
}`
    : `${about}
func ${own}(secret string) Option {
	return runtime.WithSecret(${key}, secret)
}

${function_}
func ${own}Func(secret func(context.Context) (string, error)) Option {
	return runtime.WithSecretFunc(${key}, secret)
}`
}

const OPTIONS = `type (
	// Option is an option of a client.
	Option = runtime.Option
	// CallOption is an option of a client, or of one call.
	CallOption = runtime.CallOption
	// Retry says when calls are retried: only those of operations marked x-idempotent, or with an idempotency key.
	Retry = runtime.Retry
	// Clock is the time, waiting and chance of a client; tests replace them.
	Clock = runtime.Clock
	// HookRequest is one HTTP request, as WithOnRequest receives it.
	HookRequest = runtime.HookRequest
	// HookResponse is the head of a response, as WithOnResponse receives it.
	HookResponse = runtime.HookResponse
	// ResponseValidation is how responses are validated.
	ResponseValidation = runtime.ResponseValidation
	// File is a file to send, with its name and its media type.
	File = runtime.File
	// Download is the body of a response that is neither JSON nor text.
	Download = runtime.Download
	// Record is part of every struct of a response; its Raw returns the object as it came, with all of its properties.
	Record = runtime.Record
	// Null is an optional value that may be null. Its zero value is absent.
	Null[T any] = runtime.Null[T]
	// Pending is a call of a batch. It has a result or an error when the batch has been sent.
	Pending[T any] = runtime.Pending[T]
)

// How responses are validated. Tolerant, the default, reports new values of enums, new variants and null for optional properties to
// WithOnWarning and returns them.
const (
	Tolerant     = runtime.Tolerant
	Strict       = runtime.Strict
	NotValidated = runtime.NotValidated
)

// NullOf is a value that is present.
func NullOf[T any](value T) Null[T] { return runtime.NullOf(value) }

// NullValue is null.
func NullValue[T any]() Null[T] { return runtime.NullValue[T]() }

// ReadJSON reads JSON as a type of this package, such as a result that json.Marshal wrote. Package json cannot read interfaces.
func ReadJSON[T any](text []byte) (T, error) { return runtime.ReadJSON[T](operations, text) }

// Int is an integer of any size as a number of JSON.
func Int[T ~int | ~int64 | ~uint64](value T) json.Number { return json.Number(fmt.Sprint(value)) }

// WithTimeout sets the time for one call, retries included; 60 s by default, 0 for none.
func WithTimeout(timeout time.Duration) CallOption { return runtime.WithTimeout(timeout) }

// WithHeader adds a header to requests; documented ones take precedence.
func WithHeader(name, value string) CallOption { return runtime.WithHeader(name, value) }

// WithRetry sets when calls are retried. A zero field keeps its default.
func WithRetry(retry Retry) CallOption { return runtime.WithRetry(retry) }

// WithoutInputValidation sends inputs that do not match the document.
func WithoutInputValidation() CallOption { return runtime.WithoutInputValidation() }

// WithResponseValidation sets how responses are validated.
func WithResponseValidation(validation ResponseValidation) CallOption {
	return runtime.WithResponseValidation(validation)
}

// WithContentType sets the media type of a body, where the document has a range such as image/*.
func WithContentType(mediaType string) CallOption { return runtime.WithContentType(mediaType) }

// WithPollInterval sets the time between two requests of a poll; by default 500 ms, growing to 5 s.
func WithPollInterval(interval time.Duration) CallOption { return runtime.WithPollInterval(interval) }

// WithPollTimeout sets the time for the whole of a poll; none by default.
func WithPollTimeout(timeout time.Duration) CallOption { return runtime.WithPollTimeout(timeout) }

// WithVariables sets values of the variables of server URLs.
func WithVariables(variables map[string]string) Option { return runtime.WithVariables(variables) }

// WithMaxResponseBytes sets the maximum size of a response body, decompressed; 100 MiB by default.
func WithMaxResponseBytes(most int64) Option { return runtime.WithMaxResponseBytes(most) }

// WithClientPackage names the program with its version, such as acme-shop/1.4.2, sent as X-Client-Package.
func WithClientPackage(name string) Option { return runtime.WithClientPackage(name) }

// WithOnWarning receives a warning for each response that differs from the document and is returned nevertheless.
func WithOnWarning(receive func(Warning)) Option { return runtime.WithOnWarning(receive) }

// WithOnRequest is called before each HTTP request, retries included. Its error ends the call.
func WithOnRequest(receive func(*HookRequest) error) Option { return runtime.WithOnRequest(receive) }

// WithOnResponse is called with the head of each response. Its error ends the call.
func WithOnResponse(receive func(HookResponse) error) Option { return runtime.WithOnResponse(receive) }

// WithClock replaces time, waiting and chance.
func WithClock(clock Clock) Option { return runtime.WithClock(clock) }

// WithHTTPClient sends all requests with a client of the program; by default one that reads proxies from the environment.
// Redirects are followed as browsers do, without credentials for another origin: CheckRedirect of the client is not called.
func WithHTTPClient(client *http.Client) Option { return runtime.WithHTTPClient(client) }`
