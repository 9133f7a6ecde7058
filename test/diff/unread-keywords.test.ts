import { expect, it } from 'vitest'
import { changesOf } from './versions.js'

/** Valid in PCRE: a quantifier after an assertion. */
const FOREIGN = { pattern: '^\\d{3}$?' }
const KNOWN = { pattern: '^\\d{3}$' }
const TEXT = { type: 'string' }

const operation = (members: object) => ({
  http: JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Orders', version: '1' },
    paths: { '/orders': { post: { operationId: 'orders', ...members } } },
  }),
})

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const DONE = { responses: { '204': { description: 'Done' } } }
const request = (schema: unknown) => operation({ requestBody: json(schema), ...DONE })
const query = (schema: unknown) =>
  operation({ parameters: [{ name: 'q', in: 'query', schema }], ...DONE })
const header = (schema: unknown) =>
  operation({ parameters: [{ name: 'x-q', in: 'header', schema }], ...DONE })
const response = (schema: unknown) =>
  operation({ responses: { '200': { description: 'Ok', ...json(schema) } } })
const param = (schema: unknown) => ({
  rpc: JSON.stringify({
    openrpc: '1.3.2',
    info: { title: 'Orders', version: '1' },
    methods: [
      {
        name: 'order_get',
        params: [{ name: 'order', schema }],
        result: { name: 'order', schema: {} },
      },
    ],
  }),
})
const object = (a: unknown) => ({ type: 'object', properties: { a } })

const rulesOf = async (...pair: Parameters<typeof changesOf>) =>
  (await changesOf(...pair)).map(({ rule, level }) => `${level} ${rule}`)

it.each<readonly [string, (schema: unknown) => object, unknown, unknown]>([
  ['a body', request, object(TEXT), object({ ...TEXT, ...FOREIGN })],
  ['a query parameter', query, TEXT, { ...TEXT, ...FOREIGN }],
  ['a header', header, TEXT, { ...TEXT, ...FOREIGN }],
  ['a param', param, TEXT, { ...TEXT, ...FOREIGN }],
  [
    'the items of a list',
    request,
    { type: 'array', items: TEXT },
    { type: 'array', items: { ...TEXT, ...FOREIGN } },
  ],
  [
    'a nullable text',
    request,
    { ...TEXT, nullable: true },
    { ...TEXT, ...FOREIGN, nullable: true },
  ],
  ['a term that has nothing else', request, object(TEXT), object({ allOf: [TEXT, FOREIGN] })],
  [
    'a text that had another one',
    request,
    object({ ...TEXT, ...KNOWN }),
    object({ ...TEXT, ...FOREIGN }),
  ],
  [
    'a text, instead of another invalid one',
    request,
    { ...TEXT, pattern: '(' },
    { ...TEXT, ...FOREIGN },
  ],
  ['a text, as an invalid length', request, TEXT, { ...TEXT, minLength: '3x' }],
  ['a text, as an invalid list', request, TEXT, { ...TEXT, enum: 'a' }],
])(
  'a keyword that could not be read is undecided if a request demands it now: %s',
  async (_, version, before, after) => {
    expect(await rulesOf(version(before), version(after))).toEqual([
      'warning request-change-is-undecided',
    ])
    expect(await rulesOf(version(after), version(after))).toEqual([])
  },
)

const remote = (name: string) => ({ $ref: `https://example.invalid/${name}.json#/A` })

it.each<readonly [string, (schema: unknown) => object, (name: string) => unknown]>([
  ['a body', request, (name) => object(remote(name))],
  ['a query parameter', query, remote],
  ['a param', param, remote],
  ['the items of a list', request, (name) => ({ type: 'array', items: remote(name) })],
  ['a response', response, (name) => object(remote(name))],
  ['a file that does not exist', response, (name) => object({ $ref: `${name}.json` })],
])('another reference that could not be read is undecided: %s', async (_, version, schema) => {
  const found = await rulesOf(version(schema('one')), version(schema('two')))
  expect(found).toEqual([expect.stringMatching(/^warning (request|response)-change-is-undecided$/)])
  expect(await rulesOf(version(schema('one')), version(schema('one')))).toEqual([])
})

it('a request that no longer demands it breaks nobody', async () => {
  const [before, after] = [object({ ...TEXT, ...FOREIGN }), object(TEXT)]
  expect(await rulesOf(request(before), request(after))).toEqual([])
})

it('a pattern that is valid now may demand what the invalid one meant', async () => {
  const [before, after] = [object({ ...TEXT, ...FOREIGN }), object({ ...TEXT, ...KNOWN })]
  expect(await rulesOf(request(before), request(after))).toEqual([
    'warning request-change-is-undecided',
  ])
  const [finding] = await changesOf(request(before), request(after))
  expect(finding?.witness).toBeUndefined()
})

it('a response that no longer promises it is undecided, one that promises it now is safe', async () => {
  const [plain, known, foreign] = [TEXT, { ...TEXT, ...KNOWN }, { ...TEXT, ...FOREIGN }]
  const undecided = ['warning response-change-is-undecided']
  expect(await rulesOf(response(foreign), response(plain))).toEqual(undecided)
  expect(await rulesOf(response(known), response(foreign))).toEqual(undecided)
  expect(await rulesOf(response(plain), response(foreign))).toEqual([])
})
