import type { RpcOperation } from '../../model/api.js'
import { grouped } from '../../schema/grouped.js'
import type { Making } from '../../schema/random.js'
import type { Case, CasesOf, Input, Plan, Session } from '../case.js'
import { ownName } from '../operations.js'
import { misformed } from '../responses/value.js'
import type { Rule } from '../rule.js'
import { collectShown } from '../values/shown-values.js'
import { type Trial, trialsOf } from '../values/trials.js'
import type { Sent } from '../wire/exchange.js'
import { callText, postRpc } from '../wire/write-request.js'
import { findingsOf, isBeside, outcomeOf, reportRejected } from './evaluate.js'
import { inputsOf, keywordName } from './input.js'

/** Rules for params by name, for methods that accept them by position only. */
export const NAMED_PARAMS_RULES: readonly Rule[] = [
  {
    id: 'named-params-accepted',
    level: 'error',
    purpose: 'A method that declares its params by position rejects named params with -32602.',
    clause: 'OpenRPC, Method Object, paramStructure',
    checks: ['J52'],
  },
]

/** Values at the bound of every keyword of an operation's requests, valid and just invalid; one case per part of a request. */
export const boundaryCasesOf = (plan: Plan): CasesOf => {
  const making = collectShown(plan.api, plan.checker)
  return (operation) => [
    ...inputsOf(operation, plan, making).flatMap((input) => casesOf(input, making, plan)),
    ...(operation.kind === 'rpc' ? byNameCases(operation, plan) : []),
  ]
}

type Attempt = { readonly sent: Sent; readonly trials: readonly Trial[] }

const casesOf = (input: Input, making: Making, plan: Plan): readonly Case[] => {
  const { operation, part } = input
  return [...grouped(attemptsOf(input, making, plan), groupOf)].map(([name, attempts]) => ({
    name: `${ownName(operation)}, bounds of ${part}${name}`,
    operation,
    cost: attempts.length,
    run: async (session) => {
      for (const attempt of attempts)
        if (session.isOpen(operation)) await tryOne(input, attempt, session)
    },
  }))
}

/** Splits cases by top-level member, so that a run whose time is up can stop soon. */
const groupOf = ({ trials: [trial] }: Attempt): string => {
  const [, first] = trial?.at.split('/') ?? []
  return first === undefined ? '' : `/${first}`
}

const attemptsOf = (input: Input, making: Making, { api }: Plan): readonly Attempt[] => {
  const { schema, bases, accepts, rejects, write, isRequired } = input
  const bounding = { making, bases, accepts, rejects }
  const attempts = new Map<string, Attempt>()
  for (const trial of [...trialsOf(schema, bounding), ...(isRequired ? [LEFT_OUT] : [])]) {
    // A server may store such a text and return it in its next response.
    const isMisformed = trial.side === 'valid' && misformed(api, schema, trial.value).length > 0
    const sent = isMisformed ? undefined : write(trial.value)
    if (sent === undefined) continue
    const key = `${trial.side} ${sent.method} ${sent.url} ${JSON.stringify(sent.headers)} ${sent.body}`
    const known = attempts.get(key)
    attempts.set(key, { sent, trials: [...(known?.trials ?? []), trial] })
  }
  return [...attempts.values()]
}

const LEFT_OUT: Trial = {
  side: 'invalid',
  value: undefined,
  keyword: 'required',
  pointer: '',
  at: '',
  note: 'left out',
}

const tryOne = async (input: Input, { sent, trials }: Attempt, session: Session): Promise<void> => {
  const { operation, part } = input
  const exchange = await session.ask(sent)
  const outcome = outcomeOf(operation, exchange, session)
  if (isBeside(operation, outcome, session)) return
  for (const { pointer, keyword } of trials)
    session.cover('keyword', keywordName(operation, part, `${pointer} ${keyword}`.trimStart()))
  const [first] = trials
  if (first === undefined) return
  const isUnknown = first.keyword === 'additionalProperties' && first.side === 'invalid'
  // One operation may be stricter than another, and a failure decides nothing.
  if (operation.kind === 'http' && isUnknown && DECIDED.has(outcome.kind))
    session.observe(`unknown-property of ${operation.id}`, outcome.kind, exchange)
  reportRejected(input, first, exchange, outcome, session)
  session.reportAll(findingsOf(input, first, exchange, outcome))
}

const DECIDED: ReadonlySet<string> = new Set(['taken', 'refused'])

/** Sends params by name to a method that accepts them by position only. */
const byNameCases = (operation: RpcOperation, plan: Plan): readonly Case[] => {
  const [example] = operation.examples.filter(({ outcome }) => outcome.kind === 'result')
  const isLocked = operation.access === 'key' && plan.target.key === undefined
  if (operation.paramStructure !== 'by-position' || isLocked || plan.target.rpc === undefined)
    return []
  if (!example || Object.keys(example.namedParams).length === 0) return []
  const sent = postRpc(plan.target, callText(operation.method, example.namedParams))
  return [
    {
      name: `${ownName(operation)}, params by name`,
      operation,
      cost: 1,
      run: async (session) => {
        if (!session.isOpen(operation)) return
        const exchange = await session.ask(sent)
        const outcome = outcomeOf(operation, exchange, session)
        if (isBeside(operation, outcome, session) || outcome.kind !== 'taken') return
        session.report('named-params-accepted', exchange, {
          message: 'the method takes its params by position, but a call by name got a result',
          expected: 'an error with the code -32602',
        })
      },
    },
  ]
}
