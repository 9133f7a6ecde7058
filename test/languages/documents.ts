/**
 * The documents of the contract. Each operation is for one property, so that a case can name it by its id. Operations of
 * `wire` have schemas that accept everything.
 */

/** Each location of a parameter with each of its styles. */
export const PARAMETERS = [
  ...['simple', 'label', 'matrix'].flatMap((style) => both('path', style)),
  ...['form', 'spaceDelimited', 'pipeDelimited'].flatMap((style) => both('query', style)),
  { id: 'queryDeepObject', in: 'query', style: 'deepObject', explode: true },
  ...both('query', 'form').map((one) => ({ ...one, id: `${one.id}Reserved`, allowReserved: true })),
  ...both('header', 'simple'),
  ...both('cookie', 'form'),
  ...both('cookie', 'cookie'),
  ...['path', 'query', 'header', 'cookie'].map((place) => ({
    ...{ id: `${place}Json`, in: place, style: '', explode: false, content: true },
  })),
] as const

export type ParameterRow = {
  readonly id: string
  readonly in: string
  readonly style: string
  readonly explode: boolean
  readonly allowReserved?: boolean
  readonly content?: boolean
}

function both(place: string, style: string): readonly ParameterRow[] {
  return [false, true].map((explode) => ({
    ...{ in: place, style, explode },
    id: `${place}${style[0]?.toUpperCase()}${style.slice(1)}${explode ? 'Exploded' : ''}`,
  }))
}

const json = (schema: object) => ({ 'application/json': { schema } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const response = (description: string, schema?: object) => ({
  description,
  ...(schema && { content: json(schema) }),
})
const NOTHING = { 204: response('Nothing.') }

const parameterPath = (row: ParameterRow) => {
  const isPath = row.in === 'path'
  const parameter = {
    name: 'v',
    in: row.in,
    ...(isPath && { required: true }),
    ...(row.content === true
      ? { content: json({}) }
      : { style: row.style, explode: row.explode, schema: {} }),
    ...(row.allowReserved === true && { allowReserved: true }),
  }
  const get = { operationId: row.id, parameters: [parameter], responses: NOTHING }
  return [`/${row.id}${isPath ? '/{v}' : ''}`, { get }]
}

const OBJECT = { type: 'object' }

/** A body of each kind. */
const BODIES: Readonly<Record<string, object>> = {
  bodyJson: json({}),
  bodyPatch: { 'application/merge-patch+json': { schema: {} } },
  bodyText: { 'text/plain': { schema: { type: 'string' } } },
  bodyXml: { 'application/xml': { schema: { type: 'string' } } },
  bodyBytes: { 'application/octet-stream': {} },
  bodyForm: { 'application/x-www-form-urlencoded': { schema: OBJECT } },
  bodyFormStyled: {
    'application/x-www-form-urlencoded': {
      schema: {
        ...OBJECT,
        properties: { comma: {}, space: {}, pipe: {}, deep: {}, json: {}, reserved: {}, many: {} },
      },
      encoding: {
        comma: { style: 'form', explode: false },
        space: { style: 'spaceDelimited', explode: false },
        pipe: { style: 'pipeDelimited', explode: false },
        deep: { style: 'deepObject', explode: true },
        json: { contentType: 'application/json' },
        reserved: { style: 'form', allowReserved: true },
        many: { style: 'form', explode: true },
      },
    },
  },
  bodyMultipart: {
    'multipart/form-data': {
      schema: {
        ...OBJECT,
        properties: {
          file: { type: 'string', contentMediaType: 'application/octet-stream' },
          files: { type: 'array', items: { type: 'string', contentMediaType: 'image/png' } },
          meta: OBJECT,
          tags: { type: 'array', items: { type: 'string' } },
          count: { type: 'integer' },
          note: { type: 'string' },
        },
      },
    },
  },
  bodyMultipartStyled: {
    'multipart/form-data': {
      schema: { ...OBJECT, properties: { list: {}, deep: {}, note: {}, page: {} } },
      encoding: {
        list: { contentType: 'application/json' },
        deep: { style: 'deepObject', explode: true },
        note: { contentType: 'text/markdown' },
        page: { style: 'form', explode: true },
      },
    },
  },
  bodyLines: { 'application/jsonl': { itemSchema: {} } },
  bodySequence: { 'application/json-seq': { itemSchema: {} } },
  bodyMixed: { 'multipart/mixed': { schema: { type: 'array', items: {} } } },
  bodyChoice: {
    ...json({}),
    'text/plain': { schema: { type: 'string' } },
    'application/x-www-form-urlencoded': { schema: OBJECT },
  },
}

const bodyPath = ([id, content]: [string, object]) => [
  `/${id}`,
  { post: { operationId: id, requestBody: { required: true, content }, responses: NOTHING } },
]

const id = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: 3 },
}
const query = (name: string, schema: object = { type: 'string' }) => ({ name, in: 'query', schema })

