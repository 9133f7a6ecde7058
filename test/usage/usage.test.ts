import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { publishedUsageSchema } from '../../src/usage/read-usage.js'
import { addUsages, type Usage, usageText } from '../../src/usage/usage.js'
import { folderOf, twinspec } from '../cli/command-line.js'
import { CORPORA, corpus, named } from '../conformance/corpora.js'
import { bearer, exchange, ORDERS } from './orders.js'

const record = async (lines: readonly string[], ...flags: readonly string[]) => {
  const folder = await folderOf({ 'api.yaml': ORDERS, 'a.ndjson': lines.join('\n') })
  const secret = ['--secret-file', join(folder, 'secret')]
  const api = ['--openapi', join(folder, 'api.yaml')]
  const { code, stdout, stderr } = await twinspec(
    ...[
      'usage',
      join(folder, 'a.ndjson'),
      ...api,
      ...(flags.includes('--secret-file') ? [] : secret),
    ],
    ...flags,
  )
  return { code, stderr, stdout, folder, usage: code === 0 ? (JSON.parse(stdout) as Usage) : EMPTY }
}

const EMPTY: Usage = {
  $schema: '',
  version: 2,
  documents: [],
  secrets: [],
  maxConsumers: 1,
  ...{ requests: 0, undocumented: 0, faulty: 0, unread: {}, consumers: {}, shapes: {} },
}

const KEY = 'key-of-acme-0123456789'
const created = exchange('POST /orders', {
  headers: bearer(KEY),
  status: 201,
  time: '2026-11-01T00:00:00Z',
  body: {
    items: [{ sku: 'SKU-77' }, { sku: 'SKU-78', count: 2 }],
    status: 'open',
    note: 'Zring twice',
    billing: { zip: 'ZIP99' },
    parent: { items: [], parent: { items: [], amount: -42.5 } },
    'hidden-name': 'hidden-value',
  },
  reply: { items: [], status: 'paid', secretField: 'hidden-reply' },
})

