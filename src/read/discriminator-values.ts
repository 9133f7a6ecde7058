import { isDeepStrictEqual } from 'node:util'
import type { Api } from '../model/api.js'
import type { Finding, Location } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { cached } from '../runtime/shared/cached.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { createChecker } from '../schema/check.js'
import { aliasedName, propertySchemas, selectingValues } from '../schema/discriminator.js'
import { descendantsIn } from '../schema/hierarchy.js'
import { ANNOTATIONS } from '../schema/keywords.js'
import {
  dereference,
  everySubschema,
  inPlace,
  mapSubschemas,
  referredName,
  refTo,
  type Schema,
  type SchemaObject,
  type Schemas,
  typesIn,
  valuesIn,
} from '../schema/schema.js'
import {
  type Discriminator,
  discriminatorOf,
  inheritSource,
  readDiscriminator,
} from '../schema/source.js'
import type { Bundle } from './bundle.js'
import { locate } from './document.js'
import { mapSchemas } from './map-schemas.js'
import type { Naming } from './reading.js'

/**
 * The schemas, in which the property of a discriminator has only the values that select the schema: those of the `mapping`, else
 * the name of the schema. With `mapping: { cat: Cat }`, `kind: string` of Cat becomes `kind: 'cat'`. So types narrow, and a value
 * fits only its own alternative. Where a schema lists other values, it stays as it is, with a finding.
 * A schema that extends an alternative by `allOf` without being one extends the schema as it is written.
 */
export function withDiscriminatorValues(
  schemas: Api['schemas'],
  document: Bundle,
  naming: Naming,
  report: (finding: Finding) => void,
): Api['schemas'] {
  const unions = unionsIn(document.value, naming)
  const parents = [...schemas.keys()].filter((name) => isParent(name, schemas))
  if (parents.length === 0 && !unions.some(({ discriminator }) => discriminator)) return schemas
  const selected = selectedValues({ schemas, unions, parents, document, report })
  const restricted = new Map<string, Restricted>()
  for (const [name, values] of selected) {
    const schema = restrict(schemas.get(name)?.schema ?? true, values, schemas)
    if (schema) restricted.set(name, { schema, values })
  }
  if (restricted.size === 0) return schemas
  const extend = createExtending(schemas, restricted, selected)
  const rows = [...schemas].map(([name, named]) => {
    const own = restricted.get(name)
    const schema = extend(own?.schema ?? named.schema, name)
    const discriminated = own && {
      schema: named.schema,
      values: Object.fromEntries(own.values),
    }
    return [name, { ...named, schema, ...(discriminated && { discriminated }) }] as const
  })
  return new Map(rows)
}

/** Property -> the values that select a schema. */
type Values = ReadonlyMap<string, readonly unknown[]>

type Restricted = { readonly schema: SchemaObject; readonly values: Values }

type Union = {
  /** The alternatives that have names. */
  readonly names: readonly string[]
  readonly discriminator: Discriminator | undefined
  readonly raw: JsonObject
}

/** The unions of a document. */
function unionsIn(document: JsonObject, naming: Naming): readonly Union[] {
  const found: Union[] = []
  const refer = (reference: string) => {
    const name = naming.get(reference)
    return name === undefined ? undefined : refTo(name)
  }
  mapSchemas(document, (raw) => {
    const { oneOf, anyOf, discriminator } = raw
    if (!Array.isArray(oneOf ?? anyOf)) return raw
    const written = isObject(discriminator) ? discriminator : { propertyName: '' }
    const read = readDiscriminator({ oneOf, anyOf, discriminator: written }, refer)
    const targets = Object.values(read?.mapping ?? {})
    const names = new Set(targets.flatMap((one) => referredName({ $ref: one }) ?? []))
    found.push({
      names: [...names],
      discriminator: isObject(discriminator) ? read : undefined,
      raw,
    })
    return raw
  })
  return found
}

/** Whether other schemas extend a schema with a discriminator: their names, or a mapping, say which one a value is. */
function isParent(name: string, schemas: Schemas): boolean {
  const schema = schemas.get(name)?.schema ?? true
  if (typeof schema === 'boolean' || schema.oneOf || schema.anyOf) return false
  return discriminatorOf(schema) !== undefined
}

