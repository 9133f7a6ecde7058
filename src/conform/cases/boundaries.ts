import type { RpcOperation } from '../../model/api.js'
import { grouped } from '../../schema/grouped.js'
import type { Making } from '../../schema/random.js'
import type { Sent } from '../../traffic/exchange.js'
import type { Case, CasesOf, Plan, Session, VariedInput } from '../case.js'
import { ownName } from '../operations.js'
import { classify } from '../outcome.js'
import { misformed } from '../responses/value.js'
import type { Rule } from '../rule.js'
import { collectShown } from '../values/shown-values.js'
import { type Trial, trialsOf } from '../values/trials.js'
import { callText, postRpc } from '../wire/write-request.js'
import { isAcceptedValue, isOfValue, isUnrelated } from './evaluate.js'
import { keywordName, variedInputs } from './input.js'
import { createSharing, type Sharing } from './sharing.js'
import { tryValue } from './try-value.js'

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
export const boundaryCasesOf = (plan: Plan, sharing = createSharing()): CasesOf => {
  const making = collectShown(plan.api, plan.checker)
  return (operation) => [
    ...variedInputs(operation, plan, making).flatMap((input) =>
      casesOf(input, making, plan, sharing),
    ),
    ...(operation.kind === 'rpc' ? byNameCases(operation, plan) : []),
  ]
}

type Attempt = { readonly sent: Sent; readonly trials: readonly Trial[] }

const casesOf = (
  input: VariedInput,
  making: Making,
  plan: Plan,
  sharing: Sharing,
): readonly Case[] => {
  const { operation, part } = input
  const sent = new Map<string, number>()
  return [...grouped(attemptsOf(input, making, plan), groupOf)].map(([name, attempts]) => ({
    name: `${ownName(operation)}, bounds of ${part}${name}`,
    operation,
    cost: attempts.length,
    run: async (session) => {
      for (const attempt of attempts) {
        if (!session.isOpen(operation)) return
        const { trials } = attempt
        const isShown = (trial: Trial) => (sent.get(kindOf(trial)) ?? 0) >= FEW
        const isKnown = (trial: Trial) => sharing.isTriedElsewhere(input, boundOf(trial))
        if (trials.every((trial) => isShown(trial) && isKnown(trial))) continue
        for (const trial of trials) sent.set(kindOf(trial), (sent.get(kindOf(trial)) ?? 0) + 1)
        if (!(await tryOne(input, attempt, session))) continue
        for (const trial of trials) sharing.note(input, boundOf(trial))
        if (trials.every(({ side }) => side === 'invalid')) sharing.noteRejected(attempt.sent)
      }
    },
  }))
}

/** The number of values of a keyword that show whether an operation validates it, if another one was tested with all. */
const FEW = 1

const kindOf = ({ side, pointer, keyword }: Trial): string => `${side} ${pointer} ${keyword}`

const boundOf = (trial: Trial): string => `${kindOf(trial)} ${trial.note}`

/** Splits cases by top-level member, so that a run whose time is up can stop soon. */
const groupOf = ({ trials: [trial] }: Attempt): string => {
  const [, first] = trial?.at.split('/') ?? []
  return first === undefined ? '' : `/${first}`
}

const attemptsOf = (input: VariedInput, making: Making, { api }: Plan): readonly Attempt[] => {
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
  // The response to an invalid value is compared with those to valid ones.
  const isInvalid = ({ trials: [trial] }: Attempt) => Number(trial?.side === 'invalid')
  return [...attempts.values()].toSorted((a, b) => isInvalid(a) - isInvalid(b))
}

const LEFT_OUT: Trial = {
  side: 'invalid',
  value: undefined,
  keyword: 'required',
  pointer: '',
  at: '',
  note: 'left out',
}

/** Resolves with whether the server handled the value correctly. */
const tryOne = async (
  input: VariedInput,
  { sent, trials }: Attempt,
  session: Session,
): Promise<boolean> => {
  const { operation, part } = input
  // Of the keywords that one value breaks, the type says most: a scalar matches no branch of a oneOf either.
  const first = trials.find(({ keyword }) => keyword === 'type') ?? trials[0]
  if (first === undefined) return false
  const tried = (response: string | undefined, isShown: boolean): void => {
    for (const { pointer, keyword, side, isReadOnly = false } of trials) {
      const name = keywordName(operation, part, `${pointer} ${keyword}`.trimStart())
      // A readOnly value that was ignored was not looked at.
      const own = isReadOnly && isShown ? undefined : response
      session.tryKeyword({ operation, name, side, response: own, isShown: isShown && !isReadOnly })
    }
  }
  const result = await tryValue(input, first, sent, session, (one) => session.ask(one))
  if (result?.evaluated === undefined) {
    tried(undefined, false)
    return false
  }
  const { exchange, outcome, evaluated } = result
  tried(evaluated.response, outcome.kind !== 'rejected')
  const isUnknown = first.keyword === 'additionalProperties' && first.side === 'invalid'
  // One operation may be stricter than another, and a failure decides nothing.
  const isDecided = isAcceptedValue(outcome) || isOfValue(outcome, exchange, part)
  if (operation.kind === 'http' && isUnknown && isDecided) {
    const way = isAcceptedValue(outcome) ? 'accepted' : 'rejected'
    session.observe(`unknown-property of ${operation.id}`, way, exchange)
  }
  session.reportAll(evaluated.findings)
  return isDecided && evaluated.findings.length === 0
}

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
        const outcome = classify(exchange, operation, session)
        if (isUnrelated(operation, { outcome, exchange }, session) || !isAcceptedValue(outcome))
          return
        session.report('named-params-accepted', exchange, {
          message: 'the method takes its params by position, but a call by name got a result',
          expected: 'an error with the code -32602',
        })
      },
    },
  ]
}
