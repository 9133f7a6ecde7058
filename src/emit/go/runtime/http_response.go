package runtime

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// read is the response, validated: an *HTTPError for an error response, and a *CallError for one that is of no use.
func (c *httpCall) read(response *http.Response) (*answer, error) {
	key, contents, err := c.described(response)
	made := &answer{status: response.StatusCode, header: response.Header}
	if err != nil || contents == nil {
		return made, err
	}
	sent := response.Header.Get("Content-Type")
	hasJSON := slices.ContainsFunc(contents, func(one *Content) bool { return one.Codec == "json" })
	var preferred []*Content
	for _, one := range contents {
		if hasJSON && one.Codec == "json" || !hasJSON && one.Stream == nil {
			preferred = append(preferred, one)
		}
	}
	at := declaredContent(preferred, sent)
	if at < 0 {
		at = slices.IndexFunc(preferred, func(one *Content) bool { return one.Type == "application/octet-stream" })
	}
	if at < 0 {
		return nil, c.wrongType(response, preferred)
	}
	codec := preferred[at].Codec
	if codec == "any" {
		codec = responseCodec(sent)
	}
	body, err := readBody(response, c.settings.maxResponseBytes)
	if err != nil {
		return nil, c.network(": no response: ", err)
	}
	switch codec {
	case "json":
	case "text", "form":
		made.body = textOf(body, sent)
		return made, nil
	default:
		made.body = &Download{body, fileName(response.Header), sent}
		return made, nil
	}
	value, err := parseJSON([]byte(textOf(body, "application/json")))
	if err != nil {
		what := "text that is not JSON"
		if len(body) == 0 {
			what = "an empty body"
		}
		return nil, c.failures.call(MalformedAnswer, ": returned "+what+" where JSON is documented", nil, err)
	}
	if err := c.variantError(response, value); err != nil {
		return nil, err
	}
	shown := "its schema"
	if key != fmt.Sprint(response.StatusCode) {
		shown = "the schema of " + key
	}
	text := fmt.Sprintf(": the response (%d) does not match %s", response.StatusCode, shown)
	if err := c.validate(preferred[at].place, value, text); err != nil {
		return nil, err
	}
	made.body = withAliases(value, c.operation.SameAs)
	return made, nil
}

// declared is the response of a status; nil for none.
func (o *operation) declared(status int) *declaredResponse {
	for _, wanted := range []string{strconv.Itoa(status), strconv.Itoa(status/100) + "XX", "default"} {
		for _, one := range o.Responses {
			if one.Status == wanted {
				return one
			}
		}
	}
	return nil
}

var undocumented = Issue{"", "responses", "has a status that is not documented"}

// described is the declared response of a success; no contents if it has no body.
func (c *httpCall) described(response *http.Response) (string, []*Content, error) {
	status := response.StatusCode
	found := c.operation.declared(status)
	hasSuccess := slices.ContainsFunc(c.operation.Responses, func(one *declaredResponse) bool {
		return strings.HasPrefix(one.Status, "2")
	})
	if status < 200 || status > 299 || found != nil && found.Status == "default" && hasSuccess {
		return "", nil, c.rejection(response, found)
	}
	if found == nil && hasSuccess {
		_ = response.Body.Close()
		return "", nil, c.failures.call(MalformedAnswer, fmt.Sprintf(": returned %d", status), []Issue{undocumented}, nil)
	}
	if found == nil {
		found = &declaredResponse{"", []*Content{{Type: "*/*", Codec: "any"}}}
	}
	if len(found.Content) == 0 || c.operation.Method == "HEAD" || status == 204 || status == 205 {
		_ = response.Body.Close()
		return "", nil, nil
	}
	return found.Status, found.Content, nil
}

// validate returns a CallError for a value that differs from its schema; it remembers what is tolerated.
func (c *httpCall) validate(place string, value any, text string) error {
	if c.settings.response == NotValidated || place == "" {
		return nil
	}
	places := []string{place}
	if c.variant != "" {
		places = nil
		for _, one := range c.operation.Variants {
			if one.Name == c.variant {
				for _, name := range one.Responses {
					places = append(places, "/schemas"+step(name))
				}
			}
		}
	}
	issues, isTolerated := c.of.check(places, value, c.settings.response)
	if issues == nil {
		return nil
	}
	if isTolerated {
		c.warnings = append(c.warnings, Warning{c.operation.ID, "the response differs from the document", c.failures.issues(issues)})
		return nil
	}
	return c.failures.call(InvalidAnswer, text, issues, nil)
}

