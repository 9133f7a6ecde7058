package runtime

import (
	"context"
	"errors"
	"fmt"
	"log"
	"reflect"
	"strings"
	"sync"
)

// mostRunning is how many calls of the server run, and how many notifications wait, at once.
const mostRunning = 1_000

// cancelledCode is that of a request that the server cancelled (LSP, ErrorCodes).
const cancelledCode = -32800

// incoming is the side of a client that the server calls: its handlers by the id of the operation, functions of a context and the params.
type incoming struct {
	of       *Package
	settings *settings
	methods  map[string]*operation

	mutex   sync.Mutex
	running map[runningKey]context.CancelFunc
	count   int
	// Handlers of notifications run one after another.
	queue     []func()
	isWorking bool
}

type runningKey struct {
	connection *connection
	id         string
}

// sender is where a call of the server came from: its link, and how its response is sent. Without a connection and topics it is HTTP.
type sender struct {
	ctx        context.Context
	connection *connection
	redact     func(string) string
	topics     *topics
	send       func(text string) bool
}

func newIncoming(of *Package, s *settings) *incoming {
	made := &incoming{of: of, settings: s, methods: map[string]*operation{}, running: map[runningKey]context.CancelFunc{}}
	for _, one := range of.document.Sent {
		made.methods[one.Method] = one
	}
	return made
}

func (in *incoming) ignore(redact func(string) string, operation, what string) {
	in.warn(Warning{redact(operation), what + " was ignored", nil})
}

func (in *incoming) warn(warning Warning) {
	if in.settings.onWarning != nil {
		in.settings.onWarning(warning)
	}
}

// serve handles the calls in one text, and sends the responses to its requests together.
func (in *incoming) serve(calls []object, isBatch bool, from *sender) {
	var waiting sync.WaitGroup
	responses := make([]string, len(calls))
	for at, one := range calls {
		method := fmt.Sprint(one["method"])
		id, isRequest := one["id"]
		own := in.methods[method]
		var handler reflect.Value
		if own != nil {
			handler = in.settings.handlers[own.ID]
		}
		sent, hasParams := one["params"]
		if !isRequest {
			in.notified(own, method, handler, sent, hasParams, from)
			continue
		}
		if !handler.IsValid() {
			responses[at] = notFound(id)
			continue
		}
		values, err := in.read(own, sent, hasParams, from.redact)
		if err != nil {
			responses[at] = errorText(id, -32602, "Invalid params", nil)
			continue
		}
		if !in.begin() {
			responses[at] = errorText(id, limitExceeded, "Too many calls at once", nil)
			continue
		}
		waiting.Go(func() {
			defer in.done()
			responses[at] = in.handle(own, handler, id, values, from)
		})
	}
	respond := func() {
		var texts []string
		for _, one := range responses {
			if one != "" {
				texts = append(texts, one)
			}
		}
		// Where the server sends no documented methods, each is rejected by itself.
		if isBatch && len(texts) > 0 && len(in.methods) > 0 {
			texts = []string{"[" + strings.Join(texts, ",") + "]"}
		}
		for _, one := range texts {
			if !from.send(one) && from.connection == nil {
				in.ignore(from.redact, "", "a response to a call of the server")
			}
		}
	}
	if from.connection == nil {
		// The request of a response is part of the exchange.
		waiting.Wait()
		respond()
		return
	}
	go func() {
		waiting.Wait()
		respond()
	}()
}

func (in *incoming) begin() bool {
	in.mutex.Lock()
	defer in.mutex.Unlock()
	if in.count >= mostRunning {
		return false
	}
	in.count++
	return true
}

func (in *incoming) done() {
	in.mutex.Lock()
	defer in.mutex.Unlock()
	in.count--
}

// notified handles a notification: an item of a subscription, the end of a request, or a call of its handler.
func (in *incoming) notified(own *operation, method string, handler reflect.Value, sent any, hasParams bool, from *sender) {
	cancel := in.of.document.Cancel
	isCancel := own != nil && cancel != nil && cancel.Notification == method
	isItem := own != nil && from.topics != nil && from.topics.has(method)
	if !isCancel && !isItem && !handler.IsValid() {
		in.ignore(from.redact, method, "a call of the server")
		return
	}
	values, err := in.read(own, sent, hasParams, from.redact)
	pass := func() {
		switch {
		case !handler.IsValid():
			in.ignore(from.redact, method, "a call of the server")
		case err != nil:
			var failed *CallError
			errors.As(err, &failed)
			in.warn(Warning{method, failed.Message, failed.Issues})
		default:
			in.enqueue(method, from, func() {
				if _, err := in.invoke(from.ctx, own, handler, values); err != nil {
					in.report(method, err)
				}
			})
		}
	}
	if isCancel && err == nil {
		in.cancelled(from.connection, own.valueAtParams(cancel.ID, sent))
		if handler.IsValid() {
			pass()
		}
		return
	}
	if isItem {
		from.topics.receive(from.connection, notification{own, sent, err, pass})
		return
	}
	pass()
}

// enqueue runs handlers of notifications in the order of the messages.
func (in *incoming) enqueue(method string, from *sender, work func()) {
	in.mutex.Lock()
	defer in.mutex.Unlock()
	if len(in.queue) >= mostRunning {
		go in.ignore(from.redact, method, "one call of too many of the server")
		return
	}
	in.queue = append(in.queue, work)
	if in.isWorking {
		return
	}
	in.isWorking = true
	go func() {
		for {
			in.mutex.Lock()
			if len(in.queue) == 0 {
				in.isWorking = false
				in.mutex.Unlock()
				return
			}
			first := in.queue[0]
			in.queue = in.queue[1:]
			in.mutex.Unlock()
			first()
		}
	}()
}

