package runtime

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// match is the response of one call: a result, an error object, or one that no call can use.
type match struct {
	result   any
	rejected *RPCError
	reason   Reason
	message  string
}

func malformed(message string) *match { return &match{reason: MalformedAnswer, message: message} }

// matches are the responses of one text, by id alone (JSON-RPC 2.0, 5 and 6). Their order and number are ignored, "1" is not 1, and two
// responses with one id are both unusable. The error of a response without an id is that of every call.
type matches struct {
	every   *match
	members []any
	byID    map[string][]any
}

func matchResponses(ids []int64, body any, isBatch bool) *matches {
	list, isList := body.([]any)
	made := &matches{members: list, byID: map[string][]any{}}
	if !isList {
		made.members = []any{body}
	}
	var first *match
	allAlike := len(made.members) > 0
	for _, one := range made.members {
		key := idKey(one)
		made.byID[key] = append(made.byID[key], one)
		found := readResponse(one)
		if first == nil {
			first = found
		}
		allAlike = allAlike && key == "" && found.rejected != nil && found.rejected.Code == first.rejected.Code
	}
	isKnown := false
	for _, id := range ids {
		isKnown = isKnown || len(made.byID[strconv.FormatInt(id, 10)]) > 0
	}
	switch {
	case allAlike:
		made.every = first
	case !isBatch && isList:
		made.every = malformed("the response to a single call is an array")
	case !isList && !isKnown && first.reason != "":
		made.every = first
	}
	return made
}

// of is the response of one call; id is 0 for a notification, which has none.
func (m *matches) of(id int64) *match {
	if m.every != nil {
		return m.every
	}
	found := m.byID[strconv.FormatInt(id, 10)]
	switch len(found) {
	case 0:
		return m.missing(id)
	case 1:
		return readResponse(found[0])
	}
	return &match{reason: UnmatchedAnswer, message: fmt.Sprintf("%d responses have id %d, so none is used", len(found), id)}
}

func (m *matches) missing(id int64) *match {
	var stray *match
	var seen []string
	for _, one := range m.members {
		if stray == nil && (idKey(one) == "" || len(m.members) == 1) {
			stray = readResponse(one)
		}
		if len(seen) < 5 {
			seen = append(seen, shownID(one, id))
		}
	}
	shown := strings.Join(seen, ", ")
	if shown == "" {
		shown = "nothing"
	}
	if len(m.members) > 5 {
		shown += ", …"
	}
	made := &match{reason: UnmatchedAnswer, message: fmt.Sprintf("no response has id %d (seen: %s)", id, shown)}
	if stray != nil && stray.rejected != nil {
		made.rejected = stray.rejected
		made.message += fmt.Sprintf("; the server returned the error %d %s", stray.rejected.Code, stray.rejected.Message)
	}
	return made
}

// idKey is empty without an id. 1 and 1.0 are one number of JSON; text is in quotes, and lists cannot be ids.
func idKey(member any) string {
	members, _ := member.(object)
	switch id := members["id"].(type) {
	case nil:
		return ""
	case json.Number:
		return wholeDigits(id)
	case string:
		return strconv.Quote(id)
	default:
		return fmt.Sprintf("%T", id)
	}
}

// shownID does not quote the text of another id, because it is text of the server.
func shownID(member any, wanted int64) string {
	members, _ := member.(object)
	id, ok := members["id"]
	if !ok {
		return "none"
	}
	switch id := id.(type) {
	case nil:
		return "null"
	case json.Number:
		return shortened(string(id))
	case string:
		if id == strconv.FormatInt(wanted, 10) {
			return strconv.Quote(id)
		}
		return "a string"
	case bool:
		return "a boolean"
	}
	return "an object"
}

func readResponse(response any) *match {
	members, ok := response.(object)
	if !ok {
		return malformed("the response is not an object")
	}
	if members["jsonrpc"] != "2.0" {
		return malformed(`the response does not have jsonrpc "2.0"`)
	}
	result, hasResult := members["result"]
	failed, hasError := members["error"]
	switch {
	case hasResult && hasError:
		return malformed("the response has both a result and an error")
	case hasResult:
		return &match{result: result}
	case !hasError:
		return malformed("the response has neither a result nor an error")
	}
	made, _ := failed.(object)
	number, _ := made["code"].(json.Number)
	code, err := json.Number(wholeDigits(number)).Int64()
	text, isText := made["message"].(string)
	if err != nil || !isText {
		return malformed("the error has no integer code and string message")
	}
	return &match{rejected: &RPCError{Code: code, Message: text, Data: made["data"]}}
}
