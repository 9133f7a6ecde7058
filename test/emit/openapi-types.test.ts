import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import type { File } from '../../src/emit/file.js'
import { printHttpTypes } from '../../src/emit/openapi-types.js'
import { emitHttpTypes } from '../../src/emit/types.js'
import { answering, apiOf, openapiOf } from '../read/api-of.js'
import { diagnose } from './strictest.js'

/** Each schema holds the next, and one operation uses the first. */
const chain = (count: number) => {
  const schemas = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `S${index}`,
      index + 1 < count
        ? { type: 'object', properties: { next: { $ref: `#/components/schemas/S${index + 1}` } } }
        : { type: 'string' },
    ]),
  )
  return openapiOf({ schemas, paths: { '/': answering({ $ref: '#/components/schemas/S0' }) } })
}

test('a chain of thousands is an ordinary input', async () => {
  const { text } = emitHttpTypes(await apiOf({ openapi: chain(3000) }))
  expect(text).toContain('export type S2999 = string')
})

test('a sequence of octets is a Blob', async () => {
  const schemas = {
    File: { type: 'object', properties: { data: { type: 'string', format: 'binary' } } },
  }
  const { text } = emitHttpTypes(await apiOf({ openapi: openapiOf({ schemas }) }))
  expect(text).toMatch(/data\?: Blob/)
})

test('a sequence of octets with a description has no other comment', async () => {
  const data = { type: 'string', format: 'binary', title: 'The data', description: 'All of it.' }
  const { text } = emitHttpTypes(await apiOf({ openapi: openapiOf({ schemas: { File: data } }) }))
  expect(text).toContain(`/**
 * The data
 *
 * All of it.
 */
export type File = Blob`)
})

test('an object that may have no property has none (Stripe)', async () => {
  const closed = { type: 'object', additionalProperties: false }
  const schemas = {
    Closed: closed,
    Nullable: { ...closed, type: ['object', 'null'], properties: {}, description: 'Or null.' },
    Open: { type: 'object' },
    Listed: { ...closed, enum: [{}] },
    Patterned: { ...closed, patternProperties: { '^a': { type: 'string' } } },
  }
  const { text } = emitHttpTypes(await apiOf({ openapi: openapiOf({ schemas }) }))
  expect(text).toContain('export type Closed = Record<string, never>')
  expect(text).toContain('export type Nullable = Record<string, never> | null')
  expect(text).toContain('export type Open = Record<string, unknown>')
  expect(text).toContain('export type Listed = Record<string, never>')
  expect(text).toMatch(/export type Patterned = \{\s+\[key: string\]: string\s+\}/)
})

test('types are printed as all generated code: single quotes, no semicolons, an empty line between them', async () => {
  const texts = [';', "it's", 'say "so";', 'back\\slash"', 'a\n"b";\n', '*/ ";']
  const schemas = {
    Text: { enum: texts, description: 'One of "these";' },
    Keys: {
      type: 'object',
      required: ['extends', 'it\'s "so";'],
      properties: { extends: { type: 'string' }, is: true, 'it\'s "so";': { const: 'a' } },
      additionalProperties: true,
    },
  }
  const { text } = emitHttpTypes(await apiOf({ openapi: openapiOf({ version: '3.1.0', schemas }) }))
  expect(text).toContain(`/** One of "these"; */
export type Text = ';' | 'it\\'s' | 'say "so";' | `)
  expect(text).toContain(
    "\n\nexport type Keys = {\n  extends: string\n  is?: unknown\n  'it\\'s \"so\";': 'a'\n}",
  )
  const use = `import type { Keys, Text } from './types.js'
export const texts: readonly Text[] = ${JSON.stringify(texts)}
export const keys: Keys = { extends: '', 'it\\'s "so";': 'a' }
// @ts-expect-error no such text
export const other: Text = 'other'
`
  const files = new Map([
    ['types.ts', text],
    ['use.ts', use],
  ])
  expect(diagnose(files)).toEqual([])
})

test('components list a schema under the key of the document too, where that is no identifier (Stripe)', async () => {
  const link = { $ref: '#/components/schemas/apps.secret' }
  const schemas = {
    'apps.secret': { type: 'object', properties: { id: { type: 'string', readOnly: true } } },
    Name: { type: 'string' },
    paths: { type: 'object', properties: { a: link } },
    'two-words': { type: 'string' },
  }
  const paths = {
    '/': {
      ...answering(link),
      post: {
        ...answering(link, 'b').get,
        requestBody: { content: { 'application/json': { schema: link } } },
      },
    },
  }
  const api = await apiOf({ openapi: openapiOf({ schemas, paths }) })
  const texts = (...args: Parameters<typeof emitAll>) =>
    new Map(emitAll(...args).map(({ name, text }) => [name, text]))
  const alone = texts(api, [], ['types'])
  expect(alone.get('http.types.ts')).toContain(
    "    AppsSecret: AppsSecret\n    'apps.secret': AppsSecret\n",
  )
  const use = `import type { AppsSecret, components } from './http.types.js'
export const one: components['schemas']['apps.secret'] = { id: 'a' } satisfies AppsSecret
export const two: components['schemas']['two-words'] = 'b'
`
  expect(diagnose(new Map([...alone, ['use.ts', use]]))).toEqual([])
  expect(texts(api).get('http.types.ts')).not.toContain('apps.secret')
})

