import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lint } from '../../src/lint/lint.js'
import { loadApi } from '../../src/read/load.js'
import { folderOf } from '../cli/command-line.js'
import { apiOf, openapiOf, openrpcOf } from '../read/api-of.js'
import { json } from './lint-documents.js'

const ref = (name: string, section = 'schemas') => ({ $ref: `#/components/${section}/${name}` })
const TEXT = { type: 'string' }
const BASE = { type: 'object', properties: { a: TEXT, b: { type: 'array', items: TEXT } } }

/** An operation whose response has a schema, with parts of the operation and of the document. */
const using = (schema: object, schemas: object, operation: object = {}, components: object = {}) =>
  openapiOf({
    version: '3.1.0',
    paths: { '/a': { get: { responses: { 200: json(schema) }, ...operation } } },
    schemas,
    components,
  })

describe('a component is used', () => {
  it.each<[string, object]>([
    ['through an alias', using(ref('Alias'), { Alias: ref('Base'), Base: BASE })],
    ['as a part of an extension', using(TEXT, {}, {}, { 'x-policies': { all: { a: 1 } } })],
    ['through two aliases', using(ref('One'), { One: ref('Two'), Two: ref('Base'), Base: BASE })],
    ['by a pointer to a property of it', using(ref('Base/properties/a'), { Base: BASE })],
    ['by a pointer to an item in it', using(ref('Base/properties/b/items'), { Base: BASE })],
    [
      'by a pointer through an alias',
      using(ref('Alias'), { Alias: ref('Base/properties/a'), Base: BASE }),
    ],
    [
      'by a pointer to all its properties',
      using({ type: 'object', properties: ref('Base/properties') }, { Base: BASE }),
    ],
    [
      'by a pointer with escapes',
      using(ref('Base/properties/a~1b'), { Base: { type: 'object', properties: { 'a/b': TEXT } } }),
    ],
    [
      'as a part of a list',
      using({ anyOf: [ref('Alias'), { type: 'null' }] }, { Alias: ref('Base'), Base: BASE }),
    ],
    [
      'as the alias that a mapping names',
      using(
        {
          oneOf: [ref('Base')],
          discriminator: { propertyName: 'a', mapping: { x: ref('Alias').$ref } },
        },
        { Alias: ref('Base'), Base: BASE },
      ),
    ],
    [
      'as an alias of a parameter or a response',
      using(
        TEXT,
        {},
        {
          parameters: [ref('P1', 'parameters')],
          responses: { 200: ref('R1', 'responses') },
        },
        {
          parameters: { P1: ref('P2', 'parameters'), P2: { name: 'p', in: 'query', schema: TEXT } },
          responses: { R1: ref('R2', 'responses'), R2: json(TEXT) },
        },
      ),
    ],
  ])('%s', async (_, openapi) => {
    expect(await unused({ openapi })).toEqual([])
  })

  it('as an alias of any part of OpenRPC', async () => {
    const part = (section: string) => ref('One', section)
    const both = (section: string, value: object) => ({ One: ref('Two', section), Two: value })
    const openrpc = openrpcOf({
      methods: [
        {
          name: 'read',
          params: [part('contentDescriptors')],
          result: { name: 'r', schema: part('schemas') },
          errors: [part('errors')],
          tags: [part('tags')],
        },
      ],
      components: {
        contentDescriptors: both('contentDescriptors', { name: 'y', schema: TEXT }),
        schemas: both('schemas', TEXT),
        errors: both('errors', { code: 4, message: 'e' }),
        tags: both('tags', { name: 't' }),
      },
    })
    expect(await unused({ openrpc })).toEqual([])
  })

  it('by another file that refers to an alias', async () => {
    const main = using({ $ref: 'part.json#/Part' }, { Alias: ref('Base'), Base: BASE })
    const part = {
      Part: { type: 'object', properties: { x: { $ref: 'main.json#/components/schemas/Alias' } } },
    }
    const folder = await folderOf({
      'main.json': JSON.stringify(main),
      'part.json': JSON.stringify(part),
    })
    expect(namesIn(await loadApi({ openapi: join(folder, 'main.json') }))).toEqual([])
  })
})

describe('a component is not used', () => {
  it.each<[string, object, readonly string[]]>([
    ['where nothing refers to it', using(TEXT, { Base: BASE }), ['Base']],
    [
      'where only an unused alias refers to it',
      using(TEXT, { Alias: ref('Base'), Base: BASE }),
      ['Alias', 'Base'],
    ],
    [
      'where an alias goes past it',
      using(ref('Base'), { Alias: ref('Base'), Base: BASE }),
      ['Alias'],
    ],
    [
      'where only a pointer into it from itself uses it',
      using(TEXT, { Base: { properties: { a: TEXT, c: ref('Base/properties/a') } } }),
      ['Base'],
    ],
  ])('%s', async (_, openapi, names) => {
    expect(await unused({ openapi })).toEqual(names)
  })
})

describe('beside a reference that was not read, a component is not used', () => {
  const REMOTE = { $ref: 'https://example.invalid/a.json#/A' }
  const limit = { name: 'limit', in: 'query', schema: TEXT }
  const document = (schema: object, schemas: object) =>
    using(schema, schemas, {}, { parameters: { limit } })
  const response = (responses: object, parameters: readonly object[] = []) => {
    const get = { operationId: 'read', parameters, responses }
    const components = { schemas: { Other: TEXT }, parameters: { limit } }
    return openapiOf({ version: '3.1.0', paths: { '/a': { get } }, components })
  }
  const NONE = { 204: { description: 'None.' } }

  it.each<[string, object, readonly string[]]>([
    // The other file may refer to any component of this one.
    ['none, of another file', document(REMOTE, { Other: TEXT }), []],
    ['none, of a file that is missing', document({ $ref: 'a.json#/A' }, { Other: TEXT }), []],
    ['of another section, of a mistyped schema', document(ref('Othr'), { Other: TEXT }), ['limit']],
    [
      'of another section, of a reference without a pointer',
      document({ $ref: '#Othr' }, { Other: TEXT }),
      ['limit'],
    ],
    [
      'unless a component that may be meant refers to it',
      document(ref('Othr'), { Other: { properties: { a: ref('Part') } }, Part: TEXT }),
      ['limit'],
    ],
    [
      'in any section, of a reference that no operation reaches',
      document(TEXT, { Other: { properties: { a: REMOTE } }, Part: TEXT }),
      ['Other', 'Part', 'limit'],
    ],
    [
      'of another section, of a mistyped parameter',
      response(NONE, [{ $ref: '#/components/parameters/limt' }]),
      ['Other'],
    ],
    ['none, of a mistyped section', response(NONE, [{ $ref: '#/components/params/limit' }]), []],
    ['none, of a response of another file', response({ 200: { $ref: 'a.json#/A' } }), []],
  ])('%s', async (_, openapi, names) => {
    expect(await unused({ openapi })).toEqual(names)
  })
})

const unused = async (documents: Parameters<typeof apiOf>[0]) => namesIn(await apiOf(documents))

const namesIn = (api: Awaited<ReturnType<typeof apiOf>>) =>
  lint(api, { only: ['component-is-unused'] }).map(({ location }) =>
    location.pointer.split('/').at(-1),
  )
