import { describe, expect, it } from 'vitest'
import { emitGo } from '../../src/emit/go/go.js'
import { runtimeFiles } from '../../src/emit/languages/runtime-files.js'
import { apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'
import { directedPets } from './directed-pets.js'

const json = (schema: object) => ({ 'application/json': { schema } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const filesOf = async (documents: Parameters<typeof apiOf>[0]) => {
  const files = emitGo(await apiOf(documents), { module: 'example.com/acme-orders' })
  const texts = new Map(files.map(({ name, text }) => [name, text]))
  return (name: string): string => texts.get(name) ?? ''
}

const openapi = openapiOf({
  version: '3.1.0',
  schemas: {
    Order: {
      type: 'object',
      description: 'An order.',
      required: ['id', 'count', 'state', 'parent', 'buyer'],
      properties: {
        id: { type: 'string' },
        count: { type: 'integer', format: 'int32' },
        total: { type: 'integer' },
        state: { enum: ['open', 'done'], description: 'Where it is.' },
        parent: { type: ['string', 'null'] },
        note: { type: ['string', 'null'] },
        queueId: { type: 'string' },
        buyer: ref('Buyer'),
        place: ref('Place'),
        first: ref('Order'),
      },
    },
    Buyer: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: true },
    Place: { oneOf: [ref('Shop'), ref('Web')] },
    Shop: {
      type: 'object',
      required: ['kind', 'city'],
      properties: { kind: { const: 'shop' }, city: { type: 'string' } },
    },
    Web: { type: 'object', required: ['kind'], properties: { kind: { const: 'web' } } },
    Id: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    Hash: { type: 'string', pattern: '^(?!0)[0-9a-f]+$' },
    MaybeHash: { anyOf: [ref('Hash'), { type: 'string', maxLength: 0 }] },
    Problem: { type: 'object', properties: { title: { type: 'string' } } },
  },
  servers: [{ url: 'https://a.example/{apiKey}', 'x-name': 'main' }],
  paths: {
    '/orders/{orderId}': {
      get: {
        operationId: 'getOrder',
        summary: 'Reads an order.',
        parameters: [
          { name: 'orderId', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'with-items', in: 'query', schema: { type: 'boolean' } },
          { name: 'limit', in: 'query', required: true, schema: { type: 'integer' } },
        ],
        responses: {
          200: { description: 'It.', content: json(ref('Order')) },
          404: { description: 'None.', content: json(ref('Problem')) },
        },
      },
      delete: {
        operationId: 'deleteOrder',
        parameters: [{ name: 'orderId', in: 'path', required: true, schema: ref('Id') }],
        responses: { 204: { description: 'Done.' } },
      },
    },
    '/orders': {
      post: {
        operationId: 'createOrder',
        requestBody: {
          required: true,
          content: { ...json(ref('Order')), 'text/plain': { schema: { type: 'string' } } },
        },
        responses: { 200: { description: 'It.', content: json(ref('MaybeHash')) } },
      },
    },
    '/events': {
      get: {
        operationId: 'watch',
        responses: {
          200: {
            description: 'Events.',
            content: { 'application/jsonl': { itemSchema: ref('Shop') } },
          },
        },
      },
    },
    '/files': {
      post: {
        operationId: 'upload',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['file'],
                properties: {
                  file: { type: 'string', contentMediaType: 'image/png' },
                  note: { type: 'string' },
                },
              },
            },
          },
        },
        responses: { 200: { description: 'It.', content: { 'image/png': {} } } },
      },
    },
  },
})

