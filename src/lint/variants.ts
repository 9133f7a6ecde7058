import type { Api, HttpOperation, RpcOperation, RpcVariant, Variant } from '../model/api.js'
import type { FindingDetails } from '../model/finding.js'
import { entriesOf } from '../model/json.js'
import { nameOf } from '../model/operation-name.js'
import { parametersSchema } from '../model/params.js'
import { successResponses } from '../runtime/wire/status.js'
import { referredName, refTo, type Schema } from '../schema/schema.js'
import { type Overlap, overlapIn } from './overlap.js'
import type { LintRule, Survey } from './survey.js'

/** If the variant of a request determines its response, every body has exactly one variant, and the params of a call at most one. */
export const VARIANT_RULES: readonly LintRule[] = [
  {
    id: 'variants-overlap',
    level: 'error',
    purpose:
      'If a body or params match two variants of x-variants, callers cannot know which of them the server chooses.',
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
    purpose:
      'A request or response body that belongs to no variant has no handler and no type; a variant of a method needs params that the method accepts.',
    find: (survey) => [...incomplete(survey), ...unreachable(survey)],
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
      const found = overlap({ $ref: refTo(one) }, { $ref: refTo(other) }, shown)
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
  yield* paramPairs(survey, overlap, wanted)
}

/** Two variants of a method that the same params fit. */
function* paramPairs(
  { rpc }: Survey,
  overlap: Overlap,
  wanted: 'both' | 'unknown',
): Generator<FindingDetails> {
  for (const operation of rpc) {
    const { variants = [], examples, source } = operation
    const isByName = operation.paramStructure === 'by-name'
    const shown = examples.map((one) => (isByName ? one.namedParams : one.params))
    for (const [index, one] of variants.entries()) {
      for (const other of variants.slice(index + 1)) {
        const [own, others] = [paramsOf(operation, one), paramsOf(operation, other)]
        const found = overlap(own, others, shown)
        if (found.kind !== wanted) continue
        const what = `params of ${nameOf(operation)} can be of both variants ${one.name} and ${other.name}`
        const location = source.locate('x-variants')
        const remedy = 'give a param of each values of its own, such as {const: a} and {const: b}'
        yield found.kind === 'both'
          ? {
              location,
              message: `${what}, such as ${JSON.stringify(found.value)}: ${remedy}`,
              witness: { value: found.value },
            }
          : { location, message: `it is unknown whether ${what}: ${remedy}` }
      }
    }
  }
}

const paramsOf = (operation: RpcOperation, { params }: RpcVariant): Schema =>
  parametersSchema({ ...operation, params })

/** Variants of a method that no call has, and params and items of a variant that the method does not have. */
function* unreachable({ api, rpc, written }: Survey): Generator<FindingDetails> {
  const overlap = overlapIn(api)
  for (const operation of rpc) {
    for (const variant of operation.variants ?? []) {
      const { name, source } = variant
      if (overlap(parametersSchema(operation), paramsOf(operation, variant), []).kind === 'apart')
        yield {
          location: source.locate('params'),
          message: `no params of ${nameOf(operation)} are of the variant ${name}: add its values to the schemas of the params, or correct them`,
        }
    }
  }
  for (const { node, document } of written) {
    const operation = rpc.find(({ method }) => method === node.name)
    if (document.kind !== 'rpc' || operation?.variants === undefined) continue
    const locate = (...path: readonly (string | number)[]) =>
      document.sourceOf(node).locate('x-variants', ...path)
    for (const [variant, value] of entriesOf(node['x-variants'])) {
      for (const [keyword, key, words] of unknownParams(value, operation))
        yield {
          location: locate(variant, 'params', keyword, key),
          message: `the variant ${variant} has ${words}, which ${nameOf(operation)} does not have: leave it out, or add it to the method`,
        }
      if (Object(value).item !== undefined && node['x-subscription'] === undefined)
        yield {
          location: locate(variant, 'item'),
          message: `the variant ${variant} has an item, but ${nameOf(operation)} begins no subscription: add x-subscription, or leave item out`,
        }
    }
  }
}

/** The params of a written variant that its method does not have: the keyword, the key and the words for each. */
function unknownParams(
  variant: unknown,
  { params }: RpcOperation,
): readonly (readonly [keyword: string, key: string | number, words: string])[] {
  const { prefixItems, properties } = Object(Object(variant).params)
  if (Array.isArray(prefixItems))
    return prefixItems
      .map((_, at) => ['prefixItems', at, `a param number ${at + 1}`] as const)
      .slice(params.length)
  return entriesOf(properties).flatMap(([key]) =>
    params.some(({ name }) => name === key)
      ? []
      : [['properties', key, `the param ${key}`] as const],
  )
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