type Reading = {
  readonly document: Bundle
  readonly report: (finding: Finding) => void
  readonly schemas: Api['schemas']
  readonly unions: readonly Union[]
  readonly parents: readonly string[]
}

/** Schema -> property -> the values that all discriminators together state. */
function selectedValues({
  schemas,
  unions,
  parents,
  document,
  report,
}: Reading): ReadonlyMap<string, Values> {
  const checker = createChecker(schemas)
  const extending = descendantsIn(schemas)
  const found = new Map<string, Map<string, Set<unknown>>>()
  // Where one discriminator leaves a property open, the others cannot close it.
  const open = new Set<string>()
  const add = (name: string, property: string, values: readonly unknown[] | undefined) => {
    if (values === undefined) open.add(keyOf(name, property))
    else {
      const known = cached(
        cached(found, name, () => new Map()),
        property,
        () => new Set(),
      )
      for (const value of values) known.add(value)
    }
  }
  const select = (
    discriminator: Discriminator,
    names: readonly string[],
    place: () => Location,
  ): void => {
    const selecting = selectingValues(discriminator, names, schemas, checker)
    for (const [name, { values }] of selecting) add(name, discriminator.propertyName, values)
    const contrary = [...selecting].flatMap(([name, one]) => (one.isContrary ? [name] : []))
    if (contrary.length > 0) report(differing(discriminator, contrary, place()))
  }
  for (const { names, discriminator, raw } of unions) {
    if (discriminator)
      select(discriminator, names, () => locate(document.originOf(raw), 'discriminator'))
  }
  const listsBoth = (parent: string, child: string) =>
    unions.some(({ names }) => names.includes(parent) && names.includes(child))
  for (const parent of parents) {
    const named = schemas.get(parent)
    const discriminator = named && discriminatorOf(named.schema)
    if (!discriminator) continue
    const children = [...(extending.get(parent) ?? [])]
    const targets = Object.values(discriminator.mapping)
    const mapped = targets.flatMap((one) => referredName({ $ref: one }) ?? [])
    const family = new Set([...children, ...mapped.filter((one) => schemas.has(one))])
    // Every child is a value of its parent, unless a union lists them beside each other.
    if (!children.some((child) => listsBoth(parent, child))) family.delete(parent)
    else family.add(parent)
    const { propertyName } = discriminator
    select(discriminator, [...family], () => named.source.locate('discriminator'))
    const own = new Map([...family].map((name) => [name, [...valuesOf(name, propertyName)]]))
    for (const name of family) {
      const inner = [...(extending.get(name) ?? [])].filter((child) => family.has(child))
      if (inner.some((child) => listsBoth(name, child))) continue
      for (const child of inner) {
        if (!open.has(keyOf(child, propertyName))) add(name, propertyName, own.get(child))
      }
    }
  }
  function valuesOf(name: string, property: string): ReadonlySet<unknown> {
    return found.get(name)?.get(property) ?? new Set()
  }
  const rows = [...found].map(([name, properties]) => {
    const closed = [...properties].filter(([property]) => !open.has(keyOf(name, property)))
    return [name, new Map(closed.map(([property, values]) => [property, [...values]]))] as const
  })
  return new Map(rows)
}

const keyOf = (name: string, property: string) => JSON.stringify([name, property])

function differing(
  { propertyName, mapping, implied }: Discriminator,
  names: readonly string[],
  location: Location,
): Finding {
  const [name = ''] = names
  const values = Object.keys(mapping).filter((value) => mapping[value] === refTo(name))
  const isMapped = values.some((value) => !implied.includes(value))
  const more = names.length > 1 ? ` (and ${names.length - 1} more)` : ''
  const [stated, remedy] = isMapped
    ? [`the mapping states ${values.join(', ')} for it`, 'correct the mapping']
    : ['without a mapping its name is its value', 'write a mapping with these values']
  return {
    // Without a mapping, many documents mean the values of their schemas.
    ...(isMapped
      ? { rule: 'discriminator-value-differs', level: 'warning' }
      : { rule: 'discriminator-name-differs', level: 'note' }),
    location,
    message: `the schema ${name}${more} has other values of the property ${propertyName} than its discriminator: ${stated}; the values of the schema are used: ${remedy}`,
  }
}

