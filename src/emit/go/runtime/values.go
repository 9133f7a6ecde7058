package runtime

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Null is an optional value that may be null. Its zero value is absent.
type Null[T any] struct {
	value *T
	isSet bool
}

// NullOf is a value that is present.
func NullOf[T any](value T) Null[T] { return Null[T]{&value, true} }

// NullValue is null.
func NullValue[T any]() Null[T] { return Null[T]{nil, true} }

// Get returns the value, and whether there is one: false for null, and if it is absent.
func (n Null[T]) Get() (T, bool) {
	if n.value == nil {
		var none T
		return none, false
	}
	return *n.value, true
}

// IsNull reports null.
func (n Null[T]) IsNull() bool { return n.isSet && n.value == nil }

// IsZero reports an absent value.
func (n Null[T]) IsZero() bool { return !n.isSet }

// MarshalJSON writes the value, or null.
func (n Null[T]) MarshalJSON() ([]byte, error) { return writeJSON(n.value) }

// UnmarshalJSON reads the value, or null.
func (n *Null[T]) UnmarshalJSON(text []byte) error {
	n.value, n.isSet = nil, true
	if string(text) == "null" {
		return nil
	}
	n.value = new(T)
	return json.Unmarshal(text, n.value)
}

func (n Null[T]) isNullable() {}

func (n *Null[T]) decode(p *Package, value any) error {
	n.isSet = true
	if value == nil {
		return nil
	}
	n.value = new(T)
	return p.decode(value, reflect.ValueOf(n.value).Elem())
}

// Record is part of every struct of a response.
type Record struct{ raw map[string]any }

// Raw returns the object as it came, with all of its properties; nil for a value that the program made.
// Numbers are json.Number.
func (r Record) Raw() map[string]any { return r.raw }

func (r *Record) keep(raw map[string]any) { r.raw = raw }

// Member is one type of a union, and where its schema is in operations.json.
type Member struct {
	Type reflect.Type
	At   string
}

// MemberOf is a member of a union.
func MemberOf[T any](at string) Member { return Member{reflect.TypeFor[T](), at} }

// Union lists the types that implement an interface. Unknown is the struct of a variant that the document does not have: its Value.
type Union struct {
	Type    reflect.Type
	Unknown reflect.Type
	Members []Member
}

// UnionOf is the union of the interface T.
func UnionOf[T, Unknown any](members ...Member) Union {
	return Union{reflect.TypeFor[T](), reflect.TypeFor[Unknown](), members}
}

// MarshalWith writes an object with further members.
func MarshalWith[T any](object any, members map[string]T) ([]byte, error) {
	text, err := writeJSON(object)
	if err != nil || len(members) == 0 {
		return text, err
	}
	more, err := writeJSON(members)
	if err != nil {
		return nil, err
	}
	if len(text) == 2 {
		return more, nil
	}
	return append(append(text[:len(text)-1], ','), more[1:]...), nil
}

type field struct {
	at   int
	name string
}

type fields struct {
	list     []field
	names    map[string]bool
	isRecord bool
}

var fieldsOf sync.Map

// structFields are the properties of a struct by the names of the wire, which are case-sensitive.
func structFields(of reflect.Type) fields {
	if known, ok := fieldsOf.Load(of); ok {
		return known.(fields)
	}
	made := fields{names: map[string]bool{}}
	for at := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(at).Tag.Get("json"), ",")
		if of.Field(at).Type == reflect.TypeFor[Record]() {
			made.isRecord = true
		} else if tag := of.Field(at).Tag.Get("json"); tag != "-" && tag != "" {
			made.list = append(made.list, field{at, name})
			made.names[name] = true
		}
	}
	fieldsOf.Store(of, made)
	return made
}

var numberType = reflect.TypeFor[json.Number]()

func mismatch(value any, of reflect.Type) error {
	kind := "an object"
	switch value.(type) {
	case nil:
		kind = "null"
	case string:
		kind = "a string"
	case bool:
		kind = "a boolean"
	case json.Number:
		kind = "a number"
	case []any:
		kind = "a list"
	}
	return fmt.Errorf("%s cannot be returned as %s", kind, of)
}

// decode makes a typed value of plain JSON. It tolerates what validation tolerates: null is the zero value.
func (p *Package) decode(value any, into reflect.Value) error {
	of := into.Type()
	if own, ok := into.Addr().Interface().(interface {
		decode(*Package, any) error
	}); ok {
		return own.decode(p, value)
	}
	if of.Kind() == reflect.Interface {
		return p.decodeInterface(value, into)
	}
	if value == nil {
		return nil
	}
	switch of.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(of.Elem()))
		return p.decode(value, into.Elem())
	case reflect.Struct:
		if members, ok := value.(map[string]any); ok {
			return p.decodeStruct(members, into)
		}
	case reflect.Slice:
		if items, ok := value.([]any); ok {
			into.Set(reflect.MakeSlice(of, len(items), len(items)))
			for at, one := range items {
				if err := p.decode(one, into.Index(at)); err != nil {
					return err
				}
			}
			return nil
		}
	case reflect.Map:
		if members, ok := value.(map[string]any); ok {
			return p.decodeMap(members, into)
		}
	case reflect.String:
		if text, ok := value.(string); ok && of != numberType {
			into.SetString(text)
			return nil
		}
		if number, ok := value.(json.Number); ok && of.ConvertibleTo(numberType) && isNumberType(of) {
			into.SetString(wholeDigits(number))
			return nil
		}
	case reflect.Bool:
		if truth, ok := value.(bool); ok {
			into.SetBool(truth)
			return nil
		}
	case reflect.Int64:
		if number, ok := value.(json.Number); ok {
			return setInteger(number, into)
		}
	case reflect.Float64:
		if number, ok := value.(json.Number); ok {
			found, err := number.Float64()
			into.SetFloat(found)
			if err != nil {
				return fmt.Errorf("a number cannot be returned as %s", of)
			}
			return nil
		}
	}
	return mismatch(value, of)
}

