import type { HttpOperation, RpcOperation } from '../../model/api.js'
import { sentParametersSchema } from '../../model/params.js'
import { isJson } from '../../runtime/shared/media-type.js'
import { isObject } from '../../runtime/validate/json-value.js'
import type { Finding, Session } from '../case.js'
import { outcomeOf } from '../http/outcome.js'
import { mediaTypeOf } from '../responses/http.js'
import { parseJson, type Reading } from '../responses/read.js'
import { matchAnswers } from '../responses/rpc-match.js'
import { type RpcResponse, readAnswers } from '../responses/rpc-response.js'
import { type Exchange, textOf } from '../wire/exchange.js'

type CheckContext = Pick<Session, 'checker'>

/**
 * A recorded request that certainly breaks what its operation asks for, and was taken all the same: params, and a body of JSON.
 * What was kept out of a recording, or decoded in it, breaks nothing: headers, and a body that is not there.
 */
export const judgeRequest = (
  context: CheckContext,
  exchange: Exchange,
  reading: Reading,
): readonly Finding[] => {
  if (reading.kind === 'http') return checkBody(context, exchange, reading)
  if (reading.kind !== 'rpc' || reading.request.kind === 'broken') return []
  const { request } = reading
  const members = request.kind === 'single' ? [request.member] : request.members
  const { pairs } = matchAnswers(members, answersOf(exchange), () => false)
  return pairs.flatMap(({ member, answer }) => {
    const { operation, value } = member
    if (!operation || answer.outcome.kind !== 'result' || !isObject(value)) return []
    const fault = faultOf(context, operation, value.params)
    if (fault === undefined) return []
    const message = `${fault.where} ${fault.message}, and a result came`
    const expected = 'an error with the code -32602'
    return [{ rule: fault.rule, message, expected, exchange, operation, aspect: fault.where }]
  })
}

const answersOf = ({ answer }: Exchange): readonly RpcResponse[] => {
  const text = textOf(answer?.body)
  return parseJson(text) ? readAnswers(text) : []
}

/** People shorten what they publish: that is not what was sent. */
const isCutShort = (value: unknown): boolean => /\.\.\.|…/.test(JSON.stringify(value))

type Fault = { readonly rule: string; readonly where: string; readonly message: string }

const faultOf = (
  { checker }: CheckContext,
  operation: RpcOperation,
  params: unknown,
): Fault | undefined => {
  const given = params ?? []
  if (isCutShort(given)) return undefined
  if (typeof given !== 'object' || given === null) return undefined
  const isList = Array.isArray(given)
  const isEmpty = Object.keys(given).length === 0
  if (isEmpty && operation.params.every(({ required }) => !required)) return undefined
  const { paramStructure } = operation
  // An empty list is no list of names, but it leaves them all out.
  const structure = isEmpty || !isList ? 'by-name' : 'by-position'
  if (!isEmpty && paramStructure !== 'either' && paramStructure !== structure)
    return {
      rule: isList ? 'invalid-params-accepted' : 'named-params-accepted',
      where: 'params',
      message: isList ? 'are given by position' : 'are given by name',
    }
  const validator = checker.schema(
    sentParametersSchema({ ...operation, paramStructure: structure }),
  )
  const value = isEmpty ? {} : given
  if (validator.check(value)) return undefined
  const [first] = validator.explain(value)
  const isSurplus = isList && first?.pointer === '' && given.length > operation.params.length
  return {
    rule: isSurplus ? 'extra-params-accepted' : 'invalid-params-accepted',
    where: `params${first?.pointer ?? ''}`,
    message: first?.message ?? 'breaks its schema',
  }
}

const checkBody = (
  context: CheckContext,
  exchange: Exchange,
  {
    operation,
    body,
  }: { readonly operation: HttpOperation; readonly body: { value: unknown } | undefined },
): readonly Finding[] => {
  const type = Object.entries(exchange.sent.headers).find(([name]) => /^content-type$/i.test(name))
  if (!body || !type || !isJson(type[1]) || isCutShort(body.value)) return []
  const media = mediaTypeOf(operation.body?.content ?? [], type[1])
  const validator = media && context.checker.schema(media.schema)
  if (!validator || validator.check(body.value)) return []
  if (outcomeOf(context, operation, exchange) !== 'taken') return []
  const [first] = validator.explain(body.value)
  const where = `body${first?.pointer ?? ''}`
  const isClosed = first?.keyword === 'additionalProperties'
  return [
    {
      rule: isClosed ? 'undeclared-property-accepted' : 'invalid-request-accepted',
      message: `${where} ${first?.message ?? 'breaks its schema'}, and it was answered with ${exchange.answer?.status}`,
      expected: 'a 4xx that the operation declares',
      ...{ exchange, operation, aspect: where },
    },
  ]
}
