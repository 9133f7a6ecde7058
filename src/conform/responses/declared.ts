import type { Api, Operation } from '../../model/api.js'
import { pointerStep } from '../../runtime/shared/pointer.js'
import { matchesPattern } from '../../runtime/validate/pattern.js'
import { open } from '../../runtime/validate.js'
import type { Checker } from '../../schema/check.js'
import { referredName, type Schema, type SchemaObject } from '../../schema/schema.js'
import type { CheckContext } from '../case.js'
import { ownName } from '../operations.js'

/** An object within a value, and all schemas that apply to it: matching branches, references followed. */
export type Described = {
  readonly pointer: string
  readonly object: Readonly<Record<string, unknown>>
  readonly schemas: readonly SchemaObject[]
}

/**
 * Each object of a value that its schema accepts in open mode, outermost first. If a value has too many parts, the rest is
 * omitted, and `documents.onCut` is called.
 */
export function* describedObjects(
  documents: Documents,
  schema: Schema,
  value: unknown,
): Generator<Described> {
  // A stack instead of recursion, so that values of any depth can be walked.
  const left: Visit[] = [{ schemas: [schema], value, pointer: '' }]
  for (let visited = 0; visited < MOST; visited++) {
    const visit = left.pop()
    if (!visit) return
    const schemas = visit.schemas.flatMap((one) => [...appliedSchemas(documents, one, visit.value)])
    if (Array.isArray(visit.value)) {
      for (const [index, item] of [...visit.value.entries()].reverse()) {
        const pointer = `${visit.pointer}/${index}`
        left.push({ value: item, pointer, schemas: schemas.flatMap((one) => ofItem(one, index)) })
      }
    } else if (typeof visit.value === 'object' && visit.value !== null) {
      const object = visit.value as Readonly<Record<string, unknown>>
      yield { pointer: visit.pointer, object, schemas }
      for (const [name, property] of Object.entries(object).reverse()) {
        const pointer = visit.pointer + pointerStep(name)
        const below = schemas.flatMap((one) => ofProperty(one, name))
        left.push({ value: property, pointer, schemas: below })
      }
    }
  }
  if (left.length > 0) documents.onCut?.()
}

/**
 * The properties that no schema declares, except those that a schema explicitly leaves open. `isForbidden`: one of the schemas
 * is closed to others (`additionalProperties` or `unevaluatedProperties: false`).
 */
export const undeclaredProperties = (
  documents: Documents,
  schema: Schema,
  value: unknown,
): readonly { readonly pointer: string; readonly isForbidden: boolean }[] =>
  [...describedObjects(documents, schema, value)].flatMap(({ pointer, object, schemas }) =>
    schemas.every((one) => one.properties === undefined && !isClosed(one))
      ? []
      : Object.keys(object)
          .filter((name) => schemas.every((one) => ofProperty(one, name).length === 0))
          .map((name) => ({
            pointer: pointer + pointerStep(name),
            isForbidden: schemas.some(isClosed),
          })),
  )

const isClosed = ({ additionalProperties, unevaluatedProperties }: SchemaObject): boolean =>
  additionalProperties === false || unevaluatedProperties === false

type Documents = {
  readonly api: Pick<Api, 'schemas'>
  readonly checker: Checker
  readonly onCut?: () => void
}

/** The documents for a response of an operation. Parts that are omitted are reported as not tested. */
export const documentsOf = (context: CheckContext, operation: Operation): Documents => ({
  ...context,
  onCut: () =>
    context.skip(
      `${ownName(operation)}, what no schema speaks of and what is said twice`,
      `a response has more than ${MOST} parts: the others are only validated against their schemas`,
    ),
})

type Visit = {
  readonly schemas: readonly Schema[]
  readonly value: unknown
  readonly pointer: string
}

const MOST = 20_000

/** The schema itself and all subschemas that apply to the same value. */
export function* appliedSchemas(
  documents: Documents,
  schema: Schema,
  value: unknown,
  seen: ReadonlySet<Schema> = new Set(),
): Generator<SchemaObject> {
  if (typeof schema === 'boolean' || seen.has(schema)) return
  const passed = new Set([...seen, schema])
  const name = referredName(schema)
  const named = name === undefined ? undefined : documents.api.schemas.get(name)?.schema
  yield schema
  for (const one of [
    ...(named === undefined ? [] : [named]),
    ...branches(documents, schema, value),
  ])
    yield* appliedSchemas(documents, one, value, passed)
}

const branches = (
  { checker }: Documents,
  schema: SchemaObject,
  value: unknown,
): readonly Schema[] => {
  const { anyOf = [], oneOf = [], allOf = [], if: condition, dependentSchemas = {} } = schema
  const holds = (one: Schema) => checker.schema(one).check(value)
  const chosen = [anyOf, oneOf].flatMap((list) => {
    const strict = list.filter(holds)
    return strict.length > 0 ? strict : list.filter((one) => open(checker.schema(one)).check(value))
  })
  const then = condition === undefined ? undefined : holds(condition) ? schema.then : schema.else
  const dependent = Object.entries(dependentSchemas).flatMap(([name, one]) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? [one] : [],
  )
  const met = condition !== undefined && holds(condition) ? [condition] : []
  return [...allOf, ...chosen, ...met, ...(then === undefined ? [] : [then]), ...dependent]
}

const ofItem = (
  { prefixItems = [], items, contains, unevaluatedItems }: SchemaObject,
  index: number,
): readonly Schema[] =>
  [prefixItems[index] ?? items, contains, unevaluatedItems].filter((one) => one !== undefined)

const ofProperty = (schema: SchemaObject, name: string): readonly Schema[] => {
  const { properties = {}, patternProperties = {} } = schema
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined
  const byPattern = Object.entries(patternProperties).flatMap(([pattern, one]) =>
    matchesPattern(pattern, name) ? [one] : [],
  )
  const declared = [...(own === undefined ? [] : [own]), ...byPattern]
  if (declared.length > 0) return declared
  return [schema.additionalProperties, schema.unevaluatedProperties].filter(
    (one) => one !== undefined && one !== false,
  ) as readonly Schema[]
}
