import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { checkTraffic } from '../../src/conform/check-traffic.js'
import { checkHttpResponse } from '../../src/docs/page/try/check-http-response.js'
import { checksOf } from '../../src/docs/page/try/checks.js'
import { tryData } from '../../src/docs/try-data.js'
import type { Api } from '../../src/model/api.js'
import { createNdjsonReader } from '../../src/traffic/ndjson.js'
import { createUsageCounter } from '../../src/usage/usage-counter.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const schema = (of: object, more: object = {}) => ({ schema: of, ...more })
const LIST = schema({ type: 'array', items: { type: 'integer' } })
const COLOURS = schema({ type: 'array', items: { enum: ['red', 'blue'] } })
const PROPERTIES = { a: { type: 'integer' }, b: { enum: ['x'] } }
const OBJECT = { type: 'object', required: ['a', 'b'], properties: PROPERTIES }
const OF_JSON = { content: { 'application/json': { schema: OBJECT } } }

/** Each row is a declared header and its text, which is valid or not for the page, conform and usage alike. */
const ROWS: readonly (readonly [name: string, header: object, text: string, isValid: boolean])[] = [
  ['a list', LIST, '1,2', true],
  ['a list with blanks', LIST, '1, 2', true],
  ['a list with a text', LIST, '1,b', false],
  ['a list as JSON', LIST, '[1,2]', false],
  ['a list of texts', COLOURS, 'red,blue', true],
  ['an object', schema(OBJECT), 'a,1,b,x', true],
  ['an object that is not exploded', schema(OBJECT), 'a=1,b=x', false],
  ['an exploded object', schema(OBJECT, { explode: true }), 'a=1,b=x', true],
  ['a text in quotes', schema({ type: 'string', pattern: '^abc$' }), '"abc"', false],
  ['the text null', schema({ type: ['integer', 'null'] }), 'null', false],
  ['hexadecimal digits', schema({ type: 'integer' }), '0x10', false],
  ['a number', schema({ type: 'integer' }), '16', true],
  ['a boolean', schema({ type: 'boolean' }), 'true', true],
  ['JSON', OF_JSON, '{"a":1,"b":"x"}', true],
  ['no JSON', OF_JSON, 'a,1,b,x', false],
]

const ofHeader = (header: object): Promise<Api> => {
  const responses = { 204: { description: 'Done.', headers: { 'X-Of': header } } }
  const paths = { '/read': { get: { operationId: 'read', responses } } }
  return apiOf({ openapi: openapiOf({ version: '3.1.0', paths }) })
}

const lineOf = (text: string): string => {
  const request = { method: 'GET', url: '/read', headers: {} }
  return `${JSON.stringify({ request, response: { status: 204, headers: { 'x-of': text } } })}\n`
}

it.each(ROWS)('the page: %s', async (_, header, text, isValid) => {
  const api = await ofHeader(header)
  const [operation] = api.operations
  const data = operation && tryData(api, operation)
  if (data?.kind !== 'http') throw new Error('no HTTP operation')
  const headers = new Map([['x-of', text]])
  const received = { method: 'GET', status: 204, headers, text: '', variant: undefined }
  const { tone } = checkHttpResponse(data, checksOf(data), { ...received, isSameOrigin: true })
  expect(tone).toBe(isValid ? 'fits' : 'wrong')
})

it.each(ROWS)('conform: %s', async (_, header, text, isValid) => {
  const folder = mkdtempSync(join(tmpdir(), 'response-headers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'recorded.ndjson')
  writeFileSync(file, lineOf(text))
  const { findings } = await checkTraffic(await ofHeader(header), file)
  expect(findings.map(({ rule }) => rule)).toEqual(isValid ? [] : ['header-invalid'])
})

it.each([
  ['a list', COLOURS, 'red,blue'],
  ['a list with blanks', COLOURS, 'red, blue'],
  ['an object', schema(OBJECT), 'a,1,b,x'],
  ['an exploded object', schema(OBJECT, { explode: true }), 'a=1,b=x'],
  ['JSON', OF_JSON, '{"a":1,"b":"x"}'],
])('usage: %s', async (_, header, text) => {
  const counter = createUsageCounter(await ofHeader(header), {
    by: { kind: 'user-agent' },
    maxConsumers: 9,
    secret: () => new Uint8Array(16),
  })
  const reader = createNdjsonReader('recorded.ndjson', (error) => {
    throw error
  })
  for (const one of reader.push(lineOf(text))) counter.add(one)
  const [consumer] = Object.values(counter.usage(0).consumers)
  // The listed texts of items and members are counted one by one.
  expect(JSON.stringify(consumer)).toMatch(/"values":\{"\\"(red|x)\\""/)
})
