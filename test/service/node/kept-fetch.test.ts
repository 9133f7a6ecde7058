import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createKeptFetch } from '../../../src/service/node/kept-fetch.js'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

const serve = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets }
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

test('what is sent arrives as it is, and the answer comes back whole', async () => {
  const said = `${'é€😀'.repeat(100_000)}.`
  const { url } = await serve(async (request, response) => {
    const { method, url, headers } = request
    const heard = { method, url, headers, body: await bodyOf(request) }
    response.writeHead(503, {
      'retry-after': '7',
      'x-heard': encodeURIComponent(JSON.stringify(heard)),
    })
    // Cut within letters of several bytes.
    const bytes = Buffer.from(said)
    response.write(bytes.subarray(0, 100_001))
    setTimeout(() => response.end(bytes.subarray(100_001)), 5)
  })
  const response = await createKeptFetch()(`${url}/v1/é?token=a%20b#not-this`, {
    headers: new Headers({ 'content-type': 'application/json', authorization: 'Basic eDp5' }),
    body: '["ü"]',
  })
  const { status, ok, statusText, headers } = response
  expect({ status, ok, statusText, pause: headers.get('retry-after') }).toEqual({
    status: 503,
    ok: false,
    statusText: 'Service Unavailable',
    pause: '7',
  })
  expect(JSON.parse(decodeURIComponent(headers.get('x-heard') ?? ''))).toMatchObject({
    method: 'POST',
    url: '/v1/%C3%A9?token=a%20b',
    headers: {
      'content-type': 'application/json',
      authorization: 'Basic eDp5',
      'content-length': '6',
    },
    body: '["ü"]',
  })
  expect(await response.text()).toBe(said)
})

test('connections are kept, and many calls have one each', async () => {
  let most = 0
  const waiting: ServerResponse[] = []
  const { url, sockets } = await serve((request, response) => {
    request.resume()
    waiting.push(response)
    most = Math.max(most, waiting.length)
    if (waiting.length === 3) for (const one of waiting.splice(0)) one.end('{}')
  })
  const fetch = createKeptFetch()
  const call = () => fetch(url, { body: '{}' }).then((response) => response.text())
  for (let round = 0; round < 3; round += 1) await Promise.all([call(), call(), call()])
  expect({ most, connections: sockets.size }).toEqual({ most: 3, connections: 3 })
})

test('a signal ends a call that has no answer, and one that has half of it', async () => {
  const { url } = await serve((request, response) => {
    if (request.url === '/half') response.write('{"half":')
  })
  const fetch = createKeptFetch()
  for (const path of ['/silent', '/half']) {
    const signal = AbortSignal.timeout(50)
    await expect(fetch(url + path, { body: '{}', signal })).rejects.toThrow(/abort/i)
  }
  const signal = AbortSignal.abort()
  await expect(fetch(url, { body: '{}', signal })).rejects.toThrow(/abort/i)
})

test('an answer that breaks off, and a node that is not there, are errors', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"half":', () => response.destroy())
  })
  const fetch = createKeptFetch()
  await expect(fetch(url, { body: '{}' })).rejects.toThrow()
  await expect(fetch('http://127.0.0.1:1', { body: '{}' })).rejects.toThrow('ECONNREFUSED')
  await expect(fetch('ftp://127.0.0.1', { body: '{}' })).rejects.toThrow()
})

test('a redirection is not followed', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  expect((await createKeptFetch()(url, { body: '{}' })).status).toBe(307)
})
