package runtime

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
)

// File is a file to send, with its name and its media type.
type File struct {
	io.Reader
	Name string
	Type string
}

// Download is the body of a response that is neither JSON nor text, with the name and the media type that the server gave it.
type Download struct {
	Content   []byte
	Name      string
	MediaType string
}

// requestBody is a body to send. A stream can be sent only once.
type requestBody struct {
	content     []byte
	stream      io.Reader
	contentType string
}

func isFile(value any) bool {
	_, isReader := value.(io.Reader)
	_, isBytes := value.([]byte)
	return isReader || isBytes
}

// chooseContent is the type that a body is sent as, the index of its declared content (-1 for none), and its codec.
func chooseContent(contents []*Content, wanted string, body any) (string, int, string) {
	preferred := contents[0]
	for _, one := range contents {
		if one.Codec == "json" {
			preferred = one
			break
		}
	}
	asked := preferred.Type
	if wanted != "" {
		asked = wanted
	}
	own := ""
	if file, ok := fileOf(body); ok {
		own = file.Type
	}
	mediaType := concreteType(asked, body, own)
	if mediaType == "" {
		mediaType = concreteType("*/*", body, own)
	}
	if mediaType == "" {
		mediaType = asked
	}
	known := declaredContent(contents, mediaType)
	codec := codecOf(mediaType)
	if known >= 0 && contents[known].Codec != "any" {
		codec = contents[known].Codec
	}
	return mediaType, known, codec
}

func fileOf(value any) (File, bool) {
	switch value := value.(type) {
	case File:
		return value, true
	case *File:
		if value != nil {
			return *value, true
		}
	}
	return File{}, false
}

// formField is a property of a form: files, or data.
type formField struct {
	name   string
	files  []any
	isMany bool
	data   any
}

// formFields are the properties of a struct or a map, in their order.
func formFields(body any) ([]formField, []Issue) {
	var fields []formField
	var issues []Issue
	add := func(name string, value reflect.Value) {
		if !value.IsValid() || isAbsent(value.Interface()) {
			return
		}
		passed := value.Interface()
		if isFile(passed) {
			fields = append(fields, formField{name: name, files: []any{passed}})
			return
		}
		for value.Kind() == reflect.Interface {
			value = value.Elem()
		}
		if holdsFile(value) {
			field := formField{name: name, isMany: true}
			for at := range value.Len() {
				field.files = append(field.files, value.Index(at).Interface())
			}
			fields = append(fields, field)
			return
		}
		sent, faults := encode(passed)
		for _, one := range faults {
			issues = append(issues, Issue{step(name) + one.Pointer, one.Keyword, one.Message})
		}
		if data := tree(sent.text); faults == nil && data != nil {
			fields = append(fields, formField{name: name, data: data})
		}
	}
	value := reflect.ValueOf(body)
	for value.Kind() == reflect.Pointer || value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	hasFile := false
	switch value.Kind() {
	case reflect.Struct:
		for _, one := range structFields(value.Type()).list {
			hasFile = hasFile || holdsFile(value.Field(one.at))
		}
		if hasFile {
			for _, one := range structFields(value.Type()).list {
				add(one.name, value.Field(one.at))
			}
			return fields, issues
		}
	case reflect.Map:
		keys := value.MapKeys()
		for _, key := range keys {
			hasFile = hasFile || holdsFile(value.MapIndex(key))
		}
		if hasFile {
			for _, key := range sortedKeys(keys) {
				add(key.String(), value.MapIndex(key))
			}
			return fields, issues
		}
	}
	// Without files, the order and the form of members are those of JSON.
	sent, issues := encode(body)
	if issues != nil {
		return nil, issues
	}
	members, ok := tree(sent.text).([]member)
	if !ok {
		return nil, []Issue{{"", "contentType", "must be an object, because it is sent as a form"}}
	}
	for _, one := range members {
		if one.value != nil {
			fields = append(fields, formField{name: one.name, data: one.value})
		}
	}
	return fields, nil
}

// holdsFile reports a file, or a list that begins with one.
func holdsFile(value reflect.Value) bool {
	for value.Kind() == reflect.Interface && !value.IsNil() {
		value = value.Elem()
	}
	isFiles := value.Kind() == reflect.Slice && value.Len() > 0 && isFile(value.Index(0).Interface())
	return isFiles || value.IsValid() && isFile(value.Interface())
}

func sortedKeys(keys []reflect.Value) []reflect.Value {
	for at := range keys {
		for other := at; other > 0 && keys[other].String() < keys[other-1].String(); other-- {
			keys[other], keys[other-1] = keys[other-1], keys[other]
		}
	}
	return keys
}

