import { expect, it } from 'vitest'
import { apiOf } from './api-of.js'

const FINE = { get: { operationId: 'fine', responses: { 200: { description: 'ok' } } } }

const swagger = (operation: object, rest: object = {}) => ({
  swagger: '2.0',
  info: { title: 'T', version: '1' },
  paths: {
    '/a': { post: { operationId: 'a', responses: { 200: { description: 'ok' } }, ...operation } },
    '/fine': FINE,
  },
  ...rest,
})

// biome-ignore format: a row each
const SWAGGER: readonly (readonly [document: object, expected: string])[] = [
  [swagger({ parameters: [null] }), 'error /paths/~1a/post/parameters/0 parameters[0] must be an object, not null: it is left out'],
  [swagger({ parameters: { q: {} } }), 'error /paths/~1a/post/parameters parameters must be a list, not an object: it is left out'],
  [swagger({ parameters: null }), 'warning /paths/~1a/post/parameters parameters must be a list, not null'],
  [swagger({ consumes: 'application/json' }), 'error /paths/~1a/post/consumes consumes must be a list, not the string "application/json": it is left out'],
  [swagger({ produces: [5] }), 'error /paths/~1a/post/produces/0 produces[0] must be a string, not 5: it is left out'],
  [swagger({ responses: { 200: null } }), 'error /paths/~1a/post/responses/200 responses[200] must be an object, not null: it is left out'],
  [swagger({}, { securityDefinitions: { k: null } }), 'error /securityDefinitions/k k must be an object, not null: it is left out'],
  [swagger({ parameters: [{ $ref: '#/parameters/none' }] }), 'error /paths/~1a/post/parameters/0/$ref the target of #/parameters/none does not exist'],
]

it.each(SWAGGER)('an error in Swagger 2.0 leaves the rest: %j', async (document, expected) => {
  const { operations, lines } = await read({ openapi: document })
  expect(lines).toContain(expected)
  expect(operations).toEqual(['a', 'fine'])
})

const openrpc = (...methods: readonly unknown[]) => ({
  openrpc: '1.3.2',
  info: { title: 'T', version: '1' },
  methods: [...methods, { name: 'fine', params: [], result: { name: 'r', schema: {} } }],
})

const method = (rest: object) => ({ name: 'a', result: { name: 'r', schema: {} }, ...rest })

// biome-ignore format: a row each
const OPENRPC: readonly (readonly [document: object, operations: readonly string[], expected: readonly string[]])[] = [
  [openrpc(method({})), ['a()', 'fine()'], ['warning /methods/0 methods[0] must have the property `params`']],
  [openrpc(method({ params: null, externalDocs: null })), ['a()', 'fine()'], ['warning /methods/0/params the params of a must be a list, not null: it is read as no params; write params: []', 'warning /methods/0/externalDocs externalDocs must be an object, is null']],
  [openrpc(method({ params: { p: {} } })), ['fine()'], ['error /methods/0/params params must be an array, is an object', 'warning /methods/0 the method a is left out, because not all of its params can be read']],
  [openrpc(method({ params: [{ $ref: '#/nope' }] })), ['fine()'], ['error /methods/0/params/0/$ref the target of #/nope does not exist', 'warning /methods/0 the method a is left out, because not all of its params can be read']],
  [openrpc(method({ params: [{ schema: {} }] })), ['a(param1)', 'fine()'], ['error /methods/0/params/0 a param needs a name: this one is called param1']],
  [openrpc(method({ name: '', params: [] })), ['fine()'], ['error /methods/0 a method needs a name: this one is left out']],
  [openrpc(method({ params: [] }), method({ params: [{ name: 'p', schema: {} }] })), ['a()', 'fine()'], ['error /methods/1 the method a is declared twice; the first is at openrpc.json:8']],
  [openrpc('text'), ['fine()'], ['error /methods/0 methods[0] must be an object, is the string "text"']],
  [openrpc(method({ params: [], result: 'text' })), ['a()', 'fine()'], ['error /methods/0/result result must be an object, is the string "text"']],
]

it.each(OPENRPC)(
  'an error in OpenRPC leaves the rest: %j',
  async (document, operations, expected) => {
    const { lines, operations: found } = await read({ openrpc: document })
    expect(lines).toEqual(expect.arrayContaining([...expected]))
    expect(found).toEqual(operations)
  },
)

it.each([{ openapi: '3.0.3' }, { openrpc: '1.3.2', info: {} }])(
  'a document with errors and without content is refused: %j',
  async (document) => {
    const kind = 'openapi' in document ? 'openapi' : 'openrpc'
    await expect(read({ [kind]: document })).rejects.toThrow(/which is missing|must have/)
  },
)

async function read(documents: { readonly openapi?: object; readonly openrpc?: object }) {
  const { operations, findings } = await apiOf(documents)
  return {
    operations: operations.map((one) =>
      one.kind === 'http' ? one.id : `${one.id}(${one.params.map(({ name }) => name).join(', ')})`,
    ),
    lines: findings.map(
      ({ level, location, message }) => `${level} ${location.pointer} ${message}`,
    ),
  }
}

it('a document of which no operation can be read is not read, though its schemas can', async () => {
  const document = (paths: object) => ({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths,
    components: { schemas: { A: { type: 'string' } } },
  })
  const lost = { '/a': { $ref: 'a.yaml' }, '/b': { $ref: 'b.yaml' } }
  await expect(read({ openapi: document(lost) })).rejects.toThrow(/a\.yaml points at a file/)
  expect((await read({ openapi: document({ ...lost, '/fine': FINE }) })).operations).toEqual([
    'fine',
  ])
  expect((await read({ openapi: document({}) })).operations).toEqual([])
})

it.each([{ responses: { $ref: '#' } }, { responses: { $ref: '#/paths' } }])(
  'a map that refers to what contains it is empty there: %j',
  async (operation) => {
    const { lines, operations } = await read({
      openapi: {
        openapi: '3.1.0',
        info: { title: 'T', version: '1' },
        paths: { '/a': { get: { operationId: 'a', ...operation } }, '/fine': FINE },
      },
    })
    expect(operations).toEqual(['a', 'fine'])
    expect(lines.join('\n')).toContain('contains this reference, so it is read as an empty object')
  },
)

it('a map of schemas that refers to a member of itself is an error of its part', async () => {
  const { lines, operations } = await read({
    openapi: {
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: { '/fine': FINE },
      components: { schemas: { $ref: '#/components/schemas/T', nullable: true } },
    },
  })
  expect(operations).toEqual(['fine'])
  expect(lines.join('\n')).toContain('the target of #/components/schemas/T does not exist')
})
