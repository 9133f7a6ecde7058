import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Usage } from '../../src/usage/usage.js'
import { folderOf, twinspec } from '../cli/command-line.js'
import { call, DESK, harOf, notify, receive, result, send } from '../traffic/desk.js'
import { bearer, exchange, ORDERS } from '../usage/orders.js'
import { siteOf } from './site-of.js'

const usageOf = async (lines: readonly string[], ...flags: readonly string[]): Promise<Usage> => {
  const folder = await folderOf({ 'api.yaml': ORDERS, 'a.ndjson': lines.join('\n') })
  const { stdout } = await twinspec(
    ...['usage', `${folder}/a.ndjson`, '--openapi', `${folder}/api.yaml`],
    ...['--secret-file', `${folder}/secret`, ...flags],
  )
  return JSON.parse(stdout)
}

const order = { items: [{ sku: 'a' }], status: 'open', parent: { items: [], note: 'a' } }
const LINES = [
  exchange('POST /orders', { headers: bearer('a'), body: order, time: '2026-10-05T10:00:00Z' }),
  exchange('POST /orders', {
    ...{ headers: bearer('b'), body: { items: [] }, status: 201, reply: { items: [], note: 'n' } },
    time: '2026-11-07T10:00:00Z',
  }),
  exchange('GET /orders?limit=5', { headers: bearer('a'), time: '2026-11-01T10:00:00Z' }),
]

/** The cells of the row of a place, and of a value of it. */
const rowsOf = (page: string) =>
  new Map(
    [...page.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g)].map(([, name, cells]) => [
      (name ?? '').replace(/<[^>]*>/g, '').replaceAll('&quot;', '"'),
      [...(cells ?? '').matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell),
    ]),
  )

const siteWith = (usage: Usage | undefined) => siteOf({ openapi: parse(ORDERS) }, { usage })

