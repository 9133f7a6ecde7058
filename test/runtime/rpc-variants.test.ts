import { createSubscriptions, serveHandlers } from 'twinspec/runtime/duplex'
import { createRpc, type DuplexLink, type LinkEvents, type Warning } from 'twinspec/runtime/rpc'
import { createServerCore, toFetchHandler } from 'twinspec/runtime/server'
import { describe, expect, it, vi } from 'vitest'
import { createService } from '../../src/mock/service.js'
import { findingsOf } from '../lint/lint-documents.js'
import { apiOf, openrpcOf } from '../read/api-of.js'
import { errorOf } from './rpc-fixture.js'

const text = { type: 'string' }
const integer = { type: 'integer' }
const param = (name: string, schema: object = text, required = true) => ({ name, required, schema })
const result = (schema: object) => ({ result: { name: 'result', schema } })
const one = (value: string) => ({ prefixItems: [{}, { const: value }], minItems: 2 })
const block = {
  type: 'object',
  required: ['size'],
  properties: { size: integer, kind: { enum: ['a'] } },
}

const METHODS = [
  {
    name: 'getBlock',
    params: [param('hash'), param('detail', text, false)],
    ...result({}),
    'x-variants': {
      full: { params: one('full'), result: block },
      size: { params: one('size'), result: integer },
    },
  },
  {
    name: 'findBlock',
    params: [param('by'), param('limit', integer, false)],
    paramStructure: 'by-name',
    ...result({}),
    'x-variants': {
      hash: { params: { properties: { by: { const: 'hash' } } }, result: text },
      size: {
        params: { properties: { by: { const: 'size' } }, required: ['limit'] },
        result: integer,
      },
    },
  },
  {
    name: 'watch',
    params: [param('what')],
    ...result(text),
    'x-subscription': {
      unsubscribe: 'unwatch',
      id: '/id',
      notifications: [{ method: 'seen', item: '/item' }],
    },
    'x-variants': {
      blocks: { params: { prefixItems: [{ const: 'blocks' }] }, result: text, item: block },
      sizes: { params: { prefixItems: [{ const: 'sizes' }] }, result: text, item: integer },
    },
  },
  { name: 'unwatch', params: [param('id')], ...result({}) },
  {
    name: 'seen',
    params: [param('id'), param('item', {})],
    paramStructure: 'by-name',
    'x-direction': 'server',
  },
]

const document = openrpcOf({ openrpc: '1.4.1', methods: METHODS })
const { service } = createService(await apiOf({ openrpc: document }))

type Client = {
  readonly getBlock: (hash: string, detail?: string) => Promise<unknown>
  readonly findBlock: (params: { by: string; limit?: number }) => Promise<unknown>
  readonly request: (call: { method: string; params: unknown }) => Promise<unknown>
  readonly subscribe: { readonly watch: (what: string) => AsyncIterableIterator<unknown> }
}

/** A client of a server that responds to each call with one value. */
const clientOf = (value: unknown) => {
  const warnings: Warning[] = []
  const openings: LinkEvents[] = []
  const link: DuplexLink = {
    kind: 'duplex',
    open: async (events) => {
      openings.push(events)
      return {
        send: async (sent) =>
          events.text(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(sent).id, result: value })),
        close: async () => undefined,
      }
    },
  }
  const client = createRpc<Client>(
    service.rpc as never,
    service.validators,
    { link, onWarning: (warning) => warnings.push(warning) },
    undefined,
    { serveHandlers, createSubscriptions },
  )
  const send = (item: unknown) =>
    openings[0]?.text(
      JSON.stringify({ jsonrpc: '2.0', method: 'seen', params: { id: value, item } }),
    )
  return { client, warnings, send, openings }
}

