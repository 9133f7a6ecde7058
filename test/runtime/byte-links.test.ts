import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { type Framing, stdioLink } from 'twinspec/runtime/links/stdio'
import { unixLink } from 'twinspec/runtime/links/unix'
import { createRpc, type RpcOptions } from 'twinspec/runtime/rpc'
import { createServerCore, serveLink } from 'twinspec/runtime/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { errorOf, service, type TestClient, validators } from './rpc-fixture.js'

const open = (options: RpcOptions): TestClient =>
  createRpc<TestClient>(service, validators, {
    validate: { response: 'off' },
    retry: { attempts: 1 },
    ...options,
  })

const core = createServerCore({ rpc: service, validators }, {
  nodeHeight: () => 'height',
  nodeSend: ([data]: string[]) => `sent ${data}`,
  nodeBalance: () => ({ amount: '1', parts: [] }),
  nodeFind: () => [],
  nodeRecent: () => [],
} as never)

describe.each<[Framing]>([['lines'], ['content-length']])('standard streams with %s', (framing) => {
  const connected = async () => {
    const [there, back] = [new PassThrough(), new PassThrough()]
    const served = await serveLink(core, stdioLink({ input: there, output: back }, { framing }))
    return {
      client: open({ link: stdioLink({ input: back, output: there }, { framing }) }),
      there,
      back,
      served,
    }
  }

  it('carry calls and batches, whatever their texts contain', async () => {
    const { client } = await connected()
    const odd = 'line\nend, \r\n\r\n, Content-Length: 5, é €  '
    expect(await Promise.all([client.nodeHeight(), client.nodeSend(odd)])).toEqual([
      'height',
      `sent ${odd}`,
    ])
    expect(await client.batch((b) => Promise.all([b.nodeHeight(), b.nodeSend('a')]))).toEqual([
      'height',
      'sent a',
    ])
  })

  it('read texts that arrive byte by byte, and several at once', async () => {
    const { client, back } = await connected()
    const frame = (value: string) =>
      framing === 'lines'
        ? `${value}\n`
        : `Content-Type: x\r\ncontent-length: ${Buffer.byteLength(value)}\r\n\r\n${value}`
    const [input, output] = [new PassThrough(), new PassThrough()]
    const own = open({ link: stdioLink({ input, output }, { framing }) })
    const calls = [own.nodeSend('a'), own.nodeSend('b'), own.nodeSend('c')]
    await vi.waitFor(() => expect(output.readableLength).toBeGreaterThan(150))
    const [one, ...more] = [1, 2, 3].map((id) =>
      frame(JSON.stringify({ jsonrpc: '2.0', id, result: `é ${id}` })),
    )
    for (const byte of Buffer.from(one ?? '')) {
      input.write(Buffer.from([byte]))
      await new Promise(setImmediate)
    }
    input.write(more.join(''))
    expect(await Promise.all(calls)).toEqual(['é 1', 'é 2', 'é 3'])
    expect(await client.nodeHeight()).toBe('height')
    expect(back.destroyed).toBe(false)
  })

  it('end with their input, and with a text that is too large', async () => {
    const { client, back } = await connected()
    await client.nodeHeight()
    back.end()
    await new Promise(setImmediate)
    expect(await errorOf(client.nodeSend('a'))).toMatchObject({ reason: 'network' })
    const [input, output] = [new PassThrough(), new PassThrough()]
    const small = open({ link: stdioLink({ input, output }, { framing, maxBytes: 100 }) })
    const call = errorOf(small.nodeSend('a'))
    input.write(framing === 'lines' ? 'a'.repeat(101) : 'Content-Length: 101\r\n\r\n')
    expect(await call).toMatchObject({
      reason: 'network',
      message:
        'node_send got no response: the link closed: a message has more than 100 bytes (maxBytes)',
    })
  })

  it('end with the signal of the client', async () => {
    const controller = new AbortController()
    const [input, output] = [new PassThrough(), new PassThrough()]
    const client = open({
      link: stdioLink({ input, output }, { framing }),
      signal: controller.signal,
    })
    const call = errorOf(client.nodeSend('a'))
    await vi.waitFor(() => expect(output.readableLength).toBeGreaterThan(0))
    controller.abort()
    expect(await call).toMatchObject({ reason: 'aborted' })
    await vi.waitFor(() => expect(output.writableEnded).toBe(true))
  })
})

it.each([
  ['no length', 'Content-Type: x\r\n\r\n{}', 'a message has no header Content-Length'],
  ['no end of headers', 'x'.repeat(5_000), 'the headers of a message do not end'],
])('a frame with %s ends the connection', async (_, text, why) => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const client = open({ link: stdioLink({ input, output }, { framing: 'content-length' }) })
  const call = errorOf(client.nodeSend('a'))
  input.write(text)
  expect(await call).toMatchObject({
    message: `node_send got no response: the link closed: ${why}`,
  })
})

it('a child process is called over its standard streams', async () => {
  const code = `let rest = ''
process.stdin.on('data', (data) => {
  rest += data
  for (let at = rest.indexOf('\\n'); at !== -1; at = rest.indexOf('\\n')) {
    const { id, params } = JSON.parse(rest.slice(0, at))
    rest = rest.slice(at + 1)
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result: params[0].toUpperCase() }))
  }
})`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const client = open({ link: stdioLink({ input: child.stdout, output: child.stdin }) })
  expect(await client.nodeSend('hello')).toBe('HELLO')
  child.kill()
  await once(child, 'exit')
  expect(await errorOf(client.nodeSend('a'))).toMatchObject({ reason: 'network' })
})

it('a UNIX socket carries calls, and is opened again after it closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'twinspec-ipc-'))
  const path = join(folder, 'node.ipc')
  const server = createServer((socket) => {
    void serveLink(core, stdioLink({ input: socket, output: socket }))
    socket.on('error', () => undefined)
    sockets.push(socket)
  })
  const sockets: { destroy: () => unknown }[] = []
  onTestFinished(() => {
    for (const one of sockets) one.destroy()
    server.close()
    rmSync(folder, { recursive: true })
  })
  const client = open({ link: unixLink(path) })
  expect(await errorOf(client.nodeSend('a'))).toMatchObject({
    reason: 'network',
    message: expect.stringContaining('ENOENT'),
  })
  server.listen(path)
  await once(server, 'listening')
  expect(await client.nodeSend('a')).toBe('sent a')
  sockets[0]?.destroy()
  await vi.waitFor(async () => expect(await client.nodeSend('b')).toBe('sent b'))
  expect(sockets.length).toBeGreaterThan(1)
})
