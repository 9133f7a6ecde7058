import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LINT_RULES, lint } from '../../src/lint/lint.js'
import { READING_RULES } from '../../src/lint/reading.js'
import { findDocuments, loadApi } from '../../src/read/load.js'
import { cpuClock } from '../cpu-time.js'
import { apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'

const textsIn = (folder: string, but?: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== but)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')

describe('the table', () => {
  it('has each rule once, with an id that is a sentence and a purpose that ends', () => {
    const ids = LINT_RULES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id, purpose } of LINT_RULES) {
      expect(id).toMatch(/^[a-z]+(-[a-z0-9]+)+$/)
      expect(purpose).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('has every rule that reading may name', () => {
    const known = new Set(LINT_RULES.map(({ id }) => id))
    // A list of what is accepted is no document: its faults are reported by diff and conform, which read it.
    const named = textsIn('src/read', 'accepted-list.ts').matchAll(
      /(?:rule:|rule =|warn\(|says\(|refused?\()\s*'([a-z]+(?:-[a-z0-9]+){2,})'/g,
    )
    const missing = [...named].flatMap(([, id = '']) => (known.has(id) ? [] : [id]))
    expect(missing).toEqual([])
  })

  it('has a test of every rule of its own', () => {
    const tests = textsIn('test/lint')
    const own = LINT_RULES.filter(({ id }) => !READING_RULES.some((rule) => rule.id === id))
    expect(own.filter(({ id }) => !tests.includes(id))).toEqual([])
    expect(own.length).toBeGreaterThan(40)
  })
})

describe('whatever the documents', () => {
  it('findings are sorted by place and say each thing once', async () => {
    const shared = { $ref: '#/components/responses/Lost' }
    const paths = Object.fromEntries(
      ['b', 'a'].map((name) => [
        `/${name}`,
        { get: { operationId: name, responses: { 404: shared } } },
      ]),
    )
    const Lost = {
      description: 'Lost.',
      content: { 'application/json': { schema: { type: 'string' } } },
    }
    const found = lint(
      await apiOf({ openapi: openapiOf({ paths, components: { responses: { Lost } } }) }),
    )
    expect(found.filter(({ rule }) => rule === 'error-has-no-example')).toHaveLength(1)
    const lines = found.map(({ location }) => location.line)
    expect(lines).toEqual(lines.toSorted((a, b) => a - b))
  })

  it('schemas that refer to themselves and to each other end', async () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const list = (name: string) => ({
      type: 'object',
      properties: {
        head: { type: 'string', minLength: 1 },
        next: ref(name),
        all: { type: 'array', items: ref(name) },
      },
    })
    const schemas = { A: list('B'), B: list('A'), C: list('C') }
    const openrpc = openrpcOf({
      methods: [method('a', [], ref('A')), method('c', [], ref('C'))],
      schemas,
    })
    const found = lint(await apiOf({ openrpc }))
    expect(found.map(({ rule }) => rule)).toContain('schema-is-repeated')
  })

  it('a chain of 3,000 schemas that differ at its end only is gone through, and none is taken for another', async () => {
    const links = Array.from({ length: 3_000 }, (_, index) => [
      `S${index}`,
      {
        type: 'object',
        required: ['next', 'more', 'last'],
        properties: {
          next: { $ref: `#/components/schemas/S${index + 1}` },
          more: { type: 'string' },
          last: { type: 'boolean' },
        },
      },
    ])
    const schemas = { ...Object.fromEntries(links), S3000: { type: 'string' } }
    const api = await apiOf({ openrpc: openrpcOf({ schemas }) })
    expect(lint(api, { only: ['schema-is-repeated'] })).toEqual([])
  })

  it('ten times the operations take ten times as long, not a hundred times', async () => {
    const api = (count: number) =>
      apiOf({
        openapi: openapiOf({
          paths: Object.fromEntries(
            Array.from({ length: count }, (_, index) => [
              `/things${index}/{id}`,
              {
                get: {
                  operationId: `read${index}`,
                  responses: {
                    200: {
                      description: 'Read.',
                      content: {
                        'application/json': { schema: { $ref: `#/components/schemas/S${index}` } },
                      },
                    },
                  },
                },
              },
            ]),
          ),
          schemas: Object.fromEntries(
            Array.from({ length: count }, (_, index) => [
              `S${index}`,
              {
                type: 'object',
                properties: { [`a${index}`]: { type: 'string' }, b: { enum: [index, 1e6] } },
              },
            ]),
          ),
        }),
      })
    const timed = async (count: number) => {
      const read = await api(count)
      const used = cpuClock()
      const found = lint(read)
      return { found: found.length, time: used() }
    }
    await timed(100)
    const few = await timed(300)
    const many = await timed(3_000)
    expect(many.found).toBeGreaterThan(9 * few.found)
    expect(many.time / few.time).toBeLessThan(40)
  })

  it('a chain of ten times the schemas takes ten times as long, not a hundred times', async () => {
    const link = (index: number, last: number) =>
      index === last
        ? { type: 'object', properties: { name: { type: 'string' } } }
        : { allOf: [{ $ref: `#/components/schemas/S${index + 1}` }] }
    const timed = async (count: number) => {
      const all = Array.from({ length: count }, (_, index) => [`S${index}`, link(index, count - 1)])
      const openapi = openapiOf({ schemas: Object.fromEntries(all) })
      const used = cpuClock()
      lint(await apiOf({ openapi }))
      return used()
    }
    await timed(500)
    const few = await timed(500)
    expect((await timed(5_000)) / few).toBeLessThan(40)
  })
})

describe('documents in use', () => {
  it.each([
    ['openapi', 'node_modules/@figma/rest-api-spec/openapi/openapi.yaml'],
    ['openapi', 'node_modules/@directus/specs/dist/openapi.json'],
    ['openrpc', 'node_modules/@metamask/api-specs/dist/build/openrpc.json'],
  ])('%s %s is gone through, and nothing in it is called an error', async (kind, file) => {
    const found = lint(await loadApi({ [kind]: file }))
    expect(found.length).toBeGreaterThan(50)
    expect(found.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('our own have nothing to mend', async () => {
    const found = lint(await loadApi(findDocuments('spec')))
    expect(found.filter(({ level }) => level !== 'note')).toEqual([])
  })
})
