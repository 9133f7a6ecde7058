package runtime

import (
	"context"
	"fmt"
	"maps"
	neturl "net/url"
	"regexp"
	"slices"
	"strings"
)

// Server is a server in operations.json.
type Server struct {
	Name, URL string
	Variables map[string]Variable
}

// Variable is a variable of a server URL.
type Variable struct {
	Default *string
	Enum    []string
	Secret  bool
}

// place is the server of an operation, chosen once. names are the credentials that its requests contain, and secrets are those that its
// address contains.
type place struct {
	url          string
	variables    map[string]Variable
	isDocumented bool
	// isSocket: a server whose URL begins with ws: or wss:.
	isSocket bool
	names    []string
	secrets  []string
}

// address is where a call goes. redact removes the secrets of the call.
type address struct {
	url         string
	credentials map[string]credential
	secrets     []string
}

var (
	templateName = regexp.MustCompile(`\{([^{}]+)\}`)
	absoluteURL  = regexp.MustCompile(`(?i)^(/|[a-z][a-z\d+.-]*://)`)
	socketURL    = regexp.MustCompile(`(?i)^wss?://[^/?#]`)
	httpURL      = regexp.MustCompile(`(?i)^https?://[^/?#]`)
	originOf     = regexp.MustCompile(`^[^/?#]*//[^/?#]*`)
	serverName   = regexp.MustCompile(`^[\w.-]{1,15}$`)
)

func withoutOrigin(address string) string { return originOf.ReplaceAllString(address, "") }

// isSecret reports whether a variable is secret; an undeclared one may be a key.
func isSecret(variables map[string]Variable, name string) bool {
	declared, ok := variables[name]
	return !ok || declared.Secret
}

func secretNames(address string, variables map[string]Variable) []string {
	var names []string
	for _, found := range templateName.FindAllStringSubmatch(address, -1) {
		if isSecret(variables, found[1]) {
			names = append(names, found[1])
		}
	}
	return names
}

// choosePlace is the server that choice selects by its name, or an address to which the documented path is appended.
func choosePlace(servers []Server, choice, path string, names []string) (*place, error) {
	for _, one := range servers {
		if choice == "" || one.Name == choice {
			return newPlace(one.URL, one.Variables, true, names), nil
		}
	}
	if choice == "" {
		return nil, fmt.Errorf("the document declares no server: give a URL")
	}
	declared := map[string]Variable{}
	for _, one := range slices.Backward(servers) {
		maps.Copy(declared, one.Variables)
	}
	if !absoluteURL.MatchString(choice) {
		problem, known, names := "the server is neither a name of the document nor a URL", "", map[string]bool{}
		if serverName.MatchString(choice) {
			problem = fmt.Sprintf("no server is named %q", choice)
		}
		for _, one := range servers {
			if !names[one.Name] {
				known += fmt.Sprintf(" or %q", one.Name)
			}
			names[one.Name] = true
		}
		return nil, fmt.Errorf("%s: give a URL%s", problem, known)
	}
	url := withPath(choice, path)
	return newPlace(url, declared, false, names), nil
}

// checkVariables rejects a value for a variable that neither the document nor the chosen address has.
func checkVariables(servers []Server, choice string, s *settings) error {
	known := map[string]bool{}
	for _, address := range append([]Server{{URL: choice}}, servers...) {
		for _, found := range templateName.FindAllStringSubmatch(address.URL, -1) {
			known[found[1]] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.variables)) {
		if !known[name] {
			return fmt.Errorf("no server has a variable %q: the names are %q", name, slices.Sorted(maps.Keys(known)))
		}
	}
	return nil
}

func newPlace(url string, variables map[string]Variable, isDocumented bool, names []string) *place {
	names = append(slices.Clone(names), secretNames(url, variables)...)
	return &place{url: url, variables: variables, isDocumented: isDocumented, names: names, secrets: urlSecrets(url)}
}

