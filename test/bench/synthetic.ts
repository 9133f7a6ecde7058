/** An OpenRPC document of as many methods, each with schemas of its own and an example. */
export function openrpcOf(size: number): object {
  return {
    openrpc: '1.3.2',
    info: INFO,
    servers: [{ name: 'main', url: 'https://service.example/rpc' }],
    methods: numbers(size).map((n) => ({
      name: `things_read${n}`,
      summary: `Reads thing ${n}`,
      description: `Reads one thing of kind ${n}, as it stood at a moment of the past.`,
      paramStructure: 'by-position',
      params: [
        { name: 'id', required: true, schema: ref('Id') },
        { name: 'filter', required: false, schema: ref(`Filter${n}`) },
      ],
      result: { name: 'thing', schema: ref(`Thing${n}`) },
      errors: [{ code: -32000 - (n % 90), message: `Thing ${n} is gone` }],
      examples: [
        {
          name: `thing ${n}`,
          params: [
            { name: 'id', value: '0xab' },
            { name: 'filter', value: { kinds: ['large'], limit: 10 } },
          ],
          result: { name: 'thing', value: thing(n) },
        },
      ],
    })),
    components: { schemas: schemas(size) },
  }
}

/** An OpenAPI document of as many operations, reading and writing in turn. */
export function openapiOf(size: number): object {
  return {
    openapi: '3.0.3',
    info: INFO,
    servers: [{ url: 'https://service.example' }],
    paths: Object.fromEntries(
      numbers(size).map((n) => [
        `/things-${n}/{id}`,
        n % 2 === 0 ? { get: operation(n, {}) } : { put: operation(n, { requestBody: body(n) }) },
      ]),
    ),
    components: { schemas: schemas(size) },
  }
}

/** A0 is A1 is A2 …, down to a string. */
export const aliasChain = (size: number): object =>
  chain(size, (n) => (n === size - 1 ? { type: 'string' } : ref(`Link${n + 1}`)))

/** Each schema holds the next in a property. */
export const objectChain = (size: number): object =>
  chain(size, (n) => ({
    type: 'object',
    properties: n === size - 1 ? {} : { next: ref(`Link${n + 1}`) },
  }))

/** One schema that is any of so many objects, which a literal tells apart. */
export const wideUnion = (size: number): object => {
  const branch = (n: number) => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string', enum: [`kind${n}`] }, size: { type: 'integer' } },
  })
  const branches = numbers(size).map((n) => [`Branch${n}`, branch(n)])
  return {
    openapi: '3.0.3',
    info: INFO,
    paths: {
      '/any': {
        get: { operationId: 'readAny', responses: answers(ref('Any'), { kind: 'kind0' }) },
      },
    },
    components: {
      schemas: {
        ...Object.fromEntries(branches),
        Any: { oneOf: numbers(size).map((n) => ref(`Branch${n}`)) },
      },
    },
  }
}

function chain(size: number, link: (n: number) => object): object {
  return {
    openapi: '3.0.3',
    info: INFO,
    paths: {
      '/chain': { get: { operationId: 'readChain', responses: answers(ref('Link0'), 'x') } },
    },
    components: { schemas: Object.fromEntries(numbers(size).map((n) => [`Link${n}`, link(n)])) },
  }
}

const INFO = { title: 'Synthetic', version: '1.0.0' }

const numbers = (size: number) => Array.from({ length: size }, (_, n) => n)

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const operation = (n: number, more: object) => ({
  operationId: `thing${n}`,
  summary: `Thing ${n}`,
  parameters: [
    { name: 'id', in: 'path', required: true, schema: ref('Id') },
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
  ],
  ...more,
  responses: { ...answers(ref(`Thing${n}`), thing(n)), 404: { description: 'Gone.' } },
})

const body = (n: number) => ({
  required: true,
  content: { 'application/json': { schema: ref(`Filter${n}`), example: { kinds: ['small'] } } },
})

const answers = (schema: object, example: unknown) => ({
  200: { description: 'As asked.', content: { 'application/json': { schema, example } } },
})

const thing = (n: number) => ({ id: '0x01', size: n, kind: 'large', tags: ['one', 'two'] })

/** Two per method; things hold things, ten deep at most. */
function schemas(size: number): object {
  const pairs = numbers(size).flatMap((n) => [
    [
      `Thing${n}`,
      {
        type: 'object',
        description: `What is known of thing ${n}.`,
        required: ['id', 'size'],
        properties: {
          id: ref('Id'),
          size: { type: 'integer', minimum: 0 },
          kind: { type: 'string', enum: ['small', 'large', `special${n}`] },
          tags: { type: 'array', items: { type: 'string', maxLength: 40 } },
          ...(n % 10 > 0 && { parent: ref(`Thing${n - 1}`) }),
        },
      },
    ],
    [
      `Filter${n}`,
      {
        type: 'object',
        properties: {
          kinds: { type: 'array', items: { type: 'string', enum: ['small', 'large'] } },
          limit: { type: 'integer', minimum: 1 },
          either: {
            oneOf: [
              ref('Id'),
              { type: 'object', required: ['from'], properties: { from: ref('Id') } },
            ],
          },
        },
      },
    ],
  ])
  return { Id: { type: 'string', pattern: '^0x[0-9a-f]+$' }, ...Object.fromEntries(pairs) }
}
