import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/** An operation of one of three groups: it reads what several groups use, and sends what only it uses. */
const operation = (at: number, more: object = {}) => ({
  post: {
    operationId: `make${at}`,
    tags: [['pets', 'orders', 'users'][at % 3]],
    parameters: [
      { name: 'state', in: 'query', schema: { type: 'string', enum: STATES } },
      { name: 'code', in: 'query', schema: { type: 'string', pattern: '^[a-z]+$' } },
    ],
    requestBody: json({
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 1 },
        owner: { type: 'object', properties: { id: { type: 'integer' } } },
        tags: { type: 'array', items: { type: 'string' } },
        ...more,
      },
    }),
    responses: {
      200: {
        description: 'Made.',
        ...json({
          type: 'object',
          properties: { data: { type: 'array', items: ref(`Thing${at % 20}`) } },
        }),
      },
      400: { description: 'Wrong.', ...json(ref('Problem')) },
    },
  },
})

const STATES = Array.from({ length: 12 }, (_, at) => `state ${at}`)

const thing = (at: number, more: object = {}) => ({
  type: 'object',
  properties: {
    size: { type: 'integer' },
    state: { type: 'string', enum: STATES },
    parts: { type: 'array', items: { type: 'object', properties: { size: { type: 'integer' } } } },
    next: ref(`Thing${(at + 1) % 20}`),
    ...more,
  },
})

type Parts = { readonly paths: Record<string, object>; readonly schemas: Record<string, object> }

const documentOf = (count: number): Parts => ({
  paths: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`/make/${at}`, operation(at)]),
  ),
  schemas: {
    ...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`Thing${at}`, thing(at)])),
    Problem: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
  },
})

const filesOf = async ({ paths, schemas }: Parts) =>
  new Map(
    emitAll(await apiOf({ openapi: openapiOf({ paths, schemas }) })).map(({ name, text }) => [
      name,
      text,
    ]),
  )

/** The lines that a reviewer sees: those of `git diff`. */
function changedLines(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): { readonly removed: readonly string[]; readonly added: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'twinspec-changes-'))
  try {
    for (const [side, files] of [
      ['before', before],
      ['after', after],
    ] as const)
      for (const [name, text] of files) {
        mkdirSync(dirname(join(folder, side, name)), { recursive: true })
        writeFileSync(join(folder, side, name), text)
      }
    const args = ['diff', '--no-index', '--patience', '-U0', '--no-color', 'before', 'after']
    const lines = spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout.split('\n')
    const marked = (mark: string) =>
      lines.flatMap((line) =>
        line.startsWith(mark) && !line.startsWith(mark.repeat(3)) ? line.slice(1) : [],
      )
    return { removed: marked('-'), added: marked('+') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const withPaths = (
  { paths, schemas }: Parts,
  change: (paths: [string, object][]) => [string, object][],
) => ({
  paths: Object.fromEntries(change(Object.entries(paths))),
  schemas,
})

describe.each([
  ['a small', 90],
  ['a large', 150],
])('in %s document', (_, count) => {
  const document = documentOf(count)
  const before = filesOf(document)

  it.each(['first', 'among others', 'last'])(
    'an operation that comes %s adds its lines alone',
    async (where) => {
      const at = where === 'first' ? 0 : where === 'last' ? count : 40
      const added = withPaths(document, (all) => [
        ...all.slice(0, at),
        ['/fresh', { post: { ...operation(999).post, operationId: 'makeFresh' } }],
        ...all.slice(at),
      ])
      const change = changedLines(await before, await filesOf(added))
      expect(change.removed).toEqual([])
      expect(change.added.length).toBeLessThan(230)
    },
  )

  it('an operation that goes takes its lines away alone', async () => {
    const fewer = withPaths(document, (all) => all.filter(([path]) => path !== '/make/40'))
    const change = changedLines(await before, await filesOf(fewer))
    expect(change.added).toEqual([])
    expect(change.removed.length).toBeLessThan(230)
  })

  it('a changed operation changes its lines alone', async () => {
    const changed = withPaths(document, (all) =>
      all.map(([path, item]) =>
        path === '/make/40'
          ? [path, operation(40, { colour: { type: 'string', enum: ['red', 'blue'] } })]
          : [path, item],
      ),
    )
    const { removed, added } = changedLines(await before, await filesOf(changed))
    expect(removed.length + added.length).toBeLessThan(30)
    const own = [...removed, ...added].filter((line) => /\d/.test(line))
    expect(own.filter((line) => !/[mM]ake40/.test(line))).toEqual([])
  })

  it('a renamed operation changes its lines alone', async () => {
    const renamed = withPaths(document, (all) =>
      all.map(([path, item]) =>
        path === '/make/40'
          ? [path, { post: { ...operation(40).post, operationId: 'makeRenamed' } }]
          : [path, item],
      ),
    )
    const { removed, added } = changedLines(await before, await filesOf(renamed))
    // Lines of a constant may move with its name.
    const others = (lines: readonly string[], moved: readonly string[]) =>
      lines.filter((line) => !/make(40|Renamed)/i.test(line) && !moved.includes(line))
    expect(others(removed, added)).toEqual([])
    expect(others(added, removed)).toEqual([])
  })

  it('a changed schema changes its lines alone', async () => {
    const schemas = { ...document.schemas, Thing7: thing(7, { colour: { type: 'string' } }) }
    const { removed, added } = changedLines(await before, await filesOf({ ...document, schemas }))
    expect(removed.length + added.length).toBeLessThan(15)
  })

  it('a schema that nothing uses adds its lines alone', async () => {
    const schemas = { Fresh: thing(0), ...document.schemas }
    const change = changedLines(await before, await filesOf({ ...document, schemas }))
    expect(change.removed).toEqual([])
    expect(change.added.length).toBeLessThan(130)
  })
})
