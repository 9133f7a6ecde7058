import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { conform } from '../../src/conform/conform.js'
import { inOneFile } from '../../src/emit/declaration.js'
import { emitHttpClient } from '../../src/emit/http-client.js'
import { emitOperations } from '../../src/emit/operations.js'
import { emitServer } from '../../src/emit/server.js'
import { startMock } from '../../src/mock/mock.js'
import { createService } from '../../src/mock/service.js'
import { cbor } from '../../src/runtime/codecs/cbor.js'
import { isCallError } from '../../src/runtime/errors.js'
import { createHttp, HttpError } from '../../src/runtime/http.js'
import { createServerCore, toNodeListener } from '../../src/runtime/server.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const TYPE = 'application/cbor'
const ORDER = {
  type: 'object',
  required: ['item', 'count'],
  additionalProperties: false,
  properties: { item: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
}
const EXAMPLE = { item: 'pear', count: 2 }
const content = (schema: object, example?: unknown) => ({
  content: { [TYPE]: { schema, ...(example !== undefined && { example }) } },
})

const api = await apiOf({
  openapi: openapiOf({
    paths: {
      '/orders': {
        post: {
          operationId: 'order',
          requestBody: { required: true, ...content(ORDER, EXAMPLE) },
          responses: {
            200: { description: 'Ordered.', ...content(ORDER, EXAMPLE) },
            415: { description: 'Another type.' },
            400: {
              description: 'Invalid.',
              ...content({
                type: 'object',
                required: ['error'],
                properties: { error: { type: 'string' } },
              }),
            },
          },
        },
      },
    },
  }),
})
const { service } = createService(api)

const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]))
const nestedLists = (depth: number) =>
  new Uint8Array([...new Uint8Array(depth - 1).fill(0x81), 0x80])
const nestedMaps = (depth: number) =>
  new Uint8Array([...new Array(depth - 1).fill([0xa1, 0x61, 0x61]).flat(), 0xa0])

type Client = { readonly order: (input: { readonly body: object }) => Promise<unknown> }
const clientOf = (server: string, codecs = { cbor }, validate = {}): Client =>
  createHttp<Client>(
    service.http as Parameters<typeof createHttp>[0],
    service.validators,
    { server, validate },
    async () => service.validators,
    codecs,
  )

