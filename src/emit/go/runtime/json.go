package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// writeJSON writes a value as JSON.stringify does: numbers in the form of ECMAScript, and no escapes for HTML.
func writeJSON(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	text := bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))
	if bytes.Contains(text, []byte(`\u202`)) || bytes.Contains(text, []byte(`\ufffd`)) || bytes.Contains(text, []byte("-0")) {
		text = asStringify(text)
	}
	return text, nil
}

// asStringify writes U+2028, U+2029 and U+FFFD themselves, which encoding/json escapes, and 0 for -0.
func asStringify(text []byte) []byte {
	var made []byte
	inString := false
	for at := 0; at < len(text); at++ {
		switch one := text[at]; {
		case one == '"':
			inString = !inString
		case one == '-' && !inString && text[at+1] == '0' && (at+2 == len(text) || bytes.IndexByte([]byte(",]}"), text[at+2]) >= 0):
			continue
		case one == '\\' && at+6 <= len(text):
			if code := string(text[at : at+6]); code == `\u2028` || code == `\u2029` || code == `\ufffd` {
				number, _ := strconv.ParseUint(code[2:], 16, 32)
				made = append(made, string(rune(number))...)
				at += 5
				continue
			}
			fallthrough
		case one == '\\':
			made = append(made, one)
			at++
		}
		made = append(made, text[at])
	}
	return made
}

// mostDigits is the length of the longest number that is read; its value, or a longer exponent, would need all memory.
const mostDigits = 4300

var longNumber = regexp.MustCompile(`[eE][+-]?0*[0-9]{5,}`)

var errNumber = errors.New("a number is too long")

// parseJSON reads a JSON text; numbers keep their digits. Its errors do not quote the text.
func parseJSON(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, errors.New("the text is not JSON at byte " + strconv.FormatInt(syntax.Offset, 10))
		}
		return nil, errors.New("the text is not complete JSON")
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("the text continues after its JSON value")
	}
	if (len(text) > mostDigits || hasExponent(text)) && hasLongNumber(value) {
		return nil, errNumber
	}
	return value, nil
}

// hasExponent reports what may be a number with an exponent.
func hasExponent(text []byte) bool {
	for at := 1; at < len(text); at++ {
		if (text[at] == 'e' || text[at] == 'E') && text[at-1] >= '0' && text[at-1] <= '9' {
			return true
		}
	}
	return false
}

func hasLongNumber(value any) bool {
	switch value := value.(type) {
	case json.Number:
		return len(value) > mostDigits || longNumber.MatchString(string(value))
	case []any:
		for _, one := range value {
			if hasLongNumber(one) {
				return true
			}
		}
	case map[string]any:
		for _, one := range value {
			if hasLongNumber(one) {
				return true
			}
		}
	}
	return false
}

// encoded is a value as JSON text and as plain data.
type encoded struct {
	text  []byte
	plain any
}

// tree is the value with its members in their order.
func (e encoded) tree() any {
	switch e.plain.(type) {
	case map[string]any, []any:
		return tree(e.text)
	}
	return e.plain
}

// encode returns an issue for a value that JSON cannot represent.
func encode(value any) (encoded, []Issue) {
	text, err := writeJSON(value)
	if err != nil || bytes.Contains(text, []byte("\ufffd")) {
		if pointer, message := unwritable(reflect.ValueOf(value)); message != "" {
			return encoded{}, []Issue{{pointer, "json", message}}
		}
	}
	if err == nil {
		var plain any
		if plain, err = parseJSON(text); err == nil {
			return encoded{text, plain}, nil
		}
	}
	return encoded{}, []Issue{{"", "json", "cannot be represented in JSON"}}
}

// unwritable is where a value has what JSON cannot represent or would change, and what that is; without a message for a good value.
func unwritable(value reflect.Value) (pointer, message string) {
	in := func(key string, one reflect.Value) bool {
		pointer, message = unwritable(one)
		pointer = key + pointer
		return message != ""
	}
	switch value.Kind() {
	case reflect.String:
		if !utf8.ValidString(value.String()) {
			return "", "has bytes that are not UTF-8"
		}
		if isNumberType(value.Type()) && !json.Valid([]byte(value.String())) && value.String() != "" {
			return "", "is not a number"
		}
	case reflect.Float32, reflect.Float64:
		if math.IsNaN(value.Float()) || math.IsInf(value.Float(), 0) {
			return "", fmt.Sprintf("is %v, which JSON cannot represent", value.Float())
		}
	case reflect.Pointer, reflect.Interface:
		return unwritable(value.Elem())
	case reflect.Slice, reflect.Array:
		for at := range value.Len() {
			if in(step(strconv.Itoa(at)), value.Index(at)) {
				return
			}
		}
	case reflect.Map:
		for _, key := range value.MapKeys() {
			if in("", key) || in(step(fmt.Sprint(key)), value.MapIndex(key)) {
				return
			}
		}
	case reflect.Struct:
		for at := range value.NumField() {
			own, key := value.Type().Field(at), ""
			if name, _, _ := strings.Cut(own.Tag.Get("json"), ","); name != "" && name != "-" {
				key = step(name)
			}
			if own.Type != reflect.TypeFor[Record]() && in(key, value.Field(at)) {
				return
			}
		}
	}
	return "", ""
}

// isAbsent reports nil, a nil pointer, list, map or interface, and a Null that is not set.
func isAbsent(value any) bool {
	if value == nil {
		return true
	}
	if optional, ok := value.(interface{ IsZero() bool }); ok {
		if _, isNull := value.(interface{ isNullable() }); isNull {
			return optional.IsZero()
		}
	}
	found := reflect.ValueOf(value)
	switch found.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface, reflect.Func:
		return found.IsNil()
	}
	return false
}

var (
	stepEscapes   = strings.NewReplacer("~", "~0", "/", "~1")
	stepUnescapes = strings.NewReplacer("~1", "/", "~0", "~")
)

// step is one step of a JSON pointer, with its slash.
func step(key string) string { return "/" + stepEscapes.Replace(key) }

// valueAt returns the value at a JSON pointer, in which -1 is the last item of a list; nil if there is none.
func valueAt(pointer string, value any) any {
	if pointer == "" {
		return value
	}
	for _, one := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		key := stepUnescapes.Replace(one)
		switch found := value.(type) {
		case []any:
			at, err := strconv.Atoi(key)
			if at < 0 {
				at += len(found)
			}
			if err != nil || at < 0 || at >= len(found) {
				return nil
			}
			value = found[at]
		case map[string]any:
			value = found[key]
		default:
			return nil
		}
	}
	return value
}
