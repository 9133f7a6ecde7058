package runtime

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/textproto"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// write validates the input and writes the request.
func (c *httpCall) write(input Input, at *address) (outgoing, error) {
	var issues []Issue
	path, query, cookies := c.operation.Path, []string{}, []string{}
	header := http.Header{"Accept": {c.accept(input)}}
	key := c.operation.IdempotencyKey
	if key != "" {
		header.Set(key, newUUID())
	}
	maps.Copy(header, c.settings.header)
	body := c.body(input, &issues)
	header.Set("Accept", c.accept(input))
	if own := c.settings.header.Get("Accept"); own != "" {
		header.Set("Accept", own)
	}
	if body != nil {
		header.Set("Content-Type", body.contentType)
	}
	for number, one := range c.operation.Parameters {
		var value any
		if number < len(input.Values) {
			value = input.Values[number]
		}
		if isAbsent(value) && one.In == "header" && one.Name == key {
			continue
		}
		if isAbsent(value) && one.Secret {
			if secret, ok := at.credentials[one.Name]; ok {
				value = secret.text
			}
		}
		text, ok := c.parameter(one, value, &issues)
		if !ok {
			continue
		}
		switch one.In {
		case "path":
			path = strings.ReplaceAll(path, "{"+one.Name+"}", strings.ReplaceAll(text, "{", "%7B"))
		case "query":
			if text != "" {
				query = append(query, text)
			}
		case "header":
			header[textproto.CanonicalMIMEHeaderKey(one.Name)] = []string{text}
		case "cookie":
			cookies = append(cookies, text)
		}
	}
	secretHeaders := c.authorize(at.credentials, header, &query, &cookies, &issues)
	if own := c.settings.header.Get("Cookie"); own != "" {
		cookies = append(cookies, own)
	}
	if len(cookies) > 0 {
		header.Set("Cookie", strings.Join(cookies, "; "))
	}
	if len(issues) == 0 && climbs(c.operation.Path, path) {
		issues = append(issues, Issue{"/path", "pattern", "must not produce a path segment . or .."})
	}
	for name, values := range header {
		sent, ok := headerText(values[0])
		if !ok {
			issues = append(issues, Issue{c.headerPlace(name), "format", "has a character that HTTP does not allow in a header"})
		}
		header[name] = []string{sent}
	}
	if len(issues) > 0 {
		return outgoing{}, c.failures.call(InvalidInput, ": the input is not valid", issues, nil)
	}
	base, _, _ := strings.Cut(at.url, "#")
	base, own, _ := strings.Cut(base, "?")
	if own != "" {
		query = append([]string{own}, query...)
	}
	url := base + path
	if len(query) > 0 {
		url += "?" + strings.Join(query, "&")
	}
	return outgoing{c.operation.Method, url, header, body, secretHeaders, false}, nil
}

// headerText is a text as latin1, which is what HTTP sends.
func headerText(text string) (string, bool) {
	isPlain := true
	for at := range len(text) {
		isPlain = isPlain && text[at] >= 0x20 && text[at] < 0x7f
	}
	if isPlain {
		return text, true
	}
	if !headerValue.MatchString(text) {
		return text, false
	}
	var made []byte
	for _, one := range text {
		made = append(made, byte(one))
	}
	return string(made), true
}

func (c *httpCall) headerPlace(name string) string {
	for _, one := range c.operation.Parameters {
		if strings.EqualFold(one.Name, name) && one.In == "header" {
			return "/header" + step(one.Name)
		}
	}
	return "/header" + step(strings.ToLower(name))
}

func (c *httpCall) parameter(one *Parameter, value any, issues *[]Issue) (string, bool) {
	where := "/" + one.In + step(one.Name)
	if isAbsent(value) {
		if one.Required {
			message := "is required"
			if one.Secret {
				message += ", here or as an option of the client"
			}
			*issues = append(*issues, Issue{where, "required", message})
		}
		return "", false
	}
	sent, faults := encode(value)
	data := sent.tree()
	if faults == nil && data == nil {
		return c.parameter(one, nil, issues)
	}
	if faults == nil && !c.settings.skipsInput {
		faults = c.of.schemas.issues(one.place, sent.plain, strict)
	}
	if faults == nil {
		if delimiter := one.sharedDelimiter(data); delimiter != "" {
			faults = []Issue{{"", "style", fmt.Sprintf("contains %q, which separates values here", delimiter)}}
		} else if one.Style == "deepObject" && hasBracketInKey(data) {
			faults = []Issue{{"", "style", "has a key with a bracket, which deepObject cannot write"}}
		}
	}
	if faults != nil {
		*issues = append(*issues, within(where, faults)...)
		return "", false
	}
	text, ok := one.serialize(data)
	if one.Required && (!ok || text == "" && one.In != "header") {
		*issues = append(*issues, Issue{where, "minLength", "must not be empty"})
	}
	return text, ok
}

