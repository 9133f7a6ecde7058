package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
)

// limitExceeded is the code of servers for a call over their rate limit (EIP-1474).
const limitExceeded = -32005

// RPCCalls are the calls of one JSON-RPC client.
type RPCCalls struct {
	of       *Package
	settings *settings
	place    *place
	ids      atomic.Int64
	incoming *incoming
	// duplex carries all calls, if the server is a WebSocket, or if the program opens a link.
	duplex *duplex
}

// NewRPC is the client of a server, by its name in the document or its address; empty for the first server of the document.
func NewRPC(of *Package, server string, options []Option) (*RPCCalls, error) {
	if err := of.load(); err != nil {
		return nil, err
	}
	s, err := newSettings(options)
	if err != nil {
		return nil, err
	}
	made := &RPCCalls{of: of, settings: s, incoming: newIncoming(of, s)}
	if s.openLink != nil {
		made.place = &place{}
		made.duplex = newDuplex(made, s.openLink, true)
		return made, nil
	}
	servers := of.document.Servers.RPC
	found, err := choosePlace(servers, server, of.document.Path, nil)
	if err == nil {
		err = checkVariables(servers, server, s)
	}
	if err == nil {
		err = found.checkFilled(servers, s)
	}
	if err == nil && of.openSocket != nil && socketURL.MatchString(found.url) {
		found.isSocket = true
		made.duplex = newDuplex(made, of.openSocket, false)
	}
	if err == nil && !found.renews(s) {
		_, err = found.find(context.Background(), s)
	}
	if err != nil {
		return nil, err
	}
	made.place = found
	return made, nil
}

// Close closes the link of a client, if it has one, and ends its calls.
func (c *RPCCalls) Close() {
	if c.duplex != nil {
		c.duplex.close()
	}
}

// rpcMember is one call in a text; settle receives its result or its error.
type rpcMember struct {
	id        int64
	operation *operation
	text      []byte
	failures  failures
	settle    func(any, error)
	// connection is that of the last exchange over a link.
	connection *connection
}

// Invoke returns the typed result of one call.
func Invoke[T any](ctx context.Context, c *RPCCalls, id string, params []any, options []CallOption) (T, error) {
	made, err := invoke(ctx, c, id, params, options)
	if err != nil {
		var none T
		return none, err
	}
	return typedResult[T](c.of, id, made)
}

// Notify makes one call without a result.
func Notify(ctx context.Context, c *RPCCalls, id string, params []any, options []CallOption) error {
	_, err := invoke(ctx, c, id, params, options)
	return err
}

func typedResult[T any](of *Package, id string, value any) (T, error) {
	made, err := convert[T](of, value)
	if err != nil {
		return made, failures{of.document.RPC[id].Method, unchanged}.call(InvalidAnswer, ": "+err.Error(), nil, nil)
	}
	return made, nil
}

func invoke(ctx context.Context, c *RPCCalls, id string, params []any, options []CallOption) (any, error) {
	s, err := c.settings.with(ctx, options)
	if err != nil {
		return nil, err
	}
	member, err := c.member(id, params, s)
	if err != nil {
		return nil, err
	}
	var value any
	member.settle = func(result any, failed error) { value, err = result, failed }
	c.send(ctx, []*rpcMember{member}, false, s)
	return value, err
}

// RPCPages yields the response of each page, from the page of these params on.
func RPCPages[T any](ctx context.Context, c *RPCCalls, id string, params []any, options []CallOption) iter.Seq2[T, error] {
	return turnRPCPages[T](ctx, c, id, params, options, func(_ *Pages, body any) []any { return []any{body} })
}

// RPCItems yields each item of all pages.
func RPCItems[T any](ctx context.Context, c *RPCCalls, id string, params []any, options []CallOption) iter.Seq2[T, error] {
	return turnRPCPages[T](ctx, c, id, params, options, (*Pages).itemsOf)
}

