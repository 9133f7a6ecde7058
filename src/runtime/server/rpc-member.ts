import { CallError, RpcError } from '../errors.js'
import type { RpcOperation, RpcValidators } from '../operation.js'
import type { ErrorObject } from '../rpc/match.js'
import type { RunningCall } from '../rpc/running-calls.js'
import { type MarkedJson, readBigints } from '../shared/bigints.js'
import { cached } from '../shared/cached.js'
import type { OddToken } from '../shared/exact-json.js'
import { variantOf } from '../shared/sent-params.js'
import { isObject, type JsonObject } from '../validate/json-value.js'
import type { Fault } from '../validate.js'
import { MOST_FAULTS } from '../wire/faults.js'
import { handlerContext, type ServerCall, type ServerPolicy } from './call.js'
import type { AnyHandler, RequestAuth } from './handlers.js'
import { describeFault, faultData, moreFaults, replyJson } from './reply.js'
import { isStream } from './request.js'
import { reportFailure, type TransportRejection } from './rpc-error.js'
import { describeParams, lossesIn, readParams } from './rpc-params.js'

/**
 * Runs one call, alone or as a member of a batch; undefined for a notification, which has no response. It returns a promise
 * only if `authorize` or the handler does: in a large batch, promises would cost more than all the rest.
 */
export const createMemberRunner =
  (methods: ReadonlyMap<string, ServedMethod>, openrpc: unknown, policy: ServerPolicy): RunMember =>
  (member, call, auth, members) => {
    const { value } = member
    if (!isObject(value)) return invalid('null', 'not an object', policy)
    const version = versionOf(value, policy)
    // JSON has no undefined, so an undefined id was not sent.
    const sent = value.id === undefined ? undefined : idText(value.id, member)
    const wrong = wrongIn(value, sent, version)
    if (wrong !== undefined) return invalid(sent ?? 'null', wrong, policy, version)
    // bitcoind responds to every request of 1.0, with the id null if it has none.
    const id = version === '1.0' ? (sent ?? 'null') : sent
    const method = value.method as string
    const found = methods.get(method)
    const begun = policy.onCall ? performance.now() : 0
    const own = call.connection?.calls?.begin(sent)
    const ownCall = own ? { ...call, signal: own.signal } : call
    const running: Running = { id, version, method, found, call: ownCall, own, auth, policy, begun }
    try {
      if (member.rejected) throw member.rejected
      const result = policy.authorize
        ? authorize(running, policy.authorize, members).then(() =>
            proceed(running, member, value.params, openrpc),
          )
        : proceed(running, member, value.params, openrpc)
      return isThenable(result) ? settle(running, result) : succeed(running, result)
    } catch (error) {
      return fail(running, error)
    }
  }

/** A call with a method. */
type Running = {
  /** The JSON text of its id; undefined for a notification. */
  readonly id: string | undefined
  readonly version: Version
  readonly method: string
  readonly found: ServedMethod | undefined
  readonly call: ServerCall
  /** In documents with `x-cancel` or `x-progress`, over a link. */
  readonly own: RunningCall | undefined
  readonly auth: RequestAuth
  readonly policy: ServerPolicy
  readonly begun: number
  /** The variant of the params (`x-variants`), if results are validated. */
  variant?: string | undefined
}

export type RunMember = (
  member: BatchMember,
  call: ServerCall,
  auth: RequestAuth,
  /** The number of members in the request. */
  members: number,
) => MemberReply | undefined | Promise<MemberReply | undefined>

export type ServedMethod = {
  readonly operation: RpcOperation
  readonly validators: RpcValidators | undefined
  readonly handler: AnyHandler
  /** The method ends subscriptions, so that those of the connection need no handler. */
  readonly isUnsubscribing?: boolean
  /** The notification cancels a call, or has the progress of a call of the server. */
  readonly receives?: 'cancel' | 'progress' | undefined
  /** The context of the handler has `progress`. */
  readonly hasProgress?: boolean
}

export type BatchMember = {
  readonly value: unknown
  /** The odd tokens of the request that are in this member. */
  readonly odd: readonly OddToken[]
  /** The number of keys in the path of the member: 1 in a batch. */
  readonly depth: 0 | 1
  /** The whole request with marks at its long numbers, and the place of the member in a batch. */
  readonly marked: () => MarkedJson
  readonly index: number
  /** The error of a member that is not run. */
  readonly rejected?: RpcError
}

export type MemberReply = { readonly text: string; readonly rejection?: TransportRejection }

/** The text of an error response; `id` is already JSON text, so that all its digits are returned. */
export const errorText = (id: string, error: ErrorObject, version: Version = '2.0'): string =>
  version === '1.0'
    ? `{"result":null,"error":${JSON.stringify(error)},"id":${id}}`
    : `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`

/** JSON-RPC 1.0, 1.2: a response has both members, of which one is null. */
const successText = (id: string, result: string, version: Version): string =>
  version === '1.0'
    ? `{"result":${result},"error":null,"id":${id}}`
    : `{"jsonrpc":"2.0","id":${id},"result":${result}}`