function restrict(schema: Schema, stated: Values, schemas: Schemas): SchemaObject | undefined {
  if (typeof schema === 'boolean' || schema.$ref !== undefined) return undefined
  const properties: Record<string, Schema> = {}
  for (const [name, values] of stated) {
    const declared = propertySchemas(schema, name, schemas)
    if (declared.length === 0 && !mayHaveMore(schema, schemas)) continue
    if (declared.some((one) => isDeepStrictEqual(listedBy(one.schema), values))) continue
    const own = schema.properties?.[name] ?? true
    const made = { ...annotationsOf(own, values, schemas), ...typeOf(values), enum: values }
    properties[name] = made
    if (typeof own === 'object') inheritSource(made, own)
  }
  if (Object.keys(properties).length === 0) return undefined
  const made = { ...schema, properties: { ...schema.properties, ...properties } }
  inheritSource(made, schema)
  return made
}

const listedBy = (schema: Schema) => (typeof schema === 'object' ? valuesIn(schema) : undefined)

/** Whether an object of the schema may have a property that no part of it declares. */
function mayHaveMore(schema: Schema, schemas: Schemas, depth = 0): boolean {
  const own = dereference(schema, schemas)
  if (typeof own === 'boolean' || depth > DEEPEST) return false
  const isOpen =
    own.additionalProperties !== false &&
    own.unevaluatedProperties !== false &&
    own.propertyNames === undefined &&
    own.patternProperties === undefined
  const isObjects = typesIn(own)?.join() === 'object' || own.properties || own.allOf
  if (!isOpen || !isObjects || own.oneOf || own.anyOf) return false
  return (own.allOf ?? []).every((part) => mayHaveMore(part, schemas, depth + 1))
}

const DEEPEST = 20

function annotationsOf(own: Schema, values: readonly unknown[], schemas: Schemas) {
  const shared = inPlace(own, schemas).map((one) => picked(one, INHERITED))
  const written = typeof own === 'object' ? picked(own, ANNOTATIONS) : {}
  const { default: usual, examples, ...kept } = written as SchemaObject
  const shown = examples?.filter((one) => values.includes(one)) ?? []
  return {
    ...Object.assign({}, ...shared),
    ...kept,
    ...(usual !== undefined && values.includes(usual) && { default: usual }),
    ...(shown.length > 0 && { examples: shown }),
  }
}

const INHERITED = new Set(['description', 'readOnly', 'writeOnly', 'deprecated'])

const picked = (schema: SchemaObject, keys: ReadonlySet<string>): object =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => keys.has(key) || /^x-/.test(key)))

function typeOf(values: readonly unknown[]): Pick<SchemaObject, 'type'> {
  const types = new Set(values.map((value) => typeof value))
  const [type] = types
  if (types.size !== 1 || (type !== 'string' && type !== 'boolean')) return {}
  return { type }
}

/**
 * Rewrites what a schema extends. An alternative has fewer values than it is written with; a schema that extends it and is no
 * value of it extends what is written.
 */
function createExtending(
  schemas: Schemas,
  restricted: ReadonlyMap<string, Restricted>,
  selected: ReadonlyMap<string, Values>,
): (schema: Schema, owner: string) => Schema {
  const isValueOf = (owner: string | undefined, parent: Restricted) =>
    [...parent.values].every(([property, values]) => {
      const own = owner === undefined ? undefined : selected.get(owner)?.get(property)
      return own?.every((value) => values.includes(value)) ?? false
    })
  const extend = (schema: Schema, owner: string | undefined): Schema => {
    if (typeof schema === 'boolean' || schema.$ref !== undefined) return schema
    const extended = everySubschema(schema).flatMap((one) =>
      typeof one === 'object' ? (one.allOf ?? []) : [],
    )
    if (!extended.some((part) => restricted.has(referredName(part) ?? ''))) return schema
    const { allOf, ...rest } = schema
    const made: Record<string, unknown> = mapSubschemas(rest, (one) => extend(one, undefined))
    if (allOf) {
      const isAlias = aliasedName(schema) !== undefined
      made.allOf = allOf.map((part) => {
        const name = referredName(part) ?? ''
        const parent = restricted.get(name)
        if (!parent || isAlias || isValueOf(owner, parent)) return extend(part, owner)
        return extend(schemas.get(name)?.schema ?? true, owner)
      })
    }
    inheritSource(made, schema)
    return made as SchemaObject
  }
  return extend
}
