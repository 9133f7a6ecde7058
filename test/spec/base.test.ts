import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../src/model/api.js'
import type { Finding } from '../../src/model/finding.js'
import { type Document, readDocument } from '../../src/read/document.js'
import { normalise } from '../../src/read/normalise.js'
import type { JsonObject } from '../../src/runtime/validate/json-value.js'
import type { Schema } from '../../src/schema/schema.js'
import { api, checker, SPEC } from './documents.js'

const base = readDocument(join(SPEC, 'schemas/base.yaml'))
const baseSchemas = base.value as Readonly<Record<string, JsonObject>>
const shared = [...api.schemas.values()].filter(({ usedBy }) => usedBy === 'both')

const DIALECTS: readonly Dialect[] = ['openapi-3.0', 'draft-07']

describe('the base types', () => {
  it('are one for both documents', () => {
    expect(shared.map(({ name }) => name)).toEqual(
      'Address Bytes Bytes256 Bytes32 Hash Log Receipt Uint256 Uint64'.split(' '),
    )
    const bundled = [api.http, api.rpc].map((document) => componentsOf(document?.bundled))
    for (const { name } of shared) expect(bundled[0]?.[name], name).toEqual(bundled[1]?.[name])
  })

  it('are used under their own names, so that no document has an address of its own', () => {
    const patterns = Object.values(baseSchemas).map(({ pattern }) => pattern)
    const copies = [...api.schemas.values()].filter(
      ({ name, schema }) =>
        typeof schema === 'object' && patterns.includes(schema.pattern) && !(name in baseSchemas),
    )
    expect(copies.map(({ name }) => name)).toEqual([])
  })

  const rows = [
    ...Object.entries(baseSchemas).map(([name, raw]) => [name, raw] as const),
    ...shared.map(
      ({ name }) => [name, componentsOf(api.http?.bundled)[name] as JsonObject] as const,
    ),
  ]
  it.each(rows)('%s reads alike in OpenAPI 3.0 and in draft-07', (_, raw) => {
    const [first, second] = DIALECTS.map((dialect) => reading(raw, dialect))
    expect(first).toEqual(second)
    expect(first?.findings).toEqual([])
    expect(wordsOnlyOneDialectHas(raw)).toEqual([])
  })

  it('would notice a schema that does not', () => {
    const bounded = { minimum: 1, exclusiveMinimum: true }
    expect(reading(bounded, 'openapi-3.0')).not.toEqual(reading(bounded, '2020-12'))
    expect(wordsOnlyOneDialectHas({ items: { type: ['string', 'null'] } })).toEqual(['type'])
    expect(wordsOnlyOneDialectHas({ not: { const: 1 } })).toEqual(['const'])
  })
})

