import { pascalCase } from '../../model/names.js'
import { referredName, type Schema } from '../../schema/schema.js'

/** What a function is called whose schema says it all, and which many may share: `ListOfHash`, `BlockOrNull`. */
export function nameByContent(schema: Schema): string | undefined {
  if (typeof schema === 'boolean') return undefined
  const keywords = Object.keys(schema).length
  const union = schema.anyOf ?? schema.oneOf
  if (keywords === 1 && union) return nameOfUnion(union)
  if (schema.type !== 'array') return undefined
  const { items = true, maxItems, minItems = 0, prefixItems = [] } = schema
  if (keywords === 2 && maxItems === 0) return 'EmptyList'
  if (keywords === 2 && items !== true) return withPrefix('ListOf', nameOf(items))
  const isTuple = items === false && keywords === (schema.minItems === undefined ? 3 : 4)
  if (!isTuple || prefixItems.length === 0) return undefined
  const names = prefixItems.map(nameOf)
  if (names.includes(undefined)) return undefined
  const least = minItems === prefixItems.length ? '' : `From${minItems}`
  return `TupleOf${names.join('And')}${least}`
}

/** A reference, or null beside one. */
function nameOfUnion(branches: readonly Schema[]): string | undefined {
  const [one, other] = branches
  if (branches.length !== 2 || one === undefined || other === undefined) return undefined
  return isNull(other) ? nameOf(one)?.concat('OrNull') : undefined
}

const isNull = (schema: Schema): boolean =>
  typeof schema === 'object' && schema.type === 'null' && Object.keys(schema).length === 1

const nameOf = (schema: Schema): string | undefined => {
  if (typeof schema === 'boolean') return undefined
  const { type } = schema
  const isPlain = typeof type === 'string' && Object.keys(schema).length === 1
  return referredName(schema) ?? (isPlain ? pascalCase(type) : undefined)
}

const withPrefix = (prefix: string, name: string | undefined): string | undefined =>
  name === undefined ? undefined : `${prefix}${name}`