// shown is the value that the schema of a form has to accept: files are text.
func shownFields(fields []formField) any {
	made := object{}
	for _, one := range fields {
		if one.files == nil {
			made[one.name], _ = parseJSON(treeText(one.data))
		} else if one.isMany {
			texts := make([]any, len(one.files))
			for at := range texts {
				texts[at] = ""
			}
			made[one.name] = texts
		} else {
			made[one.name] = ""
		}
	}
	return made
}

func writeForm(fields []formField, mediaType, codec string, encodings map[string]Encoding) (*requestBody, []Issue) {
	for _, one := range fields {
		if encodings[one.name].Style == "deepObject" && hasBracketInKey(one.data) {
			return nil, []Issue{{"", "contentType", one.name + " has a key with a bracket, which deepObject cannot write"}}
		}
		own := encodings[one.name]
		styled := &Parameter{Name: one.name, In: "query", Style: own.Style, Explode: own.Explode}
		if delimiter := styled.sharedDelimiter(one.data); own.Style != "" && delimiter != "" {
			return nil, []Issue{{"", "contentType", fmt.Sprintf("%s contains %q, which separates values here", one.name, delimiter)}}
		}
	}
	if codec == "multipart" {
		return writeParts(formParts(fields, encodings), "multipart/form-data")
	}
	var texts []string
	for _, one := range fields {
		if one.files != nil {
			return nil, []Issue{{step(one.name), "contentType", "is a file, which " + mediaType + " cannot contain"}}
		}
		own := encodings[one.name]
		switch {
		case own.Style == "" && codecOf(own.ContentType) == "json":
			texts = append(texts, formEncode(one.name, string(treeText(one.data))))
		case own.Style == "":
			for _, field := range plainFields(one.name, one.data) {
				texts = append(texts, formEncode(field[0], field[1]))
			}
		case own.Style == "deepObject":
			for _, field := range deepFields(one.name, one.data) {
				texts = append(texts, formEncode(field[0], field[1]))
			}
		default:
			parameter := &Parameter{
				Name: one.name, In: "query", Style: own.Style, Explode: own.Explode, AllowReserved: own.AllowReserved,
			}
			if text, ok := parameter.serialize(one.data); ok {
				texts = append(texts, text)
			}
		}
	}
	return &requestBody{content: []byte(strings.Join(texts, "&")), contentType: mediaType}, nil
}

// formPart is the head of a part, and its content.
type part struct {
	head    string
	content any
}

func formParts(fields []formField, encodings map[string]Encoding) []part {
	var parts []part
	for _, one := range fields {
		own, ok := encodings[one.name]
		if !ok {
			own = encodings["*"]
		}
		for _, file := range one.files {
			parts = append(parts, filePart(one.name, file, own))
		}
		if one.files != nil {
			continue
		}
		if own.Style != "" {
			pairs := deepFields(one.name, one.data)
			if own.Style != "deepObject" {
				pairs = styledFields(one.name, one.data, own)
			}
			for _, pair := range pairs {
				parts = append(parts, part{partHead(pair[0], "", false, "", own), []byte(pair[1])})
			}
			continue
		}
		items, isList := one.data.([]any)
		if !isList || own.ContentType != "" && codecOf(own.ContentType) == "json" {
			items = []any{one.data}
		}
		for _, item := range items {
			if item != nil || !isList {
				parts = append(parts, dataPart(one.name, item, own, ""))
			}
		}
	}
	return parts
}

func declaredType(own Encoding) string {
	first, _, _ := strings.Cut(own.ContentType, ",")
	if strings.Contains(first, "*") {
		return ""
	}
	return strings.TrimSpace(first)
}

func filePart(name string, value any, own Encoding) part {
	mediaType, fileName := declaredType(own), "blob"
	if named, ok := value.(*os.File); ok {
		fileName = filepath.Base(named.Name())
	}
	if file, ok := fileOf(value); ok {
		if file.Type != "" {
			mediaType = file.Type
		}
		if named, isFile := file.Reader.(*os.File); isFile {
			fileName = filepath.Base(named.Name())
		}
		if file.Name != "" {
			fileName = filepath.Base(file.Name)
		}
		value = file.Reader
	}
	if mediaType == "" {
		mediaType = "application/octet-stream"
	}
	return part{partHead(name, fileName, true, mediaType, own), value}
}

func dataPart(name string, value any, own Encoding, usual string) part {
	mediaType := declaredType(own)
	text := plainText(value)
	if mediaType != "" && codecOf(mediaType) == "json" {
		text = string(treeText(value))
	}
	if mediaType == "" {
		mediaType = usual
		if !isScalar(value) {
			mediaType = "application/json"
		}
	}
	return part{partHead(name, "", false, mediaType, own), []byte(text)}
}

