import type { Api } from '../../model/api.js'
import { pointerOf } from '../../model/pointer.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { compilePattern } from '../../runtime/validate.js'
import type { Checker } from '../../schema/check.js'
import { referredName, type Schema, type SchemaObject } from '../../schema/schema.js'

/** What values are made and tried with. */
export type Making = {
  readonly schemas: Api['schemas']
  readonly checker: Checker
  /** Values that the documents show for a schema, each of them valid; the schema as it stands behind its references. */
  readonly shown: (schema: Schema) => readonly unknown[]
}

/** One step of a value: a property's name or an item's index. */
export type Step = string | number

/** A schema inside another, and which part of a value it speaks of. */
export type Part = {
  /** From the schema that holds it: `/properties/to`. */
  readonly pointer: string
  readonly schema: Schema
  readonly about:
    | { readonly kind: 'the same' }
    /** The same value, where it is this form of it. */
    | { readonly kind: 'a form' }
    | { readonly kind: 'at'; readonly step: Step }
    | { readonly kind: 'other items'; readonly from: number }
    | { readonly kind: 'other properties'; readonly takes: (name: string) => boolean }
}

/** What stands behind the references of a schema; a circle of them asks for nothing. */
export const behind = (schema: Schema, schemas: Api['schemas']): Schema => {
  let at = schema
  for (let hops = 0; hops < 100; hops++) {
    const name = referredName(at)
    if (name === undefined) return at
    at = schemas.get(name)?.schema ?? true
  }
  return true
}

/** Whether it takes nothing, by `false` or by `not: {}`. */
export const isNever = (schema: Schema): boolean =>
  schema === false ||
  (typeof schema === 'object' &&
    (schema.not === true ||
      (typeof schema.not === 'object' && Object.keys(schema.not).length === 0)))

/** All that asks something of what a value can be made of; what is forbidden has no part of its own. */
export const partsOf = (schema: SchemaObject): readonly Part[] => {
  const properties = Object.entries(schema.properties ?? {})
  const patterned = Object.entries(schema.patternProperties ?? {})
  const prefix = schema.prefixItems ?? []
  const takesOther = (name: string) =>
    !Object.hasOwn(schema.properties ?? {}, name) &&
    !patterned.some(([pattern]) => matches(pattern, name))
  const part = (about: Part['about'], inner: Schema | undefined, ...steps: Step[]): Part[] =>
    inner === undefined || typeof inner === 'boolean' || isNever(inner)
      ? []
      : [{ pointer: pointerOf(...steps), schema: inner, about }]
  return [
    ...(schema.allOf ?? []).flatMap((one, at) => part({ kind: 'the same' }, one, 'allOf', at)),
    ...(schema.oneOf ?? []).flatMap((one, at) => part({ kind: 'a form' }, one, 'oneOf', at)),
    ...(schema.anyOf ?? []).flatMap((one, at) => part({ kind: 'a form' }, one, 'anyOf', at)),
    ...(schema.if === undefined
      ? []
      : [
          ...part({ kind: 'a form' }, schema.then, 'then'),
          ...part({ kind: 'a form' }, schema.else, 'else'),
        ]),
    ...properties.flatMap(([name, one]) =>
      part({ kind: 'at', step: name }, one, 'properties', name),
    ),
    ...patterned.flatMap(([pattern, one]) =>
      part(
        { kind: 'other properties', takes: (name) => matches(pattern, name) },
        one,
        'patternProperties',
        pattern,
      ),
    ),
    ...part(
      { kind: 'other properties', takes: takesOther },
      schema.additionalProperties,
      'additionalProperties',
    ),
    ...prefix.flatMap((one, at) => part({ kind: 'at', step: at }, one, 'prefixItems', at)),
    ...part({ kind: 'other items', from: prefix.length }, schema.items, 'items'),
  ]
}

/** The steps into a value that a part of its schema speaks of; none where the value has no such part. */
export const stepsInto = (value: unknown, { about }: Part): readonly Step[] => {
  if (about.kind === 'at') {
    const { step } = about
    const isThere =
      typeof step === 'number'
        ? Array.isArray(value) && step < value.length
        : isObject(value) && Object.hasOwn(value, step)
    return isThere ? [step] : []
  }
  if (about.kind === 'other items')
    return Array.isArray(value) ? [...value.keys()].filter((at) => at >= about.from) : []
  if (about.kind === 'other properties')
    return isObject(value) ? Object.keys(value).filter(about.takes) : []
  return []
}

/** What stands at the end of a path; undefined where it leads nowhere. */
export const valueAt = (value: unknown, path: readonly Step[]): unknown =>
  path.reduce<unknown>((at, step) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    return (at as Readonly<Record<Step, unknown>>)[step]
  }, value)

/** The same value with another at the end of a path, or with none there where it is undefined. */
export const withValueAt = (value: unknown, path: readonly Step[], put: unknown): unknown => {
  const [step, ...rest] = path
  if (step === undefined) return put
  if (Array.isArray(value)) {
    const items = [...value]
    const inner = withValueAt(items[Number(step)], rest, put)
    if (inner === undefined) items.splice(Number(step), 1)
    else items[Number(step)] = inner
    return items
  }
  const record = isObject(value) ? value : {}
  const inner = withValueAt(record[step], rest, put)
  const others = Object.entries(record).filter(([name]) => name !== String(step))
  if (inner === undefined) return Object.fromEntries(others)
  // What is replaced keeps its place, so that two requests differ in nothing else.
  return Object.hasOwn(record, step)
    ? Object.fromEntries(
        Object.entries(record).map(([name, old]) => [name, name === String(step) ? inner : old]),
      )
    : Object.fromEntries([...others, [step, inner]])
}

const matches = (pattern: string, text: string): boolean => compilePattern(pattern).test(text)
