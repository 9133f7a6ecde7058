import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { CORPORA, named } from '../conformance/corpora.js'

const info = { title: 'Things', version: '1' }

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/** A document of so many operations, `perTag` of them in each tag; each schema refers to its neighbours in a circle. */
const documentOf = (count: number, perTag: number, schemas: number) => {
  const ref = (at: number) => ({ $ref: `#/components/schemas/Thing${(at + schemas) % schemas}` })
  const paths = Array.from({ length: count }, (_, at) => {
    const get = {
      operationId: `readThing${at}`,
      tags: [`tag ${Math.floor(at / perTag)}`],
      responses: { 200: { description: 'One.', ...json(ref(at)) } },
    }
    return [`/things-${at}`, { get }]
  })
  const named = Array.from({ length: schemas }, (_, at) => {
    const properties = { next: ref(at + 1), before: ref(at - 1), size: { type: 'integer' } }
    return [`Thing${at}`, { type: 'object', description: 'One of the things.', properties }]
  })
  return {
    openapi: '3.1.0',
    info,
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(named) },
  }
}

const generate = async (document: object, ...args: readonly string[]) => {
  const folder = await folderOf({ 'openapi.json': JSON.stringify(document) })
  const out = join(folder, 'out')
  const { code, stderr } = await twinspec(
    'generate',
    ...['--openapi', join(folder, 'openapi.json'), '--out', out, ...args],
  )
  return { out, code, stderr, names: code === 0 ? filesIn(out) : [] }
}

const filesIn = (out: string) =>
  readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(out, name)).isFile())
    .sort()

it('schemas that refer to each other are written once', async () => {
  const few = await generate(documentOf(1, 1, 20), '--with', 'typebox')
  const many = await generate(documentOf(1, 1, 200), '--with', 'typebox')
  const size = ({ out }: { readonly out: string }) => statSync(join(out, 'schemas.ts')).size
  expect(size(many)).toBeLessThan(12 * size(few))
})

it('--only chooses kinds of files, and writes what these import', async () => {
  const small = documentOf(2, 1, 2)
  expect((await generate(small, '--only', 'types')).names).toEqual(['http.types.ts'])
  expect((await generate(small, '--only', 'validators')).names).toEqual([
    'explanations.ts',
    'http.types.ts',
    'validators.ts',
  ])
  const client = [
    'client.ts',
    'explanations.ts',
    'http.calls.ts',
    'http.client.ts',
    'http.types.ts',
    'operations.ts',
    'validators.ts',
  ]
  expect((await generate(small, '--only', 'client')).names).toEqual(client)
  const both = await generate(small, '--only', 'types, typebox', '--with', 'reference')
  expect(both.names).toEqual(['http.types.ts', 'reference.md', 'schemas.ts'])
  const wrong = await generate(small, '--only', 'clients')
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('--only cannot be "clients": did you mean client?')
})

it.each([
  ['small', documentOf(2, 1, 3)],
  ['large', documentOf(101, 10, 3)],
])(
  'a %s document has what callers need, and the rest where --with names it',
  async (_, document) => {
    const isWhole = (name: string) => !name.includes('/')
    const usual = await generate(document)
    expect(usual.names.filter(isWhole)).toEqual([
      'client.ts',
      'explanations.ts',
      'http.calls.ts',
      'http.client.ts',
      'http.types.ts',
      'operations.ts',
      'validators.ts',
    ])
    const more = await generate(document, '--with', 'server,typebox,documents,reference')
    const added = more.names.filter((name) => !usual.names.includes(name))
    expect(added).toEqual(['http.openapi.json', 'reference.md', 'schemas.ts', 'server.ts'])
  },
)

it('what the compiler reads of an explanation does not grow with its schema', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 50 }, (_, at) => [`part${at}`, { type: 'string', maxLength: at + 1 }]),
  )
  const large = documentOf(101, 10, 3)
  const wide = { ...large.components.schemas, Thing0: { type: 'object', properties } }
  const { out, names } = await generate({ ...large, components: { schemas: wide } })
  const texts = names
    .filter((name) => name.endsWith('/explanations.ts'))
    .map((name) => readFileSync(join(out, name), 'utf8'))
  const wideOnes = texts.filter((text) => text.includes('part49'))
  expect(wideOnes.length).toBe(1)
  expect(wideOnes.map(nodesIn)[0]).toBeLessThan(150)
})

const nodesIn = (text: string): number => {
  let count = 0
  const visit = (node: ts.Node): void => {
    count++
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest))
  return count
}

it('4,000 operations are at most 48 files, by tag or without tags', {
  timeout: 900_000,
}, async () => {
  const tagged = await generate(documentOf(4000, 40, 50))
  expect(tagged.names.length).toBeLessThanOrEqual(48)
  const client = readFileSync(join(tagged.out, 'tag-1/http.calls.ts'), 'utf8')
  expect(client).toContain('export const createReadThing40Client')
  const scattered = await generate(documentOf(4000, 1, 50))
  expect(scattered.names.length).toBeLessThanOrEqual(48)
})

const STRIPE = join(CORPORA, 'documents/openapi/stripe.json')
const found = existsSync(STRIPE) ? [STRIPE] : []

it.skipIf(found.length === 0)(
  named('Stripe is at most 8 MB in 48 files', found),
  { timeout: 900_000 },
  async () => {
    const { out, names } = await generate(JSON.parse(readFileSync(STRIPE, 'utf8')))
    const bytes = names.reduce((sum, name) => sum + statSync(join(out, name)).size, 0)
    expect(bytes).toBeLessThan(8_000_000)
    expect(names.length).toBeLessThanOrEqual(48)
    expect(readFileSync(join(out, 'http.client.ts'), 'utf8')).toContain("get: 'GetCustomers'")
  },
)
