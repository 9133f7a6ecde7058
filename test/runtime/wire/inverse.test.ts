import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FieldEncoding, Parameter } from '../../../src/runtime/operation.js'
import { codecOf } from '../../../src/runtime/shared/codecs.js'
import { wellFormed } from '../../../src/runtime/shared/template.js'
import { type ValidatorSchema, validator } from '../../../src/runtime/validate.js'
import { hasBracketInKey } from '../../../src/runtime/wire/deep-object.js'
import { readCookies, readParameters } from '../../../src/runtime/wire/parameters.js'
import { readRequestBody } from '../../../src/runtime/wire/read-body.js'
import {
  type MultipartPiece,
  readMultipart,
  readPieces,
} from '../../../src/runtime/wire/read-multipart.js'
import { readQuery } from '../../../src/runtime/wire/readings.js'
import { serializeParameter, sharedDelimiter } from '../../../src/runtime/wire/serialize.js'
import { writeBody } from '../../../src/runtime/wire/write-body.js'

const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(' a ', ':/?#[]@', "!$&'()*+,;=", 'a%20b', '%', '100 %', '.', '..', 'true', '5'),
  fc.constantFrom('null', 'é😀', 'a|b', 'a b', 'a,b', 'a=b', '-1.50', '{"a":1}', '[1]', '007'),
)
const key = fc.oneof(
  fc.constantFrom('R', 'G', 'a b', 'x.y', 'a=b', 'é', '0', 'v', 'constructor', 'a,b', 'a;b'),
  fc.string({ minLength: 1, maxLength: 5 }),
)
const integer = fc.integer({ min: -1e9, max: 1e9 })

/** The kinds of values that styles can write, with the schema that decides what a text means. */
const KINDS: Readonly<Record<string, { schema: ValidatorSchema; value: fc.Arbitrary<unknown> }>> = {
  string: { schema: { type: 'string' }, value: text },
  integer: { schema: { type: 'integer' }, value: integer },
  number: { schema: { type: 'number' }, value: fc.oneof(integer, fc.constantFrom(0.5, -1.25)) },
  boolean: { schema: { type: 'boolean' }, value: fc.boolean() },
  'list of strings': {
    schema: { type: 'array', items: { type: 'string' } },
    value: fc.array(text, { maxLength: 4 }),
  },
  'list of integers': {
    schema: { type: 'array', items: { type: 'integer' } },
    value: fc.array(integer, { maxLength: 4 }),
  },
  'object of strings': {
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    value: fc.dictionary(key, text, { maxKeys: 4 }),
  },
  'object of integers': {
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    value: fc.dictionary(key, integer, { maxKeys: 4 }),
  },
}

