import { CallError, HttpError, RpcError } from '../errors.js'
import { redactor } from '../ground/redact.js'
import type { RpcOperation, RpcValidators } from '../operation.js'
import { isObject } from '../validate/json-value.js'
import type { Fault } from '../validate.js'
import type { ServerCall, ServerPolicy } from './call.js'
import type { OddToken } from './exact-json.js'
import { describeFault, MOST_FAULTS } from './faults.js'
import type { AnyHandler, Auth, RpcContext } from './handlers.js'
import { cleanData, secretsOf } from './refusal.js'
import { describeParams, lossesIn, readParams } from './rpc-params.js'

/** Answers one call, alone or as a member of a batch; undefined where it is a notification, which nobody answers. */
export const createMemberRunner =
  (methods: ReadonlyMap<string, RpcMethod>, openrpc: unknown, policy: ServerPolicy): RunMember =>
  async (member, call, auth, members) => {
    const { value } = member
    const id = idOf(member)
    const invalid = (message: string): Answer => ({
      text: errorText(id ?? 'null', { code: -32600, message: `Invalid request: ${message}` }),
    })
    if (!isObject(value)) return invalid('not an object')
    if (Object.hasOwn(value, 'id') && id === undefined)
      return invalid('id must be a string, a number or null')
    if (value.jsonrpc !== '2.0') return invalid('jsonrpc must be "2.0"')
    const { method } = value
    if (typeof method !== 'string') return invalid('method must be a string')
    const sent = Object.hasOwn(value, 'params') ? value.params : undefined
    if (Object.hasOwn(value, 'params') && (typeof sent !== 'object' || sent === null))
      return invalid('params must be an array or an object')
    const found = methods.get(method)
    const operation = found?.operation
    const begun = performance.now()
    const tellEnd = (code: number | undefined): void =>
      policy.onCall?.({ operation, method, code, milliseconds: performance.now() - begun })
    try {
      if (member.refused) throw member.refused
      const { headers, remoteAddress, signal, state } = call
      await policy.authorize?.({ operation, method, auth, headers, remoteAddress, state, members })
      const losses = lossesIn(member.odd, member.depth)
      const result =
        found === undefined
          ? discover(method, sent, openrpc)
          : await callMethod(found, sent, losses, {
              operation: found.operation,
              auth,
              headers,
              signal,
              remoteAddress,
              state,
            })
      const text = resultText(result, found, policy)
      tellEnd(undefined)
      return id === undefined
        ? undefined
        : { text: `{"jsonrpc":"2.0","id":${id},"result":${text}}` }
    } catch (error) {
      const told = tellError(error, auth)
      if (told === undefined && !call.signal.aborted)
        policy.report(error, operation, auth, call.state)
      const { refusal, ...object } = told ?? { code: -32603, message: 'Internal error' }
      tellEnd(object.code)
      if (id === undefined) return undefined
      return { text: errorText(id, object), ...(refusal && { refusal }) }
    }
  }

export type RunMember = (
  member: Member,
  call: ServerCall,
  auth: Auth,
  /** How many came in one request. */
  members: number,
) => Promise<Answer | undefined>

export type RpcMethod = {
  readonly operation: RpcOperation
  readonly validators: RpcValidators | undefined
  readonly handler: AnyHandler
}

export type Member = {
  readonly value: unknown
  /** Tokens anywhere in the request that lie inside this member. */
  readonly odd: readonly OddToken[]
  /** How many keys lead to the member: 1 inside a batch. */
  readonly depth: 0 | 1
  /** Why it is not even tried. */
  readonly refused?: RpcError
}

export type Answer = { readonly text: string; readonly refusal?: TransportRefusal }

/** What HTTP should say too, if it can be said of everything in the reply. */
export type TransportRefusal = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** The text of an error answer; `id` is JSON text already, so that it comes back digit by digit. */
export const errorText = (id: string, error: ErrorObject): string =>
  `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`

type ErrorObject = { readonly code: number; readonly message: string; readonly data?: unknown }

