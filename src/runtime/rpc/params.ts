import type { RpcMethod } from './method.js'

/**
 * Params as they will be sent: trailing `undefined` is trimmed (an optional param left out), and the rest is what JSON
 * carries of them, read once. Undefined where something would be lost on the way or the document refuses them;
 * `param-faults.ts` says what.
 */
export const writeParams = (
  { isNamed, params: checks }: Pick<RpcMethod, 'isNamed' | 'params'>,
  params: unknown = isNamed ? {} : [],
): string | undefined => {
  if (Object(params) !== params || Array.isArray(params) === isNamed) return undefined
  try {
    const sent = Array.isArray(params) ? trim(params) : params
    // These are what they are; `some` would pass over holes.
    const isPlain = Array.isArray(sent) && sent.findIndex(isDeep) < 0
    const text = JSON.stringify(sent, isPlain ? undefined : keep)
    return checks?.check(isPlain ? sent : JSON.parse(text)) === false ? undefined : text
  } catch {
    // Lost, a circle, or a getter, a toJSON or a validator that throws: it does so again where that is reported.
    return undefined
  }
}

/** A replacer that throws where JSON would lose something. */
function keep(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  // Somebody may have taught a bigint or a function a toJSON.
  if (isKept(this[key]) && isKept(value) && !(value === undefined && Array.isArray(this)))
    return value
  throw LOST
}

const trim = (given: readonly unknown[]): readonly unknown[] =>
  given.slice(0, given.findLastIndex((param) => param !== undefined) + 1)

const isDeep = (param: unknown): boolean => typeof param !== 'string' && typeof param !== 'boolean'

const isKept = (value: unknown): boolean => Number.isFinite(value) || KEPT.includes(typeof value)

const LOST = new TypeError()

/** An undefined member is left out. */
const KEPT = ['string', 'boolean', 'object', 'undefined']
