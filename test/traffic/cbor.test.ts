import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { checkTraffic } from '../../src/conform/check-traffic.js'
import { cbor } from '../../src/runtime/codecs/cbor.js'
import { createHarReader } from '../../src/traffic/har.js'
import { createNdjsonReader } from '../../src/traffic/ndjson.js'
import { createUsageCounter } from '../../src/usage/usage-counter.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const type = 'application/cbor'
const headers = { 'content-type': type }
const url = 'https://a.example/orders'
const schema = {
  type: 'object',
  required: ['item'],
  additionalProperties: false,
  properties: { item: { type: 'string', enum: ['pear', 'plum'] }, count: { type: 'integer' } },
}
const body = { content: { [type]: { schema } } }
const api = await apiOf({
  openapi: openapiOf({
    paths: {
      '/orders': {
        post: {
          operationId: 'order',
          requestBody: { required: true, ...body },
          responses: { 200: { description: 'Ordered.', ...body }, 400: { description: 'Wrong.' } },
        },
      },
    },
  }),
})

type Part = { readonly value: unknown } | { readonly bytes: Uint8Array } | { readonly text: string }

/** The exchange in HAR, as browsers save it; a part that is a value has no place there. */
const inHar = (request: Part, response: Part): string => {
  const contentOf = (part: Part) => {
    if ('text' in part) return { mimeType: type, text: part.text, size: part.text.length }
    const bytes = 'bytes' in part ? part.bytes : cbor.encode(part.value)
    const text = Buffer.from(bytes).toString('base64')
    return { mimeType: type, text, encoding: 'base64', size: bytes.length }
  }
  const pairs = [{ name: 'Content-Type', value: type }]
  const entry = {
    request: { method: 'POST', url, headers: pairs, postData: contentOf(request) },
    response: { status: 200, headers: pairs, content: contentOf(response) },
  }
  return JSON.stringify({ log: { entries: [entry] } })
}

const inLine = (request: Part, response: Part): string => {
  const bodyOf = (part: Part) => ('value' in part ? part.value : 'text' in part ? part.text : '')
  return JSON.stringify({
    request: { method: 'POST', url, headers, body: bodyOf(request) },
    response: { status: 200, headers, body: bodyOf(response) },
  })
}

const usageOf = (text: string, isHar: boolean, codecs = { cbor }): string => {
  const fail = (error: unknown) => expect(error).toBeUndefined()
  const reader = (isHar ? createHarReader : createNdjsonReader)('recorded', fail)
  const secret = () => new Uint8Array(16)
  const counter = createUsageCounter(api, {
    ...{ by: { kind: 'user-agent' }, maxConsumers: 9, codecs, secret },
  })
  for (const one of [...reader.push(`${text}\n`), ...reader.end()]) counter.add(one)
  return JSON.stringify(counter.usage(0).consumers)
}

const conformOf = async (text: string, isHar: boolean) => {
  const folder = await mkdtemp(join(tmpdir(), 'cbor-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, isHar ? 'a.har' : 'a.ndjson')
  await writeFile(file, `${text}\n`)
  const { findings, notTested } = await checkTraffic(api, file)
  return [findings.map(({ rule }) => rule), notTested.map(({ why }) => why)]
}

const GOOD: Part = { value: { item: 'pear' } }
const WRONG: Part = { value: { item: 'fig' } }
const BROKEN: Part = { bytes: new Uint8Array([0xa1, 0x64]) }
const TEXT: Part = { text: '\ufffddit' }
const UNREAD = 'the body of its request was not recorded, or cannot be read'

it.each([
  ['HAR', inHar, true],
  ['a line with the values', inLine, false],
])('CBOR in %s is counted, and checked', async (_, write, isHar) => {
  const counted = usageOf(write(GOOD, { value: { item: 'plum' } }), isHar)
  expect(counted).toContain(String.raw`"\"pear\""`)
  expect(counted).toContain(String.raw`"\"plum\""`)
  expect(counted).not.toContain('unread')
  expect(await conformOf(write(GOOD, GOOD), isHar)).toEqual([[], []])
  expect(await conformOf(write(WRONG, GOOD), isHar)).toEqual([['invalid-request-accepted'], []])
  expect(await conformOf(write(GOOD, WRONG), isHar)).toEqual([['body-invalid'], []])
})

it('what cannot be decoded is counted as unread, and reported', async () => {
  for (const [part, isHar] of [
    [BROKEN, true],
    [TEXT, true],
    [TEXT, false],
  ] as const) {
    const write = isHar ? inHar : inLine
    for (const text of [write(part, GOOD), write(GOOD, part)])
      expect(usageOf(text, isHar)).toContain('"unread":{"codec":1}')
    expect(await conformOf(write(part, GOOD), isHar)).toEqual([[], [UNREAD]])
  }
  expect(await conformOf(inHar(GOOD, BROKEN), true)).toEqual([['response-not-cbor'], []])
  for (const [write, isHar] of [
    [inHar, true],
    [inLine, false],
  ] as const)
    expect(await conformOf(write(GOOD, TEXT), isHar)).toEqual([
      [],
      ['the body of its response was recorded as a text, without its bytes'],
    ])
})

it('without a Content-Type, the only declared type is checked', async () => {
  const untyped = (part: Part) => {
    const { log } = JSON.parse(inHar(GOOD, part))
    const [{ response }] = log.entries
    response.headers = [{ name: 'Date', value: 'Mon, 30 Nov 2026 06:00:00 GMT' }]
    return JSON.stringify({ log })
  }
  expect(await conformOf(untyped(GOOD), true)).toEqual([['content-type-is-undeclared'], []])
  const wrong = ['content-type-is-undeclared', 'body-invalid']
  expect(await conformOf(untyped(WRONG), true)).toEqual([wrong, []])
  expect(usageOf(untyped({ value: { item: 'plum' } }), true)).toContain(String.raw`"\"plum\""`)
})

it('without the codec, usage counts the body as unread', () => {
  const counted = usageOf(inHar(GOOD, GOOD), true, {} as { cbor: typeof cbor })
  expect(counted.match(/"unread":\{"codec":1\}/g)).toHaveLength(2)
})
