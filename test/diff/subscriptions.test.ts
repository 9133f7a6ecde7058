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

it('a document has no changes against itself', async () => {
  expect(await findingsOf(api(), api())).toBe('')
})

describe('subscriptions', () => {
  const changed = (text: string) => ({ subscription: text })

  it.each<[string, Parts, Parts]>([
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
  ])('a subscription that %s', async (_, before, after) => {
    const found = await findingsOf(
      api({ variants: '', ...before }),
      api({ variants: '', ...after }),
    )
    expect(found).toMatchSnapshot()
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

  it.each<[string, Parts, Parts]>([
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
  ])('a variant that %s', async (_, before, after) => {
    expect(await findingsOf(api(before), api(after))).toMatchSnapshot()
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
