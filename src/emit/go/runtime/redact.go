package runtime

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

const redacted = "[redacted]"

func unchanged(text string) string { return text }

// redactor redacts secrets: unchanged, percent-encoded, escaped in JSON and in base64. Few calls need it.
func redactor(secrets []string) func(string) string {
	made := sync.OnceValue(func() func(string) string { return redactorOf(secrets) })
	return func(text string) string { return made()(text) }
}

func redactorOf(secrets []string) func(string) string {
	var spellings []string
	for _, secret := range secrets {
		spellings = append(spellings, spell(secret)...)
	}
	spellings = slices.DeleteFunc(spellings, func(one string) bool { return one == "" })
	// Longest first, so that no form matches only a part of a longer one.
	slices.SortFunc(spellings, func(a, b string) int { return len(b) - len(a) })
	spellings = slices.Compact(spellings)
	if len(spellings) == 0 {
		return unchanged
	}
	return func(text string) string {
		for _, one := range spellings {
			text = redactOne(text, one)
		}
		return text
	}
}

var hexPair = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// redactOne replaces a spelling, whose percent-encoded bytes may be in either case. A short secret is redacted only as a whole word,
// because inside a word it is a coincidence.
func redactOne(text, secret string) string {
	searched := text
	if strings.Contains(secret, "%") {
		upper := func(one string) string { return strings.ToUpper(one) }
		searched, secret = hexPair.ReplaceAllStringFunc(text, upper), hexPair.ReplaceAllStringFunc(secret, upper)
	}
	if !strings.Contains(searched, secret) {
		return text
	}
	var made strings.Builder
	from := 0
	for {
		at := strings.Index(searched[from:], secret)
		if at < 0 {
			return made.String() + text[from:]
		}
		at += from
		end := at + len(secret)
		if len(secret) < 4 && (isWordBefore(searched, at) || (end < len(searched) && isWord(searched[end]))) {
			made.WriteString(text[from : at+1])
			from = at + 1
			continue
		}
		made.WriteString(text[from:at] + redacted)
		from = end
	}
}

func isWordBefore(text string, at int) bool {
	if at >= 3 && hexPair.MatchString(text[at-3:at]) {
		return false
	}
	return at > 0 && isWord(text[at-1])
}

func isWord(one byte) bool {
	return one == '_' || one >= '0' && one <= '9' || one >= 'A' && one <= 'Z' || one >= 'a' && one <= 'z'
}

func spell(secret string) []string {
	text := strings.ToValidUTF8(secret, "\ufffd")
	encoded := base64.StdEncoding.EncodeToString([]byte(text))
	plain := strings.TrimRight(encoded, "=")
	escaped, _ := json.Marshal(text)
	written, _ := writeJSON(text)
	return []string{
		secret,
		percentEncode(text, "-_.~!'()*"),
		percentEncode(text, "-_.~"),
		percentEncode(text, "-_.~;,/?:@&=+$#!'()*"),
		url.QueryEscape(text),
		strings.Trim(string(escaped), `"`),
		strings.Trim(string(written), `"`),
		encoded,
		plain,
		strings.NewReplacer("+", "-", "/", "_").Replace(plain),
		percentEncode(encoded, "-_.~"),
	}
}

// clean returns the same data with every text in it redacted, keys included.
func clean(value any, redact func(string) string) any {
	switch value := value.(type) {
	case string:
		return redact(value)
	case map[string]any:
		made := make(map[string]any, len(value))
		for key, one := range value {
			made[redact(key)] = clean(one, redact)
		}
		return made
	case []any:
		made := make([]any, len(value))
		for at, one := range value {
			made[at] = clean(one, redact)
		}
		return made
	}
	return value
}

var secretName = regexp.MustCompile(`(?i)auth|cookie|key|passw|pwd|secret|session|^sig$|signature|token`)

// headerSecrets are credentials by the name of their header: `Bearer token`, and `token` alone.
func headerSecrets(header http.Header) []string {
	var found []string
	for name, values := range header {
		if !secretName.MatchString(name) {
			continue
		}
		for _, value := range values {
			value = strings.TrimSpace(value)
			found = append(found, value)
			lower := strings.ToLower(name)
			if strings.HasSuffix(lower, "authorization") {
				found = append(found, schemeSecrets(value)...)
			} else if strings.HasSuffix(lower, "cookie") {
				for _, pair := range strings.Split(value, ";") {
					if _, part, _ := strings.Cut(pair, "="); len(strings.TrimSpace(part)) >= 8 {
						found = append(found, strings.TrimSpace(part))
					}
				}
			}
		}
	}
	return found
}

func schemeSecrets(value string) []string {
	scheme, credentials, _ := strings.Cut(value, " ")
	credentials = strings.TrimSpace(credentials)
	pair, err := base64.StdEncoding.DecodeString(credentials)
	if !strings.EqualFold(scheme, "basic") || err != nil {
		return []string{credentials}
	}
	_, password, _ := strings.Cut(string(pair), ":")
	return []string{credentials, string(pair), password}
}

var (
	userInfo   = regexp.MustCompile(`^[^/?#]*//([^/?#:@]*)(?::([^/?#@]*))?@`)
	urlDivider = regexp.MustCompile(`[/?&=#]`)
)

// urlSecrets are user and password of a URL that a user wrote, and every part of it with the length of a key.
func urlSecrets(address string) []string {
	var found []string
	if user := userInfo.FindStringSubmatch(address); user != nil {
		found = append(found, user[1], user[2])
		if user[2] != "" {
			found = append(found, user[1]+":"+user[2])
		}
	}
	for _, part := range urlDivider.Split(withoutOrigin(address), -1) {
		if len(part) >= 16 && !strings.Contains(part, "{") {
			found = append(found, part)
		}
	}
	for _, one := range slices.Clone(found) {
		if plain, err := url.PathUnescape(one); err == nil {
			found = append(found, plain)
		}
	}
	return found
}