describe('twinspec usage', () => {
  it('counts by consumer and operation what requests and responses had', async () => {
    const { usage, stderr } = await record([
      created,
      exchange('GET /orders?limit=50&status=paid&token=abcdef', {
        headers: bearer(KEY),
        reply: [{ items: [] }, { items: [], status: 'sent' }],
      }),
      exchange('GET /orders', { headers: { 'user-agent': 'curl/8.5.0 (ann; 1)' }, reply: [] }),
      exchange('GET /other'),
      '{"request":',
    ])
    expect(stderr).toContain(
      '3 requests of 2 consumers to 2 operations from 2026-10-02 to 2026-11-01',
    )
    expect(stderr).toMatch(/a\.ndjson:5: this is not JSON/)
    expect(usage).toMatchObject({ version: 2, requests: 4, undocumented: 1, faulty: 1 })
    const [key = '', agent] = Object.keys(usage.consumers).sort()
    expect(key).toMatch(/^key:[0-9a-f]{16}$/)
    expect(agent).toBe('user-agent:curl/8.5.0')
    const post = usage.consumers[key]?.['POST /orders']
    const body = post?.request.properties?.body?.properties?.['application/json']
    expect(post?.counts).toMatchObject({
      'sent application/json': { requests: 1, first: '2026-11-01', last: '2026-11-01' },
      'status 201': { requests: 1 },
    })
    expect(body?.properties?.status?.values).toMatchObject({ '"open"': { requests: 1 } })
    expect(body?.properties?.items?.items?.properties).toMatchObject({
      sku: { requests: 1, always: 1, lengths: { least: 6, most: 6, upTo: { 8: 1 } } },
      count: { requests: 1, always: 0, types: { integer: 1 }, digits: { 1: 1 } },
    })
    expect(body?.others).toMatchObject({ requests: 1, types: { string: 1 } })
    // An order within an order is counted as an order.
    expect(body?.properties?.amount).toMatchObject({ requests: 1, always: 0, digits: { '-2': 1 } })
    expect(body?.properties).not.toHaveProperty('parent')
    const get = usage.consumers[key]?.['GET /orders']
    expect(get?.request.properties?.query?.properties).toMatchObject({
      limit: { types: { integer: 1 }, digits: { 2: 1 } },
      status: { values: { '"paid"': { requests: 1 } } },
    })
    expect(get?.counts).toMatchObject({ 'query *': { requests: 1 } })
    const replied = get?.response.properties?.['200']?.properties?.body?.items?.properties
    expect(replied?.status).toMatchObject({ requests: 1, always: 0, values: { '"sent"': {} } })
  })

  it('counts a request of which only the path was recorded, and reports a time that is no date', async () => {
    const line = (time: unknown) =>
      JSON.stringify({
        time,
        request: { method: 'GET', url: '/v1/orders?limit=5', headers: {} },
        response: { status: 200, headers: {}, body: [] },
      })
    const times = ['2026-11-01T00:00:00Z', 'yesterday', 1e20]
    const { usage, stderr } = await record(times.map(line))
    expect([usage.requests, usage.undocumented, usage.faulty]).toEqual([1, 0, 2])
    expect(stderr).toMatch(/a\.ndjson:2: its time is not a date/)
    expect(Object.keys(usage.shapes['GET /orders'] ?? {})).toEqual([
      '{"query":{"limit":"integer"}}',
    ])
  })

  it('keeps no value but those that the document lists, no name that it does not declare, and no key', async () => {
    const { stdout, stderr } = await record([
      created,
      exchange('GET /orders?limit=5&q-name=q-value', {
        headers: { 'x-api-key': 'key-in-a-header', 'user-agent': 'curl/8 (ann@example.org)' },
      }),
      exchange('DELETE /orders/order-4711', { status: 204 }),
    ])
    const hidden = [
      ...[KEY, 'key-in-a-header', 'SKU-7', 'Zring', 'ZIP9', 'hidden', 'secretField'],
      ...['q-name', 'q-value', 'order-4711', 'ann'],
    ]
    for (const one of hidden) expect(stdout + stderr).not.toContain(one)
    expect(stdout).toContain('DELETE /orders/{id}')
    expect(stdout).toContain('=open')
  })

  it('gives a key the same id by the same secret alone, in a file that its owner alone reads', async () => {
    const lines = [exchange('GET /orders', { headers: bearer(KEY) })]
    const first = await record(lines)
    const secret = join(first.folder, 'secret')
    expect(statSync(secret).mode & 0o777).toBe(0o600)
    expect(first.stderr).toContain('is new: keep it')
    expect(first.stdout + first.stderr).not.toContain(readFileSync(secret, 'utf8').trim())
    const again = await record(lines, '--secret-file', secret)
    const other = await record(lines)
    expect(Object.keys(again.usage.consumers)).toEqual(Object.keys(first.usage.consumers))
    expect(Object.keys(other.usage.consumers)).not.toEqual(Object.keys(first.usage.consumers))
    const files = [join(first.folder, 'one.json'), join(first.folder, 'other.json')] as const
    writeFileSync(files[0], first.stdout)
    writeFileSync(files[1], other.stdout)
    expect((await twinspec('usage', ...files)).stderr).toContain('made with different secrets')
  })

  it.each([
    ['key', ['key:', 'unknown']],
    ['user-agent', ['unknown', 'user-agent:shop/1']],
    ['package', ['package:@acme/orders/1.4.2', 'unknown']],
    ['header:X-Team', ['header:', 'unknown']],
    ['field:/request/body/status', ['field:', 'unknown']],
    ['field:/request/body/items/length', ['unknown']],
  ])('names consumers by %s', async (kind, expected) => {
    const headers = {
      ...bearer(KEY),
      'user-agent': 'shop/1',
      'x-client-package': '@acme/orders/1.4.2',
      'x-team': 'billing-team',
    }
    const lines = [
      exchange('POST /orders', { headers, body: { items: [], status: 'open' }, status: 201 }),
      exchange('GET /orders'),
    ]
    const { usage, stdout } = await record(lines, '--consumer', kind)
    const names = Object.keys(usage.consumers).sort()
    expect(names.map((name) => name.replace(/^(key|header|field):[0-9a-f]{16}$/, '$1:'))).toEqual(
      expected,
    )
    expect(stdout).not.toContain('billing-team')
  })

  it('takes a secret parameter of a path as a key, and the default of a server as none', async () => {
    const lines = [
      ['POST', '/zkt/key-4711', { arguments: 'a' }],
      ['POST', '/zgt/key-4711', { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }],
      ['POST', '/zgt/try-it-out', { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }],
    ].map(([method, path, body]) => {
      const headers = { 'content-type': 'application/json', 'user-agent': 'shop/1' }
      const request = { method, url: `http://a.example${path}`, headers, body }
      return JSON.stringify({ request, response: { status: 200 } })
    })
    const folder = await folderOf({ 'a.ndjson': lines.join('\n') })
    const secret = ['--secret-file', join(folder, 'secret')]
    const { stdout } = await twinspec('usage', join(folder, 'a.ndjson'), ...secret)
    const { consumers } = JSON.parse(stdout) as Usage
    const [key = '', agent] = Object.keys(consumers).sort()
    expect([key.slice(0, 4), agent]).toEqual(['key:', 'user-agent:shop/1'])
    expect(Object.keys(consumers[key] ?? {}).sort()).toEqual(['POST /zkt/{apiKey}', 'eth_chainId'])
  })

  it('counts a body that is nested deeper than the stack', async () => {
    const depth = 20_000
    const body = `${'{"items":[],"parent":'.repeat(depth)}{"items":[]}${'}'.repeat(depth)}`
    const line = exchange('POST /orders', { body: 'deep' }).replace(
      '"body":"deep"',
      `"body":${body}`,
    )
    const { usage, stderr } = await record([line])
    expect(stderr).toContain('1 request')
    const { request } = usage.consumers.unknown?.['POST /orders'] ?? {}
    expect(request?.properties?.body).toMatchObject({ requests: 1, always: 1 })
    const value = request?.properties?.body?.properties?.['application/json']
    expect(value?.properties?.items).toMatchObject({ requests: 1, always: 1 })
  })

  it('counts the items of a body in JSON Lines', async () => {
    const api = ORDERS.replace(/(requestBody:[\s\S]*?)application\/json:/, '$1application/jsonl:')
    const headers = { 'content-type': 'application/jsonl' }
    const body = '{"items":[]}\n{"items":[],"note":"a"}\n'
    const folder = await folderOf({
      'api.yaml': api,
      'a.ndjson': exchange('POST /orders', { headers, body }),
    })
    const paths = [join(folder, 'a.ndjson'), '--openapi', join(folder, 'api.yaml')]
    const { stdout } = await twinspec('usage', ...paths)
    const { consumers } = JSON.parse(stdout) as Usage
    const { body: sent } = consumers.unknown?.['POST /orders']?.request.properties ?? {}
    const counted = sent?.properties?.['application/jsonl']
    expect(counted?.sizes).toMatchObject({ least: 2, most: 2 })
    expect(counted?.items?.properties?.items).toMatchObject({ always: 1 })
    expect(counted?.items?.properties?.note).toMatchObject({ requests: 1, always: 0 })
  })

  it('counts the members of an exploded object as declared query parameters', async () => {
    const filter = 'name: filter, in: query, schema: { type: object, properties: { zip: {} } }'
    const api = ORDERS.replace('name: limit, in', `${filter} }\n        - { name: limit, in`)
    const folder = await folderOf({
      'api.yaml': api,
      'a.ndjson': [exchange('GET /orders?zip=1'), exchange('GET /orders?zap=1')].join('\n'),
    })
    const paths = [join(folder, 'a.ndjson'), '--openapi', join(folder, 'api.yaml')]
    const { stdout } = await twinspec('usage', ...paths)
    const { consumers } = JSON.parse(stdout) as Usage
    const get = consumers.unknown?.['GET /orders']
    const query = get?.request.properties?.query?.properties
    expect(query?.filter?.properties?.zip).toMatchObject({ requests: 1 })
    // As servers do, an open object takes every name that no other parameter has.
    expect(query?.filter?.others).toMatchObject({ requests: 1 })
    expect(get?.counts).not.toHaveProperty(['query *'])
  })

  it('counts a request at a time in microseconds without a day, in a file that can be read again', async () => {
    const line = exchange('GET /orders').replace('"2026-10-02T08:00:00Z"', '1760000000000000')
    const { folder, stdout, usage } = await record([line])
    expect(usage.consumers.unknown?.['GET /orders']).not.toHaveProperty('first')
    const file = join(folder, 'usage.json')
    writeFileSync(file, stdout)
    expect((await twinspec('usage', file)).code).toBe(0)
  })

  it('counts consumers beyond the maximum together, the same ones in any order', async () => {
    const lines = Array.from({ length: 40 }, (_, index) =>
      exchange('GET /orders', { headers: { 'user-agent': `shop/${index}` } }),
    )
    const sizes = ['--max-consumers', '5']
    const [one, other] = [await record(lines, ...sizes), await record(lines.toReversed(), ...sizes)]
    expect(Object.keys(one.usage.consumers)).toHaveLength(5)
    expect(one.usage.others?.['GET /orders']?.requests).toBe(35)
    expect(one.stderr).toContain('40 requests of more than 5 consumers')
    expect(other.usage).toEqual(one.usage)
  })

  it('takes the documents of the configuration', async () => {
    const folder = await folderOf({
      'twinspec.config.yaml': 'documents: { openapi: api.yaml }',
      'api.yaml': ORDERS,
      'a.ndjson': exchange('GET /orders'),
    })
    const config = ['--config', join(folder, 'twinspec.config.yaml')]
    const { stderr } = await twinspec('usage', join(folder, 'a.ndjson'), ...config)
    expect(stderr).toMatch(/^1 request of 1 consumer to 1 operation /)
  })

  it.each<
    readonly [what: string, lines: readonly string[], flags: readonly string[], error: RegExp]
  >([
    ['no traffic', [], [], /there is no recorded traffic here/],
    ['other traffic', [exchange('GET /x')], [], /no recorded request matches an operation/],
    ['a wrong kind', [created], ['--consumer', 'ip'], /--consumer must be auto, key/],
    ['a wrong number', [created], ['--max-consumers', '0'], /whole number of at least 1, not 0/],
  ])('refuses %s', async (_, lines, flags, error) => {
    const { code, stderr } = await record(lines, ...flags)
    expect([code, stderr]).toEqual([2, expect.stringMatching(error)])
  })

  it('refuses a secret that others can read, a short one, and files that are no usage', async () => {
    const folder = await folderOf({
      open: 'x'.repeat(40),
      short: 'x',
      'api.yaml': ORDERS,
      'a.json': '{"version":1}',
    })
    const lines = [exchange('GET /orders', { headers: bearer(KEY) })]
    const by = async (file: string) => (await record(lines, '--secret-file', file)).stderr
    expect(await by(join(folder, 'open'))).toContain('other users can read the secret')
    expect(await by(join(folder, 'short'))).toContain('is shorter than 32 characters')
    expect(await by(join(folder, 'api.yaml'))).toContain(
      'api.yaml is not a secret of one line without spaces',
    )
    expect(await by(folder)).toContain('is a folder: name a file in it')
    const { code, stderr } = await twinspec('usage', join(folder, 'a.json'))
    expect(code).toBe(2)
    expect(stderr).toMatch(/a\.json: .*create it with `twinspec usage`/)
  })
})