/** The names of the fields of a struct. */
const fieldsIn = (text: string, name: string): readonly (string | undefined)[] => {
  const [, body = ''] =
    new RegExp(`^type ${name} struct \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(text) ?? []
  return [...body.matchAll(/^\t(\w+) +\S/gm)].map(([, field]) => field)
}

describe('a Go module', () => {
  it('has a method for each operation: context, path, other parameters, body, options', async () => {
    const text = (await filesOf({ openapi }))('http_client.go')
    expect(text).toContain(`// GetOrder: Reads an order.
func (c *HTTPClient) GetOrder(ctx context.Context, orderID string, params GetOrderParams, options ...CallOption) (*Order, error) {
	return runtime.Call[*Order](ctx, c.calls, "getOrder", runtime.Input{Values: []any{orderID, params.WithItems, params.Limit}}, options)
}`)
    expect(text).toContain(
      'DeleteOrder(ctx context.Context, orderID ID, options ...CallOption) error {\n\treturn runtime.Do(',
    )
    expect(text).toContain(
      'Watch(ctx context.Context, options ...CallOption) iter.Seq2[*Shop, error]',
    )
  })

  it('has no readOnly property in requests, and no writeOnly one in responses', async () => {
    const text = await filesOf({ openapi: directedPets })
    const types = text('types.go')
    expect(fieldsIn(types, 'PetRequest')).toEqual(['Name', 'Password', 'Owner'])
    expect(fieldsIn(types, 'PetResponse')).toEqual(['ID', 'Name', 'Owner'])
    expect(fieldsIn(types, 'OwnerRequest')).toEqual(['Email'])
    expect(text('README.md')).toContain('OwnerRequest{Email: new("a@a.example")}')
  })

  it('has a method for each media type of a body, and forms with files', async () => {
    const text = (await filesOf({ openapi }))('http_client.go')
    expect(text).toContain(
      'CreateOrder(ctx context.Context, body Order, options ...CallOption) (Hash, error)',
    )
    expect(text).toContain(
      'CreateOrderAsText(ctx context.Context, body string, options ...CallOption) (Hash, error)',
    )
    expect(text).toContain(
      'Upload(ctx context.Context, body UploadForm, options ...CallOption) (*Download, error)',
    )
  })

  it('has structs: pointers with omitzero for optional properties, Null where null is another value', async () => {
    const text = (await filesOf({ openapi }))('types.go')
    expect(text).toContain(`// An order.
type Order struct {
	Record

	ID    string       \`json:"id"\`
	Count int64        \`json:"count"\`
	Total *json.Number \`json:"total,omitzero"\`
	// Where it is.
	State   OrderState   \`json:"state"\`
	Parent  *string      \`json:"parent"\`
	Note    Null[string] \`json:"note,omitzero"\`
	QueueID *string      \`json:"queueId,omitzero"\`
	Buyer   Buyer        \`json:"buyer"\`
	Place   Place        \`json:"place,omitzero"\`
	First   *Order       \`json:"first,omitzero"\`
}`)
    expect(text).toContain('\tOrderStateOpen OrderState = "open"\n')
    expect(text).toContain('\tOthers map[string]any `json:"-"`\n')
    expect(text).toContain(
      'type UploadForm struct {\n\tFile io.Reader `json:"file"`\n\tNote *string   `json:"note,omitzero"`\n}',
    )
    expect(text).toContain(`type GetOrderParams struct {
	WithItems *bool
	Limit     json.Number
}`)
  })

  it('has sealed interfaces for unions, with the properties that all members have', async () => {
    const file = await filesOf({ openapi })
    const text = file('types.go')
    expect(text).toContain('type Place interface {\n\tisPlace()\n\tGetKind() string\n}')
    expect(text).toContain('func (*Shop) isPlace() {}')
    expect(text).toContain('type UnknownPlace struct{ Value any }')
    expect(text).toContain('type IDInteger json.Number')
    expect(file('operations.go')).toContain('runtime.MemberOf[*Shop]("/schemas/Shop"),')
  })

  it('has errors with a typed body, and options for credentials', async () => {
    const file = await filesOf({ openapi })
    expect(file('errors.go')).toContain(
      'type GetOrderError struct {\n\t*HTTPError\n\tBody *Problem\n}',
    )
    expect(file('operations.go')).toContain('runtime.ErrorOf[GetOrderError]("getOrder"),')
    expect(file('options.go')).toContain('func WithAPIKey(secret string) Option {')
    expect(file('options.go')).toContain('const ServerMain = "main"')
  })

  it('has a comment of the package, and the fields and methods of types that are aliases of the runtime', async () => {
    const text = await filesOf({ openapi })
    expect(text('operations.go')).toContain(
      '// Package acmeorders has clients of Test, 1.0.0.\npackage',
    )
    expect(text('errors.go')).toContain(`	// Issue is one error of validation.
	//
	//	type Issue struct {
	//		// Pointer is a JSON pointer into the value; empty for the value itself.
	//		Pointer string
	//		// Keyword is the keyword of JSON Schema that rejected the value.
	//		Keyword string
	//		Message string
	//	}
	Issue = runtime.Issue`)
    expect(text('errors.go')).toContain('\n	//	func (e *HTTPError) Error() string\n')
    expect(text('errors.go')).not.toContain('	cause ')
  })

  it('needs regexp2 only for patterns that RE2 lacks', async () => {
    const file = await filesOf({ openapi })
    expect(file('go.mod')).toContain('module example.com/acme-orders\n')
    expect(file('go.mod')).toContain('github.com/dlclark/regexp2')
    expect(file('patterns.go')).toContain('package acmeorders\n')
    const plain = await filesOf({ openrpc: openrpcOf({ methods: [method('read')] }) })
    expect(plain('go.mod')).not.toContain('regexp2')
    expect(plain('patterns.go')).toBe('')
  })

  it('has methods of JSON-RPC for a client and for batches; null is a nil pointer', async () => {
    const params = [
      { name: 'block number', required: true, schema: { type: 'string' } },
      { name: 'deep', schema: { type: 'boolean' } },
    ]
    const result = { oneOf: [{ type: 'string' }, { type: 'null' }] }
    const openrpc = openrpcOf({ methods: [method('eth_getBlock', params, result)] })
    const text = (await filesOf({ openrpc }))('rpc_client.go')
    expect(text).toContain(
      'func (c *RPCClient) EthGetBlock(ctx context.Context, blockNumber string, deep *bool, options ...CallOption) (*string, error) {',
    )
    expect(text).toContain('// If nil, deep is omitted.\n')
    expect(text).toContain(
      'func (b *RPCBatch) EthGetBlock(blockNumber string, deep *bool) *Pending[*string] {',
    )
  })

  it('has handlers of what the server sends, loops over subscriptions, and a WebSocket for ws: servers alone', async () => {
    const block = { type: 'object', properties: { number: { type: 'string' } } }
    const methods = [
      {
        ...method('eth_subscribe', [{ name: 'kind', required: true, schema: { type: 'string' } }], {
          type: 'string',
        }),
        'x-subscription': {
          unsubscribe: 'eth_unsubscribe',
          id: '/subscription',
          notifications: [{ method: 'eth_subscription', item: '/result' }],
        },
      },
      method('eth_unsubscribe', [{ name: 'id', required: true, schema: { type: 'string' } }], {
        type: 'boolean',
      }),
      {
        name: 'eth_subscription',
        params: [
          { name: 'subscription', required: true, schema: { type: 'string' } },
          { name: 'result', required: true, schema: { $ref: '#/components/schemas/Block' } },
        ],
        paramStructure: 'by-name',
        'x-direction': 'server',
      },
      {
        ...method('confirm', [{ name: 'text', schema: { type: 'string' } }], { type: 'boolean' }),
        'x-direction': 'server',
      },
    ]
    const document = openrpcOf({ methods, schemas: { Block: block } })
    const servers = [{ name: 'main', url: 'wss://a.example/ws' }]
    const file = await filesOf({ openrpc: { ...document, servers } })
    const text = file('rpc_client.go')
    expect(text).toContain(
      'func (c *RPCClient) EthSubscribeStream(ctx context.Context, kind string, options ...CallOption) iter.Seq2[*Block, error] {',
    )
    expect(text).toContain(
      '\tEthSubscription func(ctx context.Context, subscription string, result Block) error\n',
    )
    expect(text).toContain('\tConfirm func(ctx context.Context, text *string) (bool, error)\n')
    expect(text).toContain('\t\t"confirm":         handlers.Confirm,\n')
    expect(file('go.mod')).toContain('\tgithub.com/coder/websocket v1.8.15\n')
    expect(file('operations.go')).toContain('unions, errorTypes, nil, openSocket)')
    const overHttp = await filesOf({ openrpc: document })
    expect(overHttp('go.mod')).not.toContain('websocket')
    expect(overHttp('socket.go')).toBe('')
    expect(overHttp('operations.go')).toContain('unions, errorTypes, nil, nil)')
    expect(overHttp('options.go')).toContain('func WithLink(open OpenLink) Option')
  })

  it('is plain text where the document is hostile', async () => {
    const hostile = '`"\\\n*/ //go:embed x\n- list\n# title\u2028'
    const schema = {
      type: 'object',
      properties: { 'a`b': { type: 'string' } },
      description: hostile,
    }
    const read = { ...method('read', [], schema), description: hostile }
    const openrpc = openrpcOf({ methods: [read] })
    const file = await filesOf({ openrpc })
    expect(
      file('rpc_client.go')
        .split('\n')
        .filter((line) => line.startsWith('//go:')),
    ).toEqual([])
    // A tag of a struct cannot contain the name.
    expect(file('rpc_client.go')).toContain('(map[string]any, error)')
  })
})

describe('the runtime of Go', () => {
  it('is copied into the module, with a package of its own', async () => {
    const file = await filesOf({ openapi })
    for (const { name, text } of runtimeFiles('go')) {
      expect(file(`internal/runtime/${name}`)).toContain(text)
      expect(text).toContain('package runtime\n')
    }
    expect(runtimeFiles('go').length).toBeGreaterThan(10)
  })
})
