import type { Api, HttpOperation, Variant } from '../model/api.js'
import type { FindingDetails } from '../model/finding.js'
import { nameOf } from '../model/operation-name.js'
import { successResponses } from '../runtime/wire/status.js'
import { createDisjointness } from '../schema/disjoint.js'
import { createShaping, type Shaping } from '../schema/flatten.js'
import { bySize } from '../schema/json-values.js'
import { accepts, createSide, type Node, nodeOf } from '../schema/node.js'
import { createSameness } from '../schema/same.js'
import { referredName, refTo, type Schema } from '../schema/schema.js'
import { createSmallest } from '../schema/smallest.js'
import { holdsUnread } from '../schema/source.js'
import type { LintRule, Survey } from './survey.js'

/** If the variant of a request determines the variant of its response, every body must have exactly one variant. */
export const VARIANT_RULES: readonly LintRule[] = [
  {
    id: 'variants-overlap',
    level: 'error',
    purpose:
      'If a body matches two variants of x-variants, callers cannot know which of them the server chooses.',
    find: (survey) => pairs(survey, 'both'),
  },
  {
    id: 'variants-may-overlap',
    level: 'warning',
    purpose:
      'If two variants of x-variants cannot be proven disjoint, the server may choose the wrong one.',
    find: (survey) => pairs(survey, 'unknown'),
  },
  {
    id: 'variants-incomplete',
    level: 'error',
    purpose: 'A request or response body that belongs to no variant has no handler and no type.',
    find: incomplete,
  },
  {
    id: 'variant-example-invalid',
    level: 'error',
    purpose:
      'The mock server and the conformance checker use the example of a variant as a body of that variant.',
    find: strayExamples,
  },
]

const withVariants = ({ http }: Survey) => http.filter(({ variants }) => variants.length > 0)

type Compared = { readonly one: string; readonly other: string; readonly what: string }

function* pairs(survey: Survey, wanted: 'both' | 'unknown'): Generator<FindingDetails> {
  const { api } = survey
  const overlap = overlapIn(api)
  for (const operation of withVariants(survey)) {
    const { variants, source } = operation
    const shown = examplesOf(operation)
    const requests = distinctPairs(variants.map(({ request }) => request))
    const answers = distinctPairs([...answersOf(operation, api)])
    const compared: readonly Compared[] = [
      ...requests.map(([one, other]) => ({ one, other, what: 'a body' })),
      ...answers.map(([one, other]) => ({ one, other, what: 'an answer' })),
    ]
    for (const { one, other, what } of compared) {
      const found = overlap(one, other, shown)
      if (found.kind !== wanted) continue
      const location = source.locate('x-variants')
      if (found.kind === 'unknown') {
        yield {
          location,
          message: `it is unknown whether ${what} of ${nameOf(operation)} can be both ${one} and ${other}: give them a required property with values of its own, or forbid in one what the other requires`,
        }
      } else if (found.kind === 'both') {
        yield {
          location,
          message: `${what} of ${nameOf(operation)} can be both ${one} and ${other}, such as ${JSON.stringify(found.value)}: forbid in one what the other requires, by {not: {}}`,
          witness: { value: found.value },
        }
      }
    }
  }
}

const overlaps = new WeakMap<Api, Overlap>()

/** Two rules share the results of one Api. */
function overlapIn(api: Api): Overlap {
  const overlap = overlaps.get(api) ?? createOverlap(api.schemas)
  overlaps.set(api, overlap)
  return overlap
}

function distinctPairs(names: readonly string[]): readonly (readonly [string, string])[] {
  const all = [...new Set(names)].sort()
  return all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const))
}

const examplesOf = ({ body, responses }: HttpOperation): readonly unknown[] =>
  [...(body?.content ?? []), ...responses.flatMap(({ content }) => content)].flatMap(
    ({ examples }) => examples.map(({ value }) => value),
  )

/** The schemas that variants declare for their responses and that one 2xx response lists together. */
function answersOf({ variants, responses }: HttpOperation, api: Api): ReadonlySet<string> {
  const branches = new Set(
    successResponses(responses).flatMap(({ content }) =>
      content.flatMap(({ schema }) => branchNames(schema, api)),
    ),
  )
  const named = variants.flatMap((variant) => [...variant.responses, ...variant.errors])
  return new Set(named.filter((name) => branches.has(name)))
}

/** The names of the alternatives of a schema, or its own name. */
function branchNames(schema: Schema, { schemas }: Api): readonly string[] {
  const name = referredName(schema)
  const target = name === undefined ? schema : (schemas.get(name)?.schema ?? true)
  const branches = typeof target === 'object' ? (target.oneOf ?? target.anyOf) : undefined
  if (!branches) return name === undefined ? [] : [name]
  return branches.flatMap((branch) => referredName(branch) ?? [])
}

