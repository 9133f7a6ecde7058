import type { HttpDocument, RpcDocument } from '../model/api.js'
import { cached } from '../runtime/shared/cached.js'
import { decimal } from '../runtime/shared/exact-number.js'

/** A member of an object or a list of a bundled document. */
type Member = {
  readonly document: HttpDocument | RpcDocument
  readonly holder: object
  readonly key: string | number
}

/** Two different decimal texts of numbers that are equal as doubles. */
export type RoundedNumbers = { readonly before: string; readonly after: string }

/**
 * Numbers are compared as doubles, which are equal for 9007199254740992 and 9007199254740993. This finds the first
 * two numbers that are written differently but equal as doubles. Equal items of lists are paired in any order.
 */
export function roundedNumbers(before: Member, after: Member): RoundedNumbers | undefined {
  const [earlier, later] = [memberValue(before), memberValue(after)]
  if (typeof earlier === 'number' && earlier === later) {
    const [was, is] = [textOf(before, earlier), textOf(after, earlier)]
    return decimalOf(was) === decimalOf(is) ? undefined : { before: was, after: is }
  }
  if (!isHolder(earlier) || !isHolder(later)) return undefined
  const listed = Array.isArray(earlier) ? numbersIn(before.document, earlier) : undefined
  for (const key of Object.keys(later)) {
    const member: Member = { document: after.document, holder: later, key }
    const value = memberValue(member)
    if (listed && typeof value === 'number') {
      const [texts, text] = [listed.get(value), textOf(member, value)]
      const [first] = texts?.values() ?? []
      if (first !== undefined && !texts?.has(decimalOf(text))) return { before: first, after: text }
      continue
    }
    const found = roundedNumbers({ document: before.document, holder: earlier, key }, member)
    if (found) return found
  }
  return undefined
}

/** The numbers of a list, with the texts of each: its decimal text -> the first text in the document. */
function numbersIn(document: Member['document'], list: readonly unknown[]) {
  const found = new Map<number, Map<string, string>>()
  for (const [key, value] of list.entries()) {
    if (typeof value !== 'number') continue
    const text = textOf({ document, holder: list, key }, value)
    const texts = cached(found, value, () => new Map<string, string>())
    cached(texts, decimalOf(text), () => text)
  }
  return found
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

const memberValue = ({ holder, key }: Member): unknown =>
  Object.hasOwn(holder, key) ? (holder as Readonly<Record<string, unknown>>)[key] : undefined

const textOf = ({ document, holder, key }: Member, value: number): string =>
  document.numberText(holder, key) ?? String(value)

/** One text for each number; YAML allows a leading `+`. */
const decimalOf = (text: string): string => decimal(text.replace(/^\+/, ''))
