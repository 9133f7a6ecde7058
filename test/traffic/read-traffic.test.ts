import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createHarReader } from '../../src/traffic/har.js'
import { createNdjsonReader } from '../../src/traffic/ndjson.js'
import { readTraffic } from '../../src/traffic/read-traffic.js'
import type { CreateReader, Recording, RecordingError } from '../../src/traffic/recording.js'
import { temporaryFolder } from '../temporary-folder.js'

const folder = temporaryFolder('streamed')

const inPieces = (create: CreateReader, text: string, size: number) => {
  const faults: RecordingError[] = []
  const reader = create('a', (error) => faults.push(error))
  const found: Recording[] = []
  for (let at = 0; at < text.length; at += size)
    found.push(...reader.push(text.slice(at, at + size)))
  found.push(...reader.end())
  return { found, faults: faults.map(({ message }) => message) }
}

const entry = (url: string, more: object = {}) => ({
  startedDateTime: '2026-10-02T08:00:00.000Z',
  request: { method: 'get', url, headers: [], postData: { text: '{"a":"]}\\"[{"}' } },
  response: { status: 200, headers: [], content: { mimeType: 'application/json', text: '[1]' } },
  ...more,
})

it('values that have no text are faults of their line, or no values', () => {
  const odd = { toString: 1 }
  const request = { jsonrpc: '2.0', id: 1, method: 'now' }
  const attributes = [{ key: 'http.method', value: { stringValue: odd } }]
  const spans = [{ kind: 2, startTimeUnixNano: odd, attributes }]
  const lines = [{ request, time: odd }, { resourceSpans: [{ scopeSpans: [{ spans }] }] }]
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  const { found, faults } = inPieces(createNdjsonReader, text, 4096)
  expect(found).toEqual([])
  expect(faults).toEqual([expect.stringContaining('a:1: its time is not a date')])
})

describe('traffic is read piece by piece', () => {
  const log = {
    creator: { name: 'a "browser" with entries: [', entries: [1, 2] },
    pages: [{ entries: [3] }],
    entries: [entry('http://a/1'), { request: 1 }, entry('http://a/[2]"'), 5, 'x', null],
    comment: 'log',
  }
  const text = JSON.stringify({ log }, null, 1)

  it.each([1, 2, 7, 4096])('a HAR file in pieces of %d characters', (size) => {
    const { found, faults } = inPieces(createHarReader, text, size)
    expect(found.map(({ facts, pointer, time }) => [facts.url, pointer, time])).toEqual([
      ['http://a/1', '/log/entries/0', Date.UTC(2026, 9, 2, 8)],
      ['http://a/[2]"', '/log/entries/2', Date.UTC(2026, 9, 2, 8)],
    ])
    expect(found[0]?.facts.body()).toEqual({ a: ']}"[{' })
    expect(found[0]?.facts.response?.body()).toEqual([1])
    expect(found.map(({ line }) => text.split('\n')[line - 1]?.trim())).toEqual(['{', '{'])
    expect(faults).toHaveLength(4)
  })

  it('a HAR file that ends too early', () => {
    const { found, faults } = inPieces(createHarReader, text.slice(0, -40), 9)
    expect(found).toHaveLength(2)
    expect(faults.at(-1)).toMatch(/^a:\d+: this is not JSON, so it was truncated/)
  })

  it.each([1, 5, 4096])(
    'lines in pieces of %d characters, and goes on after a faulty one',
    (size) => {
      const lines = [
        '{"time":1790000000,"request":{"method":"post","url":"http://a/b","body":{"c":1.50}},"response":{"status":201}}',
        '{"request":',
        '',
        '{"startedDateTime":"2026-10-02T08:00:00Z","request":{"jsonrpc":"2.0","method":"m","id":10000000000000000001},"response":null}',
      ]
      const { found, faults } = inPieces(createNdjsonReader, lines.join('\n'), size)
      expect(found.map(({ sent, line }) => [sent().body, line])).toEqual([
        ['{"c":1.50}', 1],
        ['{"jsonrpc":"2.0","method":"m","id":10000000000000000001}', 4],
      ])
      expect(found.map(({ time }) => time)).toEqual([1_790_000_000_000, Date.UTC(2026, 9, 2, 8)])
      expect(faults).toEqual([expect.stringMatching(/^a:2: this is not JSON/)])
    },
  )

  it('spans of servers, by the names of today and of before', () => {
    const attributes = (values: Readonly<Record<string, string | number>>) =>
      Object.entries(values).map(([key, value]) => ({
        key,
        value: typeof value === 'number' ? { intValue: `${value}` } : { stringValue: value },
      }))
    const spans = [
      {
        kind: 2,
        startTimeUnixNano: '1790000000000000000',
        attributes: attributes({
          'http.request.method': 'GET',
          'url.path': '/a',
          'url.query': 'b=1',
          'http.response.status_code': 404,
          'user_agent.original': 'curl/8.5.0',
        }),
      },
      {
        kind: 'SPAN_KIND_SERVER',
        attributes: attributes({ 'http.method': 'POST', 'http.url': 'https://x.example/c' }),
      },
      { kind: 2, attributes: attributes({ 'rpc.system': 'jsonrpc', 'rpc.method': 'eth_call' }) },
      { kind: 3, attributes: attributes({ 'http.method': 'GET', 'http.url': 'http://a/' }) },
      { kind: 2, attributes: attributes({ 'db.system': 'x' }) },
    ]
    const line = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
    const { found } = inPieces(createNdjsonReader, line, 50)
    expect(
      found.map(({ facts: { method, url, headers, response, call } }) => [
        ...[method, url, headers, response?.status, call?.method],
      ]),
    ).toEqual([
      ['GET', 'http://recorded.invalid/a?b=1', [['user-agent', 'curl/8.5.0']], 404, undefined],
      ['POST', 'https://x.example/c', [], undefined, undefined],
      ['POST', undefined, [], undefined, 'eth_call'],
    ])
    expect(found[0]?.time).toBe(1_790_000_000_000)
  })

  it('files that are compressed', async () => {
    const file = join(folder, 'a.io.gz')
    writeFileSync(file, gzipSync('>> {"id":1}\n<< {"id":"é"}\n'))
    const found: Recording[] = []
    for await (const one of readTraffic(folder)) found.push(one)
    expect(found.map(({ facts }) => facts.response?.body())).toEqual([{ id: 'é' }])
    writeFileSync(file, 'not compressed')
    await expect(readTraffic(file).next()).rejects.toThrow(/a\.io\.gz:1: it cannot be unpacked/)
  })
})
