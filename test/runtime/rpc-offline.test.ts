import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
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
let later: readonly string[] = []
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
  later = files.filter((name) => texts.some((text) => text.includes(`import("./${name}")`)))
  expect(later.length).toBeGreaterThan(0)
  await Promise.all(later.map((name) => rename(join(folder, name), join(folder, `${name}.away`))))
  page = await import(pathToFileURL(entry).href)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const secret = 'https://test.example/node/s3cret'
const untold = 'and what says why could not be loaded'
const dead = async () => {
  throw new TypeError(`fetch failed: ${secret}`)
}

test('the first load is one file: what it shares with the rest is handed over', async () => {
  expect(await readFile(join(folder, 'stdin.mjs'), 'utf8')).not.toMatch(/^import /m)
})

test('a page with its first file alone calls as long as all is well', async () => {
  const fetch = async () => Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' })
  expect(await page.open({ server: secret, fetch }).nodeHeight()).toBe('0x1')
})

test('a batch asks for nothing where what collects it is out of reach', async () => {
  let count = 0
  const batch = page.open({ server: secret, fetch: dead }).batch(() => {
    count += 1
  })
  expect((await errorOf(batch)).message).toMatch(/rest-\w+\.mjs/)
  expect(count).toBe(0)
})

test.each([
  { title: 'nobody answers', fetch: dead, said: 'got no answer' },
  {
    title: 'the server fails',
    fetch: async () => new Response('no', { status: 500 }),
    said: 'came to no usable answer (HTTP 500)',
  },
])(
  'where $title, every call of those sent together says as much as is known',
  async ({ fetch, said }) => {
    const client = page.open({ server: secret, fetch, batch: 'auto' })
    const calls = [client.nodeHeight(), client.nodeHeight()]
    for (const call of calls) {
      const error = await errorOf(call)
      expect(error).toMatchObject({
        name: 'CallError',
        reason: 'network',
        operation: 'node_height',
        message: `node_height ${said}, ${untold}`,
      })
      expect(`${error} ${error.cause}`).not.toContain('s3cret')
    }
  },
)

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
    message: `node_height was not sent, ${untold}`,
  })
})

test('once the rest is within reach again, the next call has it, and is sent again', async () => {
  // By Node itself: what has failed once is kept by what loads modules for tests.
  const program = join(folder, 'again.mjs')
  await writeFile(program, AGAIN)
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...later], {
    cwd: folder,
  })
  expect(JSON.parse(stdout)).toEqual([
    `node_height came to no usable answer (HTTP 503), ${untold}`,
    '0x1',
    3,
  ])
})

const AGAIN = `
import { rename } from 'node:fs/promises'
import { open } from './stdin.mjs'
let count = 0
const fetch = async () => {
  count += 1
  return count < 3
    ? new Response('', { status: 503 })
    : Response.json({ jsonrpc: '2.0', id: 2, result: '0x1' })
}
const client = open({ server: 'https://test.example/', fetch, retry: { delay: 1 } })
const first = await client.nodeHeight().catch(({ message }) => message)
await Promise.all(process.argv.slice(2).map((name) => rename(name + '.away', name)))
process.stdout.write(JSON.stringify([first, await client.nodeHeight(), count]))
`