// check says why a value fulfils none of the schemas at some places, and whether that is tolerated.
func (p *Package) check(places []string, value any, validation ResponseValidation) ([]Issue, bool) {
	first := open
	if validation == Strict {
		first = strict
	}
	valid := func(reading Reading) bool {
		return slices.ContainsFunc(places, func(one string) bool { return p.schemas.isValid(one, value, reading) })
	}
	if valid(first) {
		return nil, true
	}
	issues := []Issue{{"", "schema", "must match one of the documented alternatives"}}
	if len(places) == 1 {
		issues = p.schemas.issues(places[0], value, first)
	}
	return issues, validation != Strict && valid(tolerant)
}

// variantError is the error of a 2xx body that the document declares as an error of the variant.
func (c *httpCall) variantError(response *http.Response, value any) error {
	for _, one := range c.operation.Variants {
		if c.variant != "" && c.variant != one.Name {
			continue
		}
		for _, name := range one.Errors {
			place := "/schemas" + step(name)
			if issues, _ := c.of.check([]string{place}, value, c.settings.response); issues == nil {
				return c.rejected(response, value, nil, place)
			}
		}
	}
	return nil
}

func (c *httpCall) rejection(response *http.Response, described *declaredResponse) error {
	sent := response.Header.Get("Content-Type")
	var declared []*Content
	if described != nil {
		declared = described.Content
	}
	at := declaredContent(declared, sent)
	raw, err := readBody(response, c.settings.maxResponseBytes)
	if err != nil {
		return c.network(": no response: ", err)
	}
	isText := at >= 0 && declared[at].Codec != "any" && declared[at].Codec != "json"
	charset := "application/json"
	if isText {
		charset = sent
	}
	text := textOf(raw, charset)
	var body any
	if text != "" {
		body = text
	}
	isJSON := false
	if !isText && c.operation.Method != "HEAD" {
		if value, err := parseJSON([]byte(text)); err == nil {
			body, isJSON = value, true
		}
	}
	if described == nil {
		return c.rejected(response, body, []Issue{undocumented}, "")
	}
	if len(declared) > 0 && at < 0 {
		return c.rejected(response, body, []Issue{{"", "content", "is " + typeShown(sent) + " where " + typesOfContents(declared) + " is expected"}}, "")
	}
	if at < 0 || isText || c.settings.response == NotValidated {
		return c.rejected(response, body, nil, "")
	}
	place := declared[at].place
	issues, isTolerated := c.of.check([]string{place}, body, c.settings.response)
	if issues != nil && isTolerated && isJSON {
		c.warnings = append(c.warnings, Warning{c.operation.ID, "the response differs from the document", c.failures.issues(issues)})
		issues = nil
	}
	return c.rejected(response, body, issues, place)
}

func typeShown(sent string) string {
	if sent == "" {
		return "no Content-Type"
	}
	return sent
}

func typesOfContents(contents []*Content) string {
	var types []string
	for _, one := range contents {
		types = append(types, one.Type)
	}
	return strings.Join(types, " or ")
}

// rejected is the error of the operation's own type, whose body is typed, if the body is a documented one.
func (c *httpCall) rejected(response *http.Response, body any, issues []Issue, place string) error {
	made := c.failures.http(response.StatusCode, body, response.Header, issues, "")
	own, ok := c.of.errors[c.operation.ID]
	if !ok || issues != nil || place == "" {
		return made
	}
	typed := reflect.New(own)
	if err := c.of.decode(made.Body, typed.Elem().FieldByName("Body")); err != nil {
		return made
	}
	typed.Elem().FieldByName("HTTPError").Set(reflect.ValueOf(made))
	return typed.Interface().(error)
}

func (c *httpCall) wrongType(response *http.Response, expected []*Content) error {
	sent := response.Header.Get("Content-Type")
	text := ""
	switch codecOf(sent) {
	case "events", "lines", "sequence":
		// A stream may have no end.
		_ = response.Body.Close()
	default:
		body, err := readBody(response, c.settings.maxResponseBytes)
		if err != nil {
			return c.network(": no response: ", err)
		}
		text = textOf(body, sent)
	}
	message := ": returned " + typeShown(sent) + " where " + typesOfContents(expected) + " is expected"
	made := c.failures.call(MalformedAnswer, message, nil, nil)
	made.Status, made.MediaType, made.Text = response.StatusCode, c.failures.redact(sent), c.failures.redact(text)
	return made
}

// withAliases (x-same-as): if one of two properties is absent or null, it gets the value of the other.
func withAliases(body any, pairs [][2]string) any {
	members, ok := body.(object)
	if !ok {
		return body
	}
	for _, pair := range pairs {
		first, second := members[pair[0]], members[pair[1]]
		if first == nil && second != nil {
			members[pair[0]] = second
		} else if second == nil && first != nil {
			members[pair[1]] = first
		}
	}
	return body
}
