import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, hasChromium, openChromium, type Tab } from '../docs/chromium.js'
import { ROOT } from '../import-graph.js'

/** Runs in the page and in its worker: what the servers got of the cookies of the browser. */
const PROGRAM = `
import { createHttp } from 'twinspec/runtime/http'
import { createRpc } from 'twinspec/runtime/rpc'

const me = {
  kind: 'http', id: 'me', method: 'GET', path: '/me', servers: [], parameters: [],
  responses: [{ status: '200', content: [{ type: 'text/plain', codec: 'text' }] }],
  security: [['session']], schemes: { session: { kind: 'key', in: 'cookie', parameter: 'sid' } },
}
const who = { kind: 'rpc', id: 'who', method: 'who', params: [], errors: [], paramStructure: 'by-position' }
const any = { check: () => true }

globalThis.tried = async (server, options) => {
  const http = createHttp({ servers: [], limits: {}, operations: { me } }, { me: { responses: {} } }, { server, ...options })
  const rpc = createRpc(
    { servers: [], path: '/rpc', operations: { who } }, { who: { params: any, result: any } },
    { server: server + '/rpc', ...options },
  )
  return Promise.all([http.me(), rpc.who()])
}
if (globalThis.document === undefined)
  globalThis.onmessage = async ({ data }) => {
    const answer = await globalThis.tried(...data).catch((error) => error.message)
    globalThis.postMessage(answer)
  }
else
  globalThis.triedInWorker = (...data) =>
    new Promise((resolve) => {
      const worker = new Worker('/page.js', { type: 'module' })
      worker.onmessage = (event) => resolve(event.data)
      worker.postMessage(data)
    })
`

const servers: Server[] = []
let browser: Browser | undefined
let page = ''
let other = ''

const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  if (!hasChromium) return
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['twinspec-source'],
    absWorkingDir: ROOT,
  })
  const script = outputFiles[0]?.text ?? ''
  const answer: RequestListener = ({ url, method, headers }, response) => {
    const isCors = headers.origin !== undefined && headers.origin !== `http://${headers.host}`
    if (isCors) {
      response.setHeader('access-control-allow-origin', headers.origin ?? '')
      response.setHeader('access-control-allow-credentials', 'true')
      response.setHeader('access-control-allow-headers', 'content-type')
    }
    const cookie = headers.cookie ?? 'none'
    if (method === 'OPTIONS') response.end()
    else if (url === '/me') response.setHeader('content-type', 'text/plain').end(cookie)
    else if (url === '/rpc')
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: cookie }))
    else if (url === '/page.js') response.setHeader('content-type', 'text/javascript').end(script)
    else
      response
        .setHeader('content-type', 'text/html')
        .setHeader('set-cookie', 'sid=of-the-browser; HttpOnly; SameSite=Lax')
        .end('<!doctype html><title>page</title><script type=module src=page.js></script>')
  }
  page = await listen(answer)
  other = await listen(answer)
  ;({ browser } = await openChromium())
})

afterAll(async () => {
  await browser?.close()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

describe.skipIf(!hasChromium)('a session cookie of a browser', () => {
  const SET = 'sid=of-the-browser'
  const open = async (): Promise<Tab> => {
    const tab = await browser?.newPage()
    if (tab === undefined) throw new Error('no browser was opened')
    await tab.goto(`${page}/`)
    return tab
  }

  it.each(['tried', 'triedInWorker'])(
    'is sent by %s without a secret, as fetchOptions.credentials says',
    async (name) => {
      const tab = await open()
      const run = (server: string, options: object = {}) =>
        tab.evaluate<unknown>(`${name}(${JSON.stringify(server)}, ${JSON.stringify(options)})`)
      expect(await run(page)).toEqual([SET, SET])
      expect(await run(page, { fetchOptions: { credentials: 'same-origin' } })).toEqual([SET, SET])
      expect(await run(page, { fetchOptions: { credentials: 'omit' } })).toEqual(['none', 'none'])
      expect(await run(other)).toEqual(['none', 'none'])
      expect(await run(other, { fetchOptions: { credentials: 'include' } })).toEqual([SET, SET])
      await tab.close()
    },
  )
})
