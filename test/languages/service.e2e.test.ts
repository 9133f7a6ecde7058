import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { File } from '../../src/emit/file.js'
import { emitGo } from '../../src/emit/go/go.js'
import { emitPython } from '../../src/emit/python/python.js'
import { disk } from '../../src/read/file-tree.js'
import { loadApi } from '../../src/read/load.js'
import { temporaryFolder } from '../temporary-folder.js'
import { type ServiceProcess, startServiceProcess } from '../trials/service-process.js'
import { DOCUMENTS } from './documents-of-others.js'
import { HAS_GO, WITHOUT_GO } from './go.js'
import { failureOf, pythonProgram, WITHOUT_PYTHON } from './python.js'

const python = pythonProgram('python')

let service: ServiceProcess | undefined
let key = ''

beforeAll(async () => {
  if (!python && !HAS_GO) return
  service = await startServiceProcess({ args: ['--log-level', 'warn'] })
  const printed = () => /^API key {2}(\S+)/m.exec(service?.output() ?? '')?.[1]
  key = (await vi.waitUntil(printed, { timeout: 120_000 })) ?? ''
})

afterAll(() => service?.stop())

const api = await loadApi(DOCUMENTS.ours, disk)

const folderOf = (files: readonly File[], program: string, place: string): string => {
  const folder = temporaryFolder('clients-of-the-service')
  for (const { name, text } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  mkdirSync(dirname(join(folder, place)), { recursive: true })
  cpSync(fileURLToPath(new URL(`service/${program}`, import.meta.url)), join(folder, place))
  return folder
}

/** What a program printed. The key must be in no line of it. */
const factsOf = (command: string, args: readonly string[], cwd: string) => {
  const made = spawnSync(command, [...args, service?.url ?? '', key], { cwd, encoding: 'utf8' })
  expect(made.status, made.stderr).toBe(0)
  const shown = made.stdout + made.stderr
  expect(shown).toContain('submitZkt')
  expect(shown).not.toContain(key)
  return made.stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}

const MESSAGE = { message: 'completed' }
const CONTRACT = [{ deploy: 'completed' }, { call: '0x1', read: ['12'] }]
const REFUSED = [
  { unknown: 404, body: { error: 'Transaction not found' } },
  { method: 'SubmitZktError' },
]
const NOWHERE = { nowhere: 'network' }
const CHAIN = 20180427
const batchOf = <Id>(chain: Id) => ({ batch: Array(39).fill(chain), code: -32602 })

it.skipIf(!python)(
  `Python submits, polls and deploys, and sends a batch of 40 with one that fails; no line shows the key${WITHOUT_PYTHON}`,
  () => {
    const folder = folderOf(emitPython(api, { name: 'zkt' }), 'program.py', 'src/program.py')
    const mypy = pythonProgram('mypy') ?? ''
    expect(failureOf(mypy, ['--strict', 'program.py'], join(folder, 'src'))).toBeUndefined()
    expect(factsOf(python ?? '', ['src/program.py'], folder)).toEqual([
      MESSAGE,
      ...CONTRACT,
      ...REFUSED,
      batchOf(CHAIN),
      NOWHERE,
      // The async clients:
      MESSAGE,
      batchOf(CHAIN),
    ])
  },
)

it.skipIf(!HAS_GO)(
  `Go submits, polls and deploys, and sends a batch of 40 with one that fails; no line shows the key${WITHOUT_GO}`,
  () => {
    const files = emitGo(api, { module: 'example.com/acme/zkt' })
    const folder = folderOf(files, 'program.go', 'cmd/program/main.go')
    expect(failureOf('go', ['vet', './cmd/program'], folder)).toBeUndefined()
    expect(factsOf('go', ['run', './cmd/program'], folder)).toEqual([
      MESSAGE,
      ...CONTRACT,
      ...REFUSED,
      batchOf(`0x${CHAIN.toString(16)}`),
      NOWHERE,
    ])
  },
)