func within(where string, issues []Issue) []Issue {
	made := slices.Clone(issues)
	for at := range made {
		made[at].Pointer = where + made[at].Pointer
	}
	return made
}

func (c *httpCall) body(input Input, issues *[]Issue) *requestBody {
	declared := c.operation.Body
	if declared == nil || isAbsent(input.Body) && !declared.Required {
		return nil
	}
	wanted := input.ContentType
	if c.settings.contentType != "" {
		wanted = c.settings.contentType
	}
	mediaType, known, codec := chooseContent(declared.Content, wanted, input.Body)
	if known < 0 && !c.settings.skipsInput {
		var types []string
		for _, one := range declared.Content {
			types = append(types, one.Type)
		}
		*issues = append(*issues, Issue{"/body", "contentType", "must be sent as " + strings.Join(types, " or ")})
		return nil
	}
	var encodings map[string]Encoding
	if known >= 0 {
		encodings = declared.Content[known].Encoding
	}
	written, faults := c.writeBody(input, mediaType, codec, known, encodings)
	if faults != nil {
		*issues = append(*issues, within("/body", faults)...)
		return nil
	}
	most := least(c.operation.Limits.PayloadBytes, c.of.document.Limits.HTTP.PayloadBytes)
	if most > 0 && written.stream == nil && len(written.content) > most {
		message := fmt.Sprintf("has %d bytes, more than the %d allowed", len(written.content), most)
		*issues = append(*issues, Issue{"/body", "payloadBytes", message})
	}
	return written
}

func (c *httpCall) writeBody(input Input, mediaType, codec string, known int, encodings map[string]Encoding) (*requestBody, []Issue) {
	body := input.Body
	isForm := codec == "form" || codec == "multipart"
	_, isText := body.(string)
	isRaw := isFile(body) || isText && codec != "json"
	if codec != "json" && isRaw {
		return writeRaw(body, mediaType)
	}
	check := func(plain any) []Issue {
		if known < 0 || c.settings.skipsInput {
			return nil
		}
		faults := c.of.schemas.issues(c.operation.Body.Content[known].place, plain, strict)
		// What is wrong with one variant says more than that no variant matches.
		for _, one := range c.operation.Variants {
			if faults == nil || one.Name != input.Variant {
				continue
			}
			if own := c.of.schemas.issues("/schemas"+step(one.Request), plain, strict); own != nil {
				return own
			}
		}
		return faults
	}
	if isForm {
		fields, faults := formFields(body)
		if faults == nil {
			plain := shownFields(fields)
			faults = check(plain)
			c.variant = c.variantOf(plain)
		}
		if faults != nil {
			return nil, faults
		}
		return writeForm(fields, mediaType, codec, encodings)
	}
	if items := reflect.ValueOf(body); codec == "parts" && items.Kind() == reflect.Slice {
		return writeMixed(items, mediaType, encodings)
	}
	sent, faults := encode(body)
	if faults == nil && (codec == "json" || codec == "lines" || codec == "sequence") {
		faults = check(sent.plain)
	}
	if faults != nil {
		return nil, faults
	}
	if codec == "lines" || codec == "sequence" {
		if items, ok := tree(sent.text).([]any); ok {
			return writeLines(items, mediaType, codec), nil
		}
	}
	if codec != "json" {
		return writeRaw(body, mediaType)
	}
	c.variant = c.variantOf(sent.plain)
	if members, ok := sent.plain.(object); ok && c.operation.StreamDefault != nil {
		c.streams = *c.operation.StreamDefault
		if chosen, ok := members["stream"].(bool); ok {
			c.streams = chosen
		}
	}
	return &requestBody{content: sent.text, contentType: mediaType}, nil
}

