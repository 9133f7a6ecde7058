import { expect, it } from 'vitest'
import { BATCHES } from '../../../src/conform/rpc/batches.js'
import { NOTIFICATIONS, PARAMS, UNKNOWN_METHOD_RULES } from '../../../src/conform/rpc/calls.js'
import { ENVELOPE } from '../../../src/conform/rpc/envelope.js'
import { HTTP_BINDING } from '../../../src/conform/rpc/http-binding.js'
import { IDS } from '../../../src/conform/rpc/ids.js'
import { PARSING } from '../../../src/conform/rpc/parsing.js'
import { failing, giving, judge, type Said, valid } from './fake-rpc-server.js'

const ROWS = [
  PARSING,
  ENVELOPE,
  IDS,
  UNKNOWN_METHOD_RULES,
  PARAMS,
  NOTIFICATIONS,
  BATCHES,
  HTTP_BINDING,
].flat()

/** Wrong responses to an attempt, made from the right one. Each attempt needs one of them that breaks its rule. */
const WRONG: readonly ((right: Said) => Said)[] = [
  () => ({ body: giving() }),
  () => ({ body: giving('null') }),
  () => ({ status: 400 }),
  () => ({ status: 500, body: 'no' }),
  // The ids stay right, and so do arrays.
  (right) => ({
    ...right,
    body: (right.body ?? '').replace(OUTCOME, '"error":{"code":-32603,"message":"No"}'),
  }),
  // Each error becomes a result.
  (right) => ({ ...right, body: (right.body ?? '').replace(/"error":\{[^}]*\}/g, '"result":1') }),
  () => ({ body: failing(-32603) }),
]

const OUTCOME = /"result":[^}]*|"error":\{[^}]*\}/g

/** A notification that gets any response breaks this rule, of every response. */
const rulesOf = (id: string) =>
  id === 'notification-rejected' ? [id, 'notification-answered'] : [id]

it.each(ROWS.flatMap(({ id, attempts }) => attempts.map(({ title }) => [title, id] as const)))(
  '%s: a wrong response is %s',
  async (title, id) => {
    const tried = ({ name }: { readonly name: string }) => name === `JSON-RPC, ${title}`
    const found = await Promise.all(
      WRONG.map(async (wrong) => {
        // The first request finds out whether the server can be tested at all.
        let requests = 0
        const { rules } = await judge(
          (asked) => {
            const right = valid(asked)
            return requests++ === 0 || right === undefined ? right : wrong(right)
          },
          { tried },
        )
        return rules
      }),
    )
    expect(found.flat().some((rule) => rulesOf(id).includes(rule))).toBe(true)
  },
)