describe('what fits a base type', () => {
  const digits = (count: number) => `0x${'aB'.repeat(count / 2)}`
  const sized: Readonly<Record<string, number>> = {
    Address: 40,
    Hash: 64,
    Bytes4: 8,
    Bytes8: 16,
    Bytes32: 64,
    Bytes48: 96,
    Bytes65: 130,
    Bytes256: 512,
  }

  it.each(Object.entries(sized))('%s: %i digits, no more and no fewer', (name, count) => {
    expect(verdicts(name, digits(count), digits(count + 2), digits(count - 2))).toEqual([
      true,
      false,
      false,
    ])
    expect(verdicts(name, digits(count).slice(2), digits(count).toUpperCase())).toEqual([
      false,
      false,
    ])
    expect(verdicts(name, `${digits(count)}\n`, ` ${digits(count)}`, 7, null)).not.toContain(true)
    expect(verdicts(name, `${digits(count).slice(0, -1)}g`)).toEqual([false])
  })

  it.each(['Uint64', 'Uint256'])('%s: the fewest digits, no leading zero', (name) => {
    expect(verdicts(name, '0x0', '0x1', '0xff', '0xFf', '0x100')).not.toContain(false)
    expect(
      verdicts(
        name,
        '0x',
        '0x00',
        '0x01',
        '0x0f',
        '0',
        '10',
        'ff',
        '0xg',
        '-0x1',
        '0X1',
        '0x1 ',
        1,
      ),
    ).not.toContain(true)
  })

  it('quantities that fit their bits', () => {
    expect(verdicts('Uint64', `0x${'f'.repeat(16)}`, `0x1${'0'.repeat(16)}`)).toEqual([true, false])
    expect(verdicts('Uint256', `0x${'f'.repeat(64)}`, `0x1${'0'.repeat(64)}`)).toEqual([
      true,
      false,
    ])
  })

  it('Bytes: an even number of digits, or none', () => {
    expect(verdicts('Bytes', '0x', '0x00', '0xaBcD', digits(4000))).not.toContain(false)
    expect(verdicts('Bytes', '0x0', '0xabc', '', '00', '0xzz', '0x00\n')).not.toContain(true)
  })

  it('BytesMax32: up to 64 digits, odd ones too', () => {
    expect(verdicts('BytesMax32', '0x', '0x0', '0x0f', digits(64))).not.toContain(false)
    expect(verdicts('BytesMax32', digits(66), '0xg', '1')).not.toContain(true)
  })

  function verdicts(name: string, ...values: readonly unknown[]): readonly boolean[] {
    // Not every base type is used by our documents yet, and so none of the Api.
    const schema = baseSchemas[name]
    if (!schema) throw new Error(`base.yaml has no ${name}`)
    const { schema: read } = reading(schema, 'draft-07')
    return values.map((value) => checker.schema(read).check(value))
  }
})

describe('the HTTP document', () => {
  it('says in its schemas only what OpenAPI 3.0 knows', () => {
    const strange = Object.entries(componentsOf(api.http?.bundled)).flatMap(([name, schema]) =>
      wordsOnlyOneDialectHas(schema).map((word) => `${name}: ${word}`),
    )
    expect(strange).toEqual([])
  })
})

type Reading = { readonly schema: Schema; readonly findings: readonly Finding[] }

function reading(raw: JsonObject, dialect: Dialect): Reading {
  const findings: Finding[] = []
  const here = { document: base as Document, pointer: '' }
  const schema = normalise(raw, {
    dialect,
    here,
    originOf: () => here,
    record: () => {},
    refer: (ref) => `#/components/schemas/${ref.split('/').at(-1)}`,
    named: () => undefined,
    resolve: () => undefined,
    counting: false,
    report: (finding) => findings.push(finding),
  })
  return { schema, findings }
}

/** The keywords of a schema, at every depth, that OpenAPI 3.0 and draft-07 do not both have. */
function wordsOnlyOneDialectHas(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([word, value]) => {
    if (word.startsWith('x-') || PLAIN.has(word)) return []
    if (word === 'type') return ['object', 'array', ...SCALARS].includes(value) ? [] : ['type']
    if (word === 'properties') return Object.values(value).flatMap(wordsOnlyOneDialectHas)
    if (word === 'items' && Array.isArray(value)) return ['items']
    if (LISTS.has(word)) return (value as readonly unknown[]).flatMap(wordsOnlyOneDialectHas)
    return NESTED.has(word) ? wordsOnlyOneDialectHas(value) : [word]
  })
}

const SCALARS = ['string', 'number', 'integer', 'boolean']
const LISTS = new Set(['allOf', 'anyOf', 'oneOf'])
const NESTED = new Set(['items', 'not', 'additionalProperties'])
const PLAIN = new Set(
  `$ref title description default enum format pattern required minimum maximum multipleOf minLength
  maxLength minItems maxItems uniqueItems minProperties maxProperties`.split(/\s+/),
)

function componentsOf(bundled: JsonObject | undefined): Readonly<Record<string, JsonObject>> {
  const components = bundled?.components as { readonly schemas?: Record<string, JsonObject> }
  return components?.schemas ?? {}
}
