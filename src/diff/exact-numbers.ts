import type { HttpDocument, RpcDocument } from '../model/api.js'

/** A member of an object or a list of a bundled document. */
export type Member = {
  readonly document: HttpDocument | RpcDocument
  readonly holder: object
  readonly key: string | number
}

/** What two members say of one number that a double cannot tell apart. */
export type RoundedNumbers = { readonly before: string; readonly after: string }

/**
 * Numbers are compared as doubles, which are the same for 9007199254740992 and 9007199254740993: the first two numbers within the
 * members that are different as they were written, and the same as doubles. Of lists, equal items are compared, in any order.
 */
export function roundedNumbers(before: Member, after: Member): RoundedNumbers | undefined {
  const [old, young] = [memberValue(before), memberValue(after)]
  if (typeof old === 'number' && old === young) {
    const [was, is] = [textOf(before, old), textOf(after, old)]
    return decimalOf(was) === decimalOf(is) ? undefined : { before: was, after: is }
  }
  if (!isHolder(old) || !isHolder(young)) return undefined
  for (const key of Object.keys(young)) {
    const member: Member = { document: after.document, holder: young, key }
    const value = memberValue(member)
    const isListed = Array.isArray(old) && typeof value === 'number'
    const keys = isListed ? Object.keys(old).filter((at) => old[Number(at)] === value) : [key]
    const found = keys.map((one) =>
      roundedNumbers({ document: before.document, holder: old, key: one }, member),
    )
    const first = found[0]
    if (first && found.every((one) => one !== undefined)) return first
  }
  return undefined
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

const memberValue = ({ holder, key }: Member): unknown =>
  Object.hasOwn(holder, key) ? (holder as Readonly<Record<string, unknown>>)[key] : undefined

const textOf = ({ document, holder, key }: Member, value: number): string =>
  document.numberText(holder, key) ?? String(value)

/** One text for each number: its digits without zeros at either end, and the power of ten of the last one. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power =
    BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  return `${sign === '-' ? '-' : ''}${significant}e${power}`
}