type Place = Parameter['in']
const STYLES: readonly (readonly [Place, Parameter['style']])[] = [
  ...(['simple', 'label', 'matrix'] as const).map((style) => ['path', style] as const),
  ...(['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const).map(
    (style) => ['query', style] as const,
  ),
  ['header', 'simple'],
  ['cookie', 'form'],
  ['cookie', 'cookie'],
]

const CASES = STYLES.flatMap(([place, style]) =>
  [true, false].flatMap((explode) =>
    Object.entries(KINDS).map(([kind, { schema, value }]) => {
      const parameter: Parameter = { name: 'v', in: place, required: false, style, explode }
      return { name: `${place} ${style} explode ${explode}: ${kind}`, parameter, schema, value }
    }),
  ),
).filter(({ parameter, name }) => parameter.style !== 'deepObject' || / object/.test(name))

const MEDIA = (['path', 'query', 'header', 'cookie'] as const).flatMap((place) =>
  Object.entries(KINDS).map(([kind, { schema, value }]) => {
    const style = place === 'query' || place === 'cookie' ? 'form' : 'simple'
    const codec = 'json'
    const explode = false
    const parameter: Parameter = {
      ...{ name: 'v', in: place, required: false, style, explode, codec },
    }
    return { name: `${place} as JSON: ${kind}`, parameter, schema, value }
  }),
)

/** Whether a value can be written at all: clients reject the others before they send anything. */
const canBeWritten = (parameter: Parameter, value: unknown): boolean => {
  const { in: place, style, explode, codec } = parameter
  if (sharedDelimiter(parameter, value) !== undefined) return false
  if (style === 'deepObject' && hasBracketInKey(value)) return false
  const texts = textsIn(value)
  // An exploded member is a cookie or a query parameter of its own, so it must not have the name of this one.
  const isLoose = explode && (place === 'query' || place === 'cookie') && style !== 'deepObject'
  if (isLoose && isObject(value) && Object.hasOwn(value, 'v')) return false
  // A header has no encoding, and blanks at its ends are not part of it; cookies of this style neither.
  if (place === 'header' && codec === undefined)
    return (
      texts.every((one) => /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(one)) && isPlain(value)
    )
  if (place === 'header') return texts.every((one) => /^[\x20-\x7e]*$/.test(one))
  if (style === 'cookie')
    return texts.every((one) => /^[!#-+\--:<-[\]-~]+$/.test(one)) && isPlain(value)
  // Half a surrogate pair cannot be encoded.
  if (!texts.every((one) => wellFormed(one) === one)) return false
  return true
}

/** Without encoding, the names of an object contain no equals sign. */
const isPlain = (value: unknown): boolean =>
  !isObject(value) || Object.keys(value).every((name) => !/[=]/.test(name))

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flat().map(String)
    : [String(value)]

const readBack = (parameter: Parameter, schema: ValidatorSchema, written: string): unknown => {
  const { in: place } = parameter
  const headers =
    place === 'header'
      ? { v: written }
      : place === 'cookie'
        ? { cookie: `other=1; ${written}` }
        : {}
  const { parameters } = readParameters(
    {
      parameters: [parameter],
      schemes: { other: { kind: 'key', in: 'cookie', parameter: 'other' } },
    },
    () => validator(() => schema),
    {
      path: place === 'path' ? { v: written } : {},
      query: place === 'query' ? readQuery(written) : [],
      headers,
      cookies: readCookies(headers),
    },
  )
  const [read] = parameters
  return read?.kind === 'value' ? read.value : read
}

describe('a parameter that was written is read as the same value', () => {
  it('in every style', () => {
    expect(CASES.length).toBeGreaterThan(140)
  })

  it.each([...CASES, ...MEDIA])('$name', ({ parameter, schema, value }) => {
    fc.assert(
      fc.property(value, (one) => {
        fc.pre(canBeWritten(parameter, one))
        const written = serializeParameter(parameter, one)
        const isEmpty = typeof one === 'object' && one !== null && Object.keys(one).length === 0
        // Styles cannot write an empty list or object, and no path has an empty segment.
        if (parameter.codec === undefined && isEmpty) expect(written).toBeUndefined()
        if (written === undefined || (parameter.in === 'path' && written === '')) return
        expect(readBack(parameter, schema, written)).toEqual(one)
      }),
      { numRuns: 150 },
    )
  })
})

const FIELD = fc.record(
  {
    text,
    count: integer,
    flag: fc.boolean(),
    list: fc.array(text, { minLength: 1, maxLength: 3 }),
    numbers: fc.array(integer, { minLength: 2, maxLength: 3 }),
    object: fc.dictionary(fc.constantFrom('a', 'b c', 'd.e'), text, { minKeys: 1 }),
  },
  { requiredKeys: [] },
)
const FORM: ValidatorSchema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    flag: { type: 'boolean' },
    list: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { type: 'integer' } },
    object: { type: 'object', additionalProperties: { type: 'string' } },
  },
}
const ENCODINGS: Readonly<Record<string, Readonly<Record<string, FieldEncoding>>>> = {
  'without encodings': {},
  'with JSON': {
    object: { contentType: 'application/json' },
    list: { contentType: 'application/json' },
  },
  'with deepObject': { object: { style: 'deepObject', explode: true } },
  'with commas': { numbers: { style: 'form', explode: false } },
  'with blanks': { numbers: { style: 'spaceDelimited', explode: false } },
  'with pipes': { numbers: { style: 'pipeDelimited', explode: false } },
}

