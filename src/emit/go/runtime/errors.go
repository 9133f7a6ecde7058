package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Reason says why a call has no response that matches the document.
type Reason string

// The reasons of a CallError.
const (
	Network          Reason = "network"
	Timeout          Reason = "timeout"
	Aborted          Reason = "aborted"
	MalformedAnswer  Reason = "malformed-answer"
	UnmatchedAnswer  Reason = "unmatched-answer"
	InvalidInput     Reason = "invalid-input"
	InvalidAnswer    Reason = "invalid-answer"
	ResponseTooLarge Reason = "response-too-large"
	// Overflow: more items of a subscription waited than WithBuffer allows.
	Overflow Reason = "overflow"
)

// Issue is one error of validation.
type Issue struct {
	// Pointer is a JSON pointer into the value; empty for the value itself.
	Pointer string
	// Keyword is the keyword of JSON Schema that rejected the value.
	Keyword string
	Message string
}

// Warning is a response that differs from the document and is returned nevertheless, or a call of the server that was ignored.
type Warning struct {
	Operation string
	Message   string
	Issues    []Issue
}

// CallError is a call without a usable response.
type CallError struct {
	Reason    Reason
	Operation string
	Message   string
	Issues    []Issue
	// Status, MediaType and Text are those of a response whose media type is not documented.
	Status    int
	MediaType string
	Text      string
	cause     error
}

func (e *CallError) Error() string { return e.Message }

// Unwrap returns the cause, without URLs and secrets: errors.Is and errors.As find the errors of a transport, of a function that
// returns a credential, and of a context.
func (e *CallError) Unwrap() error { return e.cause }

// HTTPError is an error response: a status outside 2xx, or a 2xx body that the document declares as an error.
type HTTPError struct {
	Operation string
	Status    int
	// Body is the JSON of the response, its text if it is not JSON, or nil.
	Body    any
	Header  http.Header
	Issues  []Issue
	Message string
}

func (e *HTTPError) Error() string { return e.Message }

// RPCError is the error object of a JSON-RPC response.
type RPCError struct {
	Code    int64
	Message string
	Data    any
	Method  string
	cause   error
}

func (e *RPCError) Error() string {
	return fmt.Sprintf("%s: error %d: %s", e.Method, e.Code, e.Message)
}

// Unwrap returns the *HTTPError of a response with an error status.
func (e *RPCError) Unwrap() error { return e.cause }

// DataOf returns the data of an error as a type of the package; its zero value, if the error has no data.
func DataOf[T any](of *Package, failed *RPCError) (T, error) {
	if failed == nil {
		var none T
		return none, errors.New("there is no error of JSON-RPC: it is nil")
	}
	made, err := convert[T](of, failed.Data)
	if err != nil {
		err = fmt.Errorf("the data of the error %d of %s: %w", failed.Code, failed.Method, err)
	}
	return made, err
}

const longestExcerpt = 200

func shortened(text string) string {
	runes := []rune(text)
	if len(runes) <= longestExcerpt {
		return text
	}
	return string(runes[:longestExcerpt]) + "…"
}

// describe lists the first issues of a value: `/a must be string; /b is required`.
func describe(issues []Issue, place func(string) string) string {
	var listed []string
	for _, one := range issues[:min(len(issues), 3)] {
		listed = append(listed, place(shortened(one.Pointer))+" "+shortened(one.Message))
	}
	if len(issues) > 3 {
		listed = append(listed, fmt.Sprintf("and %d more", len(issues)-3))
	}
	return strings.Join(listed, "; ")
}

func plainPlace(pointer string) string {
	if pointer == "" {
		return "it"
	}
	return pointer
}

// failures makes the errors of one operation; redact removes the secrets of the call.
type failures struct {
	operation string
	redact    func(string) string
}

func (f failures) call(reason Reason, text string, issues []Issue, cause error) *CallError {
	return f.placed(reason, text, issues, cause, plainPlace)
}

// placed is call with names for the pointers of issues; text follows the name of the operation.
func (f failures) placed(reason Reason, text string, issues []Issue, cause error, place func(string) string) *CallError {
	issues = f.issues(issues)
	message := f.redact(f.operation + text)
	if len(issues) > 0 {
		message += ": " + describe(issues, place)
	}
	return &CallError{
		Reason: reason, Operation: f.operation, Message: message, Issues: issues, cause: cleanCause(cause, f.redact),
	}
}

func (f failures) issues(issues []Issue) []Issue {
	var cleaned []Issue
	for _, one := range issues {
		cleaned = append(cleaned, Issue{f.redact(one.Pointer), one.Keyword, f.redact(one.Message)})
	}
	return cleaned
}

// http makes an HTTPError with a part of the body in its message, unless text is its message.
func (f failures) http(status int, body any, header http.Header, issues []Issue, text string) *HTTPError {
	// Redacted before it is shortened, because a part of a secret is no longer recognised.
	body = clean(body, f.redact)
	message := f.redact(text)
	if text == "" {
		message = fmt.Sprintf("%s returned %d", f.operation, status)
		if shown, isText := body.(string); isText && shown != "" {
			message += ": " + shortened(shown)
		} else if !isText && body != nil {
			written, _ := writeJSON(body)
			message += ": " + shortened(string(written))
		}
	}
	safe := http.Header{}
	for name, values := range header {
		for _, value := range values {
			safe.Add(name, f.redact(value))
		}
	}
	return &HTTPError{f.operation, status, body, safe, f.issues(issues), message}
}

// cleanedError has the text of another error without URLs and secrets.
type cleanedError struct {
	text string
	// kept are the errors within it that contain none of them.
	kept []error
}

func (e *cleanedError) Error() string   { return e.text }
func (e *cleanedError) Unwrap() []error { return e.kept }

// cleanCause rebuilds an error without URLs: *url.Error prints its URL, and a wrapped one would leak it again.
func cleanCause(err error, redact func(string) string) error {
	if err == nil {
		return nil
	}
	return &cleanedError{redact(textWithoutURL(err)), withoutSecrets(err, redact)}
}

// withoutSecrets are the outermost errors of a chain that contain no URL and no secret.
func withoutSecrets(err error, redact func(string) string) []error {
	var withURL *url.Error
	if text := err.Error(); !errors.As(err, &withURL) && redact(text) == text {
		return []error{err}
	}
	var found []error
	switch outer := err.(type) {
	case interface{ Unwrap() error }:
		if inner := outer.Unwrap(); inner != nil {
			found = withoutSecrets(inner, redact)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range outer.Unwrap() {
			found = append(found, withoutSecrets(inner, redact)...)
		}
	}
	return found
}

// lostReason is the reason of a call whose response was not received: http.Client.Timeout is a deadline, too.
func lostReason(err error) Reason {
	if errors.Is(err, context.DeadlineExceeded) {
		return Timeout
	}
	return Network
}

func textWithoutURL(err error) string {
	text := err.Error()
	for {
		var outer *url.Error
		if !errors.As(err, &outer) {
			return text
		}
		err = outer.Err
		text = err.Error()
	}
}
