import { isHttpError } from '../../generated/http.client.js'
import { httpService } from '../../generated/operations.js'
import type { HttpOperation, RpcExample, RpcOperation } from '../../src/model/api.js'
import { HttpError } from '../../src/runtime/http.js'
import type { HttpOperation as HttpRecord } from '../../src/runtime/operation.js'
import { isRpcError, RpcError } from '../../src/runtime/rpc.js'
import type { Outcome } from './traffic.js'

/** An answer as the client gives it: what has two names (`x-same-as`) stands under both. */
export const asRead = ({ id }: HttpOperation, { value }: { readonly value: unknown }): unknown => {
  const operations: Readonly<Record<string, HttpRecord | undefined>> = httpService.operations
  const body = value as Readonly<Record<string, unknown>>
  const twins = (operations[id]?.sameAs ?? []).flatMap(([one, other]) => {
    const known = body[one] ?? body[other]
    if (known === undefined || known === null) return []
    return [
      [one, known],
      [other, known],
    ]
  })
  return { ...body, ...Object.fromEntries(twins) }
}

/** What a client threw, where its guard knows it as this refusal of this operation. */
export const readHttpError = (error: unknown, id: string, status: number) => {
  // The guard's types want an operation and a status that are known when this is written.
  const isRefusal = isHttpError as (error: unknown, id: never, status: never) => boolean
  if (!(error instanceof HttpError && isRefusal(error, id as never, status as never))) {
    return { error }
  }
  const { body, issues } = error
  return { body, issues }
}

/** An answer, or the error object that was thrown, where the guard knows it by its code. */
export const readOutcome = ({ answer, error }: Outcome) => {
  if (!(error instanceof RpcError) || !isRpcError(error, error.code)) return { answer, error }
  const { method, code, message, data } = error
  return { method, code, message, data }
}

/** What `readOutcome` gives for a documented pairing. */
export const asDocumented = ({ method }: RpcOperation, { outcome }: RpcExample) =>
  outcome.kind === 'error'
    ? { method, data: undefined, ...outcome.error }
    : { answer: outcome.kind === 'result' ? outcome.value : undefined, error: undefined }
