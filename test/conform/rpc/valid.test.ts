import { describe, expect, it } from 'vitest'
import type { Case } from '../../../src/conform/case.js'
import { NOT_OFFERED } from '../../../src/conform/operations.js'
import { PROFILES, type Profile } from '../../../src/conform/profile-list.js'
import {
  type Answering,
  failing,
  giving,
  judge,
  KEY,
  readApi,
  type Said,
  unless,
  valid,
} from './fake-rpc-server.js'

describe('a valid server has no findings', () => {
  it('by the letter', async () => {
    const { findings, skipped } = await judge(valid)
    expect(findings).toEqual([])
    expect([...skipped]).toEqual([
      [NOT_OFFERED, new Set(['JSON-RPC, the document of rpc.discover', 'nap'])],
    ])
  })

  it.each<readonly [title: string, desk: Answering]>([
    ['notifications are answered with 200', unless(silence(200))],
    ['notifications are answered with 202', unless(silence(202))],
    [
      'errors have the statuses of the draft',
      statuses({ '-32700': 500, '-32600': 400, '-32601': 404 }),
    ],
    [
      'a batch that is too large is refused by an array of one',
      unless(({ text }) => (isLarge(text) ? { body: `[${failing(-32600, '1')}]` } : undefined)),
    ],
    [
      'null params are none',
      unless(({ text }) => (text.includes('"params":null') ? { body: giving() } : undefined)),
    ],
    [
      'params too many are passed over',
      unless(({ text }) => (text.includes('"params":[1,2,3]') ? { body: giving() } : undefined)),
    ],
    [
      'a byte order mark is passed over',
      unless(({ text }) => (text.startsWith('\uFEFF') ? { body: giving() } : undefined)),
    ],
    [
      'null is no id',
      unless(({ text }) => (text.includes('"id":null') ? { body: failing(-32600) } : undefined)),
    ],
    [
      'a huge id comes back with another spelling of its value',
      unless(({ text }) =>
        text.includes(`"id":1${'0'.repeat(30)}}`) ? { body: giving('1e+30') } : undefined,
      ),
    ],
    [
      'fractions are no ids',
      unless(({ text }) => (text.includes('"id":1.5') ? { body: failing(-32600) } : undefined)),
    ],
    [
      'the first of two methods counts',
      unless(({ text }) =>
        /^\{[^{}]*"method":[^{}]*"method":/.test(text) ? { body: giving() } : undefined,
      ),
    ],
    [
      'the first of two ids counts',
      unless(({ text }) => (text.includes('"id":1,"id":2') ? { body: giving('1') } : undefined)),
    ],
    [
      'two methods are refused',
      unless(({ text }) =>
        /^\{[^{}]*"method":[^{}]*"method":/.test(text) ? { body: failing(-32600, '1') } : undefined,
      ),
    ],
    [
      'a body without JSON is a bad request',
      unless(({ method, text }) =>
        method === 'POST' && text.trim() === ''
          ? { status: 400, headers: { 'content-type': 'text/plain' }, body: 'no' }
          : undefined,
      ),
    ],
    [
      'there is no HTML',
      unless(({ headers }) => (headers.accept === 'text/html' ? { status: 406 } : undefined)),
    ],
    [
      'foreign media types are refused in plain text',
      unless(({ method, headers }) =>
        method === 'POST' && !headers['content-type']?.toLowerCase().startsWith('application/json')
          ? { status: 415, headers: { 'content-type': 'text/plain' }, body: 'no' }
          : undefined,
      ),
    ],
    ...[200, 202, 204, 205].map((status): readonly [string, Answering] => [
      `web pages may ask for options, which get ${status}`,
      unless(({ method }) =>
        method === 'OPTIONS'
          ? { status, headers: { 'access-control-allow-origin': '*' } }
          : undefined,
      ),
    ]),
    [
      'methods of HTTP are not known',
      unless(({ method }) => (method === 'POST' ? undefined : { status: 501 })),
    ],
    [
      'an unknown key is forbidden',
      unless(({ key }) =>
        key.startsWith('nobody')
          ? { status: 403, headers: { 'content-type': 'text/plain' }, body: 'no' }
          : undefined,
      ),
    ],
    [
      'gzip is read',
      unless(({ headers }) =>
        headers['content-encoding'] === 'gzip' ? { body: giving() } : undefined,
      ),
    ],
    ['batches come back in the other order', reversed],
    [
      'a response is passed over',
      unless(({ text }) => (text.includes('"result":1') ? { status: 200 } : undefined)),
    ],
    [
      'long ids are too long',
      unless(({ text }) =>
        text.length > 60_000 && text.includes('"id":"xxx') ? { status: 413 } : undefined,
      ),
    ],
  ])('%s', async (_, desk) => {
    expect((await judge(desk)).findings).toEqual([])
  })

  it('documents without a method that only reads: what needs one is reported as not tested', async () => {
    const other = await readApi(`
openrpc: 1.3.2
info: { title: Till, version: '1' }
servers: [{ name: main, url: https://till.example }]
methods: [{ name: order, params: [{ name: what, required: true, schema: { type: string } }], result: { name: ticket, schema: { type: string } } }]
`)
    const { findings, skipped } = await judge(validOpen, { api: other })
    expect(findings).toEqual([])
    const why =
      'no method has an example with a result: add one to a read-only method, and "x-idempotent": true'
    expect([...(skipped.get(why) ?? [])]).toContain('JSON-RPC, the id 0')
    expect([...(skipped.get(why) ?? [])]).not.toContain('JSON-RPC, truncated JSON')
  })

  it('a server that answers nothing as documented is not judged by it', async () => {
    const shut = unless(() => ({
      status: 401,
      headers: { 'content-type': 'text/plain' },
      body: 'no',
    }))
    const { skipped, rules } = await judge(shut)
    expect(rules).not.toContain('truncated-json-accepted')
    const why = 'hours returns no result, so no response proves anything'
    expect([...(skipped.get(why) ?? [])]).toContain('JSON-RPC, truncated JSON')
  })
})

describe('who may call what', () => {
  const unknown = 'JSON-RPC, an unknown key'
  const tried = ({ name }: Case) => name === unknown || name.endsWith('without a key')
  const UNHEARD = {
    body: '{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":-32000,"message":"No"}}',
  }

  it('an error beside a result lets nobody in, and gives nobody what is public', async () => {
    const stranger = unless(({ key }) => (key.startsWith('nobody') ? UNHEARD : undefined))
    expect((await judge(stranger, { tried })).rules).not.toContain('unknown-api-key-accepted')
    const shut = unless(({ key }) => (key === 'open' ? UNHEARD : undefined))
    expect((await judge(shut, { tried })).rules).toContain('public-method-requires-key')
  })

  it.each<readonly [title: string, said: Said | 'nothing']>([
    ['no answer', 'nothing'],
    ['503', { status: 503 }],
  ])('%s says nothing of a key', async (_, said) => {
    const away = unless(({ key }) => (key === KEY ? undefined : said))
    const { rules, why } = await judge(away, { tried })
    expect(rules.filter((rule) => rule.includes('key'))).toEqual([])
    expect(why(unknown)).toMatch(/^it got /)
    expect(why('JSON-RPC, reading without a key')).toMatch(/^it got /)
  })
})

it('a method that may change something is called with nothing beyond its params', async () => {
  const method = (name: string, more: string) =>
    `  - { name: ${name}, x-access: public, params: [], result: { name: r, schema: { type: integer } }${more} }`
  const shown = (name: string, more = '') =>
    method(name, `${more}, examples: [{ name: e, params: [], result: { name: r, value: 1 } }]`)
  const other = await readApi(`
openrpc: 1.3.2
info: { title: Till, version: '1' }
servers: [{ name: main, url: https://till.example }]
methods:
${shown('hours', ', x-idempotent: true')}
${method('empty_all', '')}
${shown('empty_one')}
`)
  const asked: string[] = []
  const desk: Answering = ({ text }) => {
    asked.push(text)
    return validOpen({ ...DEFAULT, text, bytes: new TextEncoder().encode(text) })
  }
  const tried = ({ name }: Case) => name.endsWith(' exists')
  const { why } = await judge(desk, { api: other, tried })
  expect(asked.filter((text) => text.includes('empty'))).toEqual([
    '{"jsonrpc":"2.0","method":"empty_one","params":[],"id":1}',
  ])
  expect(why('JSON-RPC, empty_all exists')).toMatch(/^it may not be read-only/)
})

const DEFAULT = { method: 'POST', key: '', headers: { 'content-type': 'application/json' } }

describe('profiles', () => {
  it('a strict server has a finding where it is lenient', async () => {
    const strict = PROFILES.find(({ name }) => name === 'strict')
    const desk = unless(({ text }) =>
      text.includes('"params":null') ? { body: giving() } : undefined,
    )
    const { findings } = await judge(desk, { profile: strict as Profile })
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
      [
        'choice-not-of-profile',
        'null params is answered, but the profile strict allows error -32600 or error -32602',
      ],
    ])
  })

  it('a dialect that breaks the letter is its own in its profile alone', async () => {
    const desk = unless(({ text }) => {
      if (text === '{}' || text === '1') return { body: failing(-32700) }
      if (isSilent(text)) return { body: 'null' }
      return undefined
    })
    const jsonrpsee = PROFILES.find(({ name }) => name === 'jsonrpsee')
    const own = (await judge(desk, { profile: jsonrpsee as Profile })).findings
    const rules = (await judge(desk)).rules
    expect(rules).toEqual(expect.arrayContaining(['rejection-wrong-code', 'notification-answered']))
    const scalars = own.filter(({ identity }) => identity.includes('the body 1'))
    expect(scalars).toEqual([])
    expect(own.map(({ rule }) => rule)).not.toContain('notification-answered')
  })

  it('each names choices that there are', async () => {
    const { ways } = await judge(valid)
    const known = [...Object.keys(ways), 'a batch counts as']
    for (const profile of PROFILES)
      expect(known).toEqual(expect.arrayContaining(Object.keys(profile.ways)))
  })
})

function isSilent(text: string): boolean {
  return (
    text.startsWith('{"jsonrpc":"2.0","method":"') && !text.includes('"id"') && text.endsWith('}')
  )
}

function silence(status: number) {
  return ({ text }: { readonly text: string }) => (isSilent(text) ? { status } : undefined)
}

function isLarge(text: string): boolean {
  return text.split('"jsonrpc"').length > 13
}

function statuses(table: Readonly<Record<string, number>>): Answering {
  return (asked) => {
    const said = valid(asked)
    const code = /^\{.*"code":(-\d+)/.exec(said?.body ?? '')?.[1]
    return said && code ? { ...said, status: table[code] ?? said.status ?? 200 } : said
  }
}

function reversed(asked: Parameters<Answering>[0]) {
  const said = valid(asked)
  if (!said?.body?.startsWith('[')) return said
  return { ...said, body: JSON.stringify(JSON.parse(said.body).reverse()) }
}

/** Has the one method, and takes no key. */
function validOpen(asked: Parameters<Answering>[0]) {
  return valid({ ...asked, key: 'open' })
}