func (in *incoming) cancelled(c *connection, id any) {
	in.mutex.Lock()
	defer in.mutex.Unlock()
	if cancel := in.running[runningKey{c, idKey(object{"id": id})}]; cancel != nil {
		cancel()
	}
}

// read is a value for each param of a message of the server, nil for an absent one; a *CallError for invalid params.
func (in *incoming) read(own *operation, sent any, hasParams bool, redact func(string) string) ([]*any, error) {
	f := failures{own.Method, redact}
	values := make([]*any, len(own.Params))
	list, isList := sent.([]any)
	members, isObject := sent.(object)
	switch {
	case isList && own.ParamStructure != "by-name":
		for at := range min(len(list), len(values)) {
			values[at] = &list[at]
		}
	case isObject && own.ParamStructure != "by-position":
		for at, one := range own.Params {
			if value, ok := members[one.Name]; ok {
				values[at] = &value
			}
		}
	case hasParams:
		wanted := "an array"
		if own.ParamStructure == "by-name" {
			wanted = "an object"
		}
		return nil, f.call(InvalidAnswer, ": the params of the message must be "+wanted, nil, nil)
	}
	if in.settings.response == NotValidated {
		return values, nil
	}
	var issues, tolerated []Issue
	for at, param := range own.Params {
		where := step(fmt.Sprint(at))
		if own.ParamStructure == "by-name" {
			where = step(param.Name)
		}
		if values[at] == nil {
			if param.Required {
				issues = append(issues, Issue{"", "required", "needs " + param.Name})
			}
			continue
		}
		found, isTolerated := in.of.check([]string{param.place}, *values[at], in.settings.response)
		if isTolerated {
			tolerated = append(tolerated, within(where, found)...)
		} else {
			issues = append(issues, within(where, found)...)
		}
	}
	if issues != nil {
		return nil, f.call(InvalidAnswer, ": the params of the message do not match their schemas", issues, nil)
	}
	if tolerated != nil {
		in.warn(Warning{own.Method, "the params of the message do not match their schemas", f.issues(tolerated)})
	}
	return values, nil
}

// handle calls the handler of a request, and writes its response.
func (in *incoming) handle(own *operation, handler reflect.Value, id any, values []*any, from *sender) string {
	ctx, cancel := context.WithCancel(from.ctx)
	key := runningKey{from.connection, idKey(object{"id": id})}
	in.mutex.Lock()
	in.running[key] = cancel
	in.mutex.Unlock()
	defer func() {
		in.mutex.Lock()
		delete(in.running, key)
		in.mutex.Unlock()
		cancel()
	}()
	result, err := in.invoke(ctx, own, handler, values)
	var sent encoded
	if err == nil {
		var issues []Issue
		sent, issues = encode(result)
		if issues == nil && !in.settings.skipsInput {
			issues = in.of.schemas.issues(own.place, sent.plain, strict)
		}
		if issues != nil {
			err = failures{own.Method, from.redact}.call(InvalidInput, ": the result of the handler does not match its schema", issues, nil)
		}
	}
	var rejected *RPCError
	text, _ := writeJSON(id)
	switch {
	case err == nil:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, text, sent.text)
	case errors.As(err, &rejected):
		return errorText(id, rejected.Code, rejected.Message, rejected.Data)
	case ctx.Err() != nil:
		return errorText(id, cancelledCode, "Request cancelled", nil)
	}
	in.report(own.Method, err)
	return errorText(id, -32603, "Internal error", nil)
}

// invoke calls a handler with the types of its arguments.
func (in *incoming) invoke(ctx context.Context, own *operation, handler reflect.Value, values []*any) (any, error) {
	args := []reflect.Value{reflect.ValueOf(ctx)}
	for at, one := range values {
		made := reflect.New(handler.Type().In(at + 1)).Elem()
		if one != nil {
			if err := in.of.decode(*one, made); err != nil {
				return nil, fmt.Errorf("%s: the param %s: %w", own.Method, own.Params[at].Name, err)
			}
		}
		args = append(args, made)
	}
	results := handler.Call(args)
	err, _ := results[len(results)-1].Interface().(error)
	if len(results) == 1 {
		return nil, err
	}
	return results[0].Interface(), err
}

// report is for an error of a handler that its own response does not tell.
func (in *incoming) report(method string, err error) {
	if in.settings.onHandlerError != nil {
		in.settings.onHandlerError(method, err)
	} else {
		log.Printf("the handler of %s: %v", method, err)
	}
}

func errorText(id any, code int64, message string, data any) string {
	text, _ := writeJSON(id)
	shown, _ := writeJSON(message)
	more := ""
	if data != nil {
		if written, err := writeJSON(data); err == nil {
			more = `,"data":` + string(written)
		}
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s%s}}`, text, code, shown, more)
}

// notFound is the response to a request of the server that nothing handles (JSON-RPC 2.0, 5.1).
func notFound(id any) string { return errorText(id, -32601, "Method not found", nil) }

// valueAtParams is the value at a pointer into params, whose first step is the name or the position of a param.
func (o *operation) valueAtParams(pointer string, sent any) any {
	first, rest, hasRest := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	value := sent
	if pointer != "" {
		at := o.paramAt(stepUnescapes.Replace(first))
		switch found := sent.(type) {
		case []any:
			value = nil
			if at >= 0 && at < len(found) {
				value = found[at]
			}
		case object:
			value = nil
			if at >= 0 {
				value = found[o.Params[at].Name]
			}
		default:
			value = nil
		}
	}
	if !hasRest {
		return value
	}
	return valueAt("/"+rest, value)
}
