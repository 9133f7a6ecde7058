package runtime

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"
)

// Gap is a place between two items of a subscription where others may be missing.
type Gap struct {
	// Dropped is how many items were dropped because they were not read; 0 after a connection that broke.
	Dropped int
}

// subscriptionRule is where the items of a subscription are: x-subscription.
type subscriptionRule struct {
	Unsubscribe, ID string
	Notifications   []struct{ Method, Item string }
}

// topics are the subscriptions of a client.
type topics struct {
	of      *Package
	duplex  *duplex
	sources map[string][]topicSource

	mutex sync.Mutex
	// Several loops may have one id: some servers respond to equal subscriptions with the same.
	byKey    map[topicKey][]*subscription
	ending   map[topicKey]bool
	starting int
	// early are notifications that arrived before the id of their subscription.
	early []earlyNotification
}

type topicSource struct {
	operation *operation
	item      string
}

type topicKey struct {
	connection *connection
	text       string
}

// notification is a message of the server; err is that of invalid params, and pass gives it to its handler.
type notification struct {
	own  *operation
	sent any
	err  error
	pass func()
}

type earlyNotification struct {
	connection *connection
	notification
}

func newTopics(of *Package, x *duplex) *topics {
	made := &topics{of: of, duplex: x, sources: map[string][]topicSource{}, byKey: map[topicKey][]*subscription{}, ending: map[topicKey]bool{}}
	for _, id := range sortedNames(of.document.RPC) {
		one := of.document.RPC[id]
		if one.Subscription == nil {
			continue
		}
		for _, each := range one.Subscription.Notifications {
			made.sources[each.Method] = append(made.sources[each.Method], topicSource{one, each.Item})
		}
	}
	return made
}

func (t *topics) has(method string) bool { return len(t.sources[method]) > 0 }

func keyOfTopic(c *connection, own *operation, id any) topicKey {
	text, _ := writeJSON(id)
	return topicKey{c, own.ID + " " + string(text)}
}

// receive gives a notification to the subscriptions with its id. While one begins, those of unknown ids are kept.
func (t *topics) receive(c *connection, message notification) {
	t.mutex.Lock()
	isTaken := t.deliver(c, message)
	if !isTaken && t.starting > 0 && len(t.early) < mostRemembered {
		t.early = append(t.early, earlyNotification{c, message})
		isTaken = true
	}
	t.mutex.Unlock()
	if !isTaken {
		message.pass()
	}
}

// deliver reports whether a notification belongs to a subscription.
func (t *topics) deliver(c *connection, message notification) bool {
	for _, source := range t.sources[message.own.Method] {
		key := keyOfTopic(c, source.operation, message.own.valueAtParams(source.operation.Subscription.ID, message.sent))
		for _, one := range t.byKey[key] {
			if message.err != nil {
				one.fail(message.err)
			} else {
				one.deliver(message.own.valueAtParams(source.item, message.sent))
			}
		}
		if len(t.byKey[key]) > 0 || t.ending[key] {
			return true
		}
	}
	return false
}

// started ends the beginning of a subscription. What belongs to none goes to its handler, unless another one begins.
func (t *topics) started() {
	t.mutex.Lock()
	t.starting--
	var found []earlyNotification
	if t.starting == 0 {
		found, t.early = t.early, nil
	}
	t.mutex.Unlock()
	for _, one := range found {
		select {
		case <-one.connection.over:
		default:
			t.receive(one.connection, one.notification)
		}
	}
}

// subscription is one loop.
type subscription struct {
	topics    *topics
	operation *operation
	params    []any
	settings  *settings
	failures  failures
	wake      chan struct{}

	mutex   sync.Mutex
	waiting []any
	items   int
	dropped int
	failed  error
	isOver  bool
	wasOpen bool
	key     topicKey
	id      any
}

// Subscribe begins a subscription, and yields its items. Leaving the loop ends it on the server. After a connection that broke, it is
// begun again.
func Subscribe[T any](ctx context.Context, c *RPCCalls, id string, params []any, options []CallOption) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		err := c.subscribe(ctx, id, params, options, func(f failures, item any) (bool, error) {
			made, err := convert[T](c.of, item)
			if err != nil {
				return false, f.call(InvalidAnswer, ": "+err.Error(), nil, nil)
			}
			return yield(made, nil), nil
		})
		if err != nil {
			var none T
			yield(none, err)
		}
	}
}

func (c *RPCCalls) subscribe(ctx context.Context, id string, params []any, options []CallOption, yield func(failures, any) (bool, error)) error {
	s, err := c.settings.with(ctx, options)
	if err != nil {
		return err
	}
	own := c.of.document.RPC[id]
	f := failures{own.Method, redactor(headerSecrets(s.header))}
	if c.duplex == nil {
		return f.call(InvalidInput, ": subscriptions need a link, such as a WebSocket", nil, nil)
	}
	ends := newDeadline(ctx, s, 0)
	defer ends.close()
	if failed := ends.failure(f); failed != nil {
		return failed
	}
	live := &subscription{
		topics: c.duplex.topics, operation: own, params: params, settings: s, failures: f, wake: make(chan struct{}, 1),
	}
	defer func() {
		live.mutex.Lock()
		live.isOver = true
		live.mutex.Unlock()
		longest := time.Duration(0)
		if ctx.Err() != nil {
			longest = longestFarewell
		}
		live.release(longest)
	}()
	go live.keep(ends.ctx)
	for {
		next, found, failed := live.next()
		switch {
		case failed != nil:
			return failed
		case !found:
			select {
			case <-live.wake:
			case <-ctx.Done():
				return ends.failure(f)
			}
		default:
			if gap, isGap := next.(Gap); isGap {
				if s.onGap != nil {
					s.onGap(gap)
				}
				continue
			}
			if more, err := yield(f, next); !more || err != nil {
				return err
			}
		}
	}
}