const RECORD = {
  type: 'object',
  required: ['id', 'state', 'parent'],
  properties: {
    id: { type: 'string' },
    state: { enum: ['open', 'done'] },
    parent: { type: ['string', 'null'] },
    note: { type: 'string', maxLength: 5 },
    size: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    prices: { type: 'object', additionalProperties: { type: 'integer' } },
  },
  additionalProperties: false,
}

const SCHEMAS = {
  Record: RECORD,
  Problem: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
  Shape: { oneOf: [ref('Circle'), ref('Square')] },
  Circle: {
    ...OBJECT,
    required: ['kind', 'radius'],
    properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
  },
  Square: {
    ...OBJECT,
    required: ['kind', 'side'],
    properties: { kind: { const: 'square' }, side: { type: 'number' } },
  },
  Order: {
    ...OBJECT,
    required: ['item'],
    additionalProperties: false,
    properties: {
      item: { type: 'string', pattern: '^[a-z]\\d$' },
      count: { type: 'integer', minimum: 1, maximum: 10 },
      price: { type: 'number', multipleOf: 0.5 },
      kind: { enum: ['a', 'b', 1, null] },
      lines: { type: 'array', items: ref('Line'), uniqueItems: true, maxItems: 3 },
      labels: {
        ...OBJECT,
        patternProperties: { '^x-\\d+$': { type: 'string' } },
        additionalProperties: false,
      },
    },
  },
  Line: { ...OBJECT, required: ['sku'], properties: { sku: { type: 'string' } } },
  Message: {
    ...OBJECT,
    required: ['text'],
    properties: { text: { type: 'string' } },
    additionalProperties: false,
  },
  Call: {
    ...OBJECT,
    required: ['method'],
    properties: { method: { type: 'string' } },
    additionalProperties: false,
  },
  Receipt: {
    ...OBJECT,
    required: ['receipt'],
    properties: { receipt: { type: 'string' }, ticket: { type: 'string', 'x-same-as': 'receipt' } },
  },
  Output: { ...OBJECT, required: ['output'], properties: { output: { type: 'string' } } },
  Failure: { ...OBJECT, required: ['error'], properties: { error: { type: 'string' } } },
  State: {
    ...OBJECT,
    required: ['state'],
    properties: { state: { type: 'string' }, step: { type: 'integer' } },
  },
}

const get = (operationId: string, schema: object, more: object = {}) => ({
  get: { operationId, responses: { 200: response('It.', schema) }, ...more },
})

const LIST = {
  ...OBJECT,
  properties: {
    data: { type: 'array', items: { type: 'integer' } },
    next: { type: ['string', 'null'] },
    more: { type: 'boolean' },
  },
}

