package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// deadline is the end of a call: all of its requests and waits together.
type deadline struct {
	ctx     context.Context
	cancel  context.CancelFunc
	timer   *time.Timer
	clock   Clock
	ends    time.Time
	timeout time.Duration
}

var errDeadline = errors.New("the deadline of the call has ended")

func newDeadline(ctx context.Context, s *settings, timeout time.Duration) *deadline {
	inner, cancel := context.WithCancelCause(ctx)
	made := &deadline{ctx: inner, cancel: func() { cancel(nil) }, clock: s.clock, timeout: timeout}
	if timeout > 0 {
		made.ends = s.clock.Now().Add(timeout)
		made.timer = time.AfterFunc(timeout, func() { cancel(errDeadline) })
	}
	return made
}

// stop ends the deadline, but not the request: a stream has no deadline after its head.
func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
	}
}

func (d *deadline) close() {
	d.stop()
	d.cancel()
}

// allows reports whether the call may wait.
func (d *deadline) allows(wait time.Duration) bool {
	return d.timeout <= 0 || wait < d.ends.Sub(d.clock.Now())
}

// failure is the error of a request that was ended, or nil.
func (d *deadline) failure(f failures) error {
	if errors.Is(context.Cause(d.ctx), errDeadline) {
		return f.call(Timeout, fmt.Sprintf(": no response within %v", d.timeout), nil, context.DeadlineExceeded)
	}
	return ended(d.ctx, f)
}

// ended is the error of a call whose context has ended, or nil.
func ended(ctx context.Context, f failures) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	cause := err
	if own := context.Cause(ctx); !errors.Is(own, err) {
		cause = fmt.Errorf("%w: %w", err, own)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return f.call(Timeout, ": no response before the deadline of the context", nil, cause)
	}
	return f.call(Aborted, ": the call was cancelled", nil, cause)
}

// outgoing is a request, ready to be sent. secretHeaders are those that no other origin may receive.
type outgoing struct {
	method, url   string
	header        http.Header
	body          *requestBody
	secretHeaders []string
	// keepsMethod: only redirects that keep the method are followed (JSON-RPC).
	keepsMethod bool
}

type hookError struct{ error }

func (e hookError) Unwrap() error { return e.error }

const longestChain = 20

var (
	errRedirects = errors.New("too many redirects")
	errRedirect  = errors.New("invalid redirect")
	errTooLarge  = errors.New("the response is too large")
)

// exchange sends a request, follows redirects, and runs the hooks.
func exchange(d *deadline, request outgoing, operations []string, attempt int, s *settings, redact func(string) string) (*http.Response, error) {
	header := request.header.Clone()
	if s.onRequest != nil {
		hooked := &HookRequest{operations, attempt, request.method, redact(request.url), header}
		if err := s.onRequest(hooked); err != nil {
			return nil, hookError{err}
		}
		header = hooked.Header
	}
	method, address, body := request.method, request.url, request.body
	for count := 0; ; count++ {
		response, err := send(d.ctx, method, address, header, body, s.client)
		if err != nil {
			return nil, err
		}
		location := response.Header.Get("Location")
		if location == "" || !isRedirect(response.StatusCode, request.keepsMethod) {
			return response, runOnResponse(response, operations, attempt, s, redact)
		}
		_ = response.Body.Close()
		if count == longestChain {
			return nil, errRedirects
		}
		base, _ := url.Parse(address)
		following, err := base.Parse(location)
		if err != nil || following.Scheme != "http" && following.Scheme != "https" {
			return nil, errRedirect
		}
		becomesGet := response.StatusCode < 303 && method == "POST"
		if response.StatusCode == 303 {
			becomesGet = method != "GET" && method != "HEAD"
		}
		isSame := base.Scheme == following.Scheme && base.Host == following.Host
		kept := http.Header{}
		for name, values := range header {
			lower := strings.ToLower(name)
			isSecret := lower == "authorization" || lower == "proxy-authorization" || lower == "cookie" ||
				slices.Contains(request.secretHeaders, lower)
			isOfBody := becomesGet && strings.HasPrefix(lower, "content-")
			if !isOfBody && (isSame || !isSecret) {
				kept[name] = values
			}
		}
		header, address = kept, following.String()
		if becomesGet {
			method, body = "GET", nil
		}
	}
}

