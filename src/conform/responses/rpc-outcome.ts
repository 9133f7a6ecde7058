import { readRpcResponse } from '../../runtime/rpc/match.js'
import { isObject } from '../../runtime/validate/json-value.js'

/** What a Response object says about its call (JSON-RPC 2.0, 5). */
export type RpcOutcome =
  | { readonly kind: 'result'; readonly value: unknown }
  | RpcErrorOutcome
  /** An error without an integer code. */
  | { readonly kind: 'invalid error' }
  | { readonly kind: 'neither' }

type RpcErrorOutcome = { readonly kind: 'error'; readonly code: number; readonly message: string }

/**
 * What one Response object says. Clients decide about a valid one. One that breaks a rule, such as a missing version, is reported
 * once, by the checks of every response; it is still understood here, so that the fault does not look like another outcome.
 */
export const rpcOutcome = (response: unknown): RpcOutcome => {
  const read = readRpcResponse(response)
  if (read.kind === 'result') return read
  if (read.kind === 'rejected') return errorOutcome(read.error)
  if (!isObject(response)) return { kind: 'neither' }
  const { error } = response
  // Servers of JSON-RPC 1.0 send `"error":null` with each result.
  if (error !== undefined && error !== null)
    return isObject(error) && Number.isInteger(error.code)
      ? errorOutcome(error)
      : { kind: 'invalid error' }
  return Object.hasOwn(response, 'result')
    ? { kind: 'result', value: response.result }
    : { kind: 'neither' }
}

const errorOutcome = ({
  code,
  message,
}: {
  readonly code?: unknown
  readonly message?: unknown
}): RpcErrorOutcome => ({
  kind: 'error',
  code: Number(code),
  message: typeof message === 'string' ? message : '',
})
