import { checkedFormat } from '../../runtime/validate/formats.js'
import { canonicalText, isOfType } from '../../runtime/validate/json-value.js'
import { compilePattern } from '../../runtime/validate.js'
import { isBigint } from '../../schema/bigints.js'
import type { JsonType } from '../../schema/json-values.js'
import { nativeLength } from '../../schema/patterns/growth.js'
import { type SchemaObject, typesIn } from '../../schema/schema.js'
import { regExpLiteral } from '../../text/escape.js'
import { string } from '../file.js'
import type { CheckedValue, Writer } from './check-writer.js'
import { all, always, any, atom, differs, equals, never, type Test } from './expression.js'
import type { HelperName } from './library.js'
import { type HexPattern, readHexPattern, withoutCaptures } from './patterns.js'

/** The test of a type. */
export function testType(type: JsonType, value: string, writer: Writer): Test {
  switch (type) {
    case 'null':
      return equals(value, 'null')
    case 'object':
      return atom(writer.helper('isObject', value))
    case 'array':
      return atom(`Array.isArray(${value})`)
    case 'number':
      return atom(`Number.isFinite(${value})`)
    default:
      return equals(`typeof ${value}`, `'${type}'`)
  }
}

/** Whether the type is `known` already, has to be tested (`tested`), or is `assumed` within `typeof … !== … ||`. */
export type TypeIs = 'known' | 'tested' | 'assumed'

export function testString(
  schema: SchemaObject,
  { value, name }: CheckedValue,
  writer: Writer,
  typeIs: TypeIs,
): Test {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema
  // The helper has the name of the function that explanations use.
  const helper = checkedFormat(schema)?.holds.name as HelperName | undefined
  const format = helper === undefined ? always : atom(writer.helper(helper, value))
  const isString = typeIs === 'tested' ? equals(`typeof ${value}`, "'string'") : always
  const hex = pattern === undefined ? undefined : readHexPattern(pattern)
  const lengths = testLength(minLength, maxLength, value, writer)
  if (hex) return all(testHex(hex, value, writer), lengths, format)
  if (pattern === undefined) return all(isString, lengths, format)
  const matches = testPattern(pattern, value, `${lowerFirst(name)}Pattern`, writer, maxLength)
  return all(isString, lengths, matches, format)
}

/** RegExp runs a pattern only on texts that are short enough to be tested fast, whatever they contain. */
export function testPattern(
  source: string,
  value: string,
  name: string,
  writer: Writer,
  maxLength = Number.POSITIVE_INFINITY,
): Test {
  const most = nativeLength(source)
  // A character that counts as one in `maxLength` may be two for a regular expression.
  if (maxLength * 2 > most) {
    return atom(writer.helper('matchesPattern', string(source), value, ...(most > 0 ? [most] : [])))
  }
  const plain = withoutCaptures(compilePattern(source))
  const expression = writer.constant(name, regExpLiteral(plain))
  return atom({ text: `${expression}.test(${value})`, uses: [expression] })
}

/** The name of a constant from that of a place: `blockKeys` of `Block`. */
export const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)

function testLength(least: number, most: number, value: string, writer: Writer): Test {
  const short =
    least <= 0
      ? always
      : least === 1
        ? differs(value, "''")
        : atom(writer.helper('hasAtLeast', value, least))
  const long =
    most === Number.POSITIVE_INFINITY
      ? always
      : most === 0
        ? equals(value, "''")
        : atom(writer.helper('hasAtMost', value, most))
  return all(short, long)
}

function testHex(pattern: HexPattern, value: string, writer: Writer): Test {
  const { alphabet, form, least, most } = pattern
  const letters = alphabet === 'any' ? '' : alphabet === 'lower' ? 'Lower' : 'Upper'
  const plain = isLongByRule(pattern)
    ? (`isLong${letters}Hex` as const)
    : (`is${letters}Hex` as const)
  const name = form === 'number' ? (`is${letters}HexNumber` as const) : plain
  const bounds =
    form === 'number'
      ? most === Number.POSITIVE_INFINITY
        ? []
        : [most]
      : most === Number.POSITIVE_INFINITY
        ? [least].filter((one) => one > 0)
        : [least, most]
  const called = atom(writer.helper(name, value, ...bounds))
  if (form === 'bytes') return all(called, equals(`${value}.length % 2`, '0'))
  return form === 'positive' ? all(called, differs(`${value}.charCodeAt(2)`, '48')) : called
}

