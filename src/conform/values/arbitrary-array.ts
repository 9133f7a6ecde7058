import fc, { type Arbitrary } from 'fast-check'
import { type Build, isDeep } from './arbitrary.js'
import type { Joined } from './joined-schemas.js'

/** Lists as long as they may be, the items of a prefix first and what must be among them; undefined where there are none. */
export const arrayOf = (
  whole: Joined,
  depth: number,
  build: Build,
): Arbitrary<unknown[]> | undefined => {
  const { minItems, maxItems, uniqueItems, contains, prefixItems } = whole
  if (minItems > maxItems || minItems > MOST) return undefined
  const prefix: Arbitrary<unknown>[] = []
  for (const item of prefixItems) {
    const made = prefix.length < maxItems ? build(item, depth + 1) : undefined
    if (made === undefined) break
    prefix.push(made)
  }
  const wanted = contains.flatMap(({ schema, least }) => {
    const made = least > 0 && least <= MOST ? build([schema], depth + 1) : undefined
    return made === undefined ? [] : [fc.tuple(...Array.from({ length: least }, () => made))]
  })
  const least = Math.max(0, minItems - prefix.length)
  const most = isDeep(depth) ? least : Math.min(maxItems - prefix.length, least + 3)
  // Nothing is said of further items: there need not be any.
  const rest = whole.items ?? (least > 0 ? [true] : undefined)
  const item = rest === undefined || most <= 0 ? undefined : build(rest, depth + 1)
  if (item === undefined && least > 0) return undefined
  const more =
    item === undefined || prefix.length < prefixItems.length
      ? fc.constant([])
      : listOf(item, Math.max(0, least), Math.max(0, most), uniqueItems)
  const shortest = isDeep(depth) || most > 0 ? Math.min(minItems, prefix.length) : minItems
  const starts = lengths(Math.max(0, shortest), prefix.length).map((length) =>
    fc.tuple(...prefix.slice(0, length)),
  )
  const ends = (start: readonly unknown[]) => start.length === prefix.length
  return fc
    .tuple(fc.oneof(...starts), more, fc.tuple(...wanted))
    .map(([start, items, must]) => [...start, ...must.flat(), ...(ends(start) ? items : [])])
}

const MOST = 200

/** The whole first, as that is what shrinks least far. */
const lengths = (least: number, most: number): readonly number[] =>
  Array.from({ length: Math.max(1, most - least + 1) }, (_, at) => Math.max(0, most - at))

const listOf = (
  item: Arbitrary<unknown>,
  minLength: number,
  maxLength: number,
  isUnique: boolean,
) =>
  isUnique
    ? fc.uniqueArray(item, { minLength: 0, maxLength, selector: (one) => JSON.stringify(one) })
    : fc.array(item, { minLength, maxLength })