func turnRPCPages[T any](ctx context.Context, c *RPCCalls, id string, params []any, options []CallOption, each func(*Pages, any) []any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		own := c.of.document.RPC[id]
		turner := pageTurner{pages: own.Pages}
		params = append(slices.Clone(params), make([]any, max(0, len(own.Params)-len(params)))...)
		at := func(name string) int {
			return slices.IndexFunc(own.Params, func(one declaredParam) bool { return one.Name == name })
		}
		for {
			body, err := invoke(ctx, c, id, params, options)
			if err != nil {
				yield(none, err)
				return
			}
			for _, one := range each(own.Pages, body) {
				made, err := typedResult[T](c.of, id, one)
				if !yield(made, err) || err != nil {
					return
				}
			}
			following, err := turner.turn(body, nil, func(name string) any {
				sent, _ := encode(params[at(name)])
				return sent.plain
			})
			if err != nil {
				yield(none, failures{own.Method, unchanged}.call(InvalidAnswer, ": "+err.Error(), nil, nil))
				return
			}
			if following == nil {
				return
			}
			for name, value := range following {
				params[at(name)] = value
			}
		}
	}
}

// member is the request of one call; a *CallError for invalid params.
func (c *RPCCalls) member(id string, passed []any, s *settings) (*rpcMember, error) {
	own := c.of.document.RPC[id]
	f := failures{own.Method, redactor(headerSecrets(s.header))}
	made := &rpcMember{operation: own, failures: f}
	if !own.IsNotification {
		made.id = c.ids.Add(1)
	}
	var issues []Issue
	texts := make([]string, len(own.Params))
	for at, param := range own.Params {
		where := step(fmt.Sprint(at))
		if own.ParamStructure == "by-name" {
			where = step(param.Name)
		}
		var value any
		if at < len(passed) {
			value = passed[at]
		}
		if isAbsent(value) {
			// A required param without a value is null, if its schema accepts it.
			if param.Required && c.of.schemas.issues(param.place, nil, strict) == nil {
				texts[at] = "null"
			} else if param.Required {
				issues = append(issues, Issue{"", "required", "need " + param.Name})
			}
			continue
		}
		sent, faults := encode(value)
		if faults == nil && !s.skipsInput {
			faults = c.of.schemas.issues(param.place, sent.plain, strict)
		}
		issues = append(issues, within(where, faults)...)
		texts[at] = string(sent.text)
	}
	if issues != nil {
		return nil, f.placed(InvalidInput, " was not sent", issues, nil, func(pointer string) string {
			for at, param := range own.Params {
				if pointer == step(fmt.Sprint(at)) || strings.HasPrefix(pointer, step(fmt.Sprint(at))+"/") {
					return param.Name + " (" + pointer + ")"
				}
			}
			if pointer == "" {
				return "the params"
			}
			return pointer
		})
	}
	head := `{"jsonrpc":"2.0"`
	if made.id != 0 {
		head += fmt.Sprintf(`,"id":%d`, made.id)
	}
	method, _ := writeJSON(own.Method)
	made.text = fmt.Appendf(nil, `%s,"method":%s,"params":%s}`, head, method, own.paramsText(texts))
	return made, nil
}

