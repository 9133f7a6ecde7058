import { describe, expect, it } from 'vitest'
import { createHarReader } from '../../src/traffic/har.js'
import { createNdjsonReader } from '../../src/traffic/ndjson.js'
import type { CreateReader, RecordingError } from '../../src/traffic/recording.js'
import { call, error, harOf, notify, receive, result, send } from './desk.js'

/** Each recording as `sender request -> status response`, or why it is none. */
const read = (create: CreateReader, text: string) => {
  const faults: RecordingError[] = []
  const reader = create('a', (fault) => faults.push(fault))
  const found = [...reader.push(text), ...reader.end()]
  return {
    faults: faults.map(({ message }) => message),
    found,
    shown: found.map(({ sender, sent, answer, unread }) => {
      if (unread) return `${sender}: ${unread.reason}, ${unread.words}`
      const received = answer()
      const response = received ? `${received.status} ${Buffer.from(received.body)}` : 'nothing'
      return `${sender}: ${sent().body} -> ${response}`.trimEnd()
    }),
  }
}

const shown = (...messages: readonly object[]) => read(createHarReader, harOf({ messages })).shown

const CALL = '{"jsonrpc":"2.0","id":1,"method":"add","params":[1,2]}'
const RESULT = '{"jsonrpc":"2.0","id":1,"result":3}'

