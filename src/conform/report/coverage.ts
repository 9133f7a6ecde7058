import type { Api, HttpOperation, Operation, RpcOperation } from '../../model/api.js'
import { isSuccess } from '../../model/http-content.js'
import { httpOperations, rpcOperations } from '../../model/operations.js'
import { type Match, matchById } from '../../runtime/rpc/match.js'
import { codecOf } from '../../runtime/shared/codecs.js'
import { essence } from '../../runtime/shared/media-type.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { declaredResponse, isRedirectOf, isSuccessOf } from '../../runtime/wire/status.js'
import { tryParseJson } from '../../text/json-text.js'
import {
  contentTypeOf,
  type Exchange,
  type ReceivedResponse,
  textOf,
} from '../../traffic/exchange.js'
import type { AskOptions, CoverageKind } from '../case.js'
import { requestKeywords } from '../cases/input.js'
import { ownName } from '../operations.js'
import { isOfCaller } from '../outcome.js'
import type { RunRecord } from '../record.js'
import {
  callsIn,
  type RpcMember,
  type RpcRequest,
  readExchange,
  receivedMedia,
  valueIn,
} from '../responses/read.js'
import { rpcOutcome } from '../responses/rpc-outcome.js'
import { MOST_RESPONSES } from '../responses/rpc-response.js'
import type { Target } from '../target.js'
import { isUnsent } from '../wire/exchange.js'

/** How much of the declared parts of the documents a run has tested. */
export type Coverage = readonly {
  readonly kind: CoverageKind
  readonly declared: readonly string[]
  readonly met: readonly string[]
}[]

export const coverageOf = (
  api: Api,
  { covered, keywords }: Pick<RunRecord, 'covered' | 'keywords'>,
): Coverage =>
  declaredIn(api).map(({ kind, declared }) => {
    const met = (kind === 'keyword' ? keywords.tested() : covered.get(kind)) ?? new Set()
    return { kind, declared, met: declared.filter((name) => met.has(name)) }
  })

/** The names that calls of `cover` use. */
const declaredIn = (api: Api) => {
  const http = httpOperations(api)
  const rpc = rpcOperations(api)
  const names: Readonly<Record<CoverageKind, readonly string[]>> = {
    operation: api.operations.map(ownName),
    variant: http.flatMap(({ id, variants }) => variants.map(({ name }) => `${id} ${name}`)),
    status: http.flatMap(({ id, responses }) => responses.map(({ status }) => `${id} ${status}`)),
    'error code': rpc.flatMap((one) => one.errors.map(({ code }) => `${ownName(one)} ${code}`)),
    keyword: requestKeywords(api),
    workflow: api.workflows.map(({ id }) => id),
  }
  const kinds = Object.keys(names) as readonly CoverageKind[]
  return kinds
    .map((kind) => ({ kind, declared: [...new Set(names[kind])] }))
    .filter(({ declared }) => declared.length > 0)
}

/** Counts the responses of each operation, and whether one of them was a documented success. */
export const createTally = (api: Api, target: Target): Tally => {
  const counts = new Map<Operation, Count>()
  const others: ResponseCounts = new Map()
  return {
    note: (exchange, { isOdd, isExample } = {}) => {
      if (isUnsent(exchange)) return
      const reading = readExchange(api, target, exchange)
      const received = responseKind(exchange, reading.kind === 'rpc')
      const met = reading.kind === 'rpc' ? metCalls(reading.request, exchange) : []
      if (reading.kind === 'http') met.push(metRequest(reading.operation, exchange))
      if (met.length === 0) add(others, received)
      for (const { operation, isMet, isDocumented, own = received } of met) {
        const known = counts.get(operation) ?? NOTHING()
        // A request that no handler need receive proves nothing about the operation.
        if (!isOdd) add(known.received, own)
        counts.set(operation, {
          received: known.received,
          example: known.example ?? (isExample ? exchange : undefined),
          isMet: known.isMet || isMet,
          isDocumented: known.isDocumented || isDocumented,
        })
      }
    },
    counts,
    others,
  }
}

export type Tally = {
  readonly note: (exchange: Exchange, options?: Pick<AskOptions, 'isOdd' | 'isExample'>) => void
  readonly counts: ReadonlyMap<Operation, Count>
  readonly others: ReadonlyMap<string, ResponseCount>
}

export type Count = {
  /** Whether it returned a documented success. */
  readonly isMet: boolean
  /** Whether it returned a documented response, a success or an error. */
  readonly isDocumented: boolean
  /** Responses by their `words`. */
  readonly received: ResponseCounts
  /** The first request that is an example of its document. */
  readonly example: Exchange | undefined
}

const NOTHING = (): Count => {
  return { isMet: false, isDocumented: false, received: new Map(), example: undefined }
}

