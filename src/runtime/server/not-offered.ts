import { HttpError, RpcError } from '../errors.js'
import type { HttpOperation, RpcOperation } from '../operation.js'
import type { AnyHandler } from './handlers.js'

/** A handler for every operation of a service, each of which refuses: what generated code exports as `notOffered`. */
export const refuseAll = <Handlers>(service: {
  readonly http?: { readonly operations: Readonly<Record<string, HttpOperation>> }
  readonly rpc?: { readonly operations: Readonly<Record<string, RpcOperation>> }
}): Handlers => {
  const http = Object.values(service.http?.operations ?? {}).map((operation) => {
    const refuse = refuseHttp(operation.id)
    const variants = Object.keys(operation.variants ?? {}).map(
      (variant) => [variant, refuse] as const,
    )
    return [operation.id, variants.length > 0 ? Object.fromEntries(variants) : refuse] as const
  })
  const rpc = Object.values(service.rpc?.operations ?? {}).map(
    ({ id, method }) => [id, refuseRpc(method)] as const,
  )
  // Which handlers there are is stated by generated code, beside this call.
  return Object.fromEntries([...http, ...rpc]) as Handlers
}

/** RFC 9110, 15.6.2: the server does not support what it takes to answer. */
const refuseHttp =
  (operation: string): AnyHandler =>
  () => {
    const message = `${operation} is not offered`
    // Without a body of its own, the refusal is given the shape that the document declares.
    throw new HttpError({ operation, status: 501, body: undefined, message })
  }

/** JSON-RPC 2.0, 5.1: the method does not exist, or is not available. */
const refuseRpc =
  (method: string): AnyHandler =>
  () => {
    throw new RpcError({ code: -32601, message: `${method} is not offered`, method })
  }
