import { inOneFile } from '../../../../src/emit/declaration.js'
import { emitValidators } from '../../../../src/emit/validators.js'
import type { Api } from '../../../../src/model/api.js'
import { isPart, operationParts, type Parts } from '../../../../src/model/operation-parts.js'
import type { Checks, Validator } from '../../../../src/runtime/validate.js'
import { createChecker } from '../../../../src/schema/check.js'
import {
  referredName,
  refTo,
  type Schema,
  withoutAnnotations,
} from '../../../../src/schema/schema.js'
import { runText } from '../written.js'

/** A schema of a document, with what was written for it and what reads it at run time. */
export type Subject = {
  readonly name: string
  readonly schema: Schema
  readonly written: Checks
  readonly interpreted: Validator
}

export type Subjects = {
  readonly list: readonly Subject[]
  /** The named schemas with what a check asks and nothing else. */
  readonly plain: ReadonlyMap<string, Schema>
}

/** Every named schema, and every part of an operation that is no reference to one. */
export async function subjectsOf(api: Api): Promise<Subjects> {
  const exported = (await runText(inOneFile(emitValidators(api)).text)) as Readonly<
    Record<string, unknown>
  >
  const checker = createChecker(api.schemas)
  const named = [...api.schemas].map(
    ([name, { schema }]): Subject => ({
      name,
      schema: { $ref: refTo(name) },
      written: exported[name] as Checks,
      interpreted: checker.named(name) ?? checker.schema(schema),
    }),
  )
  const inOperations = api.operations.flatMap((operation) =>
    leaves(operationParts(operation), exported[operation.id], operation.id).map(
      ({ name, schema, written }): Subject => ({
        name,
        schema: withoutAnnotations(schema),
        written: written as Checks,
        interpreted: checker.schema(schema),
      }),
    ),
  )
  const plain = [...api.schemas].map(
    ([name, { schema }]) => [name, withoutAnnotations(schema)] as const,
  )
  return { list: [...named, ...inOperations], plain: new Map(plain) }
}

type Leaf = { readonly name: string; readonly schema: Schema; readonly written: unknown }

function leaves(parts: Parts, written: unknown, path: string): readonly Leaf[] {
  return Object.entries(parts).flatMap(([key, one]) => {
    const own = (written as Readonly<Record<string, unknown>>)[key]
    const name = `${path}.${key}`
    if (!isPart(one)) return leaves(one, own, name)
    return referredName(one.schema) === undefined
      ? [{ name, schema: one.schema, written: own }]
      : []
  })
}
