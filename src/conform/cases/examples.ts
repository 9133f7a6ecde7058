import type { HttpOperation, RpcExample, RpcOperation } from '../../model/api.js'
import { hasJsonValue } from '../../model/http-content.js'
import { sentParametersSchema } from '../../model/params.js'
import type { Making } from '../../schema/random.js'
import { jsonOf } from '../../text/json-text.js'
import type { Exchange } from '../../traffic/exchange.js'
import type { Case, Plan, Session } from '../case.js'
import { ownName } from '../operations.js'
import { classify, type Outcome } from '../outcome.js'
import { quoted } from '../report/shown.js'
import { errorOf, rpcOutcomeOf } from '../responses/read.js'
import type { Rule } from '../rule.js'
import { collectShown } from '../values/shown-values.js'
import { callText, postRpc, writeHttp } from '../wire/write-request.js'
import {
  isOfValue,
  isUnrelated,
  reportRejected,
  responseKey,
  unrelatedOf,
  valueFindings,
} from './evaluate.js'
import { completed, shownRequests, whyNot } from './input.js'

/** Rules for requests that the documents show as examples. */
export const EXAMPLE_REQUEST_RULES: readonly Rule[] = [
  {
    id: 'named-params-differ',
    level: 'error',
    purpose: 'A call by name gets the same response as the same call by position.',
    clause: 'JSON-RPC 2.0, 4.2',
    checks: ['J52'],
  },
  {
    id: 'example-values-rejected',
    level: 'warning',
    purpose: 'The params of an example with a result are not rejected with an undeclared code.',
    clause: 'OpenRPC, Example Pairing Object',
    checks: ['J66'],
  },
  {
    id: 'example-rejected-undeclared-code',
    level: 'warning',
    purpose: 'An example with a result gets a result, or an error that its method declares.',
    clause: 'OpenRPC, Example Pairing Object and Method Object, errors',
    checks: ['J65', 'J66'],
  },
  {
    id: 'example-rejected-other-code',
    level: 'warning',
    purpose:
      'An example with an error is rejected with its code, or with another code that the method declares.',
    clause: 'OpenRPC, Example Pairing Object and Method Object, errors',
    checks: ['J65', 'J66'],
    needsState: true,
  },
]

/** Sends every example of the documents. Each response is validated against its schema; its values are up to the server. */
export const exampleCases = (plan: Plan): readonly Case[] => {
  const making = collectShown(plan.api, plan.checker)
  return plan.api.operations.flatMap((operation) => {
    if (whyNot(operation, plan) !== undefined) return []
    return operation.kind === 'rpc'
      ? operation.examples.map((example, at) => rpcCase(operation, example, at, plan))
      : httpCases(operation, plan, making)
  })
}

const httpCases = (operation: HttpOperation, plan: Plan, making: Making): readonly Case[] =>
  shownRequests(operation).flatMap(({ names, body, parameters }, at) => {
    const values = { parameters: completed(parameters, operation, making), body }
    const sent = writeHttp(operation, values, plan.target)
    if (sent === undefined) return []
    const label = names.length === 0 ? 'the request' : `example ${names.join(' with ')}`
    const media = operation.body?.content.find(({ type }) => type === body?.type)
    // An example that fails validation is an error of the document, so only the response is checked.
    const isRight =
      media === undefined ||
      !hasJsonValue(media) ||
      plan.checker.schema(media.schema).check(body?.value)
    return {
      name: `${ownName(operation)}, ${label}${at === 0 ? '' : `, request ${at + 1}`}`,
      operation,
      cost: 1,
      run: async (session: Session) => {
        const exchange = await session.ask(sent, { isExample: isRight })
        if (!isRight) return
        const outcome = classify(exchange, operation, session)
        noteValid(operation, exchange, outcome, session)
        reportRejected({ operation, part: label }, SHOWN, exchange, outcome, session)
        reportUnanswered(operation, label, exchange, session)
      },
    }
  })

const noteValid = (
  operation: HttpOperation | RpcOperation,
  exchange: Exchange,
  outcome: Outcome,
  session: Session,
): void => {
  const response = responseKey(operation, { exchange, outcome }, session)
  if (response !== undefined) session.noteValid(operation, response)
}

const SHOWN = { side: 'valid', at: '', keyword: '', note: 'as the document shows it' } as const

/** Reports a valid request that gets no response or a server error. */
const reportUnanswered = (
  operation: HttpOperation | RpcOperation,
  label: string,
  exchange: Exchange,
  session: Session,
): void => {
  const outcome = classify(exchange, operation, session)
  const unrelated = unrelatedOf({ outcome, exchange }, session)
  if (unrelated !== undefined) {
    if (unrelated.isNotOffered) session.notOffered(operation)
    else session.skip(`${ownName(operation)}, ${label}`, unrelated.why)
    return
  }
  const trial = { ...SHOWN, value: undefined, pointer: '', note: `that of the ${label}` }
  const input = { operation, part: 'the request' }
  session.reportAll(valueFindings(input, trial, exchange, outcome, session))
}