func isRedirect(status int, keepsMethod bool) bool {
	return status == 307 || status == 308 || !keepsMethod && (status == 301 || status == 302 || status == 303)
}

func runOnResponse(response *http.Response, operations []string, attempt int, s *settings, redact func(string) string) error {
	if s.onResponse == nil {
		return nil
	}
	shown := http.Header{}
	for name, values := range response.Header {
		for _, value := range values {
			shown.Add(name, redact(value))
		}
	}
	if err := s.onResponse(HookResponse{operations, attempt, response.StatusCode, shown}); err != nil {
		_ = response.Body.Close()
		return hookError{err}
	}
	return nil
}

func send(ctx context.Context, method, address string, header http.Header, body *requestBody, client *http.Client) (*http.Response, error) {
	target, fragment, _ := strings.Cut(address, "#")
	_ = fragment
	base, query, _ := strings.Cut(target, "?")
	parsed, err := url.Parse(pathText(base))
	if err != nil {
		return nil, errors.New("the address is not a URL")
	}
	parsed.RawQuery = queryText(query)
	request := (&http.Request{
		Method: method, URL: parsed, Host: parsed.Host, Header: header, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	if body != nil && body.stream != nil {
		request.Body, request.ContentLength = io.NopCloser(body.stream), -1
	} else if body != nil {
		request.ContentLength = int64(len(body.content))
		request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body.content)), nil }
		request.Body, _ = request.GetBody()
		if len(body.content) == 0 {
			request.Body = http.NoBody
		}
	}
	return client.Do(request)
}

// pathText and queryText percent-encode what URLs cannot contain (WHATWG URL, 1.3).
func pathText(text string) string { return percentEncode(text, "!$%&'()*+,-./:;=@[]_~") }

func queryText(text string) string { return percentEncode(text, "!$%&()*+,-./:;=?@[\\]^_`{|}~") }

// readBody is the whole body, of at most so many bytes.
func readBody(response *http.Response, most int64) ([]byte, error) {
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	if err == nil && int64(len(content)) > most {
		return nil, fmt.Errorf("%w: it has more than %d bytes (WithMaxResponseBytes)", errTooLarge, most)
	}
	return content, err
}

// isBusy reports a status that says that the same request may succeed later.
func isBusy(status int) bool { return status == 429 || status == 503 }

// waitBefore is the time until an attempt (2 is the first retry): Retry-After, else a doubling delay, of which half is random. false: too
// long.
func waitBefore(attempt int, retryAfter string, s *settings) (time.Duration, bool) {
	if attempt > s.retry.Attempts {
		return 0, false
	}
	if wait, ok := parseRetryAfter(strings.TrimSpace(retryAfter), s.clock); ok {
		return wait, wait <= s.retry.Longest
	}
	return backOff(attempt-1, s), true
}

// backOff is a delay that doubles with each failure, and of which up to half is random.
func backOff(failures int, s *settings) time.Duration {
	doubled := s.retry.Delay
	for range failures - 1 {
		doubled = min(doubled*2, s.retry.Longest)
	}
	return time.Duration(float64(min(doubled, s.retry.Longest)) * (0.5 + s.clock.Random()/2))
}

var seconds = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// parseRetryAfter: seconds or a date (RFC 9110, 10.2.3).
func parseRetryAfter(text string, clock Clock) (time.Duration, bool) {
	if seconds.MatchString(text) {
		found, err := strconv.ParseFloat(text, 64)
		return time.Duration(min(found, 1e9) * float64(time.Second)), err == nil
	}
	date, err := http.ParseTime(text)
	if err != nil {
		date, err = time.Parse(time.RFC3339, text)
	}
	if err != nil {
		return 0, false
	}
	return max(0, date.Sub(clock.Now())), true
}
