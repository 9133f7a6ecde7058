import { describe, expect, it } from 'vitest'
import { changesOf, findingsOf, type Texts } from './versions.js'

type Parts = {
  readonly kinds?: string
  readonly subscription?: string
  readonly variants?: string
  readonly notification?: string
  readonly more?: string
  readonly result?: string
}

const SUBSCRIPTION =
  '{ unsubscribe: stop, id: /subscription, notifications: [{ method: sent, item: /result }] }'
const HEADS =
  'heads: { params: { prefixItems: [{ const: heads }] }, result: { type: string }, item: { type: object, required: [number], properties: { number: { type: string } } } }'
const LOGS =
  'logs: { params: { prefixItems: [{ const: logs }] }, result: { type: string }, item: { type: object, required: [address], properties: { address: { type: string } } } }'

/** A document with a method that subscribes, `start`; each part replaces one of it. */
const api = ({
  kinds = 'enum: [heads, logs, hashes]',
  subscription = SUBSCRIPTION,
  variants = `${HEADS}, ${LOGS}`,
  notification = '{ name: sent, x-direction: server, paramStructure: by-name, params: [{ name: subscription, required: true, schema: { type: string } }, { name: result, required: true, schema: {} }] }',
  more = '',
  result = '{ type: string }',
}: Parts = {}): Texts => ({
  rpc: `openrpc: 1.3.2
info: { title: Chain, version: '1' }
methods:
  - name: start
    paramStructure: by-position
    params: [{ name: kind, required: true, schema: { type: string, ${kinds} } }, { name: filter, schema: { type: object } }]
    result: { name: id, schema: ${result} }
${subscription && `    x-subscription: ${subscription}\n`}${variants && `    x-variants: { ${variants} }\n`}
  - { name: stop, params: [{ name: id, required: true, schema: { type: string } }], result: { name: ended, schema: { type: boolean } } }
  - { name: halt, params: [{ name: id, required: true, schema: { type: string } }], result: { name: ended, schema: { type: boolean } } }
  - ${notification}
  - { name: other, x-direction: server, paramStructure: by-name, params: [{ name: subscription, required: true, schema: { type: string } }, { name: result, required: true, schema: {} }] }
${more}`,
})

const rules = async (before: Parts, after: Parts): Promise<readonly string[]> =>
  (await changesOf(api(before), api(after))).map(({ level, rule }) => `${level} ${rule}`)

type Row = readonly [name: string, before: Parts, after: Parts]

/** The findings of each row, below its name. */
const shownOf = async (rows: readonly Row[], of: (parts: Parts) => Texts): Promise<string> => {
  const texts: string[] = []
  for (const [name, before, after] of rows)
    texts.push(`${name}:\n${await findingsOf(of(before), of(after))}`)
  return texts.join('\n')
}

it('a document has no changes against itself', async () => {
  expect(await findingsOf(api(), api())).toBe('')
})

