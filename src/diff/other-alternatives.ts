import type { Api } from '../model/api.js'
import type { Gap, Segment } from '../schema/contain/gap.js'
import { dereference, type Schema, type SchemaObject } from '../schema/schema.js'

/**
 * A property that an alternative lacks is neither new nor removed where another alternative of the same version declares
 * it: the gap is that of the alternative. A response that has it nowhere has lost it. `schema` is the version that allows
 * more, from the root of the path.
 */
export function asAlternative(
  {
    api,
    schema,
    isRequest,
  }: { readonly api: Api; readonly schema: Schema; readonly isRequest: boolean },
  gap: Gap,
): Gap {
  const { kind, path, alternative = 1, inner } = gap
  const last = path.at(-1)
  const isLacking = kind === 'required' && inner.says === undefined && alternative === 1
  if (!isLacking || last?.kind !== 'property') return gap
  if (isRequest && gap.alternative !== undefined) return gap
  let all = alternatives(api, [schema])
  for (const segment of path.slice(0, -1)) {
    all = alternatives(
      api,
      all.flatMap((one) => within(one, segment)),
    )
  }
  const isDeclared = all.some(({ properties = {} }) => Object.hasOwn(properties, last.name))
  const { alternative: _, ...whole } = gap
  return isDeclared ? { ...gap, alternative: 1 } : whole
}

/** The schemas, and all that they are made of. */
function alternatives(api: Api, schemas: readonly Schema[]): readonly SchemaObject[] {
  const found = new Set<SchemaObject>()
  const waiting = [...schemas]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const one = dereference(next, api.schemas)
    if (typeof one === 'boolean' || found.has(one)) continue
    found.add(one)
    waiting.push(...(one.allOf ?? []), ...(one.anyOf ?? []), ...(one.oneOf ?? []))
  }
  return [...found]
}

function within(schema: SchemaObject, segment: Segment): readonly Schema[] {
  const { properties = {}, prefixItems = [], items, additionalProperties } = schema
  const inner = {
    property: () =>
      segment.kind === 'property' && Object.hasOwn(properties, segment.name)
        ? properties[segment.name]
        : undefined,
    item: () => (segment.kind === 'item' ? (prefixItems[segment.index] ?? items) : undefined),
    'any-item': () => items,
    'any-property': () => additionalProperties,
  }[segment.kind]()
  return inner === undefined ? [] : [inner]
}
