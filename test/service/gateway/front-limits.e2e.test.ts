import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../../trials/service-process.js'

let service: ServiceProcess

beforeAll(async () => {
  service = await startServiceProcess({
    args: ['--no-docs', '--rpc-limit', '3', '--try-it-out-limit', '1'],
  })
})
afterAll(() => service?.stop())

describe('a caller whose limit is spent', () => {
  it('gets 429 while the body of a JSON-RPC request is still on its way', async () => {
    const batch = Array.from({ length: 3 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_chainId',
      params: [],
    }))
    expect((await post('/zgt/try-it-out', JSON.stringify(batch))).status).toBe(200)
    const { status, headers, body } = await postWithoutEnd('/zgt/try-it-out')
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32005 } })
  })

  it('gets 429 while the body of a submission is still on its way', async () => {
    expect((await post('/zkt/try-it-out', '{"arguments":"hello"}')).status).toBe(200)
    const { status, body } = await postWithoutEnd('/zkt/try-it-out')
    expect(status).toBe(429)
    expect(JSON.parse(body)).toMatchObject({ success: false, errorCode: 'RATE_LIMITED' })
  })
})

describe('connections', () => {
  it('one address keeps 500 open, and others are served meanwhile', async () => {
    const { port } = service
    const opened = await Promise.all(
      Array.from({ length: 520 }, () => connectFrom(port, '127.0.0.2')),
    )
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const open = opened.filter((socket) => !socket.closed)
    expect(open).toHaveLength(500)
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
    for (const socket of opened) socket.destroy()
  })
})

const connectFrom = async (port: number, localAddress: string): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket.resume()
}

const HEADERS = { 'content-type': 'application/json' }

const post = (path: string, body: string): Promise<Response> =>
  fetch(service.url + path, { method: 'POST', headers: HEADERS, body })

/** Announces a body of 1 MB and sends two bytes of it. */
const postWithoutEnd = (path: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = { ...HEADERS, 'content-length': 1_000_000 }
    const sent = request(service.url + path, { method: 'POST', headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
        clearTimeout(late)
        resolve({ status: response.statusCode, headers: response.headers, body })
        sent.destroy()
      })
    })
    const late = setTimeout(() => {
      sent.destroy(new Error('The service waits for the end of the body.'))
    }, 60_000)
    sent.on('error', reject)
    sent.write('[1')
  })

type Answer = {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}
