import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'

/** Numbers that are the same as doubles. */
const [LOWER, UPPER] = ['9007199254740992', '9007199254740993']

const yaml = (schema: string) => `openapi: 3.1.0
info: { title: Numbers, version: '1' }
paths:
  /things:
    post:
      operationId: postThing
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/Thing' }
      responses: { '204': { description: Done. } }
components:
  schemas:
    Thing: ${schema}
`

const json = (schema: string) => `{
  "openapi": "3.1.0",
  "info": { "title": "Numbers", "version": "1" },
  "paths": { "/things": { "post": {
    "operationId": "postThing",
    "requestBody": { "required": true, "content": { "application/json": {
      "schema": { "$ref": "#/components/schemas/Thing" } } } },
    "responses": { "204": { "description": "Done." } } } } },
  "components": { "schemas": { "Thing": ${schema} } }
}`

const compared = async (before: string, after: string, ending: string) => {
  const folder = await folderOf({ [`old.${ending}`]: before, [`new.${ending}`]: after })
  return twinspec(
    ...['diff', '--openapi', join(folder, `new.${ending}`)],
    ...['--against', join(folder, `old.${ending}`)],
  )
}

describe('diff of numbers that a double does not hold exactly', () => {
  const schemas: readonly (readonly [string, (number: string) => string])[] = [
    ['maximum', (number) => `{ "type": "integer", "maximum": ${number} }`],
    ['exclusiveMinimum', (number) => `{ "type": "integer", "exclusiveMinimum": ${number} }`],
    ['multipleOf', (number) => `{ "type": "integer", "multipleOf": ${number} }`],
    ['maxLength', (number) => `{ "type": "string", "maxLength": ${number} }`],
    ['const', (number) => `{ "const": { "id": ${number} } }`],
    ['enum', (number) => `{ "enum": [1, ${number}] }`],
    ['default', (number) => `{ "type": "integer", "default": ${number} }`],
    [
      'a property',
      (number) => `{ "type": "object", "properties": { "id": { "minimum": ${number} } } }`,
    ],
  ]
  it.each(schemas)('a change of %s is a finding with both numbers', async (_, schema) => {
    for (const [ending, document] of [
      ['json', json],
      ['yaml', yaml],
    ] as const) {
      const { stdout, stderr } = await compared(
        document(schema(UPPER)),
        document(schema(LOWER)),
        ending,
      )
      expect(stdout).toContain('number-change-is-undecided')
      expect(stdout).toContain(`the number is ${LOWER} now (it was ${UPPER})`)
      expect(stdout + stderr).not.toContain('nothing changed')
    }
  })

  it('a change of a decimal is a finding', async () => {
    const schema = (number: string) => json(`{ "type": "number", "maximum": ${number} }`)
    const { stdout } = await compared(schema('0.1'), schema('0.10000000000000000001'), 'json')
    expect(stdout).toContain('number-change-is-undecided')
  })

  it('the same number in other digits is no change', async () => {
    const schema = (number: string) => json(`{ "type": "number", "maximum": ${number} }`)
    const pairs = [
      [UPPER, UPPER],
      ['9007199254740993', '9007199254740993.0'],
      ['90071992547409930e-1', '9007199254740993'],
      ['1e2', '100.00000000000000000000'],
    ]
    for (const [before = '', after = ''] of pairs) {
      const { code, stdout, stderr } = await compared(schema(before), schema(after), 'json')
      expect(code).toBe(0)
      expect(stdout).toBe('')
      expect(stderr).toContain('nothing changed')
    }
  })

  it('no caller depends on an example', async () => {
    const schema = (number: string) => json(`{ "type": "integer", "examples": [${number}] }`)
    const { code, stdout } = await compared(schema(UPPER), schema(LOWER), 'json')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^differs without an effect\n/)
  })
})
