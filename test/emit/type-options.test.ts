import { join, resolve } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { type TypeOption, typeOptionNames } from '../../src/emit/type-options.js'
import { folderOf, twinspec } from '../cli/command-line.js'
import { compileErrors } from '../compile.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

const openapi = openapiOf({
  paths: {
    '/pets/{petId}': {
      get: {
        operationId: 'getPet',
        parameters: [
          { name: 'petId', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'verbose', in: 'query', schema: { type: 'boolean' } },
          { name: 'all', in: 'query', deprecated: true, schema: { type: 'boolean' } },
        ],
        responses: {
          200: { description: 'A pet.', ...json({ $ref: '#/components/schemas/Pet' }) },
        },
      },
    },
    '/old': {
      get: {
        operationId: 'getOld',
        deprecated: true,
        responses: { 204: { description: 'Old.' } },
      },
    },
  },
  schemas: {
    Pet: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        age: { type: 'integer', deprecated: true },
        friends: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
        kind: { type: 'string', default: 'cat' },
      },
    },
    Open: { type: 'object', properties: { b: { type: 'string' }, a: { type: 'string' } } },
    Names: { type: 'array', items: { type: 'string' }, minItems: 2 },
    Many: { type: 'array', items: { type: 'string' }, maxItems: 50 },
    Place: {
      type: 'array',
      prefixItems: [{ type: 'number' }, { type: 'number' }],
      items: false,
      minItems: 2,
    },
  },
})
const api = apiOf({ openapi: { ...openapi, openapi: '3.1.0' } })

const typesWith = async (...options: readonly TypeOption[]): Promise<string> =>
  emitAll(await api, [], ['types'], options)[0]?.text ?? ''

/** A declaration on one line. */
const declared = (text: string, name: string): string =>
  (
    new RegExp(`^export type ${name} = [\\s\\S]*?(?=^export|(?![\\s\\S]))`, 'm').exec(text)?.[0] ??
    ''
  )
    .replace(/\/\*\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim()

describe('types alone', () => {
  it('immutable: properties and lists are readonly', async () => {
    const text = await typesWith('immutable')
    expect(declared(text, 'Pet')).toBe(
      'export type Pet = { readonly name: string readonly age?: number readonly friends?: readonly string[] readonly kind?: string }',
    )
    expect(declared(text, 'Place')).toBe('export type Place = readonly [ number, number ]')
    expect(text).toContain('readonly get: operations')
  })

  it('array-length: lists of few items are tuples', async () => {
    const text = await typesWith('array-length')
    expect(declared(text, 'Pet')).toContain('friends?: [ string ] | [ string, string ]')
    expect(declared(text, 'Names')).toBe('export type Names = [ string, string, ...string[] ]')
    expect(declared(text, 'Many')).toBe('export type Many = string[]')
  })

  it('exclude-deprecated: operations, parameters and properties are left out', async () => {
    const text = await typesWith('exclude-deprecated')
    expect(text).not.toMatch(/getOld|'\/old'|\bage\b|\ball\?/)
    expect(text).toMatch(/verbose\?/)
  })

  it('default-non-nullable: a property with a default is required', async () => {
    expect(declared(await typesWith('default-non-nullable'), 'Pet')).toContain(' kind: string')
  })

  it('properties-required-by-default: where a schema lists none', async () => {
    const text = await typesWith('properties-required-by-default')
    expect(declared(text, 'Open')).toBe('export type Open = { b: string a: string }')
    expect(declared(text, 'Pet')).toContain('kind?: string')
  })

  it('additional-properties: objects have others', async () => {
    expect(declared(await typesWith('additional-properties'), 'Open')).toContain(
      '[key: string]: unknown',
    )
  })

  it('path-params-as-types: a key accepts values', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a type of TypeScript.
    expect(await typesWith('path-params-as-types')).toContain('[path: `/pets/${number}`]: {')
  })

  it('alphabetize: everything is sorted', async () => {
    const text = await typesWith('alphabetize')
    expect(declared(text, 'Open')).toBe('export type Open = { a?: string b?: string }')
    expect(text.indexOf("'/old'")).toBeLessThan(text.indexOf("'/pets/{petId}'"))
    expect(text.indexOf('all?')).toBeLessThan(text.indexOf('verbose?'))
  })

  it('all of them at once are types', async () => {
    const path = resolve('test/emit/http.types.ts')
    const texts = new Map([[path, await typesWith(...typeOptionNames)]])
    expect(compileErrors({ files: [path], texts })).toEqual([])
  })
})

test('a client needs its types as they are', async () => {
  const file = join(await folderOf({ 'api.json': JSON.stringify(openapi) }), 'api.json')
  const { code, stderr } = await twinspec('generate', file, '--type-options', 'immutable')
  expect([code, stderr]).toEqual([2, expect.stringContaining('add --only types')])
  const wrong = await twinspec('generate', file, '--only', 'types', '--type-options', 'imutable')
  expect(wrong.stderr).toContain('--type-options cannot be "imutable": did you mean immutable?')
})
