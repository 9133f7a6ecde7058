import { describe, expect, it, onTestFinished } from 'vitest'
import { conform } from '../../../src/conform/conform.js'
import { DUPLEX_RULES } from '../../../src/conform/duplex/cases.js'
import { type FeedDefect, feedApi, startFeed } from './feed.js'

/** What conform says of a feed with a defect. */
const tested = async (defect: FeedDefect, only?: readonly string[]) => {
  const { url, stop } = await startFeed(defect)
  onTestFinished(stop)
  const options = { url, stateless: true, milliseconds: 1_500, ...(only && { only }) }
  return conform(await feedApi(), options)
}

const parsed = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const result = (id: unknown, value: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id, result: value })

const isJson = (text: string): boolean => parsed(text) !== undefined

/** The rule that a defect breaks, the words for it, and the defect. */
const DEFECTS: readonly (readonly [rule: string, what: string, defect: FeedDefect])[] = [
  [
    'connection-closed-by-malformed-text',
    'closes the connection when a text is no JSON',
    {
      sent: (text, { close }) => {
        if (isJson(text)) return undefined
        close()
        return []
      },
    },
  ],
  [
    'concurrent-ids-mixed',
    'sends back texts as ids that were numbers',
    {
      received: (text) => {
        const { id, ...rest } = parsed(text) ?? {}
        return typeof id === 'number' && id > 1
          ? [JSON.stringify({ ...rest, id: String(id) })]
          : undefined
      },
    },
  ],
  [
    'connection-closed-by-stray-response',
    'closes the connection when a response is none of its own',
    {
      sent: (text, { close }) => {
        if (Object(parsed(text)).id !== 'never-asked') return undefined
        close()
        return []
      },
    },
  ],
  [
    'subscription-item-invalid',
    'sends items without the member that they require',
    {
      received: (text) =>
        text.includes('"feed_item"')
          ? [text.replace(/"(?:number|address)"/, '"other"')]
          : undefined,
    },
  ],
  [
    'subscription-item-invalid',
    'sends items of another variant',
    {
      received: (text) =>
        text.includes('"feed_item"')
          ? [text.replace(/\{"address":.*?\}/, '{"number":1}')]
          : undefined,
    },
  ],
  [
    'subscription-cannot-be-ended',
    'does not know the ids that it returned',
    {
      sent: (text, { reply }) => {
        const { id, method } = Object(parsed(text))
        if (method !== 'feed_stop') return undefined
        reply(
          JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no such id' } }),
        )
        return []
      },
    },
  ],
  [
    'subscription-continues',
    'says that a subscription has ended, and sends its items',
    {
      sent: (text, { reply }) => {
        const { id, method } = Object(parsed(text))
        if (method !== 'feed_stop') return undefined
        reply(result(id, true))
        return []
      },
    },
  ],
  [
    'unknown-subscription-ended',
    'ends any id',
    {
      received: (text) => {
        const { id, result: value } = Object(parsed(text))
        return value === false ? [result(id, true)] : undefined
      },
    },
  ],
  [
    'subscription-reaches-other-connection',
    'sends items to all connections',
    {
      received: (text, { others }) => {
        if (text.includes('"feed_item"')) for (const { reply } of others()) reply(text)
        return undefined
      },
    },
  ],
  [
    'notification-answered',
    'responds to notifications',
    {
      sent: (text, { reply }) => {
        const { id, method } = Object(parsed(text))
        if (typeof method === 'string' && id === undefined) reply(result(null, 7))
        return undefined
      },
    },
  ],
  [
    'rejection-wrong-code',
    'rejects texts that are no JSON with another code',
    {
      received: (text) =>
        text.includes('-32700') ? [text.replace('-32700', '-32000')] : undefined,
    },
  ],
  [
    'batch-answered-by-object',
    'sends the first response of a batch alone',
    {
      received: (text) => (text.startsWith('[') ? [JSON.stringify(parsed(text)[0])] : undefined),
    },
  ],
]

/** The cases that find a broken rule; all cases for other rules. */
const CASES: Readonly<Record<string, string>> = {
  'connection-closed-by-malformed-text': 'JSON-RPC, a malformed text on a connection',
  'concurrent-ids-mixed': 'JSON-RPC, calls at once over a connection',
  'connection-closed-by-stray-response': 'JSON-RPC, a response that nobody asked for',
  'subscription-item-invalid': 'feed_start',
  'subscription-cannot-be-ended': 'feed_start',
  'subscription-continues': 'feed_start',
  'unknown-subscription-ended': 'feed_start',
  'subscription-reaches-other-connection': 'feed_start',
}

describe('conform over a WebSocket', () => {
  it('finds nothing wrong with a right server, and tests its methods and subscriptions', async () => {
    const verdict = await tested({})
    expect(verdict.findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([])
    expect(verdict.unjudged).toBe(undefined)
    const called = verdict.coverage.find(({ kind }) => kind === 'operation')
    expect(called?.met).toEqual(called?.declared)
    const left = verdict.notTested.flatMap(({ what }) => what)
    expect(left).toContain('JSON-RPC, its binding to HTTP')
    expect(left.filter((one) => one.includes('items'))).toEqual([])
  })

  it.each(DEFECTS)('%s: a server that %s', async (rule, _, defect) => {
    const only = CASES[rule]
    const { findings } = await tested(defect, only === undefined ? undefined : [only])
    expect(findings.map((one) => one.rule)).toContain(rule)
  })

  it('each rule has a server that breaks it', () => {
    const broken = DEFECTS.map(([rule]) => rule)
    expect(DUPLEX_RULES.map(({ id }) => id).filter((id) => !broken.includes(id))).toEqual([])
  })

  it('a finding has a line for wscat, and the text that arrived', async () => {
    const [, , defect] = DEFECTS[0] as (typeof DEFECTS)[number]
    const { findings } = await tested(defect, ['JSON-RPC, a malformed text on a connection'])
    expect(findings.map(({ exchange: { curl } }) => curl.replace(/:\d+/, ':PORT'))).toEqual([
      `npx wscat -c 'ws://127.0.0.1:PORT/feed' -w 3 -x '{"jsonrpc":"2.0",'`,
    ])
  })

  it('says that a server cannot be reached', async () => {
    const { url, stop } = await startFeed({})
    await stop()
    await expect(conform(await feedApi(), { url })).rejects.toThrow('cannot be reached')
  })
})
