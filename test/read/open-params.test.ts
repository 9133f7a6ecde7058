import { describe, expect, it } from 'vitest'
import { emitRpcTypes } from '../../src/emit/rpc-types.js'
import { parametersSchema } from '../../src/model/params.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { createChecker } from '../../src/schema/check.js'
import { findingsOf } from '../diff/versions.js'
import { apiOf, openrpcOf } from './api-of.js'

const TEXT = { type: 'string' }
const LEVEL = { type: 'object', required: ['level'], properties: { level: TEXT } }

/** The verdicts on the listed param alone, with another text, with another number. */
type Verdicts = readonly [boolean, boolean, boolean]
const OPEN: Verdicts = [true, true, true]
const CLOSED: Verdicts = [true, false, false]
const TEXTS: Verdicts = [true, true, false]

const SHAPES: readonly [string, object, Verdicts, string][] = [
  ['which does not mention others', LEVEL, OPEN, '{ level: string }'],
  [
    'which allows others',
    { ...LEVEL, additionalProperties: true },
    OPEN,
    '{ level: string; [name: string]: unknown }',
  ],
  [
    'which allows others by a schema',
    { ...LEVEL, additionalProperties: {} },
    OPEN,
    '{ level: string; [name: string]: unknown }',
  ],
  [
    'which allows texts',
    { ...LEVEL, additionalProperties: TEXT },
    TEXTS,
    '{ level: string; [name: string]: unknown }',
  ],
  [
    'of two parts, which both allow texts',
    {
      allOf: [
        { ...LEVEL, additionalProperties: TEXT },
        { properties: { level: TEXT }, additionalProperties: { type: 'string', minLength: 1 } },
      ],
    },
    TEXTS,
    '{ level: string; [name: string]: unknown }',
  ],
  ['which forbids others', { ...LEVEL, additionalProperties: false }, CLOSED, '{ level: string }'],
  [
    'which forbids unevaluated ones',
    { ...LEVEL, unevaluatedProperties: false },
    CLOSED,
    '{ level: string }',
  ],
  [
    'of two parts, of which one is closed',
    { allOf: [LEVEL, { properties: { level: TEXT }, additionalProperties: false }] },
    CLOSED,
    '{ level: string }',
  ],
  [
    'of alternatives that are all closed',
    { anyOf: [{ ...LEVEL, additionalProperties: false }] },
    CLOSED,
    '{ level: string }',
  ],
  [
    'of alternatives of which one is open',
    { anyOf: [{ ...LEVEL, additionalProperties: false }, LEVEL] },
    OPEN,
    '{ level: string }',
  ],
]

