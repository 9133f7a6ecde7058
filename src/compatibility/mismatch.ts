import { readingsOf } from '../conform/cases/form-input.js'
import type { HttpOperation, Operation, RpcOperation } from '../model/api.js'
import { sentParametersSchema } from '../model/params.js'
import { holdsValue, sentCodec } from '../runtime/shared/codecs.js'
import { writeJson } from '../runtime/shared/json.js'
import { pointerOf } from '../runtime/shared/pointer.js'
import { declaredContent } from '../runtime/wire/content.js'
import type { Checker } from '../schema/check.js'
import type { HttpCallValues, PlannedCall, RpcValues } from './calls.js'

/**
 * Where a request of an old client is invalid by the schemas of the new documents; undefined if it is valid, or if this is not
 * checked, as for forms. Pointers are relative to the request: `/body/status`, `/query/limit`, `/params/0`.
 */
export const mismatchOf = (
  values: PlannedCall['values'],
  operation: Operation | undefined,
  checker: Checker,
): Mismatch | undefined => {
  if (operation === undefined) return { pointer: '', message: 'is removed' }
  if (values.kind === 'rpc')
    return operation.kind === 'rpc' ? rpcMismatch(values, operation, checker) : undefined
  return operation.kind === 'http' ? httpMismatch(values, operation, checker) : undefined
}

/** Where and why the new documents reject a request. */
export type Mismatch = { readonly pointer: string; readonly message: string }

const rpcMismatch = ({ params }: RpcValues, operation: RpcOperation, checker: Checker) => {
  const isListed = Array.isArray(params)
  const { paramStructure } = operation
  if (isListed && params.length > 0 && paramStructure === 'by-name')
    return { pointer: '/params', message: 'must be an object' }
  if (!isListed && paramStructure === 'by-position')
    return { pointer: '/params', message: 'must be a list' }
  const schema = sentParametersSchema(
    isListed && paramStructure !== 'by-name'
      ? { ...operation, paramStructure: 'by-position' }
      : { ...operation, paramStructure: 'by-name' },
  )
  const sent: unknown = JSON.parse(
    writeJson(isListed && paramStructure === 'by-name' ? {} : params),
  )
  const [fault] = checker.schema(schema).explain(sent)
  return fault && { pointer: `/params${fault.pointer}`, message: fault.message }
}

/** RFC 9110, 5.1: names of headers are case-insensitive. */
const valueAt = (
  parameters: HttpCallValues['parameters'],
  place: string,
  name: string,
): unknown => {
  const id = `${place}.${name}`
  if (place !== 'header' || Object.hasOwn(parameters, id)) return parameters[id]
  const found = Object.entries(parameters).find(([one]) => one.toLowerCase() === id.toLowerCase())
  return found?.[1]
}

const httpMismatch = (
  { parameters, body }: HttpCallValues,
  operation: HttpOperation,
  checker: Checker,
): Mismatch | undefined => {
  for (const { in: place, name, required, secret, schema, mediaType } of operation.parameters) {
    // The name of a path parameter is not sent.
    if (place === 'path' || secret === true) continue
    const value = valueAt(parameters, place, name)
    const pointer = pointerOf(place, name)
    if (value === undefined && required && name !== operation.idempotencyKey)
      return { pointer, message: 'is required' }
    if (value === undefined || value === null || typeof value === 'object' || mediaType) continue
    const validator = checker.schema(schema)
    const readings = [value, ...readingsOf(String(value))]
    if (readings.some((one) => validator.check(one))) continue
    return { pointer, message: validator.explain(value)[0]?.message ?? 'is not valid' }
  }
  const declared = operation.body
  if (body === undefined)
    return declared?.required ? { pointer: '/body', message: 'is required' } : undefined
  if (declared === undefined) return undefined
  const media = declaredContent(declared.content, body.type)
  if (media === undefined) return { pointer: '/body', message: `must not be ${body.type}` }
  if (!holdsValue(sentCodec(media, body.type))) return undefined
  const [fault] = checker.schema(media.schema).explain(JSON.parse(writeJson(body.value)))
  return fault && { pointer: `/body${fault.pointer}`, message: fault.message }
}