type Version = '1.0' | '2.0'

/** Clients of bitcoind send `"jsonrpc":"1.0"`, or no version. */
const versionOf = ({ jsonrpc }: JsonObject, { jsonRpc1 }: ServerPolicy): Version =>
  jsonRpc1 && (jsonrpc === undefined || jsonrpc === '1.0') ? '1.0' : '2.0'

const invalid = (id: string, why: string, policy: ServerPolicy, version?: Version): MemberReply => {
  const error = { code: -32600, message: `Invalid request: ${why}` }
  const rejection = statusRejection(error, policy)
  return { text: errorText(id, error, version), ...(rejection && { rejection }) }
}

/** The status that the option `errorStatuses` has for an error. */
export const statusRejection = (
  { code }: ErrorObject,
  { errorStatuses }: ServerPolicy,
): TransportRejection | undefined => {
  const status = errorStatuses[code]
  return status === undefined ? undefined : { status, headers: {} }
}

const authorize = async (
  { method, found, call, auth }: Running,
  ask: NonNullable<ServerPolicy['authorize']>,
  members: number,
): Promise<void> => {
  const { headers, remoteAddress, state } = call
  const operation = found?.operation
  await ask({ operation, method, auth, headers, remoteAddress, state, members })
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { readonly then?: unknown }).then === 'function'

const settle = async (
  running: Running,
  result: PromiseLike<unknown>,
): Promise<MemberReply | undefined> => {
  try {
    return succeed(running, await result)
  } catch (error) {
    return fail(running, error)
  }
}

const proceed = (
  running: Running,
  member: BatchMember,
  sent: unknown,
  openrpc: unknown,
): unknown => {
  const { method, found, call, own, auth, policy } = running
  if (found === undefined) return discover(method, sent, openrpc)
  const params = paramsOf(found, sent, member)
  if (policy.validateOutput) running.variant = variantOf(found.validators?.variants, params)
  const { handler, operation, isUnsubscribing, receives, hasProgress } = found
  const { connection } = call
  if (isUnsubscribing && connection?.subscriptions?.end(firstOf(params)))
    return found.validators?.result.check(true) === false ? null : true
  if (receives === 'cancel') connection?.calls?.cancel(operation, params)
  const context = handlerContext(operation, call, auth)
  if (connection) Object.assign(context, { id: Object(member.value).id })
  if (hasProgress) {
    const progress = connection?.progressOf?.({ operation, params, call: own }) ?? noProgress
    Object.assign(context, { progress })
  }
  const handle = () => handler(params as never, context as never)
  if (receives === 'progress' && connection?.receiveProgress) {
    let returned: unknown
    connection.receiveProgress(params, () => {
      returned = handle()
    })
    return returned
  }
  const result = handle()
  return operation.subscription ? subscribe(found, result, call) : result
}

/** HTTP has only the response. */
const noProgress = async (): Promise<void> => undefined

/** The id in the params of a method that ends subscriptions. */
const firstOf = (params: unknown): unknown => Object.values(Object(params))[0]

/** The id of the subscription whose items the handler returned; a handler may also return an id of its own. */
const subscribe = async (
  found: ServedMethod,
  returned: unknown,
  { connection }: ServerCall,
): Promise<unknown> => {
  const items = await returned
  if (!isStream(items)) return items
  if (connection?.subscriptions)
    return connection.subscriptions.begin(found, items, connection.responded)
  await items[Symbol.asyncIterator]().return?.()
  throw new RpcError({
    code: -32601,
    message: 'Subscriptions need a connection, such as a WebSocket',
  })
}

const succeed = (running: Running, result: unknown): MemberReply | undefined => {
  const text = resultText(result, running)
  reportEnd(running, undefined)
  const { id, version } = running
  return id === undefined ? undefined : { text: successText(id, text, version) }
}

const fail = (running: Running, error: unknown): MemberReply | undefined => {
  const { id, version, found, call, own, auth, policy } = running
  const shown = error instanceof RpcError ? error : (own?.cancelled() ?? error)
  const { rejection, ...object } = reportFailure(shown, call, auth, policy, found?.operation)
  reportEnd(running, object.code)
  if (id === undefined) return undefined
  const whole = rejection ?? statusRejection(object, policy)
  return { text: errorText(id, object, version), ...(whole && { rejection: whole }) }
}

const reportEnd = (
  { policy, found, method, own, begun }: Running,
  code: number | undefined,
): void => {
  own?.end()
  policy.onCall?.({
    operation: found?.operation,
    method,
    code,
    milliseconds: performance.now() - begun,
  })
}

