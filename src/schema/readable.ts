import { segmentsOf } from '../runtime/shared/pointer.js'
import { matchesPattern } from '../runtime/validate/pattern.js'
import { createLooseShaping } from './flatten.js'
import { formedTerms } from './formats.js'
import { typeOf } from './json-values.js'
import { likelyShapes, nullLast } from './likely-shapes.js'
import { createSide, keywordsOf, nodeOf, resolved, type Terms } from './node.js'
import { commonStep, rangeOf } from './number-range.js'
import type { StringTerms } from './patterns/search.js'
import { createSamples, MOST_DRAFTS } from './sample.js'
import type { Style } from './sample-objects.js'
import { everySubschema, referredName, type Schema, type Schemas, valuesIn } from './schema.js'
import type { Shape } from './shape.js'
import { shortestTexts } from './smallest.js'
import { type Discriminator, discriminatorOf, sourceOf } from './source.js'
import { stringTerms } from './views.js'

/**
 * Creates small, readable values of schemas, for operations without an example in a document. Each value is
 * validated. Values for `shown` are undefined if none is certainly appropriate: for bytes, an unknown format, or a
 * pattern that no placeholder matches. For a `request` or a `response` of the mock, any valid text is used. A
 * response also has its optional properties, and an item in each array, a few levels deep.
 */
export function createSampler(
  schemas: Schemas,
  purpose: 'shown' | 'request' | 'response' = 'shown',
): Sampler {
  const side = createSide(withDiscriminators(schemas))
  const budget = { left: MOST_DRAFTS }
  const style = {
    ...READABLE,
    ...(purpose !== 'shown' && { texts: anyTexts, mostItems: 1_000 }),
    levels: purpose === 'response' ? 4 : 0,
  }
  const samples = createSamples(createLooseShaping(MOST_SHAPES), style, budget)
  return (schema) => {
    budget.left = MOST_DRAFTS
    return samples.best([nodeOf(side, schema)])?.value
  }
}

/** Creates a value of a schema; undefined if none is found. */
export type Sampler = (schema: Schema) => unknown

const MOST_SHAPES = 20

const READABLE: Style = {
  arranged: (shapes) =>
    likelyShapes(shapes).flatMap(({ shapes, isAnyType }) =>
      isAnyType ? shapes.toSorted((a, b) => textFirst(a) - textFirst(b)) : shapes,
    ),
  texts: (parts, isOut) => [...textsOf(parts)].filter((one) => !isOut(one)),
  numbers: (parts) => {
    const { low, high, steps } = rangeOf(parts)
    const step = commonStep(steps) ?? 1
    const near = [low, low + step, high, high - step, (low + high) / 2]
    return [1, step, ...near, 0, 0.5].filter(Number.isFinite)
  },
  written: (terms) =>
    terms.flatMap((node) => {
      const schemas = [...new Set([node, resolved(node)])].map(keywordsOf)
      const listed = schemas.flatMap((schema) => valuesIn(schema) ?? [])
      const shown = schemas.flatMap(({ default: usual, examples = [] }) => [usual, ...examples])
      return [
        ...nullLast(listed, typeOf),
        ...shown.filter((one) => one !== undefined && one !== null && one !== ''),
      ]
    }),
  isFirst: true,
  levels: 0,
  mostNodes: 1_000,
  mostItems: 20,
}

function* textsOf(parts: Terms): Generator<string> {
  const terms = stringTerms(parts)
  const format = parts.map((part) => keywordsOf(part).format).find((one) => one !== undefined)
  if (format !== undefined && format !== 'password') {
    const known = FORMATS.get(format)
    if (known !== undefined) yield known
    return
  }
  yield* placeholders(terms)
}

const placeholders = ({ patterns, minLength, maxLength = LONGEST }: StringTerms) =>
  minLength > LONGEST
    ? []
    : (patterns.length === 0 ? ['text'] : PLACEHOLDERS).map((text) =>
        text.padEnd(minLength, text.startsWith('0x') ? '0' : text).slice(0, maxLength),
      )

