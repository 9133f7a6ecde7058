import { describe, expect, it } from 'vitest'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { readRequestBody } from '../../src/runtime/wire/read-body.js'
import { writeBody } from '../../src/runtime/wire/write-body.js'
import { createChecker } from '../../src/schema/check.js'
import { changesOf, findingsOf, orders, type Texts } from './versions.js'

/** The levels and rules for a parameter that changes its schema. */
const rulesOf = async (before: string, after: string): Promise<readonly string[]> => {
  const text = await findingsOf(
    orders(`parameters: [{ name: q, ${before} }]`),
    orders(`parameters: [{ name: q, ${after} }]`),
  )
  return [...text.matchAll(/^(\w+) (\S+)$/gm)].map(([, level, rule]) => `${level} ${rule}`)
}

const TEXT = 'schema: { type: string }'
const LIST = 'schema: { type: array, items: { type: string } }'
const MORE = ['note request-max-items-raised']

describe('a scalar that becomes a list is judged by its text', () => {
  it.each<readonly [string, string, string, readonly string[]]>([
    ['in a query', `in: query, ${TEXT}`, `in: query, ${LIST}`, MORE],
    ['with commas', `in: query, ${TEXT}`, `in: query, explode: false, ${LIST}`, MORE],
    ['in a cookie', `in: cookie, ${TEXT}`, `in: cookie, ${LIST}`, MORE],
    [
      'of integers in a header',
      'in: header, schema: { type: integer }',
      'in: header, schema: { type: array, items: { type: integer } }',
      MORE,
    ],
    [
      'with one item at least',
      `in: query, ${TEXT}`,
      'in: query, schema: { type: array, minItems: 1, items: { type: string } }',
      MORE,
    ],
    [
      'with the same default',
      'in: query, schema: { type: string, default: a }',
      'in: query, schema: { type: array, items: { type: string }, default: [a] }',
      MORE,
    ],
    [
      'with two items at least',
      `in: query, ${TEXT}`,
      'in: query, schema: { type: array, minItems: 2, items: { type: string } }',
      ['error request-min-items-raised', ...MORE],
    ],
    [
      'of other items',
      `in: query, ${TEXT}`,
      'in: query, schema: { type: array, items: { type: integer } }',
      ['error request-type-narrowed', ...MORE],
    ],
    // A text with a comma is several items.
    [
      'of texts in a header',
      `in: header, ${TEXT}`,
      `in: header, ${LIST}`,
      ['error request-type-narrowed', 'note request-type-widened'],
    ],
    [
      'as JSON',
      `in: query, content: { application/json: { ${TEXT} } }`,
      `in: query, content: { application/json: { ${LIST} } }`,
      ['error request-type-narrowed', 'note request-type-widened'],
    ],
  ])('%s', async (_, before, after, expected) => {
    expect(await rulesOf(before, after)).toEqual(expected)
  })

  it('and one that no value is valid for is shown by a value that was sent', async () => {
    const [before, after] = [
      'in: header, schema: { type: integer }',
      'in: header, schema: { type: array, items: { type: string }, allOf: [{ type: integer }] }',
    ]
    const changes = await changesOf(
      orders(`parameters: [{ name: q, ${before} }]`),
      orders(`parameters: [{ name: q, ${after} }]`),
    )
    expect(changes.flatMap(({ witness }) => witness?.value ?? [])).toEqual([expect.any(Number)])
  })

  it('and a list that becomes a scalar is an error', async () => {
    expect(await rulesOf(`in: query, ${LIST}`, `in: query, ${TEXT}`)).toEqual([
      'error request-type-narrowed',
      'note request-type-widened',
    ])
  })
})

