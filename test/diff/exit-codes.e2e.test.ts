import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { builtFile } from '../built/imports.js'
import { folderOf, twinspec } from '../cli/command-line.js'
import { CORPORA } from '../conformance/corpora.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What compares a document in seconds is given minutes, as the machine may be busy; a run without an end is killed. */
const PATIENCE = 120_000

type Schemas = Readonly<Record<string, object>>

describe('diff ends', () => {
  it('on resources that refer to each other by an id or in full', {
    timeout: 2 * PATIENCE,
  }, async () => {
    const { code, stdout } = await compared(resources(5000), resources(4000), 'Resource0')
    expect(code).toBe(1)
    // A change is reported once, by its shortest path, and not for each path that leads to it.
    expect(stdout.split('\n').filter((line) => line.includes('name')).length).toBeLessThan(100)
    expect(stdout).toContain('request-max-length-lowered')
    expect(stdout).not.toContain('undecided')
  })

  it('on resources that are linked by an id, in full or as deleted ones', {
    timeout: 2 * PATIENCE,
  }, async () => {
    const { code, stdout } = await compared(deletable(5000), deletable(4000), 'Resource0')
    expect(code).toBe(1)
    expect(stdout).toContain('request-max-length-lowered')
    expect(stdout).toContain('response-max-length-lowered')
    expect(stdout).not.toContain('undecided')
  })

  it('on a chain of schemas that doubles at each step', { timeout: 2 * PATIENCE }, async () => {
    const { code, stdout } = await compared(chain(40, 10), chain(40, 9), 'Step0')
    expect(code).toBe(1)
    expect(stdout).toContain('request-max-length-lowered')
    expect(stdout).toContain('response-max-length-lowered')
  })

  it('on a chain that is unchanged', { timeout: 2 * PATIENCE }, async () => {
    expect(await compared(chain(40, 10), chain(40, 10), 'Step0')).toMatchObject({
      ...{ code: 0, stdout: '' },
    })
  })

  const stripe = ['2019-09-05.json', '2019-11-04.json'].map((name) =>
    join(CORPORA, 'histories/stripe', name),
  )
  it.skipIf(!stripe.every(existsSync))(
    'on two versions of Stripe (skipped where the corpora are absent)',
    { timeout: 3 * PATIENCE },
    async () => {
      const { code, stdout } = await diff(stripe[0] ?? '', stripe[1] ?? '', 2 * PATIENCE)
      expect(code).toBe(1)
      expect(stdout).toContain('response-property-became-optional')
    },
  )
})

/** Whether two back references mean the same cannot be decided. */
it('every operation that cannot be decided is named, and each is counted', async () => {
  const version = (pattern: string) => {
    const content = { 'application/json': { schema: ref('Code') } }
    const path = (id: string) => ({
      put: {
        operationId: id,
        requestBody: { required: true, content },
        responses: { 204: { description: 'Done.' } },
      },
    })
    return JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Codes', version: '1' },
      paths: { '/first': path('first'), '/second': path('second'), '/third': path('third') },
      components: { schemas: { Code: { type: 'string', pattern } } },
    })
  }
  const folder = await folderOf({
    'old.json': version('^(.+)\\1$'),
    'new.json': version('^(.+)\\1x$'),
  })
  const files = ['--openapi', join(folder, 'new.json'), '--against', join(folder, 'old.json')]
  const { stdout } = await twinspec('diff', ...files)
  expect(stdout).toContain('undecided in: PUT /first, PUT /second, PUT /third')
  expect(stdout).toMatch(
    /^operations with undecided changes\n {2}PUT \/first\n {2}PUT \/second\n {2}PUT \/third$/m,
  )
  const github = await twinspec('diff', '--format', 'github', ...files)
  expect(github.stdout).toContain('PUT /first, PUT /second, PUT /third')
})

/** Each document has more of one kind than a comparison goes through; docs/breaking-changes.md names the limits. */
it.each([
  // Those who send the alternative that changed may be rejected, whatever the whole accepts.
  ['a branch of a oneOf may overlap with more than 32 others', overlapping, 1],
  ['a schema has more than 256 combinations of alternatives', combined, 0],
  ['a pair of schemas took more than 10,000 steps', alike, 0],
] as const)(
  'what cannot be decided names its limit: %s',
  { timeout: 2 * PATIENCE },
  async (limit, thing, expected) => {
    const { code, stdout } = await compared({ Thing: thing(10) }, { Thing: thing(8) }, 'Thing')
    expect(code).toBe(expected)
    expect(stdout).toContain('cannot decide whether this breaks anybody')
    expect(stdout).toContain(limit)
    if (thing === alike)
      expect(stdout).toContain('the alternatives and their members took more than 10,000 steps')
  },
)

