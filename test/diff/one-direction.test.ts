import { expect, it } from 'vitest'
import { changesOf } from './versions.js'

type Json = Readonly<Record<string, unknown>>

const document = (operation: Json, schemas: Json) => ({
  http: JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Pets', version: '1' },
    paths: { '/pets': { post: { operationId: 'pets', ...operation } } },
    components: { schemas },
  }),
})

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const request = (schema: unknown, schemas: Json = {}) =>
  document({ requestBody: json(schema), responses: { '204': { description: 'Done' } } }, schemas)
const response = (schema: unknown, schemas: Json = {}) =>
  document({ responses: { '200': { description: 'Ok', ...json(schema) } } }, schemas)

const TEXT = { type: 'string' }
const SHORT = { type: 'string', maxLength: 3 }
const object = (properties: Json, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})
const ref = { $ref: '#/components/schemas/Id' }

const found = async (...pair: Parameters<typeof changesOf>) =>
  (await changesOf(...pair)).map(({ level, rule }) => `${level} ${rule}`)

type Row = readonly [string, unknown, unknown, Json?, Json?]

const filled = ([name, before, after, old = {}, young = {}]: Row) =>
  [name, before, after, old, young] as const

/** A property that is of one direction, before and after a change of its values. */
const MARKED = (mark: Json): readonly Row[] => [
  ['a bound', object({ a: { ...TEXT, ...mark } }), object({ a: { ...SHORT, ...mark } })],
  ['a type', object({ a: { ...TEXT, ...mark } }), object({ a: { type: 'integer', ...mark } })],
  [
    'a format',
    object({ a: { ...TEXT, ...mark } }),
    object({ a: { ...TEXT, format: 'uuid', ...mark } }),
  ],
  [
    'within it',
    object({ a: { ...object({ b: TEXT }), ...mark } }),
    object({ a: { ...object({ b: SHORT }), ...mark } }),
  ],
  [
    'by reference',
    object({ a: ref }),
    object({ a: ref }),
    { Id: { ...TEXT, ...mark } },
    { Id: { ...SHORT, ...mark } },
  ],
  [
    'in an allOf',
    object({ a: { allOf: [ref], ...mark } }),
    object({ a: { allOf: [ref], ...mark } }),
    { Id: TEXT },
    { Id: SHORT },
  ],
  [
    'with the mark in an allOf',
    object({ a: { allOf: [{ ...TEXT, ...mark }] } }),
    object({ a: { allOf: [{ ...SHORT, ...mark }] } }),
  ],
  [
    'in a list',
    { type: 'array', items: object({ a: { ...TEXT, ...mark } }) },
    { type: 'array', items: object({ a: { ...SHORT, ...mark } }) },
  ],
  [
    'in each alternative',
    {
      oneOf: [
        object({ a: { ...TEXT, ...mark }, k: TEXT }, ['k']),
        object({ a: { ...TEXT, ...mark } }),
      ],
    },
    {
      oneOf: [
        object({ a: { ...SHORT, ...mark }, k: TEXT }, ['k']),
        object({ a: { ...SHORT, ...mark } }),
      ],
    },
  ],
  ['a new one', object({ b: TEXT }), object({ b: TEXT, a: { ...TEXT, ...mark } })],
  ['one that is gone', object({ b: TEXT, a: { ...TEXT, ...mark } }), object({ b: TEXT })],
]

it.each(MARKED({ readOnly: true }).map(filled))(
  'a readOnly property is not in requests, so no caller sends it: %s',
  async (_, before, after, old, young) => {
    expect(await found(request(before, old), request(after, young))).toEqual([])
    expect(await found(response(before, old), response(after, young))).not.toEqual([])
  },
)

it.each(MARKED({ writeOnly: true }).map(filled))(
  'a writeOnly property is not in responses, so no client reads it: %s',
  async (_, before, after, old, young) => {
    expect(await found(response(after, young), response(before, old))).toEqual([])
    expect(await found(request(before, old), request(after, young))).not.toEqual([])
  },
)

it('a property is compared where only one alternative marks it', async () => {
  const version = (a: Json) =>
    request({
      oneOf: [
        object({ a: { ...a, readOnly: true }, k: { enum: ['x'] } }, ['k']),
        object({ a, k: { enum: ['y'] } }, ['k']),
      ],
    })
  expect(await found(version(TEXT), version(SHORT))).toContain('error request-max-length-lowered')
})

it.each([
  ['null without it', { anyOf: [{ ...TEXT, writeOnly: true }, { type: 'null' }] }],
  ['a number without it', { oneOf: [{ ...TEXT, writeOnly: true }, { type: 'number' }] }],
])('an alternative of a writeOnly property is sent in responses: %s', async (_, after) => {
  const before = object({ a: { ...TEXT, writeOnly: true } })
  const rules = await found(response(before), response(object({ a: after })))
  expect(rules.filter((one) => !one.startsWith('note'))).not.toEqual([])
})

it('a property that callers did not send breaks them once it is required', async () => {
  const [before, after] = [object({ a: { ...TEXT, readOnly: true } }), object({ a: SHORT }, ['a'])]
  const rules = await found(request(before), request(after))
  expect(rules).toContain('error request-property-became-required')
  expect(rules).not.toContain('error request-max-length-lowered')
})

it('a property that becomes readOnly is one warning, whatever else changes of it', async () => {
  const [before, after] = [object({ a: TEXT }), object({ a: { ...SHORT, readOnly: true } })]
  expect(await found(request(before), request(after))).toEqual([
    'warning request-property-became-read-only',
  ])
})

it.each<readonly [string, unknown, unknown, readonly string[]]>([
  ['another type', { type: 'integer' }, TEXT, ['error response-type-widened']],
  ['a longer text', SHORT, TEXT, ['error response-max-length-raised']],
  ['a shorter text', TEXT, SHORT, []],
  ['the same', TEXT, TEXT, []],
  ['another type within it', object({ b: TEXT }), object({ b: { type: 'integer' } }), ['error']],
])(
  'a writeOnly property that a new response has is read by its old schema: %s',
  async (_, old, young, rules) => {
    const versions = [
      object({ a: { ...(old as Json), writeOnly: true } }),
      object({ a: young }),
    ] as const
    const all = await found(response(versions[0]), response(versions[1]))
    const breaking = all.filter((one) => !one.startsWith('note'))
    expect(breaking).toHaveLength(rules.length)
    for (const [at, rule] of rules.entries()) expect(breaking[at]).toContain(rule)
    // Required of requests only, it is no promise of responses.
    const required = { ...versions[0], required: ['a'] }
    const promised = await found(response(required), response(object({ a: old })))
    expect(promised.filter((one) => !one.startsWith('note'))).toEqual([])
  },
)
