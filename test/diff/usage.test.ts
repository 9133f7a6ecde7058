import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/model/finding.js'
import { folderOf, twinspec } from '../cli/command-line.js'
import { findingsIn } from '../report/report-of.js'
import { bearer, exchange, ORDERS } from '../usage/orders.js'

const [ACME, SHOP] = [bearer('key-of-acme-1'), { 'user-agent': 'shop/1' }]

const order = (more: object = {}) => ({ items: [{ sku: 'a' }], ...more })

const TRAFFIC = [
  exchange('POST /orders', {
    headers: ACME,
    status: 201,
    body: order({ status: 'paid', note: 'n'.repeat(150), billing: { zip: '1' } }),
    reply: order({ status: 'paid' }),
  }),
  exchange('POST /orders', {
    headers: SHOP,
    status: 201,
    time: '2026-11-05T00:00:00Z',
    body: order({ status: 'open', note: 'short', shipping: { zip: '2', city: 'x' } }),
  }),
  exchange('POST /orders', {
    headers: SHOP,
    status: 201,
    time: '2026-11-06T00:00:00Z',
    body: order({ items: [{ sku: 'a' }, { count: 2 }], amount: 1234.5 }),
  }),
  exchange('GET /orders?limit=400', { headers: ACME, reply: [] }),
  exchange('GET /orders?limit=5&status=paid', {
    headers: SHOP,
    reply: [order({ status: 'sent' })],
  }),
  exchange('GET /orders', { headers: SHOP, reply: [] }),
]

const compare = async (after: string, ...flags: readonly string[]) =>
  compareTo(ORDERS, after, TRAFFIC, flags)

const compareTo = async (
  old: string,
  after: string,
  traffic: readonly string[],
  flags: readonly string[],
) => {
  const folder = await folderOf({
    'before.yaml': old,
    'after.yaml': after,
    'traffic.ndjson': traffic.join('\n'),
  })
  const [before, usage] = [join(folder, 'before.yaml'), join(folder, 'usage.json')]
  const secret = ['--secret-file', join(folder, 'secret')]
  const recorded = await twinspec(
    ...['usage', join(folder, 'traffic.ndjson'), '--openapi', before, '--out', usage, ...secret],
  )
  expect(recorded.code).toBe(0)
  return twinspec(
    ...['diff', '--openapi', join(folder, 'after.yaml'), '--against', before, '--usage', usage],
    ...flags,
  )
}

const findings = async (after: string): Promise<readonly Finding[]> =>
  findingsIn((await compare(after, '--format', 'json')).stdout)

/** The document with some of its text replaced. */
const changed = (...replacements: readonly (readonly [from: string | RegExp, to: string])[]) =>
  replacements.reduce((text, [from, to]) => {
    expect(text).toMatch(from)
    return text.replace(from, () => to)
  }, ORDERS)

const PROPERTY_STATUS = 'status: { type: string, enum: [open, paid, sent] }\n        note'