describe('a server of a method with variants', () => {
  /** The response of a server whose handlers return one value. */
  const answerTo = async (method: string, params: unknown, value: unknown) => {
    const handlers = Object.fromEntries(
      METHODS.slice(0, 3).map(({ name }) => [name, async () => value]),
    )
    const server = createServerCore(service, handlers, { validateOutput: true, onError: () => {} })
    const url = 'http://localhost/'
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await toFetchHandler(server)(
      new Request(url, { method: 'POST', headers, body }),
    )
    return (await response.json()) as { result?: unknown; error?: { code: number } }
  }

  it.each<[string, string, unknown, unknown, boolean]>([
    ['of the variant', 'getBlock', ['0x', 'size'], 5, true],
    ['of another variant', 'getBlock', ['0x', 'full'], 5, false],
    ['of params of no variant', 'getBlock', ['0x', null], 'anything', true],
    ['by name, of the variant', 'findBlock', { by: 'size', limit: 1 }, 5, true],
    ['by name, of another variant', 'findBlock', { by: 'hash' }, 5, false],
  ])('validates a result %s', async (_, method, params, value, isValid) => {
    const answer = await answerTo(method, params, value)
    if (isValid) expect(answer).toMatchObject({ result: value })
    else expect(answer).toMatchObject({ error: { code: -32603 } })
  })
})

describe('a method with variants', () => {
  it.each<[string, (client: Client) => Promise<unknown>, unknown, string | undefined]>([
    ['the variant of the params', (c) => c.getBlock('0x', 'full'), { size: 1, more: 2 }, undefined],
    ['another variant', (c) => c.getBlock('0x', 'size'), 5, undefined],
    ['params of no variant', (c) => c.getBlock('0x'), 'anything', undefined],
    [
      'a result of another variant',
      (c) => c.getBlock('0x', 'size'),
      { size: 1 },
      'must be an integer',
    ],
    [
      'an invalid result',
      (c) => c.getBlock('0x', 'full'),
      { size: 'one' },
      '/size must be an integer',
    ],
    ['params by name', (c) => c.findBlock({ by: 'hash' }), 5, 'must be a string'],
    [
      'a param that the variant requires',
      (c) => c.findBlock({ by: 'size', limit: 1 }),
      'a',
      'must be an integer',
    ],
    ['and leaves out', (c) => c.findBlock({ by: 'size' }), 'a', undefined],
  ])('validates the result by %s', async (_, call, value, why) => {
    const { client } = clientOf(value)
    if (why === undefined) expect(await call(client)).toEqual(value)
    else
      expect(await errorOf(call(client))).toMatchObject({
        reason: 'invalid-answer',
        message: expect.stringContaining(why),
      })
  })

  it('tolerates and reports what results may differ in', async () => {
    const { client, warnings } = clientOf({ size: 1, kind: 'new' })
    expect(await client.getBlock('0x', 'full')).toEqual({ size: 1, kind: 'new' })
    expect(warnings).toMatchObject([{ kind: 'response', operation: 'getBlock' }])
  })
})

describe('a subscription with variants', () => {
  it.each([
    ['blocks', [{ size: 1 }, { size: 2, kind: 'new' }, { size: 3 }], undefined],
    ['sizes', [1, 2, 3], undefined],
    ['sizes', [1, { size: 2 }], 'watch: the item does not match its schema: it must be an integer'],
  ])('validates each item by that of its params, in order: %s %j', async (what, items, why) => {
    const { client, send, openings } = clientOf('id')
    const loop = client.subscribe.watch(what)
    const first = loop.next()
    await vi.waitFor(() => expect(openings).toHaveLength(1))
    await new Promise((resolve) => setTimeout(resolve, 5))
    for (const item of items) send(item)
    const seen = [(await first).value]
    const rest = items.slice(1, why === undefined ? undefined : -1)
    for (const _ of rest) seen.push((await loop.next()).value)
    expect(seen).toEqual(why === undefined ? items : items.slice(0, -1))
    if (why !== undefined)
      expect(await errorOf(loop.next())).toMatchObject({ message: expect.stringContaining(why) })
    await loop.return?.()
  })
})

it('extension-invalid checks the shape of x-variants of a method', async () => {
  expect(await findingsOf('extension-invalid', { openrpc: document })).toEqual([])
  const wrong = { ...METHODS[0], 'x-variants': { full: { request: {} } } }
  expect(
    await findingsOf('extension-invalid', { openrpc: openrpcOf({ methods: [wrong] }) }),
  ).toEqual([
    'error /methods/0/x-variants x-variants, full, must have the property `params`: a variant of a method has params, result, item and errors',
  ])
  expect(await findingsOf('extension-misplaced', { openrpc: document })).toEqual([])
})
