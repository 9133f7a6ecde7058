import { describe, expect, it } from 'vitest'
import { createChecker } from '../../src/schema/check.js'
import { apiOf, openapiOf } from '../read/api-of.js'
import { changesOf } from './versions.js'

type Version = (schema: unknown) => { readonly http: string }

const version =
  (members: (schema: unknown) => object): Version =>
  (schema) => ({
    http: JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Orders', version: '1' },
      paths: { '/orders': { post: { operationId: 'orders', ...members(schema) } } },
    }),
  })

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const DONE = { responses: { '204': { description: 'Done' } } }

const VERSIONS: readonly (readonly [name: string, direction: string, version: Version])[] = [
  ['a request body', 'request', version((schema) => ({ requestBody: json(schema), ...DONE }))],
  [
    'a query parameter',
    'request',
    version((schema) => ({ parameters: [{ name: 'q', in: 'query', schema }], ...DONE })),
  ],
  [
    'a response body',
    'response',
    version((schema) => ({ responses: { '200': { description: 'Ok', ...json(schema) } } })),
  ],
  [
    'a response header',
    'response',
    version((schema) => ({
      responses: { '200': { description: 'Ok', headers: { 'x-order': { schema } } } },
    })),
  ],
]

const PLACES: readonly (readonly [name: string, place: (schema: unknown) => object])[] = [
  ['the whole', (schema) => Object(schema)],
  ['a property', (a) => ({ type: 'object', properties: { a } })],
  [
    'a nested property',
    (b) => ({ type: 'object', properties: { a: { type: 'object', properties: { b } } } }),
  ],
  ['the items', (items) => ({ type: 'array', items })],
  ['a member of oneOf', (one) => ({ oneOf: [one, { type: 'integer' }] })],
  ['a member of anyOf', (one) => ({ anyOf: [one, { type: 'integer' }] })],
  ['a member of allOf', (one) => ({ allOf: [one, { title: 'One' }] })],
  ['a negated schema', (not) => ({ not })],
  ['other properties', (one) => ({ type: 'object', additionalProperties: one })],
]

const READ: readonly (readonly [name: string, schema: object])[] = [
  ['a text', { type: 'string' }],
  [
    'a closed object',
    {
      ...{ type: 'object', required: ['a'], additionalProperties: false },
      properties: { a: { type: 'string' } },
    },
  ],
]

const unread = (name: string) => ({ $ref: `https://example.invalid/${name}.json#/A` })

/** The findings without repetitions: several keywords of one schema may be undecided. */
const rulesOf = async (...pair: Parameters<typeof changesOf>) => [
  ...new Set((await changesOf(...pair)).map(({ rule, level }) => `${level} ${rule}`)),
]

// What was not read is not known, so that a change from it or to it is undecided, and nothing else.
describe.each(VERSIONS)('a reference in %s that was not read', (_, direction, version) => {
  const undecided = [`warning ${direction}-change-is-undecided`]

  describe.each(PLACES)('as %s', (_, place) => {
    it.each(READ)('and is %s now, or was', async (_, schema) => {
      const [known, unknown] = [version(place(schema)), version(place(unread('one')))]
      expect(await rulesOf(unknown, known)).toEqual(undecided)
      expect(await rulesOf(known, unknown)).toEqual(undecided)
    })

    it('and is another one now', async () => {
      const [one, two] = ['one', 'two'].map((name) => version(place(unread(name))))
      if (!one || !two) throw new Error('no version')
      expect(await rulesOf(one, two)).toEqual(undecided)
      expect(await rulesOf(one, one)).toEqual([])
    })
  })
})

it('what is beside it is compared', async () => {
  const [, , version] = VERSIONS[0] ?? []
  if (!version) throw new Error('no version')
  const body = (b: object) => version({ type: 'object', properties: { a: unread('one'), b } })
  expect(await rulesOf(body({ type: 'integer' }), body({ type: 'string' }))).toEqual([
    'error request-type-narrowed',
    'note request-type-widened',
  ])
})

// A part that was not read accepts everything. Its negation must not reject everything.
it.each<[name: string, schema: object, valid: unknown]>([
  ['not', { not: unread('one') }, 'a'],
  ['not, below it', { not: { type: 'object', properties: { a: unread('one') } } }, { a: 1 }],
  ['oneOf', { oneOf: [unread('one'), { type: 'integer' }] }, 1],
  ['oneOf, below it', { oneOf: [{ items: unread('one') }, { type: 'array' }] }, [1]],
  ['if', JSON.parse(`{ "if": ${JSON.stringify(unread('one'))}, "then": false }`), 'a'],
  ['a pattern below not', { not: { pattern: '(?i)a' } }, 'b'],
])('a value is not rejected for what was not read: %s', async (_, schema, valid) => {
  const requestBody = json(schema)
  const post = { operationId: 'add', requestBody, ...DONE }
  const api = await apiOf({
    openapi: openapiOf({ version: '3.1.0', paths: { '/a': { post } } }),
  })
  const [operation] = api.operations
  const [media] = operation?.kind === 'http' ? (operation.body?.content ?? []) : []
  if (!media) throw new Error('no body')
  expect(createChecker(api.schemas).schema(media.schema).explain(valid)).toEqual([])
})