// isNumberType reports json.Number and types of the package that stand for it.
func isNumberType(of reflect.Type) bool {
	_, ok := reflect.Zero(of).Interface().(interface{ IsNumber() })
	return of == numberType || ok
}

// wholeDigits writes 1.0 and 1e3 as integers.
func wholeDigits(number json.Number) string {
	if !strings.ContainsAny(string(number), ".eE") {
		return string(number)
	}
	if exact, ok := new(big.Rat).SetString(string(number)); ok && exact.IsInt() {
		return exact.Num().String()
	}
	return string(number)
}

func setInteger(number json.Number, into reflect.Value) error {
	found, err := json.Number(wholeDigits(number)).Int64()
	if err != nil {
		return fmt.Errorf("a number cannot be returned as %s", into.Type())
	}
	into.SetInt(found)
	return nil
}

func (p *Package) decodeStruct(members map[string]any, into reflect.Value) error {
	known := structFields(into.Type())
	if known.isRecord {
		into.Addr().Interface().(interface{ keep(map[string]any) }).keep(members)
	}
	for _, one := range known.list {
		member, ok := members[one.name]
		if !ok {
			continue
		}
		if err := p.decode(member, into.Field(one.at)); err != nil {
			return fmt.Errorf("%s: %w", step(one.name), err)
		}
	}
	if own := into.FieldByName("Others"); own.IsValid() && own.Kind() == reflect.Map && len(members) > 0 {
		rest := map[string]any{}
		for name, member := range members {
			if !known.names[name] {
				rest[name] = member
			}
		}
		if len(rest) > 0 {
			return p.decodeMap(rest, own)
		}
	}
	return nil
}

func (p *Package) decodeMap(members map[string]any, into reflect.Value) error {
	of := into.Type()
	into.Set(reflect.MakeMapWithSize(of, len(members)))
	for key, one := range members {
		member := reflect.New(of.Elem()).Elem()
		if one == nil && member.Kind() != reflect.Interface && member.Kind() != reflect.Pointer {
			continue
		}
		if err := p.decode(one, member); err != nil {
			return fmt.Errorf("%s: %w", step(key), err)
		}
		into.SetMapIndex(reflect.ValueOf(key).Convert(of.Key()), member)
	}
	return nil
}

func (p *Package) decodeInterface(value any, into reflect.Value) error {
	union, ok := p.unions[into.Type()]
	if !ok {
		if value != nil {
			into.Set(reflect.ValueOf(value))
		}
		return nil
	}
	if value == nil {
		return nil
	}
	member, ok := p.choose(union, value)
	if !ok {
		unknown := reflect.New(union.Unknown)
		unknown.Elem().FieldByName("Value").Set(reflect.ValueOf(value))
		into.Set(unknown)
		return nil
	}
	made := reflect.New(member.Type).Elem()
	if err := p.decode(value, made); err != nil {
		return err
	}
	into.Set(made)
	return nil
}

// choose returns the member of a union whose schema accepts a value; false for a variant that the document does not have.
func (p *Package) choose(union Union, value any) (Member, bool) {
	var candidates []Member
	for _, one := range union.Members {
		if accepts(one.Type, value) {
			candidates = append(candidates, one)
		}
	}
	if len(candidates) == 1 && len(union.Members) == 1 {
		return candidates[0], true
	}
	for _, reading := range []Reading{open, tolerant} {
		for _, one := range candidates {
			if p.schemas.isValid(one.At, value, reading) {
				return one, true
			}
		}
		// A value that tells the variant is that of no other.
		candidates = p.discriminated(candidates, value)
	}
	if _, isObject := value.(map[string]any); !isObject && len(candidates) > 0 {
		return candidates[0], true
	}
	return Member{}, false
}

// discriminated are the members whose value of the discriminator an object has; all members, if they have no discriminator.
func (p *Package) discriminated(members []Member, value any) []Member {
	var schemas []any
	for _, one := range members {
		schemas = append(schemas, p.schemas.at(one.At))
	}
	key, of := p.schemas.discriminator(schemas)
	properties, isObject := value.(object)
	if of == nil || !isObject {
		return members
	}
	var found []Member
	for at, one := range members {
		if slices.Contains(of[at], properties[key]) {
			found = append(found, one)
		}
	}
	return found
}

func accepts(of reflect.Type, value any) bool {
	switch value.(type) {
	case map[string]any:
		return of.Kind() == reflect.Pointer || of.Kind() == reflect.Map
	case []any:
		return of.Kind() == reflect.Slice
	case string:
		return of.Kind() == reflect.String && !isNumberType(of)
	case bool:
		return of.Kind() == reflect.Bool
	case json.Number:
		return of.Kind() == reflect.Int64 || of.Kind() == reflect.Float64 || isNumberType(of)
	}
	return false
}
