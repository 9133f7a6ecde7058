import type { RpcMethod } from './method.js'

/**
 * Params as they will be sent: trailing `undefined` is trimmed (an optional param left out), and the rest is what JSON
 * carries of them, read once. Undefined where something would be lost on the way or the document refuses them;
 * `param-faults.ts` says what.
 */
export const writeParams = (
  { operation, params: checks }: Pick<RpcMethod, 'operation' | 'params'>,
  given: unknown,
): string | undefined => {
  const isNamed = operation.paramStructure === 'by-name'
  const params = given === undefined ? (isNamed ? {} : []) : given
  if (Object(params) !== params || Array.isArray(params) === isNamed) return undefined
  try {
    const sent = Array.isArray(params) ? trim(params) : params
    // These are what they are; `some` would pass over holes.
    const isPlain = Array.isArray(sent) && sent.findIndex(isDeep) < 0
    const text = isPlain ? JSON.stringify(sent) : writeDeep(sent)
    const isFit = text && checks?.check(isPlain ? sent : JSON.parse(text)) !== false
    return isFit ? text : undefined
  } catch {
    // A circle, or a getter, a toJSON or a validator that throws: it does so again where that is told.
    return undefined
  }
}

const writeDeep = (params: unknown): string | undefined => {
  let isLost = false
  const text = JSON.stringify(params, function (this: object, key: string, value: unknown) {
    const own = (this as Readonly<Record<string, unknown>>)[key]
    // Somebody may have taught a bigint or a function a toJSON.
    isLost ||= !isKept(own) || !isKept(value) || (value === undefined && Array.isArray(this))
    return value
  })
  return isLost ? undefined : text
}

const trim = (given: readonly unknown[]): readonly unknown[] =>
  given.slice(0, given.findLastIndex((param) => param !== undefined) + 1)

const isDeep = (param: unknown): boolean => typeof param !== 'string' && typeof param !== 'boolean'

const isKept = (value: unknown): boolean => Number.isFinite(value) || KEPT.includes(typeof value)

/** An undefined member is left out. */
const KEPT = ['string', 'boolean', 'object', 'undefined']
