package runtime

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/textproto"
	"slices"
)

// Input is the input of a call: a value for each parameter of the operation, in its order, and the body.
type Input struct {
	Values []any
	Body   any
	// ContentType is the media type of the body, where the operation has several.
	ContentType string
	// Variant is the name of the variant of the body, where the operation has several.
	Variant string
	// Streams asks for a stream, where the operation also has other responses.
	Streams bool
}

// HTTPCalls are the calls of one HTTP client.
type HTTPCalls struct {
	of       *Package
	settings *settings
	places   map[string]*place
}

// NewHTTP is the client of a server, by its name in the document or its address; empty for the first server of the document.
func NewHTTP(of *Package, server string, options []Option) (*HTTPCalls, error) {
	if err := of.load(); err != nil {
		return nil, err
	}
	s, err := newSettings(options)
	if err != nil {
		return nil, err
	}
	made := &HTTPCalls{of, s, map[string]*place{}}
	all := slices.Clone(of.document.Servers.HTTP)
	for _, one := range of.document.HTTP {
		all = append(all, one.Servers...)
	}
	if err := checkVariables(all, server, s); err != nil {
		return nil, err
	}
	named := func(one Server) bool { return one.Name == server }
	if server != "" && !slices.ContainsFunc(all, named) {
		if _, err := choosePlace(all, server, "", nil); err != nil {
			return nil, err
		}
	}
	// Invalid options are found when a client is made, not at its first call.
	for id, one := range of.document.HTTP {
		servers := one.Servers
		if len(servers) == 0 {
			servers = of.document.Servers.HTTP
		}
		if server != "" && !slices.ContainsFunc(servers, named) && slices.ContainsFunc(all, named) {
			// Only other operations have a server of this name.
			continue
		}
		path := ""
		if len(servers) > 0 {
			path = withoutOrigin(servers[0].URL)
		}
		found, err := choosePlace(servers, server, path, one.credentialNames())
		if err == nil && !found.isDocumented {
			err = found.checkFilled(servers, s)
		}
		if err == nil && !found.renews(s) {
			_, err = found.find(context.Background(), s)
		}
		if err != nil {
			return nil, err
		}
		made.places[id] = found
	}
	return made, nil
}

func (o *operation) credentialNames() []string {
	var names []string
	for _, one := range o.Parameters {
		if one.Secret {
			names = append(names, one.Name)
		}
	}
	for _, one := range o.Security {
		for _, name := range one {
			if own, ok := o.Schemes[name]; ok && own.Kind != "outside" {
				names = append(names, name)
			}
		}
	}
	return names
}

// Call returns the typed result of one call.
func Call[T any](ctx context.Context, c *HTTPCalls, id string, input Input, options []CallOption) (T, error) {
	var none T
	call, err := c.begin(ctx, id, options)
	if err != nil {
		return none, err
	}
	defer call.deadline.close()
	found, err := call.run(input, call.read)
	if err != nil {
		return none, err
	}
	return typed[T](call, found.body)
}

// Do makes one call without a result.
func Do(ctx context.Context, c *HTTPCalls, id string, input Input, options []CallOption) error {
	_, err := Call[any](ctx, c, id, input, options)
	return err
}

func typed[T any](call *httpCall, body any) (T, error) {
	made, err := convert[T](call.of, body)
	if err != nil {
		return made, call.failures.call(InvalidAnswer, ": "+err.Error(), nil, nil)
	}
	return made, nil
}

func failing[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}

// Stream yields the items of one call as they arrive. Leaving the loop closes the connection.
func Stream[T any](ctx context.Context, c *HTTPCalls, id string, input Input, options []CallOption) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		call, err := c.begin(ctx, id, options)
		if err != nil {
			yield(none, err)
			return
		}
		defer func() { call.deadline.close() }()
		found, err := call.run(input, call.open)
		if err == nil {
			err = call.items(found, input, func(item any) (bool, error) {
				made, err := typed[T](call, item)
				return err == nil && yield(made, nil), err
			})
		}
		if err != nil {
			yield(none, err)
		}
	}
}

// PagesOf yields the response of each page, from the page of this input on.
func PagesOf[T any](ctx context.Context, c *HTTPCalls, id string, input Input, options []CallOption) iter.Seq2[T, error] {
	return turnPages[T](ctx, c, id, input, options, func(_ *Pages, body any) []any { return []any{body} })
}