/** A server whose handler returns `body`, and the values that it received. */
const serve = async (body: unknown, options: { readonly mostMembers?: number } = {}) => {
  const received: unknown[] = []
  const order = (input: { readonly body: unknown }) => {
    received.push(input.body)
    return { status: 200, body }
  }
  const core = createServerCore(
    { ...service, codecs: { cbor } },
    { order },
    { onError() {}, ...options },
  )
  const server = createServer(toNodeListener(core))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

const send = (url: string, body: Uint8Array<ArrayBuffer>): Promise<Response> =>
  fetch(`${url}/orders`, { method: 'POST', headers: { 'content-type': TYPE }, body })

const bodyIn = async (response: Response): Promise<unknown> => {
  expect(response.headers.get('content-type')).toBe(TYPE)
  return cbor.decode(new Uint8Array(await response.arrayBuffer()))
}

describe('CBOR between a client and a server', () => {
  it('both get the values that the other sent', async () => {
    const { url, received } = await serve({ item: 'apple', count: 3, left: undefined })
    expect(await clientOf(url).order({ body: EXAMPLE })).toEqual({ item: 'apple', count: 3 })
    expect(received).toEqual([EXAMPLE])
  })

  it('a client validates what it sends, and what it gets', async () => {
    const { url, received } = await serve(EXAMPLE)
    const isInvalid = (error: unknown) => isCallError(error) && error.issues.length > 0
    await expect(clientOf(url).order({ body: { item: 'pear', count: 0 } })).rejects.toSatisfy(
      isInvalid,
    )
    expect(received).toEqual([])
    const other = createServer((_, response) => {
      response.setHeader('content-type', TYPE)
      response.end(cbor.encode({ item: 'pear', count: 'two' }))
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    await expect(clientOf(address).order({ body: EXAMPLE })).rejects.toSatisfy(isInvalid)
  })

  it('a server rejects other values, and other bytes, with a body of the declared type', async () => {
    const { url, received } = await serve(EXAMPLE)
    for (const body of [cbor.encode({ item: 'pear', count: 0 }), new Uint8Array([0xff])]) {
      const response = await send(url, body)
      expect([response.status, await bodyIn(response)]).toEqual([
        400,
        { error: expect.any(String) },
      ])
    }
    expect(received).toEqual([])
    const client = clientOf(url, { cbor }, { request: 'off' })
    await expect(client.order({ body: { item: 'pear' } })).rejects.toSatisfy(
      (error) =>
        error instanceof HttpError && error.status === 400 && 'error' in Object(error.body),
    )
  })

  it.each([
    [
      'a map of a known size',
      (count: number) => cbor.encode(numbered(count)),
      3,
      'more than 3 members',
    ],
    [
      'a map of an unknown size',
      (count: number) => new Uint8Array([0xbf, ...cbor.encode(numbered(count)).slice(1), 0xff]),
      3,
      'more than 3 members',
    ],
    [
      'a map in a list in a map',
      (count: number) => cbor.encode({ a: [1, { b: numbered(count) }], c: 1 }),
      3,
      'more than 3 members',
    ],
    ['lists', nestedLists, 256, 'deeper than 256'],
    ['maps', nestedMaps, 256, 'deeper than 256'],
  ])('has a limit for %s', (_, of, most, message) => {
    expect(() => cbor.decode(of(most + 1), 3)).toThrow(message)
    expect(cbor.decode(of(most), 3)).toEqual(expect.anything())
  })

  it('lists and values beside each other are no members', () => {
    const value = { a: [1, 2, 3, 4, 5], b: { c: 1, d: [{ e: 1 }, { e: 2 }, { e: 3 }] }, f: [] }
    expect(cbor.decode(cbor.encode(value), 3)).toEqual(value)
  })

  it('a server rejects a body with more members than its option allows', async () => {
    const { url, received } = await serve(EXAMPLE, { mostMembers: 2 })
    const long = await send(url, cbor.encode({ item: 'pear', count: 2, more: 1 }))
    expect([long.status, Object(await bodyIn(long)).error]).toEqual([
      400,
      expect.stringContaining('more than 2 members'),
    ])
    expect((await send(url, cbor.encode(EXAMPLE))).status).toBe(200)
    expect(received).toEqual([EXAMPLE])
  })

  it('a client without the codec says what is missing', async () => {
    const { url } = await serve(EXAMPLE)
    await expect(
      clientOf(url, {} as { cbor: typeof cbor }).order({ body: EXAMPLE }),
    ).rejects.toThrow('twinspec/runtime/codecs/cbor')
  })
})

it('a body of CBOR for a declared range of any type is bytes, because no codec is imported for it', async () => {
  const any = { content: { '*/*': {} } }
  const anyApi = await apiOf({
    openapi: openapiOf({
      paths: {
        '/orders': {
          post: {
            operationId: 'order',
            requestBody: { required: true, ...any },
            responses: { 200: { description: 'Ordered.', ...any } },
          },
        },
      },
    }),
  })
  const own = createService(anyApi).service
  const bytes = cbor.encode(EXAMPLE)
  const reply = { status: 200, headers: { 'content-type': TYPE }, body: bytes }
  const received: unknown[] = []
  const order = async ({ body }: { readonly body: unknown }) => {
    const file = Object(body) as { readonly bytes?: () => Promise<unknown> }
    received.push((await file.bytes?.()) ?? body)
    return reply
  }
  const core = createServerCore(own, { order }, { onError() {} })
  const server = createServer(toNodeListener(core))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createHttp<{ order: (input: object) => Promise<Blob> }>(
    own.http as Parameters<typeof createHttp>[0],
    own.validators,
    { server: url },
    async () => own.validators,
  )
  const got = await client.order({ body: bytes, contentType: TYPE })
  expect(cbor.decode(new Uint8Array(await got.arrayBuffer()))).toEqual(EXAMPLE)
  expect(received).toEqual([bytes])
  const { findings } = await conform(anyApi, { url, rate: null })
  expect(findings.map(({ rule }) => rule)).toEqual(['status-is-undeclared'])
})

it('a mock sends its examples as CBOR, and conform accepts it', async () => {
  const mock = await startMock(api)
  onTestFinished(mock.stop)
  expect(await clientOf(mock.url).order({ body: EXAMPLE })).toEqual(EXAMPLE)
  const { findings, coverage } = await conform(api, { url: mock.url, rate: null })
  expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([])
  expect(JSON.stringify(coverage)).toContain('order')
})

it('conform reports a response that is no CBOR, or that its schema rejects', async () => {
  for (const [body, rule] of [
    [new Uint8Array([0xff]), 'response-not-cbor'],
    [new TextEncoder().encode('{"item":"pear"}'), 'response-not-cbor'],
    [cbor.encode({ item: 'pear', count: 0 }), 'body-invalid'],
  ] as const) {
    const server = createServer((_, response) => {
      response.setHeader('content-type', TYPE)
      response.end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { findings } = await conform(api, { url, rate: null })
    expect(findings.map((one) => one.rule)).toContain(rule)
  }
})

it('generated code names the codec, and imports its functions', () => {
  expect(inOneFile(emitOperations(api)).text).toContain(`{ type: '${TYPE}', codec: 'cbor' }`)
  const module = "import { cbor } from 'twinspec/runtime/codecs/cbor'"
  expect(emitHttpClient(api).text).toContain(module)
  expect(emitHttpClient(api).text).toContain('explanations, { cbor })')
  expect(emitServer(api).text).toContain(module)
  expect(emitServer(api).text).toContain('codecs: { cbor },')
})
