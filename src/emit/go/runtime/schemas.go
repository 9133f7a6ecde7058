package runtime

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Reading is how strictly a schema is read. strict is the schema as it is, for what is sent. open ignores undeclared properties.
// tolerant also accepts new values of enums, new variants, a missing property that may be null, and null for an optional property: a
// new value of the server never breaks a client.
type Reading string

const (
	strict   Reading = "strict"
	open     Reading = "open"
	tolerant Reading = "tolerant"
)

type object = map[string]any

// schemas are the schemas of one document. A place is a JSON pointer into operations.json.
type schemas struct {
	document   any
	mutex      sync.Mutex
	validators sync.Map
	patterns   func(string) (jsonschema.Regexp, error)
}

type compiled struct {
	schema *jsonschema.Schema
	err    error
}

type placeReading struct {
	place   string
	reading Reading
}

func (s *schemas) isValid(place string, value any, reading Reading) bool {
	found := s.validator(place, reading)
	return found.err == nil && found.schema.Validate(value) == nil
}

// issues says why a value does not fulfil the schema at a place; none if it does.
func (s *schemas) issues(place string, value any, reading Reading) []Issue {
	found := s.validator(place, reading)
	if found.err != nil {
		return []Issue{{"", "schema", "has a schema that cannot be read: " + found.err.Error()}}
	}
	err := found.schema.Validate(value)
	if err == nil {
		return nil
	}
	var issues []Issue
	if failed, ok := err.(*jsonschema.ValidationError); ok {
		collect(failed, &issues)
	}
	if len(issues) == 0 {
		issues = []Issue{{"", "schema", "must match its schema"}}
	}
	return issues
}

const mostIssues = 100

// collect lists the outermost failures: the branches of a union are one failure of the union.
func collect(err *jsonschema.ValidationError, issues *[]Issue) {
	switch err.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		for _, one := range err.Causes {
			collect(one, issues)
		}
		return
	}
	if len(*issues) >= mostIssues {
		return
	}
	pointer := ""
	for _, one := range err.InstanceLocation {
		pointer += step(one)
	}
	keyword := "schema"
	if path := err.ErrorKind.KeywordPath(); len(path) > 0 {
		keyword = path[len(path)-1]
	}
	if required, ok := err.ErrorKind.(*kind.Required); ok {
		*issues = append(*issues, Issue{pointer, keyword, "needs " + strings.Join(required.Missing, ", ")})
		return
	}
	*issues = append(*issues, Issue{pointer, keyword, message(err.ErrorKind)})
}

// message does not quote the value, which may be long or secret.
func message(failed jsonschema.ErrorKind) string {
	switch failed := failed.(type) {
	case *kind.Type:
		return "must be " + strings.Join(failed.Want, " or ") + ", not " + failed.Got
	case *kind.Enum:
		return "must be one of " + listed(failed.Want)
	case *kind.Const:
		return "must be " + listed([]any{failed.Want})
	case *kind.MinLength:
		return fmt.Sprintf("must have at least %d characters", failed.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %d characters", failed.Want)
	case *kind.Pattern:
		return "must match the pattern " + failed.Want
	case *kind.Minimum:
		return "must be at least " + failed.Want.RatString()
	case *kind.Maximum:
		return "must be at most " + failed.Want.RatString()
	case *kind.ExclusiveMinimum:
		return "must be more than " + failed.Want.RatString()
	case *kind.ExclusiveMaximum:
		return "must be less than " + failed.Want.RatString()
	case *kind.MultipleOf:
		return "must be a multiple of " + failed.Want.RatString()
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %d items", failed.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %d items", failed.Want)
	case *kind.UniqueItems:
		return "must not have equal items"
	case *kind.AdditionalProperties:
		return "must not have the property " + strings.Join(failed.Properties, ", ")
	case *kind.OneOf, *kind.AnyOf:
		return "must match one of the documented alternatives"
	}
	return "must match its schema"
}

func listed(values []any) string {
	text, _ := writeJSON(values)
	return shortened(strings.Trim(string(text), "[]"))
}

// at returns the schema at a place.
func (s *schemas) at(place string) any {
	found := s.document
	for _, key := range strings.Split(place, "/")[1:] {
		name := stepUnescapes.Replace(key)
		if list, ok := found.([]any); ok {
			at, err := strconv.Atoi(name)
			if err != nil || at >= len(list) {
				return true
			}
			found = list[at]
			continue
		}
		members, _ := found.(object)
		found = members[name]
	}
	if found == nil {
		return true
	}
	return found
}