describe('diff --usage says which recorded requests a change would have met', () => {
  it.each<
    readonly [
      what: string,
      from: string | RegExp,
      to: string,
      rule: string,
      said: readonly unknown[],
    ]
  >([
    [
      'a value that one consumer sends',
      PROPERTY_STATUS,
      'status: { type: string, enum: [open, sent] }\n        note',
      'request-value-removed',
      ['used', 1, 1, 3, ['key']],
    ],
    [
      'a value that nobody sends',
      PROPERTY_STATUS,
      'status: { type: string, enum: [open, paid] }\n        note',
      'request-value-removed',
      ['unused', 0, 0, 3, []],
    ],
    [
      'a longest text by the longest that came',
      'maxLength: 200',
      'maxLength: 149',
      'request-max-length-lowered',
      ['used', 1, 1, 3, ['key']],
    ],
    [
      'a longest text that all texts keep',
      'maxLength: 200',
      'maxLength: 150',
      'request-max-length-lowered',
      ['unused', 0, 0, 3, []],
    ],
    [
      'a longest text that a longer one surely breaks',
      'maxLength: 200',
      'maxLength: 4',
      'request-max-length-lowered',
      ['used', 2, 2, 3, ['key', 'shop']],
    ],
    [
      'a largest number by digits',
      'maximum: 500',
      'maximum: 99',
      'request-maximum-lowered',
      ['used', 1, 1, 3, ['key']],
    ],
    [
      'a number that digits do not decide',
      'maximum: 500',
      'maximum: 300',
      'request-maximum-lowered',
      ['possible', 0, 1, 3, ['key']],
    ],
    [
      'a property that most requests lack',
      'required: [items]',
      'required: [items, amount]',
      'request-property-became-required',
      ['used', 2, 2, 3, ['key', 'shop']],
    ],
    [
      'a property that an item of a list lacks',
      'sku: { type: string }\n              count: { type: integer }',
      'sku: { type: string }\n              count: { type: string }',
      'request-type-narrowed',
      ['used', 1, 1, 3, ['shop']],
    ],
    [
      'a property of a shared schema, wherever it is used',
      'zip: { type: string }',
      'zip: { type: integer }',
      'request-type-narrowed',
      ['used', 2, 2, 3, ['key', 'shop']],
    ],
    [
      'a property that is removed',
      /\n {8}city: \{ type: string \}/,
      '',
      'request-property-removed',
      ['used', 1, 1, 3, ['shop']],
    ],
    [
      'a parameter that is removed',
      /\n {8}- \{ name: limit.*/,
      '',
      'parameter-removed',
      ['used', 2, 2, 3, ['key', 'shop']],
    ],
    [
      'a parameter that is required',
      'name: status, in: query,',
      'name: status, in: query, required: true,',
      'parameter-became-required',
      ['used', 2, 2, 3, ['key', 'shop']],
    ],
    [
      'an operation that is removed',
      /\n {4}post:[\s\S]*?(?=\n {2}\/orders\/)/,
      '',
      'operation-removed-without-deprecation',
      ['used', 3, 3, 3, ['key', 'shop']],
    ],
    [
      'an operation that nobody calls',
      /\n {2}\/orders\/\{id\}:[\s\S]*?(?=\ncomponents)/,
      '',
      'operation-removed-without-deprecation',
      ['unused', 0, 0, 0, []],
    ],
    [
      'a media type',
      "application/json:\n            schema: { $ref: '#/components/schemas/Order' }\n      responses",
      "text/json:\n            schema: { $ref: '#/components/schemas/Order' }\n      responses",
      'request-media-type-removed',
      ['used', 3, 3, 3, ['key', 'shop']],
    ],
  ])('%s', async (_, from, to, rule, said) => {
    const all = await findings(changed([from, to]))
    const usage = all.find((one) => one.rule === rule)?.usage
    const names = usage?.consumers.map((one) =>
      one.startsWith('key:') ? 'key' : one === 'user-agent:shop/1' ? 'shop' : one,
    )
    expect([
      usage?.verdict,
      usage?.requests.least,
      usage?.requests.most,
      usage?.requests.of,
      names,
    ]).toEqual(said)
  })

  it('in words, with days and one recorded shape', async () => {
    const removed = changed([
      PROPERTY_STATUS,
      'status: { type: string, enum: [paid, sent] }\n        note',
    ])
    const { stdout } = await compare(removed)
    expect(stdout).toContain(
      '    usage: 1 of 3 recorded requests would be affected: 1 consumer (user-agent:shop/1) on 2026-11-05\n',
    )
    expect(stdout).toMatch(
      / {4}such as: \{"body":\{.*"shipping":\{"city":"string","zip":"string"\},"status":"=open"\}\}\n/,
    )
  })

  it.each(['markdown', 'sarif', 'github', 'junit'] as const)('in %s', async (format) => {
    const { stdout } = await compare(
      changed(['required: [items]', 'required: [items, amount]']),
      '--format',
      format,
    )
    expect(stdout).toContain('2 of 3 recorded requests would be affected')
  })

  it('never lowers what is about responses', async () => {
    const all = await findings(
      changed([
        /enum: \[open, paid, sent\] \}\n {8}note/,
        'enum: [open, paid, sent, lost] }\n        note',
      ]),
    )
    const added = all.find(({ rule }) => rule === 'response-value-added')
    expect(added).toMatchObject({
      level: 'error',
      usage: { verdict: 'sent', requests: { most: 2 } },
    })
  })
})

