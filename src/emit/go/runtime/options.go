package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/textproto"
	"reflect"
	"regexp"
	"time"
	"unicode/utf8"
)

// Option is an option of a client.
type Option interface{ apply(*settings) error }

// CallOption is an option of a client, or of one call.
type CallOption interface {
	Option
	ofCall()
}

type clientOption func(*settings) error

func (o clientOption) apply(s *settings) error { return o(s) }

type callOption func(*settings) error

func (o callOption) apply(s *settings) error { return o(s) }
func (o callOption) ofCall()                 {}

// Retry applies to operations marked x-idempotent and calls with an idempotency key; no other call is retried.
type Retry struct {
	// Attempts is the maximum number of attempts, the first one included; 3 by default.
	Attempts int
	// Delay is the time before the second attempt, doubled for each further one; 250 ms by default.
	Delay time.Duration
	// Longest is the longest wait; if the server requires a longer one, the call is not retried. 60 s by default.
	Longest time.Duration
}

// Clock is the time, waiting and chance of a client; tests replace them.
type Clock struct {
	Now    func() time.Time
	Sleep  func(context.Context, time.Duration) error
	Random func() float64
}

// HookRequest is one HTTP request, as OnRequest receives it. Header may be changed; it may contain secrets.
type HookRequest struct {
	Operations []string
	Attempt    int
	Method     string
	URL        string
	Header     http.Header
}

// HookResponse is the head of a response, as OnResponse receives it.
type HookResponse struct {
	Operations []string
	Attempt    int
	Status     int
	Header     http.Header
}

// ResponseValidation is how responses are validated.
type ResponseValidation string

// Tolerant, the default: unknown properties are ignored. A new value of an enum, a new variant, and null for an optional property are
// reported to OnWarning and returned. Every other difference is a CallError.
const (
	Tolerant     ResponseValidation = "tolerant"
	Strict       ResponseValidation = "strict"
	NotValidated ResponseValidation = "off"
)

// Secret returns a credential. It is called for every call, and once more after a 401.
type Secret func(context.Context) (string, error)

// BasicSecret returns user and password.
type BasicSecret func(context.Context) (user, password string, err error)

type credential struct {
	text           string
	user, password string
	isBasic        bool
}

type settings struct {
	timeout          time.Duration
	header           http.Header
	retry            Retry
	skipsInput       bool
	response         ResponseValidation
	variables        map[string]string
	maxResponseBytes int64
	onWarning        func(Warning)
	onRequest        func(*HookRequest) error
	onResponse       func(HookResponse) error
	clock            Clock
	client           *http.Client
	contentType      string
	pollInterval     func(asked int) time.Duration
	pollTimeout      time.Duration
	// handlers are functions by the id of what the server sends.
	handlers       map[string]reflect.Value
	onHandlerError func(method string, err error)
	openLink       OpenLink
	// Of subscriptions.
	onGap           func(Gap)
	buffer          int
	dropsOldest     bool
	resubscriptions int
	// Fixed credentials, and functions that return them.
	secrets   map[string]credential
	functions map[string]func(context.Context) (credential, error)
}

// String keeps credentials out of what a program prints.
func (s *settings) String() string { return "settings" }

var errNilOption = errors.New("an option is nil: leave it out")

func newSettings(options []Option) (*settings, error) {
	made := &settings{
		timeout:          time.Minute,
		header:           http.Header{},
		retry:            Retry{3, 250 * time.Millisecond, time.Minute},
		response:         Tolerant,
		variables:        map[string]string{},
		maxResponseBytes: 100 << 20,
		clock:            Clock{time.Now, sleep, rand.Float64},
		pollInterval:     usualInterval,
		handlers:         map[string]reflect.Value{},
		buffer:           1_000,
		resubscriptions:  10,
		secrets:          map[string]credential{},
		functions:        map[string]func(context.Context) (credential, error){},
	}
	for _, one := range options {
		if one == nil {
			return nil, errNilOption
		}
		if err := one.apply(made); err != nil {
			return nil, err
		}
	}
	if made.client == nil {
		transport := http.DefaultTransport
		if usual, ok := transport.(*http.Transport); ok {
			transport = usual.Clone()
		}
		made.client = &http.Client{Transport: transport}
	}
	own := *made.client
	// Redirects are followed by exchange, which keeps credentials from other origins.
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	made.client = &own
	return made, nil
}