describe('a scalar field of a form that becomes a list is judged by its text', () => {
  const form = (type: string, schema: string, encoding = '') =>
    orders(
      `requestBody: { content: { ${type}: { schema: { type: object, properties: { q: ${schema}, other: { type: string } } }${encoding === '' ? '' : `, encoding: { q: ${encoding} }`} } } }`,
    )
  const rules = async (before: Texts, after: Texts) =>
    [...(await findingsOf(before, after)).matchAll(/^(\w+) (\S+)$/gm)].map(
      ([, level, rule]) => `${level} ${rule}`,
    )
  const URL_ENCODED = 'application/x-www-form-urlencoded'
  const PARTS = 'multipart/form-data'
  const text = '{ type: string }'
  const list = '{ type: array, items: { type: string } }'
  const integers = '{ type: array, items: { type: integer } }'
  const BROKEN = ['error request-type-narrowed', 'note request-type-widened']

  it.each<readonly [string, string, string, string, string, string, readonly string[]]>([
    ['in a URL-encoded form', URL_ENCODED, text, '', list, '', MORE],
    ['in a multipart form', PARTS, text, '', list, '', MORE],
    ['of integers', URL_ENCODED, '{ type: integer }', '', integers, '', MORE],
    ['of integers in parts', PARTS, '{ type: integer }', '', integers, '', MORE],
    ['with commas', URL_ENCODED, text, '', list, '{ style: form, explode: false }', MORE],
    ['with headers of the part', PARTS, text, '{ headers: {} }', list, '{ headers: {} }', MORE],
    [
      'with two items at least',
      URL_ENCODED,
      text,
      '',
      '{ type: array, minItems: 2, items: { type: string } }',
      '',
      ['error request-min-items-raised', ...MORE],
    ],
    [
      'of other items',
      URL_ENCODED,
      text,
      '',
      integers,
      '',
      ['error request-type-narrowed', ...MORE],
    ],
    // A text with a blank or a comma is several items.
    [
      'with blanks',
      URL_ENCODED,
      text,
      '',
      list,
      '{ style: spaceDelimited, explode: false }',
      [...BROKEN, 'error request-encoding-changed'],
    ],
    [
      'with commas in a part',
      PARTS,
      text,
      '',
      list,
      '{ style: form, explode: false }',
      [...BROKEN, 'error request-encoding-changed'],
    ],
    [
      'as JSON',
      PARTS,
      text,
      '{ contentType: application/json }',
      list,
      '{ contentType: application/json }',
      BROKEN,
    ],
  ])('%s', async (_, type, was, before, is, after, expected) => {
    expect((await rules(form(type, was, before), form(type, is, after))).toSorted()).toEqual(
      expected.toSorted(),
    )
  })

  it('also in a schema by name and in an allOf', async () => {
    const named = (schema: string): Texts =>
      orders(
        `requestBody: { content: { ${URL_ENCODED}: { schema: { $ref: '#/components/schemas/All' } } } }`,
        `components: { schemas: { Base: { type: object, properties: { q: ${schema} } }, All: { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { other: { type: string } } }] } } }`,
      )
    expect(await rules(named(text), named(list))).toEqual(MORE)
  })

  it('and a list that becomes a scalar, or JSON that becomes a list, is an error', async () => {
    expect(await rules(form(URL_ENCODED, list), form(URL_ENCODED, text))).toEqual(BROKEN)
    expect(await rules(form('application/json', text), form('application/json', list))).toEqual(
      BROKEN,
    )
  })
})

describe('a numeric format of a request', () => {
  const NARROWED = ['error request-format-narrowed']
  const CHANGED = ['warning request-format-changed']
  it.each<readonly [string, string, string, readonly string[]]>([
    ['int64 to int32', 'integer, format: int64', 'integer, format: int32', NARROWED],
    ['uint32 to int32', 'integer, format: uint32', 'integer, format: int32', NARROWED],
    ['int32 to uint32', 'integer, format: int32', 'integer, format: uint32', NARROWED],
    ['uint64 to uint8', 'integer, format: uint64', 'integer, format: uint8', NARROWED],
    ['double to float', 'number, format: double', 'number, format: float', NARROWED],
    ['int32 to int64', 'integer, format: int32', 'integer, format: int64', CHANGED],
    [
      'int64 to int32 within the bounds of both',
      'integer, format: int64, minimum: 0, maximum: 100',
      'integer, format: int32, minimum: 0, maximum: 100',
      CHANGED,
    ],
    ['date to date-time', 'string, format: date', 'string, format: date-time', CHANGED],
  ])('%s', async (_, before, after, expected) => {
    const at = (type: string) => `in: query, schema: { type: ${type} }`
    expect(await rulesOf(at(before), at(after))).toEqual(expected)
  })

  it('names a number that is lost', async () => {
    const at = (format: string) =>
      orders(`parameters: [{ name: q, in: query, schema: { type: integer, format: ${format} } }]`)
    expect(await findingsOf(at('int64'), at('int32'))).toMatchInlineSnapshot(`
      "error request-format-narrowed
        the format of the query parameter \`q\` of GET /orders/{id} is "int32" now, and was "int64": callers who send 2147483648 may be rejected
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep the format, or offer the smaller one in a property of its own"
    `)
  })
})

