package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Link is an open connection that carries messages of JSON-RPC in both directions, such as a WebSocket.
type Link interface {
	// Receive returns the next message. A message with more than most bytes may be cut off after one more.
	Receive(ctx context.Context, most int64) ([]byte, error)
	// Send sends a message.
	Send(ctx context.Context, message []byte) error
	// Close ends the connection.
	Close() error
}

// LinkTarget is where a link of the document leads; a link of the program has only headers.
type LinkTarget struct {
	URL    string
	Header http.Header
	Client *http.Client
}

// OpenLink opens a link: for the first call, and for the first one after it ended.
type OpenLink func(context.Context, LinkTarget) (Link, error)

const (
	// longestOpening is the time of one attempt to open a link.
	longestOpening = 10 * time.Second
	// soon is the age below which the end of a connection delays the next one.
	soon = 5 * time.Second
	// mostWaitingBytes is the maximum size of what waits to be sent.
	mostWaitingBytes = 16 << 20
	// mostRemembered is how many cancelled calls, and notifications before the id of their subscription, are kept.
	mostRemembered = 10_000
)

var errClosed = errors.New("the client was closed")

// duplex sends texts over a link, and matches what arrives to all that is pending, by id alone.
type duplex struct {
	calls *RPCCalls
	open  OpenLink
	// isOwn: the program opens the link, so that the address of the document is not used.
	isOwn    bool
	incoming *incoming
	topics   *topics

	mutex     sync.Mutex
	current   *connection
	isClosed  bool
	openedAt  time.Time
	soonEnded int
}

// connection is one opening of a link, from its beginning until it ended.
type connection struct {
	ctx    context.Context
	cancel context.CancelFunc
	// ready is closed when the link is open, and when it could not be opened; over is closed at the end.
	ready, over chan struct{}
	wake        chan struct{}
	link        Link
	closing     sync.Once
	redact      func(string) string

	mutex sync.Mutex
	// err is why it ended. isInput: something that the link needs could not be obtained.
	err       error
	isInput   bool
	pending   map[*linkText]bool
	byID      map[string]*linkText
	cancelled map[string]bool
	queue     []*queued
	bytes     int
}

// linkText is a text whose response is not complete.
type linkText struct {
	missing map[string]bool
	texts   [][]byte
	err     error
	done    chan struct{}
}

type queued struct {
	text []byte
	sent chan error
}

func newDuplex(calls *RPCCalls, open OpenLink, isOwn bool) *duplex {
	made := &duplex{calls: calls, open: open, isOwn: isOwn, incoming: calls.incoming}
	made.topics = newTopics(calls.of, made)
	return made
}

// exchange sends a text, and returns the outcome of each of its calls.
func (x *duplex) exchange(d *deadline, members []*rpcMember, isBatch bool, text string) []rpcOutcome {
	every := func(failed func(failures) error, isPassing bool) []rpcOutcome {
		outcomes := make([]rpcOutcome, len(members))
		for at, one := range members {
			outcomes[at] = rpcOutcome{nil, failed(one.failures), isPassing}
		}
		return outcomes
	}
	lost := func(err error) []rpcOutcome {
		// After Close, nothing is sent again.
		isPassing := !errors.Is(err, errClosed)
		return every(func(f failures) error { return f.call(Network, " got no response: "+textWithoutURL(err), nil, err) }, isPassing)
	}
	if err := d.ctx.Err(); err != nil {
		return lost(err)
	}
	found, err := x.connect()
	if err != nil {
		return every(func(f failures) error { return f.call(InvalidInput, " was not sent: "+err.Error(), nil, nil) }, false)
	}
	select {
	case <-found.ready:
	case <-d.ctx.Done():
		return lost(d.ctx.Err())
	}
	var ids []string
	for _, one := range members {
		one.failures.redact = found.redact
		one.connection = found
		if one.id != 0 {
			ids = append(ids, fmt.Sprint(one.id))
		}
	}
	own, sent, err := found.send([]byte(text), ids)
	if err != nil {
		if found.isInput {
			return every(func(f failures) error { return f.call(InvalidInput, " was not sent", nil, err) }, false)
		}
		return lost(err)
	}
	if len(ids) == 0 {
		select {
		case err = <-sent:
		case <-d.ctx.Done():
			err = d.ctx.Err()
		}
		if err != nil {
			return lost(err)
		}
		return make([]rpcOutcome, len(members))
	}
	select {
	case <-own.done:
	case <-d.ctx.Done():
		x.leave(found, own)
		return lost(d.ctx.Err())
	}
	switch {
	case errors.Is(own.err, errTooLarge):
		return every(func(f failures) error { return f.call(ResponseTooLarge, ": "+own.err.Error(), nil, nil) }, false)
	case own.err != nil:
		return lost(own.err)
	}
	response := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}}
	outcomes, _ := outcomesOf(members, isBatch || len(own.texts) > 1, response, joined(own.texts))
	return outcomes
}

