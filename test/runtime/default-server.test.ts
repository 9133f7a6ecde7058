import { afterEach, expect, it, vi } from 'vitest'
import { httpFirst } from '../../src/read/document-info.js'
import { createHttp } from '../../src/runtime/http.js'
import type { HttpOperation, Server } from '../../src/runtime/operation.js'
import { createRpc } from '../../src/runtime/rpc.js'
import { withoutOrigin } from '../../src/runtime/shared/server-url.js'
import { operation } from './http-fixture.js'

type Written = string | Pick<Server, 'url' | 'variables'>

/** As a document is read. */
const serversOf = (urls: readonly Written[]): readonly Server[] =>
  httpFirst(
    urls.map((one, index) => {
      const written = typeof one === 'string' ? { url: one, variables: {} } : one
      return { name: `s${index + 1}`, ...written }
    }),
  )

const check = { check: () => true, open: () => true }

type Options = {
  readonly server?: string
  readonly variables?: Readonly<Record<string, string>>
}

/** The URL that a call of each protocol sends to. */
const sentTo = async (
  urls: readonly Written[],
  options: Options = {},
  own: readonly Written[] = [],
): Promise<{ readonly http: string; readonly rpc: string }> => {
  const sent: string[] = []
  const fetch = async (url: string, { method }: RequestInit) => {
    sent.push(url)
    return Response.json(method === 'POST' ? { jsonrpc: '2.0', id: 1, result: 1 } : {})
  }
  const servers = serversOf(urls)
  const find: HttpOperation = operation('find', { servers: serversOf(own) })
  const http = createHttp<{ find: () => Promise<unknown> }>(
    { servers, limits: {}, operations: { find } },
    { find: { responses: {} } },
    { ...options, fetch },
  )
  const ping = {
    ...{ kind: 'rpc' as const, id: 'ping', method: 'ping', params: [], errors: [] },
    paramStructure: 'by-position' as const,
  }
  const path = withoutOrigin(servers[0]?.url ?? '') || '/'
  const rpc = createRpc<{ ping: () => Promise<unknown> }>(
    { servers, path, limits: {}, operations: { ping } },
    { ping: { params: check, result: check } },
    { ...options, fetch },
  )
  await http.find()
  await rpc.ping()
  return { http: sent[0] ?? '', rpc: sent[1] ?? '' }
}

afterEach(() => vi.unstubAllGlobals())

const inPage = () => vi.stubGlobal('location', { href: 'https://page.example/app/' })

const scheme = (usual: string) => ({
  url: '{scheme}://a.example',
  variables: { scheme: { default: usual } },
})

it.each<readonly [readonly Written[], Options, string]>([
  [['wss://a.example/ws', 'https://b.example/rpc'], {}, 'https://b.example/rpc'],
  [['ws://a.example', 'wss://b.example', 'HTTP://c.example'], {}, 'HTTP://c.example'],
  [['https://a.example', 'wss://b.example'], {}, 'https://a.example'],
  [['ipc:///tmp/a.ipc', 'https://b.example'], {}, 'https://b.example'],
  [[scheme('wss'), 'https://b.example'], {}, 'https://b.example'],
  [[scheme('https'), 'https://b.example'], {}, 'https://a.example'],
  // A URL of the caller ends with the path of the server that HTTP can reach.
  [
    ['wss://a.example/ws', 'https://b.example/v1'],
    { server: 'https://c.example' },
    'https://c.example/v1',
  ],
  [['wss://a.example/ws'], { server: 'https://c.example/ws' }, 'https://c.example/ws'],
  [[], { server: 'https://c.example' }, 'https://c.example'],
])('the servers %j with %j: a client calls %s', async (urls, options, want) => {
  expect(await sentTo(urls, options)).toEqual({ http: `${want}/find`, rpc: want })
})

it.each<readonly [readonly Written[], Options, RegExp]>([
  [
    ['wss://a.example'],
    {},
    /^server 's1' is no http:\/\/ or https:\/\/ URL: choose another, or give a URL$/,
  ],
  [['https://a.example', 'wss://b.example'], { server: 's2' }, /^server 's2' is no http:/],
  [['https://a.example'], { server: 'wss://b.example' }, /^server 'as given' is no http:/],
  [[], {}, /^the document declares no server: give a URL$/],
  [['/'], {}, /^server 's1' is relative to its document: give a URL$/],
  [
    ['https://a.example'],
    { server: '' },
    /^server 'as given' is relative to its document: give a URL$/,
  ],
])('the servers %j with %j: the error says what to do', async (urls, options, want) => {
  await expect(sentTo(urls, options)).rejects.toThrow(want)
})

it.each<readonly [readonly Written[], Options, string, string]>([
  [['/'], {}, '/find', '/'],
  [['/v1'], {}, '/v1/find', '/v1'],
  [['https://a.example'], { server: '/' }, '/find', '/'],
  [['https://a.example'], { server: '' }, '/find', '/'],
  [['https://a.example/v1'], { server: '' }, '/v1/find', '/v1'],
  [['https://a.example/v1'], { server: '/' }, '/v1/find', '/v1'],
  [['wss://a.example', '/v1'], {}, '/v1/find', '/v1'],
])('in a page, the servers %j with %j: %s', async (urls, options, http, rpc) => {
  inPage()
  expect(await sentTo(urls, options)).toEqual({ http, rpc })
})

it('an operation whose own servers are all sockets is an error of its call alone', async () => {
  const call = sentTo(['https://a.example'], {}, ['wss://b.example'])
  await expect(call).rejects.toMatchObject({
    reason: 'invalid-input',
    message: 'find: has no server of HTTP: give a URL',
  })
  const both = await sentTo(['https://a.example'], {}, ['wss://b.example', 'https://c.example'])
  expect(both.http).toBe('https://c.example/find')
})