describe('recorded frames of a WebSocket', () => {
  it('have the address, the headers and the time of their connection, and the place of their message', () => {
    const { found } = read(createHarReader, harOf({ messages: [send(CALL), receive(RESULT)] }))
    expect(found).toHaveLength(1)
    const [one] = found
    expect(one).toMatchObject({
      ...{ sender: 'client', time: 1_790_000_000_250 },
      pointer: '/log/entries/0/_webSocketMessages/0',
      connection: { name: 'a#/log/entries/0', url: 'wss://desk.example/ws' },
    })
    expect(one?.sent()).toMatchObject({
      ...{ method: 'POST', url: 'wss://desk.example/ws' },
      headers: { 'User-Agent': 'Mozilla/5.0 (X11) Chrome/140.0.0.0' },
    })
    expect(one?.facts.response?.body()).toEqual({ jsonrpc: '2.0', id: 1, result: 3 })
  })

  it.each([
    ['in their order', [1, 2, 3]],
    ['in another order', [3, 1, 2]],
    ['with others between them', [2, 3, 1]],
  ])('are matched by their ids: responses %s', (_, order) => {
    const calls = [1, 2, 3].map((id) => send(call(id, 'add', [id, id])))
    const results = order.map((id) => receive(result(id, id * 2)))
    expect(shown(...calls, ...results)).toEqual(
      order.map(
        (id) =>
          `client: ${JSON.stringify(call(id, 'add', [id, id]))} -> 200 ${JSON.stringify(result(id, id * 2))}`,
      ),
    )
  })

  it('of both sides may have the same id', () => {
    const asked = call(1, 'confirm', ['Sure?'])
    expect(shown(send(CALL), receive(asked), receive(RESULT), send(result(1, true)))).toEqual([
      `client: ${CALL} -> 200 ${RESULT}`,
      `server: ${JSON.stringify(asked)} -> 200 ${JSON.stringify(result(1, true))}`,
    ])
  })

  it('of one connection are not matched with those of another', () => {
    const { shown } = read(
      createHarReader,
      harOf({ messages: [send(CALL)] }, { messages: [receive(RESULT)] }),
    )
    expect(shown).toEqual([
      `client: ${CALL} -> nothing`,
      'server: not-recorded, it is a response, and no call with its id was recorded before it',
    ])
  })

  it.each([
    ['a number and a text', 1, '1'],
    ['a text and a number', '1', 1],
    ['null and zero', null, 0],
    ['two numbers', 1, 2],
    ['two texts', 'a', 'A'],
  ])('are not matched by other ids: %s', (_, sent, received) => {
    expect(shown(send(call(sent, 'add', [1, 2])), receive(result(received, 3)))).toEqual([
      expect.stringMatching(/^server: not-recorded, it is a response/),
      expect.stringMatching(/ -> nothing$/),
    ])
  })

  it('without a response are notifications, of either side and in batches', () => {
    const log = notify('log', ['hello'])
    const both = [log, log]
    expect(shown(send(log), receive(log), send(both), receive(both))).toEqual([
      `client: ${JSON.stringify(log)} -> 204`,
      `server: ${JSON.stringify(log)} -> 204`,
      `client: ${JSON.stringify(both)} -> 204`,
      `server: ${JSON.stringify(both)} -> 204`,
    ])
  })

  it.each([
    ['one text', [[result(2, 4), result(1, 3)]], '[2,1]'],
    ['a text for each', [result(1, 3), result(2, 4)], '[1,2]'],
    ['one text that lacks a response', [[result(2, 4)]], '[2]'],
    ['one text with an error for all', [error(null, -32600)], null],
    [
      'one text with a notification in it',
      [[result(1, 3), notify('log', ['x']), result(2, 4)]],
      '[1,2]',
    ],
  ])('of a batch have responses in %s', (_, responses, ids) => {
    const batch = [call(1, 'add', [1, 2]), call(2, 'add', [2, 2])]
    const { found } = read(
      createHarReader,
      harOf({ messages: [send(batch), ...responses.map((one) => receive(one))] }),
    )
    const [first] = found
    const body = first?.facts.response?.body()
    const got = Array.isArray(body) ? JSON.stringify(body.map(({ id }) => id)) : null
    expect(first?.facts.body()).toEqual(batch)
    expect(got).toBe(ids)
    expect(found.every(({ unread }) => unread === undefined)).toBe(true)
  })

  it.each([
    ['is binary', receive('AAEC', { opcode: 2 }), 'server: bytes, it is binary'],
    ['is binary, of the client', send('AAEC', { opcode: 2 }), 'client: bytes, it is binary'],
    [
      'is a fragment',
      receive('{"a"', { opcode: 0 }),
      'server: incomplete, it is a fragment of a message',
    ],
    ['is not JSON', receive('pong'), 'server: json, it is no JSON-RPC message'],
    ['is a number', receive('5'), 'server: json, it is no JSON-RPC message'],
    ['is an empty batch', receive('[]'), 'server: json, it is no JSON-RPC message'],
    ['is a response alone', receive(RESULT), /^server: not-recorded, it is a response/],
    ['is a response alone, of the client', send(RESULT), /^client: not-recorded, it is a response/],
    ['has no text', { type: 'send', opcode: 1 }, 'client: not-recorded, it has no text'],
    [
      'is an error of the connection',
      { type: 'error', opcode: -1, data: 'x' },
      /^server: not-recorded, it was neither/,
    ],
    ['is no object', 'x' as unknown as object, /^server: not-recorded, it was neither/],
  ])('that cannot be read are reported: one that %s', (_, message, words) => {
    const others = [send(CALL), receive(RESULT)]
    expect(shown(...others, message, ...others)).toEqual([
      `client: ${CALL} -> 200 ${RESULT}`,
      typeof words === 'string' ? words : expect.stringMatching(words),
      `client: ${CALL} -> 200 ${RESULT}`,
    ])
  })

  it.each([8, 9, 10])('of control are no messages: opcode %d', (opcode) => {
    expect(shown(send('', { opcode }), receive('bye', { opcode }))).toEqual([])
  })

  it('of a client that are not JSON have the error that the server returns', () => {
    const parse = error(null, -32700)
    expect(shown(send('{"jsonrpc":'), receive(parse), send('nonsense'))).toEqual([
      `client: {"jsonrpc": -> 200 ${JSON.stringify(parse)}`,
      'client: nonsense -> nothing',
    ])
  })

  it('keep the digits of numbers', () => {
    const id = '9007199254740993'
    const text = `[${CALL},{"jsonrpc":"2.0","id":${id},"method":"add"}]`
    expect(
      shown(send(text), receive(`{"jsonrpc":"2.0","id":${id},"result":1}`), receive(RESULT)),
    ).toEqual([`client: ${text} -> 200 [{"jsonrpc":"2.0","id":${id},"result":1},${RESULT}]`])
  })

  it('that the file does not have are reported', () => {
    expect(read(createHarReader, harOf({ messages: undefined })).shown).toEqual([
      'client: not-recorded, the messages of its WebSocket were not recorded',
    ])
  })
})

