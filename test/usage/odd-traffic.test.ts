import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createNdjsonReader } from '../../src/traffic/ndjson.js'
import type { Usage } from '../../src/usage/usage.js'
import { folderOf, twinspec } from '../cli/command-line.js'
import { exchange, ORDERS } from './orders.js'

const recorded = async (files: Readonly<Record<string, string | Uint8Array>>) => {
  const folder = await folderOf({ 'api.yaml': ORDERS, 'traffic/.keep': '' })
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, 'traffic', name), content)
  const args = ['--openapi', join(folder, 'api.yaml'), '--secret-file', join(folder, 'secret')]
  return twinspec('usage', join(folder, 'traffic'), ...args)
}

const LINES = Array.from({ length: 400 }, (_, index) =>
  exchange(`GET /orders?limit=${index}`, { headers: { 'user-agent': `shop/${index % 3}` } }),
).join('\n')

describe('odd traffic', () => {
  it('a compressed file that is cut short is counted up to its end, and those after it are read', async () => {
    const packed = gzipSync(LINES)
    const { code, stdout, stderr } = await recorded({
      'a.ndjson.gz': packed.subarray(0, packed.length - 20),
      'b.ndjson': exchange('POST /orders', { body: { items: [] } }),
      'c.ndjson.gz': new Uint8Array(),
      'd.ndjson': '',
    })
    expect(code).toBe(0)
    expect(stderr).toMatch(/a\.ndjson\.gz:1: it is truncated.*compress or copy it again/)
    const usage = JSON.parse(stdout) as Usage
    expect(usage.faulty).toBe(2)
    expect(usage.consumers.unknown?.['POST /orders']?.requests).toBe(1)
    expect(usage.requests).toBeGreaterThan(200)
  })

  it('several members of gzip in one file are read, as the service writes them', async () => {
    const members = [LINES, exchange('GET /orders')].map((text) => gzipSync(`${text}\n`))
    const { stdout } = await recorded({ 'a.ndjson.gz': Buffer.concat(members) })
    expect(JSON.parse(stdout)).toMatchObject({ requests: 401, faulty: 0 })
  })

  it('a line without an end is named, takes no memory, and the next one is read', () => {
    const faults: string[] = []
    const reader = createNdjsonReader('a.ndjson', ({ message }) => faults.push(message))
    const piece = 'x'.repeat(2 ** 23)
    const found: number[] = []
    const push = (text: string) => {
      for (const { line } of reader.push(text)) found.push(line)
    }
    push(`${exchange('GET /orders')}\n`)
    for (let count = 0; count < 200; count += 1) push(piece)
    push(`${piece}\n${exchange('GET /orders')}\n`)
    expect(found).toEqual([1, 3])
    expect(faults).toEqual([expect.stringMatching(/^a\.ndjson:2: this line has more than 64 MiB/)])
  })

  it('a JSON-RPC request whose body was not recorded, or is no call, is counted', async () => {
    const openrpc = `
openrpc: 1.3.2
info: { title: Count, version: '1' }
servers: [{ name: main, url: https://count.example/rpc }]
methods: [{ name: count, params: [], result: { name: sum, schema: { type: integer } } }]
`
    const bodies = [undefined, 'nonsense', [], { jsonrpc: '2.0', method: 'count', id: 1 }]
    const lines = bodies.map((body) =>
      JSON.stringify({
        request: { method: 'POST', url: 'https://count.example/rpc', body },
        response: { status: 200 },
      }),
    )
    const folder = await folderOf({ 'rpc.yaml': openrpc, 'a.ndjson': lines.join('\n') })
    const documents = ['--openrpc', join(folder, 'rpc.yaml')]
    const { stdout } = await twinspec('usage', join(folder, 'a.ndjson'), ...documents)
    expect(JSON.parse(stdout)).toMatchObject({ requests: 4, undocumented: 3 })
  })

  it('names that every object has, and what a terminal would obey, are names like any other', async () => {
    const { code, stdout, stderr } = await recorded({
      'a.ndjson': [
        exchange('GET /orders?__proto__=1&constructor=2', {
          headers: { 'user-agent': '__proto__', 'x-client-package': '__proto__/1.0.0' },
          reply: JSON.parse('[{"__proto__":{"a":1},"constructor":{"a":1},"items":[]}]'),
        }),
        exchange('POST /orders', {
          headers: { 'user-agent': '\u001b[31mred\u001b[0m/1 \u202econstructor' },
          body: JSON.parse('{"__proto__":5,"toString":1,"items":[{"sku":"\\u001b"}]}'),
        }),
        exchange('GET /orders', { headers: { 'user-agent': 'constructor' } }),
      ].join('\n'),
    })
    expect(code).toBe(0)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
    expect(stdout + stderr).not.toMatch(/\u001b|\u202e/)
    const { consumers } = JSON.parse(stdout) as Usage
    const names = Object.keys(consumers).sort()
    expect(names).toEqual([
      'package:__proto__/1.0.0',
      expect.stringContaining('user-agent:'),
      'user-agent:constructor',
    ])
    const files = await folderOf({ 'a.json': stdout, 'b.json': stdout })
    const sum = await twinspec('usage', join(files, 'a.json'), join(files, 'b.json'))
    expect(JSON.parse(sum.stdout)).toMatchObject({ requests: 6 })
  })

  it('a file of usage whose names are hostile is added as it is', async () => {
    const count =
      '{"requests":1,"counts":{"__proto__":{"requests":2}},"request":{"requests":1,"always":1,"properties":{"__proto__":{"requests":3,"always":0}}},"response":{"requests":1,"always":1}}'
    const text = `{"$schema":"","version":2,"documents":[],"secrets":[],"maxConsumers":9,"requests":1,"undocumented":0,"faulty":0,"unread":{},"consumers":{"__proto__":{"constructor":${count}}},"shapes":{"__proto__":{"{}":1}}}`
    const folder = await folderOf({ 'a.json': text, 'b.json': text })
    const { code, stdout } = await twinspec('usage', join(folder, 'a.json'), join(folder, 'b.json'))
    expect(code).toBe(0)
    const { consumers, shapes } = JSON.parse(stdout)
    const own = Object.getOwnPropertyDescriptor(consumers, '__proto__')?.value.constructor
    expect(own.requests).toBe(2)
    expect(Object.getOwnPropertyDescriptor(own.counts, '__proto__')?.value.requests).toBe(4)
    expect(Object.getOwnPropertyDescriptor(shapes, '__proto__')?.value).toEqual({ '{}': 2 })
    expect(({} as { requests?: number }).requests).toBeUndefined()
  })
})