var (
	lineBreaks = regexp.MustCompile(`\r\n?|\n`)
	manyBreaks = regexp.MustCompile(`[\r\n]+`)
)

func partHead(name, file string, isFile bool, mediaType string, own Encoding) string {
	var lines []string
	quoted := func(text string) string {
		return strings.ReplaceAll(lineBreaks.ReplaceAllString(text, "%0D%0A"), `"`, "%22")
	}
	oneLine := func(text string) string { return manyBreaks.ReplaceAllString(text, " ") }
	if name != "" {
		line := fmt.Sprintf(`Content-Disposition: form-data; name="%s"`, quoted(name))
		if isFile {
			line += fmt.Sprintf(`; filename="%s"`, quoted(file))
		}
		lines = append(lines, line)
	}
	if mediaType != "" {
		lines = append(lines, "Content-Type: "+oneLine(mediaType))
	}
	for _, key := range sortedNames(own.Headers) {
		lines = append(lines, oneLine(key)+": "+oneLine(own.Headers[key]))
	}
	return strings.Join(lines, "\r\n")
}

var boundaryParameter = regexp.MustCompile(`(?i);\s*boundary=[^;]*`)

func writeParts(parts []part, mediaType string) (*requestBody, []Issue) {
	boundary := "twinspec-" + newUUID()
	made := &requestBody{contentType: boundaryParameter.ReplaceAllString(mediaType, "") + "; boundary=" + boundary}
	var pieces []io.Reader
	isWhole := true
	for _, one := range parts {
		content, ok := one.content.(io.Reader)
		if data, isBytes := one.content.([]byte); isBytes {
			content, ok = bytes.NewReader(data), true
		}
		if !ok {
			return nil, []Issue{{"", "contentType", "has a file without content"}}
		}
		switch content.(type) {
		case *bytes.Reader, *strings.Reader, *bytes.Buffer:
		default:
			isWhole = false
		}
		pieces = append(pieces, strings.NewReader("--"+boundary+"\r\n"+one.head+"\r\n\r\n"), content, strings.NewReader("\r\n"))
	}
	pieces = append(pieces, strings.NewReader("--"+boundary+"--\r\n"))
	whole := io.MultiReader(pieces...)
	if isWhole {
		made.content, _ = io.ReadAll(whole)
	} else {
		made.stream = whole
	}
	return made, nil
}

// writeRaw is a body of text, bytes or a file.
func writeRaw(body any, mediaType string) (*requestBody, []Issue) {
	if file, ok := fileOf(body); ok {
		body = file.Reader
	}
	switch body := body.(type) {
	case []byte:
		return &requestBody{content: body, contentType: mediaType}, nil
	case *bytes.Reader, *strings.Reader, *bytes.Buffer:
		content, _ := io.ReadAll(body.(io.Reader))
		return &requestBody{content: content, contentType: mediaType}, nil
	case io.Reader:
		return &requestBody{stream: body, contentType: mediaType}, nil
	}
	sent, issues := encode(body)
	if issues != nil {
		return nil, issues
	}
	data := tree(sent.text)
	if !isScalar(data) {
		return nil, []Issue{{"", "contentType", "must be text or bytes, because it is sent as " + essence(mediaType)}}
	}
	return &requestBody{content: []byte(plainText(data)), contentType: mediaType}, nil
}

// writeLines is a body of several JSON texts.
func writeLines(items []any, mediaType, codec string) *requestBody {
	var text bytes.Buffer
	for _, one := range items {
		if codec == "sequence" {
			text.WriteByte(0x1e)
		}
		text.Write(treeText(one))
		text.WriteByte('\n')
	}
	return &requestBody{content: text.Bytes(), contentType: mediaType}
}

// writeMixed is a body of several parts without names.
func writeMixed(items reflect.Value, mediaType string, encodings map[string]Encoding) (*requestBody, []Issue) {
	var parts []part
	for at := range items.Len() {
		own, ok := encodings[fmt.Sprint(at)]
		if !ok {
			own = encodings["*"]
		}
		item := items.Index(at).Interface()
		if isFile(item) {
			parts = append(parts, filePart("", item, own))
			continue
		}
		sent, faults := encode(item)
		if faults != nil {
			return nil, within(step(fmt.Sprint(at)), faults)
		}
		parts = append(parts, dataPart("", tree(sent.text), own, "text/plain; charset=utf-8"))
	}
	return writeParts(parts, mediaType)
}

func newUUID() string {
	var id [16]byte
	_, _ = rand.Read(id[:])
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