describe('messages of connections as lines of JSON', () => {
  const lines = (...all: readonly unknown[]) =>
    read(
      createNdjsonReader,
      all.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'),
    )

  it('are matched for each connection, with the address and the headers of its first line', () => {
    const { found, shown, faults } = lines(
      {
        ...{ connection: '1', url: 'wss://desk.example/ws', headers: { 'user-agent': 'a/1' } },
        ...{ time: '2026-10-02T08:00:00Z', send: call(1, 'add', [1, 2]) },
      },
      { connection: '2', url: '/ws', send: call(1, 'add', [5, 5]) },
      { connection: '2', receive: result(1, 10) },
      { connection: '1', receive: result(1, 3) },
      { request: call(9, 'add', [0, 0]), response: result(9, 0) },
      { connection: '1', send: call(2, 'add', [3, 4]) },
    )
    expect(faults).toEqual([])
    expect(shown).toEqual([
      `client: ${JSON.stringify(call(1, 'add', [5, 5]))} -> 200 ${JSON.stringify(result(1, 10))}`,
      `client: ${CALL} -> 200 ${RESULT}`,
      `undefined: ${JSON.stringify(call(9, 'add', [0, 0]))} -> 200 ${JSON.stringify(result(9, 0))}`,
      `client: ${JSON.stringify(call(2, 'add', [3, 4]))} -> nothing`,
    ])
    expect(found.map(({ line, facts }) => [line, facts.url, facts.headers.length])).toEqual([
      [2, 'http://recorded.invalid/ws', 1],
      [1, 'wss://desk.example/ws', 2],
      [5, undefined, 1],
      [6, 'wss://desk.example/ws', 2],
    ])
  })

  it('are texts or values, or say by their opcode that they are neither', () => {
    expect(
      lines(
        `{"connection":"1","send":${CALL.replace('"id":1', '"id":10000000000000000001')}}`,
        { connection: '1', receive: '{"jsonrpc":"2.0","id":10000000000000000001,"result":1}' },
        { connection: '1', receive: 'AAEC', opcode: 2 },
        { connection: '1', receive: '', opcode: 9 },
        { connection: '1', receive: 'pong' },
      ).shown,
    ).toEqual([
      `client: ${CALL.replace('"id":1', '"id":10000000000000000001')} -> 200 {"jsonrpc":"2.0","id":10000000000000000001,"result":1}`,
      'server: bytes, it is binary',
      'server: json, it is no JSON-RPC message',
    ])
  })

  it.each([
    [
      'without a sender',
      { connection: '1' },
      /^a:1: a message of a connection must say who sent it/,
    ],
    ['with two senders', { connection: '1', send: {}, receive: {} }, /must say who sent it/],
    ['without a name', { connection: 1, send: {} }, /must say who sent it/],
    ['with a time that is none', { connection: '1', send: {}, time: 'noon' }, /is not a date/],
    ['with headers that are none', { connection: '1', send: {}, headers: [] }, /headers must be/],
  ])('are rejected %s', (_, line, message) => {
    const { faults, shown } = lines(line, { connection: '2', send: notify('log', ['x']) })
    expect(faults).toEqual([expect.stringMatching(message)])
    expect(shown).toHaveLength(1)
  })

  it('of more connections than can be open end the oldest one', () => {
    const many = Array.from({ length: 10_001 }, (_, at) => ({
      connection: `c${at}`,
      send: call(at, 'add', [1, 2]),
    }))
    const reader = createNdjsonReader('a', () => undefined)
    const all = [...many, { connection: 'c0', receive: result(0, 3) }]
    const text = all.map((one) => JSON.stringify(one)).join('\n')
    const found = [...reader.push(text), ...reader.end()]
    expect(found).toHaveLength(10_002)
    expect(found[0]).toMatchObject({ line: 1, connection: { name: 'a, connection c0' } })
    expect(found.filter(({ unread }) => unread)).toHaveLength(1)
  })
})