const rpcCase = (
  operation: RpcOperation,
  example: RpcExample,
  at: number,
  { target, checker }: Plan,
): Case => {
  const { method, paramStructure } = operation
  const isRight = checker
    .schema(sentParametersSchema(operation))
    .check(paramStructure === 'by-name' ? example.namedParams : example.params)
  const listed = postRpc(target, callText(method, example.params))
  const named = postRpc(target, callText(method, example.namedParams))
  const isEither = paramStructure === 'either' && example.params.length > 0
  // Only idempotent methods can be called repeatedly and compared.
  const isCompared = isEither && operation.idempotent
  return {
    name: `${ownName(operation)}, example ${example.name}${at === 0 ? '' : `, ${at + 1}`}`,
    operation,
    cost: isCompared ? 3 : isEither ? 2 : 1,
    run: async (session) => {
      if (!session.isOpen(operation)) return
      const sent = paramStructure === 'by-name' ? named : listed
      const first = await session.ask(sent, { isExample: isRight })
      const outcome = classify(first, operation, session)
      if (isUnrelated(operation, { outcome, exchange: first }, session)) return
      if (isRight) noteValid(operation, first, outcome, session)
      if (isRight) checkExample(operation, example, first, session)
      if (!isEither) return
      const second = await session.ask(named)
      if (!isCompared) return
      // The call by position is repeated, to exclude that the data changed in between.
      const third = await session.ask(listed)
      const [before, between, after] = [first, second, third].map(answerOf)
      if (before === undefined || before !== after || between === before) return
      session.report('named-params-differ', second, {
        message:
          'the response to the call by name differs from the response to the same call by position',
        expected: quoted(before),
      })
    },
  }
}

const checkExample = (
  operation: RpcOperation,
  { name, outcome: shown }: RpcExample,
  exchange: Exchange,
  session: Session,
): void => {
  reportUnanswered(operation, `example ${name}`, exchange, session)
  if (shown.kind === 'error') {
    reportOtherCode(operation, name, shown.error.code, exchange, session)
    return
  }
  const outcome = classify(exchange, operation, session)
  // A method that declares the code may have other reasons to reject.
  const declares = (code: number) => operation.errors.some((one) => one.code === code)
  const message = `the document has a result for the example ${name}, but`
  const code = outcome.kind === 'rejected' && outcome.cause === 'other' ? outcome.code : undefined
  if (outcome.kind === 'rejected' && code !== undefined && !declares(code) && isReserved(code))
    session.report('example-rejected-undeclared-code', exchange, {
      message: `${message} the response was ${outcome.how}, which the method does not declare`,
      expected: 'a result, or an error that the method declares',
      ...{ aspect: name, cause: String(code) },
    })
  if (!isOfValue(outcome, exchange)) return
  if (declares(-32602))
    reportRejected({ operation, part: `example ${name}` }, SHOWN, exchange, outcome, session)
  else
    session.report('example-values-rejected', exchange, {
      message: `${message} it was rejected with -32602`,
      expected: 'a result, or an error that is not about its params',
      aspect: name,
    })
}

/** Reports an undeclared error that came in place of the error of an example. */
const reportOtherCode = (
  operation: RpcOperation,
  name: string,
  code: number,
  exchange: Exchange,
  session: Session,
): void => {
  const received = errorOf(exchange.answer)?.code
  if (received === undefined || received === code || !isReserved(received)) return
  // A declared error may take precedence. The other codes are about the caller or the server, not the example.
  if (operation.errors.some((one) => one.code === received) || BESIDE_EXAMPLES.has(received)) return
  session.report('example-rejected-other-code', exchange, {
    message: `the document has the error ${code} for the example ${name}, but the response was the error ${received}, which the method does not declare`,
    expected: `an error with the code ${code}`,
    aspect: name,
  })
}

/** Undeclared codes outside the reserved range are reported by the checks of every response. */
const isReserved = (code: number): boolean => code >= -32768 && code <= -32000

/** Method not offered, rate limit exhausted, and internal errors. */
const BESIDE_EXAMPLES: ReadonlySet<number> = new Set([-32601, -32004, -32005, -32603])

/** The result, or the code of the error; undefined if there is neither. */
const answerOf = ({ answer }: Exchange): string | undefined => {
  const outcome = rpcOutcomeOf(answer)
  if (outcome.kind === 'error') return `error ${outcome.code}`
  return outcome.kind === 'result' ? jsonOf(outcome.value) : undefined
}