// joined is a single text, or a list of the messages of all.
func joined(texts [][]byte) string {
	if len(texts) == 1 {
		return string(texts[0])
	}
	var parts []string
	for _, one := range texts {
		text := strings.TrimSpace(string(one))
		if inner, isList := strings.CutPrefix(text, "["); isList {
			text = strings.TrimSuffix(inner, "]")
		}
		parts = append(parts, text)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// connect is the connection, or the beginning of another one after it ended.
func (x *duplex) connect() (*connection, error) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if x.isClosed {
		return nil, errClosed
	}
	if x.current != nil {
		select {
		case <-x.current.over:
		default:
			return x.current, nil
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	x.current = &connection{
		ctx: ctx, cancel: cancel, redact: unchanged,
		ready: make(chan struct{}), over: make(chan struct{}), wake: make(chan struct{}, 1),
		pending: map[*linkText]bool{}, byID: map[string]*linkText{}, cancelled: map[string]bool{},
	}
	go x.run(x.current)
	return x.current, nil
}

// close ends the connection; no other follows.
func (x *duplex) close() {
	x.mutex.Lock()
	current := x.current
	x.isClosed = true
	x.mutex.Unlock()
	if current == nil {
		return
	}
	current.end(errClosed)
	select {
	case <-current.ready:
	default:
		current.cancel()
		<-current.ready
	}
	current.shut()
}

// run opens a link, and reads it to its end.
func (x *duplex) run(c *connection) {
	s := x.calls.settings
	x.mutex.Lock()
	if !x.openedAt.IsZero() && s.clock.Now().Sub(x.openedAt) < soon {
		x.soonEnded++
	} else {
		x.soonEnded = 0
	}
	failures := x.soonEnded
	x.mutex.Unlock()
	var err error
	if failures > 0 {
		err = s.clock.Sleep(c.ctx, backOff(failures, s))
	}
	for attempt := 1; err == nil; attempt++ {
		if err = x.openOnce(c); err == nil {
			break
		}
		if c.isInput || attempt >= s.retry.Attempts {
			break
		}
		err = s.clock.Sleep(c.ctx, backOff(attempt, s))
	}
	if err != nil {
		c.end(err)
		close(c.ready)
		return
	}
	x.mutex.Lock()
	x.openedAt = s.clock.Now()
	x.mutex.Unlock()
	go c.write()
	close(c.ready)
	for {
		message, err := c.link.Receive(c.ctx, s.maxResponseBytes)
		if err != nil {
			c.end(fmt.Errorf("the connection ended: %w", err))
			c.shut()
			return
		}
		x.receive(c, message)
	}
}

// openOnce is one attempt, with the credentials of this moment.
func (x *duplex) openOnce(c *connection) error {
	s := x.calls.settings
	target := LinkTarget{Header: s.header.Clone(), Client: s.client}
	target.Header.Del("X-Client-Package")
	secrets := headerSecrets(s.header)
	if !x.isOwn {
		found, err := x.calls.place.find(c.ctx, s)
		if found != nil {
			secrets = append(found.secrets, found.url)
			target.URL = found.url
		}
		if err != nil {
			c.redact, c.isInput = redactor(secrets), true
			return err
		}
	}
	c.redact = redactor(secrets)
	ctx, cancel := context.WithTimeout(c.ctx, longestOpening)
	defer cancel()
	link, err := x.open(ctx, target)
	if err == nil && c.ctx.Err() != nil {
		_ = link.Close()
		err = errClosed
	}
	c.link = link
	return err
}

// end fails all that is pending. The first cause counts.
func (c *connection) end(cause error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.err != nil {
		return
	}
	c.err = cause
	// Before any caller tries again: it needs another connection.
	close(c.over)
	for one := range c.pending {
		one.err = cause
		close(one.done)
	}
	for _, one := range c.queue {
		one.sent <- cause
	}
	c.pending, c.byID, c.queue = nil, nil, nil
}

// shut closes the link, once, and ends the handlers of its requests.
func (c *connection) shut() {
	c.closing.Do(func() {
		if c.link != nil {
			_ = c.link.Close()
		}
		c.cancel()
	})
}

// send queues a text, whose responses have these ids.
func (c *connection) send(text []byte, ids []string) (*linkText, <-chan error, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.err != nil {
		return nil, nil, c.err
	}
	if c.bytes > mostWaitingBytes {
		return nil, nil, fmt.Errorf("more than %d bytes wait to be sent", mostWaitingBytes)
	}
	own := &linkText{missing: map[string]bool{}, done: make(chan struct{})}
	for _, id := range ids {
		own.missing[id] = true
		c.byID[id] = own
	}
	if len(ids) > 0 {
		c.pending[own] = true
	}
	waiting := &queued{text, make(chan error, 1)}
	c.queue = append(c.queue, waiting)
	c.bytes += len(text)
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return own, waiting.sent, nil
}

// write sends what is queued, in its order.
func (c *connection) write() {
	for {
		c.mutex.Lock()
		var first *queued
		if len(c.queue) > 0 {
			first = c.queue[0]
			c.queue = c.queue[1:]
		}
		c.mutex.Unlock()
		if first == nil {
			select {
			case <-c.wake:
			case <-c.over:
				return
			}
			continue
		}
		err := c.link.Send(c.ctx, first.text)
		c.mutex.Lock()
		c.bytes -= len(first.text)
		c.mutex.Unlock()
		first.sent <- err
		if err != nil {
			c.end(fmt.Errorf("the connection ended: %w", err))
			c.shut()
			return
		}
	}
}

// leave is for a text whose caller waits no more. The server gets a message, if the document has x-cancel.
func (x *duplex) leave(c *connection, own *linkText) {
	c.mutex.Lock()
	delete(c.pending, own)
	var ids []string
	for id := range own.missing {
		delete(c.byID, id)
		ids = append(ids, id)
	}
	c.mutex.Unlock()
	cancel := x.calls.of.document.Cancel
	if cancel == nil || len(ids) == 0 {
		return
	}
	method := x.calls.of.document.named(cancel.Notification)
	if method == nil {
		return
	}
	slices.Sort(ids)
	for _, id := range ids {
		c.mutex.Lock()
		if len(c.cancelled) >= mostRemembered {
			clear(c.cancelled)
		}
		if c.err == nil {
			c.cancelled[id] = true
		}
		c.mutex.Unlock()
		_, _, _ = c.send([]byte(method.notificationText(cancel.ID, id)), nil)
	}
}

// receive reads one message: responses to what is pending, and calls of the server.
func (x *duplex) receive(c *connection, message []byte) {
	s := x.calls.settings
	ignore := func(what string) { x.incoming.ignore(c.redact, "", what) }
	if int64(len(message)) > s.maxResponseBytes {
		cause := fmt.Errorf("%w: it has more than %d bytes (WithMaxResponseBytes)", errTooLarge, s.maxResponseBytes)
		if !c.fail(cause) {
			ignore("a text that is too large")
		}
		return
	}
	body, err := parseJSON(bytes.ToValidUTF8(message, []byte("\ufffd")))
	if err != nil {
		ignore("a text that is not JSON")
		return
	}
	list, isBatch := body.([]any)
	if !isBatch {
		list = []any{body}
	}
	var calls []object
	var owners []*linkText
	for _, one := range list {
		members, _ := one.(object)
		method, _ := members["method"].(string)
		owner := (*linkText)(nil)
		if !isCall(members) {
			owner = c.ownerOf(members)
		}
		switch {
		case owner != nil:
			if !slices.Contains(owners, owner) {
				owners = append(owners, owner)
			}
		case method != "":
			calls = append(calls, members)
		case !c.wasCancelled(idKey(one)):
			ignore("a response without the id of a pending call")
		}
	}
	if len(calls) > 0 {
		x.incoming.serve(calls, isBatch, &sender{c.ctx, c, c.redact, x.topics, func(text string) bool {
			_, sent, err := c.send([]byte(text), nil)
			if err == nil {
				err = <-sent
			}
			return err == nil
		}})
	}
	for _, one := range owners {
		c.mutex.Lock()
		if c.pending[one] {
			one.texts = append(one.texts, message)
			if len(one.missing) == 0 {
				delete(c.pending, one)
				close(one.done)
			}
		}
		c.mutex.Unlock()
	}
}

// ownerOf is the pending text to which a response belongs. An error without an id, such as a parse error, belongs to the only one.
func (c *connection) ownerOf(response object) *linkText {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	key := idKey(response)
	if found := c.byID[key]; found != nil {
		delete(c.byID, key)
		delete(found.missing, key)
		return found
	}
	if _, isError := response["error"]; key == "" && isError && len(c.pending) == 1 {
		for one := range c.pending {
			for id := range one.missing {
				delete(c.byID, id)
			}
			clear(one.missing)
			return one
		}
	}
	return nil
}

func (c *connection) wasCancelled(key string) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	found := c.cancelled[key]
	delete(c.cancelled, key)
	return found
}

// fail ends all that was sent, because a text that cannot be read may be the response to any of it.
func (c *connection) fail(cause error) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	found := len(c.pending) > 0
	for one := range c.pending {
		one.err = cause
		close(one.done)
	}
	clear(c.pending)
	clear(c.byID)
	return found
}

// named is a method of clients by its name of the wire.
func (d *document) named(method string) *operation {
	for _, one := range d.RPC {
		if one.Method == method {
			return one
		}
	}
	return nil
}

// notificationText is a notification with one value at a pointer into its params.
func (o *operation) notificationText(pointer, value string) string {
	texts := make([]string, len(o.Params))
	first, rest, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	first = stepUnescapes.Replace(first)
	for _, one := range slices.Backward(strings.Split(rest, "/")) {
		if rest != "" {
			name, _ := writeJSON(stepUnescapes.Replace(one))
			value = "{" + string(name) + ":" + value + "}"
		}
	}
	if at := o.paramAt(first); at >= 0 {
		texts[at] = value
	}
	method, _ := writeJSON(o.Method)
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":%s,"params":%s}`, method, o.paramsText(texts))
}

// paramAt is the position of the param with a name, or a position; -1 for none.
func (o *operation) paramAt(step string) int {
	return slices.IndexFunc(o.Params, func(one declaredParam) bool {
		return one.Name == step || fmt.Sprint(slices.Index(o.Params, one)) == step
	})
}

// isCall reports a call of the server. Some servers repeat the method in a response.
func isCall(members object) bool {
	_, hasMethod := members["method"]
	_, hasResult := members["result"]
	_, hasError := members["error"]
	return hasMethod && !hasResult && !hasError
}
