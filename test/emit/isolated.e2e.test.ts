import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { UNCHECKED } from '../../src/emit/header.js'
import { kindNames } from '../../src/emit/kinds.js'
import { compileErrors, STRICTEST } from '../compile.js'
import { CORPORA, named } from '../conformance/corpora.js'
import { apiOf, openapiOf, openrpcOf } from '../read/api-of.js'
import { documents } from './tagged-documents.js'

const GENERATED = join(import.meta.dirname, '../../generated')
const STRIPE = join(CORPORA, 'documents/openapi/stripe.json')

/** The errors of declarations that are printed from one file alone, as compilers other than TypeScript's do it. */
const isolatedErrors = (texts: Iterable<readonly [name: string, text: string]>) =>
  [...texts].flatMap(([name, text]) => {
    const compilerOptions = { ...STRICTEST, declaration: true, isolatedDeclarations: true }
    const { diagnostics = [] } = ts.transpileDeclaration(text, {
      fileName: name,
      reportDiagnostics: true,
      compilerOptions,
    })
    return diagnostics.map(
      ({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
  })

/** The errors of a whole program, without the line that makes the compiler skip the code of large documents. */
const errorsOf = (
  texts: Iterable<readonly [name: string, text: string]>,
  resolution: 'nodenext' | 'bundler',
) => {
  const paths = new Map(
    [...texts].map(([name, text]) => [join(GENERATED, name), text.replace(UNCHECKED, '//')]),
  )
  const resolving =
    resolution === 'nodenext'
      ? {}
      : { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }
  const options = { ...STRICTEST, ...resolving, declaration: true, isolatedDeclarations: true }
  return compileErrors({ files: [...paths.keys()], texts: paths, options })
}

const sourcesOf = (files: readonly { readonly name: string; readonly text: string }[]) =>
  files.flatMap(({ name, text }) => (name.endsWith('.ts') ? [[name, text] as const] : []))

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/** What each builder of TypeBox is for, a circle, parts of operations with and without a name, a webhook and both protocols. */
const small = async () => {
  const schemas = {
    Order: {
      type: 'object',
      required: ['id', 'kind'],
      properties: {
        id: { type: 'integer' },
        kind: { const: 'order' },
        state: { enum: ['open', 'sent'] },
        size: { enum: [1, 2] },
        parts: { type: 'array', items: ref('Part') },
        note: { type: ['string', 'null'] },
        tags: { type: 'object', additionalProperties: { type: 'string' } },
        any: { type: 'object' },
        empty: { type: 'object', additionalProperties: false },
        photo: { type: 'string', format: 'binary' },
        hash: { type: 'string', pattern: '^0x' },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
        none: { type: 'null' },
        'two words': { type: 'boolean' },
        constructor: { type: 'string' },
      },
    },
    Part: { type: 'object', properties: { within: ref('Part'), of: ref('Order') } },
    Either: { oneOf: [ref('Order'), { type: 'string' }] },
    Some: { anyOf: [ref('Order'), ref('Either')] },
    Both: { allOf: [ref('Order'), { type: 'object', properties: { more: true } }] },
    Nothing: { not: {} },
    Anything: true,
  }
  const responses = {
    200: { description: 'It.', ...json(ref('Order')) },
    '4XX': {
      description: 'Not.',
      ...json({ type: 'object', properties: { why: { type: 'string' } } }),
    },
  }
  const parameters = [{ name: 'page-size', in: 'query', schema: { type: 'integer', maximum: 9 } }]
  return apiOf({
    openapi: openapiOf({
      version: '3.1.0',
      schemas,
      paths: {
        '/orders': {
          get: { operationId: 'list', tags: ['Orders'], parameters, responses },
          post: { tags: ['Orders'], requestBody: json(ref('Both')), responses },
        },
        '/gone': { delete: { responses: { 204: { description: 'Gone.' } } } },
      },
      webhooks: { made: { post: { requestBody: json(ref('Order')), responses } } },
    }),
    openrpc: openrpcOf({
      schemas,
      methods: [
        {
          name: 'shop_find',
          params: [{ name: 'a', schema: ref('Some') }],
          result: { name: 'r', schema: ref('Either') },
        },
      ],
    }),
  })
}

describe('generated code compiles in projects of any settings', () => {
  it.each(['nodenext', 'bundler'] as const)('of a small document, under %s', async (resolution) => {
    const files = sourcesOf(
      emitAll(await small(), ['tanstack-query', 'standard-schema'], kindNames),
    )
    expect(files.map(([name]) => name)).toEqual(
      expect.arrayContaining(['webhooks.ts', 'schemas.ts', 'server.ts', 'rpc.methods.ts']),
    )
    expect(isolatedErrors(files)).toEqual([])
    // Its package is not among ours: test/peers compiles it.
    const own = files.filter(([name]) => name !== 'tanstack-query.ts')
    expect(errorsOf(own, resolution)).toEqual([])
  })

  it.each(['nodenext', 'bundler'] as const)('of the service, under %s', (resolution) => {
    const files = readdirSync(GENERATED)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [name, readFileSync(join(GENERATED, name), 'utf8')] as const)
    expect(isolatedErrors(files)).toEqual([])
    expect(errorsOf(files, resolution)).toEqual([])
  })

  it('of a document that is divided, with all its code checked', async () => {
    const files = sourcesOf(emitAll(await apiOf(documents), [], kindNames))
    expect(isolatedErrors(files)).toEqual([])
    expect(errorsOf(files, 'bundler')).toEqual([])
  })

  it.skipIf(!existsSync(STRIPE))(
    named('of a large document', existsSync(STRIPE) ? [STRIPE] : []),
    { timeout: 900_000 },
    async () => {
      const document = JSON.parse(readFileSync(STRIPE, 'utf8'))
      const files = sourcesOf(emitAll(await apiOf({ openapi: document }), [], kindNames))
      expect(files.length).toBeGreaterThan(5)
      expect(isolatedErrors(files)).toEqual([])
    },
  )
})