describe('docs --usage', () => {
  it('says of an operation and each of its places when it was last used, and by how many consumers', async () => {
    const site = await siteWith(await usageOf(LINES))
    const page = site.file('operations/createOrder.html')
    expect(site.read('operations/createOrder.html')).toContain(
      'Last used on 2026-11-07 by 2 consumers, in 2 requests recorded from 2026-10-05 to 2026-11-07.',
    )
    const rows = rowsOf(page)
    expect(rows.get('body')).toEqual(['2026-11-07', '2', '2'])
    expect(rows.get('body.status')).toEqual(['2026-10-05', '1', '1'])
    expect(rows.get('body.status is "open"')).toEqual(['2026-10-05', '1', '1'])
    expect(rows.get('body.status is "paid"')).toEqual(['not used', '–', '0'])
    expect(rows.get('body.items[].sku')).toEqual(['2026-10-05', '1', '1'])
    expect(rows.get('body.items[].count')).toEqual(['not used', '–', '0'])
    expect(rows.get('body.shipping.zip')).toEqual(['not used', '–', '0'])
    expect(rows.get('201.body.note')).toEqual(['2026-11-07', '1', '1'])
    // An order within an order is counted as an order, and has no row of its own.
    expect(rows.get('body.note')).toEqual(['2026-10-05', '1', '1'])
    expect([...rows.keys()].filter((name) => /parent/.test(name))).toEqual([])
    const list = rowsOf(site.file('operations/listOrders.html'))
    expect(list.get('query.limit')).toEqual(['2026-11-01', '1', '1'])
    expect(list.get('query.status is "sent"')).toEqual(['not used', '–', '0'])
  })

  it('says so where nobody called an operation, in Markdown too', async () => {
    const site = await siteWith(await usageOf(LINES))
    const words = 'Not used in the recorded time from 2026-10-05 to 2026-11-07.'
    expect(site.read('operations/deleteOrder.html')).toContain(words)
    expect(site.file('operations/deleteOrder.md')).toContain(`## Recorded use\n\n${words}`)
    const page = site.file('operations/createOrder.md')
    expect(page).toContain('| `body.status` is `"open"` | 2026-10-05 | 1 | 1 |')
    expect(page).toContain('| `body.note` | 2026-10-05 | 1 | 1 |')
  })

  it('does not say of a place that it is not used where a request could not be read', async () => {
    const headers = { 'content-type': 'application/json' }
    const lines = [exchange('POST /orders', { headers, body: '{"items"' }), '{"request":']
    const site = await siteWith(await usageOf(lines))
    const rows = rowsOf(site.file('operations/createOrder.html'))
    expect(rows.get('body')).toEqual(['2026-10-02', '1', '1'])
    expect(rows.get('body.status is "open"')).toEqual(['not known', '–', '0'])
    expect(site.read('operations/deleteOrder.html')).toContain('Not known: no request was recorded')
  })

  it('says that the time of an operation is not known where only others have one', async () => {
    const { time: _, ...undated } = JSON.parse(LINES[2] ?? '')
    const lines = [...LINES.slice(0, 2), JSON.stringify(undated)]
    const site = await siteWith(await usageOf(lines))
    const words = 'Last used at no known time by 1 consumer, in 1 request.'
    expect(site.read('operations/listOrders.html')).toContain(words)
    expect(site.file('operations/listOrders.md')).toContain(words)
  })

  it('says nothing without it', async () => {
    const site = await siteWith(undefined)
    expect(site.file('operations/createOrder.html')).not.toMatch(/Recorded use|not used/i)
  })

  it('counts consumers beyond the maximum as more', async () => {
    const lines = Array.from({ length: 9 }, (_, index) =>
      exchange('GET /orders', { headers: { 'user-agent': `shop/${index}` } }),
    )
    const site = await siteWith(await usageOf(lines, '--max-consumers', '2'))
    expect(site.read('operations/listOrders.html')).toMatch(
      /by more than 2 consumers, in 9 requests/,
    )
  })

  it('has properties that are called as members of every object', async () => {
    const openapi = parse(ORDERS)
    const { Order } = openapi.components.schemas
    Order.properties.constructor = { type: 'string' }
    Order.properties.hasOwnProperty = { type: 'string' }
    const site = await siteOf({ openapi }, { usage: await usageOf(LINES) })
    const rows = rowsOf(site.file('operations/createOrder.html'))
    expect(rows.get('body.constructor')).toEqual(['not used', '–', '0'])
    expect(rows.get('body.hasOwnProperty')).toEqual(['not used', '–', '0'])
  })

  it('is a flag of the command, which refuses the record of another API', async () => {
    const usage = await usageOf(LINES)
    const folder = await folderOf({ 'api.yaml': ORDERS, 'usage.json': JSON.stringify(usage) })
    const other = ORDERS.replaceAll('/orders', '/bills')
    const files = await folderOf({ 'api.yaml': other })
    const args = ['docs', '--usage', `${folder}/usage.json`, '--out']
    const done = await twinspec(...args, `${folder}/site`, '--openapi', `${folder}/api.yaml`)
    expect(done.code).toBe(0)
    const refused = await twinspec(...args, `${files}/site`, '--openapi', `${files}/api.yaml`)
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('--usage belongs to other documents: the documents have no '),
    ])
  })
})

it('docs --usage says of a method of the server when it was last sent, and to how many consumers', async () => {
  const messages = [
    send(call(1, 'add', [1, 2])),
    receive(result(1, 3)),
    ...[1, 2].map((value) => receive(notify('item', { subscription: 's', value }))),
  ]
  const folder = await folderOf({ 'desk.json': JSON.stringify(DESK), 'a.har': harOf({ messages }) })
  const { stdout } = await twinspec('usage', `${folder}/a.har`, '--openrpc', `${folder}/desk.json`)
  const usage: Usage = JSON.parse(stdout)
  const { read } = await siteOf({ openrpc: DESK }, { usage })
  const page = read('sent-by-the-server.html')
  expect(page).toContain(
    'Last sent on 2026-09-21 to 1 consumer, in 2 messages recorded on 2026-09-21.',
  )
  expect(page.match(/Not sent in the recorded time/g)).toHaveLength(3)
  const unread = await siteOf(
    { openrpc: DESK },
    { usage: { ...usage, unread: { 'JSON-RPC': { json: 1 } } } },
  )
  expect(unread.read('sent-by-the-server.html')).toContain(
    'Not known: no message was recorded on 2026-09-21, but some could not be read.',
  )
})
