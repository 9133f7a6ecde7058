import { isEqual, type JsonType, typeOf } from './json-values.js'
import { accepts, keywordsOf, type Node } from './node.js'
import { asserted, type SchemaObject, typesIn, valuesIn } from './schema.js'

/**
 * One way to fulfil some terms, by values of one type. A value fulfils each of `parts`, by its own keywords alone,
 * and none of `nots`. The values of a schema are the union of its shapes.
 */
export type Shape = {
  readonly type: JsonType
  readonly parts: readonly Node[]
  readonly nots: readonly Node[]
  /** All values of the shape, if they are listed. */
  readonly values: readonly unknown[] | undefined
}

export const fulfils = ({ parts, nots }: Pick<Shape, 'parts' | 'nots'>, value: unknown): boolean =>
  parts.every((part) => accepts(part, value)) && !nots.some((not) => accepts(not, value))

/** A shape whose type is not chosen yet. */
export type Draft = Omit<Shape, 'type'> & { readonly types: ReadonlySet<JsonType> }

const TYPES: readonly JsonType[] = ['null', 'boolean', 'number', 'string', 'array', 'object']

export const ANYTHING: Draft = { types: new Set(TYPES), parts: [], nots: [], values: undefined }

export const draftOf = ({ type, ...rest }: Shape): Draft => ({ ...rest, types: new Set([type]) })

/** A shape for each type of a draft that has values. */
export function shapesOfDraft(draft: Draft): readonly Shape[] {
  const { types, parts, nots } = draft
  return [...types].flatMap((type) => {
    const all = draft.values ?? FINITE[type]
    const values = all?.filter((value) => typeOf(value) === type && fulfils({ parts, nots }, value))
    return values?.length === 0 ? [] : [{ type, parts, nots, values }]
  })
}

const FINITE: { readonly [type in JsonType]?: readonly unknown[] } = {
  null: [null],
  boolean: [false, true],
}

/** The types of these that the keywords of a schema allow. */
export function allowedTypes(
  schema: SchemaObject,
  types: ReadonlySet<JsonType>,
): ReadonlySet<JsonType> {
  const names = typesIn(schema)
  if (names === undefined) return types
  const allowed = new Set(names.map((name) => (name === 'integer' ? 'number' : name)))
  return new Set([...types].filter((one) => allowed.has(one)))
}

/** The remaining types if a schema that only restricts types is negated; integers are not a separate type here. */
export function otherTypes(
  node: Node,
  types: ReadonlySet<JsonType>,
): ReadonlySet<JsonType> | undefined {
  const names = typesIn(keywordsOf(node))
  if (names === undefined || asserted(keywordsOf(node)).length > 1) return undefined
  return names.includes('integer')
    ? undefined
    : new Set([...types].filter((one) => !names.includes(one)))
}

/** The values of these that a schema lists; all that it lists if there is no list yet. */
export function allowedValues(schema: SchemaObject, values: readonly unknown[] | undefined) {
  const own = valuesIn(schema)
  if (!own) return values
  return values?.filter((value) => own.some((one) => isEqual(one, value))) ?? own
}
