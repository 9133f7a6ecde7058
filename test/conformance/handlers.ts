import type { Handlers } from '../../generated/server.js'
import type { HttpOperation, RpcOperation } from '../../src/model/api.js'
import { RpcError } from '../../src/runtime/errors.js'
import type { HttpContext, RpcContext } from '../../src/runtime/server.js'
import { answersOf, answerTo, api, pairingFor } from './documents.js'

/** Handlers that answer from the documents' examples: the one that `Prefer` names, else the one that belongs to the request. */
export const exampleHandlers = (): Handlers => {
  const table = api.operations.map((operation) => [
    operation.id,
    operation.kind === 'rpc' ? rpcHandler(operation) : httpHandlers(operation),
  ])
  // What each of them takes and returns is known from the documents, which the compiler does not read.
  return Object.fromEntries(table) as Handlers
}

const httpHandlers = (operation: HttpOperation) => {
  const handler = ({ body }: { readonly body: unknown }, { headers }: HttpContext) => {
    const { status, name } = preferred(headers.prefer)
    const chosen =
      name === undefined
        ? answerTo(operation, body)
        : answersOf(operation).find(
            (one) => one.name === name && (status ?? one.status) === one.status,
          )
    if (!chosen) throw new Error(`${operation.id} has no example ${status} ${name}`)
    return { status: chosen.status, body: chosen.value }
  }
  if (operation.variants.length === 0) return handler
  return Object.fromEntries(operation.variants.map((form) => [form.name, handler]))
}

const rpcHandler =
  (operation: RpcOperation) =>
  (params: readonly unknown[], { headers }: RpcContext): unknown => {
    const { name } = preferred(headers.prefer)
    const named = operation.examples.find((one) => one.name === name)
    const { outcome } = named ?? pairingFor(operation, params)
    if (outcome.kind === 'error') throw new RpcError(outcome.error)
    return outcome.kind === 'result' ? outcome.value : null
  }

/** `code=400, example=mixedForms`, as Prism has it. */
const preferred = (
  prefer: string | readonly string[] = '',
): { readonly status?: number; readonly name?: string } => {
  const [, status] = /code=(\d+)/.exec(String(prefer)) ?? []
  const [, name] = /example=([^,;]+)/.exec(String(prefer)) ?? []
  return { ...(status && { status: Number(status) }), ...(name && { name }) }
}