/** The kind of a response: a status, a JSON-RPC error, a page that is not JSON, invalid JSON, or nothing. */
export type ResponseKind = {
  /** `401`, `the error -32601`, `200 with a page of text/html`, `nothing (the connection was refused)`. */
  readonly words: string
  readonly kind: 'status' | 'error' | 'page' | 'invalid JSON' | 'nothing'
  /** The status, or the code of the JSON-RPC error. */
  readonly code?: unknown
}

export type ResponseCount = ResponseKind & { readonly times: number }

type ResponseCounts = Map<string, ResponseCount>

const add = (counts: ResponseCounts, received: ResponseKind): void =>
  void counts.set(received.words, {
    ...received,
    times: (counts.get(received.words)?.times ?? 0) + 1,
  })

/** Whether the response denies access to the caller. */
export const deniesAccess = ({ kind, code }: ResponseKind): boolean =>
  kind === 'status' && isOfCaller(Number(code))

export const responseKind = ({ answer, failure }: Exchange, isRpc: boolean): ResponseKind => {
  if (!answer)
    return { kind: 'nothing', words: `no response (${failure ?? 'the reason is unknown'})` }
  const { status, body } = answer
  const parsed = tryParseJson(textOf(body))
  if (!parsed && body.length > 0 && status < 300) {
    const type = typeOf(answer)
    return codecOf(type) === 'json'
      ? { kind: 'invalid JSON', words: `${status} with ${type} that is not valid JSON` }
      : { kind: 'page', words: `${status} with a page of ${type}` }
  }
  const outcome = rpcOutcome(status < 300 && isRpc ? parsed?.value : undefined)
  if (outcome.kind === 'error') return errorKind(outcome)
  return outcome.kind === 'invalid error'
    ? { kind: 'error', words: 'an error without an integer code' }
    : { kind: 'status', words: `${status}`, code: status }
}

const errorKind = ({ code }: { readonly code: number }): ResponseKind => ({
  kind: 'error',
  words: `the error ${code}`,
  code,
})

const typeOf = (answer: ReceivedResponse): string =>
  essence(contentTypeOf(answer) ?? '') || 'no type'

/** Whether a response is a documented success. For operations without a declared success, declared errors count. */
const meets = ({ responses }: HttpOperation, { answer }: Exchange): boolean => {
  const declared = answer && declaredResponse(responses, answer.status)
  // OpenAPI 3.1 lets an operation declare no responses.
  if (responses.length === 0) return answer !== undefined && isSuccessOf([], answer.status)
  if (!answer || !declared) return false
  const { status } = answer
  const isExpected = isSuccessOf(responses, status) || isRedirectOf(responses, status)
  if (!isExpected && (declared.status === 'default' || hasSuccess(responses))) return false
  return (
    declared.content.length === 0 ||
    answer.body.length === 0 ||
    receivedMedia({ responses }, answer) !== undefined
  )
}

const hasSuccess = (responses: HttpOperation['responses']): boolean =>
  responses.some(({ status }) => isSuccess(status) || status === 'default')

type CallResult = {
  readonly operation: Operation
  readonly isMet: boolean
  readonly isDocumented: boolean
  /** The response to one member of a batch. */
  readonly own?: ResponseKind
}

const metRequest = (operation: HttpOperation, exchange: Exchange): CallResult => {
  const { answer } = exchange
  const declared = answer && declaredResponse(operation.responses, answer.status)
  const isDocumented = declared !== undefined || operation.responses.length === 0
  return { operation, isMet: meets(operation, exchange), isDocumented }
}

const metCalls = (request: RpcRequest, { answer }: Exchange): CallResult[] => {
  const members = callsIn(request)
  const ids = members.map(idOf)
  const received = valueIn(answer)
  const body = Array.isArray(received) ? received.slice(0, MOST_RESPONSES) : received
  const matchOf = matchById(ids, body, request.kind === 'batch' ? 'batch' : 'single')
  return members.flatMap((member): readonly CallResult[] => {
    const { operation } = member
    if (!operation) return []
    const match = matchOf(idOf(member))
    const isMet = isResult(operation, match)
    const isDocumented = isMet || isDeclared(operation, match)
    const isOwn = members.length > 1 && match.kind === 'rejected'
    return [{ operation, isMet, isDocumented, ...(isOwn && { own: errorKind(match.error) }) }]
  })
}

const idOf = ({ value }: RpcMember): unknown => (isObject(value) ? value.id : undefined)

const isDeclared = ({ errors }: Pick<RpcOperation, 'errors'>, match: Match): boolean =>
  match.kind === 'rejected' && errors.some(({ code }) => code === match.error.code)

/** Whether a response is a result, or a declared error if all examples of the method are errors. */
const isResult = ({ examples, errors }: RpcOperation, match: Match): boolean => {
  if (match.kind === 'result') return true
  return (
    examples.length > 0 &&
    examples.every(({ outcome }) => outcome.kind === 'error') &&
    isDeclared({ errors }, match)
  )
}
