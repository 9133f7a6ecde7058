import { describe, expect, test } from 'vitest'
import { inOneFile } from '../../../src/emit/declaration.js'
import { emitValidators } from '../../../src/emit/validators.js'
import type { Schema } from '../../../src/schema/schema.js'
import { cpuClock } from '../../cpu-time.js'
import { apiOfSchemas, interpret, runWritten, verdictsOf } from './written.js'

const closed: Schema = {
  type: 'object',
  properties: { z: { type: 'string' } },
  additionalProperties: false,
}

/** A schema in a schema, with nothing named between, and what is wrapped `levels` times. */
const WRAPPED: readonly (readonly [string, (inner: Schema) => Schema, Schema])[] = [
  [
    'oneOf whose branches may both match',
    (inner) => ({ type: 'object', oneOf: [{ required: ['a'] }, inner] }),
    { required: ['x'] },
  ],
  [
    'oneOf below which an object is closed',
    (inner) => ({ oneOf: [{ type: 'object', required: ['a'] }, inner] }),
    closed,
  ],
  [
    'oneOf within what is closed by unevaluatedProperties',
    (inner) => ({
      properties: { b: true },
      oneOf: [{ properties: { a: true }, required: ['a'] }, inner],
    }),
    { properties: { z: true }, required: ['z'], unevaluatedProperties: false },
  ],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  ['if', (inner) => ({ if: inner, then: { required: ['b'] }, else: { type: 'object' } }), closed],
]

const wrap = (wrapped: (inner: Schema) => Schema, inner: Schema, levels: number): Schema =>
  levels === 0 ? inner : wrapped(wrap(wrapped, inner, levels - 1))

const VALUES = [
  {},
  { a: 1 },
  { b: 1 },
  { x: 1 },
  { z: 'z' },
  { z: 'z', more: 1 },
  { a: 1, z: 'z' },
  5,
]

// The few levels come first: where each doubles what it takes, they say so, and the many would never end.
describe.each(WRAPPED)('%s, in itself', (_, wrapped, inner) => {
  test.each([[8], [30], [120]])('%i times, is written and asked at once', async (levels) => {
    const schemas = { Deep: wrap(wrapped, inner, levels) }
    const used = cpuClock()
    expect(inOneFile(emitValidators(apiOfSchemas(schemas))).text.length).toBeLessThan(
      3_000 * levels ** 2,
    )
    const written = (await runWritten(schemas)).Deep
    for (const value of VALUES) {
      written?.check(value)
      written?.open?.(value)
    }
    expect(used()).toBeLessThan(100 * levels + 3_000)
  })

  test('says what the run-time checker says', async () => {
    for (const levels of [1, 2, 3, 5, 8]) {
      const schemas = { Deep: wrap(wrapped, inner, levels) }
      const { Deep } = await runWritten(schemas)
      if (Deep === undefined) throw new Error('nothing was written')
      for (const value of VALUES) {
        const { written, interpreted } = verdictsOf(Deep, interpret(schemas)('Deep'), value)
        expect({ levels, value, ...written }).toEqual({ levels, value, ...interpreted })
      }
    }
  })
})