/** Why an object is not a request (JSON-RPC 2.0 §4); its id was already read. */
const wrongIn = (
  value: JsonObject,
  id: string | undefined,
  version: Version,
): string | undefined => {
  if (id === undefined && value.id !== undefined) return 'id must be a string, a number or null'
  if (version === '2.0' && value.jsonrpc !== '2.0') return 'jsonrpc must be "2.0"'
  if (typeof value.method !== 'string') return 'method must be a string'
  const { params } = value
  const isLegal = typeof params === 'object' ? params !== null : params === undefined
  return isLegal ? undefined : 'params must be an array or an object'
}

/** The id of a member that expects a response, as JSON text; undefined for notifications and what is no request. */
export const idOfCall = (member: BatchMember): string | undefined => {
  const { value } = member
  const isCall = isObject(value) && typeof value.method === 'string' && value.id !== undefined
  return isCall ? idText(value.id, member) : undefined
}

/** The JSON text of an id as it was sent; undefined if its type is not allowed. */
const idText = (id: unknown, { odd, depth }: BatchMember): string | undefined => {
  if (id === null || typeof id === 'string') return JSON.stringify(id)
  if (typeof id !== 'number') return undefined
  if (odd.length === 0) return String(id)
  const own = odd.findLast(({ path }) => {
    const holder = depth === 0 ? path : path?.parent
    return path?.key === 'id' && holder !== undefined && holder.parent === undefined
  })
  // With a duplicate key, the token may be that of the value that JSON.parse discarded.
  return own !== undefined && Number(own.text) === id ? own.text : JSON.stringify(id)
}

/** The validated params of a call; throws an RpcError that lists their faults. */
const paramsOf = (
  { operation, validators }: ServedMethod,
  sent: unknown,
  member: BatchMember,
): unknown => {
  const read = operation.bigints?.params
    ? exactParams(operation, validators, sent, member)
    : plainParams(operation, validators, sent, member)
  if ('value' in read) return read.value
  throw new RpcError({
    code: -32602,
    message: describeParams(operation, read.faults) + moreFaults(read.faults),
    data: read.faults.slice(0, MOST_FAULTS).map(faultData),
  })
}

const plainParams = (
  operation: RpcOperation,
  validators: RpcValidators | undefined,
  sent: unknown,
  { odd, depth }: Pick<BatchMember, 'odd' | 'depth'>,
): ReturnType<typeof readParams> => {
  const losses = lossesIn(odd, depth)
  return losses.length > 0 ? { faults: losses } : readParams(operation, validators?.params, sent)
}

/** Params that have bigints (`x-bigint`). They are validated as numbers. */
const exactParams = (
  operation: RpcOperation,
  validators: RpcValidators | undefined,
  sent: unknown,
  { odd, depth, marked, index }: BatchMember,
): ReturnType<typeof readParams> => {
  const { named, params: places } = operation.bigints ?? {}
  const others = odd.filter(({ loss }) => loss !== 'precision')
  const valid = plainParams(operation, validators, sent, { odd: others, depth })
  if ('faults' in valid) return valid
  const { value: whole, mark } = marked() ?? {}
  const own = Array.isArray(whole) ? whole[index] : whole
  const exact = isObject(own)
    ? readBigints(own.params, { named, places, ...(mark && { mark }) })
    : readBigints(sent, { named, places })
  return exact.faults.length > 0
    ? { faults: exact.faults }
    : readParams(operation, undefined, exact.value)
}

export const DISCOVER = 'rpc.discover'

/** OpenRPC's service discovery; all other names that begin with `rpc.` are reserved (JSON-RPC 2.0 §8) and not found. */
const discover = (method: string, sent: unknown, openrpc: unknown): unknown => {
  if (method !== DISCOVER || openrpc === undefined)
    throw new RpcError({ code: -32601, message: 'Method not found' })
  if (Object.keys(sent ?? {}).length > 0)
    throw new RpcError({ code: -32602, message: 'Invalid params: rpc.discover takes none' })
  return openrpc
}

const documents = new WeakMap<object, string | undefined>()

const resultText = (result: unknown, { found, policy, variant = '' }: Running): string => {
  const write = (): string | undefined => replyJson(result ?? null, found?.operation ?? {})
  // The document is large, and never changes.
  const text = found === undefined && isObject(result) ? cached(documents, result, write) : write()
  const wrong = (message: string, issues: readonly Fault[] = []): CallError =>
    new CallError({
      reason: 'invalid-answer',
      operation: found?.operation.method ?? DISCOVER,
      message: `The handler's result ${message}`,
      issues,
    })
  if (text === undefined) throw wrong('cannot be written as JSON')
  const { result: own, variants } = found?.validators ?? {}
  const validator = variants?.[variant]?.result ?? own
  if (!policy.validateOutput || validator === undefined) return text
  // The text is validated: `toJSON` and dropped members may make it another value than the handler's.
  const sent: unknown = JSON.parse(text)
  if (validator.check(sent)) return text
  const faults = validator.explain(sent)
  const [first] = faults
  throw wrong(`does not match its schema${first ? `: ${describeFault(first)}` : ''}`, faults)
}