test('a boolean within allOf is a schema', async () => {
  const schemas = {
    Any: { allOf: [true, { type: 'string' }] },
    All: { allOf: [true] },
    None: { allOf: [{ type: 'string' }, false] },
    Named: { type: 'object', properties: { a: { type: 'string' } }, allOf: [true] },
  }
  const { text } = emitHttpTypes(await apiOf({ openapi: openapiOf({ schemas }) }))
  expect(text).toContain('export type Any = string')
  expect(text).toContain('export type All = unknown')
  expect(text).toContain('export type None = never')
  expect(text).toMatch(/export type Named = \{\s+a\?: string\s+\}/)
})

test('declared properties beside additional ones of another type can be written and read', async () => {
  const properties = { name: { type: 'string' }, open: { type: 'boolean' } }
  const Counts = { type: 'object', required: ['name'], properties }
  const schemas = { Counts: { ...Counts, additionalProperties: { type: 'integer' } } }
  const { text } = emitHttpTypes(await apiOf({ openapi: openapiOf({ schemas }) }))
  const use = `import type { Counts } from './counts.js'
const counts: Counts = { name: 'a', cats: 1 }
export const name: string = counts.name
// @ts-expect-error no additional property is a list
counts['cats'] = []
`
  const files = new Map([
    ['counts.ts', text],
    ['use.ts', use],
  ])
  expect(diagnose(files)).toEqual([])
})

test('an enum of objects is a union of them (Docker)', async () => {
  const schemas = {
    Ports: { type: 'object', additionalProperties: { type: 'object', enum: [{}] } },
    Choice: { enum: [{ a: 1, 'b-c': [true, null] }, { a: 2 }, [], 'text', null] },
    Lists: { type: ['array', 'null'], items: { type: 'integer' }, enum: [[1, 2], null] },
  }
  const use = `import type { Choice, Lists, Ports } from './types.js'
export const ports: Ports = { '80/tcp': {} }
export const choices: Choice[] = [{ a: 1, 'b-c': [true, null] }, { a: 2 }, [], 'text', null]
export const lists: Lists[] = [[1, 2], null]
// @ts-expect-error no value of the enum is like this
choices[0] = { a: 2, 'b-c': [true, null] }
// @ts-expect-error no value of the enum is like this
lists[0] = [2, 1]
`
  expect(await diagnosed(schemas, use)).toEqual([])
})

test('a tuple has the optional items and the rest that its schema allows', async () => {
  const tuple = { type: 'array', prefixItems: [{ type: 'string' }, { type: ['number', 'null'] }] }
  const schemas = {
    Open: { ...tuple, minItems: 1, items: { type: 'boolean' } },
    Exact: { ...tuple, minItems: 2, maxItems: 2 },
    Closed: { ...tuple, items: false },
    Nullable: { ...tuple, type: ['array', 'null'], items: false },
    Rows: { type: 'array', items: { allOf: [{ $ref: '#/components/schemas/Closed' }, tuple] } },
    Within: {
      type: 'object',
      properties: {
        both: { ...tuple, allOf: [{ type: 'array', minItems: 1, prefixItems: [{ const: 'a' }] }] },
        constant: { type: 'array', const: ['a', 1] },
      },
    },
  }
  const use = `import type { Closed, Exact, Nullable, Open, Rows, Within } from './types.js'
export const open: Open[] = [['a'], ['a', null], ['a', 1, true, false]]
export const exact: Exact = ['a', 1]
export const size: 2 = exact.length
export const closed: Closed[] = [[], ['a'], ['a', 1]]
export const nullable: Nullable[] = [null, [], ['a', 1]]
export const rows: Rows = closed
export const within: Within = { both: ['a', 1, 'more'], constant: ['a', 1] }
// @ts-expect-error its first item is required
open[0] = []
// @ts-expect-error the rest is booleans
open[0] = ['a', 1, 'b']
// @ts-expect-error no more than two items
closed[0] = ['a', 1, true]
// @ts-expect-error the other branch applies, too
within.both = ['b']
// @ts-expect-error a constant
within.constant = ['a', 2]
`
  expect(await diagnosed(schemas, use)).toEqual([])
})

/** The errors of code that imports the types of schemas from `types.js`. */
const diagnosed = async (schemas: object, use: string) => {
  const { text } = emitHttpTypes(await apiOf({ openapi: openapiOf({ version: '3.1.0', schemas }) }))
  return diagnose(
    new Map([
      ['types.ts', text],
      ['use.ts', use],
    ]),
  )
}

