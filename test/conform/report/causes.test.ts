import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { bodyOf, conformed, listen, openrpc, startRpc, textMethod } from '../rpc/rpc-server.js'

const ADDRESS = { type: 'string', pattern: '^0x[0-9a-f]{4}$' }

const addressMethod = (name: string) =>
  textMethod(name, {
    params: [{ name: 'address', required: true, schema: ADDRESS }],
    examples: [
      {
        name: 'first',
        params: [{ name: 'address', value: '0x12ab' }],
        result: { name: 'r', value: 'text' },
      },
    ],
  })

/** One address, its digits and its `0x` in either case. */
const isAnyCase = (params: unknown): boolean =>
  Array.isArray(params) &&
  params.length === 1 &&
  typeof params[0] === 'string' &&
  /^0x[0-9a-f]{4}$/i.test(params[0])

it('findings of one cause are one kind, with its count, its operations and one reproduction', async () => {
  const names = ['one', 'two', 'three']
  const url = await startRpc(names, ({ params }) =>
    isAnyCase(params) ? { result: 'text' } : { error: { code: -32602 } },
  )
  const { code, findings, text, stderr } = await conformed(url, {
    openrpc: openrpc(...names.map(addressMethod)),
  })
  expect(code).toBe(1)
  const errors = findings.filter(({ level }) => level === 'error')
  const kinds = new Set(errors.map(({ cause }) => cause))
  expect(errors.length).toBeGreaterThan(kinds.size)
  // Each cause is met by all three methods, and JSON has them all.
  const ofCase = errors.filter(({ message }) => message.includes('0X in place of 0x'))
  expect(ofCase.flatMap(({ operations }) => operations).sort()).toEqual(['one', 'three', 'two'])
  expect(new Set(ofCase.map(({ cause }) => cause)).size).toBe(1)
  expect(stderr).toMatch(new RegExp(`\\n${kinds.size} errors?, .* in \\d+ places in \\d+ cases`))
  expect(text.match(/0X in place of 0x/g)).toHaveLength(1)
  expect(text).toMatch(/also in: 2 places: two, three/)
})

it('null for optional fields is one cause, wherever it comes', async () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'boolean' } },
  }
  const object = (name: string) =>
    textMethod(name, {
      result: { name: 'r', schema },
      examples: [{ name: 'first', params: [], result: { name: 'r', value: { a: 'x' } } }],
    })
  const nulls: Readonly<Record<string, unknown>> = {
    one: { a: null },
    two: { b: null },
    three: { c: null },
  }
  const url = await startRpc(Object.keys(nulls), ({ method }) => ({ result: nulls[method] }))
  const { findings } = await conformed(url, {
    openrpc: openrpc(...Object.keys(nulls).map(object)),
  })
  const broken = findings.filter(({ rule }) => rule === 'result-invalid')
  expect(broken).toHaveLength(3)
  expect([...new Set(broken.map(({ cause }) => cause))]).toEqual([expect.any(String)])
})

/** As Express answers what its body parser rejects: HTTP 400 with a page. */
const startExpressLike = (status = 400) =>
  listen(
    createServer(async (request, response) => {
      const bytes = await bodyOf(request)
      let call: { method?: unknown; id?: unknown; jsonrpc?: unknown } | undefined
      try {
        call = JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
      } catch {
        return void response
          .writeHead(status, { 'content-type': 'text/html' })
          .end(
            '<pre>SyntaxError: no JSON<br> &nbsp; at parse (/srv/app/node_modules/body-parser/lib/types/json.js:92:19)</pre>',
          )
      }
      const id = call?.id ?? null
      const value =
        call?.jsonrpc !== '2.0' || typeof call.method !== 'string'
          ? { error: { code: -32600, message: 'no' } }
          : call.method === 'good'
            ? { result: 'text' }
            : { error: { code: -32601, message: 'no' } }
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...value }))
    }),
  )

it('what a body parser rejects with 400 is rejected with the wrong code: one warning for one cause', async () => {
  const url = await startExpressLike()
  const only = ['truncated JSON', 'a trailing comma', 'a comment', 'single quotes', 'NaN']
  const cases = only.map((name) => `JSON-RPC, ${name}`).join(',')
  const { code, findings, text } = await conformed(
    url,
    { openrpc: openrpc(textMethod('good')) },
    '--only',
    cases,
  )
  expect(code).toBe(0)
  const own = findings.filter(({ rule }) => rule === 'rejection-wrong-code')
  expect(own).toHaveLength(5)
  expect(new Set(own.map(({ cause }) => cause)).size).toBe(1)
  expect(own[0]?.message).toMatch(/rejected in another way than expected: HTTP 400/)
  expect(text).not.toContain('is-not-refused')
})

it('a byte order mark that is merely rejected is no finding (RFC 8259, 8.1)', async () => {
  const url = await startExpressLike(422)
  const { findings } = await conformed(
    url,
    { openrpc: openrpc(textMethod('good')) },
    '--only',
    'JSON-RPC, a byte order mark',
  )
  expect(findings).toEqual([])
})

it.each([
  ['invalid-json-accepted', 'warning'],
  ['invalid-utf8-accepted', 'warning'],
  ['malformed-body-accepted', 'warning'],
  ['stack-trace-leaked', 'warning'],
  ['filesystem-path-leaked', 'warning'],
])('the level of %s is %s', async (rule, level) => {
  const { twinspec } = await import('../../cli/command-line.js')
  const { stdout } = await twinspec('conform', '--list-rules', '--format', 'json')
  const rules = JSON.parse(stdout) as readonly { id: string; level: string }[]
  expect(rules.find(({ id }) => id === rule)?.level).toBe(level)
})

it('a property that a closed schema forbids is an error, and one that an open schema allows is a note', async () => {
  const schema = (closed: boolean) => ({
    type: 'object',
    properties: { a: { type: 'string' } },
    ...(closed && { additionalProperties: false }),
  })
  const object = (name: string, closed: boolean) =>
    textMethod(name, {
      result: { name: 'r', schema: schema(closed) },
      examples: [{ name: 'first', params: [], result: { name: 'r', value: { a: 'x' } } }],
    })
  const url = await startRpc(['closed', 'open'], () => ({ result: { a: 'x', more: 1 } }))
  const { code, findings } = await conformed(url, {
    openrpc: openrpc(object('closed', true), object('open', false)),
  })
  expect(code).toBe(1)
  const own = findings.filter(({ message }) => message.includes('/result/more'))
  expect(own.map(({ level, operations }) => [level, operations])).toEqual([
    ['error', ['closed']],
    ['note', ['open']],
  ])
})