func (s *schemas) validator(place string, reading Reading) compiled {
	key := placeReading{place, reading}
	if known, ok := s.validators.Load(key); ok {
		return known.(compiled)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.UseLoader(s)
	compiler.UseRegexpEngine(s.patterns)
	schema, err := compiler.Compile(addressOf(place, reading))
	made := compiled{schema, err}
	s.validators.Store(key, made)
	return made
}

func addressOf(place string, reading Reading) string {
	return "twinspec:///" + string(reading) + "/" + url.PathEscape(place)
}

// Load returns a schema in one reading, for the validator.
func (s *schemas) Load(address string) (any, error) {
	reading, escaped, _ := strings.Cut(strings.TrimPrefix(address, "twinspec:///"), "/")
	place, err := url.PathUnescape(escaped)
	if err != nil {
		return nil, err
	}
	return s.read(s.at(place), Reading(reading), nil), nil
}

// read returns a schema for one reading; its references lead to schemas of the same reading. required: by the schemas around it.
func (s *schemas) read(schema any, reading Reading, required []string) any {
	members, ok := schema.(object)
	if !ok {
		return schema
	}
	made := make(object, len(members))
	needed := append(slices.Clone(required), requiredOf(members)...)
	inside := needed
	for _, part := range listAt(members, "allOf") {
		inside = append(inside, requiredOf(part)...)
	}
	for key, one := range members {
		switch key {
		case "$ref":
			made[key] = addressOf(fmt.Sprint(one)[1:], reading)
		case "additionalProperties", "unevaluatedProperties":
			if one != false || reading == strict {
				made[key] = s.read(one, reading, nil)
			}
		case "items", "unevaluatedItems", "then", "else":
			made[key] = s.read(one, reading, nil)
		case "not", "if", "propertyNames", "contains":
			made[key] = s.read(one, strict, nil)
		case "properties", "patternProperties", "dependentSchemas":
			inner := object{}
			for name, member := range one.(object) {
				inner[name] = s.read(member, reading, nil)
			}
			made[key] = inner
		case "prefixItems", "anyOf", "oneOf", "allOf":
			own := inside
			if key == "prefixItems" {
				own = nil
			}
			var inner []any
			for _, member := range one.([]any) {
				inner = append(inner, s.read(member, reading, own))
			}
			made[key] = inner
		default:
			made[key] = one
		}
	}
	if branches, ok := made["oneOf"]; ok && reading != strict {
		delete(made, "oneOf")
		made["allOf"] = append(listAt(made, "allOf"), object{"anyOf": branches})
	}
	if reading == tolerant {
		s.relax(members, made, inside)
	}
	return made
}

func (s *schemas) relax(schema, made object, required []string) {
	properties, _ := schema["properties"].(object)
	if names := requiredOf(schema); names != nil {
		kept := []any{}
		for _, name := range names {
			if property, ok := properties[name]; !ok || !s.acceptsNull(property, 0) {
				kept = append(kept, name)
			}
		}
		made["required"] = kept
	}
	for name, property := range properties {
		if !slices.Contains(required, name) && !s.acceptsNull(property, 0) {
			own := made["properties"].(object)
			own[name] = orNull(own[name])
		}
	}
	if others, ok := schema["additionalProperties"].(object); ok && !s.acceptsNull(others, 0) {
		made["additionalProperties"] = orNull(made["additionalProperties"])
	}
	literals, isEnum := schema["enum"].([]any)
	if only, ok := schema["const"]; ok {
		literals, isEnum = []any{only}, true
	}
	if types := typesOf(literals); isEnum && types != nil {
		delete(made, "const")
		delete(made, "enum")
		if made["type"] == nil {
			made["type"] = types
		}
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		unknown := s.unknownVariant(listAt(schema, key))
		if unknown == nil {
			continue
		}
		where := made
		if key == "oneOf" {
			all := listAt(made, "allOf")
			where = all[len(all)-1].(object)
		}
		where["anyOf"] = append(slices.Clone(listAt(where, "anyOf")), unknown)
	}
}

func orNull(schema any) any { return object{"anyOf": []any{schema, object{"type": "null"}}} }

// acceptsNull reports by its keywords whether a schema accepts null.
func (s *schemas) acceptsNull(schema any, hops int) bool {
	members, ok := schema.(object)
	if !ok {
		return schema == true
	}
	if hops > 50 {
		// A schema that leads to itself adds nothing.
		return true
	}
	accepts := func(one any) bool { return s.acceptsNull(one, hops+1) }
	if ref, ok := members["$ref"].(string); ok && !accepts(s.at(ref[1:])) {
		return false
	}
	switch types := members["type"].(type) {
	case string:
		if types != "null" {
			return false
		}
	case []any:
		if !slices.Contains(types, any("null")) {
			return false
		}
	}
	if values, ok := members["enum"].([]any); ok && !slices.Contains(values, nil) {
		return false
	}
	if only, ok := members["const"]; ok && only != nil {
		return false
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if branches := listAt(members, key); branches != nil && !slices.ContainsFunc(branches, accepts) {
			return false
		}
	}
	if not, ok := members["not"]; ok && accepts(not) {
		return false
	}
	return !slices.ContainsFunc(listAt(members, "allOf"), func(one any) bool { return !accepts(one) })
}

// unknownVariant is an object with a value of the discriminator that no branch has.
func (s *schemas) unknownVariant(branches []any) any {
	key, of := s.discriminator(branches)
	if of == nil {
		return nil
	}
	values := slices.Concat(of...)
	known := object{"not": object{"enum": values}}
	if types := typesOf(values); types != nil {
		known["type"] = types
	}
	return object{"type": "object", "required": []any{key}, "properties": object{key: known}}
}

// discriminator is the property whose value tells the branch, and its values in each branch; nil without one.
func (s *schemas) discriminator(branches []any) (string, [][]any) {
	if len(branches) < 2 {
		return "", nil
	}
	var literals []map[string][]any
	for _, one := range branches {
		literals = append(literals, s.literals(one, 0))
	}
	for _, key := range slices.Sorted(maps.Keys(literals[0])) {
		var of [][]any
		seen := map[string]bool{}
		isDiscriminator := true
		for _, branch := range literals {
			isDiscriminator = isDiscriminator && branch[key] != nil
			for _, one := range branch[key] {
				text := fmt.Sprintf("%T %v", one, one)
				isDiscriminator = isDiscriminator && !seen[text]
				seen[text] = true
			}
			of = append(of, branch[key])
		}
		if isDiscriminator {
			return key, of
		}
	}
	return "", nil
}

// literals are the required properties that allow only certain primitive values.
func (s *schemas) literals(schema any, hops int) map[string][]any {
	members, ok := schema.(object)
	found := map[string][]any{}
	if !ok || hops > 20 {
		return found
	}
	parts := listAt(members, "allOf")
	if ref, ok := members["$ref"].(string); ok {
		parts = append(slices.Clone(parts), s.at(ref[1:]))
	}
	for _, part := range parts {
		for name, values := range s.literals(part, hops+1) {
			found[name] = values
		}
	}
	properties, _ := members["properties"].(object)
	for name, one := range properties {
		resolved := s.resolved(one)
		values, _ := resolved["enum"].([]any)
		if only, ok := resolved["const"]; ok {
			values = []any{only}
		}
		if len(values) > 0 && slices.Contains(requiredOf(members), name) && typesOf(values) != nil {
			found[name] = values
		}
	}
	return found
}

func (s *schemas) resolved(schema any) object {
	for range 20 {
		members, _ := schema.(object)
		ref, ok := members["$ref"].(string)
		if !ok {
			return members
		}
		schema = s.at(ref[1:])
	}
	return nil
}

func listAt(schema object, key string) []any {
	found, _ := schema[key].([]any)
	return found
}

func requiredOf(schema any) []string {
	members, _ := schema.(object)
	list, ok := members["required"].([]any)
	if !ok {
		return nil
	}
	names := make([]string, 0, len(list))
	for _, one := range list {
		names = append(names, fmt.Sprint(one))
	}
	return names
}

// typesOf are the types of listed values; nil for objects and lists, which stay as they are.
func typesOf(literals []any) []any {
	var found []any
	for _, one := range literals {
		name := "number"
		switch one.(type) {
		case nil:
			name = "null"
		case bool:
			name = "boolean"
		case string:
			name = "string"
		case json.Number:
		default:
			return nil
		}
		if !slices.Contains(found, any(name)) {
			found = append(found, name)
		}
	}
	return found
}

// Patterns compiles the patterns that RE2 lacks; nil if no pattern of the document needs it.
type Patterns func(string) (func(string) bool, error)

type pattern struct {
	text  string
	match func(string) bool
}

func (p *pattern) String() string               { return p.text }
func (p *pattern) MatchString(text string) bool { return p.match(text) }

var unicodeEscape = regexp.MustCompile(`\\(?:u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|c([A-Za-z])|([\s\S]))`)

// patternEngine compiles patterns of ECMA-262, whose Unicode escapes RE2 writes differently.
func patternEngine(more Patterns) func(string) (jsonschema.Regexp, error) {
	return func(text string) (jsonschema.Regexp, error) {
		written := unicodeEscape.ReplaceAllStringFunc(text, func(one string) string {
			parts := unicodeEscape.FindStringSubmatch(one)
			if code := parts[1] + parts[2]; code != "" {
				return `\x{` + code + `}`
			}
			if parts[3] != "" {
				return fmt.Sprintf(`\x%02x`, parts[3][0]&31)
			}
			return one
		})
		if found, err := regexp.Compile(written); err == nil {
			return &pattern{text, found.MatchString}, nil
		}
		if more == nil {
			return nil, fmt.Errorf("the pattern %s cannot be read", shortened(text))
		}
		match, err := more(text)
		if err != nil {
			return nil, fmt.Errorf("the pattern %s cannot be read", shortened(text))
		}
		return &pattern{text, match}, nil
	}
}
