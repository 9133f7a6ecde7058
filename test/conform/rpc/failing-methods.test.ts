import { expect, it } from 'vitest'
import { conformed, openrpc, type Reply, startRpc, textMethod } from './rpc-server.js'

const twoMethods = openrpc(textMethod('good'), textMethod('bad'))

const withBad = (bad: Reply) =>
  startRpc(['good', 'bad'], ({ method }) => (method === 'good' ? { result: 'text' } : bad))

it('a method that answers its own example with -32603 is an error that names it', async () => {
  const url = await withBad({ error: { code: -32603 } })
  const { code, findings, text } = await conformed(url, { openrpc: twoMethods })
  const errors = findings.filter(({ level }) => level === 'error')
  expect(code).toBe(1)
  expect(errors.map(({ operations }) => operations)).toEqual([['bad']])
  expect(errors[0]?.message).toContain('-32603')
  expect(text).toMatch(/^never covered\n {2}bad$/m)
})

it('a method that answers everything with an undeclared code is an error that names it', async () => {
  const url = await withBad({ error: { code: -32000 } })
  const { code, findings, text } = await conformed(url, { openrpc: twoMethods })
  const errors = findings.filter(({ level }) => level === 'error')
  expect(code).toBe(1)
  expect(errors.map(({ operations }) => operations)).toEqual([['bad']])
  expect(text).toMatch(/^never covered\n {2}bad$/m)
})

it('an undeclared code for a documented example is a warning, where other calls have a result', async () => {
  const square = textMethod('square', {
    params: [{ name: 'n', required: true, schema: { type: 'integer', minimum: 0 } }],
    result: { name: 'r', schema: { type: 'integer' } },
    examples: [3, 4].map((value) => ({
      name: `of ${value}`,
      params: [{ name: 'n', value }],
      result: { name: 'r', value: value * value },
    })),
  })
  const url = await startRpc(['square'], ({ params }) => {
    const [n, ...more] = Array.isArray(params) ? params : []
    if (!Number.isInteger(n) || n < 0 || more.length > 0) return { error: { code: -32602 } }
    return n === 4 ? { error: { code: -32000 } } : { result: n * n }
  })
  const { findings } = await conformed(url, { openrpc: openrpc(square) })
  const own = findings.filter(({ operations = [] }) => operations.includes('square'))
  expect(own.map(({ level, message }) => [level, message])).toContainEqual([
    'warning',
    expect.stringMatching(/example of 4.*-32000/),
  ])
})

it.each([-32603, -32000])(
  'where every method fails with %i, the run ends with findings',
  async (code) => {
    const url = await startRpc(['good', 'bad'], () => ({ error: { code } }))
    const run = await conformed(url, { openrpc: twoMethods })
    expect(run.code).toBe(1)
    const named = run.findings
      .filter(({ level }) => level === 'error')
      .flatMap(({ operations = [] }) => operations)
    expect(new Set(named)).toEqual(new Set(['good', 'bad']))
  },
)

it('HTTP 500 with a valid result is an error, and the message says what came', async () => {
  const url = await startRpc(['good'], () => ({ result: 'text', status: 500 }))
  const { code, findings } = await conformed(url, { openrpc: openrpc(textMethod('good')) })
  expect(code).toBe(1)
  const messages = findings.filter(({ level }) => level === 'error').map(({ message }) => message)
  expect(messages).toContainEqual(expect.stringMatching(/result.*500/))
  expect(findings.some(({ message }) => message.includes('without a JSON-RPC'))).toBe(false)
})

it.each<[string, Reply]>([
  ['-32601', { error: { code: -32601, message: 'Method not found' } }],
  ['-32004 of EIP-1474', { error: { code: -32004, message: 'not supported' } }],
  ['geth', { error: { code: -32000, message: 'the method bad does not exist/is not available' } }],
  ['Hardhat', { error: { code: -32999, message: 'Method bad is not supported' } }],
  ['another code', { error: { code: -32000, message: 'Method not found' } }],
  ['HTTP 404', { status: 404, body: 'Not Found' }],
  ['HTTP 405', { status: 405, body: 'Method Not Allowed' }],
  ['HTTP 501', { status: 501, body: 'Not Implemented' }],
])('a method that is not offered is counted apart and named once: %s', async (_, bad) => {
  const url = await withBad(bad)
  const { findings, notOffered, text } = await conformed(url, { openrpc: twoMethods })
  const named = findings.filter(({ operations = [] }) => operations.includes('bad'))
  expect(named.map(({ rule }) => rule)).toEqual(['documented-method-missing'])
  expect(notOffered).toEqual(['bad'])
  expect(text).toMatch(/^not offered by the server\n {2}bad$/m)
  expect(text).not.toMatch(/^never covered/m)
})

it('an error about something else that is not supported is no method that is not offered', async () => {
  const url = await withBad({ error: { code: -32000, message: 'payment method not supported' } })
  const { notOffered } = await conformed(url, { openrpc: twoMethods })
  expect(notOffered).toEqual([])
})
