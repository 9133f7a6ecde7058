import type { MethodVariants, RpcOperation } from '../operation.js'
import type { Checks } from '../validate.js'
import { isObject } from './json.js'
import { segmentsOf } from './pointer.js'

/**
 * The value at a JSON pointer into the params of a message. The first step is the name or the position of a param, however the
 * params were sent. Undefined if there is none.
 */
export const valueAtParams = (
  operation: Pick<RpcOperation, 'params'>,
  pointer: string,
  sent: unknown,
): unknown => readerAtParams(operation, pointer)(sent)

/** The same function for many messages: the pointer is read once. */
export const readerAtParams = (
  { params }: Pick<RpcOperation, 'params'>,
  pointer: string,
): ((sent: unknown) => unknown) => {
  const [first, ...rest] = segmentsOf(pointer)
  if (first === undefined) return (sent) => sent
  const at = paramAt({ params }, pointer)
  const name = params[at]?.name ?? first
  return (sent) => {
    let value = Array.isArray(sent) ? sent[at] : memberOf(sent, name)
    for (const step of rest) value = memberOf(value, step)
    return value
  }
}

/**
 * Sent params as a validator takes them: a list, or an object if the method takes only names. Undefined if the method does not
 * take this structure.
 */
export const shapedParams = (
  { paramStructure, params }: Pick<RpcOperation, 'paramStructure' | 'params'>,
  sent: unknown,
): unknown => {
  if (paramStructure === 'by-name')
    return sent === undefined ? {} : isObject(sent) ? sent : undefined
  if (sent === undefined) return []
  if (Array.isArray(sent)) return sent
  if (paramStructure === 'by-position' || !isObject(sent)) return undefined
  const last = params.findLastIndex(({ name }) => Object.hasOwn(sent, name))
  return params.slice(0, last + 1).map(({ name }) => sent[name])
}

/**
 * The variant of a call (`x-variants`), whose checks are those of its result and of its items. `params` are as `shapedParams`
 * returns them, or as a handler gets them, for which a skipped param is undefined.
 */
export const variantOf = (
  variants: MethodVariants<Checks> | undefined,
  params: unknown,
): string | undefined => {
  if (variants === undefined) return undefined
  const sent = Array.isArray(params) ? params.map((value) => value ?? null) : params
  return Object.keys(variants).find((name) => variants[name]?.params.check(sent))
}

/** The position of the param to which a pointer leads; -1 if there is none. */
export const paramAt = ({ params }: Pick<RpcOperation, 'params'>, pointer: string): number => {
  const [first] = segmentsOf(pointer)
  return params.findIndex(({ name }, index) => name === first || String(index) === first)
}

/** The params of a message with values at JSON pointers. Later values are written into earlier ones. */
export const paramsWith = (
  operation: Pick<RpcOperation, 'params' | 'paramStructure'>,
  values: readonly (readonly [pointer: string, value: unknown])[],
): unknown =>
  values.reduce<unknown>(
    (sent, [pointer, value]) => withValueAtParams(operation, pointer, sent, value),
    operation.paramStructure === 'by-name' ? {} : [],
  )

/** A copy of the params with a value at a JSON pointer, as in `valueAtParams`. */
export const withValueAtParams = (
  { params }: Pick<RpcOperation, 'params'>,
  pointer: string,
  sent: unknown,
  value: unknown,
): unknown => {
  const [first, ...rest] = segmentsOf(pointer)
  if (first === undefined) return value
  const at = paramAt({ params }, pointer)
  const step = Array.isArray(sent) ? String(at) : (params[at]?.name ?? first)
  return withMember(sent, [step, ...rest], value)
}

const withMember = (
  holder: unknown,
  [step, ...rest]: readonly string[],
  value: unknown,
): unknown => {
  if (step === undefined) return value
  const member = withMember(memberOf(holder, step), rest, value)
  return Array.isArray(holder)
    ? Object.assign([...holder], { [step]: member })
    : { ...Object(holder), [step]: member }
}

const memberOf = (value: unknown, key: string): unknown => {
  if (Array.isArray(value)) return value[Number(key)]
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
