import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { importFile } from './generated-code.js'
import { diagnose } from './strictest.js'

const AT = '2026-01-31T12:00:00.000Z'

const API = `openapi: 3.1.0
info: { title: Diary, version: '1' }
paths:
  /entries/{at}:
    put:
      operationId: putEntry
      parameters:
        - { name: at, in: path, required: true, schema: { type: string, format: date-time } }
        - { name: between, in: query, schema: { type: array, items: { type: string, format: date-time } } }
        - { name: X-Since, in: header, schema: { type: string, format: date-time } }
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/Entry' } }
          multipart/form-data: { schema: { $ref: '#/components/schemas/Entry' } }
      responses:
        '200': { description: Entry, content: { application/json: { schema: { $ref: '#/components/schemas/Entry' } } } }
        '409':
          description: Newer
          content: { application/json: { schema: { type: object, required: [since], properties: { since: { type: string, format: date-time } } } } }
  /entries:
    get:
      operationId: watch
      responses:
        '200': { description: Entries, content: { application/jsonl: { schema: { $ref: '#/components/schemas/Entry' } } } }
components:
  schemas:
    Date: { type: string, format: date-time }
    Entry:
      type: object
      required: [at]
      properties:
        at: { $ref: '#/components/schemas/Date' }
        day: { type: string, format: date }
        id: { type: string, format: uuid }
        gone: { type: [string, 'null'], format: date-time }
        parts: { type: array, items: { $ref: '#/components/schemas/Entry' } }
        byName: { type: object, additionalProperties: { type: string, format: date-time } }
        either: { anyOf: [{ type: string, format: date-time }, { type: string, const: never }, { type: integer }] }
        fixed: { enum: ['2026-01-31T12:00:00.000Z'], type: string, format: date-time }
`

const METHODS = `openrpc: 1.3.2
info: { title: Diary, version: '1' }
methods:
  - name: diary_next
    params: [{ name: after, required: true, schema: { type: string, format: date-time } }]
    result: { name: entry, schema: { type: object, required: [at], properties: { at: { type: string, format: date-time } } } }
`

const PROGRAM = `
import { toFetchHandler } from 'twinspec/runtime/server'
import { createClient } from './client.js'
import { isHttpError } from './http.client.js'
import type { Entry } from './http.types.js'
import { createServer } from './server.js'

const fetchHandler = toFetchHandler(
  createServer({
    putEntry: ({ path, query, header, body }) => {
      const times = [path.at, ...(query?.between ?? []), header?.['X-Since']].map((one) => one?.getTime())
      if (body.day === '2000-01-01') return { status: 409, body: { since: path.at } }
      const gone = times.every((one) => one === body.at.getTime()) ? body.at : null
      return { status: 200, body: { ...body, gone } }
    },
    watch: () => ({ status: 200, body: (async function* () { yield { at: new globalThis.Date('${AT}') } })() }),
    diaryNext: ([after]) => ({ at: new globalThis.Date(after.getTime() + 1000) }),
  }),
)
export const texts: string[] = []
const { http, rpc } = createClient({
  server: 'http://127.0.0.1:9',
  fetch: async (url, init) => {
    if (typeof init.body === 'string') texts.push(init.body)
    return fetchHandler(new Request(url, init))
  },
})
const at = new globalThis.Date('${AT}')
const between = [at]
export const sent = { path: { at }, query: { between }, header: { 'X-Since': at } }
export const put = async (body: Entry): Promise<Entry> => http.putEntry({ ...sent, body })
export const putForm = async (): Promise<Entry> =>
  http.putEntry({ ...sent, contentType: 'multipart/form-data', body: { at } })
export const times = async (): Promise<readonly number[]> => {
  const entry = await put({ at, parts: [{ at }], byName: { a: at }, either: at, fixed: '${AT}' })
  const fixed: '${AT}' | undefined = entry.fixed
  const { at: next } = await rpc.diaryNext(at)
  const refused = await http.putEntry({ ...sent, body: { at, day: '2000-01-01' } }).catch((error) => error)
  if (!isHttpError(refused, 'putEntry', 409)) throw refused
  const all = [entry.at, entry.gone, entry.parts?.[0]?.at, entry.byName?.['a'], entry.either, next, refused.body.since]
  for await (const one of await http.watch()) all.push(one.at)
  if (fixed !== '${AT}') throw new TypeError(fixed)
  return all.map((one) => (one instanceof globalThis.Date ? one.getTime() : -1))
}
// @ts-expect-error a Date is not a text
export const wrong: Entry = { at: '${AT}' }
`

type Program = {
  readonly texts: string[]
  readonly times: () => Promise<readonly number[]>
  readonly put: (body: object) => Promise<Readonly<Record<string, unknown>>>
  readonly putForm: () => Promise<Readonly<Record<string, unknown>>>
}

