import { type ChildProcess, spawn } from 'node:child_process'
import { expect, it, onTestFinished } from 'vitest'
import { conformed, openrpc, squareMethod, textMethod } from '../rpc/rpc-server.js'

/** A server of `square` that at 101 does what `at` says, in a process of its own. */
const startMortal = async (at: string): Promise<{ url: string; child: ChildProcess }> => {
  const child = spawn(process.execPath, ['-e', SERVER], {
    env: { ...process.env, AT_101: at },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const port = await new Promise<string>((resolve) => {
    child.stdout?.once('data', (data: Buffer) => resolve(String(data).trim()))
  })
  return { url: `http://127.0.0.1:${port}`, child }
}

const SERVER = `
const http = require('node:http')
let isStuck = false, isBroken = false
const server = http.createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => { body += chunk })
  request.on('end', () => {
    if (isStuck) return
    response.setHeader('content-type', 'application/json')
    const send = (id, value) => response.end(JSON.stringify({ jsonrpc: '2.0', id, ...value }))
    const fail = (id, code) => send(id, { error: { code, message: 'no' } })
    if (request.method !== 'POST') { response.statusCode = 405; response.setHeader('allow', 'POST'); return response.end() }
    let call
    try { call = JSON.parse(body) } catch { return fail(null, -32700) }
    if (call?.method === 'other') return send(call.id, { result: 'text' })
    if (call?.method !== 'square') return fail(call?.id ?? null, -32601)
    const [n, ...more] = Array.isArray(call.params) ? call.params : []
    if (n === 101 && process.env.AT_101 === 'reset') isBroken = true
    if (isBroken) return request.socket.destroy()
    if (n === 101) {
      if (process.env.AT_101 === 'hang') isStuck = true
      else setTimeout(() => process.exit(1), Number(process.env.AT_101))
      return
    }
    if (!Number.isInteger(n) || n < 0 || n > 100 || more.length > 0) return fail(call.id, -32602)
    send(call.id, { result: n * n })
  })
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

const document = openrpc(squareMethod('square'), textMethod('other'))

/** Only what is about methods, so that a run is short. */
const ONLY = ['--only', 'square,other']

it.each(['0', '50'])(
  'a server that ends %s ms after one value is shown with that value, and nothing else follows',
  { timeout: 900_000 },
  async (milliseconds) => {
    const { url } = await startMortal(milliseconds)
    const { code, findings } = await conformed(url, { openrpc: document }, ...ONLY)
    expect(code).toBe(1)
    const errors = findings.filter(({ level }) => level === 'error')
    expect(errors.map(({ rule }) => rule)).toEqual(['server-unreachable'])
    expect(errors[0]?.exchange.request).toContain('"params":[101]')
    expect(errors[0]?.exchange.curl).toContain('"params":[101]')
    expect(errors[0]?.operations).toEqual(['square'])
    expect(findings.filter(({ exchange }) => !/^\d/.test(exchange.response))).toHaveLength(1)
  },
)

it('where a method closes every connection after one value, that value is shown, and no smaller one', {
  timeout: 900_000,
}, async () => {
  const { url } = await startMortal('reset')
  const { findings } = await conformed(url, { openrpc: document }, ...ONLY)
  const broken = findings.filter(({ rule }) => rule === 'response-truncated')
  expect(broken).toHaveLength(1)
  expect(broken[0]?.exchange.curl).toContain('"params":[101]')
  expect(findings.some(({ rule }) => rule === 'server-unreachable')).toBe(false)
})

it('a server that hangs for good is reported once, with the first late request, and no other method is blamed', {
  timeout: 900_000,
}, async () => {
  const { url } = await startMortal('hang')
  const { code, findings, notTested } = await conformed(url, { openrpc: document }, ...ONLY)
  expect(code).toBe(1)
  const silent = findings.filter(({ exchange }) => !/^\d/.test(exchange.response))
  expect(silent.map(({ rule, operations }) => [rule, operations])).toEqual([
    ['server-stopped-responding', ['square']],
  ])
  expect(silent[0]?.exchange.curl).toContain('"params":[101]')
  expect(notTested.some(({ what }) => what.some((name) => name.startsWith('other')))).toBe(true)
})