describe('subscriptions', () => {
  const changed = (text: string) => ({ subscription: text })

  const rows: readonly Row[] = [
    ['is removed', {}, { subscription: '', variants: '' }],
    ['is added', { subscription: '', variants: '' }, { variants: '' }],
    ['ends by another method', {}, changed(SUBSCRIPTION.replace('stop', 'halt'))],
    ['has its id elsewhere', {}, changed(SUBSCRIPTION.replace('/subscription', '/result/id'))],
    ['has its items elsewhere', {}, changed(SUBSCRIPTION.replace('/result', '/result/item'))],
    ['is sent by another notification', {}, changed(SUBSCRIPTION.replace('sent', 'other'))],
    [
      'is sent by another notification as well',
      {},
      changed(SUBSCRIPTION.replace('}]', '}, { method: other, item: /result }]')),
    ],
  ]

  it('a subscription that changes', async () => {
    const of = (parts: Parts) => api({ variants: '', ...parts })
    expect(await shownOf(rows, of)).toMatchInlineSnapshot(`
      "is removed:
      error subscription-removed
        start begins no subscription now: clients that subscribe get no items
        at new.openrpc.yaml:4 (old.openrpc.yaml:8)
        instead: keep sending the items until clients have moved
      is added:
      note subscription-added
        start begins a subscription now
        at new.openrpc.yaml:8 (old.openrpc.yaml:4)
      ends by another method:
      error unsubscribe-method-changed
        subscriptions of start end by halt now, and ended by stop: those of old clients may not end
        at new.openrpc.yaml:8 (old.openrpc.yaml:8)
        instead: keep the old method, and let it end the subscriptions
      has its id elsewhere:
      error subscription-id-moved
        the id of a subscription of start is at /result/id now, and was at /subscription: old clients drop the items
        at new.openrpc.yaml:8 (old.openrpc.yaml:8)
        instead: keep the id where it was, and send it at the new place as well
      has its items elsewhere:
      error subscription-item-moved
        the item is at /result/item in the params of sent now, and was at /result: old clients look there
        at new.openrpc.yaml:8 (old.openrpc.yaml:8)
        instead: keep the item where it was, and add another notification
      is sent by another notification:
      error subscription-notification-removed
        the items of start are no longer sent by sent: old clients get none
        at new.openrpc.yaml:8 (old.openrpc.yaml:8)
        instead: keep sending the notification until clients have moved
      warning subscription-notification-added
        other sends items of start now as well: old clients ignore them
        at new.openrpc.yaml:8 (old.openrpc.yaml:8)
        instead: add another method that subscribes to it
      is sent by another notification as well:
      warning subscription-notification-added
        other sends items of start now as well: old clients ignore them
        at new.openrpc.yaml:8 (old.openrpc.yaml:8)
        instead: add another method that subscribes to it"
    `)
  })

  it('a pointer may name a param or its position', async () => {
    const positions = SUBSCRIPTION.replace('/subscription', '/0').replace('/result', '/1')
    expect(await rules({}, { subscription: positions })).toEqual([])
  })

  it('the schema of the items is compared once, with the notification', async () => {
    const notification = (schema: string) => ({
      variants: '',
      notification: `{ name: sent, x-direction: server, paramStructure: by-name, params: [{ name: subscription, required: true, schema: { type: string } }, { name: result, required: true, schema: ${schema} }] }`,
    })
    const [text, either] = [
      notification('{ type: string }'),
      notification('{ type: [string, "null"] }'),
    ]
    expect(await rules(text, either)).toEqual(['error response-became-nullable'])
    expect(await rules(either, text)).toEqual(['note response-became-not-nullable'])
  })
})

