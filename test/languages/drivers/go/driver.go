// The driver of Go, a file of the generated package. A call goes through its typed method, if its input has the types of the method;
// another input goes to the runtime as it is.
package contract

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	nethttp "net/http"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"contract/internal/runtime"
)

type testCase struct {
	ID, Property, Protocol string
	Options                caseOptions
	Call                   struct {
		How, Operation string
		Input          map[string]json.RawMessage
		Params         json.RawMessage
		Members        []struct {
			Operation string
			Params    json.RawMessage
		}
		Timeout, Interval float64
		Take              int
		Cancel            string
		Attempts          int
		Handlers          map[string]handling
	}
}

// handling is what a handler returns.
type handling struct {
	Result json.RawMessage
	Error  *struct {
		Code    int64
		Message string
	}
}

type caseOptions struct {
	Server                            string
	Variables, Headers                map[string]string
	Auth                              map[string]json.RawMessage
	Timeout                           *float64
	Retry                             struct{ Attempts, Delay, Longest *float64 }
	MaxResponseBytes                  int64
	ValidateRequest, ValidateResponse string
	Clock                             string
}

type outcome struct {
	Kind      string    `json:"kind"`
	Value     *string   `json:"value,omitempty"`
	List      []outcome `json:"list,omitzero"`
	Reason    string    `json:"reason,omitempty"`
	Operation string    `json:"operation,omitempty"`
	Status    int       `json:"status,omitempty"`
	Code      *int64    `json:"code,omitempty"`
	Text      *string   `json:"text,omitempty"`
	Pointer   *string   `json:"pointer,omitempty"`
}

type answer struct {
	ID       string    `json:"id"`
	Outcome  outcome   `json:"outcome"`
	Waits    []float64 `json:"waits"`
	Warnings int       `json:"warnings"`
	Handled  []handled `json:"handled,omitzero"`
	Shown    string    `json:"shown"`
	// mutex is for what is counted while messages of the server arrive.
	mutex *sync.Mutex
}

type handled struct {
	Operation string `json:"operation"`
	Value     string `json:"value"`
}

// Drive plays the cases of standard input.
func Drive() {
	writer := json.NewEncoder(os.Stdout)
	_ = writer.Encode(map[string]bool{"ready": true})
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var one testCase
		if err := json.Unmarshal(line, &one); err != nil {
			panic(err)
		}
		_ = writer.Encode(play(one))
	}
}

func play(one testCase) answer {
	made := answer{ID: one.ID, Waits: []float64{}, mutex: &sync.Mutex{}}
	client := &RPCClient{}
	playOn(one, &made, &client)
	if one.Call.Handlers != nil {
		// Messages of the server are read on, after the response.
		time.Sleep(50 * time.Millisecond)
	}
	if client != nil && client.calls != nil {
		client.Close()
	}
	made.mutex.Lock()
	defer made.mutex.Unlock()
	return made
}

// chainOf is an error and all those within it.
func chainOf(err error) []error {
	if err == nil {
		return nil
	}
	found := []error{err}
	switch outer := err.(type) {
	case interface{ Unwrap() error }:
		found = append(found, chainOf(outer.Unwrap())...)
	case interface{ Unwrap() []error }:
		for _, inner := range outer.Unwrap() {
			found = append(found, chainOf(inner)...)
		}
	}
	return found
}