describe('what is removed before its sunset day', () => {
  const marked = (text: string, place: RegExp, indent: string) =>
    text.replace(place, (all) => `${all}${indent}deprecated: true${indent}x-sunset: 2999-12-31`)
  const operation = /operationId: (?:deleteOrder|createOrder)/g
  const OLD = marked(ORDERS, operation, '\n      ').replace(
    /- \{ name: (limit|status), in: query/g,
    '$&, deprecated: true, x-sunset: 2999-12-31',
  )

  it.each<readonly [what: string, gone: RegExp, code: number, said: RegExp]>([
    [
      'an operation that was called is refused',
      /\n {4}post:[\s\S]*?(?=\n {2}\/orders\/)/,
      1,
      /error .*POST \/orders is removed before its x-sunset 2999-12-31: its callers are rejected \[/,
    ],
    [
      'one that nobody called is not',
      /\n {2}\/orders\/\{id\}:[\s\S]*?(?=\ncomponents)/,
      0,
      /warning .*DELETE \/orders\/\{id\} is removed before its x-sunset 2999-12-31: its callers are rejected\. No recorded request used it, so it can be removed before that day \[/,
    ],
    [
      'a parameter that was sent is refused',
      /\n {8}- \{ name: limit.*/,
      1,
      /error .*`limit`.* is removed before its x-sunset 2999-12-31: the service ignores or rejects it \[/,
    ],
  ])('%s', async (_, gone, code, said) => {
    const after = OLD.replace(gone, '')
    expect(after).not.toBe(OLD)
    const result = await compareTo(OLD, after, TRAFFIC, [])
    expect(result.stdout).toMatch(said)
    expect(result.code).toBe(code)
  })

  it('a parameter that nobody sent is not refused', async () => {
    const unsent = TRAFFIC.filter((line) => !line.includes('limit='))
    const after = OLD.replace(/\n {8}- \{ name: limit.*/, '')
    const { code, stdout } = await compareTo(OLD, after, unsent, [])
    expect(stdout).toMatch(/warning .*No recorded request used it/)
    expect(code).toBe(0)
  })
})

describe('what schemas leave undecided', () => {
  const withPattern = (pattern: string) =>
    changed([
      /email: .*/,
      `email: { type: string, pattern: '${pattern}', x-extensible-enum: [aa, bbxbbx] }`,
    ])
  const [OLD, NEW] = [withPattern('^(.+)\\1$'), withPattern('^(.+)\\1x$')]
  const decided = async (...emails: readonly (string | undefined)[]) => {
    const lines = emails.map((email) =>
      exchange('POST /orders', { headers: SHOP, body: order({ email }) }),
    )
    const { stdout } = await compareTo(OLD, NEW, lines, ['--format', 'json'])
    const all = findingsIn(stdout)
    return all.find(({ rule }) => rule === 'request-change-is-undecided')
  }

  it('is decided where no request had it', async () => {
    const finding = await decided(undefined)
    expect(finding).toMatchObject({ level: 'note', usage: { verdict: 'unused' } })
    expect(finding?.message).toMatch(
      /recorded requests show it, because no recorded request is affected$/,
    )
    expect(finding?.message).not.toContain('cannot decide')
  })

  it('is decided by the listed values that were sent', async () => {
    const finding = await decided('aa', undefined)
    expect(finding).toMatchObject({ level: 'error', usage: { requests: { least: 1, most: 1 } } })
    expect(finding?.message).toMatch(/recorded requests show it, because some would be rejected$/)
  })

  it('stays undecided where other values were sent', async () => {
    const finding = await decided('aa', 'cc')
    expect(finding).toMatchObject({ level: 'warning', usage: { verdict: 'possible' } })
    expect(finding?.message).toContain('cannot decide')
  })
})

describe('a value that the old version did not list', () => {
  it.each<readonly [name: string, was: string, is: string, sent: unknown, verdict: string]>([
    ['a boolean that was sent', 'type: boolean', 'const: false', true, 'possible'],
    ['the other boolean', 'type: boolean', 'const: false', false, 'possible'],
    ['no boolean', 'type: [boolean, string]', 'enum: [false]', undefined, 'unused'],
    ['one of two listed booleans', 'enum: [true, false]', 'enum: [false]', true, 'used'],
    ['the other listed boolean', 'enum: [true, false]', 'enum: [false]', false, 'unused'],
    ['a listed null', 'enum: [a, null]', 'enum: [a]', null, 'used'],
  ])('is not counted as never sent: %s', async (_, was, is, sent, verdict) => {
    const before = changed([
      'note: { type: string',
      `hurry: { ${was} }\n        note: { type: string`,
    ])
    const after = before.replace(`hurry: { ${was} }`, `hurry: { ${is} }`)
    const traffic = [
      exchange('POST /orders', { headers: SHOP, status: 201, body: order({ hurry: sent }) }),
    ]
    const { stdout } = await compareTo(before, after, traffic, ['--format', 'json'])
    const own = findingsIn(stdout).filter(({ rule }) => rule.startsWith('request-'))
    expect(own.map(({ usage }) => usage?.verdict)).toContain(verdict)
    if (verdict !== 'unused')
      expect(own.every(({ usage }) => usage?.verdict === 'unused')).toBe(false)
  })
})

describe('--fail-on used', () => {
  it.each<readonly [what: string, code: number, after: string]>([
    ['a breaking change that nobody met passes', 0, changed(['maxLength: 200', 'maxLength: 150'])],
    ['one that somebody met fails', 1, changed(['maxLength: 200', 'maxLength: 4'])],
    ['one that counts do not decide fails', 1, changed(['maximum: 500', 'maximum: 300'])],
    ['a warning that somebody met fails', 1, changed([/\n {8}- \{ name: limit.*/, ''])],
    ['a warning that nobody met passes', 0, changed([/\n {8}email: .*/, ''])],
    [
      'what is new passes',
      0,
      changed([
        'amount: { type: number }',
        'amount: { type: number }\n        more: { type: string }',
      ]),
    ],
    [
      'an error about responses fails',
      1,
      changed([/'200'(?=:\n {10}description: The orders)/, "'202'"]),
    ],
  ])('%s', async (_, code, after) => {
    const end = await compare(after, '--fail-on', 'used')
    expect(end.code).toBe(code)
    // The last line gives the verdict of the exit code.
    expect(end.stderr.includes('not safe to release')).toBe(code === 1)
  })

  it('needs a usage, and one of these documents', async () => {
    const folder = await folderOf({ 'a.yaml': ORDERS, 'usage.json': '{}' })
    const [api, usage] = [join(folder, 'a.yaml'), join(folder, 'usage.json')]
    const args = ['diff', '--openapi', api, '--against', api]
    expect((await twinspec(...args, '--fail-on', 'used')).stderr).toContain('needs --usage')
    const wrong = await twinspec(...args, '--usage', usage)
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('usage.json: ')])
    const renamed = ORDERS.replaceAll('/orders', '/purchases')
    const other = await compareTo(ORDERS, renamed, TRAFFIC, [])
    expect(other.stdout).toContain('usage: 3 of 3 recorded requests would be affected')
  })
})
