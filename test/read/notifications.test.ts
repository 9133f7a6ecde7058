import { describe, expect, it } from 'vitest'
import { emitRpcClient } from '../../src/emit/rpc-client.js'
import { emitRpcTypes } from '../../src/emit/rpc-types.js'
import { emitServer } from '../../src/emit/server.js'
import { createService } from '../../src/mock/service.js'
import { createRpc } from '../../src/runtime/rpc.js'
import { createServerCore, rejectAll, toFetchHandler } from '../../src/runtime/server.js'
import { apiOf, openrpcOf } from './api-of.js'

const HREF = { name: 'href', required: true, schema: { type: 'string' } }
const RESULT = { result: { name: 'seen', schema: { type: 'boolean' } } }

describe('who sends a method', () => {
  const CLIENT = { clients: true, server: false, isWarned: false }
  const SERVER = { clients: false, server: true, isWarned: false }
  const BOTH = { clients: true, server: true, isWarned: false }
  it.each<[string, object, object, string?]>([
    ['without a result: both may, with a warning', {}, { ...BOTH, isWarned: true }],
    ['without a result, of 1.4: the same', {}, { ...BOTH, isWarned: true }, '1.4.1'],
    ['without a result, by the document: clients', { 'x-direction': 'client' }, CLIENT],
    ['without a result, by the document: the server', { 'x-direction': 'server' }, SERVER],
    ['without a result, by the document: both', { 'x-direction': 'both' }, BOTH],
    ['with a result: clients', RESULT, CLIENT],
    [
      'with errors, which a notification has not: clients',
      { errors: [{ code: 1, message: 'No' }] },
      CLIENT,
    ],
    ['without a result, of a version without notifications: clients', {}, CLIENT, '1.2.6'],
    ['an unknown direction is none', { 'x-direction': 'up' }, { ...BOTH, isWarned: true }],
  ])('%s', async (_, fields, want, version = '1.3.2') => {
    const { operations, serverMethods, findings } = await read(fields, version)
    const warned = findings.filter(({ rule }) => rule === 'notification-direction-is-unknown')
    expect({
      clients: operations.some((one) => one.id === 'clicked'),
      server: serverMethods.some((one) => one.id === 'clicked'),
      isWarned: warned.length > 0,
    }).toEqual(want)
    expect(warned.map(({ level }) => level)).toEqual(warned.map(() => 'warning'))
  })
})

describe('a notification that nobody is named for', () => {
  it('is a method of clients, and a handler that a server need not have', async () => {
    const api = await read({})
    expect(emitRpcClient(api).text).toMatch(/readonly clicked: /)
    expect(emitRpcTypes(api).text).toMatch(/RpcServerMethods = \{\s*clicked: /)
    expect(emitServer(api).text).toMatch(/readonly clicked\?: RpcHandler<[^\n]*> \| undefined/)
    const directed = await read({ 'x-direction': 'client' })
    expect(emitServer(directed).text).toMatch(/readonly clicked: RpcHandler</)
  })

  it('arrives at the handler that is given', async () => {
    const seen: unknown[] = []
    const { send, methods } = await served({ clicked: (params: unknown) => void seen.push(params) })
    expect(await send('https://a.example')).toBeUndefined()
    expect(seen).toEqual([['https://a.example']])
    expect(methods).toEqual([['clicked', undefined]])
  })

  it('is reported by onCall where no handler is given, or all are refused', async () => {
    for (const handlers of [{}, undefined]) {
      const { send, methods } = await served(handlers)
      expect(await send('https://a.example')).toBeUndefined()
      expect(methods).toEqual([['clicked', -32601]])
    }
    const directed = await read({ 'x-direction': 'client' })
    expect(() => createServerCore(createService(directed).service, {})).toThrow(
      'No handler for clicked',
    )
  })
})

const read = (fields: object, openrpc = '1.3.2') =>
  apiOf({
    openrpc: openrpcOf({ openrpc, methods: [{ name: 'clicked', params: [HREF], ...fields }] }),
  })

/** A client of a server with the handlers; by default all refuse. */
async function served(handlers: object | undefined) {
  const { service } = createService(await read({}))
  const methods: unknown[] = []
  const server = createServerCore(service, (handlers ?? rejectAll(service)) as never, {
    onCall: ({ method, code }) => void methods.push([method, code]),
  })
  const answer = toFetchHandler(server)
  const fetch = (url: string, init: RequestInit) => answer(new Request(url, init))
  type Client = { readonly clicked: (href: string) => Promise<undefined> }
  const { rpc, validators } = service
  if (!rpc) throw new TypeError('the document has methods')
  const client = createRpc<Client>({ ...rpc, servers: [] } as never, validators as never, {
    fetch: fetch as typeof globalThis.fetch,
    server: 'http://h.example/',
  })
  return { send: (href: string) => client.clicked(href), methods }
}
