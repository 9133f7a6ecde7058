import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createReference } from '../../../src/service/gateway/reference.js'

const info = { title: 'Clock', version: '1' }

const before = process.env.TMPDIR
let folder = ''
let documents: { readonly openapi: string; readonly openrpc: string }
const log = pino({ level: 'silent' })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'twinspec-clock-'))
  process.env.TMPDIR = folder
  documents = { openapi: join(folder, 'openapi.json'), openrpc: join(folder, 'openrpc.json') }
  await writeFile(documents.openapi, JSON.stringify({ openapi: '3.0.3', info, paths: {} }))
  await writeFile(documents.openrpc, JSON.stringify({ openrpc: '1.3.2', info, methods: [] }))
})

afterEach(async () => {
  process.env.TMPDIR = before
  if (before === undefined) delete process.env.TMPDIR
  await rm(folder, { recursive: true, force: true })
})

describe('the reference that `twinspec docs` writes in a child process', () => {
  it('ends with the service', async () => {
    const { read, close } = createReference({ documents, log })
    const failed = read().catch((error: Error) => error.message)
    await expect.poll(() => left()).not.toEqual([])
    await close()
    expect(await failed).toMatch(/^twinspec docs (ended with SIGKILL|is not run)/)
    expect(await left()).toEqual([])
  })

  it('fails with what the command printed, and is written at the next call', async () => {
    const { read, close } = createReference({ documents, log })
    await writeFile(documents.openapi, JSON.stringify({ openapi: '2.0', info, paths: {} }))
    await expect(read()).rejects.toThrow(/^twinspec docs ended with 2: .*2\.0/s)
    await writeFile(documents.openapi, JSON.stringify({ openapi: '3.0.3', info, paths: {} }))
    const files = await read()
    expect(files.find(({ name }) => name === 'index.html')?.text).toContain('Clock')
    expect(await left()).toEqual([])
    await close()
  })
})

/** Temporary folders that are not removed. */
const left = async () => {
  const names = await readdir(folder)
  return names.filter((name) => name.startsWith('twinspec-docs-'))
}