// paramsText is the text of params, of which an empty one is omitted: at the end of a list nothing, within it null.
func (o *operation) paramsText(texts []string) string {
	if o.ParamStructure == "by-name" {
		var members []string
		for at, one := range o.Params {
			if texts[at] != "" {
				name, _ := writeJSON(one.Name)
				members = append(members, string(name)+":"+texts[at])
			}
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	for len(texts) > 0 && texts[len(texts)-1] == "" {
		texts = texts[:len(texts)-1]
	}
	for at := range texts {
		if texts[at] == "" {
			texts[at] = "null"
		}
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// send sends calls, batched as the limits allow, and settles them.
func (c *RPCCalls) send(ctx context.Context, members []*rpcMember, isBatch bool, s *settings) {
	limit := c.of.document.Limits.RPC
	d := newDeadline(ctx, s, s.timeout)
	defer d.close()
	var groups [][]*rpcMember
	size := 0
	for _, one := range members {
		most := least(limit.PayloadBytes, one.operation.Limits.PayloadBytes)
		if most > 0 && len(one.text) > most {
			text := fmt.Sprintf(" was not sent: its %d bytes exceed the limit of %d", len(one.text), most)
			one.settle(nil, one.failures.call(InvalidInput, text, nil, nil))
			continue
		}
		last := len(groups) - 1
		joined := size + 1 + len(one.text)
		if last < 0 || limit.BatchSize > 0 && len(groups[last]) >= limit.BatchSize || limit.PayloadBytes > 0 && joined > limit.PayloadBytes {
			groups = append(groups, []*rpcMember{one})
			size = 2 + len(one.text)
		} else {
			groups[last] = append(groups[last], one)
			size = joined
		}
	}
	for _, group := range groups {
		// A batch of one is sent without brackets if they would exceed the limit.
		isFull := limit.PayloadBytes > 0 && len(group[0].text)+2 > limit.PayloadBytes
		c.sendGroup(d, group, isBatch && !isFull, s)
	}
}

type rpcOutcome struct {
	value     any
	err       error
	isPassing bool
}

// sendGroup sends one text. Idempotent calls with a temporary failure are sent again in a new batch.
func (c *RPCCalls) sendGroup(d *deadline, waiting []*rpcMember, isBatch bool, s *settings) {
	for attempt := 1; len(waiting) > 0; attempt++ {
		outcomes, after := c.exchange(d, waiting, isBatch || len(waiting) > 1, attempt, s)
		wait, mayWait := waitBefore(attempt+1, after, s)
		mayWait = mayWait && d.allows(wait)
		var again []*rpcMember
		for at, one := range waiting {
			found := outcomes[at]
			failed := d.failure(one.failures)
			switch {
			case found.err == nil:
				c.settle(one, found.value, s)
			case failed != nil && found.isPassing:
				one.settle(nil, failed)
			case found.isPassing && one.operation.Idempotent && mayWait:
				again = append(again, one)
			default:
				one.settle(nil, found.err)
			}
		}
		waiting = again
		if len(waiting) > 0 && s.clock.Sleep(d.ctx, wait) != nil {
			for _, one := range waiting {
				one.settle(nil, d.failure(one.failures))
			}
			return
		}
	}
}

// settle gives a call its result, if it is valid or tolerated.
func (c *RPCCalls) settle(one *rpcMember, value any, s *settings) {
	if s.response != NotValidated && one.id != 0 {
		issues, isTolerated := c.of.check([]string{one.operation.place}, value, s.response)
		if issues != nil && !isTolerated {
			one.settle(nil, one.failures.call(InvalidAnswer, ": the result does not match its schema", issues, nil))
			return
		}
		if issues != nil && s.onWarning != nil {
			s.onWarning(Warning{one.operation.Method, "the result does not match its schema", one.failures.issues(issues)})
		}
	}
	one.settle(value, nil)
}

// exchange returns the outcome of each call, whether it may succeed later, and Retry-After.
func (c *RPCCalls) exchange(d *deadline, members []*rpcMember, isBatch bool, attempt int, s *settings) ([]rpcOutcome, string) {
	every := func(failed func(failures) error, isPassing bool) ([]rpcOutcome, string) {
		outcomes := make([]rpcOutcome, len(members))
		for at, one := range members {
			outcomes[at] = rpcOutcome{nil, failed(one.failures), isPassing}
		}
		return outcomes, ""
	}
	var texts, methods []string
	for _, one := range members {
		texts, methods = append(texts, string(one.text)), append(methods, one.operation.Method)
	}
	text := strings.Join(texts, ",")
	if isBatch {
		text = "[" + text + "]"
	}
	if c.duplex != nil {
		return c.duplex.exchange(d, members, isBatch, text), ""
	}
	at, err := c.use(d.ctx, members, s)
	if err != nil {
		return every(func(f failures) error {
			if failed := d.failure(f); failed != nil {
				return failed
			}
			return f.call(InvalidInput, " was not sent", nil, err)
		}, false)
	}
	post := func(to *address, text string, methods []string) (*http.Response, error) {
		header := http.Header{"Accept": {"application/json"}, "Content-Type": {"application/json"}}
		maps.Copy(header, s.header)
		body := &requestBody{content: []byte(text)}
		request := outgoing{"POST", to.url, header, body, nil, true}
		return exchange(d, request, methods, attempt, s, members[0].failures.redact)
	}
	response, err := post(at, text, methods)
	if err == nil && response.StatusCode == 401 && c.place.renews(s) {
		renewed, failed := c.use(d.ctx, members, s)
		if failed == nil && !maps.Equal(renewed.credentials, at.credentials) {
			_ = response.Body.Close()
			at = renewed
			response, err = post(at, text, methods)
		}
	}
	received := ""
	if err == nil {
		received, err = c.read(response, members, s, &sender{ctx: d.ctx, redact: members[0].failures.redact, send: func(text string) bool {
			answered, err := post(at, text, nil)
			if err == nil {
				_ = answered.Body.Close()
			}
			return err == nil && answered.StatusCode/100 == 2
		}})
	}
	var hooked hookError
	switch {
	case errors.As(err, &hooked):
		return every(func(failures) error { return hooked.error }, false)
	case errors.Is(err, errTooLarge):
		return every(func(f failures) error { return f.call(ResponseTooLarge, ": "+err.Error(), nil, nil) }, false)
	case err != nil:
		return every(func(f failures) error {
			return f.call(lostReason(err), " got no response: "+textWithoutURL(err), nil, err)
		}, true)
	}
	return outcomesOf(members, isBatch, response, received)
}

// use finds the address, whose secrets no error of the members may contain.
func (c *RPCCalls) use(ctx context.Context, members []*rpcMember, s *settings) (*address, error) {
	found, err := c.place.find(ctx, s)
	if found != nil {
		redact := redactor(found.secrets)
		for _, one := range members {
			one.failures.redact = redact
		}
	}
	return found, err
}

// read is the text of a response. Of an event stream, it is the responses in its events as one list. What the server sends before
// goes to its handlers.
func (c *RPCCalls) read(response *http.Response, members []*rpcMember, s *settings, from *sender) (string, error) {
	if codecOf(response.Header.Get("Content-Type")) != "events" || response.StatusCode/100 != 2 {
		body, err := readBody(response, s.maxResponseBytes)
		return textOf(body, "application/json"), err
	}
	defer func() { _ = response.Body.Close() }()
	missing := map[string]bool{}
	for _, one := range members {
		if one.id != 0 {
			missing[fmt.Sprint(one.id)] = true
		}
	}
	parts := &splitter{kind: "events"}
	var found []string
	chunk := make([]byte, 32<<10)
	for len(missing) > 0 {
		size, err := response.Body.Read(chunk)
		for _, one := range parts.push(chunk[:size]) {
			message, failed := parseJSON([]byte(one.data))
			list, isList := message.([]any)
			if !isList {
				list = []any{message}
			}
			var calls []object
			for _, each := range list {
				members, ok := each.(object)
				if failed != nil || !ok {
					continue
				}
				if isCall(members) {
					calls = append(calls, members)
					continue
				}
				key := idKey(members)
				delete(missing, key)
				if _, isError := members["error"]; isError && key == "" {
					clear(missing)
				}
				text, _ := writeJSON(members)
				found = append(found, string(text))
			}
			if len(calls) > 0 {
				c.incoming.serve(calls, isList, from)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return "", err
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	if len(found) == 0 {
		return "", nil
	}
	return "[" + strings.Join(found, ",") + "]", nil
}

func outcomesOf(members []*rpcMember, isBatch bool, response *http.Response, text string) ([]rpcOutcome, string) {
	status := response.StatusCode
	isGood := status/100 == 2
	var ids []int64
	for _, one := range members {
		if one.id != 0 {
			ids = append(ids, one.id)
		}
	}
	body, failed := parseJSON([]byte(text))
	var found *matches
	if failed == nil {
		found = matchResponses(ids, body, isBatch)
	} else {
		body = text
	}
	outcomes := make([]rpcOutcome, len(members))
	for at, one := range members {
		var own *match
		if found != nil {
			own = found.of(one.id)
		}
		redact := one.failures.redact
		rejected := func() *HTTPError {
			moved := ""
			if location := response.Header.Get("Location"); location != "" {
				moved = ", a redirect to " + location
			}
			message := fmt.Sprintf("%s: the server returned HTTP %d%s", one.operation.Method, status, moved)
			return one.failures.http(status, body, response.Header, nil, message)
		}
		errorOf := func(failed *RPCError) *RPCError {
			return &RPCError{failed.Code, redact(failed.Message), clean(failed.Data, redact), one.operation.Method, nil}
		}
		switch {
		case own != nil && own.rejected != nil && own.reason == "":
			made := errorOf(own.rejected)
			if !isGood {
				made.cause = rejected()
			}
			outcomes[at] = rpcOutcome{nil, made, made.Code == limitExceeded || isBusy(status)}
		case !isGood:
			outcomes[at] = rpcOutcome{nil, rejected(), isBusy(status)}
		case own != nil && own.reason == "":
			outcomes[at] = rpcOutcome{own.result, nil, false}
		case one.id == 0:
			outcomes[at] = rpcOutcome{nil, nil, false}
		case own == nil:
			what := "empty"
			if strings.TrimSpace(text) != "" {
				what = "not JSON"
			}
			outcomes[at] = rpcOutcome{nil, one.failures.call(MalformedAnswer, ": the response is "+what, nil, failed), false}
		default:
			made := one.failures.call(own.reason, ": "+own.message, nil, nil)
			if own.rejected != nil {
				made.cause = errorOf(own.rejected)
			}
			outcomes[at] = rpcOutcome{nil, made, false}
		}
	}
	if isBusy(status) {
		return outcomes, response.Header.Get("Retry-After")
	}
	return outcomes, ""
}

// Pending is a call of a batch. It has a result or an error when the batch has been sent.
type Pending[T any] struct {
	value  T
	err    error
	isDone bool
}

var errNotSent = errors.New("the batch has not been sent: read results after Send")

// Result is the result of the call, or its own error: *RPCError, *HTTPError or *CallError.
func (p *Pending[T]) Result() (T, error) {
	if !p.isDone {
		return p.value, errNotSent
	}
	return p.value, p.err
}

// Batch collects calls. Send sends them together, split at the limits of the document. One goroutine uses a batch.
type Batch struct {
	calls   *RPCCalls
	members []*rpcMember
	errs    []error
	isSent  bool
}

// NewBatch is an empty batch.
func NewBatch(c *RPCCalls) *Batch { return &Batch{calls: c} }

// Add adds a call to a batch. Invalid params are its error, and no other call is affected.
func Add[T any](b *Batch, id string, params []any) *Pending[T] {
	pending := &Pending[T]{}
	fail := func(err error) {
		pending.err, pending.isDone = err, true
		b.errs = append(b.errs, err)
	}
	if b.isSent {
		fail(errors.New("the batch has been sent"))
		return pending
	}
	member, err := b.calls.member(id, params, b.calls.settings)
	if err != nil {
		fail(err)
		return pending
	}
	member.settle = func(value any, err error) {
		if err == nil {
			pending.value, err = typedResult[T](b.calls.of, id, value)
		}
		if err != nil {
			fail(err)
		}
		pending.isDone = true
	}
	b.members = append(b.members, member)
	return pending
}

// Send sends the calls. Its error joins those of the calls; each call has its own result or error.
func (b *Batch) Send(ctx context.Context, options ...CallOption) error {
	if b.isSent {
		return errors.New("the batch has been sent")
	}
	s, err := b.calls.settings.with(ctx, options)
	if err != nil {
		return err
	}
	if s.skipsInput != b.calls.settings.skipsInput {
		return errors.New("WithoutInputValidation is no option of Send, because calls are validated when they are added: give it to the client")
	}
	b.isSent = true
	b.calls.send(ctx, b.members, true, s)
	return errors.Join(b.errs...)
}