// next is the next item or Gap, or the error that ends the loop.
func (l *subscription) next() (any, bool, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.dropped > 0 {
		gap := Gap{l.dropped}
		l.dropped = 0
		return gap, true, nil
	}
	if len(l.waiting) > 0 {
		first := l.waiting[0]
		l.waiting = l.waiting[1:]
		if _, isGap := first.(Gap); !isGap {
			l.items--
		}
		return first, true, nil
	}
	return nil, false, l.failed
}

func (l *subscription) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *subscription) fail(err error) {
	l.mutex.Lock()
	if l.failed == nil {
		l.failed = err
	}
	l.mutex.Unlock()
	l.signal()
}

func (l *subscription) deliver(item any) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.isOver || l.failed != nil {
		return
	}
	most := l.settings.buffer
	if l.items >= most && !l.settings.dropsOldest {
		text := fmt.Sprintf(": more than %d items wait for the loop: read faster, or set WithBuffer", most)
		l.failed = l.failures.call(Overflow, text, nil, nil)
	} else {
		l.waiting = append(l.waiting, item)
		l.items++
		if l.items > most {
			// Gaps among the waiting items are kept.
			at := slices.IndexFunc(l.waiting, func(one any) bool { _, isGap := one.(Gap); return !isGap })
			l.waiting = slices.Delete(l.waiting, at, at+1)
			l.items--
			l.dropped++
		}
	}
	l.signal()
}

// keep subscribes, and again after each end of the connection, until the loop is over or another error ends it.
func (l *subscription) keep(ctx context.Context) {
	s := l.settings
	for failures := 1; ctx.Err() == nil; failures++ {
		on, err := l.start(ctx)
		if err == nil && on != nil {
			select {
			case <-on.over:
			case <-ctx.Done():
				return
			}
			failures = 0
			continue
		}
		var failed *CallError
		isLost := err == nil || errors.As(err, &failed) && failed.Reason == Network && l.wasOpen
		if err != nil && (!isLost || failures >= s.resubscriptions) {
			l.fail(err)
			return
		}
		if s.clock.Sleep(ctx, backOff(failures, s)) != nil {
			return
		}
	}
}

// start subscribes once; no connection if it ended meanwhile.
func (l *subscription) start(ctx context.Context) (*connection, error) {
	t := l.topics
	calls := t.duplex.calls
	member, err := calls.member(l.operation.ID, l.params, l.settings)
	if err != nil {
		return nil, err
	}
	t.mutex.Lock()
	t.starting++
	t.mutex.Unlock()
	var id any
	member.settle = func(result any, failed error) { id, err = result, failed }
	// A loop that is left meanwhile has to know the id, to end the subscription.
	calls.send(context.WithoutCancel(ctx), []*rpcMember{member}, false, l.settings)
	on := member.connection
	if err == nil && !l.register(on, id) {
		on = nil
	}
	t.started()
	l.mutex.Lock()
	isOver := l.isOver
	l.mutex.Unlock()
	if isOver {
		l.release(0)
	}
	return on, err
}

func (l *subscription) register(on *connection, id any) bool {
	select {
	case <-on.over:
		return false
	default:
	}
	t := l.topics
	t.mutex.Lock()
	l.mutex.Lock()
	if l.wasOpen {
		l.waiting = append(l.waiting, Gap{})
	}
	l.key, l.id, l.wasOpen = keyOfTopic(on, l.operation, id), id, true
	t.byKey[l.key] = append(t.byKey[l.key], l)
	l.mutex.Unlock()
	// What arrived before the id comes before all that follows.
	t.early = slices.DeleteFunc(t.early, func(one earlyNotification) bool { return t.deliver(one.connection, one.notification) })
	t.mutex.Unlock()
	l.signal()
	return true
}

// longestFarewell is how long a loop whose context was cancelled waits for the end of its subscription.
const longestFarewell = time.Second

// release ends the subscription on the server, unless another loop has the same. It waits at most so long, if longest is not 0.
func (l *subscription) release(longest time.Duration) {
	t := l.topics
	t.mutex.Lock()
	l.mutex.Lock()
	key, id := l.key, l.id
	l.key = topicKey{}
	l.mutex.Unlock()
	if key.connection == nil {
		t.mutex.Unlock()
		return
	}
	others := slices.DeleteFunc(t.byKey[key], func(one *subscription) bool { return one == l })
	t.byKey[key] = others
	unsubscribe := t.of.document.named(l.operation.Subscription.Unsubscribe)
	if len(others) > 0 || unsubscribe == nil {
		t.mutex.Unlock()
		return
	}
	delete(t.byKey, key)
	t.ending[key] = true
	t.mutex.Unlock()
	defer func() {
		t.mutex.Lock()
		delete(t.ending, key)
		t.mutex.Unlock()
	}()
	select {
	case <-key.connection.over:
		// A connection that ended has no subscriptions.
		return
	default:
	}
	calls := t.duplex.calls
	ctx := context.Background()
	if longest > 0 {
		limited, cancel := context.WithTimeout(ctx, longest)
		defer cancel()
		ctx = limited
	}
	_, err := invoke(ctx, calls, unsubscribe.ID, []any{id}, nil)
	var failed *CallError
	isLost := errors.As(err, &failed) && failed.Reason == Network
	if err != nil && !isLost && ctx.Err() == nil {
		calls.incoming.ignore(l.failures.redact, unsubscribe.Method, "its error")
	}
}