/** The JSON text of the id as it was sent; undefined where there is none, or none of a legal type. */
const idOf = ({ value, odd, depth }: Member): string | undefined => {
  if (!isObject(value) || !Object.hasOwn(value, 'id')) return undefined
  const { id } = value
  if (id === null || typeof id === 'string') return JSON.stringify(id)
  if (typeof id !== 'number') return undefined
  const own = odd.findLast(({ path }) => {
    const holder = depth === 0 ? path : path?.parent
    return path?.key === 'id' && holder !== undefined && holder.parent === undefined
  })
  // With the key given twice, the token may belong to the one that lost.
  return own !== undefined && Number(own.text) === id ? own.text : JSON.stringify(id)
}

const callMethod = async (
  { operation, validators, handler }: RpcMethod,
  sent: unknown,
  losses: readonly Fault[],
  context: RpcContext,
): Promise<unknown> => {
  const read =
    losses.length > 0 ? { faults: losses } : readParams(operation, validators?.params, sent)
  if ('value' in read) return (handler as (...given: unknown[]) => unknown)(read.value, context)
  throw new RpcError({
    code: -32602,
    message: describeParams(operation, read.faults),
    data: read.faults.slice(0, MOST_FAULTS),
  })
}

/** OpenRPC's service discovery; every other name that begins with `rpc.` is reserved (JSON-RPC 2.0 §8) and not found. */
const discover = (method: string, sent: unknown, openrpc: unknown): unknown => {
  if (method !== 'rpc.discover' || openrpc === undefined)
    throw new RpcError({ code: -32601, message: 'Method not found' })
  if (Object.keys(sent ?? {}).length > 0)
    throw new RpcError({ code: -32602, message: 'Invalid params: rpc.discover takes none' })
  return openrpc
}

const resultText = (
  result: unknown,
  found: RpcMethod | undefined,
  policy: ServerPolicy,
): string => {
  const text: string | undefined = JSON.stringify(result ?? null)
  const wrong = (message: string, faults: CallError['faults'] = []): CallError =>
    new CallError({
      reason: 'invalid-answer',
      operation: found?.operation.method ?? 'rpc.discover',
      message: `The handler's result ${message}`,
      faults,
    })
  if (text === undefined) throw wrong('cannot be written as JSON')
  const validator = found?.validators?.result
  if (!policy.validateOutput || validator === undefined) return text
  // What goes out is the text: `toJSON` and dropped members may make it another value than the handler's.
  const sent: unknown = JSON.parse(text)
  if (validator.check(sent)) return text
  const faults = validator.explain(sent)
  const [first] = faults
  throw wrong(`does not fit its schema${first ? `: ${describeFault(first)}` : ''}`, faults)
}

/** The error object that tells a refusal, without secrets; undefined for everything that is nobody's business outside. */
export const tellError = (
  error: unknown,
  auth: Auth,
): (ErrorObject & { readonly refusal?: TransportRefusal }) | undefined => {
  if (error instanceof RpcError && Number.isInteger(error.code)) return tell(error, auth)
  if (!(error instanceof HttpError)) return undefined
  const { status, body, message } = error
  const names = [...error.headers].filter(([name]) =>
    /^(retry-after$|www-authenticate$|x?-?ratelimit)/.test(name),
  )
  const refusal = { status, headers: Object.fromEntries(names) }
  const own = isObject(body) && Number.isInteger(body.code) && typeof body.message === 'string'
  const code = status === 429 ? -32005 : -32000
  return { ...tell(own ? (body as ErrorObject) : { code, message }, auth), refusal }
}

const tell = ({ code, message, data }: ErrorObject, auth: Auth): ErrorObject => {
  const text = redactor(secretsOf(auth))(message)
  if (data === undefined) return { code, message: text }
  try {
    return { code, message: text, data: cleanData(data, auth) }
  } catch {
    // Data that JSON cannot say (a bigint, a cycle) must not cost the caller the code.
    return { code, message: text }
  }
}
