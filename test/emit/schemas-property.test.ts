import '../fixed-seed.js'
import fc from 'fast-check'
import * as typebox from 'typebox'
import { Value } from 'typebox/value'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { emitSchemas } from '../../src/emit/schemas.js'
import { createChecker } from '../../src/schema/check.js'
import { apiOf, openapiOf } from '../read/api-of.js'
import { arbitrarySchema, arbitraryValue, type PlainSchema } from '../runtime/arbitrary-schema.js'
import { countRuns, sized } from '../trials/size.js'

const runs = { numRuns: Number(process.env.RUNS ?? sized(200, 5_000)) }

test('TypeBox reads what is printed of any schema as our validators read the schema', async () => {
  countRuns(runs.numRuns)
  const values = fc.array(arbitraryValue(), { minLength: 10, maxLength: 20 })
  const schemas = arbitrarySchema().filter(typeboxIsRightOn)
  await fc.assert(
    fc.asyncProperty(schemas, values, async (schema, given) => {
      const { ours, theirs, text } = await bothOf(schema)
      for (const value of given) {
        expect([value, theirs(value), text]).toEqual([value, ours(value), text])
      }
    }),
    runs,
  )
})

/** What chance seldom meets: each differed once. */
test.each<[PlainSchema, unknown, boolean]>([
  [{ enum: ['a', 'bbb'], maxLength: 1 }, 'bbb', false],
  [{ enum: ['a', 'b'], allOf: [{ const: 'a' }] }, 'b', false],
  [{ type: 'string', const: 5 }, 5, false],
  [{ type: ['string', 'null'], enum: ['a', null, 1] }, 1, false],
  [{ properties: { a: { type: 'string' } } }, 7, true],
  [{ additionalProperties: { type: 'string' } }, 5, true],
  [{ additionalProperties: { type: 'string' } }, { a: 5 }, false],
  [
    {
      type: 'object',
      properties: { a: { type: 'string' } },
      allOf: [{ properties: { b: { type: 'string' } } }],
      unevaluatedProperties: false,
    },
    { a: '', b: '' },
    true,
  ],
  [
    {
      allOf: [{ type: 'object', properties: { b: { type: 'string' } } }],
      unevaluatedProperties: false,
    },
    { b: '' },
    true,
  ],
  [{ type: 'object', additionalProperties: { type: 'number' } }, { 'a\nb': '' }, false],
  [{ type: 'object', patternProperties: { '^x': { type: 'number' } } }, { x: '' }, false],
  [{ type: 'object', required: ['a'], additionalProperties: true }, {}, false],
  [{ type: ['object', 'null'], properties: {}, required: ['a'] }, null, true],
  [
    { type: 'object', properties: { ['__proto__']: { type: 'number' } } },
    JSON.parse('{"__proto__":""}'),
    false,
  ],
])('%j reads %j as %s', async (schema, value, verdict) => {
  const { ours, theirs } = await bothOf(schema)
  expect([ours(value), theirs(value)]).toEqual([verdict, verdict])
})

/** One schema as our validators hold it, and as TypeBox holds what we print of it. */
async function bothOf(schema: PlainSchema) {
  const api = await apiOf({ openapi: openapiOf({ version: '3.1.0', schemas: { S: schema } }) })
  const { text } = emitSchemas(api)
  const printed = run(text).S as typebox.TSchema
  const ours = createChecker(api.schemas).named('S').check
  return { ours, theirs: (value: unknown) => Value.Check(printed, value), text }
}

/** What a generated file of schemas exports, without a file. */
function run(text: string): Record<string, unknown> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
  })
  const exported = {}
  new Function('exports', 'require', outputText)(exported, () => typebox)
  return exported
}

/**
 * Where TypeBox 1.4 leaves 2020-12: under `unevaluatedItems` and `unevaluatedProperties`, what a member
 * or an item has evaluated of itself counts for the whole (core 11.2, 11.3), and the latter refuses
 * values that are no objects.
 */
const typeboxIsRightOn = (schema: PlainSchema): boolean =>
  !/"unevaluated(Items|Properties)":/.test(JSON.stringify(schema))
