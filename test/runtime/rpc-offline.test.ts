import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorOf } from './rpc-fixture.js'

/** A client as a page has it that went offline before it needed anything but its first file. */
type Page = { readonly open: (options: object) => Client }
type Client = {
  readonly batch: (collect: (batch: Client) => unknown) => Promise<unknown>
  readonly nodeHeight: (...params: unknown[]) => Promise<unknown>
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
let folder = ''
let page: Page

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rpc-offline-'))
  await build({
    stdin: {
      contents: `
        import { createRpc } from 'twinspec/runtime/rpc'
        import { service, validators } from './test/runtime/rpc-offline-page.ts'
        export const open = (options) => createRpc(service, validators, options)`,
      resolveDir: ROOT,
      loader: 'ts',
    },
    bundle: true,
    splitting: true,
    outdir: folder,
    format: 'esm',
    platform: 'browser',
    conditions: ['twinspec-source'],
    outExtension: { '.js': '.mjs' },
    absWorkingDir: ROOT,
  })
  const entry = join(folder, 'stdin.mjs')
  const files = await readdir(folder)
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const later = files.filter((name) => texts.some((text) => text.includes(`import("./${name}")`)))
  expect(later.length).toBeGreaterThan(0)
  await Promise.all(later.map((name) => rm(join(folder, name))))
  page = await import(pathToFileURL(entry).href)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const secret = 'https://test.example/node/s3cret'
const untold = 'and the part of the client that says why could not be loaded'
const dead = async () => {
  throw new TypeError(`fetch failed: ${secret}`)
}

test('a page with its first file alone calls as long as all is well', async () => {
  const fetch = async () => Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' })
  expect(await page.open({ server: secret, fetch }).nodeHeight()).toBe('0x1')
})

test.each([
  { title: 'nobody answers', fetch: dead },
  { title: 'the server fails', fetch: async () => new Response('no', { status: 500 }) },
])('where $title, every call of a batch says that it cannot tell why', async ({ fetch }) => {
  const client = page.open({ server: secret, fetch })
  const calls: Promise<unknown>[] = []
  await client.batch((b) => calls.push(b.nodeHeight(), b.nodeHeight()))
  for (const call of calls) {
    const error = await errorOf(call)
    expect(error).toMatchObject({
      name: 'CallError',
      reason: 'network',
      operation: 'node_height',
      message: `node_height came to no usable answer, ${untold}`,
    })
    expect(`${error} ${error.cause}`).not.toContain('s3cret')
  }
})

test('params that the document refuses are not sent, and it says so', async () => {
  const error = await errorOf(page.open({ server: secret, fetch: dead }).nodeHeight(1))
  expect(error).toMatchObject({
    name: 'CallError',
    reason: 'invalid-input',
    operation: 'node_height',
    message: `node_height was not sent, ${untold}`,
  })
})

test('an aborted call says so as ever', async () => {
  const signal = AbortSignal.abort()
  const error = await errorOf(page.open({ server: secret, fetch: dead, signal }).nodeHeight())
  expect(error).toMatchObject({
    name: 'CallError',
    reason: 'aborted',
    message: 'node_height was not sent: it was aborted before',
  })
})

test('an address that is to be filled in is a CallError too', async () => {
  expect(await errorOf(page.open({ fetch: dead }).nodeHeight())).toMatchObject({
    name: 'CallError',
    reason: 'network',
    message: `node_height came to no usable answer, ${untold}`,
  })
})
