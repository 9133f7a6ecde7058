import { type BigintTerms, convert, type ExactValue, markNumbers } from './exact-integers.js'
import { LOSS_MESSAGES } from './exact-json.js'
import { pointerStep } from './pointer.js'

/**
 * A value that was parsed as JSON, with bigints at the places of `terms`. With a `mark`, its strings that begin with it are
 * numbers, as `markNumbers` writes them; each that a number rounds is a fault elsewhere.
 */
export const readBigints = (
  value: unknown,
  terms: BigintTerms & { readonly mark?: string },
): Pick<ExactValue, 'value' | 'faults'> => {
  const read = convert(value, terms, pointerStep)
  const message = LOSS_MESSAGES.precision
  return { ...read, faults: read.faults.map((fault) => ({ ...fault, message })) }
}

/** The value of a JSON text in which long numbers are marked, for `readBigints`; undefined if it has none. */
export type MarkedJson = { readonly value: unknown; readonly mark: string } | undefined

/** Reads it at the first call, because most requests do not need it. */
export const createMarkedReader = (text: string): (() => MarkedJson) => {
  let read: { readonly marked: MarkedJson } | undefined
  return () => {
    if (read === undefined) {
      const found = markNumbers(text, 'large')
      read = { marked: found && { value: JSON.parse(found.text), mark: found.mark } }
    }
    return read.marked
  }
}
