import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { kindNames } from '../../src/emit/kinds.js'
import { helperNames } from '../../src/emit/validators/library.js'
import { TAKEN_NAMES } from '../../src/read/naming.js'
import { answering, apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'
import { diagnose } from './strictest.js'

const names = Object.values(TAKEN_NAMES).flat()
/** Globals that schemas may have the names of. */
const GLOBALS =
  'Array Date Error Function Map Object Promise Record RegExp Response Set String Symbol'.split(' ')
/** What only large documents import. */
const ONLY_LARGE: readonly string[] = ['explainedByText']
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Whatever calls for an import or a declaration, under names that all are taken. */
const used = {
  Prices: { type: 'object', additionalProperties: { type: 'number' } },
  Both: { oneOf: [{ type: 'string' }, { type: 'object', properties: { a: ref('Both') } }] },
  File: { type: 'object', properties: { content: { type: 'string', format: 'binary' } } },
  Kinds: {
    type: 'object',
    properties: {
      constant: { const: 'a' },
      list: { type: 'string', enum: ['a', 'b'] },
      nothing: { type: 'null' },
      boolean: { type: 'boolean' },
      number: { type: 'number' },
      any: true,
      never: { not: {} },
      both: { allOf: [ref('File'), { type: 'object' }] },
    },
  },
  // What every object has.
  Inherited: {
    type: 'object',
    properties: {
      constructor: { type: 'integer', minimum: 0 },
      isPrototypeOf: { type: 'string', minLength: 1, maxLength: 20 },
      propertyIsEnumerable: { type: 'string', pattern: '^a' },
      toLocaleString: { type: 'string', pattern: '^0x([0-9a-f]{2})*$' },
      toString: { type: ['string', 'null'], description: 'A text', minLength: 1 },
      valueOf: { type: 'array', items: { type: 'object', required: ['toString'] } },
      hasOwnProperty: ref('File'),
    },
  },
}
const posting = (operationId: string) => ({
  post: {
    operationId,
    requestBody: { content: { 'application/json': { schema: ref('Both') } } },
    responses: {
      200: { description: '', content: { 'application/json': { schema: ref('File') } } },
    },
    'x-variants': { one: { request: ref('Both'), responses: [ref('File')] } },
  },
})

/** A document that calls for everything, with schemas and operations of some more names. */
async function read(more: readonly string[]) {
  const simple = Object.fromEntries(more.map((name) => [name, { type: 'string' }]))
  const all = { type: 'object', properties: Object.fromEntries(more.map((one) => [one, ref(one)])) }
  const api = await apiOf({
    openapi: openapiOf({
      version: '3.1.0',
      servers: [{ url: 'https://host.example' }],
      schemas: { ...simple, ...used },
      paths: {
        ...Object.fromEntries(more.map((name) => [`/${name}`, answering(all, name)])),
        '/forms/1': posting('fooBar'),
        '/forms/2': posting('FooBar'),
        '/forms/3': posting('foo_bar'),
      },
    }),
    openrpc: openrpcOf({
      servers: [{ name: 'main', url: 'https://host.example/rpc' }],
      schemas: { OnlyRpc: { type: 'object', properties: { a: { type: 'string' } } } },
      methods: [method('shop_open', [], ref('OnlyRpc'))],
    }),
  })
  return { api, files: emitAll(api, [], kindNames) }
}

let plain: Awaited<ReturnType<typeof read>>
let clashing: Awaited<ReturnType<typeof read>>
beforeAll(async () => {
  plain = await read([])
  clashing = await read([...names, ...GLOBALS])
})

test.each(Object.entries(TAKEN_NAMES))(
  '%s imports and declares what the list says',
  (file, list) => {
    const { api, files } = plain
    const given = new Set([...api.schemas.keys(), ...api.operations.map(({ id }) => id)])
    const text = files.find(({ name }) => name === file)?.text ?? ''
    // Helpers of validators.ts and circles of schemas.ts give way to exports of their names.
    const own = topLevelNames(text).filter(
      (name) =>
        !given.has(name) && !helperNames.includes(name) && !/^is[A-Z]|Pattern$|Circle$/.test(name),
    )
    // Helpers of validators.ts lean on some globals.
    const globals: string[] = []
    if (file === 'validators.ts') globals.push('BigInt', 'JSON', 'RangeError', 'Uint8Array')
    const here = list.filter((name) => !ONLY_LARGE.includes(name))
    expect([...new Set([...own, ...globals])].sort()).toEqual([...here].sort())
  },
)

test('an operation called so gets another name, and its author is warned; a schema only if code exports that name', () => {
  const { api } = clashing
  const messages = api.findings.map(({ message }) => message.replace(/ in generated code.*/, ''))
  expect(messages).toEqual(
    expect.arrayContaining([
      'the schema httpValidators is called httpValidators2',
      'HttpOperation is called HttpOperation2',
      'rpcService is called rpcService2',
      'explained is called explained2',
    ]),
  )
  const kept = ['Server', 'HttpOperation', 'Validator', 'Checks', 'Type', 'JSON', ...GLOBALS]
  expect([...api.schemas.keys()]).toEqual(expect.arrayContaining(kept))
})

test('and all of it compiles', () => {
  const sources = clashing.files.filter(({ name }) => name.endsWith('.ts'))
  expect(diagnose(new Map(sources.map(({ name, text }) => [name, text])))).toEqual([])
})

function topLevelNames(text: string): readonly string[] {
  const { statements } = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest)
  return statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement)) {
      const bindings = statement.importClause?.namedBindings
      if (!bindings) return []
      return ts.isNamespaceImport(bindings)
        ? [bindings.name.text]
        : bindings.elements.map(({ name }) => name.text)
    }
    if (ts.isTypeAliasDeclaration(statement)) return [statement.name.text]
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.map(({ name }) => (name as ts.Identifier).text)
  })
}
