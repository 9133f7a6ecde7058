import { expect, test } from 'vitest'
import { emitAll } from '../../../src/emit/emit.js'
import type { Api } from '../../../src/model/api.js'
import { apiOfData } from '../../docs/site-of.js'
import { api as serviceApi } from '../../spec/documents.js'
import { diagnose } from '../strictest.js'
import { LIBRARIES, type LibraryName } from './imported.js'

/** How a library calls the type of the values of a schema. */
const VALUE_OF: Readonly<Record<LibraryName, readonly [imports: string, type: string]>> = {
  zod: ["import type * as z from 'zod'", 'S extends z.ZodType ? z.infer<S> : never'],
  valibot: [
    "import type * as v from 'valibot'",
    'S extends v.GenericSchema ? v.InferOutput<S> : never',
  ],
}

/** A file in which a type differs from `never` if the two have different types for a named schema. */
const comparing = (library: LibraryName, api: Api): string => {
  const [imports, type] = VALUE_OF[library]
  const kinds = (['http', 'rpc'] as const).filter((kind) => api[kind])
  const checks = kinds.map(
    (kind) => `
import type { components as ${kind} } from './${kind}.types.js'
type ${kind}Differs = Differing<Pick<Values, keyof Values & keyof ${kind}['schemas']>, Pick<${kind}['schemas'], keyof Values & keyof ${kind}['schemas']>>
export const ${kind}Check: [${kind}Differs] extends [never] ? 'equal' : ${kind}Differs = 'equal'
export const ${kind}All: keyof ${kind}['schemas'] extends keyof Values ? 'all' : Exclude<keyof ${kind}['schemas'], keyof Values> = 'all'`,
  )
  return `${imports}
import type { Differing } from '../test/types/equal.js'
import type * as schemas from './${library}.js'
type Exports = typeof schemas
type ValueOf<S> = ${type}
type Values = { [K in keyof Exports]: ValueOf<Exports[K]> }
${checks.join('\n')}
`
}

const string = { type: 'string' }
const documents: Readonly<Record<string, object>> = {
  'an order with lines': {
    Order: {
      type: 'object',
      required: ['id', 'lines', 'status'],
      additionalProperties: false,
      properties: {
        id: string,
        status: { enum: ['open', 'paid'] },
        note: { type: ['string', 'null'], maxLength: 20 },
        lines: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Line' } },
      },
    },
    Line: {
      type: 'object',
      required: ['quantity'],
      properties: { quantity: { type: 'integer', minimum: 1 }, price: { type: 'number' } },
    },
    Prices: { type: 'object', additionalProperties: { type: 'number' } },
    Anything: { type: 'object' },
    Nothing: { type: 'object', additionalProperties: false },
  },
  'a recursive union': {
    Expression: {
      oneOf: ['Sum', 'Negation', 'Value'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    },
    Sum: {
      type: 'object',
      required: ['kind', 'left', 'right'],
      properties: {
        kind: { const: 'sum' },
        left: { $ref: '#/components/schemas/Expression' },
        right: { $ref: '#/components/schemas/Expression' },
      },
    },
    Negation: {
      type: 'object',
      required: ['kind', 'of'],
      properties: { kind: { const: 'not' }, of: { $ref: '#/components/schemas/Expression' } },
    },
    Value: {
      type: 'object',
      required: ['kind', 'value'],
      properties: { kind: { enum: ['value', 'number'] }, value: true },
    },
    Tree: {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
    },
  },
  'what a library does not have': {
    Base: { type: 'object', required: ['id'], properties: { id: string } },
    Extended: {
      allOf: [
        { $ref: '#/components/schemas/Base' },
        { type: 'object', properties: { more: { type: 'boolean' } } },
      ],
    },
    Mixed: {
      type: 'object',
      required: ['name'],
      properties: { name: string },
      additionalProperties: string,
    },
    Loose: { type: 'object', properties: { name: string }, additionalProperties: true },
    Patterns: { type: 'object', patternProperties: { '^x-': { type: 'number' } } },
    Inherited: { type: 'object', properties: { toString: string, constructor: string } },
    Hash: { type: 'string', pattern: '^0x[0-9a-f]{64}$' },
    Pair: { type: 'array', prefixItems: [string, { type: 'number' }], minItems: 2, maxItems: 2 },
    Tail: { type: 'array', prefixItems: [string, { type: 'number' }], minItems: 1, items: false },
    Rest: { type: 'array', prefixItems: [string], minItems: 1, items: { type: 'number' } },
    Point: { const: { x: 1, y: [true, null] } },
    Some: { enum: [1, 'a', null, false] },
    Either: { anyOf: [string, { type: 'number' }] },
    Forbidden: { type: 'object', properties: { never: false, some: true } },
  },
}

const textsOf = (api: Api, library: LibraryName): ReadonlyMap<string, string> =>
  new Map([
    ...emitAll(api, [library], ['types', 'client', 'validators'])
      .filter(({ name }) => name.endsWith('.ts'))
      .map(({ name, text }) => [name, text] as const),
    ['comparing.ts', comparing(library, api)],
  ])

const apiOf = (schemas: object): Promise<Api> =>
  apiOfData({
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Test', version: '1' },
      paths: {},
      components: { schemas },
    },
  })

test.each(
  LIBRARIES.flatMap((library) => Object.keys(documents).map((name) => [library, name] as const)),
)('%s has the types of the documents: %s', async (library, name) => {
  const api = await apiOf(documents[name] ?? {})
  expect(diagnose(textsOf(api, library))).toEqual([])
})

test.each(LIBRARIES)('%s has the types of the service', (library) => {
  expect(diagnose(textsOf(serviceApi, library))).toEqual([])
})

test.each(LIBRARIES)('%s: a type that differs is found', async (library) => {
  const texts = textsOf(await apiOf(documents['an order with lines'] ?? {}), library)
  const changed = new Map(texts).set(
    `${library}.ts`,
    (texts.get(`${library}.ts`) ?? '').replace('quantity', 'count'),
  )
  expect(diagnose(changed).join()).toContain('httpDiffers')
})
