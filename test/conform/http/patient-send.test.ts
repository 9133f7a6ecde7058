import { type AddressInfo, createServer } from 'node:net'
import { expect, it } from 'vitest'
import type { Session } from '../../../src/conform/case.js'
import { sendPatiently } from '../../../src/conform/wire/patient-send.js'

const LIMIT = 100_000

it('leaves a busy server the time to refuse what is on its way already', async () => {
  const server = createServer((socket) => {
    let read = 0
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      read += bytes.length
      if (read < LIMIT) return
      socket.pause()
      setTimeout(() => socket.write('HTTP/1.1 413 No\r\ncontent-length: 0\r\n\r\n'), 100)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const session = { take: async () => undefined, signal: new AbortController().signal }
  const sent = { method: 'POST', url, headers: {}, body: ' '.repeat(4 * LIMIT) }
  const { answer, written } = await sendPatiently(session as unknown as Session, sent, {
    framing: 'chunked',
    patience: 1_000,
  })
  server.close()
  expect(answer?.status).toBe(413)
  expect(written).toBeLessThan(4 * LIMIT)
})

it('waits no longer for a server that reads no further than for one that does not answer', async () => {
  const held: (() => void)[] = []
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => undefined)
    held.push(() => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const session = { take: async () => undefined, signal: new AbortController().signal }
  const sent = { method: 'POST', url, headers: {}, body: ' '.repeat(32_000_000) }
  const { failure, written } = await sendPatiently(session as unknown as Session, sent, {
    ...{ framing: 'length', patience: 0, milliseconds: 200 },
  })
  for (const end of held) end()
  server.close()
  expect(failure).toBe('no complete response arrived in 0.2 seconds')
  expect(written).toBeLessThan(sent.body.length)
})
