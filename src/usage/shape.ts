import { type Spot, TYPES } from './spots.js'

/**
 * The shape of the request that was counted last (call it right after `end` of the counter), as JSON: types in place of values, and `=paid` for a value that the document
 * lists. Items of a list are one shape together. Undefined where it is too long to be shown.
 */
export const shapeOf = (root: Spot): string | undefined => {
  const text = shaped(root, root.stamp)
  return text.length > LONGEST ? undefined : text
}

const LONGEST = 1_500

const shaped = (spot: Spot, stamp: number): string => {
  const isOwn = (child: Spot | undefined): child is Spot =>
    child !== undefined && child.parent === spot && child.stamp === stamp
  const members: string[] = []
  for (const [key, child] of sortedProperties(spot)) {
    const text = isOwn(child) ? shaped(child, stamp) : EMPTY
    // A place of parameters is there in each request, whether one was sent or not.
    const isSent = text !== EMPTY || spot.parent !== undefined || key === '"body"'
    if (isOwn(child) && isSent) members.push(`${key}:${text}`)
  }
  if (isOwn(spot.others)) members.push(`"*":${shaped(spot.others, stamp)}`)
  const items = [...(spot.prefix?.values() ?? []), spot.items].filter(isOwn)
  if (items.length > 0) return `[${items.map((one) => shaped(one, stamp)).join(',')}]`
  if (members.length > 0 || spot.objects > 0) return `{${members.join(',')}}`
  const { metValues = [], typeBits } = spot
  if (metValues.length === 0) return typeText(typeBits)
  return JSON.stringify(
    metValues
      .map((json) => `=${JSON.parse(json)}`)
      .sort()
      .join(' or '),
  )
}

/** Of what has neither a type nor members. */
const EMPTY = '""'

const typeText = (bits: number): string => {
  const text =
    typeTexts[bits] ??
    JSON.stringify(TYPES.filter((_, index) => (bits & (1 << index)) !== 0).join(' or '))
  typeTexts[bits] = text
  return text
}

/** By the bits of types. */
const typeTexts: string[] = []

/** By the JSON of their names. */
const sortedProperties = (spot: Spot): readonly (readonly [string, Spot])[] => {
  const { properties } = spot
  if (!properties) return []
  const known = sorted.get(spot)
  if (known?.length === properties.size) return known
  const made = [...properties]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, child]) => [JSON.stringify(name), child] as const)
  sorted.set(spot, made)
  return made
}

const sorted = new WeakMap<Spot, readonly (readonly [string, Spot])[]>()
