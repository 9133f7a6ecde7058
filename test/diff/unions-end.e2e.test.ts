import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { builtFile } from '../built/imports.js'
import { folderOf } from '../cli/command-line.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What ends in seconds is given minutes, as the machine may be busy; a run without an end is killed. */
const PATIENCE = 100_000

type Schemas = Readonly<Record<string, object>>
type Union = 'oneOf' | 'anyOf' | 'allOf'

const LEVELS = 40

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Schemas that each hold the next one in the way that `level` says; the last one is a short text. */
const chain = (level: (n: number) => Schemas, last: Schemas): Schemas =>
  Object.assign({}, ...Array.from({ length: LEVELS }, (_, n) => level(n)), last)

const repeated = (unionOf: (n: number) => Union) => (maxLength: number) =>
  chain((n) => ({ [`S${n}`]: { [unionOf(n)]: [ref(`S${n + 1}`), ref(`S${n + 1}`)] } }), {
    [`S${LEVELS}`]: { type: 'string', maxLength },
  })

/** Two schemas at each level, which each name both of the next level. */
const ladder = (union: Union, more: (n: number) => object) => (maxLength: number) =>
  chain(
    (n) => {
      const both = [ref(`S${n + 1}`), ref(`T${n + 1}`)]
      return { [`S${n}`]: { [union]: both }, [`T${n}`]: { [union]: both, ...more(n) } }
    },
    {
      [`S${LEVELS}`]: { type: 'string', maxLength },
      [`T${LEVELS}`]: { type: 'string', maxLength: maxLength - 1 },
    },
  )

const withSibling = (maxLength: number) =>
  chain(
    (n) => ({
      [`S${n}`]: {
        type: 'object',
        properties: { [`p${n}`]: { type: 'string' } },
        anyOf: [ref(`S${n + 1}`), ref(`S${n + 1}`)],
      },
    }),
    {
      [`S${LEVELS}`]: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', maxLength } },
      },
    },
  )

const withPropertyBetween = (maxLength: number) =>
  chain(
    (n) => {
      const holding = (name: string) => ({
        type: 'object',
        required: ['next'],
        properties: { next: ref(`S${n + 1}`), [name]: { type: 'string' } },
      })
      return { [`S${n}`]: { anyOf: [holding('left'), holding('right')] } }
    },
    { [`S${LEVELS}`]: { type: 'string', maxLength } },
  )

const documentOf = (schemas: Schemas, example?: unknown) => {
  const schema = ref('S0')
  const content = {
    'application/json': example === undefined ? { schema } : { schema, example },
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Unions', version: '1.0.0' },
    paths: {
      '/things': {
        post: {
          operationId: 'postThing',
          requestBody: { required: true, content },
          responses: { 204: { description: 'Done.' } },
        },
      },
    },
    components: { schemas },
  })
}

/** In a process of its own, which is killed: what never ends cannot be interrupted otherwise. */
const script = (...argv: readonly string[]) =>
  new Promise<{ readonly code: number | string; readonly stdout: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--max-old-space-size=1024', ...argv],
      { cwd: ROOT, timeout: PATIENCE, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 },
      (error, stdout) => resolve({ code: error?.code ?? (error ? 'killed' : 0), stdout }),
    )
  })

const run = (...args: readonly string[]) => script(builtFile('src/cli/main.js'), ...args)

const compared = async (schemas: (maxLength: number) => Schemas) => {
  const folder = await folderOf({
    'old.json': documentOf(schemas(10)),
    'new.json': documentOf(schemas(9)),
  })
  return run(
    ...['diff', '--openapi', join(folder, 'new.json'), '--against', join(folder, 'old.json')],
  )
}

describe('Unions of 40 levels that double at each one', () => {
  const decided: readonly (readonly [string, (maxLength: number) => Schemas])[] = [
    ['anyOf of a reference twice', repeated(() => 'anyOf')],
    ['allOf of a reference twice', repeated(() => 'allOf')],
    ['anyOf and allOf in turn', repeated((n) => (n % 2 === 0 ? 'anyOf' : 'allOf'))],
    ['a property beside the union', withSibling],
    ['an anyOf of two schemas that name the same two', ladder('anyOf', () => ({}))],
    [
      'an allOf of two schemas that name the same two',
      ladder('allOf', (n) => ({ minLength: n % 3 })),
    ],
  ]
  it.each(decided)('diff finds what changed: %s', { timeout: 2 * PATIENCE }, async (_, schemas) => {
    const { code, stdout } = await compared(schemas)
    expect(code).toBe(1)
    expect(stdout).toContain('request-max-length-lowered')
    expect(stdout).not.toContain('undecided')
  })

  it('diff reports nothing where no value is valid: oneOf of a reference twice', {
    timeout: 2 * PATIENCE,
  }, async () => {
    const { code, stdout } = await compared(repeated(() => 'oneOf'))
    expect(code).toBe(0)
    expect(stdout).not.toContain('request-')
  })

  const hard: readonly (readonly [string, (maxLength: number) => Schemas])[] = [
    [
      'an anyOf of different schemas',
      ladder('anyOf', (n) => ({ minLength: n % 7, title: `T${n}` })),
    ],
    ['a oneOf of different schemas', ladder('oneOf', (n) => ({ minLength: n % 7 }))],
    ['a property between', withPropertyBetween],
  ]
  it.each(hard)(
    'diff ends, and says so where it cannot decide: %s',
    {
      timeout: 2 * PATIENCE,
    },
    async (_, schemas) => {
      const { code, stdout } = await compared(schemas)
      expect(code).not.toBe('killed')
      expect(stdout).toMatch(/undecided|request-max-length-lowered|no part that Twinspec compares/)
    },
  )

  it.each(['oneOf', 'anyOf', 'allOf'] as const)(
    'docs and lint end: %s',
    {
      timeout: 3 * PATIENCE,
    },
    async (union) => {
      const folder = await folderOf({
        'plain.json': documentOf(repeated(() => union)(10)),
        'shown.json': documentOf(ladder(union, (n) => ({ minLength: n % 7 }))(10), 5),
      })
      const out = join(folder, 'site')
      expect((await run('docs', '--openapi', join(folder, 'plain.json'), '--out', out)).code).toBe(
        0,
      )
      const { stdout } = await run('lint', '--openapi', join(folder, 'shown.json'))
      expect(stdout).toContain('example-invalid')
    },
  )

  it.each([
    ['oneOf', 'false false'],
    ['anyOf', 'true false'],
    ['allOf', 'true false'],
  ] as const)(
    'generated validators check a value: %s',
    {
      timeout: 3 * PATIENCE,
    },
    async (union, expected) => {
      const folder = await folderOf({
        'api.json': documentOf(repeated(() => union)(10)),
        'package.json': '{ "type": "module" }',
        'check.mjs': `import { S0 } from './out/validators.ts'
        console.log(S0.check('text'), S0.check('a text that is too long'))`,
      })
      mkdirSync(join(folder, 'node_modules'))
      symlinkSync(builtFile('..'), join(folder, 'node_modules/twinspec'))
      const out = join(folder, 'out')
      expect(
        (await run('generate', '--openapi', join(folder, 'api.json'), '--out', out)).code,
      ).toBe(0)
      const { stdout } = await script('--import', 'tsx', join(folder, 'check.mjs'))
      expect(stdout.trim()).toBe(expected)
    },
  )
})
