import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { emitAll } from '../../src/emit/emit.js'
import type { File } from '../../src/emit/file.js'
import { uncheckedHeader } from '../../src/emit/header.js'
import { kindNames } from '../../src/emit/kinds.js'
import { PLUGINS, pluginNames } from '../../src/emit/plugins.js'
import { findDocuments, loadApi } from '../../src/read/load.js'
import { diagnose } from './strictest.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SPEC = join(ROOT, 'spec')
const GENERATED = join(ROOT, 'generated')

/** `test/peers` compiles and runs the code, beside the libraries that it is for; `operations-json.test.ts` validates the data. */
const NOT_COMMITTED = [
  'operations.json',
  'standard-schema.ts',
  'tanstack-query.ts',
  'valibot.ts',
  'zod.ts',
]

let folder = ''
let files: readonly File[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'twinspec-test-'))
  files = await emitted(SPEC)
})
afterAll(() => rm(folder, { recursive: true, force: true }))
afterEach(() => {
  vi.useRealTimers()
})

describe('what is generated follows from the documents alone', () => {
  it('the same text each time', async () => {
    expect(byName(await emitted(SPEC))).toEqual(byName(files))
  })

  it('on another day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2001-02-03T04:05:06Z') })
    expect(byName(await emitted(SPEC))).toEqual(byName(files))
  })

  it('in another folder', async () => {
    const copy = join(folder, 'elsewhere', 'spec')
    await cp(SPEC, copy, { recursive: true })
    expect(byName(await emitted(copy))).toEqual(byName(files))
  })

  it('whatever order the schemas stand in, and whatever stands beside them unused', async () => {
    const copy = await copied('reversed')
    const schemas = (await readdir(copy, { recursive: true })).filter((file) =>
      /^schemas\/.*\.yaml$/.test(file),
    )
    expect(schemas.length).toBeGreaterThan(10)
    for (const file of schemas) {
      const entries = Object.entries(
        parse(await readFile(join(copy, file), 'utf8'), { merge: true }),
      )
      const reversed = Object.fromEntries([['Unused', { type: 'string' }], ...entries.reverse()])
      await writeFile(join(copy, file), JSON.stringify(reversed))
    }
    expect(byName(await emitted(copy))).toEqual(byName(files))
  })

  it('in the order of the documents: without a method, the rest stays where it was', async () => {
    const copy = await copied('shorter')
    const entry = join(copy, 'openrpc.yaml')
    const lines = (await readFile(entry, 'utf8')).split('\n')
    const shorter = lines.filter((line) => !/#\/(eth_getLogs|eth_simulateV1)$/.test(line))
    expect(lines.length - shorter.length).toBe(2)
    await writeFile(entry, shorter.join('\n'))
    const less = byName(await emitted(copy))
    for (const [name, text] of Object.entries(byName(files))) {
      const after = less[name] ?? ''
      if (name.startsWith('http.')) expect(after, name).toBe(text)
      // A schema stands behind those that it refers to, and so may move; what is said of it may not.
      else if (['schemas.ts', 'valibot.ts', 'zod.ts'].includes(name))
        expect(after.split('\n\n').filter((one) => !text.includes(one))).toEqual([])
      // What several examples hold stands apart, and what one alone holds in it.
      else if (name === 'msw.ts')
        expect(operationsIn(after)).toEqual(
          operationsIn(text).filter((id) => id !== 'ethGetLogs' && id !== 'ethSimulateV1'),
        )
      else if (name.endsWith('.ts')) expect(strangers(after, text), name).toEqual([])
    }
  })
})

/** The operations of `msw.ts`, as they follow each other among the overrides and among the examples. */
const operationsIn = (text: string): readonly string[] => {
  const overrides = text.slice(text.indexOf('export type Overrides'), text.indexOf('\n}\n'))
  const examples = text.slice(text.indexOf('const examples: '))
  return [...`${overrides}\n${examples}`.matchAll(/^ {2}(?:readonly )?(\w+)\??: /gm)].map(
    ([, id = '']) => id,
  )
}

