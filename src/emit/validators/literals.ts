import { canonical, isOfType } from '../../runtime/validate/json-value.js'
import type { SchemaObject } from '../../schema/schema.js'
import { string } from '../file.js'
import type { Place, Writer } from './check-writer.js'
import { any, atom, equals, never, type Test } from './expression.js'

/** Whether a schema lets only certain values through. */
export const isLiteral = (schema: SchemaObject): boolean =>
  'const' in schema || schema.enum !== undefined

/** Of the values that are named, those that the other keywords let through as well. */
export function testLiterals(schema: SchemaObject, { value, name }: Place, writer: Writer): Test {
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
    equals(writer.helper('canonical', value), string(canonical(one))),
  )
  if (primitives.length > MOST_COMPARED) {
    const list = primitives.map(literalText).join(', ')
    const set = writer.constant(
      `${name.charAt(0).toLowerCase()}${name.slice(1)}Values`,
      `/* @__PURE__ */ new Set<unknown>([${list}])`,
    )
    return any(atom({ text: `${set}.has(${value})`, uses: [set] }), ...tests)
  }
  const equal = primitives.map((one) => equals(value, literalText(one)))
  return primitives.length + tests.length === 0 ? never : any(...equal, ...tests)
}

const MOST_COMPARED = 8

export const literalText = (value: unknown): string =>
  typeof value === 'string' ? string(value) : JSON.stringify(value)