func (c *httpCall) variantOf(plain any) string {
	for _, one := range c.operation.Variants {
		if c.of.schemas.isValid("/schemas"+step(one.Request), plain, strict) {
			return one.Name
		}
	}
	return ""
}

func (c *httpCall) accept(input Input) string {
	var contents []*Content
	isSuccess := func(one *declaredResponse) bool { return strings.HasPrefix(one.Status, "2") }
	for _, one := range c.operation.Responses {
		if isSuccess(one) || !slices.ContainsFunc(c.operation.Responses, isSuccess) {
			contents = append(contents, one.Content...)
		}
	}
	var all, json, streams []string
	for _, one := range contents {
		all = append(all, one.Type)
		if one.Codec == "json" {
			json = append(json, one.Type)
		}
		if one.Stream != nil {
			streams = append(streams, one.Type)
		}
	}
	if len(json) > 0 {
		all = json
		if len(streams) > 0 && (input.Streams || c.streams) {
			all = streams
			for _, one := range json {
				all = append(all, one+";q=0.9")
			}
		}
	}
	var made []string
	for _, one := range all {
		if !slices.Contains(made, one) {
			made = append(made, one)
		}
	}
	if len(made) == 0 {
		return "*/*"
	}
	return strings.Join(made, ", ")
}

// authorize adds the first alternative with credentials for all its schemes; else nothing, if the document allows that. It returns the
// names of headers that no other origin may receive.
func (c *httpCall) authorize(credentials map[string]credential, header http.Header, query, cookies *[]string, issues *[]Issue) []string {
	own := c.operation
	var secretHeaders []string
	for _, one := range own.Parameters {
		if one.Secret && one.In == "header" {
			secretHeaders = append(secretHeaders, strings.ToLower(one.Name))
		}
	}
	isOutside := func(name string) bool { return own.Schemes[name].Kind == "outside" }
	has := func(name string) bool { _, ok := credentials[name]; return ok }
	lacks := func(name string) bool { return !has(name) }
	lacksAll := func(name string) bool { return !has(name) && !isOutside(name) }
	chosen := slices.IndexFunc(own.Security, func(names []string) bool {
		return len(names) > 0 && !slices.ContainsFunc(names, lacks)
	})
	if chosen < 0 {
		chosen = slices.IndexFunc(own.Security, func(names []string) bool {
			return len(names) > 0 && !slices.ContainsFunc(names, lacksAll)
		})
	}
	if chosen < 0 {
		var missing []string
		for _, names := range own.Security {
			if len(names) == 0 {
				return secretHeaders
			}
			names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !lacksAll(name) })
			missing = append(missing, strings.Join(names, " and "))
		}
		if len(missing) > 0 {
			*issues = append(*issues, Issue{"/auth", "required", "needs the credentials " + strings.Join(missing, ", or ")})
		}
		return secretHeaders
	}
	for _, name := range own.Security[chosen] {
		secret, ok := credentials[name]
		scheme := own.Schemes[name]
		if !ok || scheme.Kind == "outside" {
			continue
		}
		switch {
		case secret.isBasic != (scheme.Kind == "basic"):
			*issues = append(*issues, Issue{"/auth" + step(name), "type", "must be user and password for basic, else one text"})
		case scheme.Kind == "basic":
			header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(secret.user+":"+secret.password)))
		case scheme.Kind == "bearer":
			header.Set("Authorization", "Bearer "+secret.text)
		case scheme.In == "header":
			header[textproto.CanonicalMIMEHeaderKey(scheme.Parameter)] = []string{secret.text}
			secretHeaders = append(secretHeaders, strings.ToLower(scheme.Parameter))
		case scheme.In == "query":
			*query = append(*query, encodeStrictly(scheme.Parameter)+"="+encodeStrictly(secret.text))
		default:
			*cookies = append(*cookies, encodeStrictly(scheme.Parameter)+"="+encodeStrictly(secret.text))
		}
	}
	return secretHeaders
}

var dots = regexp.MustCompile(`^(\.|%2[eE]){1,2}$`)

// climbs reports a segment .. or . of a parameter, which would reach another operation.
func climbs(template, path string) bool {
	if !strings.Contains(path, "/.") && !strings.Contains(path, "/%2") {
		return false
	}
	documented := strings.Split(template, "/")
	return slices.ContainsFunc(strings.Split(path, "/"), func(one string) bool {
		return dots.MatchString(one) && !slices.Contains(documented, one)
	})
}