describe('the generated folder', () => {
  it('is what the documents say', async () => {
    const committed = await readdir(GENERATED)
    const configured = files.filter(({ name }) => !NOT_COMMITTED.includes(name))
    expect(committed.sort()).toEqual(configured.map(({ name }) => name))
    for (const { name, text } of configured) {
      expect((await readFile(join(GENERATED, name), 'utf8')) === text, `${name} is stale`).toBe(
        true,
      )
    }
  })

  it('names its source and command in the first line, where a comment can stand', () => {
    const headless = files.filter(
      ({ name, text }) => !name.endsWith('.json') && !/^.*twinspec generate.*\n/.test(text),
    )
    expect(headless.map(({ name }) => name)).toEqual([])
  })

  it('knows no folder and no machine', () => {
    const places = [
      ROOT.replace(/\/$/, ''),
      folder,
      tmpdir(),
      homedir(),
      'file://',
      '/node_modules/',
    ]
    const telling = files.flatMap(({ name, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          places.some((place) => place.length > 1 && line.includes(place))
            ? [`${name}:${index + 1}: ${line.trim()}`]
            : [],
        ),
    )
    expect(telling).toEqual([])
  })

  it('suppresses nothing', () => {
    const suppressing = /@ts-(ignore|nocheck|expect-error)|biome-ignore|eslint-|prettier-ignore/
    expect(files.filter(({ text }) => suppressing.test(text)).map(({ name }) => name)).toEqual([])
  })

  it('has no any', () => {
    const found = sourceFiles().flatMap(({ name, text }) =>
      nodesIn(ts.createSourceFile(name, text, ts.ScriptTarget.Latest))
        .filter(({ kind }) => kind === ts.SyntaxKind.AnyKeyword)
        .map(({ pos }) => `${name}: ${text.slice(pos - 60, pos + 10)}`),
    )
    expect(found).toEqual([])
  })

  it('compiles under the strictest settings', () => {
    expect(sourceFiles().map(({ name }) => name)).toEqual(
      expect.arrayContaining(['http.client.ts', 'rpc.client.ts', 'schemas.ts', 'server.ts']),
    )
    const compiled = sourceFiles().filter(({ name }) => !NOT_COMMITTED.includes(name))
    expect(diagnose(new Map(compiled.map(({ name, text }) => [name, text])))).toEqual([])
  })

  it('would not, had it a fault that only these settings see', () => {
    const faulty = `
      import { HttpError } from 'twinspec/runtime/errors'
      import { Server } from 'twinspec/runtime/operation'
      export enum Colour { Red }
      export const record: Record<string, string> = {}
      export const length = record.name.length
      export const at = (list: string[]): string => list[0]
      export const optional: { a?: string } = { a: undefined }
      export const none = (a: boolean) => { if (a) return 1 }
      export const code = () => { return 1; console.log() }
      export const unused = (a: string) => 1
      class Base { run() {} }
      export class Derived extends Base { run() {} }
      export type S = Server`
    expect(
      diagnose(new Map([['faulty.ts', `${uncheckedHeader()}\n${faulty}`]])).map(
        (line) => line.split(':')[1],
      ),
    ).toEqual(
      expect.arrayContaining([
        ' TS1484',
        ' TS1294',
        ' TS2322',
        ' TS2375',
        ' TS4111',
        ' TS4114',
        ' TS6133',
        ' TS7027',
        ' TS7030',
      ]),
    )
  })
})

async function emitted(spec: string): Promise<readonly File[]> {
  const api = await loadApi(findDocuments(spec))
  return emitAll(
    api,
    pluginNames.filter((name) => PLUGINS[name].whyNot(api) === undefined),
    kindNames,
  )
}

async function copied(name: string): Promise<string> {
  const copy = join(folder, name)
  await cp(SPEC, copy, { recursive: true })
  return copy
}

function byName(some: readonly File[]): Readonly<Record<string, string>> {
  return Object.fromEntries(some.map(({ name, text }) => [name, text]))
}

function sourceFiles(): readonly File[] {
  return files.filter(({ name }) => name.endsWith('.ts'))
}

function nodesIn(node: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = [node]
  ts.forEachChild(node, (child) => {
    found.push(...nodesIn(child))
  })
  return found
}

/** The lines of a text that are not, in this order, lines of another. */
function strangers(text: string, other: string): readonly string[] {
  const lines = other.split('\n')
  let at = 0
  return text.split('\n').filter((line) => {
    const found = lines.indexOf(line, at)
    if (found < 0) return true
    at = found + 1
    return false
  })
}
