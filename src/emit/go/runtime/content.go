package runtime

import (
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Content is a media type of a body in operations.json.
type Content struct {
	Type     string
	Codec    string
	place    string
	Encoding map[string]Encoding
	Stream   *struct {
		Item, Data string
		End        *string
	}
}

// Encoding is how a field of a form is sent.
type Encoding struct {
	Style                  string
	Explode, AllowReserved bool
	ContentType            string
	Headers                map[string]string
	IsFile                 bool
}

func essence(mediaType string) string {
	name, _, _ := strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(name))
}

var (
	jsonType     = regexp.MustCompile(`^[^/\s]+/([^/\s]+\+)?json$`)
	linesType    = regexp.MustCompile(`^application/(x-)?(jsonl|ndjson|jsonlines|json-lines)$`)
	sequenceType = regexp.MustCompile(`^application/([^/\s]+\+)?json-seq$`)
	textType     = regexp.MustCompile(`^(text/[^/\s]+|[^/\s]+/([^/\s]+\+)?(xml|yaml|javascript))$`)
)

// codecOf is the codec of a media type, or of a range.
func codecOf(mediaType string) string {
	name := essence(mediaType)
	switch {
	case name == "application/json" || jsonType.MatchString(name):
		return "json"
	case name == "*/*" || name == "application/*":
		return "any"
	case name == "text/event-stream":
		return "events"
	case linesType.MatchString(name):
		return "lines"
	case sequenceType.MatchString(name):
		return "sequence"
	case name == "application/x-www-form-urlencoded":
		return "form"
	case name == "multipart/form-data":
		return "multipart"
	case strings.HasPrefix(name, "multipart/"):
		return "parts"
	case textType.MatchString(name):
		return "text"
	}
	return "bytes"
}

// responseCodec is the codec of a response body of an undeclared type: a form is text, other multipart bodies are bytes.
func responseCodec(mediaType string) string {
	switch codec := codecOf(mediaType); codec {
	case "form":
		return "text"
	case "multipart", "parts":
		return "bytes"
	default:
		return codec
	}
}

const (
	suffixFit  = 3
	certainFit = 1_000_000
)

// declaredContent is the declared content that describes a body with a Content-Type: the same type, then one without parameters, then a
// range. -1 if no declared type is meant, or if several are alike.
func declaredContent(contents []*Content, sent string) int {
	if strings.TrimSpace(sent) == "" {
		if len(contents) == 1 {
			return 0
		}
		return -1
	}
	for at, one := range contents {
		if one.Type == sent {
			return at
		}
	}
	best, most := -1, 0
	name, parameters := parseType(sent)
	for at, one := range contents {
		declared, own := parseType(one.Type)
		fit := typeFit(declared, own, name, parameters)
		if fit == most && suffixFit < fit && fit < certainFit {
			best = -1
		}
		if fit > most {
			best, most = at, fit
		}
	}
	return best
}

var (
	typePart  = regexp.MustCompile(`(?:[^;"]|"[^"]*"?)+`)
	typeNoise = regexp.MustCompile(`[\s"]`)
)

func parseType(text string) (string, []string) {
	parts := typePart.FindAllString(strings.ToLower(text), -1)
	if len(parts) == 0 {
		return "", nil
	}
	for at, one := range parts {
		parts[at] = typeNoise.ReplaceAllString(one, "")
	}
	name := parts[0]
	// The boundary says nothing about the content, and JSON has no charset.
	return name, slices.DeleteFunc(parts[1:], func(one string) bool {
		return one == "" || strings.HasPrefix(one, "boundary=") ||
			strings.HasSuffix(name, "json") && strings.HasPrefix(one, "charset=")
	})
}

func typeFit(declared string, own []string, name string, parameters []string) int {
	missing := 0
	for _, one := range own {
		if slices.Contains(parameters, one) {
			continue
		}
		missing++
		key, _, _ := strings.Cut(one, "=")
		if slices.ContainsFunc(parameters, func(other string) bool { return strings.HasPrefix(other, key+"=") }) {
			return 0
		}
	}
	if declared == name {
		if missing > 0 {
			return certainFit - missing
		}
		return certainFit + len(own)
	}
	kind, subtype, _ := strings.Cut(declared, "/")
	switch {
	case declared == "*/*":
		return 1
	case !strings.HasPrefix(subtype, "*") || !strings.HasPrefix(name, kind+"/"):
		return 0
	case subtype == "*":
		return 2
	case strings.HasSuffix(name, subtype[1:]):
		return suffixFit
	}
	return 0
}