describe('files of usage', () => {
  it('have the published schema', () => {
    expect(readFileSync('src/usage/usage.schema.json', 'utf8')).toBe(publishedUsageSchema())
  })

  it('add up to the usage of all their requests, in any order and grouping', async () => {
    const calls = ['GET /orders', 'GET /orders?limit=7', 'DELETE /orders/a', 'POST /orders']
    const request = fc.record({
      call: fc.constantFrom(...calls),
      agent: fc.integer({ min: 1, max: 6 }),
      day: fc.integer({ min: 1, max: 9 }),
      body: fc.record(
        {
          status: fc.constantFrom('open', 'paid', 'other', null),
          note: fc.string({ maxLength: 9 }),
          amount: fc.integer(),
          items: fc.array(
            fc.record({ sku: fc.string(), count: fc.integer() }, { requiredKeys: [] }),
          ),
        },
        { requiredKeys: [] },
      ),
    })
    const usageOf = async (
      requests: readonly (typeof request extends fc.Arbitrary<infer T> ? T : never)[],
    ) => {
      const lines = requests.map(({ call, agent, day, body }) =>
        exchange(call, {
          headers: { 'user-agent': `a/${agent}` },
          time: `2026-10-0${day}T10:00:00Z`,
          ...(call.startsWith('POST') && { body }),
        }),
      )
      return (await record(lines, '--max-consumers', '4')).usage
    }
    const some = fc.array(request, { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(some, some, some, async (a, b, c) => {
        const [one, two, three] = [await usageOf(a), await usageOf(b), await usageOf(c)]
        const whole = usageText(await usageOf([...c, ...a, ...b]))
        expect(usageText(addUsages([addUsages([one, two]), three]))).toBe(whole)
        expect(usageText(addUsages([two, addUsages([three, one])]))).toBe(whole)
      }),
      { numRuns: 15 },
    )
  })

  it('are added by the command line', async () => {
    const { folder, stdout, usage } = await record([created])
    writeFileSync(join(folder, 'a.json'), stdout)
    const out = join(folder, 'sum.json')
    writeFileSync(join(folder, 'b.json'), stdout)
    const args = ['usage', join(folder, 'a.json'), join(folder, 'b.json'), '--out', out]
    expect((await twinspec(...args)).code).toBe(0)
    const sum = JSON.parse(readFileSync(out, 'utf8')) as Usage
    const [key = ''] = Object.keys(usage.consumers)
    expect([sum.requests, sum.consumers[key]?.['POST /orders']?.requests]).toEqual([2, 2])
  })

  it('are read once where they are named twice, or in a folder that is named as well', async () => {
    const { folder, stdout } = await record([created])
    const file = join(folder, 'a.json')
    writeFileSync(file, stdout)
    const twice = await twinspec('usage', file, file)
    expect(twice.stderr).toContain('is read once')
    expect((JSON.parse(twice.stdout) as Usage).requests).toBe(1)
    const api = ['--openapi', join(folder, 'api.yaml'), '--secret-file', join(folder, 'secret')]
    const both = await twinspec('usage', folder, join(folder, 'a.ndjson'), ...api)
    expect((JSON.parse(both.stdout) as Usage).requests).toBe(1)
  })

  it.each([
    [['nowhere'], /nowhere cannot be read/],
    [['api.yaml'], /api\.yaml is not traffic: name documents with --openapi/],
  ])('of %s are refused', async (words, error) => {
    const folder = await folderOf({ 'api.yaml': ORDERS })
    const { code, stderr } = await twinspec('usage', ...words.map((one) => join(folder, one)))
    expect([code, stderr]).toEqual([2, expect.stringMatching(error)])
  })
})

const recordings = corpus('execution-apis/io')

describe.skipIf(recordings.length === 0)(
  named('what Ethereum nodes really said', recordings),
  () => {
    it('is counted by method', async () => {
      const openrpc = join(CORPORA, 'execution-apis', 'openrpc.json')
      const { code, stdout, stderr } = await twinspec(
        ...['usage', join(CORPORA, 'execution-apis', 'io'), '--openrpc', openrpc],
      )
      expect(code).toBe(0)
      expect(stderr).toMatch(/^229 requests of 1 consumer to \d+ operations\n/)
      const { consumers } = JSON.parse(stdout) as Usage
      expect(consumers.unknown?.eth_getBlockByNumber?.counts).toMatchObject({
        'params by position': { requests: expect.any(Number) },
      })
      const block = consumers.unknown?.eth_getBlockByNumber?.request.properties?.params
      expect(Object.keys(block?.properties ?? {})).toEqual(['Block', 'Hydrated transactions'])
    })
  },
)
