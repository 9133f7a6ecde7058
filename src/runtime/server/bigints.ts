import { type BigintTerms, convert } from '../shared/exact-integers.js'
import { pointerStep } from '../shared/pointer.js'
import type { Fault } from '../validate.js'
import { keysOf, LOSS_MESSAGES, type OddToken } from './exact-json.js'

/** Whether a token is an integer, which a bigint can represent. */
export const isInteger = (token: string): boolean => /^-?\d+$/.test(token)

/**
 * A value that was parsed as JSON, with bigints at the places of `terms`. `odd` are its tokens that a number rounds; elsewhere
 * each of them is a fault.
 */
export const readBigints = (
  value: unknown,
  odd: readonly OddToken[],
  terms: BigintTerms,
  /** The number of keys in the path of the value. */
  depth = 0,
): { readonly value: unknown; readonly faults: readonly Fault[] } => {
  const tokens = odd.filter(({ loss, text }) => loss === 'precision' && isInteger(text))
  const read = convert(withTokens(value, tokens, depth), terms, pointerStep)
  const message = LOSS_MESSAGES.precision
  return { ...read, faults: read.faults.map((fault) => ({ ...fault, message })) }
}

const withTokens = (value: unknown, tokens: readonly OddToken[], depth: number): unknown => {
  if (tokens.length === 0) return value
  const holder: Record<string, unknown> = { root: structuredClone(value) }
  for (const { path, text } of tokens) {
    const keys = ['root', ...keysOf(path).slice(depth)]
    const last = keys.pop() ?? ''
    const at = keys.reduce<unknown>((one, key) => Object(one)[key], holder)
    // A duplicate name has the last value.
    if (Object(at)[last] === Number(text)) Object(at)[last] = BigInt(text)
  }
  return holder.root
}
