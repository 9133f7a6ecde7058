import { CallError } from '../ground/call-error.js'
import type { Why } from '../ground/why.js'
import { bytesOf } from './call.js'
import type { RpcMethod } from './method.js'
import { paramFaults, sayFaults } from './param-faults.js'
import type { Params } from './params.js'

/** Why a call is not sent: params that JSON cannot carry (`written` is undefined) or the document refuses, and the like. */
export type Refusal =
  | { readonly kind: 'params'; readonly given: unknown; readonly written: Params | undefined }
  | { readonly kind: 'aborted'; readonly cause: unknown }
  | { readonly kind: 'length'; readonly text: string }

/** The error of a call that is not sent. Rejects with what reading the params throws. */
export const explainUnsent = async (
  method: RpcMethod,
  refusal: Refusal,
  why: Why | undefined,
): Promise<CallError> => {
  const { operation, payloadBytes } = method
  const unsent = (said: string) => ({
    operation: operation.method,
    message: `${operation.method} was not sent: ${said}`,
  })
  if (refusal.kind === 'aborted') {
    const { cause } = refusal
    return new CallError({ reason: 'aborted', ...unsent('it was aborted before') }, { cause })
  }
  const reason = 'invalid-input'
  if (refusal.kind === 'length') {
    const said = `its ${bytesOf(refusal.text)} bytes exceed the limit of ${payloadBytes}`
    return new CallError({ reason, ...unsent(said) })
  }
  const faults = await paramFaults(method, refusal.given, refusal.written, why)
  return new CallError({ reason, ...unsent(sayFaults(operation, faults)), faults: faults ?? [] })
}