/** Texts that are certainly appropriate, else a usual text that is valid, else the shortest one. */
const anyTexts: Style['texts'] = (parts, isOut) => {
  const terms = stringTerms(parts)
  const { patterns, minLength, maxLength = LONGEST } = terms
  const isIn = (text: string): boolean =>
    !isOut(text) &&
    text.length >= minLength &&
    text.length <= maxLength &&
    patterns.every((pattern) => matchesPattern(pattern, text))
  const known = [...textsOf(parts)].filter(isIn)
  if (known.length > 0) return known
  if (formedTerms(parts)) return shortestTexts(parts, isOut)
  const usual = placeholders(terms).filter(isIn)
  return usual.length > 0 ? usual : shortestTexts(parts, isOut)
}

/** Texts that most patterns accept. */
const PLACEHOLDERS = ['text', '1', '0x1', '0x', 'TEXT', '10', '1.0', '2026-01-31', '/text']

const LONGEST = 1_000

const FORMATS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    date: '2026-01-31',
    'date-time': '2026-01-31T12:00:00Z',
    time: '12:00:00Z',
    duration: 'P1D',
    uuid: '9b2d6f3e-51c4-4a0e-8f57-2c1d3e4f5a6b',
    email: 'somebody@example.com',
    hostname: 'example.com',
    ipv4: '192.0.2.1',
    ipv6: '2001:db8::1',
    uri: 'https://example.com/',
    url: 'https://example.com/',
    'uri-reference': '/',
    'uri-template': '/{name}',
    iri: 'https://example.com/',
    'iri-reference': '/',
    'idn-email': 'somebody@example.com',
    'idn-hostname': 'example.com',
    'json-pointer': '/name',
    'relative-json-pointer': '0',
    regex: '^text$',
    byte: 'dGV4dA==',
    base64: 'dGV4dA==',
    base64url: 'dGV4dA',
    decimal: '1.0',
    int32: '1',
    int64: '1',
    uint32: '1',
    uint64: '1',
    float: '1.0',
    double: '1.0',
  }),
)

/** A value of unknown type is shown as a text. */
const textFirst = ({ type }: Shape): number => (type === 'string' ? 0 : 1)

/**
 * The schemas, with an example for each schema that a discriminator selects: the value that selects it (OpenAPI 3.1,
 * Discriminator Object). The schema is a branch of a union, or has the schema with the discriminator in its `allOf`.
 * Values are not validated against it.
 */
function withDiscriminators(schemas: Schemas): Schemas {
  const all = [...schemas].flatMap(([name, { schema }]) =>
    everySubschema(schema).map((part) => ({ name, part })),
  )
  const tags = new Map<string, Record<string, Schema>>()
  const tag = (name: string | undefined, { propertyName, mapping }: Discriminator): void => {
    if (name === undefined || !schemas.has(name)) return
    // The document may have another name than generated code, such as `pet-cat` for `PetCat`.
    const written = segmentsOf(sourceOf(schemas.get(name)?.schema ?? true)?.locate().pointer ?? '')
    const names = [name, name.replace(/(Request|Response)$/, ''), ...written.slice(-1)]
    const [value = names.at(-1)] =
      Object.entries(mapping).find(([, target]) =>
        names.includes(segmentsOf(target).at(-1) ?? ''),
      ) ?? []
    tags.set(name, { ...tags.get(name), [propertyName]: { examples: [value] } })
  }
  for (const { name, part } of all) {
    const own = discriminatorOf(part)
    const { oneOf = [], anyOf = [], allOf = [] } = typeof part === 'object' ? part : {}
    if (own) for (const branch of [...oneOf, ...anyOf]) tag(referredName(branch), own)
    if (schemas.get(name)?.schema !== part) continue
    for (const parent of allOf) {
      const of = schemas.get(referredName(parent) ?? '')?.schema
      const found = of === undefined ? undefined : discriminatorOf(of)
      if (found) tag(name, found)
    }
  }
  if (tags.size === 0) return schemas
  return new Map(
    [...schemas].map(([name, one]) => {
      const properties = tags.get(name)
      return [name, properties ? { schema: { allOf: [{ properties }, one.schema] } } : one]
    }),
  )
}
