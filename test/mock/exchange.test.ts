import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { createUpstream } from '../../src/mock/exchange.js'

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

const exchange = { method: 'POST', target: '/', headers: {}, body: Buffer.from('{}') }

/** A server that does with the n-th request of a connection what `deal` says. */
const upstream = async (deal: (connection: number, request: number) => 'answer' | 'reset') => {
  let connections = 0
  const server = createServer((socket) => {
    const connection = ++connections
    let requests = 0
    socket.on('error', () => {})
    socket.on('data', () => {
      if (deal(connection, ++requests) === 'answer') socket.write(ANSWER)
      else socket.resetAndDestroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { ask, close } = createUpstream((server.address() as AddressInfo).port)
  const stop = async () => {
    close()
    server.close()
  }
  return { ask, stop, connections: () => connections }
}

it('asks again where the connection that it kept had been closed meanwhile', async () => {
  const { ask, stop, connections } = await upstream((_, request) =>
    request === 1 ? 'answer' : 'reset',
  )
  for (let count = 1; count <= 3; count++) {
    const { status, body } = await ask(exchange)
    expect([status, String(body), connections()]).toEqual([200, 'ok', count])
  }
  await stop()
})

it('says so where a new connection breaks', async () => {
  const { ask, stop, connections } = await upstream(() => 'reset')
  await expect(ask(exchange)).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(connections()).toBe(1)
  await stop()
})
