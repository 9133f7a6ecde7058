import { type Validator, type ValidatorSchema, validator } from '../../src/runtime/validate.js'

/**
 * Validators out of draft-07 documents: references become validators, and what 2020-12 spells
 * differently is respelled. `documents` are by absolute URI; the reference is to one of them.
 */
export const readDraft7 = (documents: Readonly<Record<string, unknown>>): ReadDraft7 => {
  const schemas = new Map<string, unknown>()
  const bases = new Map<object, string>()
  const validators = new Map<unknown, Validator>()
  for (const [uri, document] of Object.entries(documents)) {
    schemas.set(uri, document)
    indexSchema(document, uri, schemas, bases)
  }

  const resolve = (uri: string): Validator => {
    const [resource = '', fragment = ''] = uri.split('#')
    if (fragment !== '' && !fragment.startsWith('/')) return toValidator(find(uri), resource)
    let at = find(resource)
    let base = baseOf(at, resource)
    for (const segment of decodeURIComponent(fragment).split('/').slice(1)) {
      const key = segment.replaceAll('~1', '/').replaceAll('~0', '~')
      if (!isRecord(at) && !Array.isArray(at)) throw new Error(`${uri} points nowhere`)
      at = (at as Record<string, unknown>)[key]
      base = baseOf(at, base)
    }
    return toValidator(at, base)
  }

  const find = (uri: string): unknown => {
    if (!schemas.has(uri)) throw new Error(`${uri} is not at hand`)
    return schemas.get(uri)
  }

  const baseOf = (schema: unknown, otherwise: string): string =>
    (isRecord(schema) && bases.get(schema)) || otherwise

  const toValidator = (schema: unknown, base: string): Validator => {
    const known = validators.get(schema)
    if (known) return known
    const made = validator(() => translate(schema, base))
    validators.set(schema, made)
    return made
  }

  const translate = (schema: unknown, outer: string): ValidatorSchema => {
    if (!isRecord(schema)) return schema as boolean
    const base = baseOf(schema, outer)
    if (typeof schema.$ref === 'string') return resolve(resolveUri(schema.$ref, base))
    const each = (part: unknown) => translate(part, base)
    return Object.fromEntries(
      Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
        if (keyword === 'items' && Array.isArray(value)) return [['prefixItems', value.map(each)]]
        if (keyword === 'additionalItems') {
          return Array.isArray(schema.items) ? [['items', each(value)]] : []
        }
        if (keyword === 'dependencies') return translateDependencies(value, each)
        if (ofOne.has(keyword)) return [[keyword, each(value)]]
        if (ofList.has(keyword)) return [[keyword, (value as unknown[]).map(each)]]
        if (ofMap.has(keyword)) return [[keyword, mapValues(value, each)]]
        return unknownToDraft7.has(keyword) ? [] : [[keyword, value]]
      }),
    )
  }

  return resolve
}

export type ReadDraft7 = (uri: string) => Validator

const ofOne = new Set(
  'items contains additionalProperties propertyNames not if then else'.split(' '),
)
const ofList = new Set(['allOf', 'anyOf', 'oneOf'])
const ofMap = new Set(['properties', 'patternProperties', 'definitions'])
const unknownToDraft7 = new Set(
  'prefixItems dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
)

const translateDependencies = (
  value: unknown,
  each: (part: unknown) => ValidatorSchema,
): [string, unknown][] => {
  const entries = Object.entries(value as object)
  const schemas = entries.filter(([, needed]) => !Array.isArray(needed))
  return [
    ['dependentRequired', Object.fromEntries(entries.filter(([, need]) => Array.isArray(need)))],
    ['dependentSchemas', Object.fromEntries(schemas.map(([key, part]) => [key, each(part)]))],
  ]
}

/** Notes every `$id` where a schema can stand, and the base that references in it start from. */
const indexSchema = (
  schema: unknown,
  outer: string,
  schemas: Map<string, unknown>,
  bases: Map<object, string>,
): void => {
  if (!isRecord(schema)) return
  const named = typeof schema.$id === 'string' && schema.$ref === undefined
  const uri = named ? resolveUri(schema.$id as string, outer) : outer
  if (named) schemas.set(uri.replace(/#$/, ''), schema)
  const base = uri.replace(/#.*$/, '')
  bases.set(schema, base)
  const visit = (part: unknown) => indexSchema(part, base, schemas, bases)
  for (const [keyword, value] of Object.entries(schema)) {
    if (ofOne.has(keyword) || keyword === 'additionalItems') [value].flat().forEach(visit)
    if (ofList.has(keyword)) (value as unknown[]).forEach(visit)
    if (ofMap.has(keyword) || keyword === 'dependencies') {
      for (const part of Object.values(value as object)) visit(part)
    }
  }
}

const resolveUri = (reference: string, base: string): string =>
  reference.startsWith('#') ? base.replace(/#.*$/, '') + reference : new URL(reference, base).href

const mapValues = (value: unknown, each: (part: unknown) => unknown): unknown =>
  Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, each(part)]))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
