import { matchesPattern } from '../runtime/validate/pattern.js'
import { createDisjointness } from './disjoint.js'
import { createLooseShaping, createShaping, type Shaping } from './flatten.js'
import { formedTerms } from './formats.js'
import { typeOf } from './json-values.js'
import { likelyShapes, nullLast } from './likely-shapes.js'
import { createSide, keywordsOf, nodeOf, resolved, type Terms } from './node.js'
import { commonStep, rangeOf } from './number-range.js'
import type { StringTerms } from './patterns/search.js'
import { createSameness } from './same.js'
import { createSamples, MOST_DRAFTS, type Samples } from './sample.js'
import type { SampleStyle } from './sample-objects.js'
import { type Schema, type Schemas, valuesIn } from './schema.js'
import type { Shape } from './shape.js'
import { shortestTexts } from './smallest.js'
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
  const side = createSide(schemas)
  const budget = { left: MOST_DRAFTS }
  const style = {
    ...READABLE,
    ...(purpose !== 'shown' && { texts: anyTexts, mostItems: 1_000 }),
    levels: purpose === 'response' ? 4 : 0,
  }
  const samples = createSamples(createLooseShaping(MOST_SHAPES), style, budget)
  const exact = createSamples(createExactShaping(), style, budget)
  const bestOf = ({ best }: Samples, schema: Schema) => {
    budget.left = MOST_DRAFTS
    return best([nodeOf(side, schema)])?.value
  }
  return (schema) => {
    const found = bestOf(samples, schema)
    // A value that breaks all branches of a `oneOf` but one is valid, but seldom what its author would show.
    return found === undefined && purpose !== 'shown' ? bestOf(exact, schema) : found
  }
}

/** Shapes in which the branches of a `oneOf` exclude each other. */
const createExactShaping = (): Shaping => {
  const { ofNodes } = createDisjointness(() => shaping)
  const shaping: Shaping = createShaping(createSameness(), ofNodes)
  return shaping
}

/** Creates a value of a schema; undefined if none is found. */
export type Sampler = (schema: Schema) => unknown

const MOST_SHAPES = 20

const READABLE: SampleStyle = {
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
const anyTexts: SampleStyle['texts'] = (parts, isOut) => {
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