/** Whether texts of a pattern are usually longer than those that the check of short texts reads by an expression. */
const isLongByRule = ({ form, least, most }: HexPattern): boolean =>
  least + 2 > 100 || (most === Number.POSITIVE_INFINITY && form !== 'number' && form !== 'positive')

export function testNumber(
  schema: SchemaObject,
  { value }: CheckedValue,
  writer: Writer,
  typeIs: TypeIs,
): Test {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const bounds = [
    ['>=', minimum],
    ['<=', maximum],
    ['>', exclusiveMinimum],
    ['<', exclusiveMaximum],
  ] as const
  const own = bounds.flatMap(([operator, bound]) =>
    bound === undefined
      ? []
      : [atom(`${value} ${operator} ${bound}`, `!(${value} ${operator} ${bound})`)],
  )
  if (multipleOf !== undefined) {
    own.push(
      multipleOf === 1
        ? testInteger(schema, value, writer)
        : atom(writer.helper('isMultiple', value, multipleOf)),
    )
  }
  if (typeIs !== 'tested') return all(...own)
  const isInteger = typesIn(schema)?.includes('integer') === true
  const kind = isInteger ? testInteger(schema, value, writer) : atom(`Number.isFinite(${value})`)
  if (own.length === 0 || takesBigint(schema)) return all(kind, ...own)
  return all(equals(`typeof ${value}`, "'number'"), kind, ...own)
}

export const testInteger = (schema: SchemaObject, value: string, writer: Writer): Test =>
  takesBigint(schema)
    ? atom(writer.helper('isAnyInteger', value))
    : atom(`Number.isInteger(${value})`)

/** Where no type is declared, another schema of the same value may declare that it is a bigint. */
export const takesBigint = (schema: SchemaObject): boolean =>
  schema.type === undefined || isBigint(schema)

/** Whether a schema lists the values that it allows. */
export const isLiteral = (schema: SchemaObject): boolean =>
  'const' in schema || schema.enum !== undefined

/** Tests for the listed values that the other keywords accept as well. */
export function testLiterals(
  schema: SchemaObject,
  { value, name }: CheckedValue,
  writer: Writer,
): Test {
  const { const: _, enum: __, ...others } = schema
  const named = 'const' in schema ? [schema.const] : (schema.enum ?? [])
  const among = 'const' in schema && schema.enum ? { enum: schema.enum } : true
  const keywords = Object.keys(others)
  const { type } = others
  const fits = (one: unknown): boolean => {
    if (keywords.length === 0) return true
    if (keywords.length > 1 || type === undefined) return writer.known.accepts(others, one)
    return [type].flat().some((each) => isOfType(one, each))
  }
  const kept = named.filter(
    (one) => fits(one) && (among === true || writer.known.accepts(among, one)),
  )
  const primitives = kept.filter((one) => typeof one !== 'object' || one === null)
  const structures = kept.filter((one) => !primitives.includes(one))
  const tests = structures.map((one) =>
    equals(writer.helper('canonical', value), string(canonicalText(one))),
  )
  if (primitives.length > MOST_COMPARED) {
    const list = primitives.map(literalText).join(', ')
    const set = writer.constant(`${lowerFirst(name)}Values`, `/* @__PURE__ */ new Set([${list}])`)
    return any(atom({ text: `${set}.has(${value})`, uses: [set] }), ...tests)
  }
  const equal = primitives.map((one) => equals(value, literalText(one)))
  return primitives.length + tests.length === 0 ? never : any(...equal, ...tests)
}

const MOST_COMPARED = 8

export const literalText = (value: unknown): string =>
  typeof value === 'string' ? string(value) : JSON.stringify(value)