/** What the package prints by its own entry, which resolves, lints and bundles first. */
const byFrontDoor = async (document: object) =>
  astToString(
    await openapiTS(structuredClone(document) as OpenAPI3, {
      silent: true,
      defaultNonNullable: false,
      emptyObjectsUnknown: true,
    }),
  )

const kind = (of: string) => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string', enum: [of] } },
})

/** Comments and texts read as ends of what is printed. */
const some = Array.from({ length: 30 }, (_, at) => at + 10)
const large = openapiOf({
  schemas: Object.fromEntries(
    some.map((at) => [
      `Kind${at}`,
      {
        allOf: [
          ...(at < 39 ? [{ $ref: `#/components/schemas/Kind${at + 1}` }] : []),
          kind(`};\n    };\n${at}`),
        ],
        description: `The end of a list: } }; ${at}`,
      },
    ]),
  ),
  paths: Object.fromEntries(
    some.map((at) => [
      `/${at}`,
      answering({ $ref: `#/components/schemas/Kind${at}` }, `read${at}`),
    ]),
  ),
})

test.each([
  ['a large document', large],
  ['a document without anything', openapiOf({ paths: {} })],
])(
  '%s is printed as openapi-typescript prints it by itself, apart from comments',
  async (_, document) => {
    const api = await apiOf({ openapi: document })
    const { paths, schemas, operations } = printHttpTypes(api)
    const halved = (margin: string) => ' '.repeat(margin.length / 2)
    const inOurStyle = (text: string) => text.replace(/^(?: {4})+/gm, halved).replace(/;$/gm, '')
    const printed = inOurStyle(await byFrontDoor(document))
      .replaceAll(/"(.*?)"/g, "'$1'")
      .split('\n')
    const own = [...paths, ...[...schemas, ...operations].map(({ listed }) => listed)].join('')
    const isComment = (line: string) => /^ *(?:\/\*\*| \*)/.test(line)
    // Besides paths, schemas and operations there are only the lines around their lists.
    const around = (line: string) => /^export |^}|^ {2}(\w+: never|schemas: \{|})$/.test(line)
    const isKept = (line: string) => !around(line) && !isComment(line) && line !== ''
    expect(own.split('\n').filter(isKept)).toEqual(printed.filter(isKept))
  },
)

test('items beside a union are those of its lists', async () => {
  const schemas = {
    Domain: { items: { type: 'string' }, oneOf: [{ type: 'array' }, { type: 'string' }] },
  }
  const { text } = emitHttpTypes(await apiOf({ openapi: openapiOf({ schemas }) }))
  expect(text).toContain('export type Domain = string[] | string')
})

test('http.types.ts of a client has what the client needs; alone or with openapi-fetch, all that openapi-typescript prints', async () => {
  const paths = {
    '/a/{id}': {
      ...answering({ type: 'string' }, 'read'),
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    },
    '/b': { delete: { operationId: 'drop', responses: { 204: { description: 'Gone.' } } } },
  }
  const api = await apiOf({ openapi: openapiOf({ paths }) })
  const typesIn = (files: readonly File[]) =>
    files.find(({ name }) => name === 'http.types.ts')?.text ?? ''
  const client = typesIn(emitAll(api))
  expect(client).not.toMatch(
    /export (?:interface|type) (?:paths|webhooks|\$defs)|headers|(?<!content)\?: never/,
  )
  expect(client).toContain(`export type ReadOperation = {
  parameters: {
    path: {
      id: string
    }
  }
  responses: {
    /** Read. */
    200: {
      content: {
        'application/json': string
      }
    }
  }
}`)
  expect(client).toContain('export type ReadInput = {')
  const fetch = typesIn(emitAll(api, ['openapi-fetch']))
  expect(fetch).toMatch(
    /export interface paths \{[\s\S]*headers: \{[\s\S]*export type ReadInput = /,
  )
  const alone = typesIn(emitAll(api, [], ['types']))
  expect(alone).toMatch(/export interface paths \{[\s\S]*query\?: never[\s\S]*headers: \{/)
  // They need no package.
  expect(alone).not.toMatch(/import|ReadInput/)
})

test('an operation without responses, or with a response without content, has a type that compiles', async () => {
  const paths = {
    '/none': { get: { operationId: 'none' } },
    '/wrong': { get: { operationId: 'wrong', responses: { 2: {} } } },
    '/empty': { get: { operationId: 'empty', responses: { 204: { description: 'Done' } } } },
  }
  const files = emitAll(await apiOf({ openapi: openapiOf({ paths }) }), [], ['types'])
  const texts = new Map(files.map(({ name, text }) => [name, text]))
  expect(texts.get('http.types.ts')).toContain('operations')
  expect(diagnose(texts)).toEqual([])
})