const paths = {
  ...Object.fromEntries(PARAMETERS.map(parameterPath)),
  ...Object.fromEntries(Object.entries(BODIES).map(bodyPath)),
  '/several/{id}': {
    get: {
      operationId: 'several',
      parameters: [
        id,
        query('a b'),
        query('é&=', { type: 'array', items: {} }),
        { name: 'X-One', in: 'header', schema: {} },
      ],
      responses: NOTHING,
    },
  },
  '/records/{id}': {
    get: {
      operationId: 'getRecord',
      'x-idempotent': true,
      parameters: [id],
      responses: {
        200: response('It.', ref('Record')),
        404: response('None.', ref('Problem')),
        default: response('An error.', ref('Problem')),
      },
    },
    post: {
      operationId: 'postRecord',
      parameters: [id],
      responses: { 200: response('It.', ref('Record')), 404: response('None.', ref('Problem')) },
    },
  },
  '/orders': {
    post: {
      operationId: 'createOrder',
      requestBody: { required: true, content: json(ref('Order')) },
      responses: { 204: response('Done.'), '4XX': response('No.', ref('Problem')) },
    },
    put: {
      operationId: 'putOrder',
      'x-idempotency-key': true,
      requestBody: { content: json(ref('Order')) },
      responses: NOTHING,
    },
  },
  '/limited': {
    post: {
      operationId: 'limited',
      'x-limits': { payloadBytes: 20 },
      requestBody: { required: true, content: json({}) },
      responses: NOTHING,
    },
  },
  '/submissions': {
    post: {
      operationId: 'submit',
      requestBody: { required: true, content: json({ oneOf: [ref('Message'), ref('Call')] }) },
      responses: {
        200: response('It.', { oneOf: [ref('Receipt'), ref('Output'), ref('Failure')] }),
      },
      'x-variants': {
        message: { request: ref('Message'), responses: [ref('Receipt')], errors: [ref('Failure')] },
        call: { request: ref('Call'), responses: [ref('Output')], errors: [ref('Failure')] },
      },
    },
  },
  '/states': get('getState', ref('State'), {
    'x-idempotent': true,
    'x-poll': {
      field: 'state',
      terminal: ['done', 'failed'],
      order: ['queued', 'running', 'done'],
    },
  }),
  '/shapes': get('getShape', ref('Shape')),
  '/free': get('getFree', {}),
  '/text': {
    get: {
      operationId: 'getText',
      responses: { 200: { description: 'It.', content: { 'text/plain': {} } } },
    },
  },
  '/aliases': get('getReceipt', ref('Receipt')),
  '/cursors': get('listByCursor', LIST, {
    parameters: [query('cursor')],
    'x-pagination': { items: '/data', next: { cursor: '/next' } },
  }),
  '/numbers': get('listByPage', LIST, {
    parameters: [query('page', { type: 'integer' })],
    'x-pagination': { items: '/data', page: 'page' },
  }),
  '/offsets': get('listByOffset', LIST, {
    parameters: [query('skip', { type: 'integer' })],
    'x-pagination': { items: '/data', offset: 'skip', more: '/more' },
  }),
  '/events': {
    get: {
      operationId: 'watch',
      responses: {
        200: {
          description: 'They.',
          content: {
            'text/event-stream': {
              itemSchema: {
                ...OBJECT,
                properties: {
                  data: {
                    type: 'string',
                    contentMediaType: 'application/json',
                    contentSchema: ref('State'),
                  },
                },
              },
            },
          },
        },
      },
    },
  },
  '/lines': {
    get: {
      operationId: 'readLines',
      responses: {
        200: {
          description: 'They.',
          content: { 'application/jsonl': { itemSchema: ref('State') } },
        },
      },
    },
  },
  '/keyed/{apiKey}': get(
    'getKeyed',
    {},
    {
      parameters: [
        {
          name: 'apiKey',
          in: 'path',
          required: true,
          'x-secret': true,
          schema: { type: 'string' },
        },
      ],
      responses: { 200: response('It.', {}), 400: response('No.', ref('Problem')) },
    },
  ),
  ...Object.fromEntries(
    ['header', 'query', 'cookie', 'bearer', 'basic'].map((name) => [
      `/secured/${name}`,
      get(
        `secured${name}`,
        {},
        {
          security: [{ [name]: [] }],
          responses: { 200: response('It.', {}), 401: response('No.', ref('Problem')) },
        },
      ),
    ]),
  ),
}

