// Package runtime is the logic of generated clients: requests, responses, validation, retries, batches and streams.
package runtime

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
)

// Package is what the clients of one package share: the data of operations.json, and the generated types.
type Package struct {
	text     []byte
	once     sync.Once
	document document
	schemas  *schemas
	unions   map[reflect.Type]Union
	errors   map[string]reflect.Type
	patterns Patterns
	// openSocket opens a WebSocket; nil if the document declares no such server.
	openSocket OpenLink
	err        error
}

// ErrorType is the type of the error responses of an operation: a struct of an *HTTPError and a Body.
type ErrorType struct {
	Operation string
	Type      reflect.Type
}

// ErrorOf is the type of the error responses of an operation.
func ErrorOf[T any](operation string) ErrorType { return ErrorType{operation, reflect.TypeFor[T]()} }

// NewPackage reads nothing before the first client is made.
func NewPackage(operations []byte, unions []Union, errors []ErrorType, patterns Patterns, openSocket OpenLink) *Package {
	made := &Package{
		text: operations, unions: map[reflect.Type]Union{}, errors: map[string]reflect.Type{}, patterns: patterns, openSocket: openSocket,
	}
	for _, one := range unions {
		made.unions[one.Type] = one
	}
	for _, one := range errors {
		made.errors[one.Operation] = one.Type
	}
	return made
}

func (p *Package) load() error {
	p.once.Do(func() {
		var plain any
		if plain, p.err = parseJSON(p.text); p.err == nil {
			p.err = json.Unmarshal(p.text, &p.document)
		}
		p.document.place()
		p.schemas = &schemas{document: plain, patterns: patternEngine(p.patterns)}
	})
	if p.err != nil {
		return fmt.Errorf("operations.json cannot be read: %w", p.err)
	}
	return nil
}

// place sets where the schemas of operations are in operations.json.
func (d *document) place() {
	for id, one := range d.HTTP {
		at := "/http" + step(id)
		for number, parameter := range one.Parameters {
			parameter.place = fmt.Sprintf("%s/parameters/%d/schema", at, number)
		}
		if one.Body != nil {
			for number, content := range one.Body.Content {
				content.place = fmt.Sprintf("%s/body/content/%d/schema", at, number)
			}
		}
		for number, response := range one.Responses {
			for index, content := range response.Content {
				content.place = fmt.Sprintf("%s/responses/%d/content/%d/schema", at, number, index)
			}
		}
	}
	for member, methods := range map[string]map[string]*operation{"/rpc": d.RPC, "/sent": d.Sent} {
		for id, one := range methods {
			at := member + step(id)
			one.place = at + "/result/schema"
			for number := range one.Params {
				one.Params[number].place = fmt.Sprintf("%s/params/%d/schema", at, number)
			}
		}
	}
}

// ReadJSON reads a JSON text as a type of the package, such as a result that json.Marshal wrote.
func ReadJSON[T any](of *Package, text []byte) (T, error) {
	var none T
	if err := of.load(); err != nil {
		return none, err
	}
	value, err := parseJSON(text)
	if err != nil {
		return none, err
	}
	return convert[T](of, value)
}

// convert makes the typed value of a body.
func convert[T any](p *Package, value any) (T, error) {
	var made T
	into := reflect.ValueOf(&made).Elem()
	if file, ok := value.(*Download); ok {
		if !reflect.TypeOf(file).AssignableTo(into.Type()) {
			return made, fmt.Errorf("a file cannot be returned as %s", into.Type())
		}
		into.Set(reflect.ValueOf(file))
		return made, nil
	}
	return made, p.decode(value, into)
}

type limits struct{ BatchSize, PayloadBytes int }

type document struct {
	Servers struct{ HTTP, RPC []Server }
	Limits  struct{ HTTP, RPC limits }
	Path    string
	HTTP    map[string]*operation
	RPC     map[string]*operation
	// Sent are the methods that the server sends.
	Sent   map[string]*operation
	Cancel *struct{ Notification, ID string }
}

type operation struct {
	ID, Method, Path string
	Servers          []Server
	Parameters       []*Parameter
	Body             *struct {
		Required bool
		Content  []*Content
	}
	Responses     []*declaredResponse
	Security      [][]string
	Schemes       map[string]scheme
	StreamDefault *bool
	Variants      []variant
	Poll          *struct {
		Field           string
		Terminal, Order []string
	}
	IdempotencyKey string
	Idempotent     bool
	Pages          *Pages
	Limits         limits
	SameAs         [][2]string
	Params         []declaredParam
	ParamStructure string
	IsNotification bool
	Subscription   *subscriptionRule
	// place is where the schema of a result is.
	place string
}

type declaredResponse struct {
	Status  string
	Content []*Content
}

type declaredParam struct {
	Name     string
	Required bool
	place    string
}

type scheme struct{ Kind, In, Parameter string }

type variant struct {
	Name, Request     string
	Responses, Errors []string
}

// least is the smaller of two limits, of which 0 is none.
func least(a, b int) int {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
