import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AWAY, FIRST, type OfflinePage, openOffline } from './offline-page.js'
import { errorOf } from './rpc-fixture.js'

let page: OfflinePage<{ readonly open: (options: object) => Client }>
type Client = {
  readonly batch: (collect: (batch: Client) => unknown) => Promise<unknown>
  readonly nodeHeight: (...params: unknown[]) => Promise<unknown>
}

beforeAll(async () => {
  page = await openOffline(`
    import { createRpc } from 'twinspec/runtime/rpc'
    import { service, validators } from './test/runtime/rpc-plain-service.ts'
    export const open = (options) => createRpc(service, validators, options)`)
  expect(page.later.length).toBeGreaterThan(0)
})

afterAll(() => page.close())

const open = (options: object): Client => page.exports.open(options)

const secret = 'https://test.example/node/s3cret'
const untold = 'and what says why could not be loaded'
const dead = async () => {
  throw new TypeError(`fetch failed: ${secret}`)
}

test('the first load is one file: what it shares with the rest is handed over', async () => {
  expect(await readFile(join(page.folder, FIRST), 'utf8')).not.toMatch(/^import /m)
})

test('a page with its first file alone calls as long as all is well', async () => {
  const fetch = async () => Response.json({ jsonrpc: '2.0', id: 1, result: '0x1' })
  expect(await open({ server: secret, fetch }).nodeHeight()).toBe('0x1')
})

test('a batch asks for nothing where what collects it is out of reach', async () => {
  let count = 0
  const batch = open({ server: secret, fetch: dead }).batch(() => {
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
    const client = open({ server: secret, fetch, batch: 'auto' })
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
  const error = await errorOf(open({ server: secret, fetch: dead }).nodeHeight(1))
  expect(error).toMatchObject({
    name: 'CallError',
    reason: 'invalid-input',
    operation: 'node_height',
    message: `node_height was not sent, ${untold}`,
  })
})

test('an aborted call says so as ever', async () => {
  const signal = AbortSignal.abort()
  const error = await errorOf(open({ server: secret, fetch: dead, signal }).nodeHeight())
  expect(error).toMatchObject({
    name: 'CallError',
    reason: 'aborted',
    message: 'node_height was not sent: it was aborted before',
  })
})

test('an address that is to be filled in is a CallError too', async () => {
  expect(await errorOf(open({ fetch: dead }).nodeHeight())).toMatchObject({
    name: 'CallError',
    reason: 'network',
    message: `node_height was not sent, ${untold}`,
  })
})

test('once the rest is within reach again, the next call has it, and is sent again', async () => {
  // By Node itself: what has failed once is kept by what loads modules for tests.
  const program = join(page.folder, 'again.mjs')
  await writeFile(program, AGAIN)
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...page.later], {
    cwd: page.folder,
  })
  expect(JSON.parse(stdout)).toEqual([
    `node_height came to no usable answer (HTTP 503), ${untold}`,
    '0x1',
    3,
  ])
})

const AGAIN = `
import { rename } from 'node:fs/promises'
import { open } from './${FIRST}'
let count = 0
const fetch = async () => {
  count += 1
  return count < 3
    ? new Response('', { status: 503 })
    : Response.json({ jsonrpc: '2.0', id: 2, result: '0x1' })
}
const client = open({ server: 'https://test.example/', fetch, retry: { delay: 1 } })
const first = await client.nodeHeight().catch(({ message }) => message)
await Promise.all(process.argv.slice(2).map((name) => rename(name + '${AWAY}', name)))
process.stdout.write(JSON.stringify([first, await client.nodeHeight(), count]))
`