// concreteType is the type to send a body as: the declared one, or a type that its range includes; own is that of a file.
func concreteType(mediaType string, body any, own string) string {
	if !strings.Contains(mediaType, "*") {
		return mediaType
	}
	target := []*Content{{Type: mediaType}}
	if own != "" {
		if declaredContent(target, own) < 0 {
			return ""
		}
		return own
	}
	_, isText := body.(string)
	isBytes := isFile(body)
	known := []string{"application/json"}
	if isBytes {
		known = []string{"application/octet-stream", "text/plain"}
	} else if isText {
		known = []string{"text/plain", "application/json"}
	}
	for _, one := range known {
		if declaredContent(target, one) >= 0 {
			return one
		}
	}
	if isText || isBytes || codecOf(mediaType) == "json" {
		return strings.ReplaceAll(mediaType, "*", "x")
	}
	return ""
}

var headerParameterPart = regexp.MustCompile(`;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))`)

// headerParameter is a parameter of a header value, without its quotes.
func headerParameter(header, name string) (string, bool) {
	for _, found := range headerParameterPart.FindAllStringSubmatch(header, -1) {
		if strings.EqualFold(found[1], name) {
			if found[3] != "" {
				return found[3], true
			}
			return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(found[2]), true
		}
	}
	return "", false
}

var (
	encodedName   = regexp.MustCompile(`(?i)^utf-8'[^']*'(.*)$`)
	notInNames    = regexp.MustCompile(`[\x00-\x1f\x7f\x{80}-\x{9f}\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}]`)
	eitherDivider = strings.NewReplacer(`\`, "/")
)

// fileName is the name in a Content-Disposition: only the last part of its path, because a sender must not choose the folder.
func fileName(header http.Header) string {
	disposition := header.Get("Content-Disposition")
	written, ok := headerParameter(disposition, "filename")
	if wide, found := headerParameter(disposition, "filename*"); found {
		if parts := encodedName.FindStringSubmatch(wide); parts != nil {
			if plain, err := url.PathUnescape(parts[1]); err == nil {
				written, ok = strings.ToValidUTF8(plain, "\ufffd"), true
			}
		}
	}
	if !ok {
		return ""
	}
	parts := strings.Split(eitherDivider.Replace(written), "/")
	name := notInNames.ReplaceAllString(parts[len(parts)-1], "")
	if name == "." || name == ".." || path.Base(name) != name {
		return ""
	}
	return name
}

// Bytes 0x80 to 0x9f of windows-1252, which is what the web means by latin1.
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

// textOf is the text of a body in the charset of its Content-Type; in UTF-8 where that is not known. JSON is UTF-8.
func textOf(body []byte, contentType string) string {
	charset := ""
	if codecOf(contentType) != "json" {
		charset, _ = headerParameter(contentType, "charset")
	}
	var text string
	switch strings.ToLower(charset) {
	case "iso-8859-1", "latin1", "us-ascii", "ascii", "windows-1252":
		high := []rune(windows1252)
		var made strings.Builder
		for _, one := range body {
			if one >= 0x80 && one < 0xa0 {
				made.WriteRune(high[one-0x80])
			} else {
				made.WriteRune(rune(one))
			}
		}
		text = made.String()
	case "utf-16", "utf-16le", "utf-16be":
		units := make([]uint16, len(body)/2)
		for at := range units {
			low, high := body[2*at], body[2*at+1]
			if strings.HasSuffix(strings.ToLower(charset), "be") {
				low, high = high, low
			}
			units[at] = uint16(high)<<8 | uint16(low)
		}
		text = string(utf16.Decode(units))
	default:
		text = string(body)
		if !utf8.ValidString(text) {
			text = strings.ToValidUTF8(text, "\ufffd")
		}
	}
	return strings.TrimPrefix(text, "\ufeff")
}
