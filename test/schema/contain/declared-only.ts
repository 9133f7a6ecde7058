import { compilePattern } from '../../../src/runtime/validate.js'

/**
 * The same schema with all closed that it does not declare: what callers are taken to send. A map is declared, a schema that
 * says nothing of other properties declares none; within `not`, `if` and `contains`, which ask and do not describe, nothing is
 * closed.
 */
export function declaredOnly(schema: Plain): Plain {
  if (schema === false) return false
  const described = schema === true ? {} : appliedSchemas(schema)
  return { allOf: [described], unevaluatedProperties: false, unevaluatedItems: UNDECLARED }
}

/** Of an item that no schema describes, nothing is declared, as of one that `{}` describes. */
const UNDECLARED = { unevaluatedProperties: false, items: { unevaluatedProperties: false } }

export type Plain = boolean | PlainObject

type PlainObject = { readonly [keyword: string]: unknown }

/** A schema that reads the same value as the one around it: what is declared in either is. */
function appliedSchemas(schema: Plain): Plain {
  if (typeof schema === 'boolean') return schema
  const made: Record<string, unknown> = { ...schema }
  for (const [keyword, value] of Object.entries(schema)) {
    if (WHOLE.has(keyword)) made[keyword] = declaredOnly(value as Plain)
    if (keyword === 'prefixItems') made[keyword] = (value as readonly Plain[]).map(declaredOnly)
    if (MAPS.has(keyword)) made[keyword] = mapped(value, declaredOnly)
    if (BRANCHES.has(keyword)) made[keyword] = (value as readonly Plain[]).map(appliedSchemas)
    if (CONDITIONAL.has(keyword)) made[keyword] = appliedSchemas(value as Plain)
    if (keyword === 'dependentSchemas') made[keyword] = mapped(value, appliedSchemas)
  }
  for (const keyword of OTHERS) if (saysNothing(schema[keyword])) delete made[keyword]
  const asked = (schema.required ?? []) as readonly string[]
  const own = (made.properties ?? {}) as Record<string, Plain>
  const missing = asked.filter((name) => !isDescribed(schema, name))
  if (missing.length > 0) {
    made.properties = { ...own, ...Object.fromEntries(missing.map((name) => [name, true])) }
  }
  return made
}

const saysNothing = (schema: unknown): boolean =>
  schema === true ||
  (typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0)

const isDescribed = (schema: PlainObject, name: string): boolean =>
  Object.hasOwn(schema.properties ?? {}, name) ||
  Object.keys(schema.patternProperties ?? {}).some((one) => compilePattern(one).test(name)) ||
  OTHERS.some((keyword) => schema[keyword] !== undefined && !saysNothing(schema[keyword]))

const mapped = (schemas: unknown, change: (one: Plain) => Plain) =>
  Object.fromEntries(
    Object.entries(schemas as Record<string, Plain>).map(([name, one]) => [name, change(one)]),
  )

const OTHERS = ['additionalProperties', 'unevaluatedProperties']
const WHOLE = new Set(['items', 'unevaluatedItems', ...OTHERS])
const MAPS = new Set(['properties', 'patternProperties'])
const BRANCHES = new Set(['allOf', 'anyOf', 'oneOf'])
const CONDITIONAL = new Set(['then', 'else'])
