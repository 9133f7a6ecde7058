const ONE =
  `items contains additionalProperties propertyNames unevaluatedItems unevaluatedProperties
  not if then else contentSchema`.split(/\s+/)
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const MAPS = ['properties', 'patternProperties', 'dependentSchemas']

/** Keyword -> the form of its subschemas: one, a list or a map. */
export const HELD: ReadonlyMap<string, 'one' | 'list' | 'map'> = /* @__PURE__ */ new Map([
  ...ONE.map((key) => [key, 'one'] as const),
  ...LISTS.map((key) => [key, 'list'] as const),
  ...MAPS.map((key) => [key, 'map'] as const),
])

/** The same schema with each direct subschema replaced by the result of `change`. */
export function mapSubschemas<Subschema>(
  schema: object,
  change: (subschema: Subschema) => unknown,
): Record<string, unknown> {
  const changed: Record<string, unknown> = { ...schema }
  for (const [key, value] of Object.entries(schema)) {
    const holds = value === undefined ? undefined : HELD.get(key)
    if (holds === 'one') changed[key] = change(value as Subschema)
    if (holds === 'list') changed[key] = (value as readonly Subschema[]).map((one) => change(one))
    if (holds !== 'map') continue
    const members = Object.entries(value as Record<string, Subschema>)
    for (const member of members) (member as [string, unknown])[1] = change(member[1])
    changed[key] = Object.fromEntries(members)
  }
  return changed
}