function* incomplete(survey: Survey): Generator<FindingDetails> {
  const { api, checker } = survey
  for (const operation of withVariants(survey)) {
    const { variants, body, responses, source } = operation
    const location = source.locate('x-variants')
    const requests = new Set(variants.map(({ request }) => request))
    const branches = (body?.content ?? []).flatMap(({ schema }) => branchNames(schema, api))
    for (const name of branches) {
      if (requests.has(name) || isUnionOf(name, requests, api)) continue
      yield {
        location,
        message: `the request of ${nameOf(operation)} may be ${name}, which no variant declares: add a variant for it`,
      }
    }
    for (const { name, request } of variants) {
      if (branches.length === 0 || branches.includes(request)) continue
      yield {
        location: source.locate('x-variants', name),
        message: `the variant ${name} sends ${request}, which the request of ${nameOf(operation)} does not allow: add it there`,
      }
    }
    for (const { content } of body ? [body] : []) {
      for (const example of content.flatMap(({ examples }) => examples)) {
        if (variants.some(({ request }) => checker.named(request).check(example.value))) continue
        yield {
          location: example.source.locate(),
          message: `the example ${example.name} of ${nameOf(operation)} matches no variant: correct it, or add a variant for it`,
        }
      }
    }
    const answered = new Set(
      variants.flatMap((variant) => [...variant.responses, ...variant.errors]),
    )
    for (const { status, content } of successResponses(responses)) {
      for (const name of content.flatMap(({ schema }) => branchNames(schema, api))) {
        if (answered.has(name)) continue
        yield {
          location,
          message: `${nameOf(operation)} may answer ${status} with ${name}, which no variant declares: add it to the responses or the errors of one`,
        }
      }
    }
  }
}

/** Whether a variant is itself a union of variants. */
function isUnionOf(name: string, requests: ReadonlySet<string>, { schemas }: Api): boolean {
  const schema = schemas.get(name)?.schema
  const branches = typeof schema === 'object' ? (schema.oneOf ?? schema.anyOf ?? []) : []
  const names = branches.map(referredName)
  return names.length > 0 && names.every((one) => one !== undefined && requests.has(one))
}

function* strayExamples(survey: Survey): Generator<FindingDetails> {
  const { checker } = survey
  for (const { variants, body, source } of withVariants(survey)) {
    for (const variant of variants) {
      const example = exampleOf(variant, body)
      const [fault] = example ? checker.named(variant.request).explain(example.value) : []
      if (!example || !fault) continue
      const where = fault.pointer === '' ? '' : ` at ${fault.pointer}`
      yield {
        location: source.locate('x-variants', variant.name, 'example'),
        message: `the example ${example.name} is not of the variant ${variant.name}:${where} it ${fault.message}`,
      }
    }
  }
}

const exampleOf = ({ example }: Variant, body: HttpOperation['body']) =>
  (body?.content ?? []).flatMap(({ examples }) => examples).find(({ name }) => name === example)

/** Whether a value fits two named schemas; the smallest value found is the proof. */
function createOverlap(schemas: Api['schemas']): Overlap {
  const side = createSide(schemas)
  const disjointness = createDisjointness(() => shaping)
  const shaping: Shaping = createShaping(createSameness(), disjointness.ofNodes)
  const samples = createSmallest(shaping)
  const searched = new Map<string, Overlapping>()
  const node = (name: string) => nodeOf(side, schemas.get(name)?.schema ?? { $ref: refTo(name) })

  return (one, other, shown) => {
    const both = [node(one), node(other)] as const
    const fitsBoth = (value: unknown) => both.every((each) => accepts(each, value))
    const [written] = shown.filter(fitsBoth).toSorted(bySize)
    if (
      holdsUnread(
        [refTo(one), refTo(other)].map(($ref) => ({ $ref })),
        schemas,
      )
    )
      return { kind: 'unknown' }
    if (written !== undefined) return { kind: 'both', value: written }
    // Operations with the same schemas have their own examples, so only the search is cached.
    const key = JSON.stringify([one, other])
    const result = searched.get(key) ?? search(both, fitsBoth)
    searched.set(key, result)
    return result
  }

  function search(both: readonly [Node, Node], fitsBoth: (value: unknown) => boolean): Overlapping {
    if (disjointness.ofNodes(...both)) return { kind: 'apart' }
    const found = samples.best(both)
    return found && fitsBoth(found.value)
      ? { kind: 'both', value: found.value }
      : { kind: 'unknown' }
  }
}

/** `shown` are known values, such as examples; they are tried first. */
type Overlap = (one: string, other: string, shown: readonly unknown[]) => Overlapping

type Overlapping =
  | { readonly kind: 'both'; readonly value: unknown }
  | { readonly kind: 'apart' }
  | { readonly kind: 'unknown' }