// ItemsOf yields each item of all pages.
func ItemsOf[T any](ctx context.Context, c *HTTPCalls, id string, input Input, options []CallOption) iter.Seq2[T, error] {
	return turnPages[T](ctx, c, id, input, options, (*Pages).itemsOf)
}

func turnPages[T any](ctx context.Context, c *HTTPCalls, id string, input Input, options []CallOption, each func(*Pages, any) []any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		own := c.of.document.HTTP[id]
		turner := pageTurner{pages: own.Pages}
		input.Values = slices.Clone(input.Values)
		at := func(name string) int {
			return slices.IndexFunc(own.Parameters, func(one *Parameter) bool { return one.Name == name })
		}
		for {
			call, err := c.begin(ctx, id, options)
			if err != nil {
				yield(none, err)
				return
			}
			found, err := call.run(input, call.read)
			call.deadline.close()
			if err != nil {
				yield(none, err)
				return
			}
			for _, one := range each(own.Pages, found.body) {
				made, err := typed[T](call, one)
				if !yield(made, err) || err != nil {
					return
				}
			}
			following, err := turner.turn(found.body, found.header, func(name string) any {
				sent, _ := encode(input.Values[at(name)])
				return sent.plain
			})
			if err != nil {
				yield(none, call.failures.call(InvalidAnswer, ": "+err.Error(), nil, nil))
				return
			}
			if following == nil {
				return
			}
			for name, value := range following {
				input.Values[at(name)] = value
			}
		}
	}
}

// Poll repeats a call until its record is final: each changed record, and the final one last.
func Poll[T any](ctx context.Context, c *HTTPCalls, id string, input Input, options []CallOption) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		err := c.poll(ctx, id, input, options, func(call *httpCall, body any) (bool, error) {
			made, err := typed[T](call, body)
			return err == nil && yield(made, nil), err
		})
		if err != nil {
			var none T
			yield(none, err)
		}
	}
}

func (c *HTTPCalls) poll(ctx context.Context, id string, input Input, options []CallOption, yield func(*httpCall, any) (bool, error)) error {
	poll := c.of.document.HTTP[id].Poll
	last, reached, asked := "", -1, 0
	var whole *deadline
	for {
		asked++
		call, err := c.begin(ctx, id, options)
		if err != nil {
			return err
		}
		s := call.settings
		if whole == nil {
			whole = newDeadline(ctx, s, s.pollTimeout)
			defer whole.close()
		}
		notFinal := func() error {
			return call.failures.call(Timeout, fmt.Sprintf(": not final within %v", s.pollTimeout), nil, context.DeadlineExceeded)
		}
		if left := whole.ends.Sub(s.clock.Now()); s.pollTimeout > 0 {
			if left <= 0 {
				call.deadline.close()
				return notFinal()
			}
			if s.timeout == 0 || left < s.timeout {
				call.deadline.close()
				call.deadline = newDeadline(ctx, s, left)
			}
		}
		found, err := call.run(input, call.read)
		call.deadline.close()
		if err != nil {
			var failed *CallError
			if errors.As(err, &failed) && failed.Reason == Timeout && !whole.allows(0) {
				return notFinal()
			}
			return err
		}
		members, _ := found.body.(object)
		state := fmt.Sprint(members[poll.Field])
		at := slices.Index(poll.Order, state)
		if at >= 0 && at < reached {
			text := fmt.Sprintf(": %s went back from %s to %s", poll.Field, poll.Order[reached], state)
			return call.failures.call(InvalidAnswer, text, nil, nil)
		}
		reached = max(reached, at)
		text, _ := writeJSON(found.body)
		if string(text) != last {
			if more, err := yield(call, found.body); !more || err != nil {
				return err
			}
		}
		last = string(text)
		if slices.Contains(poll.Terminal, state) {
			return nil
		}
		wait := s.pollInterval(asked)
		if s.pollTimeout > 0 {
			wait = min(wait, max(0, whole.ends.Sub(s.clock.Now())))
		}
		if err := s.clock.Sleep(ctx, wait); err != nil {
			if failed := ended(ctx, call.failures); failed != nil {
				return failed
			}
			return call.failures.call(Aborted, ": the call was cancelled", nil, err)
		}
	}
}

// httpCall is one call of one operation.
type httpCall struct {
	of        *Package
	calls     *HTTPCalls
	operation *operation
	settings  *settings
	deadline  *deadline
	failures  failures
	variant   string
	warnings  []Warning
	streams   bool
}

