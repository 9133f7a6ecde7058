import type { Case, Plan } from '../case.js'
import { caseWith } from '../rpc/subject.js'
import type { Rule } from '../rule.js'
import { isDuplexUrl } from './address.js'
import { SERVED_SUBSCRIPTION_RULES, subscriptionCases } from './subscriptions.js'
import { callOver, exchangeOf, overConnection, responsesIn, WAIT } from './talk.js'

/** Rules for a connection over which both sides send at any time. */
export const DUPLEX_RULES: readonly Rule[] = [
  {
    id: 'connection-closed-by-malformed-text',
    level: 'warning',
    purpose: 'A text that is not JSON gets an error, and the connection stays usable.',
    clause: 'JSON-RPC 2.0, 5.1',
  },
  {
    id: 'concurrent-ids-mixed',
    level: 'error',
    purpose: 'Calls that run at once over one connection each get one response with their id.',
    clause: 'JSON-RPC 2.0, 5',
  },
  {
    id: 'connection-closed-by-stray-response',
    level: 'warning',
    purpose:
      'A response to no request, or an invalid one to a request of the server, does not end the connection.',
    clause: 'JSON-RPC 2.0, 5',
  },
  ...SERVED_SUBSCRIPTION_RULES,
]

/** What a server must do over a WebSocket or its standard streams, beside what it must do over HTTP. */
export const duplexCases = (plan: Plan): readonly Case[] =>
  plan.api.rpc && isDuplexUrl(plan.target.rpc)
    ? [malformed, concurrent, stray, ...subscriptionCases(plan)]
    : []

const malformed = caseWith('a malformed text on a connection', 2, async (session, { call }) => {
  await overConnection(session, 2, async (connection) => {
    const text = '{"jsonrpc":"2.0",'
    await connection.send(text)
    // The attempts at malformed texts compare the error; this one waits for it.
    await connection.until(() => connection.messages.find(({ isOfServer }) => !isOfServer), WAIT)
    const response = await callOver(connection, call('"after"'), 'after')
    if (response !== undefined) return
    session.report('connection-closed-by-malformed-text', exchangeOf(session, text, connection), {
      message: `after a text that is not JSON, ${connection.whyClosed() ?? 'a call got no response'}`,
      expected: 'an error with "id":null, and a connection that stays open',
      cause: '',
    })
  })
})

const concurrent = caseWith('calls at once over a connection', 8, async (session, subject) => {
  const ids = ['1', '"1"', '2', '"two"', '"2"', '3', '""', '4']
  await overConnection(session, ids.length, async (connection) => {
    const texts = ids.map((id) => subject.call(id))
    await Promise.all(texts.map((text) => connection.send(text)))
    const own = () => responsesIn(connection.messages).map(({ id }) => JSON.stringify(id))
    await connection.until(() => (own().length >= ids.length ? true : undefined), WAIT)
    const left = own()
    const missing = ids.filter((id) => {
      const at = left.indexOf(id)
      if (at >= 0) left.splice(at, 1)
      return at < 0
    })
    if (missing.length + left.length === 0) return
    const extra = left.length === 0 ? '' : `, and others got ${left.join(', ')}`
    session.report('concurrent-ids-mixed', exchangeOf(session, texts.join('\n'), connection), {
      message: `of ${ids.length} calls at once, no response had the id ${missing.join(', ') || 'of another'}${extra}`,
      expected: `one response for each of the ids ${ids.join(', ')}`,
      cause: '',
    })
  })
})

const stray = caseWith('a response that nobody asked for', 3, async (session, subject) => {
  await overConnection(session, 3, async (connection) => {
    const texts = [
      '{"jsonrpc":"2.0","id":"never-asked","result":true}',
      '{"jsonrpc":"2.0","id":"never-asked","error":{"code":"none","message":7}}',
    ]
    for (const text of texts) await connection.send(text)
    const response = await callOver(connection, subject.call('"after"'), 'after')
    if (response !== undefined) return
    session.report(
      'connection-closed-by-stray-response',
      exchangeOf(session, texts.join('\n'), connection),
      {
        message: `after responses that nobody asked for, ${connection.whyClosed() ?? 'a call got no response'}`,
        expected: 'a connection that stays open',
        cause: '',
      },
    )
  })
})
