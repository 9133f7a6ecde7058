import { createServer, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { openSocket } from '../../../src/conform/wire/raw-socket.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const LARGE = Buffer.alloc(32 * 1024 * 1024)

/** Takes a connection and reads nothing from it. */
const deaf = async (greet: (socket: Socket) => void = () => undefined): Promise<string> => {
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    closing.push(() => socket.destroy())
    socket.on('error', () => undefined)
    greet(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

const opened = async (url: string, signal?: AbortSignal) => {
  const socket = await openSocket(url, { signal })
  closing.push(socket.close)
  return socket
}

it('a write to a server that does not read ends with the time', async () => {
  const socket = await opened(await deaf())
  expect(await socket.write(LARGE, 200)).toBe(false)
})

it('a write ends with an answer, though the server reads no further', async () => {
  const answer = 'HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n'
  const socket = await opened(await deaf((one) => setTimeout(() => one.write(answer), 100)))
  expect(await socket.write(LARGE, 5_000)).toBe(true)
  expect(socket.read().answers.map(({ status }) => status)).toEqual([413])
})

it('a write and a wait end with the run', async () => {
  const ending = new AbortController()
  const socket = await opened(await deaf(), ending.signal)
  const waits = [socket.write(LARGE, 5_000), socket.until(() => false, 5_000)]
  ending.abort()
  await Promise.all(waits)
  expect(socket.isClosed()).toBe(true)
})
