import { expect, test } from 'vitest'
import { printHttpTypes } from '../../src/emit/openapi-types.js'
import { lint } from '../../src/lint/lint.js'
import { DocumentError } from '../../src/model/finding.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
import { createChecker } from '../../src/schema/check.js'
import { apiOf, openapiOf } from './api-of.js'

const findingsOf = async (schema: object, version = '3.1.0'): Promise<readonly string[]> => {
  const openapi = openapiOf({ version, schemas: { One: schema } })
  const findings = await apiOf({ openapi }).then(
    (api) => lint(api, { only: ['schema-keyword-invalid'] }),
    (error) => (error instanceof DocumentError ? error.findings : Promise.reject(error)),
  )
  return findings.map(({ level, location, message }) => {
    const [, place] = location.pointer.split('/One/')
    return `${level} ${place} ${message}`
  })
}

// biome-ignore format: a row each
test.each([
  [{ required: 'title' }, 'warning required required must be a list: required is ignored here'],
  [{ required: true }, 'warning required required must be a list of names, next to the properties of an object: it is ignored'],
  [{ required: [1] }, 'warning required required must be a list of strings: put each name in quotes'],
  [{ required: ['a', 'a'] }, 'warning required required must be a list of distinct names, and a is in it twice'],
  [{ uniqueItems: 'yes' }, 'warning uniqueItems uniqueItems must be true or false: uniqueItems is ignored here'],
  [{ items: [{ type: 'string' }] }, 'warning items items must be a schema: for a list of schemas, one for each position, use prefixItems'],
  [{ minimum: 1, exclusiveMinimum: true }, 'warning exclusiveMinimum exclusiveMinimum must be a number: true and false are allowed only in OpenAPI 3.0; write the minimum here'],
  [{ $defs: 3 }, 'warning $defs $defs must be an object of schemas'],
  [{ discriminator: 'kind' }, 'warning discriminator discriminator must be an object with a propertyName'],
  [{ readOnly: 'yes' }, 'warning readOnly readOnly must be true or false'],
  [{ examples: 3 }, 'warning examples examples must be a list of values'],
])('%j is reported', async (schema, due) => {
  expect(await findingsOf(schema)).toEqual([due])
})

test('what OpenAPI 3.0 writes otherwise is reported of 3.1 alone', async () => {
  expect(await findingsOf({ minimum: 1, exclusiveMinimum: true }, '3.0.3')).toEqual([])
})

test.each(['enum', 'oneOf', 'anyOf'])(
  'an empty %s is a warning, and accepts no value',
  async (key) => {
    const openapi = openapiOf({ version: '3.1.0', schemas: { One: { type: 'string', [key]: [] } } })
    const api = await apiOf({ openapi })
    const found = lint(api, { only: ['schema-accepts-nothing'] })
    expect(found.map(({ level, location }) => `${level} ${location.pointer}`)).toEqual([
      `warning /components/schemas/One/${key}`,
    ])
    expect(createChecker(api.schemas).named('One').check('a')).toBe(false)
  },
)

const Node = { $ref: '#/components/schemas/Node' }
const requiring = (child: object, type: unknown = 'object') => ({
  ...{ type, properties: { child }, required: ['child'] },
})

test.each([
  [requiring(Node), true],
  [requiring({ type: 'array', items: Node, minItems: 1 }), true],
  [requiring({ oneOf: [Node, requiring(Node)] }), true],
  [{ allOf: [requiring({ $ref: '#/components/schemas/Other' })] }, true],
  [{ ...requiring(Node), required: [] }, false],
  [requiring(Node, ['object', 'null']), false],
  [requiring({ type: 'array', items: Node }), false],
  [requiring({ anyOf: [Node, { type: 'null' }] }), false],
  [requiring({ allOf: [Node], readOnly: true }), false],
])('a schema that requires itself without end accepts nothing: %j', async (schema, isFound) => {
  const schemas = { Node: schema, Other: requiring(Node) }
  const api = await apiOf({ openapi: openapiOf({ version: '3.1.0', schemas }) })
  const found = lint(api, { only: ['schema-accepts-nothing'] })
  expect(found.map(({ location }) => location.pointer)).toEqual(
    isFound ? ['/components/schemas/Node', '/components/schemas/Other'] : [],
  )
})

// biome-ignore format: a row each
test.each([
  ['{ type: string, enum: [1, 2] }', ['1', '2'], [1, 2]],
  ['{ type: string, enum: [1.0, 1.10, 2e3] }', ['1.0', '1.10', '2e3'], [1, '1', '1.1', '2000']],
  ['{ type: string, enum: [yes, true, "true"] }', ['yes', 'true'], [true]],
  ['{ type: [string, "null"], enum: [1, null] }', ['1', null], [1]],
  ['{ type: integer, enum: ["1", two, 3] }', [1, 3], ['1', 'two']],
  ['{ type: boolean, enum: ["true"] }', [true], ['true', false]],
  ['{ type: string, const: 5 }', ['5'], [5]],
  ['{ type: array, items: { type: string, enum: [1] } }', [['1']], [[1]]],
  ['{ allOf: [{ type: string }, { enum: [1] }] }', [], [1, '1']],
  ['{ type: "null", enum: [a] }', ['a'], [null]],
])('a listed value of another type is read as its text says: %s', async (schema, right, wrong) => {
  const text = `{ openapi: 3.1.0, info: { title: T, version: '1' }, paths: {}, components: { schemas: { One: ${schema} } } }`
  const api = await loadApi({ openapi: parseDocument(text, 'api.yaml') })
  const { check } = createChecker(api.schemas).named('One')
  expect(right.filter((value) => !check(value))).toEqual([])
  expect(wrong.filter((value) => check(value))).toEqual([])
})

test('of a type and an enum that contradict each other, the enum says what is sent (Okta)', async () => {
  const One = { type: 'object', enum: ['PUSH', 'DO_NOT_PUSH'] }
  const api = await apiOf({ openapi: openapiOf({ schemas: { One } }) })
  const found = lint(api, { only: ['enum-value-has-wrong-type'] })
  expect(found.map(({ location }) => location.pointer)).toHaveLength(2)
  const checker = createChecker(api.schemas).named('One')
  expect([checker.check('PUSH'), checker.check({}), checker.check('OTHER')]).toEqual([
    ...[true, false, false],
  ])
  expect(printHttpTypes(api).schemas[0]?.listed).toContain("'PUSH' | 'DO_NOT_PUSH'")
})
