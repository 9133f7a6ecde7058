import type { Api, Operation } from '../../model/api.js'
import { hasJsonValue } from '../../model/http-content.js'
import type { Checker } from '../../schema/check.js'
import { stepsInto, subschemasOf, valueAtPath } from '../../schema/places.js'
import type { Making } from '../../schema/random.js'
import type { Schema } from '../../schema/schema.js'
import { dereference } from '../../schema/schema.js'

/**
 * Collects the examples of each schema in all requests: an address in one method's example is an address for all
 * methods. Such values reach deeper into a server than made-up ones.
 */
export const collectShown = (api: Api, checker: Checker): Making => {
  const before = collected.get(checker)
  if (before !== undefined) return before
  const making = collect(api, checker)
  collected.set(checker, making)
  return making
}

/** A cache, because one run needs them several times; generated values are cached with them. */
const collected = new WeakMap<Checker, Making>()

const collect = (api: Api, checker: Checker): Making => {
  const { schemas } = api
  const found = new Map<Schema, Map<string, unknown>>()
  const take = (schema: Schema, value: unknown, depth: number): void => {
    const real = dereference(schema, schemas)
    if (typeof real === 'boolean' || depth > DEEPEST || !checker.schema(real).check(value)) return
    const known = found.get(real) ?? new Map<string, unknown>()
    found.set(real, known)
    const text = JSON.stringify(value)
    if (known.has(text)) return
    if (known.size < MOST) known.set(text, value)
    for (const part of subschemasOf(real)) {
      const { kind } = part.about
      if (kind === 'the same' || kind === 'a form') take(part.schema, value, depth + 1)
      for (const step of stepsInto(value, part))
        take(part.schema, valueAtPath(value, [step]), depth + 1)
    }
  }
  for (const operation of api.operations)
    for (const { schema, value } of shownBy(operation)) take(schema, value, 0)
  for (const { schema } of schemas.values())
    if (typeof schema === 'object')
      for (const value of [
        ...(schema.examples ?? []),
        ...('default' in schema ? [schema.default] : []),
      ])
        take(schema, value, 0)
  return { schemas, checker, shown: (schema) => [...(found.get(schema)?.values() ?? [])] }
}

/** Enough variety; the first ones are the first in the document. */
const MOST = 12
const DEEPEST = 40

function* shownBy(operation: Operation): Generator<{ schema: Schema; value: unknown }> {
  if (operation.kind === 'rpc') {
    // Params with a result come before params with an error, because they are known to be valid.
    const shown = operation.examples.toSorted(
      (a, b) => Number(a.outcome.kind !== 'result') - Number(b.outcome.kind !== 'result'),
    )
    for (const { params } of shown)
      for (const [at, { schema }] of operation.params.entries())
        if (params[at] !== undefined) yield { schema, value: params[at] }
    return
  }
  for (const { schema, examples } of operation.parameters)
    for (const { value } of examples) yield { schema, value }
  for (const media of operation.body?.content ?? []) {
    if (!hasJsonValue(media)) continue
    for (const { value } of media.examples) yield { schema: media.schema, value }
  }
}