describe('params by name are as open as their schema', () => {
  it.each(SHAPES)('in a JSON Schema of messages: %s', async (_, params, verdicts, type) => {
    const request = (name: string, own?: object) => ({
      type: 'object',
      properties: { method: { const: name }, ...(own && { params: own }) },
    })
    const api = await apiOfText({
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: {
        ClientRequest: { anyOf: [{ $ref: '#/definitions/SetRequest' }] },
        SetRequest: request('set', params),
        SetResult: { type: 'object' },
      },
    })
    expect(verdictsOf(api)).toEqual(verdicts)
    expect(emitRpcTypes(api).text).toContain(`SetInput = ${type}\n`)
  })

  it.each(SHAPES)(
    'in OpenAPI with a path for each method: %s',
    async (_, params, verdicts, type) => {
      const body = {
        type: 'object',
        properties: { jsonrpc: TEXT, method: { enum: ['set'] }, params },
      }
      const content = (schema: object) => ({ content: { 'application/json': { schema } } })
      const api = await apiOfText({
        openapi: '3.1.0',
        info: { title: 'N', version: '1' },
        paths: {
          '/set': {
            post: {
              requestBody: content(body),
              responses: { 200: { description: 'Ok.', ...content({ type: 'object' }) } },
            },
          },
        },
      })
      expect(verdictsOf(api)).toEqual(verdicts)
      expect(emitRpcTypes(api).text).toContain(`SetInput = ${type}\n`)
    },
  )

  it.each<[title: string, others: object]>([
    ['a reference', { $ref: '#/definitions/Text' }],
    ['a reference to a reference', { $ref: '#/definitions/Alias' }],
    ['references within', { anyOf: [{ $ref: '#/definitions/Text' }, { type: 'boolean' }] }],
  ])('reads the schema of other params as written, behind %s', async (_, additionalProperties) => {
    const others = { ...LEVEL, additionalProperties }
    const messages = await apiOfText({
      definitions: {
        ClientRequest: { $ref: '#/definitions/SetRequest' },
        SetRequest: { properties: { method: { const: 'set' }, params: others } },
        Text: TEXT,
        Alias: { $ref: '#/definitions/Text' },
      },
    })
    expect(verdictsOf(messages)).toEqual(TEXTS)
    const content = (schema: object) => ({ content: { 'application/json': { schema } } })
    const schema = {
      type: 'object',
      properties: { jsonrpc: TEXT, method: { enum: ['set'] }, params: others },
    }
    const post = {
      requestBody: content(schema),
      responses: { 200: { description: 'Ok.', ...content({ type: 'object' }) } },
    }
    const document = {
      openapi: '3.1.0',
      info: { title: 'N', version: '1' },
      paths: { '/set': { post } },
      components: { schemas: { Text: TEXT, Alias: { $ref: '#/components/schemas/Text' } } },
    }
    const text = JSON.stringify(document).replaceAll('#/definitions/', '#/components/schemas/')
    expect(verdictsOf(await apiOfText(JSON.parse(text)))).toEqual(TEXTS)
  })

  it('what all messages have opens a message that does not mention others', async () => {
    const definitions = (general: object) => ({
      definitions: {
        Request: { properties: { params: general } },
        ClientRequest: { $ref: '#/definitions/PingRequest' },
        PingRequest: { properties: { method: { const: 'set' } } },
      },
    })
    const open = await apiOfText(
      definitions({ properties: { level: TEXT }, additionalProperties: {} }),
    )
    expect(emitRpcTypes(open).text).toContain('{ level?: string; [name: string]: unknown }')
    const closed = await apiOfText(
      definitions({ properties: { level: TEXT }, additionalProperties: false }),
    )
    expect(verdictsOf(closed)).toEqual(CLOSED)
  })
})

describe('x-additional-params', () => {
  const method = (more: object) => ({
    name: 'set',
    params: [{ name: 'level', schema: TEXT }],
    ...more,
  })

  it('opens the params by name of a method of OpenRPC', async () => {
    const named = { paramStructure: 'by-name' }
    const of = async (more: object) =>
      verdictsOf(await apiOf({ openrpc: openrpcOf({ methods: [method({ ...named, ...more })] }) }))
    expect(await of({})).toEqual(CLOSED)
    expect(await of({ 'x-additional-params': true })).toEqual(OPEN)
    expect(await of({ 'x-additional-params': TEXT })).toEqual(TEXTS)
  })

  it('is compared by diff', async () => {
    const version = (more: string) => ({
      rpc: `openrpc: 1.3.2
info: { title: T, version: '1' }
methods:
  - { name: set, paramStructure: by-name, params: [], result: { name: r, schema: {} }${more} }
`,
    })
    expect(await findingsOf(version(', x-additional-params: true'), version(''))).toMatch(
      /^error request-/,
    )
    expect(await findingsOf(version(''), version(', x-additional-params: true'))).not.toMatch(
      /error/,
    )
  })
})

const apiOfText = (document: object) =>
  loadApi({ openrpc: parseDocument(JSON.stringify(document), 'schema.json') })

function verdictsOf(api: Awaited<ReturnType<typeof apiOf>>): Verdicts {
  const operation = api.operations[0]
  if (operation?.kind !== 'rpc') throw new TypeError('the document has a method')
  const { check } = createChecker(api.schemas).schema(parametersSchema(operation))
  return [check({ level: 'x' }), check({ level: 'x', other: 'x' }), check({ level: 'x', other: 1 })]
}