describe('variants of a method', () => {
  const logs = (from: string, to: string) => ({ variants: `${HEADS}, ${LOGS.replace(from, to)}` })

  const rows: readonly Row[] = [
    ['is removed', {}, { variants: HEADS }],
    ['is added', { variants: HEADS }, {}],
    ['is renamed', {}, logs('logs:', 'events:')],
    ['has narrower params', logs('const: logs', 'enum: [logs, hashes]'), {}],
    ['has wider params', {}, logs('const: logs', 'enum: [logs, hashes]')],
    ['requires a param', {}, logs('] }', ', {}], minItems: 2 }')],
    ['requires a param no longer', logs('] }', ', {}], minItems: 2 }'), {}],
    ['returns more', {}, logs('result: { type: string }', 'result: { type: [string, "null"] }')],
    ['returns less', logs('result: { type: string }', 'result: { type: [string, "null"] }'), {}],
    ['has items without a property', {}, logs('required: [address], ', '')],
    ['has items with a new property', {}, logs('properties: {', 'properties: { data: {},')],
    ['has no items of its own', {}, logs(/, item.*/.exec(LOGS)?.[0] ?? '', '}')],
  ]

  it('a variant that changes', async () => {
    expect(await shownOf(rows, api)).toMatchInlineSnapshot(`
      "is removed:
      error variant-removed
        start no longer has the variant \`logs\`: calls with its params may be rejected, or get another result
        at new.openrpc.yaml:9 (old.openrpc.yaml:9)
        instead: keep accepting it besides the others
      is added:
      note variant-added
        start has the new variant \`logs\`
        at new.openrpc.yaml:9 (old.openrpc.yaml:9)
      is renamed:
      error variant-removed
        start no longer has the variant \`logs\`: calls with its params may be rejected, or get another result
        at new.openrpc.yaml:9 (old.openrpc.yaml:9)
        instead: keep accepting it besides the others
      note variant-added
        start has the new variant \`events\`
        at new.openrpc.yaml:9 (old.openrpc.yaml:9)
      has narrower params:
      error request-value-removed
        the param \`kind\` of the variant \`logs\` of start can no longer be "hashes": such calls may get another result
        at new.openrpc.yaml:9 (old.openrpc.yaml:9)
        shown by: "hashes"
        instead: keep accepting the value, with the meaning of another one
      has wider params:
      note request-value-added
        the param \`kind\` of the variant \`logs\` of start can be "hashes" now as well
        at new.openrpc.yaml:9 (old.openrpc.yaml:9)
      requires a param:
      error variant-param-became-required
        the param \`filter\` of the variant \`logs\` of start is required now: calls without it may get another result
        at new.openrpc.yaml:9 (old.openrpc.yaml:9)
        instead: add another variant for the calls with it
      note request-type-widened
        the param \`filter\` of the variant \`logs\` of start may be any value now
        at new.openrpc.yaml:9 (old.openrpc.yaml:6)
      requires a param no longer:
      error request-type-narrowed
        the param \`filter\` of the variant \`logs\` of start must be an object now; it could be any value: such calls may get another result
        at new.openrpc.yaml:6 (old.openrpc.yaml:9)
        shown by: 0
        instead: keep accepting the old values, or offer the new shape in an operation of its own
      returns more:
      error response-became-nullable
        the result of the variant \`logs\` of start can be null now: clients do not expect it
        at new.openrpc.yaml:9 (old.openrpc.yaml:9)
        shown by: null
        instead: omit it instead, where it may be absent
      returns less:
      note response-became-not-nullable
        the result of the variant \`logs\` of start can no longer be null
        at new.openrpc.yaml:9 (old.openrpc.yaml:9)
      has items without a property:
      error response-property-became-optional
        \`address\` in an item of the variant \`logs\` of start may be absent now; it was always present: clients do not expect it
        at new.openrpc.yaml:9 (old.openrpc.yaml:9)
        shown by: {}
        instead: keep sending it
      has items with a new property:
      note response-property-added
        \`data\` in an item of the variant \`logs\` of start is new
        at new.openrpc.yaml:9 (old.openrpc.yaml:9)
      has no items of its own:
      error response-property-became-optional
        \`address\` in an item of the variant \`logs\` of start is removed; it was always present: clients do not expect it
        at new.openrpc.yaml:9 (old.openrpc.yaml:9)
        shown by: {}
        instead: keep sending it
      error response-type-widened
        an item of the variant \`logs\` of start can be a boolean, a number, a string, an array or null now; it was an object: clients do not expect it
        at new.openrpc.yaml:9 (old.openrpc.yaml:9)
        shown by: 0
        instead: keep responding as before, or offer the new shape in an operation of its own"
    `)
  })

  it('the first variants narrow what the method returned', async () => {
    expect(await rules({ variants: '' }, {})).toEqual(['note variant-added', 'note variant-added'])
    const other = {
      variants: LOGS.replace('result: { type: string }', 'result: { type: integer }'),
    }
    expect(await rules({ variants: '' }, other)).toContain('error response-type-widened')
  })

  it('what a variant does not narrow is compared as a param of the method', async () => {
    expect(await rules({}, { kinds: 'enum: [heads, logs]' })).toEqual([
      'error request-value-removed',
    ])
  })
})
