import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export const CLOCKS = `openrpc: 1.3.2
info: { title: Clocks, version: '1' }
servers: [{ name: main, url: 'https://clocks.example/{apiKey}', variables: { apiKey: { default: none, x-secret: true } } }]
methods:
  - name: clock_now
    tags: [{ name: time }]
    params: []
    result: { name: now, schema: { type: string } }
    examples:
      - { name: noon, params: [], result: { name: now, value: noon } }
  - name: clock_zone
    params: [{ name: city, required: true, schema: { type: string } }]
    result: { name: zone, schema: { type: string } }
    examples:
      - { name: Rome, params: [{ name: city, value: Rome }], result: { name: zone, value: CET } }
`

/** A server that keeps JSON-RPC, or answers calls of a method by `wrong`. */
export const startClocks = async (wrong: Readonly<Record<string, unknown>> = {}) => {
  const answerTo = (call: unknown): unknown => {
    const refused = (code: number, message: string, id: unknown = null) => ({
      ...{ jsonrpc: '2.0', id },
      error: { code, message },
    })
    if (typeof call !== 'object' || call === null || Array.isArray(call))
      return refused(-32600, 'Invalid Request')
    const { jsonrpc, method, params = [], ...rest } = call as Record<string, unknown>
    const id = 'id' in rest ? rest.id : undefined
    const isId = id === undefined || id === null || ['string', 'number'].includes(typeof id)
    const isCall = typeof params === 'object' && params !== null && typeof method === 'string'
    if (jsonrpc !== '2.0' || !isCall || !isId)
      return refused(-32600, 'Invalid Request', isId ? (id ?? null) : null)
    if (id === undefined) return undefined
    const values = Array.isArray(params) ? params : Object.values(params)
    const names = Array.isArray(params) ? [] : Object.keys(params)
    const count = method === 'clock_now' ? 0 : method === 'clock_zone' ? 1 : undefined
    if (count === undefined) return refused(-32601, 'Method not found', id)
    const isRight =
      values.length === count &&
      values.every((value) => typeof value === 'string') &&
      names.every((name) => name === 'city')
    if (!isRight) return refused(-32602, 'Invalid params', id)
    const result = method in wrong ? wrong[method] : method === 'clock_now' ? 'noon' : 'CET'
    return { jsonrpc: '2.0', id, result }
  }
  const answered = (body: Uint8Array): unknown => {
    try {
      const sent: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
      if (!Array.isArray(sent) || sent.length === 0) return answerTo(sent)
      const all = sent.map(answerTo).filter((one) => one !== undefined)
      return all.length === 0 ? undefined : all
    } catch {
      return { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }
    }
  }
  let requests = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests += 1
      if (request.method !== 'POST') {
        response.writeHead(405, { allow: 'POST' }).end()
        return
      }
      const answer = answered(Buffer.concat(chunks))
      if (answer === undefined) response.writeHead(204).end()
      else
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