// with returns the settings of one call.
func (s *settings) with(ctx context.Context, options []CallOption) (*settings, error) {
	if ctx == nil {
		return nil, errors.New("the context is nil: use context.Background()")
	}
	if len(options) == 0 {
		return s, nil
	}
	made := *s
	made.header = s.header.Clone()
	for _, one := range options {
		if one == nil {
			return nil, errNilOption
		}
		if err := one.apply(&made); err != nil {
			return nil, err
		}
	}
	return &made, nil
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func usualInterval(asked int) time.Duration {
	wait := 500 * time.Millisecond
	for range min(asked-1, 10) {
		wait = wait * 3 / 2
	}
	return min(wait, 5*time.Second)
}

// WithTimeout sets the time for one call, retries included; 60 s by default, 0 for none.
func WithTimeout(timeout time.Duration) CallOption {
	return callOption(func(s *settings) error {
		s.timeout = timeout
		if timeout < 0 {
			return fmt.Errorf("the timeout must not be negative: 0 is no timeout")
		}
		return nil
	})
}

var (
	headerName    = regexp.MustCompile("^[!#$%&'*+\\-.^_`|~0-9A-Za-z]+$")
	headerValue   = regexp.MustCompile(`^[\t\x20-\x7e\x{80}-\x{ff}]*$`)
	clientPackage = regexp.MustCompile(`^(?:@[\w.-]{1,214}/)?[\w.-]{1,214}/[\w.+-]{1,50}$`)
)

// WithHeader adds a header to requests; documented ones take precedence.
func WithHeader(name, value string) CallOption {
	return callOption(func(s *settings) error {
		if !headerName.MatchString(name) || !headerValue.MatchString(value) {
			return fmt.Errorf("a header has a name or a value that HTTP does not allow")
		}
		s.header[textproto.CanonicalMIMEHeaderKey(name)] = []string{value}
		return nil
	})
}

// WithRetry sets when calls are retried. A zero field keeps its default.
func WithRetry(retry Retry) CallOption {
	return callOption(func(s *settings) error {
		if retry.Attempts < 0 || retry.Delay < 0 || retry.Longest < 0 {
			return fmt.Errorf("the numbers of Retry must not be negative")
		}
		if retry.Attempts > 0 {
			s.retry.Attempts = retry.Attempts
		}
		if retry.Delay > 0 {
			s.retry.Delay = retry.Delay
		}
		if retry.Longest > 0 {
			s.retry.Longest = retry.Longest
		}
		return nil
	})
}

// WithoutInputValidation sends inputs that do not match the document.
func WithoutInputValidation() CallOption {
	return callOption(func(s *settings) error { s.skipsInput = true; return nil })
}

// WithResponseValidation sets how responses are validated.
func WithResponseValidation(validation ResponseValidation) CallOption {
	return callOption(func(s *settings) error {
		s.response = validation
		if validation != Tolerant && validation != Strict && validation != NotValidated {
			return fmt.Errorf("the response validation must be Tolerant, Strict or NotValidated")
		}
		return nil
	})
}

// WithContentType sets the media type of a body, where the document has a range such as image/*.
func WithContentType(mediaType string) CallOption {
	return callOption(func(s *settings) error { s.contentType = mediaType; return nil })
}

// WithPollInterval sets the time between two requests of a poll; by default 500 ms, growing to 5 s.
func WithPollInterval(interval time.Duration) CallOption {
	return callOption(func(s *settings) error {
		s.pollInterval = func(int) time.Duration { return interval }
		if interval < 0 {
			return errors.New("the interval of polls must not be negative")
		}
		return nil
	})
}

// WithPollTimeout sets the time for the whole of a poll; none by default.
func WithPollTimeout(timeout time.Duration) CallOption {
	return callOption(func(s *settings) error {
		s.pollTimeout = timeout
		if timeout < 0 {
			return errors.New("the timeout of polls must not be negative: 0 is no timeout")
		}
		return nil
	})
}

// WithVariables sets values of the variables of server URLs.
func WithVariables(variables map[string]string) Option {
	return clientOption(func(s *settings) error { maps.Copy(s.variables, variables); return nil })
}

// WithMaxResponseBytes sets the maximum size of a response body, decompressed; 100 MiB by default.
func WithMaxResponseBytes(most int64) Option {
	return clientOption(func(s *settings) error { s.maxResponseBytes = most; return nil })
}

// WithClientPackage names the program with its version, such as acme-shop/1.4.2, sent as X-Client-Package.
func WithClientPackage(name string) Option {
	return clientOption(func(s *settings) error {
		if !clientPackage.MatchString(name) {
			return fmt.Errorf("the client package must be a name and a version: acme-shop/1.4.2")
		}
		s.header.Set("X-Client-Package", name)
		return nil
	})
}

// WithOnWarning receives a warning for each response that differs from the document and is returned nevertheless, and for each call
// of the server that was ignored.
func WithOnWarning(receive func(Warning)) Option {
	return clientOption(func(s *settings) error { s.onWarning = receive; return nil })
}

// WithOnRequest is called before each HTTP request, retries included. Its error ends the call.
func WithOnRequest(receive func(*HookRequest) error) Option {
	return clientOption(func(s *settings) error { s.onRequest = receive; return nil })
}

// WithOnResponse is called with the head of each response. Its error ends the call.
func WithOnResponse(receive func(HookResponse) error) Option {
	return clientOption(func(s *settings) error { s.onResponse = receive; return nil })
}

// WithClock replaces time, waiting and chance.
func WithClock(clock Clock) Option {
	return clientOption(func(s *settings) error { s.clock = clock; return nil })
}

// WithHandlers sets functions for what the server sends, by the id of the operation; nil for none.
func WithHandlers(handlers map[string]any) Option {
	return clientOption(func(s *settings) error {
		for id, one := range handlers {
			if function := reflect.ValueOf(one); !function.IsNil() {
				s.handlers[id] = function
			}
		}
		return nil
	})
}

// WithOnHandlerError receives errors of handlers that no response tells: those of notifications, and those that are no *RPCError. By
// default they are logged.
func WithOnHandlerError(receive func(method string, err error)) Option {
	return clientOption(func(s *settings) error { s.onHandlerError = receive; return nil })
}

// WithLink sends all calls over links of the program, such as connections of a WebSocket library, in place of HTTP.
func WithLink(open OpenLink) Option {
	return clientOption(func(s *settings) error { s.openLink = open; return nil })
}

// WithOnGap is called between two items of a subscription where others may be missing.
func WithOnGap(receive func(Gap)) CallOption {
	return callOption(func(s *settings) error { s.onGap = receive; return nil })
}

// WithBuffer sets how many items of a subscription may wait for the loop; 1,000 by default.
func WithBuffer(items int) CallOption {
	return callOption(func(s *settings) error {
		s.buffer = items
		if items < 1 {
			return fmt.Errorf("the buffer must hold an item at least")
		}
		return nil
	})
}

// WithDropOldest drops the oldest items of a full buffer, in place of an error.
func WithDropOldest() CallOption {
	return callOption(func(s *settings) error { s.dropsOldest = true; return nil })
}

// WithResubscriptions sets how often a subscription whose connection broke is begun again in succession; 10 by default.
func WithResubscriptions(attempts int) CallOption {
	return callOption(func(s *settings) error { s.resubscriptions = attempts; return nil })
}

// WithHTTPClient sends all requests with a client of the program; by default one that reads proxies from the environment.
// Redirects are followed as browsers do, without credentials for another origin: CheckRedirect of the client is not called.
func WithHTTPClient(client *http.Client) Option {
	return clientOption(func(s *settings) error { s.client = client; return nil })
}

// WithSecret sets a credential of the document.
func WithSecret(name, secret string) Option {
	return clientOption(func(s *settings) error {
		s.secrets[name] = credential{text: secret}
		return checkSecret(name, secret)
	})
}

// WithSecretFunc sets a function that returns a credential.
func WithSecretFunc(name string, secret Secret) Option {
	return clientOption(func(s *settings) error {
		if secret == nil {
			return fmt.Errorf("the function of the credential %s is nil", name)
		}
		s.functions[name] = func(ctx context.Context) (credential, error) {
			text, err := secret(ctx)
			return credential{text: text}, err
		}
		return nil
	})
}

// WithBasic sets user and password.
func WithBasic(name, user, password string) Option {
	return clientOption(func(s *settings) error {
		s.secrets[name] = credential{user: user, password: password, isBasic: true}
		return checkSecret(name, user+password)
	})
}

// WithBasicFunc sets a function that returns user and password.
func WithBasicFunc(name string, secret BasicSecret) Option {
	return clientOption(func(s *settings) error {
		if secret == nil {
			return fmt.Errorf("the function of the credential %s is nil", name)
		}
		s.functions[name] = func(ctx context.Context) (credential, error) {
			user, password, err := secret(ctx)
			return credential{user: user, password: password, isBasic: true}, err
		}
		return nil
	})
}

var notInSecrets = regexp.MustCompile(`[\r\n\x00]`)

func checkSecret(name, secret string) error {
	if notInSecrets.MatchString(secret) {
		return fmt.Errorf("%s must be text without line breaks", name)
	}
	if !utf8.ValidString(secret) {
		return fmt.Errorf("%s must be valid UTF-8", name)
	}
	return nil
}