async function compared(before: Schemas, after: Schemas, root: string) {
  const folder = await folderOf({
    'before.json': JSON.stringify(documentOf(before, root)),
    'after.json': JSON.stringify(documentOf(after, root)),
  })
  return diff(join(folder, 'before.json'), join(folder, 'after.json'), PATIENCE)
}

/** In a process of its own, which is killed after so many milliseconds: what never ends cannot be interrupted otherwise. */
const diff = (before: string, after: string, timeout: number) =>
  new Promise<{ readonly code: number | string; readonly stdout: string }>((resolve) => {
    const command = ['diff', '--openapi', after, '--against', before]
    execFile(
      process.execPath,
      ['--max-old-space-size=1024', builtFile('src/cli/main.js'), ...command],
      { cwd: ROOT, timeout, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 },
      (error, stdout) => resolve({ code: error?.code ?? (error ? 'killed' : 0), stdout }),
    )
  })

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/**
 * Twenty resources; each names five others, by an id, in full, or as a deleted one where there is a schema for those. Each name
 * has a bound.
 */
function resources(maxLength: number, deleted?: object): Schemas {
  const count = 20
  const resource = (n: number) => ({
    type: 'object',
    required: ['id', 'object'],
    properties: {
      id: { type: 'string', maxLength: 5000 },
      object: { type: 'string', enum: [`resource${n}`] },
      name: { type: 'string', maxLength: n === count - 1 ? maxLength : 5000 },
      ...Object.fromEntries(
        [1, 2, 3, 5, 7].map((step) => [
          `link${step}`,
          {
            anyOf: [
              { type: 'string', maxLength: 5000 },
              ref(`Resource${(n + step) % count}`),
              ...(deleted ? [ref(`Deleted${(n + step) % count}`)] : []),
            ],
          },
        ]),
      ),
    },
  })
  const numbers = Array.from({ length: count }, (_, n) => n)
  return Object.fromEntries(
    numbers.flatMap((n) => [
      [`Resource${n}`, resource(n)],
      ...(deleted ? [[`Deleted${n}`, deleted]] : []),
    ]),
  )
}

/** The same, where each link may lead to a deleted resource too. */
function deletable(maxLength: number): Schemas {
  const deleted = {
    type: 'object',
    required: ['id', 'deleted'],
    properties: { id: { type: 'string', maxLength: 5000 }, deleted: { type: 'boolean' } },
  }
  return resources(maxLength, deleted)
}

/** Each schema names the next one twice. */
function chain(length: number, maxLength: number): Schemas {
  const step = (n: number) =>
    n === length - 1
      ? { type: 'string', maxLength }
      : {
          type: 'object',
          required: ['left'],
          properties: { left: ref(`Step${n + 1}`), right: ref(`Step${n + 1}`) },
        }
  return Object.fromEntries(Array.from({ length }, (_, n) => [`Step${n}`, step(n)]))
}

function documentOf(schemas: Schemas, root: string): object {
  const content = { 'application/json': { schema: ref(root) } }
  return {
    openapi: '3.0.3',
    info: { title: 'Expandable', version: '1' },
    paths: {
      '/things': {
        post: {
          operationId: 'postThing',
          requestBody: { required: true, content },
          responses: { 200: { description: 'As it is.', content } },
        },
      },
    },
    components: { schemas },
  }
}

const times = <T>(count: number, make: (n: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, n) => make(n))

/** No branch excludes another. */
function overlapping(maxLength: number): object {
  return {
    oneOf: times(40, (n) => ({
      type: 'object',
      properties: { [`p${n}`]: { type: 'string', maxLength: n === 20 ? maxLength : 9 } },
    })),
  }
}

/** 4 to the power of 5 combinations. */
function combined(maxLength: number): object {
  return {
    allOf: times(5, (n) => ({ anyOf: times(4, (m) => ({ required: [`p${n}${m}`] })) })),
    properties: { x: { type: 'string', maxLength } },
  }
}

/** Each alternative of one version may be within each of the other. */
function alike(maxLength: number): object {
  const alternatives = times(70, (n) => ({
    type: 'object',
    properties: {
      [`a${n}`]: {
        anyOf: times(14, (m) => ({
          type: 'string',
          minLength: n + m,
          maxLength: maxLength + 100 + m,
          pattern: `^${n}${m}`,
        })),
      },
      k: {
        anyOf: times(14, (m) => ({ type: 'integer', minimum: n, maximum: n + m + maxLength })),
      },
    },
  }))
  return { type: 'object', required: ['p'], properties: { p: { anyOf: alternatives } } }
}