const key = (place: string) => ({ type: 'apiKey', in: place, name: `x-${place}-key` })

export const OPENAPI = {
  openapi: '3.2.0',
  info: { title: 'Contract', version: '1.0.0' },
  servers: [
    { url: 'http://127.0.0.1:9/', 'x-name': 'main' },
    {
      url: 'http://{host}',
      'x-name': 'other',
      variables: { host: { default: '127.0.0.1:9', enum: ['127.0.0.1:9', 'localhost:9'] } },
    },
  ],
  paths,
  components: {
    schemas: SCHEMAS,
    securitySchemes: {
      header: key('header'),
      query: key('query'),
      cookie: key('cookie'),
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'basic' },
    },
  },
}

const param = (name: string, schema: object = {}, required = true) => ({ name, required, schema })
const method = (
  name: string,
  params: readonly object[],
  schema: object | undefined,
  more: object = {},
) => ({
  ...{ name, params, ...more },
  ...(schema && { result: { name: 'result', schema } }),
})

export const OPENRPC = {
  openrpc: '1.3.2',
  info: { title: 'Contract', version: '1.0.0' },
  servers: [
    {
      name: 'main',
      url: 'http://127.0.0.1:9/rpc/{apiKey}',
      variables: { apiKey: { default: 'free', 'x-secret': true } },
    },
    {
      name: 'socket',
      url: 'ws://127.0.0.1:9/rpc/{apiKey}',
      variables: { apiKey: { default: 'free', 'x-secret': true } },
    },
  ],
  'x-limits': { batchSize: 40, payloadBytes: 4000 },
  methods: [
    method(
      'read_one',
      [param('key', { type: 'string' })],
      { type: 'string' },
      { 'x-idempotent': true },
    ),
    method('write_one', [param('key', { type: 'string' })], { type: 'string' }),
    method(
      'any_value',
      [param('a'), param('b', {}, false), param('c', { type: 'integer' }, false)],
      {},
    ),
    method(
      'by_name',
      [param('one', { type: 'string' }), param('two words', { type: 'integer' }, false)],
      {},
      { paramStructure: 'by-name' },
    ),
    method(
      'null_or_text',
      [param('a', { type: ['string', 'null'] }, false), param('b', { type: 'string' }, false)],
      { type: ['string', 'null'] },
    ),
    method('null_is_a_value', [param('a', { type: ['string', 'null'] })], {}),
    method('get_entry', [], { $ref: '#/components/schemas/Entry' }, { 'x-idempotent': true }),
    method('tell', [param('what', { type: 'string' })], undefined, { 'x-direction': 'client' }),
    method('list_all', [param('cursor', { type: 'string' }, false)], LIST, {
      'x-pagination': { items: '/data', next: { cursor: '/next' } },
    }),
    method(
      'follow',
      [param('what', { type: 'string' })],
      { type: 'string' },
      {
        'x-subscription': {
          unsubscribe: 'unfollow',
          id: '/subscription',
          notifications: [{ method: 'followed', item: '/item' }],
        },
      },
    ),
    method('unfollow', [param('subscription', { type: 'string' })], { type: 'boolean' }),
    method(
      'followed',
      [
        param('subscription', { type: 'string' }),
        param('item', { $ref: '#/components/schemas/Entry' }),
      ],
      undefined,
      { paramStructure: 'by-name', 'x-direction': 'server' },
    ),
    method(
      'noted',
      [param('step', { type: 'integer' }), param('text', { type: 'string' }, false)],
      undefined,
      { 'x-direction': 'server' },
    ),
    method(
      'ask',
      [param('question', { type: 'string' })],
      { type: 'boolean' },
      { 'x-direction': 'server' },
    ),
  ],
  components: {
    schemas: {
      Entry: {
        ...OBJECT,
        required: ['kind'],
        properties: { kind: { enum: ['x', 'y'] }, size: { type: 'integer' } },
        additionalProperties: false,
      },
    },
  },
}