describe('a field of a form whose type changes is judged by what is written', () => {
  const INTEGER = '{ type: integer }'
  const BROKEN = 'request-type-narrowed'
  const nested = (type: string) => `{ type: object, properties: { n: { type: ${type} } } }`
  const items = (type: string) => `{ type: array, items: { type: ${type} } }`
  const JSON_FIELD = '{ contentType: application/json }'
  const DEEP = '{ style: deepObject, explode: true }'

  const operationOf = async (schema: string, type: string, encoding: string) => {
    const body = `content: { ${type}: { schema: { type: object, properties: { q: ${schema} } }${encoding === '' ? '' : `, encoding: { q: ${encoding} }`} } }`
    const texts = orders(`requestBody: { ${body} }`)
    const api = await loadApi({ openapi: parseDocument(texts.http ?? '', 'a.yaml') })
    const [operation] = api.operations
    const [media] = operation?.kind === 'http' ? (operation.body?.content ?? []) : []
    if (!media) throw new Error('no body')
    return { texts, media, validator: createChecker(api.schemas).schema(media.schema) }
  }

  /** The rules of diff, and whether the new version accepts what the old one writes for a value. */
  const judged = async (
    type: string,
    [was, before]: readonly [schema: string, encoding: string],
    [is, after]: readonly [schema: string, encoding: string],
    q: unknown,
  ) => {
    const [old, young] = [await operationOf(was, type, before), await operationOf(is, type, after)]
    const findings = await findingsOf(old.texts, young.texts)
    const { body, contentType } = writeBody({ q }, old.media)
    const raw = new Uint8Array(await new Response(body).arrayBuffer())
    const reading = readRequestBody([young.media], () => ({ validator: young.validator }), {
      contentType,
      content: { raw },
    })
    return {
      errors: [...findings.matchAll(/^error (\S+)$/gm)].map(([, rule]) => rule),
      isAccepted: reading.kind === 'value',
    }
  }

  describe.each(['application/x-www-form-urlencoded', 'multipart/form-data'])('%s', (type) => {
    it.each<
      [
        name: string,
        was: readonly [string, string],
        is: readonly [string, string],
        value: unknown,
        error: string | undefined,
      ]
    >([
      ['an integer, a text', [INTEGER, ''], ['{ type: string }', ''], 5, undefined],
      ['a text, an integer', ['{ type: string }', ''], [INTEGER, ''], 'a', BROKEN],
      ['a boolean, a text', ['{ type: boolean }', ''], ['{ type: string }', ''], true, undefined],
      ['an integer, a number', [INTEGER, ''], ['{ type: number }', ''], 5, undefined],
      ['integers, texts', [items('integer'), ''], [items('string'), ''], [1, 2], undefined],
      ['texts, integers', [items('string'), ''], [items('integer'), ''], ['a', 'b'], BROKEN],
      [
        'an integer as JSON, a text as JSON',
        [INTEGER, JSON_FIELD],
        ['{ type: string }', JSON_FIELD],
        5,
        BROKEN,
      ],
      [
        'a property of an object, which is JSON',
        [nested('integer'), ''],
        [nested('string'), ''],
        { n: 5 },
        BROKEN,
      ],
      [
        'a property of an object with a style',
        [nested('integer'), DEEP],
        [nested('string'), DEEP],
        { n: 5 },
        undefined,
      ],
    ])('%s', async (_, was, is, value, error) => {
      const { errors, isAccepted } = await judged(type, was, is, value)
      expect(errors).toEqual(error === undefined ? [] : [error])
      // Our servers read a scalar in JSON as a text, too; others may not.
      expect(isAccepted).toBe(error === undefined || was[1] === JSON_FIELD)
    })
  })
})