// checkFilled rejects a credential for whose place the chosen address already has a value.
func (p *place) checkFilled(servers []Server, s *settings) error {
	for _, one := range servers {
		for _, name := range secretNames(one.URL, one.Variables) {
			if s.hasCredential(name) && !slices.Contains(p.names, name) {
				return fmt.Errorf("the server already has a value in the place of %s: write {%s} there", name, name)
			}
		}
	}
	return nil
}

// withPath appends a documented path to an address, unless it already ends with it; a variable matches any one segment.
func withPath(address, path string) string {
	base, rest := address, ""
	if at := strings.IndexAny(address, "?#"); at >= 0 {
		base, rest = address[:at], address[at:]
	}
	base, path = strings.TrimRight(base, "/"), strings.TrimRight(path, "/")
	if path == "" {
		return base + rest
	}
	parts := templateName.Split(path, -1)
	for at, one := range parts {
		parts[at] = regexp.QuoteMeta(one)
	}
	if regexp.MustCompile(strings.Join(parts, "[^/?#]+") + "$").MatchString(withoutOrigin(base)) {
		return base + rest
	}
	return base + path + rest
}

func (s *settings) hasCredential(name string) bool {
	_, isFixed := s.secrets[name]
	_, isFunction := s.functions[name]
	return isFixed || isFunction
}

// renews reports whether a credential of a place may change.
func (p *place) renews(s *settings) bool {
	return slices.ContainsFunc(p.names, func(name string) bool { return s.functions[name] != nil })
}

// find fills in the address; calls the functions among the credentials.
func (p *place) find(ctx context.Context, s *settings) (*address, error) {
	found := &address{credentials: map[string]credential{}}
	for _, name := range p.names {
		if _, ok := found.credentials[name]; ok {
			continue
		}
		secret, ok := s.secrets[name]
		if function := s.functions[name]; function != nil {
			var err error
			if secret, err = function(ctx); err != nil {
				return nil, err
			}
			if err := checkSecret(name, secret.text+secret.user+secret.password); err != nil {
				return nil, err
			}
			ok = true
		}
		if ok {
			found.credentials[name] = secret
		}
	}
	found.secrets = append(headerSecrets(s.header), p.secrets...)
	for _, name := range p.names {
		found.secrets = append(found.secrets, s.variables[name])
	}
	for _, one := range found.credentials {
		found.secrets = append(found.secrets, one.text, one.password)
		if one.isBasic {
			found.secrets = append(found.secrets, one.user+":"+one.password)
		}
	}
	var err error
	found.url, err = p.fill(s.variables, found.credentials)
	if err == nil && !p.isDocumented && withoutOrigin(found.url) != "" {
		found.secrets = append(found.secrets, found.url)
	}
	return found, err
}

func (p *place) fill(variables map[string]string, credentials map[string]credential) (string, error) {
	var failed error
	url := templateName.ReplaceAllStringFunc(p.url, func(text string) string {
		name := text[1 : len(text)-1]
		declared := p.variables[name]
		value, ok := variables[name]
		if isSecret(p.variables, name) {
			if secret := credentials[name].text; secret != "" {
				value = secret
			}
			if value != "" {
				return percentEncode(value, "-_.~!'()*")
			}
		}
		if !ok && declared.Default != nil {
			value, ok = *declared.Default, true
		}
		if !ok {
			failed = fmt.Errorf("the server URL needs a value for %q", name)
		} else if declared.Enum != nil && !slices.Contains(declared.Enum, value) {
			failed = fmt.Errorf("server variable %q must be one of %q", name, declared.Enum)
		}
		return value
	})
	if failed == nil && !p.isSocket && !httpURL.MatchString(url) {
		failed = fmt.Errorf("the server is no http:// or https:// URL: choose another, or give a URL")
	}
	if base, _, _ := strings.Cut(url, "?"); failed == nil {
		if _, err := neturl.Parse(pathText(base)); err != nil {
			failed = fmt.Errorf("the address of the server is not a URL")
		}
	}
	return withPath(url, ""), failed
}
