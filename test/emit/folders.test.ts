import { describe, expect, it } from 'vitest'
import type { Declaration } from '../../src/emit/declaration.js'
import { emitAll } from '../../src/emit/emit.js'
import { declared } from '../../src/emit/file.js'
import type { Folders } from '../../src/emit/folders/folders.js'
import { divideValues } from '../../src/emit/folders/values.js'
import { DEFAULT_KINDS, kindNames } from '../../src/emit/kinds.js'
import { pluginNames } from '../../src/emit/plugins.js'
import { apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'

const read = (at: number, tag?: string) => ({
  get: {
    operationId: `read${at}`,
    ...(tag !== undefined && { tags: [tag] }),
    responses: {
      200: {
        description: 'Read.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
      },
    },
  },
})

const schemas = { Thing: { type: 'object', properties: { size: { type: 'integer' } } } }

/** So many operations; `tagOf` has the tag of each, and `pathOf` its path. */
const openapiWith = (
  count: number,
  tagOf: (at: number) => string | undefined,
  pathOf = (at: number) => `/things-${at}`,
) =>
  openapiOf({
    paths: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [pathOf(at), read(at, tagOf(at))]),
    ),
    schemas,
  })

const methods = openrpcOf({ methods: [method('count', [], { name: 'size', schema: {} })] })

const webhooks = {
  changed: { post: { operationId: 'changed', responses: { 200: { description: 'Heard.' } } } },
}

const foldersIn = (files: readonly { readonly name: string }[]) =>
  [...new Set(files.flatMap(({ name }) => (name.includes('/') ? [name.split('/')[0]] : [])))].sort()

describe('the number of files', () => {
  it('is ten at most up to a hundred operations', async () => {
    const openapi = { ...openapiWith(100, (at) => `tag ${at}`), openapi: '3.1.0' }
    const both = emitAll(await apiOf({ openapi, openrpc: methods }))
    const one = emitAll(await apiOf({ openapi: { ...openapi, webhooks } }))
    expect(one.map(({ name }) => name)).toContain('webhooks.ts')
    expect([both.length, one.length]).toEqual([10, 8])
  })

  it.each([
    ['by default', [], DEFAULT_KINDS],
    ['with everything', pluginNames, kindNames],
    ['with types alone', [], ['types']],
  ] as const)('is 48 at most above, %s', async (_, extras, kinds) => {
    const api = await apiOf({ openapi: openapiWith(400, (at) => `tag ${at}`), openrpc: methods })
    const names = extras.filter((name) => !['viem', 'eip1193', 'contracts'].includes(name))
    expect(emitAll(api, names, kinds).length).toBeLessThanOrEqual(48)
  })
})

describe('the folders of a large document', () => {
  it('are its tags; the smallest are one', async () => {
    // Twenty tags, the first of twenty operations, the last of one.
    const tags = Array.from({ length: 20 }, (_, at) => Array(20 - at).fill(`Tag ${at + 1}`)).flat()
    const api = await apiOf({ openapi: openapiWith(tags.length, (at) => tags[at]) })
    const largest = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => `tag-${at}`)
    expect(foldersIn(emitAll(api))).toEqual(['other', 'shared', ...largest])
  })

  it('are the first part in which paths differ, without tags', async () => {
    const pathOf = (at: number) => `/v1/${at % 2 === 0 ? 'customers' : 'charges'}/a${at}`
    const api = await apiOf({ openapi: openapiWith(120, () => undefined, pathOf) })
    expect(foldersIn(emitAll(api))).toEqual(['charges', 'customers', 'shared'])
  })

  it('have no name that others have', async () => {
    const tags = ['shared', 'Shared', 'runtime', 'uncalled', 'other']
    const api = await apiOf({ openapi: openapiWith(120, (at) => tags[at % 5]) })
    expect(foldersIn(emitAll(api))).toEqual(['other', 'runtime2', 'shared', 'shared2', 'uncalled2'])
  })
})

it('a long chain of declarations that call each other is divided', () => {
  const length = 20_000
  const chain = Array.from({ length }, (_, at) =>
    declaration(`check${at}`, 'support', at + 1 < length ? `check${at + 1}` : 'deepest'),
  )
  const callers = ['one', 'two'].map((name) => declaration(name, 'item', 'check0'))
  const module = {
    name: 'validators.ts',
    declarations: [...callers, ...chain, declaration('deepest', 'item', undefined)],
  }
  const textOf = (folderOf: Folders['folderOf'], folder: string) =>
    divideValues(module, { groups: [], names: ['cats', 'pets', 'shared'], folderOf }).find(
      (one) => one.folder === folder,
    )?.body.text
  const one = textOf(() => 'pets', 'pets')
  expect(one).toContain(`const check${length - 1}x`)
  const two = textOf((name) => (name === 'two' ? 'cats' : 'pets'), 'shared')
  expect(two).toContain('const check0x')
})

const declaration = (
  name: string,
  kind: Declaration['kind'],
  uses: string | undefined,
): Declaration => {
  const { imports } = uses === undefined ? { imports: [] } : declared(uses)
  return { name, kind, keyword: 'const', body: { ...declared('x'), imports } }
}

it('the folder of a tag of 5,000 letters has a name that a file system allows', async () => {
  const api = await apiOf({ openapi: openapiWith(120, (at) => 'a'.repeat(5_000) + (at % 2)) })
  const segments = emitAll(api, [], [...DEFAULT_KINDS, 'server']).flatMap(({ name }) =>
    name.split('/'),
  )
  expect(new Set(segments.filter((one) => one.startsWith('aaa'))).size).toBe(2)
  expect(Math.max(...segments.map(({ length }) => length))).toBeLessThan(230)
})
