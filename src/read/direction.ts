import type { Api, HttpOperation, NamedSchema, Operation, OutgoingRequest } from '../model/api.js'
import type { MediaType } from '../model/http-content.js'
import { type DirectionMark, markedProperties } from '../schema/direction-marks.js'
import {
  everySubschema,
  mapSubschemas,
  referredName,
  refTo,
  type Schema,
} from '../schema/schema.js'
import { inheritSource } from '../schema/source.js'
import { uniqueName } from '../text/names.js'

/**
 * Applies OpenAPI 3.0.3, Schema Object: a `readOnly` property belongs to responses only, a `writeOnly` one to requests only. A
 * named schema that this affects gets a copy (`PetRequest`, `PetResponse`) for the other direction, which does not require the
 * property, and whose type does not have it. What the service sends is a response in this sense, also as the body of a webhook.
 */
export function splitDirections({ operations, outgoing, schemas }: Undirected): Undirected {
  const added = new Map<string, NamedSchema>()
  const used = new Set(schemas.keys())
  const request = createTwins(schemas, 'readOnly', 'Request', used, added)
  const response = createTwins(schemas, 'writeOnly', 'Response', used, added)

  const split = operations.map((operation) =>
    operation.kind === 'http' ? directed(operation, request, response) : operation,
  )
  const sent = outgoing.map((one) => ({
    ...one,
    body: one.body && { ...one.body, content: rewritten(one.body.content, response) },
    responses: one.responses.map((reply) => ({
      ...reply,
      content: rewritten(reply.content, request),
    })),
  }))
  const all = [...schemas, ...added].sort(([a], [b]) => (a < b ? -1 : 1))
  return { operations: split, outgoing: sent, schemas: new Map(all) }
}

type Undirected = {
  readonly operations: readonly Operation[]
  readonly outgoing: readonly OutgoingRequest[]
  readonly schemas: Api['schemas']
}

/** Rewrites a schema for one direction. */
type Rewrite = (schema: Schema) => Schema

function directed(operation: HttpOperation, request: Rewrite, response: Rewrite): HttpOperation {
  const named = (name: string, rewrite: Rewrite) =>
    referredName(rewrite({ $ref: refTo(name) })) ?? name
  return {
    ...operation,
    body: operation.body && {
      ...operation.body,
      content: rewritten(operation.body.content, request),
    },
    responses: operation.responses.map((one) => ({
      ...one,
      content: rewritten(one.content, response),
    })),
    variants: operation.variants.map((variant) => ({
      ...variant,
      request: named(variant.request, request),
      responses: variant.responses.map((name) => named(name, response)),
      errors: variant.errors.map((name) => named(name, response)),
    })),
  }
}

const rewritten = (types: readonly MediaType[], rewrite: Rewrite): readonly MediaType[] =>
  types.map((media) => ({
    ...media,
    schema: rewrite(media.schema),
    itemSchema: media.itemSchema === undefined ? undefined : rewrite(media.itemSchema),
  }))

/** Creates the rewrite for one direction, which adds copies when they are needed. */
function createTwins(
  schemas: Api['schemas'],
  mark: DirectionMark,
  suffix: string,
  used: Set<string>,
  added: Map<string, NamedSchema>,
): Rewrite {
  const affected = affectedNames(schemas, mark)
  const copies = new Map<string, string>()

  const rewrite: Rewrite = (schema) => {
    if (typeof schema === 'boolean') return schema
    const name = referredName(schema)
    if (name !== undefined) {
      return affected.has(name) ? { ...schema, $ref: refTo(twinOf(name)) } : schema
    }
    if (!reaches(schema, affected, schemas, mark)) return schema
    const changed = mapSubschemas(schema, rewrite)
    inheritSource(changed, schema)
    const dropped = markedProperties(schema, schemas, mark)
    if (schema.required?.some((property) => dropped.has(property)))
      changed.required = schema.required.filter((property) => !dropped.has(property))
    return changed
  }

  function twinOf(name: string): string {
    const known = copies.get(name)
    if (known !== undefined) return known
    const copy = uniqueName(`${name}${suffix}`, used)
    copies.set(name, copy)
    const original = schemas.get(name)
    if (original) {
      const { discriminated } = original
      added.set(copy, {
        ...original,
        name: copy,
        usedBy: 'http',
        omits: mark,
        schema: rewrite(original.schema),
        ...(discriminated && {
          discriminated: { ...discriminated, schema: rewrite(discriminated.schema) },
        }),
      })
    }
    return copy
  }

  return rewrite
}

/** The named schemas that have a marked property, directly or through references. */
function affectedNames(schemas: Api['schemas'], mark: DirectionMark): Set<string> {
  const affected = new Set<string>()
  const users = new Map<string, Set<string>>()
  for (const { name, schema } of schemas.values()) {
    for (const part of everySubschema(schema)) {
      if (hasMarked(part, schemas, mark)) affected.add(name)
      const target = referredName(part)
      if (target !== undefined) users.set(target, (users.get(target) ?? new Set()).add(name))
    }
  }
  // The loop also visits elements that are added meanwhile.
  for (const name of affected) for (const user of users.get(name) ?? []) affected.add(user)
  return affected
}

const hasMarked = (schema: Schema, schemas: Api['schemas'], mark: DirectionMark): boolean =>
  typeof schema === 'object' && markedProperties(schema, schemas, mark).size > 0

function reaches(
  schema: Schema,
  affected: ReadonlySet<string>,
  schemas: Api['schemas'],
  mark: DirectionMark,
): boolean {
  return everySubschema(schema).some(
    (part) => affected.has(referredName(part) ?? '') || hasMarked(part, schemas, mark),
  )
}