/** Texts that look like JSON are JSON in a list or an object of a form (OpenAPI, Encoding Object). */
const isAmbiguous = (value: { readonly text?: string; readonly list?: readonly string[] }) =>
  [value.text ?? '', ...(value.list ?? [])].some((one) => /^\s*[[{"]/.test(one))

describe('a body that was written is read as the same value', () => {
  it.each(
    ['application/x-www-form-urlencoded', 'multipart/form-data'].flatMap((type) =>
      Object.keys(ENCODINGS).map((encoding) => ({ type, encoding })),
    ),
  )('$type $encoding', async ({ type, encoding }) => {
    const encodings = ENCODINGS[encoding] ?? {}
    await fc.assert(
      fc.asyncProperty(FIELD, async (value) => {
        const texts = [value.text ?? '', ...(value.list ?? []), ...textsIn(value.object ?? {})]
        fc.pre(texts.every((one) => wellFormed(one) === one && !/\r|\n/.test(one)))
        fc.pre(!isAmbiguous(value))
        const content = { type, codec: codecOf(type), encoding: encodings }
        const { body, contentType } = writeBody(value, content)
        const raw = new Uint8Array(await new Response(body).arrayBuffer())
        const read = readRequestBody([content], () => ({ validator: validator(() => FORM) }), {
          contentType,
          content: { raw },
        })
        expect(read.kind === 'value' ? read.value : read).toEqual(value)
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    ['application/json', fc.jsonValue()],
    ['application/vnd.a+json', fc.jsonValue()],
    ['text/plain', text],
    ['application/jsonl', fc.array(fc.jsonValue(), { maxLength: 4 })],
    ['application/json-seq', fc.array(fc.jsonValue(), { maxLength: 4 })],
  ] as const)('%s', async (type, values: fc.Arbitrary<unknown>) => {
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        fc.pre(typeof value !== 'string' || wellFormed(value) === value)
        const content = { type, codec: codecOf(type) }
        const { body, contentType } = writeBody(value, content)
        const raw = new Uint8Array(await new Response(body).arrayBuffer())
        const read = readRequestBody([content], () => ({}), {
          contentType,
          content: { raw },
        })
        // JSON has no negative zero.
        expect(read.kind === 'value' ? read.value : read).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      { numRuns: 150 },
    )
  })
})

describe('a multipart body is read the same in any chunks', () => {
  it('as whole', async () => {
    const parts =
      'a\r\n--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n-\r\n--\r\n--c\r\n--b  \r\n'
    const body = new TextEncoder().encode(
      `${parts}Content-Disposition: form-data; name="y"; filename="f"\r\n\r\n\r\n\r\n--b--\r\nend`,
    )
    const textOf = (pieces: readonly MultipartPiece[]) => {
      const texts: string[] = []
      for (const piece of pieces) {
        if (piece.kind === 'head') texts.push(`${piece.name}:`)
        else texts.push(`${texts.pop() ?? ''}${new TextDecoder().decode(piece.bytes)}`)
      }
      return texts
    }
    const whole = textOf([...readPieces(body, 'b')])
    expect(whole).toEqual(['x:-\r\n--\r\n--c', 'y:\r\n'])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: body.length })), async (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), body.length]
        const chunks = ends.map((end, index) => body.slice(ends[index - 1] ?? 0, end))
        const pieces: MultipartPiece[] = []
        const source = (async function* () {
          yield* chunks
        })()
        for await (const piece of readMultipart(source, 'b')) pieces.push(piece)
        expect(textOf(pieces)).toEqual(whole)
      }),
    )
  })
})

describe('the limits of a multipart body are the same in any chunks', () => {
  const partWith = ({ head = 60, padding = 0 }) => {
    const disposition = 'Content-Disposition: form-data; name="x"\r\nX-Other: '
    // The line end of the boundary is before the head.
    const header = disposition + 'x'.repeat(head - disposition.length - 2)
    return new TextEncoder().encode(`--b${' '.repeat(padding)}\r\n${header}\r\n\r\na\r\n--b--`)
  }
  it.each<[string, Parameters<typeof partWith>[0], string | undefined]>([
    ['headers of 16 KiB', { head: 16_384 }, undefined],
    ['headers of one byte more', { head: 16_385 }, 'headers exceed 16384 bytes'],
    ['headers of 20 KB', { head: 20_000 }, 'headers exceed 16384 bytes'],
    ['256 blanks after a boundary', { padding: 256 }, undefined],
    ['257 blanks after a boundary', { padding: 257 }, 'text after a boundary'],
    ['10 KB of blanks after a boundary', { padding: 10_000 }, 'text after a boundary'],
  ])('%s', async (_, part, message) => {
    const body = partWith(part)
    for (const size of [body.byteLength, 1_000, 17, 1]) {
      const source = (async function* () {
        for (let at = 0; at < body.byteLength; at += size) yield body.slice(at, at + size)
      })()
      const read = async () => {
        let count = 0
        for await (const piece of readMultipart(source, 'b')) if (piece.kind === 'head') count += 1
        return count
      }
      if (message === undefined) expect(await read()).toBe(1)
      else await expect(read()).rejects.toThrow(message)
    }
  })
})
