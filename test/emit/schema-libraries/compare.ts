import type { Api } from '../../../src/model/api.js'
import { isPart, operationParts, type Parts } from '../../../src/model/operation-parts.js'
import type { Validator } from '../../../src/runtime/validate.js'
import { createChecker } from '../../../src/schema/check.js'
import { referredName, type Schema, withoutAnnotations } from '../../../src/schema/schema.js'
import { draftOf } from '../validators/verdicts/draft.js'
import { jsonForm } from '../validators/verdicts/json-form.js'
import { mutate } from '../validators/verdicts/mutate.js'
import { createRandom, pick } from '../validators/verdicts/random.js'
import { importSchemas, type LibraryName, verdictOf } from './imported.js'

export type Comparison = {
  /** The values of the document's examples. */
  readonly examples: number
  readonly values: number
  readonly accepted: number
  readonly differences: readonly Difference[]
}

export type Difference = {
  readonly schema: string
  readonly value: unknown
  readonly ours: boolean
  readonly library: boolean | string
}

/**
 * Compares the verdicts of a library with those of our validators: on every example of a document, on mutants of each, and on
 * `values` values that are made of its schemas. All are values of JSON.
 */
export async function compareLibrary(
  api: Api,
  library: LibraryName,
  options: { readonly values: number; readonly seed: number },
): Promise<Comparison> {
  const subjects = subjectsOf(api, await importSchemas(api, library))
  const random = createRandom(options.seed)
  const plain = new Map(
    [...api.schemas].map(([name, one]) => [name, withoutAnnotations(one.schema)]),
  )
  const resolve = (schema: Schema): Schema => {
    const name = referredName(schema)
    return name === undefined ? schema : resolve(plain.get(name) ?? true)
  }
  const elsewhere: unknown[] = [null]
  const sum = { examples: 0, values: 0, accepted: 0 }
  const differences: Difference[] = []
  const compare = ({ name, checker, theirs }: Subject, value: unknown) => {
    const form = jsonForm(value)
    if (form === undefined) return
    const ours = checker.check(form.value)
    const verdict = verdictOf(theirs, form.value)
    sum.values++
    if (ours) sum.accepted++
    if (ours !== verdict)
      differences.push({ schema: name, value: form.value, ours, library: verdict })
  }
  for (const [at, subject] of subjects.entries()) {
    const drafts = Array.from({ length: Math.ceil(options.values / subjects.length) }, () =>
      draftOf(subject.schema, resolve, random),
    )
    elsewhere[at % 200] = drafts[0]
    sum.examples += subject.examples.length
    for (const [index, value] of [...subject.examples, ...drafts].entries()) {
      compare(subject, value)
      const count = index < subject.examples.length ? 5 : 1
      for (let left = count; left > 0; left--)
        compare(
          subject,
          mutate(value, random, () => pick(random, elsewhere)),
        )
    }
  }
  return { ...sum, differences }
}

type Subject = {
  readonly name: string
  readonly schema: Schema
  readonly checker: Validator
  readonly theirs: unknown
  readonly examples: readonly unknown[]
}

/** Every named schema, and every part of an operation. */
function subjectsOf(api: Api, exported: Readonly<Record<string, unknown>>): readonly Subject[] {
  const checker = createChecker(api.schemas)
  const named = [...api.schemas].map(
    ([name, { schema }]): Subject => ({
      ...{ name, schema, checker: checker.named(name), theirs: exported[name] },
      examples: typeof schema === 'object' ? (schema.examples ?? []) : [],
    }),
  )
  const inOperations = api.operations.flatMap((operation) =>
    leaves(operationParts(operation), exported[operation.id], operation.id).map(
      ({ name, schema, theirs }): Subject => ({
        ...{ name, schema, checker: checker.schema(schema), theirs },
        examples: examplesOf(operation, schema),
      }),
    ),
  )
  return [...named, ...inOperations]
}

/** The examples in an operation that stand beside a schema. */
function examplesOf(operation: Api['operations'][number], schema: Schema): readonly unknown[] {
  if (operation.kind === 'rpc') {
    return schema === operation.result.schema
      ? operation.examples.flatMap(({ outcome }) =>
          outcome.kind === 'result' ? [outcome.value] : [],
        )
      : operation.examples.map(({ params }) => params)
  }
  const contents = [operation.body, ...operation.responses].flatMap((one) => one?.content ?? [])
  return [...contents, ...operation.parameters]
    .filter((one) => one.schema === schema)
    .flatMap(({ examples }) => examples.map(({ value }) => value))
}

type Leaf = { readonly name: string; readonly schema: Schema; readonly theirs: unknown }

function leaves(parts: Parts, theirs: unknown, path: string): readonly Leaf[] {
  return Object.entries(parts).flatMap(([key, one]) => {
    const own = (theirs as Readonly<Record<string, unknown>>)[key]
    const name = `${path}.${key}`
    return isPart(one) ? [{ name, schema: one.schema, theirs: own }] : leaves(one, own, name)
  })
}

/**
 * Zod leaves a member `__proto__` of a map out of its result, so that it does not check it either. The result fulfils the schema.
 */
export const isLeftOut = ({ value, ours, library }: Difference): boolean =>
  !ours && library === true && JSON.stringify(value).includes('"__proto__":')
