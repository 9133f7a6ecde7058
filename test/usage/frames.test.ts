import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../../src/usage/usage.js'
import { folderOf, twinspec } from '../cli/command-line.js'
import {
  call,
  DESK,
  error,
  harOf,
  notify,
  receive,
  result,
  send,
  streamed,
} from '../traffic/desk.js'

const record = async (name: string, text: string) => {
  const folder = await folderOf({ 'desk.json': JSON.stringify(DESK), [name]: text })
  const { code, stdout, stderr } = await twinspec(
    ...['usage', join(folder, name), '--openrpc', join(folder, 'desk.json')],
    ...['--secret-file', join(folder, 'secret')],
  )
  expect(stderr).not.toContain('Error:')
  return { stderr, usage: code === 0 ? (JSON.parse(stdout) as Usage) : undefined }
}

const AGENT = 'user-agent:Mozilla/5.0 Chrome/140.0.0.0'

const countsOf = (usage: Usage | undefined) =>
  Object.fromEntries(
    Object.entries(usage?.consumers[AGENT] ?? {}).map(([name, { requests, counts }]) => [
      name,
      [requests, Object.keys(counts).sort().join(', ')],
    ]),
  )

describe('usage of recorded frames', () => {
  it('counts what both sides sent, for each caller', async () => {
    const messages = [
      send(call(1, 'add', [1, 2])),
      receive(result(1, 3)),
      send([call(2, 'add', [1, 2]), notify('log', ['x'])]),
      receive([error(2, 7)]),
      send(call(3, 'watch', ['heads'])),
      receive(result(3, 's')),
      ...[1, 2, 3].map((value) => receive(notify('item', { subscription: 's', value }))),
      receive(notify('log', ['x'])),
      receive(call(1, 'confirm', ['?'])),
      send(result(1, true)),
    ]
    const { usage, stderr } = await record('a.har', harOf({ messages }))
    expect(countsOf(usage)).toEqual({
      add: [2, 'error 7, params by position, result'],
      log: [1, 'params by position'],
      watch: [1, 'params by position, result, variant heads'],
      'server item': [3, 'params by name'],
      'server log': [1, 'params by position'],
      'server confirm': [1, 'params by position, result'],
    })
    expect(usage).toMatchObject({ requests: 9, undocumented: 0, unread: {} })
    expect(
      usage?.consumers[AGENT]?.['server item']?.request.properties?.params?.properties,
    ).toMatchObject({
      value: { requests: 3, types: { integer: 3 }, digits: { 1: 3 } },
    })
    expect(stderr).toContain('9 requests of 1 consumer to 6 operations on 2026-09-21')
  })

  it('counts what it could not read, and says so', async () => {
    const messages = [
      send(call(1, 'add', [1, 2])),
      receive('AAEC', { opcode: 2 }),
      receive('AAEC', { opcode: 2 }),
      receive('pong'),
      receive(result(77, 1)),
      send(call(5, 'none', [])),
    ]
    const other = {
      url: 'ws://localhost:5173/vite',
      messages: [receive('x'), send('AA', { opcode: 2 })],
    }
    const { usage, stderr } = await record('a.har', harOf({ messages }, other))
    expect(usage?.unread).toEqual({ 'JSON-RPC': { bytes: 2, json: 1, 'not-recorded': 1 } })
    expect(usage).toMatchObject({ requests: 2, undocumented: 1, faulty: 0 })
    expect(usage?.consumers[AGENT]?.add?.response.properties?.result?.unread).toEqual({
      'not-recorded': 1,
    })
    expect(stderr).toContain(
      'requests that could not be read: 4 (bytes: 2, json: 1, not-recorded: 1)',
    )
  })

  it('keeps apart the callers of connections in lines of JSON', async () => {
    const line = (connection: string, agent: string, id: number) => [
      { connection, headers: { 'user-agent': agent }, send: call(id, 'add', [1, 2]) },
      { connection, receive: result(id, 3) },
      { connection, receive: notify('progress', [1]) },
    ]
    const lines = [...line('1', 'a/1', 1), ...line('2', 'b/2', 1), ...line('1', 'ignored/1', 2)]
    const { usage } = await record('a.ndjson', lines.map((one) => JSON.stringify(one)).join('\n'))
    const requests = Object.entries(usage?.consumers ?? {}).map(([consumer, own]) => [
      consumer,
      own.add?.requests,
      own['server progress']?.requests,
    ])
    expect(requests).toEqual([
      ['user-agent:a/1', 2, 2],
      ['user-agent:b/2', 1, 1],
    ])
  })

  it('counts what event streams of HTTP have', async () => {
    const line = streamed(call(1, 'add', [1, 2]), [
      notify('progress', [5]),
      notify('progress', [6]),
      result(1, 3),
    ])
    const { usage } = await record('a.ndjson', line)
    const own = usage?.consumers['user-agent:a/1']
    expect(Object.keys(own?.add?.counts ?? {}).sort()).toEqual(['params by position', 'result'])
    expect(own?.['server progress']?.requests).toBe(2)
    expect(usage).toMatchObject({ requests: 3, undocumented: 0, unread: {} })
  })
})
