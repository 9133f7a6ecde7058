import type { SchemaObject } from '../../schema/schema.js'
import type { CheckedValue, Writer } from './check-writer.js'
import { any, atom, compares, equals, flat, not, type Test } from './expression.js'
import { linesOf, returnFalseUnless, type Step } from './function.js'

/** The checks of array keywords. Undefined items and holes are rejected, because JSON has neither. */
export function stepsOfArray(
  schema: SchemaObject,
  place: CheckedValue,
  writer: Writer,
): readonly Step[] {
  const { items, uniqueItems, type } = schema
  const describes = type !== undefined || items !== undefined || schema.prefixItems !== undefined
  const isClosed = items !== undefined && writer.known.types(items).size === 0
  return [
    ...testSize(schema, place, isClosed),
    ...(describes ? testPrefix(schema, place, writer) : []),
    ...(describes && !isClosed ? stepsOfItems(schema, place, writer) : []),
    ...(uniqueItems ? [not(atom(writer.helper('hasRepeats', place.value)))] : []),
    ...stepsOfContains(schema, place, writer),
  ]
}

function testSize(
  schema: SchemaObject,
  { value }: CheckedValue,
  isClosed: boolean,
): readonly Test[] {
  const { prefixItems = [], minItems: least = 0 } = schema
  const closed = isClosed ? prefixItems.length : Number.POSITIVE_INFINITY
  const most = Math.min(schema.maxItems ?? Number.POSITIVE_INFINITY, closed)
  const length = `${value}.length`
  if (least === most || (most === 0 && least <= 0)) return [equals(length, String(most))]
  return [
    ...(least > 0 ? [compares(length, '>=', least)] : []),
    ...(most === Number.POSITIVE_INFINITY ? [] : [compares(length, '<=', most)]),
  ]
}

/** Positions that have their own schema. For optional positions, the length is tested first. */
function testPrefix(schema: SchemaObject, place: CheckedValue, writer: Writer): readonly Test[] {
  const { prefixItems = [], minItems = 0 } = schema
  return prefixItems.map((item, at) => {
    const test = writer.test(item, {
      ...place,
      type: undefined,
      value: `${place.value}[${at}]`,
      name: `${place.name}${at + 1}`,
      defined: false,
    })
    return at < minItems ? test : any(compares(`${place.value}.length`, '<=', at), test)
  })
}

function stepsOfItems(schema: SchemaObject, place: CheckedValue, writer: Writer): readonly Step[] {
  const { prefixItems = [], items = true } = schema
  const from = prefixItems.length
  const value = from === 0 ? 'item' : `${place.value}[at]`
  const test = writer.test(items, {
    ...place,
    type: undefined,
    value,
    name: `${place.name}Item`,
    defined: false,
  })
  if (schema.maxItems !== undefined && schema.maxItems <= from) return []
  if (flat(test) === `${value} !== undefined`) {
    const rest = from === 0 ? '' : `, ${from}`
    return [not(atom(`${place.value}.includes(undefined${rest})`))]
  }
  const head =
    from === 0
      ? `for (const item of ${place.value})`
      : `for (let at = ${from}; at < ${place.value}.length; at++)`
  const body = returnFalseUnless(test, '')
  const [only] = body
  const short = body.length === 1 && `${head} ${only}`.length < 96
  const lines = short ? [`${head} ${only}`] : [`${head} {`, ...body.map((line) => `  ${line}`), '}']
  return [linesOf(lines, test)]
}

/** More items may match in the open reading, so the upper bound counts strict matches. */
function stepsOfContains(
  schema: SchemaObject,
  place: CheckedValue,
  writer: Writer,
): readonly Step[] {
  const { contains, minContains: least = 1, maxContains: most } = schema
  if (contains === undefined) return []
  const name = `${place.name}Contained`
  const at = { ...place, type: undefined, value: 'item', name, defined: true }
  const matches = writer.test(contains, { ...at, loose: place.loose })
  const bounded = most !== undefined
  const strict = bounded ? writer.test(contains, { ...at, loose: false }) : matches
  const same = flat(matches) === flat(strict)
  const counts = [
    '{',
    '  let found = 0',
    ...(bounded && !same ? ['  let exact = 0'] : []),
    `  for (const item of ${place.value}) {`,
    `    if (${flat(matches)}) found++`,
    ...(bounded && !same ? [`    if (${flat(strict)}) exact++`] : []),
    '  }',
    ...(least > 0 ? [`  if (found < ${least}) return false`] : []),
    ...(bounded ? [`  if (${same ? 'found' : 'exact'} > ${most}) return false`] : []),
    '}',
  ]
  return [linesOf(counts, matches, strict)]
}
