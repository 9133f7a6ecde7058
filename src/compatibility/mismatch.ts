import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import { isObject } from '../model/json.js'
import { sentParametersSchema } from '../model/params.js'
import { readParams } from '../runtime/server/rpc-params.js'
import { pointerOf } from '../runtime/shared/pointer.js'
import type { Fault } from '../runtime/validate.js'
import type { Checker } from '../schema/check.js'
import { tryParseJson } from '../text/json-text.js'
import { routeOfRecorded } from '../traffic/address.js'
import { type Sent, sentText } from '../traffic/exchange.js'
import { createRequestReader } from '../traffic/read-request.js'
import type { Facts } from '../traffic/recording.js'

/**
 * Creates the function that finds where a request of an old client is invalid by the new documents, as servers read it; undefined if
 * it is valid, or if a part of it could not be read. Pointers are relative to the request: `/body/status`, `/query/limit`,
 * `/params/0`.
 */
export const createMismatches = (api: Api, checker: Checker): MismatchOf => {
  const read = createRequestReader(api.schemas, checker, {})
  return (sent, operation) => {
    if (operation === undefined) return { pointer: '', message: 'is removed' }
    return operation.kind === 'rpc' ? ofCall(sent, operation) : ofRequest(sent, operation)
  }

  function ofCall(sent: Sent, operation: RpcOperation): Mismatch | undefined {
    const call = tryParseJson(sentText(sent.body ?? ''))?.value
    if (!isObject(call)) return undefined
    const validator = checker.schema(sentParametersSchema(operation))
    const reading = readParams(operation, validator, call.params)
    return 'faults' in reading ? first('/params', reading.faults) : undefined
  }

  function ofRequest(sent: Sent, operation: HttpOperation): Mismatch | undefined {
    const { method, url } = sent
    const route = routeOfRecorded(api, method, url)
    const isRouted = route?.operation === operation
    const { parameters, undeclared, body } = read(
      operation,
      factsOf(sent),
      isRouted ? route.path : {},
    )
    for (const { parameter, ...reading } of parameters) {
      const { in: place, name, secret } = parameter
      // The texts of a path are known only if it is one of the operation.
      if (secret === true || reading.kind === 'value' || (place === 'path' && !isRouted)) continue
      return first(pointerOf(place, name), reading.faults)
    }
    const [name] = undeclared
    if (name !== undefined)
      return { pointer: pointerOf('query', name), message: 'is not a parameter of this operation' }
    if (body.kind === 'none')
      return operation.body?.required ? { pointer: '/body', message: 'is required' } : undefined
    if (body.kind === 'invalid') return first('/body', body.faults)
    if (body.kind === 'unread' && body.reason === 'media-type')
      return { pointer: '/body', message: `must not be ${sent.headers['content-type']}` }
    if (body.kind !== 'value') return undefined
    const media = operation.body?.content.find(({ type }) => type === body.content)
    return media && first('/body', checker.schema(media.schema).explain(body.value))
  }
}

/** `sent` is the request as the old client sent it, and `operation` the new one; undefined if it was removed. */
export type MismatchOf = (sent: Sent, operation: Operation | undefined) => Mismatch | undefined

/** Where and why the new documents reject a request. */
export type Mismatch = { readonly pointer: string; readonly message: string }

const first = (root: string, [fault]: readonly Fault[]): Mismatch | undefined =>
  fault && { pointer: `${root}${fault.pointer}`, message: fault.message }

const factsOf = ({ method, url, headers, body }: Sent): Facts => ({
  ...{ method, url, headers: Object.entries(headers), lacksHeaders: false, response: undefined },
  body: () => undefined,
  // A body that is no text is not kept; its client names its type.
  hasBody: body !== undefined ? true : headers['content-type'] === undefined ? false : undefined,
  content: () => (body === undefined ? undefined : { raw: body }),
})
