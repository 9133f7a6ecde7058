import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkTraffic } from '../../../src/conform/check-traffic.js'
import { apiOf } from '../../read/api-of.js'
import { temporaryFolder } from '../../temporary-folder.js'
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
} from '../../traffic/desk.js'

const folder = temporaryFolder('recorded-frames')

const checked = async (...messages: readonly object[]) => checkedText(harOf({ messages }))

const checkedText = async (text: string, name = 'a.har', document: object = DESK) => {
  const file = join(folder, name)
  writeFileSync(file, text)
  const verdict = await checkTraffic(await apiOf({ openrpc: document }), file)
  return {
    ...verdict,
    found: verdict.findings.map(({ rule, message }) => `${rule}: ${message}`),
    untested: verdict.notTested.flatMap(({ what, why }) =>
      what.map((one) => `${one.replace(`${file}#/log/entries/`, '')}: ${why}`),
    ),
  }
}

const ADD = send(call(1, 'add', [1, 2]))
const ADDED = receive(result(1, 3))
const item = (subscription: string, value: unknown) =>
  receive(notify('item', { subscription, value }))

/** A connection on which everything is as the document says. */
const GOOD = [
  ADD,
  ADDED,
  send(call('w', 'watch', ['heads'])),
  receive(result('w', 's1')),
  item('s1', 1),
  receive(notify('progress', [50])),
  send(notify('log', ['from the client'])),
  receive(notify('log', ['from the server'])),
  receive(call(1, 'confirm', ['Sure?'])),
  item('s1', 2),
  send(result(1, true)),
  send([call(2, 'add', [1, 1]), notify('log', ['x']), call(3, 'add', [2, 2])]),
  receive([result(3, 4), result(2, 2)]),
  send(call(4, 'add', [1e15, 1])),
  receive(error(4, 7)),
  send(call('u', 'unwatch', ['s1'])),
  receive(result('u', true)),
]

describe('recorded messages of a WebSocket', () => {
  it('that fit the document have no findings, and cover its operations', async () => {
    const { found, untested, cases, coverage } = await checked(...GOOD)
    expect(found).toEqual([])
    expect(untested).toEqual([])
    expect(cases).toBe(11)
    expect(coverage.find(({ kind }) => kind === 'operation')?.met).toEqual([
      'add',
      'watch',
      'unwatch',
    ])
    expect(coverage.find(({ kind }) => kind === 'error code')?.met).toEqual(['add 7'])
  })

  it.each<readonly [string, readonly object[], RegExp]>([
    ['a result', [ADD, receive(result(1, '3'))], /^result-invalid: add: .* must be an integer/],
    [
      'a result of the client',
      [receive(call(1, 'confirm', ['?'])), send(result(1, 'yes'))],
      /^result-invalid: confirm: in a response of the client, .* must be true or false/,
    ],
    [
      'params that were accepted',
      [send(call(1, 'add', [1, 'x'])), ADDED],
      /^invalid-params-accepted: add: params\/1 must be an integer/,
    ],
    [
      'params of a notification of the server',
      [receive(notify('progress', [101]))],
      /^server-message-invalid: progress: params\/0 must be at most 100/,
    ],
    [
      'params of a request of the server',
      [receive(call(1, 'confirm', [5])), send(result(1, true))],
      /^server-message-invalid: confirm: params\/0 must be a string/,
    ],
    [
      'params by name',
      [receive(notify('progress', { percent: 5 }))],
      /^server-message-invalid: progress: params are sent by name/,
    ],
    [
      'params of a notification that both sides send',
      [receive(notify('log', []))],
      /^server-message-invalid: log: params/,
    ],
    [
      'an item',
      [receive(notify('item', { subscription: 's', value: true }))],
      /^server-message-invalid: item: params\/value must be/,
    ],
    ['an error', [ADD, receive(error(1, 8))], /^error-code-is-undeclared: add: .* the error 8/],
    [
      'an error of the client',
      [receive(call(1, 'confirm', ['?'])), send(error(1, 9))],
      /^error-code-is-undeclared: confirm: in a response of the client/,
    ],
    [
      'a response without its version',
      [ADD, receive({ id: 1, result: 3 })],
      /^response-without-version: add/,
    ],
    [
      'a response with a result and an error',
      [ADD, receive({ ...result(1, 3), error: null })],
      /^response-not-result-or-error: add/,
    ],
    [
      'a batch that lacks a response',
      [send([call(1, 'add', [1, 2]), call(2, 'add', [1, 2])]), receive([result(1, 3)])],
      /^call-not-answered: add: the call with the id 2/,
    ],
    ['a call that got an array', [ADD, receive([result(1, 3)])], /^call-answered-by-array/],
  ])('that break the document are found: %s', async (_, messages, rule) => {
    const { found } = await checked(...GOOD.slice(0, 2), ...messages)
    expect(found).toEqual([expect.stringMatching(rule)])
  })

  const subscribed = [send(call(8, 'watch', ['prices'])), receive(result(8, 's2'))]
  it.each<readonly [string, readonly object[], readonly (RegExp | string)[]]>([
    [
      'of the other variant',
      [item('s2', 5)],
      [/^subscription-item-invalid: watch: item .* must be a string/],
    ],
    ['of its variant', [item('s2', '5')], []],
    [
      'after its end',
      [
        item('s2', '5'),
        send(call(9, 'unwatch', ['s2'])),
        receive(result(9, true)),
        item('s2', '6'),
      ],
      [/^subscription-continues: watch: .* after the response to unwatch/],
    ],
    [
      'before the response that ends it',
      [send(call(9, 'unwatch', ['s2'])), item('s2', '6'), receive(result(9, true))],
      [],
    ],
    [
      'after an end that the server denied',
      [send(call(9, 'unwatch', ['s2'])), receive(result(9, false)), item('s2', '6')],
      [],
    ],
    [
      'after another subscription ended',
      [send(call(9, 'unwatch', ['s3'])), receive(result(9, true)), item('s2', '6')],
      [],
    ],
    [
      'of a subscription that began again',
      [send(call(9, 'unwatch', ['s2'])), receive(result(9, true)), ...subscribed, item('s2', '6')],
      [],
    ],
  ])('with items of a subscription: %s', async (_, messages, rules) => {
    const { found, untested } = await checked(...subscribed, ...messages)
    expect(found).toEqual(rules.map((one) => expect.stringMatching(one)))
    expect(untested).toEqual([])
  })

  it.each<readonly [string, object, string]>([
    ['a binary frame', receive('AAEC', { opcode: 2 }), 'it is binary'],
    ['a text that is not JSON', receive('pong'), 'it is no JSON-RPC message'],
    [
      'a response without a call',
      receive(result(77, 1)),
      'it is a response, and no call with its id was recorded before it',
    ],
    ['a call without a response', send(call(77, 'add', [1, 1])), 'its response was not recorded'],
    [
      'a request of the server without a response',
      receive(call(77, 'confirm', ['?'])),
      'its response was not recorded',
    ],
    [
      'an item of an unknown subscription',
      item('s9', 1),
      'no subscription with its id was recorded before it: the item was checked without a variant',
    ],
    [
      'an unknown method of the server',
      receive(notify('other', [])),
      'the document has no such method of the server: its params were not checked',
    ],
    [
      'an unknown method',
      send(notify('progress', [1])),
      'its method is not documented: only the JSON-RPC envelope of its response was checked',
    ],
  ])('that say nothing are reported: %s', async (_, message, why) => {
    const { found, untested } = await checked(ADD, ADDED, message)
    expect(found).toEqual([])
    expect(untested).toEqual([`0/_webSocketMessages/2: ${why}`])
  })

  it('of another address are reported once for each connection', async () => {
    const other = {
      url: 'ws://localhost:5173/vite',
      messages: [send('{"type":"ping"}'), receive('x')],
    }
    const { untested, cases } = await checkedText(harOf(other, { messages: [ADD, ADDED] }, other))
    expect(untested).toEqual([
      '0: it does not match a documented operation',
      '2: it does not match a documented operation',
    ])
    expect(cases).toBe(1)
  })

  it.each([
    'wss://desk.example/ws',
    'ws://127.0.0.1:8000/ws',
    'https://proxy.example/ws',
    'wss://desk.example/ws?token=1',
    'WSS://desk.example/ws/',
  ])('are found by the path of their address: %s', async (url) => {
    const { cases } = await checkedText(harOf({ url, messages: [ADD, ADDED] }))
    expect(cases).toBe(1)
  })

  it('may be lines of JSON, without an address', async () => {
    const lines = [
      { connection: '1', send: call(1, 'add', [1, 2]) },
      { connection: '1', receive: notify('progress', [500]) },
      { connection: '1', receive: result(1, 'x') },
    ]
    const { found, findings } = await checkedText(
      lines.map((one) => JSON.stringify(one)).join('\n'),
      'a.ndjson',
    )
    expect(found.map((one) => one.split(':')[0]).sort()).toEqual([
      'result-invalid',
      'server-message-invalid',
    ])
    expect(findings.map(({ exchange }) => exchange.request.split(' ')[0]).sort()).toEqual([
      expect.stringMatching(/a\.ndjson:1$/),
      expect.stringMatching(/a\.ndjson:2$/),
    ])
  })

  it('of the server are shown as such, with a command that listens', async () => {
    const { findings } = await checked(receive(notify('progress', [101])))
    expect(
      findings.map(({ exchange: { request, response, curl } }) => [request, response, curl]),
    ).toEqual([
      [
        `${join(folder, 'a.har')}#/log/entries/0/_webSocketMessages/0 sent by wss://desk.example/ws {"jsonrpc":"2.0","method":"progress","params":[101]}`,
        '204',
        "npx wscat -c 'wss://desk.example/ws'",
      ],
    ])
  })

  it('that a client cancelled may have the error for it, where the document has x-cancel', async () => {
    const cancel = {
      ...{ name: 'cancel', 'x-direction': 'client', paramStructure: 'by-name' },
      params: [{ name: 'id', required: true, schema: {} }],
    }
    const messages = [ADD, send(notify('cancel', { id: 1 })), receive(error(1, -32800))]
    const document = { ...DESK, methods: [...DESK.methods, cancel] }
    const text = harOf({ messages })
    const without = await checkedText(text, 'a.har', document)
    expect(without.found).toEqual([expect.stringMatching(/^error-code-is-undeclared/)])
    const cancelling = { ...document, 'x-cancel': { notification: 'cancel', id: '/id' } }
    expect((await checkedText(text, 'a.har', cancelling)).found).toEqual([])
  })
})

describe('recorded event streams of JSON-RPC over HTTP', () => {
  const streams = (...lines: readonly string[]) => checkedText(lines.join('\n'), 'a.ndjson')
  const add = call(1, 'add', [1, 2])

  it.each<readonly [string, string, readonly (string | RegExp)[], readonly RegExp[]]>([
    ['a result alone', streamed(add, [result(1, 3)]), [], []],
    [
      'messages of the server before it',
      streamed(add, [notify('progress', [5]), notify('log', ['x']), result(1, 3)]),
      [],
      [],
    ],
    [
      'a batch, whose responses come one by one',
      streamed(
        [add, call(2, 'add', [2, 2])],
        [result(2, 4), notify('progress', [5]), result(1, 3)],
      ),
      [],
      [],
    ],
    ['messages of the server alone', streamed(undefined, [notify('progress', [5])]), [], []],
    [
      'a wrong result',
      streamed(add, [notify('progress', [5]), result(1, 'x')]),
      [/^result-invalid: add/],
      [],
    ],
    [
      'a wrong notification',
      streamed(add, [notify('progress', [500]), result(1, 3)]),
      [/^server-message-invalid: progress/],
      [],
    ],
    [
      'no response',
      streamed(add, [notify('progress', [5])]),
      [],
      [/its response was not recorded$/],
    ],
    [
      'data that is no JSON-RPC',
      streamed(add, ['hello', result(1, 3)]),
      [],
      [/it is no JSON-RPC message$/],
    ],
    [
      'a request of the server',
      streamed(add, [call('c', 'confirm', ['?']), result(1, 3)]),
      [],
      [/its response was not recorded$/],
    ],
    [
      'another address',
      streamed(add, [result(1, 3)], { url: 'https://desk.example/other' }),
      [],
      [/it does not match a documented operation$/],
    ],
  ])('with %s', async (_, line, rules, words) => {
    const { found, untested } = await streams(line)
    expect(found).toEqual(rules.map((one) => expect.stringMatching(one)))
    expect(untested).toEqual(words.map((one) => expect.stringMatching(one)))
  })

  it('whose last event was cut off have the messages before it', async () => {
    const line = streamed(add, [notify('progress', [5]), result(1, 3)])
    const { found, untested, cases } = await streams(line.replace(/,..result.*/, '"}}'))
    expect(found).toEqual([])
    expect(untested).toHaveLength(2)
    expect(cases).toBe(1)
  })

  it('that answer requests of the server by other exchanges are reported as such', async () => {
    const response = JSON.stringify({
      request: { method: 'POST', url: 'https://desk.example/ws', body: result('c', true) },
      response: { status: 202, headers: { date: 'today' }, body: '' },
    })
    const { found, untested } = await streams(response)
    expect(found).toEqual([])
    expect(untested).toEqual([
      expect.stringMatching(/it is a response of the client, whose call is in another exchange$/),
    ])
  })
})
