package runtime

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Parameter is a parameter in operations.json.
type Parameter struct {
	Name, In, Style, Codec           string
	Required, Explode, AllowReserved bool
	IsWholeQuery, Secret             bool
	place                            string
}

// percentEncode encodes all bytes except letters, digits and those of kept.
func percentEncode(text, kept string) string {
	var made strings.Builder
	for _, one := range []byte(strings.ToValidUTF8(text, "\ufffd")) {
		if one != '_' && isWord(one) || strings.IndexByte(kept, one) >= 0 {
			made.WriteByte(one)
		} else {
			fmt.Fprintf(&made, "%%%02X", one)
		}
	}
	return made.String()
}

// encodeStrictly percent-encodes everything except RFC 3986's unreserved characters.
func encodeStrictly(text string) string { return percentEncode(text, "-_.~") }

var encodedPercent = regexp.MustCompile(`%25([0-9a-fA-F]{2})`)

// encodeReserved keeps reserved characters and what is encoded already (RFC 6570, 3.2.3), but for what would change the query.
func encodeReserved(text string) string {
	return encodedPercent.ReplaceAllString(percentEncode(text, "-_.~;,/?:@=$!'()*"), "%$1")
}

// formEncode is one field of a url-encoded form, as URLSearchParams writes it.
func formEncode(name, text string) string { return formPart(name) + "=" + formPart(text) }

func formPart(text string) string {
	return strings.ReplaceAll(percentEncode(text, "-_.* "), " ", "+")
}

// member is a member of an object, in its order.
type member struct {
	name  string
	value any
}

// tree is plain data of JSON, in which objects are lists of members: their order is that of the caller.
func tree(text []byte) any {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	value, _ := readTree(decoder)
	return value
}

func readTree(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			one, err := readTree(decoder)
			if err != nil {
				return nil, err
			}
			list = append(list, one)
		}
		_, err = decoder.Token()
		return list, err
	case json.Delim('{'):
		members := []member{}
		for decoder.More() {
			name, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			one, err := readTree(decoder)
			if err != nil {
				return nil, err
			}
			members = append(members, member{fmt.Sprint(name), one})
		}
		_, err = decoder.Token()
		return members, err
	}
	return token, nil
}

// treeText writes a tree as JSON.
func treeText(value any) []byte {
	switch value := value.(type) {
	case []any:
		texts := make([]string, len(value))
		for at, one := range value {
			texts[at] = string(treeText(one))
		}
		return []byte("[" + strings.Join(texts, ",") + "]")
	case []member:
		texts := make([]string, len(value))
		for at, one := range value {
			name, _ := writeJSON(one.name)
			texts[at] = string(name) + ":" + string(treeText(one.value))
		}
		return []byte("{" + strings.Join(texts, ",") + "}")
	}
	text, _ := writeJSON(value)
	return text
}

// plainText is a scalar as text; anything else becomes JSON.
func plainText(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case json.Number:
		return string(value)
	}
	return string(treeText(value))
}

func isScalar(value any) bool {
	switch value.(type) {
	case []any, []member:
		return false
	}
	return true
}

// entries are the members of a list or an object; those of a list have no name.
func entries(value any) []member {
	if members, ok := value.([]member); ok {
		return members
	}
	var made []member
	for _, one := range value.([]any) {
		made = append(made, member{"", one})
	}
	return made
}

// serialize is the text of {name} in a path, a=1&b=2 of a query, the value of a header, or a=1; b=2 of a cookie. false if the value, or
// every member of it, is null.
func (p *Parameter) serialize(value any) (string, bool) {
	name := encodeStrictly(p.Name)
	if p.In == "header" {
		name = ""
	} else if p.Style == "cookie" {
		name = p.Name
	}
	if p.Codec != "" {
		return p.serializeContent(name, value), true
	}
	if value == nil {
		return "", false
	}
	if isScalar(value) {
		return p.whole(name, p.encode(plainText(value))), true
	}
	var members []member
	for _, one := range entries(value) {
		if one.value != nil {
			members = append(members, one)
		}
	}
	if len(members) == 0 {
		return "", false
	}
	if p.Style == "deepObject" {
		var fields []string
		for _, one := range deepFields(p.Name, value) {
			fields = append(fields, encodeStrictly(one[0])+"="+p.encode(one[1]))
		}
		return strings.Join(fields, "&"), len(fields) > 0
	}
	delimiter := ","
	if p.Style == "label" {
		delimiter = "."
	}
	within := func(text string) string {
		if p.In == "header" || p.Style == "cookie" {
			return text
		}
		return strings.ReplaceAll(p.encode(text), delimiter, fmt.Sprintf("%%%02X", delimiter[0]))
	}
	_, isList := value.([]any)
	var flat, named []string
	for _, one := range members {
		key, text := within(one.name), within(plainText(one.value))
		if isList {
			flat, named = append(flat, text), append(named, name+"="+text)
		} else {
			flat, named = append(flat, key, text), append(named, key+"="+text)
		}
	}
	if p.Explode {
		return p.exploded(flat, named, isList), true
	}
	separator := map[string]string{"spaceDelimited": "%20", "pipeDelimited": "%7C"}[p.Style]
	if separator == "" {
		separator = ","
	}
	return p.whole(name, strings.Join(flat, separator)), true
}