let out = ''
let program: Program
let onTestsEnd = (): void => undefined
afterAll(() => onTestsEnd())

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'twinspec-dates-'))
  onTestsEnd = () => rmSync(folder, { recursive: true, force: true })
  writeFileSync(join(folder, 'api.yaml'), API)
  writeFileSync(join(folder, 'methods.yaml'), METHODS)
  out = join(folder, 'generated')
  const flags = ['--dates', '--formats', 'date,uuid', '--with', 'server,msw,zod,valibot,typebox']
  const documents = [join(folder, 'api.yaml'), join(folder, 'methods.yaml')]
  const { code, stderr } = await twinspec('generate', ...documents, '--out', out, ...flags)
  expect(code, stderr).toBe(0)
  writeFileSync(join(out, 'use.ts'), PROGRAM)
  program = await importFile<Program>(out, 'use.ts')
})

describe('generate --dates', () => {
  it('has types that compile', () => {
    const names = readdirSync(out).filter((name) => name.endsWith('.ts'))
    const texts = new Map(names.map((name) => [name, readFileSync(join(out, name), 'utf8')]))
    expect(diagnose(texts)).toEqual([])
  })

  it('gives clients and handlers dates, wherever they are', async () => {
    const time = Date.parse(AT)
    expect(await program.times()).toEqual([time, time, time, time, time, time + 1000, time, time])
    expect(program.texts[0]).toContain(`"at":"${AT}"`)
    expect(await program.putForm()).toMatchObject({ at: new Date(AT), gone: new Date(AT) })
  })

  it('leaves texts of another alternative as they are', async () => {
    const at = new Date(AT)
    expect(await program.put({ at, either: 'never' })).toMatchObject({ at, either: 'never' })
    expect(await program.put({ at, either: 5 })).toMatchObject({ at, either: 5 })
  })

  it('reads offsets and leap seconds, and rejects a text that is no date', async () => {
    const read = async (at: string) => (await program.put({ at })).at
    expect(await read('2026-01-31T14:00:00+02:00')).toEqual(new Date(AT))
    expect(await read('2016-12-31T23:59:60Z')).toEqual(new Date('2017-01-01T00:00:00Z'))
    for (const at of ['2026-02-30T12:00:00Z', 'yesterday', '2026-01-31'])
      await expect(read(at)).rejects.toMatchObject({
        reason: 'invalid-input',
        issues: [
          { path: ['body', 'at'], message: expect.stringContaining('2026-01-31T12:00:00Z') },
        ],
      })
    await expect(program.put({ at: new Date(Number.NaN) })).rejects.toMatchObject({
      reason: 'invalid-input',
    })
  })
})

describe('generate --formats', () => {
  it('rejects a text that certainly has another format, in requests and by exported validators', async () => {
    const at = new Date(AT)
    const id = '9f0c7a1e-94b6-4f38-8a27-6be1f0c3d942'
    expect(await program.put({ at, id, day: '2026-01-31' })).toMatchObject({ id })
    await expect(program.put({ at, id: '7' })).rejects.toMatchObject({
      issues: [{ path: ['body', 'id'], message: 'must be a UUID, is "7"' }],
    })
    await expect(program.put({ at, day: '2026-02-30' })).rejects.toMatchObject({
      issues: [
        { path: ['body', 'day'], message: expect.stringContaining('must be a date such as') },
      ],
    })
  })

  it('has the same verdicts in validators, explanations, Zod and Valibot', async () => {
    type Checks = { readonly Entry: { readonly check: (value: unknown) => boolean } }
    type Zod = { readonly Entry: { readonly safeParse: (value: unknown) => { success: boolean } } }
    const own = await importFile<Checks>(out, 'validators.ts')
    const explaining = await importFile<Checks>(out, 'explanations.ts')
    const zod = await importFile<Zod>(out, 'zod.ts')
    const valibot = await importFile<{ readonly Entry: never }>(out, 'valibot.ts')
    const { safeParse } = await import('valibot')
    const verdicts = (value: object) => [
      own.Entry.check(value),
      explaining.Entry.check(value),
      zod.Entry.safeParse(value).success,
      safeParse(valibot.Entry, value).success,
    ]
    for (const [value, isValid] of [
      [{ at: AT, id: '9f0c7a1e-94b6-4f38-8a27-6be1f0c3d942', day: '2024-02-29' }, true],
      [{ at: AT, gone: null }, true],
      [{ at: AT, id: 'x' }, false],
      [{ at: AT, day: '2023-02-29' }, false],
      [{ at: 'x' }, false],
      [{ at: AT, gone: 'x' }, false],
      [{ at: AT, byName: { a: 'x' } }, false],
    ] as const)
      expect(verdicts(value), JSON.stringify(value)).toEqual([isValid, isValid, isValid, isValid])
  })
})

it('what reads JSON by itself cannot have dates, and a format must be known', async () => {
  const folder = await folderOf({ 'api.yaml': API })
  const run = async (...flags: string[]) => {
    const { code, stderr } = await twinspec(
      'generate',
      join(folder, 'api.yaml'),
      '--out',
      out,
      ...flags,
    )
    return `${code} ${stderr}`
  }
  expect(await run('--dates', '--with', 'openapi-fetch')).toContain('a date is a text')
  expect(await run('--dates', '--with', 'standard-schema')).toContain('leave out --dates')
  expect(await run('--formats', 'uid')).toContain('--formats cannot be "uid": did you mean uuid?')
})