func playOn(one testCase, made *answer, client **RPCClient) {
	var shown []string
	show := func(err error) outcome {
		for _, inner := range chainOf(err) {
			shown = append(shown, fmt.Sprint(inner), fmt.Sprintf("%+v %#v", inner, inner))
			if rejected, ok := inner.(*HTTPError); ok {
				shown = append(shown, fmt.Sprint(rejected.Body, rejected.Header, rejected.Issues))
			}
			if failed, ok := inner.(*CallError); ok {
				shown = append(shown, fmt.Sprint(failed.Issues, failed.Text))
			}
		}
		return outcomeOf(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cancelAt := func(place string) {
		if one.Call.Cancel == place {
			cancel()
		}
	}
	cancelAt("before")
	if one.Call.Cancel == "held" {
		go func() {
			_, _ = nethttp.Get(strings.Replace(one.Options.Server, "ws:", "http:", 1) + "/cancel")
			cancel()
		}()
	}
	options := optionsOf(one.Options, made, func() { cancelAt("wait") })
	var http *HTTPClient
	var rpc *RPCClient
	var err error
	if one.Protocol == "http" {
		http, err = NewHTTPClient(one.Options.Server, options...)
	} else {
		if one.Call.Handlers != nil {
			made.Handled = []handled{}
			options = append(options, handlersOf(one.Call.Handlers, made), WithOnHandlerError(func(string, error) {}))
		}
		rpc, err = NewRPCClient(one.Options.Server, options...)
		*client = rpc
	}
	shown = append(shown, fmt.Sprintf("%v %+v %#v", http, http, http), fmt.Sprintf("%v %+v %#v", rpc, rpc, rpc), fmt.Sprint(options))
	if err != nil {
		shown = append(shown, err.Error())
		made.Outcome, made.Shown = outcome{Kind: "TypeError"}, strings.Join(shown, "\n")
		return
	}
	call := one.Call
	var own []CallOption
	if call.Timeout > 0 {
		own = append(own, WithPollTimeout(seconds(call.Timeout)))
	}
	if call.Interval > 0 {
		own = append(own, WithPollInterval(seconds(call.Interval)))
	}
	if call.How == "batch" {
		batch := rpc.Batch()
		var pending []func() (reflect.Value, error)
		for _, member := range call.Members {
			pending = append(pending, addTo(batch, member.Operation, paramsOf(member.Operation, member.Params)))
		}
		_ = batch.Send(ctx)
		made.Outcome = outcome{Kind: "list", List: []outcome{}}
		for _, result := range pending {
			value, err := result()
			if err != nil {
				made.Outcome.List = append(made.Outcome.List, show(err))
			} else {
				made.Outcome.List = append(made.Outcome.List, valueOf(value))
			}
		}
		made.Shown = strings.Join(shown, "\n")
		return
	}
	if call.How == "together" || call.How == "sequence" {
		var waiting sync.WaitGroup
		found := make([][]reflect.Value, len(call.Members))
		for at, member := range call.Members {
			each := one
			each.Call.Operation, each.Call.How = member.Operation, "call"
			waiting.Go(func() { found[at] = callRPC(ctx, rpc, each, paramsOf(member.Operation, member.Params), own) })
			if call.How == "sequence" {
				waiting.Wait()
			} else {
				// Ids are in the order of the members.
				time.Sleep(10 * time.Millisecond)
			}
		}
		waiting.Wait()
		made.Outcome = outcome{Kind: "list", List: []outcome{}}
		for _, results := range found {
			if err, ok := results[len(results)-1].Interface().(error); ok {
				made.Outcome.List = append(made.Outcome.List, show(err))
			} else {
				made.Outcome.List = append(made.Outcome.List, valueOf(results[0]))
			}
		}
		made.Shown = strings.Join(shown, "\n")
		return
	}
	list := []outcome{}
	taken := 0
	if call.How == "subscribe" {
		own = append(own, WithOnGap(func(Gap) { list = append(list, outcome{Kind: "gap", Reason: "reconnect"}) }))
		if call.Attempts > 0 {
			own = append(own, WithResubscriptions(call.Attempts))
		}
	}
	var results []reflect.Value
	if one.Protocol == "http" {
		results = callHTTP(ctx, http, one, own)
	} else {
		results = callRPC(ctx, rpc, one, paramsOf(call.Operation, call.Params), own)
	}
	if call.How == "" || call.How == "call" {
		if err, ok := results[len(results)-1].Interface().(error); ok {
			made.Outcome = show(err)
		} else if len(results) == 1 {
			made.Outcome = text("null")
		} else {
			made.Outcome = valueOf(results[0])
		}
		made.Shown = strings.Join(shown, "\n")
		return
	}
	var failed *outcome
	sequence := results[0]
	yield := reflect.MakeFunc(sequence.Type().In(0), func(args []reflect.Value) []reflect.Value {
		if err, ok := args[1].Interface().(error); ok {
			found := show(err)
			failed = &found
			return []reflect.Value{reflect.ValueOf(false)}
		}
		list = append(list, valueOf(args[0]))
		taken++
		cancelAt("item")
		return []reflect.Value{reflect.ValueOf(call.Take == 0 || taken < call.Take)}
	})
	sequence.Call([]reflect.Value{yield})
	made.Outcome = outcome{Kind: "list", List: list}
	if failed != nil && len(list) == 0 && call.How == "stream" {
		made.Outcome = *failed
	} else if failed != nil {
		made.Outcome.List = append(list, *failed)
	}
	made.Shown = strings.Join(shown, "\n")
}

// handlersOf are handlers with the params of their types, which return any value.
func handlersOf(from map[string]handling, made *answer) Option {
	handlers := map[string]any{}
	for id, own := range from {
		typed := reflect.TypeFor[RPCHandlers]()
		field, _ := typed.FieldByNameFunc(func(name string) bool { return strings.EqualFold(name, id) })
		var params []reflect.Type
		for at := range field.Type.NumIn() {
			params = append(params, field.Type.In(at))
		}
		results := []reflect.Type{reflect.TypeFor[any](), reflect.TypeFor[error]()}
		handlers[id] = reflect.MakeFunc(reflect.FuncOf(params, results, false), func(args []reflect.Value) []reflect.Value {
			var shown []any
			for _, one := range args[1:] {
				if one.Kind() != reflect.Pointer || !one.IsNil() {
					shown = append(shown, shownValue(one))
				}
			}
			text, _ := json.Marshal(shown)
			made.mutex.Lock()
			made.Handled = append(made.Handled, handled{id, string(text)})
			made.mutex.Unlock()
			var err error
			if own.Error != nil {
				err = &RPCError{Code: own.Error.Code, Message: own.Error.Message}
			}
			result := any(own.Result)
			return []reflect.Value{reflect.ValueOf(&result).Elem(), reflect.ValueOf(&err).Elem()}
		}).Interface()
	}
	return runtime.WithHandlers(handlers)
}

func seconds(number float64) time.Duration { return time.Duration(number * float64(time.Second)) }

func optionsOf(from caseOptions, made *answer, onWait func()) []Option {
	options := []Option{WithOnWarning(func(Warning) {
		made.mutex.Lock()
		defer made.mutex.Unlock()
		made.Warnings++
	}), WithVariables(from.Variables)}
	for name, value := range from.Headers {
		options = append(options, WithHeader(name, value))
	}
	if from.Timeout != nil {
		// No timeout is 0 in Go, and no time at all is the shortest one.
		options = append(options, WithTimeout(max(seconds(*from.Timeout), 1)))
	}
	retry := Retry{}
	if own := from.Retry; own.Attempts != nil {
		retry.Attempts = int(*own.Attempts)
		if *own.Attempts == 0 {
			retry.Attempts = -1
		}
	}
	if own := from.Retry; own.Delay != nil {
		retry.Delay = seconds(*own.Delay)
	}
	if own := from.Retry; own.Longest != nil {
		retry.Longest = seconds(*own.Longest)
	}
	options = append(options, WithRetry(retry))
	if from.MaxResponseBytes > 0 {
		options = append(options, WithMaxResponseBytes(from.MaxResponseBytes))
	}
	if from.ValidateRequest == "off" {
		options = append(options, WithoutInputValidation())
	}
	if from.ValidateResponse != "" {
		options = append(options, WithResponseValidation(ResponseValidation(from.ValidateResponse)))
	}
	if from.Clock != "real" {
		now := time.Unix(1_700_000_000, 0)
		options = append(options, WithClock(Clock{
			Now: func() time.Time { return now },
			Sleep: func(ctx context.Context, wait time.Duration) error {
				made.Waits = append(made.Waits, wait.Seconds())
				now = now.Add(wait)
				onWait()
				return ctx.Err()
			},
			Random: func() float64 { return 0.5 },
		}))
	}
	for name, secret := range from.Auth {
		var pair struct {
			User, Password *string
			Each           []string
		}
		var plain string
		if json.Unmarshal(secret, &plain) == nil {
			options = append(options, runtime.WithSecret(name, plain))
		} else if err := json.Unmarshal(secret, &pair); err == nil && pair.User != nil {
			options = append(options, runtime.WithBasic(name, *pair.User, *pair.Password))
		} else {
			options = append(options, runtime.WithSecretFunc(name, func(context.Context) (string, error) {
				first := pair.Each[0]
				if len(pair.Each) > 1 {
					pair.Each = pair.Each[1:]
				}
				return first, nil
			}))
		}
	}
	return options
}

// methodOf is the method of an operation, whose name differs in case.
func methodOf(client any, operation, suffix string) reflect.Value {
	of := reflect.TypeOf(client)
	for at := range of.NumMethod() {
		if strings.EqualFold(of.Method(at).Name, strings.ReplaceAll(operation, "_", "")+suffix) {
			return reflect.ValueOf(client).Method(at)
		}
	}
	return reflect.Value{}
}

var suffixes = map[string]string{"poll": "Poll", "pages": "Pages", "items": "Items", "subscribe": "Stream"}

type parameter struct {
	Name, In string
	Secret   bool
}

var document struct {
	HTTP map[string]struct {
		Parameters []parameter
		Body       *struct{}
		Variants   []struct{ Name string }
	}
	RPC map[string]struct{ Params []parameter }
}

func init() {
	if err := json.Unmarshal(operationsJSON, &document); err != nil {
		panic(err)
	}
}

func callHTTP(ctx context.Context, client *HTTPClient, one testCase, options []CallOption) []reflect.Value {
	call := one.Call
	own := document.HTTP[call.Operation]
	given := func(in, name string) json.RawMessage {
		var members map[string]json.RawMessage
		_ = json.Unmarshal(call.Input[in], &members)
		return plain(members[name])
	}
	var contentType string
	_ = json.Unmarshal(call.Input["contentType"], &contentType)
	method := methodOf(client, call.Operation, suffixes[call.How])
	if args, ok := typedArguments(method, func(params reflect.Type) []json.RawMessage {
		var list []json.RawMessage
		for _, each := range own.Parameters {
			if each.In == "path" && !each.Secret {
				list = append(list, given("path", each.Name))
			}
		}
		return list
	}, func(into reflect.Value) bool { return fillParams(into, own.Parameters, given) }, plain(call.Input["body"]), own.Body != nil); ok && contentType == "" && one.Options.ValidateResponse != "off" {
		return method.CallSlice(withOptions(ctx, args, options))
	}
	input := runtime.Input{ContentType: contentType}
	for _, each := range own.Parameters {
		input.Values = append(input.Values, valueIn(given(each.In, each.Name)))
	}
	if body, ok := call.Input["body"]; ok {
		input.Body = withFiles(body)
	}
	switch call.How {
	case "stream":
		input.Streams = true
		return []reflect.Value{reflect.ValueOf(runtime.Stream[any](ctx, client.calls, call.Operation, input, options))}
	case "poll":
		return []reflect.Value{reflect.ValueOf(runtime.Poll[any](ctx, client.calls, call.Operation, input, options))}
	case "pages":
		return []reflect.Value{reflect.ValueOf(runtime.PagesOf[any](ctx, client.calls, call.Operation, input, options))}
	case "items":
		return []reflect.Value{reflect.ValueOf(runtime.ItemsOf[any](ctx, client.calls, call.Operation, input, options))}
	}
	value, err := runtime.Call[any](ctx, client.calls, call.Operation, input, options)
	return []reflect.Value{reflect.ValueOf(&value).Elem(), reflect.ValueOf(&err).Elem()}
}

func withOptions(ctx context.Context, args []reflect.Value, options []CallOption) []reflect.Value {
	return append(append([]reflect.Value{reflect.ValueOf(ctx)}, args...), reflect.ValueOf(options))
}

// typedArguments are the arguments of a method between its context and its options; false if a value has another type.
func typedArguments(method reflect.Value, path func(reflect.Type) []json.RawMessage, params func(reflect.Value) bool, body json.RawMessage, hasBody bool) ([]reflect.Value, bool) {
	if !method.IsValid() {
		return nil, false
	}
	of := method.Type()
	values := path(of)
	var args []reflect.Value
	for at := 1; at < of.NumIn()-1; at++ {
		made := reflect.New(of.In(at)).Elem()
		switch {
		case len(values) > 0:
			if !decodeInto(values[0], made) {
				return nil, false
			}
			values = values[1:]
		case strings.HasSuffix(of.In(at).Name(), "Params") && params != nil:
			if !params(made) {
				return nil, false
			}
		default:
			if body == nil || !decodeInto(body, made) {
				return nil, false
			}
			body = nil
		}
		args = append(args, made)
	}
	return args, len(values) == 0 && (body == nil || !hasBody)
}

func fillParams(into reflect.Value, parameters []parameter, given func(in, name string) json.RawMessage) bool {
	at := 0
	for _, one := range parameters {
		if one.In == "path" || one.Secret {
			continue
		}
		if value := given(one.In, one.Name); value != nil && !decodeInto(value, into.Field(at)) {
			return false
		}
		at++
	}
	return true
}

// decodeInto decodes a value whose properties the type has; false for another one.
func decodeInto(value json.RawMessage, into reflect.Value) bool {
	if value == nil || bytes.Contains(value, []byte(`"$file"`)) {
		return false
	}
	if into.Kind() == reflect.Interface && into.NumMethod() == 0 {
		into.Set(reflect.ValueOf(value))
		return true
	}
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.DisallowUnknownFields()
	decoder.UseNumber()
	if decoder.Decode(into.Addr().Interface()) != nil {
		return false
	}
	// What the type cannot hold, such as a missing or a null member, would be sent differently.
	again := new(bytes.Buffer)
	encoder := json.NewEncoder(again)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(into.Interface()) == nil && compact(again.Bytes()) == compact(value)
}

func compact(text []byte) string {
	var made bytes.Buffer
	_ = json.Compact(&made, text)
	return made.String()
}

func callRPC(ctx context.Context, client *RPCClient, one testCase, params []json.RawMessage, options []CallOption) []reflect.Value {
	operation, how := one.Call.Operation, one.Call.How
	method := methodOf(client, operation, suffixes[how])
	if args, ok := typedParams(method, params, 1); ok && one.Options.ValidateResponse != "off" {
		return method.CallSlice(withOptions(ctx, args, options))
	}
	values := make([]any, len(params))
	for at, one := range params {
		values[at] = valueIn(one)
	}
	switch how {
	case "subscribe":
		return []reflect.Value{reflect.ValueOf(runtime.Subscribe[any](ctx, client.calls, operation, values, options))}
	case "pages":
		return []reflect.Value{reflect.ValueOf(runtime.RPCPages[any](ctx, client.calls, operation, values, options))}
	case "items":
		return []reflect.Value{reflect.ValueOf(runtime.RPCItems[any](ctx, client.calls, operation, values, options))}
	}
	value, err := runtime.Invoke[any](ctx, client.calls, operation, values, options)
	return []reflect.Value{reflect.ValueOf(&value).Elem(), reflect.ValueOf(&err).Elem()}
}

func addTo(batch *RPCBatch, operation string, params []json.RawMessage) func() (reflect.Value, error) {
	method := methodOf(batch, operation, "")
	if args, ok := typedParams(method, params, 0); ok {
		pending := method.Call(args)[0]
		return func() (reflect.Value, error) {
			found := pending.MethodByName("Result").Call(nil)
			err, _ := found[1].Interface().(error)
			return found[0], err
		}
	}
	values := make([]any, len(params))
	for at, one := range params {
		values[at] = valueIn(one)
	}
	pending := runtime.Add[any](batch.batch, operation, values)
	return func() (reflect.Value, error) {
		value, err := pending.Result()
		return reflect.ValueOf(&value).Elem(), err
	}
}

func typedParams(method reflect.Value, params []json.RawMessage, first int) ([]reflect.Value, bool) {
	if !method.IsValid() {
		return nil, false
	}
	of := method.Type()
	var args []reflect.Value
	for at := first; at < of.NumIn()-first; at++ {
		made := reflect.New(of.In(at)).Elem()
		number := at - first
		if number < len(params) && params[number] != nil {
			if !decodeInto(params[number], made) {
				return nil, false
			}
		} else if made.Kind() != reflect.Pointer && made.Kind() != reflect.Map && made.Kind() != reflect.Slice && !strings.HasPrefix(made.Type().Name(), "Null[") {
			return nil, false
		}
		args = append(args, made)
	}
	return args, len(params) <= len(args)
}

// paramsOf are params by position; nil is an omitted one.
func paramsOf(operation string, params json.RawMessage) []json.RawMessage {
	declared := document.RPC[operation].Params
	var byName map[string]json.RawMessage
	var list []json.RawMessage
	if json.Unmarshal(params, &list) == nil {
		for at := range list {
			list[at] = plain(list[at])
			if string(list[at]) == "null" || string(list[at]) == `{"$null":""}` {
				list[at] = nil
			}
		}
		return list
	}
	_ = json.Unmarshal(params, &byName)
	for _, one := range declared {
		list = append(list, plain(byName[one.Name]))
	}
	return list
}

var special = regexp.MustCompile(`\{"\$(int|float)":"([^"]*)"\}`)

// plain replaces the descriptions of numbers.
func plain(value json.RawMessage) json.RawMessage {
	if value == nil {
		return nil
	}
	return special.ReplaceAllFunc(value, func(one []byte) []byte {
		parts := special.FindSubmatch(one)
		if string(parts[1]) == "int" {
			return parts[2]
		}
		number, _ := strconv.ParseFloat(string(parts[2]), 64)
		// A zero has no sign in JSON.
		made, err := json.Marshal(number + 0)
		if err != nil {
			// NaN and infinities are no JSON: what the program passes is no JSON either.
			return []byte(`{"$nan":""}`)
		}
		return made
	})
}

func valueIn(value json.RawMessage) any {
	if value == nil {
		return nil
	}
	return withFiles(value)
}

// withFiles is a value with files in place of their descriptions: an object with files is a struct, which keeps the order of its members.
func withFiles(value json.RawMessage) any {
	value = plain(value)
	if bytes.Contains(value, []byte(`{"$nan":""}`)) {
		return notANumber(value)
	}
	if !bytes.Contains(value, []byte(`"$file"`)) {
		var text string
		// A text of Go cannot have half of a surrogate pair.
		if json.Unmarshal(value, &text) == nil && value[0] == '"' && !bytes.Contains(value, []byte(`\ud`)) {
			return text
		}
		return value
	}
	var items []json.RawMessage
	if json.Unmarshal(value, &items) == nil {
		list := make([]any, len(items))
		for at, one := range items {
			list[at] = withFiles(one)
		}
		return list
	}
	var file struct {
		File *struct{ Text, Name, Type string } `json:"$file"`
	}
	if json.Unmarshal(value, &file) == nil && file.File != nil {
		if file.File.Name == "" {
			return []byte(file.File.Text)
		}
		return File{Reader: strings.NewReader(file.File.Text), Name: file.File.Name, Type: file.File.Type}
	}
	decoder := json.NewDecoder(bytes.NewReader(value))
	_, _ = decoder.Token()
	var fields []reflect.StructField
	var values []any
	for decoder.More() {
		name, _ := decoder.Token()
		var member json.RawMessage
		_ = decoder.Decode(&member)
		made := withFiles(member)
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", len(fields)), Type: reflect.TypeFor[any](), Tag: reflect.StructTag(fmt.Sprintf("json:%q", name)),
		})
		if _, isFile := made.(io.Reader); isFile || reflect.TypeOf(made) == reflect.TypeFor[[]byte]() {
			fields[len(fields)-1].Type = reflect.TypeFor[io.Reader]()
			if content, ok := made.([]byte); ok {
				made = bytes.NewReader(content)
			}
		}
		values = append(values, made)
	}
	form := reflect.New(reflect.StructOf(fields)).Elem()
	for at, one := range values {
		form.Field(at).Set(reflect.ValueOf(one))
	}
	return form.Interface()
}

