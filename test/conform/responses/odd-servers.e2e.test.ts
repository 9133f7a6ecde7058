import { spawnSync } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { expect, it } from 'vitest'
import { folderOf } from '../../cli/command-line.js'
import { bodyOf, conformed, listen, openrpc, squareMethod, textMethod } from '../rpc/rpc-server.js'

const document = openrpc(squareMethod('square'), textMethod('other'))

type Call = { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown }

/** A server of `document` that keeps to JSON-RPC as far as these tests look; `change` may replace a response. */
const rpcListener =
  (change: (response: object) => object = (one) => one, type = 'application/json') =>
  async (...[request, response]: Parameters<RequestListener>): Promise<void> => {
    const text = (await bodyOf(request)).toString()
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end()
    let read: unknown
    try {
      read = JSON.parse(text)
    } catch {
      read = undefined
    }
    const one = (call: unknown): readonly object[] => {
      const { id, method, params } = (Object(call) ?? {}) as Call
      if (method !== undefined && id === undefined) return []
      const fail = (code: number) => ({
        jsonrpc: '2.0',
        id: id ?? null,
        error: { code, message: 'no' },
      })
      const [n] = Array.isArray(params) ? params : []
      const isRight = Number.isInteger(n) && n >= 0 && n <= 100
      if (method === 'other') return [change({ jsonrpc: '2.0', id, result: 'text' })]
      if (method !== 'square') return [change(fail(read === undefined ? -32700 : -32601))]
      return [change(isRight ? { jsonrpc: '2.0', id, result: n * n } : fail(-32602))]
    }
    const all = [read].flat().flatMap(one)
    if (all.length === 0) return void response.writeHead(204).end()
    const value = Array.isArray(read) ? all : all[0]
    response.writeHead(200, { 'content-type': type }).end(JSON.stringify(value))
  }

const rulesOf = (findings: readonly { readonly rule: string }[]): readonly string[] => [
  ...new Set(findings.map(({ rule }) => rule)),
]

it('a server whose responses never end is an error, and is not read to exhaustion', async () => {
  const piece = Buffer.alloc(1 << 20, ' ')
  const url = await listen(
    createServer((_, response) => {
      response.on('error', () => undefined)
      response.writeHead(200, { 'content-type': 'application/json' })
      const write = () => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once('drain', write)
      }
      write()
    }),
  )
  const only = ['--only', 'square, example first']
  const { code, findings } = await conformed(url, { openrpc: document }, ...only)
  expect(code).toBe(1)
  expect(findings.map(({ rule, level, operations }) => [rule, level, operations])).toEqual(
    expect.arrayContaining([
      ['operation-never-answered', 'error', ['square']],
      ['response-too-large', 'warning', ['square']],
    ]),
  )
})

it('a connection that breaks now and then is one finding, and says nothing of the values that were sent', async () => {
  const answer = rpcListener()
  let count = 0
  const url = await listen(
    createServer((request, response) => {
      count += 1
      // Twice, since a client may send again over a new connection what a reused one did not take.
      if (count % 7 >= 5) request.socket.destroy()
      else void answer(request, response)
    }),
  )
  const only = ['--only', 'square,other']
  const { code, findings } = await conformed(url, { openrpc: document }, ...only)
  expect(code).toBe(1)
  const errors = findings.filter(({ level }) => level === 'error')
  expect(rulesOf(errors)).toEqual(['response-truncated'])
  expect(new Set(errors.map(({ cause }) => cause)).size).toBe(1)
  expect(errors[0]?.message).toContain('not when the same request was sent again')
})

it('responses without an id are one finding, and not responses in the wrong order as well', async () => {
  const url = await listen(
    createServer(rpcListener(({ id: _, ...others }: { id?: unknown }) => others)),
  )
  const { code, findings } = await conformed(url, { openrpc: document })
  expect(code).toBe(1)
  const rules = rulesOf(findings)
  expect(rules).toContain('response-without-id')
  expect(rules).not.toContain('pipelined-responses-reordered')
  expect(rules).not.toContain('notification-answered-later')
  expect(findings.map(({ message }) => message)).not.toContainEqual(
    expect.stringContaining('two ids got a response with no id'),
  )
})

it('JSON that is sent as text/html has the wrong Content-Type, and is no HTML page', async () => {
  const url = await listen(createServer(rpcListener(undefined, 'text/html')))
  const only = ['--only', 'square,other']
  const { findings } = await conformed(url, { openrpc: document }, ...only)
  expect(rulesOf(findings)).toContain('response-media-type-not-json')
  expect(rulesOf(findings)).not.toContain('html-instead-of-json')
})

it('one wrong Content-Type of several operations and statuses is one kind', async () => {
  const responses = (...statuses: readonly string[]) =>
    Object.fromEntries(
      statuses.map((status) => [
        status,
        { description: 'x', content: { 'application/json': { schema: { type: 'object' } } } },
      ]),
    )
  const openapi = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/a': { get: { operationId: 'a', responses: responses('200') } },
      '/b': { get: { operationId: 'b', responses: responses('202') } },
    },
  })
  const url = await listen(
    createServer((request, response) => {
      const status = { '/a': 200, '/b': 202 }[request.url ?? ''] ?? 404
      response.writeHead(status, { 'content-type': 'text/plain' }).end('{}')
    }),
  )
  const { findings } = await conformed(url, { openapi })
  const wrong = findings.filter(({ rule }) => rule === 'content-type-is-undeclared')
  expect(wrong.length).toBeGreaterThan(1)
  expect([...new Set(wrong.map(({ cause }) => cause))]).toEqual([expect.any(String)])
})

it('the curl line of an oversized body sends that body', async () => {
  const limited = JSON.stringify({ ...JSON.parse(document), 'x-limits': { payloadBytes: 20_000 } })
  const url = await listen(createServer(rpcListener()))
  const { code, findings } = await conformed(url, { openrpc: limited })
  expect(code).toBe(1)
  const sizeOf = async (rule: string): Promise<number> => {
    const line = findings.find((one) => one.rule === rule)?.exchange.curl ?? ''
    // What the line pipes into curl, counted by a command of its own.
    const folder = await folderOf({ 'bin/curl': '#!/bin/sh\nwc -c\n' })
    const script = `chmod +x bin/curl; PATH="$PWD/bin:$PATH"; ${line}`
    return Number(spawnSync('/bin/sh', ['-c', script], { cwd: folder, encoding: 'utf8' }).stdout)
  }
  expect(await sizeOf('oversized-body-accepted')).toBe(20_001)
  expect(await sizeOf('oversized-stream-accepted')).toBeGreaterThan(20_000)
})

it('a run that ends with the server says that it is not complete', async () => {
  // The first value that is rejected ends it.
  const server = createServer(
    rpcListener((one: { error?: { code: number } }) => {
      if (one.error?.code === -32602) {
        server.close()
        server.closeAllConnections()
      }
      return one
    }),
  )
  const url = await listen(server)
  const only = ['--only', 'square,other']
  const { code, findings, stderr } = await conformed(url, { openrpc: document }, ...only)
  expect(code).toBe(1)
  expect(rulesOf(findings)).toContain('server-unreachable')
  expect(stderr).toMatch(
    /^not complete, because the server stopped responding before \d+ more cases?: /m,
  )
})
