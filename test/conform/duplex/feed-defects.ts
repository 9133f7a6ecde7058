import type { FeedDefect } from './feed.js'

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
export const FEED_DEFECTS: readonly (readonly [rule: string, what: string, defect: FeedDefect])[] =
  [
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
          text.startsWith('{"jsonrpc":"2.0","method":"feed_item"')
            ? [text.replace(/"(?:number|address)"/, '"other"')]
            : undefined,
      },
    ],
    [
      'subscription-item-invalid',
      'sends items of another variant',
      {
        received: (text) =>
          text.startsWith('{"jsonrpc":"2.0","method":"feed_item"')
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
          const sendToAll = () => {
            for (const { reply } of others()) reply(text)
          }
          // Again and again, because the program of another connection may not have started yet.
          if (text.startsWith('{"jsonrpc":"2.0","method":"feed_item"'))
            for (const after of [0, 300, 600, 900]) setTimeout(sendToAll, after).unref()
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
export const CASES_OF: Readonly<Record<string, string>> = {
  'connection-closed-by-malformed-text': 'JSON-RPC, a malformed text on a connection',
  'concurrent-ids-mixed': 'JSON-RPC, calls at once over a connection',
  'connection-closed-by-stray-response': 'JSON-RPC, a response that nobody asked for',
  'subscription-item-invalid': 'feed_start',
  'subscription-cannot-be-ended': 'feed_start',
  'subscription-continues': 'feed_start',
  'unknown-subscription-ended': 'feed_start',
  'subscription-reaches-other-connection': 'feed_start',
}
