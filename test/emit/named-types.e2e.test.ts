import { expect, test } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { kindNames } from '../../src/emit/kinds.js'
import { answering, apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'
import { diagnose } from './strictest.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** A property called as the list of all schemas is, schemas called as types of the file are, and some that hold themselves. */
const schemas = {
  Pet: {
    type: 'object',
    description: 'An animal; at home.',
    required: ['name', 'schemas'],
    properties: { name: ref('Name'), schemas: { type: 'array', items: ref('Forest') } },
  },
  Name: { type: 'string' },
  Forest: { anyOf: [ref('Name'), { type: 'array', items: ref('Forest') }] },
  paths: { type: 'object', properties: { pet: ref('Pet') } },
  Blob: { type: 'object', properties: { data: { type: 'string', format: 'binary' } } },
}

const api = await apiOf({
  openapi: openapiOf({
    schemas,
    paths: {
      '/': {
        parameters: [
          {
            name: 'schemas',
            in: 'query',
            schema: { type: 'object', properties: { a: ref('Name') } },
          },
        ],
        ...answering({ anyOf: [ref('Pet'), ref('paths'), ref('Blob')] }),
      },
    },
  }),
  openrpc: openrpcOf({
    methods: [
      method('pet_find', [{ name: 'name', schema: ref('Name') }], ref('Pet')),
      method('Pet-Find', [], { type: 'array', items: ref('Pet') }),
      method('pet_list', [], ref('operations')),
    ],
    schemas: {
      Pet: schemas.Pet,
      Name: schemas.Name,
      Forest: schemas.Forest,
      operations: schemas.paths,
    },
  }),
})
const texts = new Map(emitAll(api, [], kindNames).map(({ name, text }) => [name, text]))

test('each named schema is a type of its name, unless something else is', () => {
  const text = texts.get('http.types.ts') ?? ''
  const start = text.indexOf('/** An animal')
  expect(text.slice(start, text.indexOf('export type ReadOperation'))).toMatchInlineSnapshot(`
    "/** An animal; at home. */
    export type Pet = {
      name: Name
      schemas: Forest[]
    }

    export interface components {
      schemas: {
        Blob: {
          data?: Blob
        }
        Forest: Forest
        Name: Name
        Pet: Pet
        paths: {
          pet?: Pet
        }
      }
    }

    "
  `)
})

test('whatever refers to one says its name', () => {
  expect(texts.get('http.types.ts')).toMatch(/export type ReadResult =\s+\|? ?Pet\b/)
  expect(texts.get('rpc.types.ts')).toMatch(/schemas: Forest\[\]$/m)
})

test('a method has types of its name, for its params, its result and its errors', () => {
  const text = texts.get('rpc.types.ts') ?? ''
  const start = text.indexOf('export type PetFindInput')
  expect(text.slice(start)).toMatchInlineSnapshot(`
    "export type PetFindInput = [name?: Name | undefined]
    export type PetFindResult = Pet
    export type PetFindError = never

    export type PetFind2Input = []
    export type PetFind2Result = Pet[]
    export type PetFind2Error = never

    export type PetListInput = []
    export type PetListResult = operations
    export type PetListError = never

    /** Method name -> the types of its params and its result. */
    export type RpcMethods = {
      pet_find: {
        params: PetFindInput
        named: { name?: Name }
        result: PetFindResult
      }
      'Pet-Find': { params: PetFind2Input; result: PetFind2Result }
      pet_list: { params: PetListInput; result: PetListResult }
    }
    "
  `)
})

test('the types of JSON-RPC are those of its schemas', () => {
  const names = texts.get('rpc.types.ts')?.matchAll(/^(?:export )?(?:type|interface) (\w+)/gm)
  expect([...(names ?? [])].map(([, name]) => name)).toEqual([
    'Forest',
    'Name',
    'Pet',
    'operations',
    'components',
    ...['PetFindInput', 'PetFindResult', 'PetFindError'],
    ...['PetFind2Input', 'PetFind2Result', 'PetFind2Error'],
    ...['PetListInput', 'PetListResult', 'PetListError'],
    'RpcMethods',
  ])
})

test('an operation has a type of its name, and the list of all says it', () => {
  const text = texts.get('http.types.ts') ?? ''
  expect(text).toMatch(/^export type ReadOperation = \{\n {2}parameters: \{/m)
  expect(text).toContain('export interface operations {\n  read: ReadOperation\n}')
})

test('the list of all validators says the types of each without spelling them out', () => {
  expect(texts.get('explanations.ts')).toContain(`export const httpValidators: {
  readonly read: typeof read
} = {
  read,
}`)
})

test('they compile, and are the types that `components` lists', () => {
  const use = `import type { Equal } from '../test/types/equal.js'
import type { components, operations, Pet, ReadOperation } from './http.types.js'
import type * as rpc from './rpc.types.js'

export const same: [
  Equal<components['schemas']['Pet'], Pet>,
  Equal<operations['read'], ReadOperation>,
  Equal<rpc.PetFindInput, rpc.RpcMethods['pet_find']['params']>,
  Equal<rpc.PetFindResult, rpc.Pet>,
] = [true, true, true, true]
`
  const files = [...texts].filter(([name]) => name.endsWith('.ts'))
  expect(diagnose(new Map([...files, ['use.ts', use]]))).toEqual([])
})
