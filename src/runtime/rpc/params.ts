import type { RpcOperation } from '../operation.js'

/**
 * Params as they will be sent: trailing `undefined` is trimmed (an optional param left out), and the rest is what JSON
 * carries of them, read once. Undefined where something would be lost on the way; `param-faults.ts` says what.
 */
export const writeParams = (operation: RpcOperation, given: unknown): Params | undefined => {
  if (operation.paramStructure === 'by-name') {
    const isNamed = typeof given === 'object' && given !== null && !Array.isArray(given)
    return given === undefined || isNamed ? write(given ?? {}) : undefined
  }
  if (given === undefined) return { text: '[]', value: [] }
  if (!Array.isArray(given)) return undefined
  const params: readonly unknown[] = given.at(-1) === undefined ? trim(given) : given
  let text = ''
  // Not `every`, which passes over holes.
  for (const param of params) {
    if (!isScalar(param)) return write(params)
    const isPlain = typeof param === 'string' && !ESCAPED.test(param)
    text += `${text && ','}${isPlain ? `"${param}"` : JSON.stringify(param)}`
  }
  return { text: `[${text}]`, value: params }
}

/** The text, and what it says. */
export type Params = { readonly text: string; readonly value: unknown }

/** What JSON.stringify does not write as it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

const trim = (given: readonly unknown[]): readonly unknown[] =>
  given.slice(0, given.findLastIndex((param) => param !== undefined) + 1)

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  value === null ||
  (typeof value === 'number' && Number.isFinite(value))

const write = (given: unknown): Params | undefined => {
  let isLost = false
  const refuseLoss = function (this: object, key: string, value: unknown): unknown {
    const isDropped = value === undefined && !Array.isArray(this)
    const own = (this as Readonly<Record<string, unknown>>)[key]
    if (typeof value !== 'object' && !isScalar(value) && !isDropped) isLost = true
    // Somebody may have taught these a toJSON.
    if (typeof own === 'bigint' || typeof own === 'function') isLost = true
    return value
  }
  try {
    const text = JSON.stringify(given, refuseLoss)
    return isLost ? undefined : { text, value: JSON.parse(text) }
  } catch {
    // A circle, or a getter or a toJSON that throws: it does so again where that is told.
    return undefined
  }
}
