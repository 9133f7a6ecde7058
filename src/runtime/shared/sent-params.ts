import type { RpcOperation } from '../operation.js'
import { isObject } from './json.js'
import { segmentsOf } from './pointer.js'

/**
 * The value at a JSON pointer into the params of a message. The first step is the name or the position of a param, however the
 * params were sent. Undefined if there is none.
 */
export const valueAtParams = (
  { params }: Pick<RpcOperation, 'params'>,
  pointer: string,
  sent: unknown,
): unknown => {
  const [first, ...rest] = segmentsOf(pointer)
  let value = sent
  if (first !== undefined) {
    const at = params.findIndex(({ name }, index) => name === first || String(index) === first)
    value = Array.isArray(sent) ? sent[at] : memberOf(sent, params[at]?.name ?? first)
  }
  for (const step of rest) value = memberOf(value, step)
  return value
}

const memberOf = (value: unknown, key: string): unknown => {
  if (Array.isArray(value)) return value[Number(key)]
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
