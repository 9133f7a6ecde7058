import { describe, expect, it } from 'vitest'
import { projectRpc } from '../../src/emit/projection.js'
import { startMock } from '../../src/mock/mock.js'
import { startPrism } from '../../src/mock/prism.js'
import { startPrismBackend } from '../../src/mock/prism-backend.js'
import { loadShop } from './shop.js'

const document = {
  openapi: '3.0.3',
  info: { title: 'One path', version: '1' },
  paths: { '/one': { get: { responses: { 200: { description: 'One.' } } } } },
}

const NOTHING = new Uint8Array()

describe('startPrism', () => {
  it('answers until it is stopped', async () => {
    const prism = await startPrism(document)
    const exchange = { method: 'GET', target: '/one', headers: {}, body: NOTHING }
    expect((await prism.ask(exchange)).status).toBe(200)
    await prism.stop()
    await expect(prism.ask(exchange)).rejects.toThrow()
  })

  it('makes values up where it is asked to', async () => {
    const email = { type: 'string', 'x-faker': 'internet.email' }
    const content = { 'application/json': { schema: email } }
    const get = { responses: { 200: { description: 'An address.', content } } }
    const prism = await startPrism({ ...document, paths: { '/one': { get } } })
    const headers = { prefer: 'dynamic=true' }
    const exchange = { method: 'GET', target: '/one', headers, body: NOTHING }
    const { status, body } = await prism.ask(exchange)
    await prism.stop()
    expect([status, Buffer.from(body as Uint8Array).toString()]).toEqual([
      200,
      expect.stringMatching(/^"[^"@]+@[\w.-]+"$/),
    ])
  })

  it('holds a schema that leads to itself in whichever operation it stands', async () => {
    const node = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        left: { $ref: '#/components/schemas/Leaf' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
      },
    }
    const leaf = { type: 'object', properties: { parent: { $ref: '#/components/schemas/Node' } } }
    const schema = { $ref: '#/components/schemas/Node' }
    const content = { 'application/json': { schema, example: { name: 'e' } } }
    const post = {
      requestBody: { required: true, content },
      responses: { 200: { description: 'It.', content } },
    }
    const leaves = { 'application/json': { schema: { $ref: '#/components/schemas/Leaf' } } }
    const get = { responses: { 200: { description: 'It.', content: leaves } } }
    const prism = await startPrism({
      ...document,
      paths: { '/leaves': { get }, '/one': { post }, '/two': { post } },
      components: { schemas: { Node: node, Leaf: leaf } },
    })
    const sent = async (target: string, value: unknown) => {
      const headers = { 'content-type': 'application/json' }
      const body = Buffer.from(JSON.stringify(value))
      return (await prism.ask({ method: 'POST', target, headers, body })).status
    }
    const deep = (last: unknown) => ({
      name: 'a',
      children: [{ name: 'b', left: { parent: { name: 'c', children: [last] } } }],
    })
    for (const target of ['/one', '/two']) {
      expect(await sent(target, deep({ name: 'd' }))).toBe(200)
      expect(await sent(target, deep({ name: 4 }))).toBe(422)
    }
    await prism.stop()
  })
})

describe('the mock by Prism', () => {
  it('chooses the example that belongs to a request, and speaks JSON-RPC', async () => {
    const backend = await startPrismBackend(await loadShop())
    const { url, stop } = await startMock(await loadShop(), { backend })
    const post = async (path: string, body: unknown, more: Record<string, string> = {}) => {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...more },
        body: JSON.stringify(body),
      })
      const violations = response.headers.get('sl-violations')
      return { status: response.status, body: await response.json(), violations }
    }
    try {
      const order = (body: unknown) => post('/orders/key-1', body)
      expect(await order({ item: 'apple', count: 1 })).toMatchObject({ body: { order: 1 } })
      expect(await order({ item: 'pear', count: 1 })).toMatchObject({ status: 409 })
      const gift = await order({ to: 'Ann' })
      expect(gift).toEqual({ status: 200, body: { paper: 'red' }, violations: null })
      expect((await order({ to: 1 })).violations).toMatch(/"location":\["request"/)
      const order7 = await fetch(`${url}/orders/k/7`)
      expect(await order7.json()).toEqual({ state: 'paid' })
      const call = (id: number, params: unknown) => ({
        ...{ jsonrpc: '2.0', id, method: 'shop_price', params },
      })
      const calls = [call(1, ['pear', 2]), call(2, ['unicorn']), 4]
      expect((await post('/rpc/key-1', calls)).body).toEqual([
        { jsonrpc: '2.0', id: 1, result: 8 },
        { jsonrpc: '2.0', id: 2, error: { code: 7, message: 'No such item' } },
        { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32600 }) },
      ])
      expect((await post('/rpc/key-1', call(3, [1]))).body.error.code).toBe(-32602)
      const named = await post('/rpc/key-1', call(4, ['pear', 2]), { prefer: 'example=nope' })
      expect(named.body.error).toMatchObject({
        code: -32603,
        message: expect.stringContaining("it has 'no such item', 'an apple', 'two pears'"),
      })
    } finally {
      await stop()
    }
  })

  it('does not start on a schema that Prism cannot compile, and would accept anything by', async () => {
    const api = await loadShop()
    const text = JSON.stringify(projectRpc(api)).replace(
      '"type":"integer"',
      '"type":"integer","multipleOf":0',
    )
    await expect(startPrismBackend(api, JSON.parse(text))).rejects.toThrow(
      /^Prism cannot read a schema and would accept anything: POST \/shop_price, request: .*multipleOf/,
    )
  })

  it('stops Prism where the port of the mock is taken', async () => {
    const api = await loadShop()
    const first = await startMock(api)
    const servers = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
    // Files of tests share a process.
    const before = servers()
    const backend = await startPrismBackend(api)
    expect(servers()).toBeGreaterThan(before)
    const port = Number(new URL(first.url).port)
    await expect(startMock(api, { port, backend })).rejects.toThrow(/EADDRINUSE/)
    await expect.poll(servers).toBeLessThanOrEqual(before)
    await first.stop()
  })
})