func (p *Parameter) serializeContent(name string, value any) string {
	if members, ok := value.([]member); ok && p.IsWholeQuery && p.Codec == "form" {
		var fields []string
		for _, one := range members {
			for _, field := range plainFields(one.name, one.value) {
				fields = append(fields, formEncode(field[0], field[1]))
			}
		}
		return strings.Join(fields, "&")
	}
	text := plainText(value)
	if p.Codec == "json" {
		text = string(treeText(value))
	}
	if p.In == "cookie" || p.In == "query" && !p.IsWholeQuery {
		return name + "=" + p.encode(text)
	}
	return p.encode(text)
}

func (p *Parameter) encode(text string) string {
	if p.In == "header" || p.Style == "cookie" {
		return text
	}
	if p.AllowReserved && p.In == "query" {
		return encodeReserved(text)
	}
	return encodeStrictly(text)
}

func (p *Parameter) whole(name, text string) string {
	switch {
	case p.Style == "label":
		return "." + text
	case p.Style == "matrix" && text == "":
		return ";" + name
	case p.Style == "matrix":
		return ";" + name + "=" + text
	case p.In == "query" || p.In == "cookie":
		return name + "=" + text
	}
	return text
}

func (p *Parameter) exploded(flat, named []string, isList bool) string {
	pairs := named
	if isList {
		pairs = flat
	}
	switch p.Style {
	case "simple":
		return strings.Join(pairs, ",")
	case "label":
		return "." + strings.Join(pairs, ".")
	case "matrix":
		return ";" + strings.Join(named, ";")
	}
	if p.In == "cookie" {
		return strings.Join(named, "; ")
	}
	return strings.Join(named, "&")
}

// sharedDelimiter is the delimiter of a parameter's style, if its value contains it and no encoding distinguishes the two.
func (p *Parameter) sharedDelimiter(value any) string {
	isSplit := !isScalar(value) && p.Codec == ""
	texts := []string{plainText(value)}
	if isSplit {
		texts = nil
		for _, one := range entries(value) {
			texts = append(texts, one.name, plainText(one.value))
		}
	}
	between := ""
	if p.In == "header" {
		between = ","
	} else if !p.Explode {
		between = map[string]string{"spaceDelimited": " ", "pipeDelimited": "|", "cookie": ","}[p.Style]
	}
	if !isSplit {
		between = ""
	}
	own := ""
	if p.Style == "cookie" {
		own = ";"
	}
	for _, delimiter := range []string{own, between} {
		for _, text := range texts {
			if delimiter != "" && strings.Contains(text, delimiter) {
				return delimiter
			}
		}
	}
	return ""
}

// deepFields are the fields of the style deepObject: filter[a]=1, items[0][price]=2.
func deepFields(name string, value any) [][2]string {
	if value == nil {
		return nil
	}
	if isScalar(value) {
		return [][2]string{{name, plainText(value)}}
	}
	var fields [][2]string
	for at, one := range entries(value) {
		key := one.name
		if _, isList := value.([]any); isList {
			key = fmt.Sprint(at)
		}
		fields = append(fields, deepFields(name+"["+key+"]", one.value)...)
	}
	return fields
}

// hasBracketInKey reports a key with a bracket, which would be parsed as another key.
func hasBracketInKey(value any) bool {
	if isScalar(value) {
		return false
	}
	for _, one := range entries(value) {
		if strings.ContainsAny(one.name, "[]") || hasBracketInKey(one.value) {
			return true
		}
	}
	return false
}

// plainFields are the fields of a property without a style: a list is repeated, and an object becomes JSON.
func plainFields(name string, value any) [][2]string {
	items, isList := value.([]any)
	if !isList {
		items = []any{value}
	}
	var fields [][2]string
	for _, one := range items {
		if one != nil {
			fields = append(fields, [2]string{name, plainText(one)})
		}
	}
	return fields
}

// styledFields are the fields of a property with the style of a query parameter, decoded again.
func styledFields(name string, value any, own Encoding) [][2]string {
	text, _ := (&Parameter{Name: name, In: "query", Style: own.Style, Explode: own.Explode}).serialize(value)
	var fields [][2]string
	for _, one := range strings.Split(text, "&") {
		if one == "" {
			continue
		}
		key, written, _ := strings.Cut(one, "=")
		plainKey, _ := url.QueryUnescape(key)
		plain, _ := url.QueryUnescape(written)
		fields = append(fields, [2]string{plainKey, plain})
	}
	return fields
}