func notANumber(value json.RawMessage) any {
	var zero float64
	var members map[string]json.RawMessage
	if string(value) == `{"$nan":""}` || json.Unmarshal(value, &members) != nil {
		return zero / zero
	}
	made := map[string]any{}
	for name, one := range members {
		made[name] = valueIn(one)
	}
	return made
}

func text(value string) outcome { return outcome{Kind: "value", Value: &value} }

func valueOf(value reflect.Value) outcome {
	made, err := json.Marshal(shownValue(value))
	if err != nil {
		return outcome{Kind: "crash", Text: new(err.Error())}
	}
	return text(string(made))
}

// shownValue is a value as it came, with unknown properties, but null for an optional property left out.
func shownValue(value reflect.Value) any {
	switch value.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Interface, reflect.Pointer:
		if value.IsNil() {
			return nil
		}
		if value.Type() == reflect.TypeFor[*Download]() {
			return map[string]any{}
		}
		return shownValue(value.Elem())
	case reflect.Slice:
		list := make([]any, value.Len())
		for at := range list {
			list[at] = shownValue(value.Index(at))
		}
		return list
	case reflect.Map:
		made := map[string]any{}
		for _, key := range value.MapKeys() {
			made[key.String()] = shownValue(value.MapIndex(key))
		}
		return made
	case reflect.Struct:
		if value.Type().Name() != "" && strings.HasPrefix(value.Type().Name(), "Null[") {
			made, _ := json.Marshal(value.Interface())
			return json.RawMessage(made)
		}
		record, ok := value.Interface().(interface{ Raw() map[string]any })
		if !ok {
			return shownValue(value.FieldByName("Value"))
		}
		made := map[string]any{}
		for name, one := range record.Raw() {
			made[name] = one
		}
		for at := range value.NumField() {
			name, option, _ := strings.Cut(value.Type().Field(at).Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			own := value.Field(at)
			_, isPresent := made[name]
			isOptional := option == "omitzero"
			isNullable := own.Kind() == reflect.Pointer || own.Kind() == reflect.Interface
			switch {
			case own.IsZero() && isOptional:
				delete(made, name)
			case isPresent || isNullable:
				made[name] = shownValue(own)
			}
		}
		return made
	}
	return value.Interface()
}

func outcomeOf(err error) outcome {
	var issues []Issue
	made := outcome{Kind: "crash", Text: new(err.Error())}
	var call *CallError
	var http *HTTPError
	var rpc *RPCError
	switch {
	case errors.As(err, &call):
		made = outcome{Kind: "CallError", Reason: string(call.Reason), Operation: call.Operation}
		issues = call.Issues
	case errors.As(err, &rpc):
		made = outcome{Kind: "RpcError", Code: &rpc.Code, Operation: rpc.Method, Text: &rpc.Message}
	case errors.As(err, &http):
		body, _ := json.Marshal(http.Body)
		made = outcome{Kind: "HttpError", Status: http.Status, Operation: http.Operation, Text: new(string(body))}
		issues = http.Issues
	}
	for _, one := range issues {
		if made.Pointer == nil || len(one.Pointer) < len(*made.Pointer) || len(one.Pointer) == len(*made.Pointer) && one.Pointer < *made.Pointer {
			made.Pointer = new(one.Pointer)
		}
	}
	return made
}