type answer struct {
	status int
	header http.Header
	body   any
	// Of a stream: its response, and where its declared content is.
	response *http.Response
	content  *Content
	place    string
}

func (c *HTTPCalls) begin(ctx context.Context, id string, options []CallOption) (*httpCall, error) {
	s, err := c.settings.with(ctx, options)
	if err != nil {
		return nil, err
	}
	own := c.of.document.HTTP[id]
	call := &httpCall{of: c.of, calls: c, operation: own, settings: s, deadline: newDeadline(ctx, s, s.timeout)}
	call.failures = failures{id, redactor(headerSecrets(s.header))}
	return call, nil
}

// run sends the request, with a renewed credential after a 401, and reads the response.
func (c *httpCall) run(input Input, read func(*http.Response) (*answer, error)) (*answer, error) {
	at := c.calls.places[c.operation.ID]
	if at == nil {
		return nil, c.failures.call(InvalidInput, " has no server of the chosen name: give a URL", nil, nil)
	}
	address, err := c.address(at)
	if err != nil {
		return nil, err
	}
	found, err := c.attempts(input, address, read)
	var rejected *HTTPError
	if errors.As(err, &rejected) && rejected.Status == 401 && at.renews(c.settings) {
		renewed, failed := c.address(at)
		if failed == nil && !maps.Equal(renewed.credentials, address.credentials) {
			return c.attempts(input, renewed, read)
		}
	}
	return found, err
}

func (c *httpCall) address(at *place) (*address, error) {
	found, err := at.find(c.deadline.ctx, c.settings)
	if found != nil {
		c.failures.redact = redactor(found.secrets)
	}
	if err != nil {
		if failed := c.deadline.failure(c.failures); failed != nil {
			return nil, failed
		}
		return nil, c.failures.call(InvalidInput, ": the credentials could not be obtained", nil, err)
	}
	return found, nil
}

func (c *httpCall) attempts(input Input, at *address, read func(*http.Response) (*answer, error)) (*answer, error) {
	request, err := c.write(input, at)
	if err != nil {
		return nil, err
	}
	key := textproto.CanonicalMIMEHeaderKey(c.operation.IdempotencyKey)
	if key == "" {
		key = "Idempotency-Key"
	}
	mayRepeat := (c.operation.Idempotent || request.header.Get(key) != "") && (request.body == nil || request.body.stream == nil)
	for attempt := 1; ; attempt++ {
		c.warnings = nil
		found, err := c.attempt(request, attempt, read)
		var hooked hookError
		if errors.As(err, &hooked) {
			return nil, hooked.error
		}
		if failed := c.deadline.failure(c.failures); err != nil && failed != nil {
			return nil, failed
		}
		isTemporary, after := false, ""
		var rejected *HTTPError
		var failed *CallError
		if errors.As(err, &rejected) {
			isTemporary, after = isBusy(rejected.Status), rejected.Header.Get("Retry-After")
		} else if errors.As(err, &failed) {
			isTemporary = failed.Reason == Network || failed.Reason == Timeout
		}
		if mayRepeat && isTemporary {
			if wait, ok := waitBefore(attempt+1, after, c.settings); ok && c.deadline.allows(wait) {
				if c.settings.clock.Sleep(c.deadline.ctx, wait) == nil {
					continue
				}
				return nil, c.deadline.failure(c.failures)
			}
		}
		if err == nil || rejected != nil {
			c.warn()
		}
		return found, err
	}
}

func (c *httpCall) warn() {
	for _, one := range c.warnings {
		if c.settings.onWarning != nil {
			c.settings.onWarning(one)
		}
	}
	c.warnings = nil
}

func (c *httpCall) attempt(request outgoing, attempt int, read func(*http.Response) (*answer, error)) (*answer, error) {
	response, err := exchange(c.deadline, request, []string{c.operation.ID}, attempt, c.settings, c.failures.redact)
	if err != nil {
		var hooked hookError
		if errors.As(err, &hooked) {
			return nil, err
		}
		return nil, c.network(": no response: ", err)
	}
	return read(response)
}

func (c *httpCall) network(text string, err error) error {
	if errors.Is(err, errTooLarge) {
		return c.failures.call(ResponseTooLarge, ": "+err.Error(), nil, nil)
	}
	return c.failures.call(lostReason(err), text+textWithoutURL(err), nil, err)
}
