import type { Reading, SchemaKeywords, ValidatorSchema } from '../validate.js'
import { forbiddenBy } from './asked-property.js'
import type { JsonObject } from './json-value.js'
import { followReading, isSkipped, isValidator, sourceOf } from './schema-source.js'
import { isShownWhole } from './wording.js'

/**
 * How many complaints each branch of a union has about an object at least, by the names of its properties alone: required
 * ones that are missing, forbidden and undeclared ones that are there. One look at each name tells which branches need not
 * be entered.
 */
export const countBranchErrors = (
  schemas: readonly ValidatorSchema[],
  reading: Reading,
  ofObjects: readonly number[],
): ((object: JsonObject) => BranchErrors) | undefined => {
  const shapes = schemas.map((schema) => shapeOf(schema, reading))
  if (shapes.every((shape) => shape === undefined)) return undefined
  const missing = shapes.map((shape) => shape?.required.size ?? 0)
  const undeclared = shapes.map((shape) => (shape?.isClosed ? 1 : 0))
  const names = new Set(shapes.flatMap((shape) => (shape ? [...shape.names] : [])))
  const changes = new Map([...names].map((name) => [name, shapes.map(changeBy(name))]))
  let lastNames: readonly string[] = []
  let last = branchErrorsOf(missing, ofObjects)
  const isAsBefore = (object: JsonObject): boolean => {
    let at = 0
    for (const name in object) {
      if (name !== lastNames[at] || object[name] === undefined) return false
      at++
    }
    return at === lastNames.length
  }
  return (object) => {
    if (isAsBefore(object)) return last
    const counts = missing.slice()
    const present: string[] = []
    let isDeclared = true
    for (const name in object) {
      if (object[name] === undefined) continue
      if (changes.has(name)) present.push(name)
      else isDeclared = false
      const change = changes.get(name) ?? (isShownWhole(name) ? undeclared : undefined)
      if (change === undefined) continue
      for (let at = 0; at < counts.length; at++) counts[at] = (counts[at] ?? 0) + (change[at] ?? 0)
    }
    const branchErrors = branchErrorsOf(counts, ofObjects)
    if (isDeclared) {
      lastNames = present
      last = branchErrors
    }
    return branchErrors
  }
}

export type BranchErrors = {
  /** Of each branch. */
  readonly counts: readonly number[]
  /** How many branches have none. */
  readonly fitting: number
  /** Of the branches that take objects the one that has less than two, where no other has. */
  readonly only: number | undefined
}

const branchErrorsOf = (counts: readonly number[], ofObjects: readonly number[]): BranchErrors => {
  const few = ofObjects.filter((at) => (counts[at] ?? 0) < 2)
  const fitting = counts.filter((count) => count === 0).length
  return { counts, fitting, only: few.length === 1 ? few[0] : undefined }
}

/** What a branch says of names, where it takes objects. Names that are shown cut are not distinguished, so never counted. */
type Shape = {
  readonly names: ReadonlySet<string>
  readonly required: ReadonlySet<string>
  readonly forbidden: ReadonlySet<string>
  readonly declared: ReadonlySet<string>
  readonly isClosed: boolean
}

const changeBy =
  (name: string) =>
  (shape: Shape | undefined): number => {
    if (shape === undefined || !isShownWhole(name)) return 0
    const isUnwanted = shape.forbidden.has(name) || (shape.isClosed && !shape.declared.has(name))
    return (isUnwanted ? 1 : 0) - (shape.required.has(name) ? 1 : 0)
  }

const shapeOf = (schema: ValidatorSchema, reading: Reading): Shape | undefined => {
  const found = keywordsIn(schema, reading)
  if (found === undefined) return undefined
  const {
    type,
    required = [],
    properties = {},
    patternProperties,
    additionalProperties,
  } = found.keywords
  if (type !== undefined && type !== 'object' && !type.includes('object')) return undefined
  const declared = Object.entries(properties)
  return {
    names: new Set([...required, ...Object.keys(properties)]),
    required: new Set(required.filter(isShownWhole)),
    forbidden: new Set(
      declared.filter(([, each]) => forbiddenBy(each) !== undefined).map(([name]) => name),
    ),
    declared: new Set(Object.keys(properties)),
    isClosed:
      additionalProperties === false &&
      patternProperties === undefined &&
      !isSkipped(additionalProperties, found.reading),
  }
}

/** The keywords behind references, and the reading in which these are followed. */
const keywordsIn = (
  schema: ValidatorSchema,
  reading: Reading,
): { readonly keywords: SchemaKeywords; readonly reading: Reading } | undefined => {
  let at = schema
  let followed = reading
  for (let hops = 0; hops < 100; hops++) {
    if (typeof at === 'boolean') return undefined
    if (!isValidator(at)) return { keywords: at, reading: followed }
    const source = sourceOf(at)
    if (source === undefined) return undefined
    followed = followReading(source, followed)
    at = source.schema()
  }
  return undefined
}
