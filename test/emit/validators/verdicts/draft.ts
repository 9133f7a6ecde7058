import fc from 'fast-check'
import { isObject } from '../../../../src/runtime/validate/json-value.js'
import { compilePattern } from '../../../../src/runtime/validate.js'
import type { Schema, SchemaObject } from '../../../../src/schema/schema.js'
import { below, pick, type Random } from './random.js'

/**
 * A value that a schema may well take: made by its keywords, checked by nobody. `resolve` gives the schema behind a
 * reference. What is deep holds no more than it must.
 */
export function draftOf(
  schema: Schema,
  resolve: (schema: Schema) => Schema,
  random: Random,
  depth = 0,
): unknown {
  const real = resolve(schema)
  if (typeof real === 'boolean' || depth > DEEPEST) return pick(random, SCALARS)
  if ('const' in real) return real.const
  if (real.enum) return pick(random, real.enum)
  const appliedSchemas = [
    ...(real.allOf ?? []),
    ...[real.anyOf, real.oneOf].flatMap((branches) => (branches ? [pick(random, branches)] : [])),
  ].map((part) => draftOf(part, resolve, random, depth + 1))
  const types = [real.type ?? typesOf(real)].flat()
  if (types.length === 0) return joined(appliedSchemas)
  const own = draftOfType(real, pick(random, types), resolve, random, depth)
  return joined([own, ...appliedSchemas])
}

const DEEPEST = 12
const SCALARS = ['', 'a', '0x1', 0, 1.5, true, null]

/** Objects that have to be right at once become one; of other values the last that was made stays. */
const joined = (values: readonly unknown[]): unknown =>
  values.length > 0 && values.every(isObject) ? Object.assign({}, ...values) : values.at(-1)

function typesOf(schema: SchemaObject): readonly string[] {
  if (schema.properties || schema.required || schema.additionalProperties) return ['object']
  if (schema.items !== undefined || schema.prefixItems) return ['array']
  return schema.pattern === undefined ? [] : ['string']
}

function draftOfType(
  schema: SchemaObject,
  type: string,
  resolve: (schema: Schema) => Schema,
  random: Random,
  depth: number,
): unknown {
  const inner = (part: Schema) => draftOf(part, resolve, random, depth + 1)
  switch (type) {
    case 'null':
      return null
    case 'boolean':
      return random() < 0.5
    case 'string':
      return draftOfText(schema, random)
    case 'number':
    case 'integer': {
      const least = schema.minimum ?? schema.exclusiveMinimum ?? -2
      const most = schema.maximum ?? schema.exclusiveMaximum ?? least + 1000
      const number = least + random() * (most - least)
      const step = schema.multipleOf ?? 1
      return type === 'integer' || schema.multipleOf ? Math.round(number / step) * step : number
    }
    case 'array': {
      const { prefixItems = [], items = true, minItems = 0, maxItems = minItems + 3 } = schema
      const most = items === false ? Math.min(maxItems, prefixItems.length) : maxItems
      const size = depth > 5 ? minItems : minItems + below(random, most - minItems + 1)
      return Array.from({ length: Math.min(size, 40) }, (_, at) => inner(prefixItems[at] ?? items))
    }
    default: {
      const { properties = {}, required = [], additionalProperties: rest } = schema
      const chance = depth > 5 ? 0 : depth > 2 ? 0.3 : 0.7
      const names = Object.keys(properties).filter(
        (name) => required.includes(name) || random() < chance,
      )
      const others = rest === undefined || rest === false || random() < 0.5 ? [] : ['a', '0x1']
      return Object.fromEntries([
        ...names.map((name) => [name, inner(properties[name] ?? true)]),
        ...required.filter((name) => !names.includes(name)).map((name) => [name, inner(true)]),
        ...others.map((name) => [name, inner(rest ?? true)]),
      ])
    }
  }
}

function draftOfText({ pattern, minLength = 0, maxLength }: SchemaObject, random: Random): string {
  if (pattern !== undefined) return pick(random, textsOf(pattern))
  const length =
    minLength + below(random, Math.min((maxLength ?? minLength + 8) - minLength, 40) + 1)
  return Array.from({ length }, () => pick(random, LETTERS)).join('')
}

const LETTERS = [...'ab0-é💩']

/** Texts that match a pattern, a few of each. */
function textsOf(pattern: string): readonly string[] {
  const known = texts.get(pattern)
  if (known) return known
  const expression = compilePattern(pattern)
  let made: readonly string[]
  try {
    made = fc.sample(fc.stringMatching(expression), { seed: 1, numRuns: 24 })
  } catch {
    // What looks ahead cannot be made.
    made = ['', 'a', '0x0']
  }
  texts.set(pattern, made)
  return made
}

const texts = new Map<string, readonly string[]>()
