import { describe, expect, it } from 'vitest'
import { createPythonCalls } from '../../src/emit/python/calls.js'
import { emitPython } from '../../src/emit/python/python.js'
import { apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'
import { directedPets } from './directed-pets.js'

const json = (schema: object) => ({ 'application/json': { schema } })

const ORDER = {
  type: 'object',
  required: ['id', 'createdAt', 'state'],
  properties: {
    id: { type: 'string' },
    createdAt: { type: 'string', description: 'When it was created.' },
    state: { enum: ['open', 'done'] },
    note: { type: ['string', 'null'] },
    items: { type: 'array', items: { type: 'object', properties: { price: { type: 'number' } } } },
    from: { $ref: '#/components/schemas/Place' },
  },
}

const filesOf = async (documents: Parameters<typeof apiOf>[0]) => {
  const files = emitPython(await apiOf(documents), { name: 'acme-orders' })
  const texts = new Map(files.map(({ name, text }) => [name.replace('src/acme_orders/', ''), text]))
  return (name: string): string => texts.get(name) ?? ''
}

const openapi = openapiOf({
  version: '3.1.0',
  schemas: {
    Order: ORDER,
    Place: { oneOf: [{ $ref: '#/components/schemas/Shop' }, { $ref: '#/components/schemas/Web' }] },
    Shop: { type: 'object', required: ['kind'], properties: { kind: { const: 'shop' } } },
    Web: { type: 'object', required: ['kind'], properties: { kind: { const: 'web' } } },
    Problem: { type: 'object', properties: { title: { type: 'string' } } },
  },
  servers: [{ url: 'https://a.example', 'x-name': 'main' }],
  paths: {
    '/orders/{orderId}': {
      get: {
        operationId: 'getOrder',
        parameters: [
          { name: 'orderId', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'with-items', in: 'query', schema: { type: 'boolean' } },
        ],
        responses: {
          200: { description: 'It.', content: json({ $ref: '#/components/schemas/Order' }) },
          404: { description: 'None.', content: json({ $ref: '#/components/schemas/Problem' }) },
        },
      },
    },
    '/orders': {
      post: {
        operationId: 'createOrder',
        requestBody: { required: true, content: json({ $ref: '#/components/schemas/Order' }) },
        responses: { 204: { description: 'Done.' } },
      },
    },
  },
})

/** The class of a name. */
const typeIn = (text: string, name: string): string =>
  new RegExp(`^class ${name}\\([\\s\\S]*?(?=^class |(?![\\s\\S]))`, 'm').exec(text)?.[0] ?? ''

describe('a Python package', () => {
  it('has signatures with the types of the document', async () => {
    const text = (await filesOf({ openapi }))('http_client.py')
    expect(text).toContain(
      'def get_order(self, order_id: str, *, with_items: bool | None = None) -> Order:',
    )
    expect(text).toContain(
      'return await self._call("getOrder", {"path.orderId": order_id, "query.with-items": with_items})',
    )
    expect(text).toContain(`        id: str,
        created_at: str,
        state: Literal["open", "done"],
        note: str | Omit | None = OMIT,`)
    expect(text).toContain('"null.note": note')
    expect(text).not.toContain('Any')
  })

  it('has no readOnly property in requests, and no writeOnly one in responses', async () => {
    const text = await filesOf({ openapi: directedPets })
    const call = text('http_client.py')
    expect(call).toContain(
      'def create_pet(self, *, name: str, password: str, owner: OwnerRequestInput | None = None) -> PetResponse:',
    )
    const types = text('types.py')
    expect(typeIn(types, 'PetResponse')).toMatch(/ id: str[\s\S]* name: str/)
    expect(typeIn(types, 'PetResponse')).not.toContain('password')
    expect(typeIn(text('inputs.py'), 'OwnerRequestInput')).toMatch(/email/)
    expect(typeIn(text('inputs.py'), 'OwnerRequestInput')).not.toContain('since')
    expect(text('README.md')).toContain('owner={"email": "a@a.example"},\n')
  })

  it('has a README that tells how a client is made: its address, its credentials, its options and its polls', async () => {
    const key = { 'api-key': { type: 'apiKey', in: 'header', name: 'x-key' } }
    const text = await filesOf({
      openapi: {
        ...openapiOf({
          version: '3.1.0',
          paths: {
            '/jobs': {
              get: {
                operationId: 'getJob',
                security: [{ 'api-key': [] }],
                'x-poll': { field: 'state', terminal: ['done'], order: ['open', 'done'] },
                responses: {
                  200: {
                    description: 'It.',
                    content: json({ type: 'object', properties: { state: { type: 'string' } } }),
                  },
                },
              },
            },
          },
        }),
        components: { securitySchemes: key },
      },
    })
    const readme = text('README.md')
    expect(readme).toContain('`HttpClient("http://127.0.0.1:4010")`')
    expect(readme).toContain('Credentials are arguments too: `api_key=text`.')
    expect(readme).toContain('| `timeout` | seconds for one call')
    expect(readme).toContain('`get_job_poll` repeats its call')
    expect(readme).toContain('`async with AsyncHttpClient() as client`')
    expect(text('http_client.py')).toContain('those of AsyncClientOptions: timeout, headers')
    expect(text('__init__.py')).toContain('"ClientOptions"')
  })

  it('has records with attributes, whose names are those of the wire in snake case', async () => {
    const text = (await filesOf({ openapi }))('types.py')
    expect(text).toContain(`class Order(Record):
    _at = "/schemas/Order"
    _names = {"created_at": "createdAt", "from_": "from"}
    id: str
    created_at: str
    """When it was created."""
    state: str
    """One of "open", "done"; a newer service may have others."""
    note: str | None
    items: list[OrderItemsItem] | None
    from_: Place | None`)
    expect(text).toContain('Place: TypeAlias = "Shop | Web"')
    expect(text).toContain('kind: Literal["shop"]')
  })

  it('has an error for each operation whose errors the document describes', async () => {
    const text = (await filesOf({ openapi }))('errors.py')
    expect(text).toContain('class GetOrderError(HttpError):')
    expect(text).toContain('body: Problem\n')
    expect(text).not.toContain('CreateOrderError')
  })

  it('has batches of JSON-RPC, whose calls are pending', async () => {
    const params = [
      { name: 'blockNumber', required: true, schema: { type: 'string' } },
      { name: 'full', schema: { type: 'boolean' } },
    ]
    const result = { name: 'block', schema: { type: ['string', 'null'] } }
    const openrpc = openrpcOf({ methods: [{ ...method('eth_getBlock', params), result }] })
    const text = (await filesOf({ openrpc }))('rpc_client.py')
    const call = 'def eth_get_block(self, block_number: str, full: bool | None = None)'
    expect(text).toContain(`${call} -> Pending[str | None]:`)
    expect(text).toContain(`async ${call} -> str | None:`)
    expect(text).toContain('self._add("ethGetBlock", [block_number, full])')
  })

  it('is called with the arguments of the path first', async () => {
    const text = { type: 'string' }
    const api = await apiOf({
      openapi: openapiOf({
        paths: {
          '/orders/{id}': {
            get: {
              operationId: 'getOrder',
              parameters: [
                { name: 'X-Trace', in: 'header', required: true, schema: text },
                { name: 'id', in: 'path', required: true, schema: text },
              ],
              responses: { 204: { description: 'Nothing.' } },
            },
          },
        },
      }),
    })
    const [operation] = api.operations
    const values = new Map([
      ['header.X-Trace', 't'],
      ['path.id', 'a1'],
    ])
    expect(operation && createPythonCalls(api).callOf(operation, values)?.text).toBe(
      'get_order("a1", x_trace="t")',
    )
  })

  it('has typed subscriptions and handlers, and needs websockets only for such documents', async () => {
    const text = { type: 'string' }
    const follow = method('follow', [{ name: 'buffer', required: true, schema: text }], text)
    const file = await filesOf({
      openrpc: openrpcOf({
        methods: [
          {
            ...follow,
            'x-subscription': {
              unsubscribe: 'leave',
              id: '/id',
              notifications: [{ method: 'followed', item: '/item/head' }],
            },
          },
          method('leave', [{ name: 'id', required: true, schema: text }], { type: 'boolean' }),
          {
            name: 'followed',
            params: [
              { name: 'id', required: true, schema: text },
              {
                name: 'item',
                required: true,
                schema: {
                  type: 'object',
                  properties: { head: { $ref: '#/components/schemas/Head' } },
                },
              },
            ],
            'x-direction': 'server',
          },
          {
            ...method('pass', [{ name: 'question', schema: text }], { type: 'boolean' }),
            'x-direction': 'server',
          },
        ],
        schemas: { Head: { type: 'object', properties: { number: { type: 'integer' } } } },
      }),
    })
    const client = file('rpc_client.py')
    expect(client).toContain(
      'def follow_stream(self, buffer2: str, **options: Unpack[SubscribeOptions]) -> Stream[Head]:',
    )
    expect(client).toContain('return self._subscribe("follow", [buffer2], options)')
    // A word of the language is no attribute.
    expect(client).toContain('"pass": "Callable[[str | None], bool | Awaitable[bool]]"')
    expect(client).toContain('handlers: AsyncRpcHandlers | None = None')
    expect(file('_service.py')).toContain('"follow.item": "Head"')
    expect(file('pyproject.toml')).toContain('websocket = ["websockets>=15,<18"]')
    const plain = await filesOf({ openrpc: openrpcOf({ methods: [follow] }) })
    expect(plain('pyproject.toml')).not.toContain('websockets')
    expect(plain('rpc_client.py')).not.toContain('handlers')
  })

  it('has the items of variants, where a notification has any', async () => {
    const one = (kind: string, item: object) => ({
      params: { prefixItems: [{ const: kind }] },
      result: { type: 'string' },
      item,
    })
    const file = await filesOf({
      openrpc: openrpcOf({
        methods: [
          {
            ...method('follow', [{ name: 'kind', required: true, schema: { type: 'string' } }]),
            'x-subscription': {
              unsubscribe: 'leave',
              id: '/id',
              notifications: [{ method: 'followed', item: '/item' }],
            },
            'x-variants': {
              heads: one('heads', { $ref: '#/components/schemas/Head' }),
              sizes: one('sizes', { type: 'integer' }),
            },
          },
          method('leave', [{ name: 'id', required: true, schema: {} }]),
          {
            name: 'followed',
            params: [
              { name: 'id', required: true, schema: {} },
              { name: 'item', required: true, schema: {} },
            ],
            'x-direction': 'server',
          },
        ],
        schemas: { Head: { type: 'object', properties: { number: { type: 'integer' } } } },
      }),
    })
    expect(file('rpc_client.py')).toContain('-> Stream[Head | int]:')
  })

  it('writes no text of a document outside of strings and comments', async () => {
    const evil = '"""\nimport os\n"""\\'
    const hostile = openapiOf({
      version: '3.1.0',
      paths: {
        '/a': {
          get: {
            operationId: 'class',
            summary: evil,
            parameters: [
              { name: evil, in: 'query', schema: { enum: [evil, 'b'] } },
              { name: '__x', in: 'query', schema: { type: 'string' } },
            ],
            responses: {
              200: {
                description: 'a',
                content: json({
                  type: 'object',
                  title: evil,
                  description: evil,
                  properties: { [evil]: {}, import: {}, list: { type: 'string' } },
                }),
              },
            },
          },
        },
      },
    })
    const files = emitPython(await apiOf({ openapi: hostile }), { name: 'a' })
    const own = files.filter(({ name }) => /^src\/a\/[^/]*\.py$/.test(name))
    for (const { name, text } of own) expect(text, name).not.toMatch(/^\s*import os/m)
    const types = files.find(({ name }) => name.endsWith('/types.py'))?.text
    expect(types).toContain('    import_: Any\n')
    expect(types).toContain('    list_: str | None\n')
  })
})
