import type { Call, Case, Handling, SocketStep } from './case.js'

/** JSON-RPC over WebSockets: calls and subscriptions of the client, and what the server sends. */
export const linkCases = (): readonly Case[] => [
  ...answerCases(),
  ...malformedCases(),
  ...breakCases(),
  ...subscriptionCases(),
  ...handlerCases(),
  ...cancellationCases(),
]

type Connection = readonly SocketStep[]

const over = (
  id: string,
  call: Call,
  sockets: readonly Connection[],
  more: Partial<Case> = {},
): Case => ({
  ...{ id: `links/${id}`, property: 'links', protocol: 'rpc', call, sockets },
  ...more,
})

const receive = (count = 1): SocketStep => ({ receive: count })
const send = (message: unknown): SocketStep => ({
  send: typeof message === 'string' ? message : JSON.stringify(message),
})
const result = (id: unknown, value: unknown = 'v') => ({ jsonrpc: '2.0', id, result: value })
const failure = (id: unknown, code: number, message: string) => ({
  ...{ jsonrpc: '2.0', id },
  error: { code, message },
})
const cut: SocketStep = { cut: true }
const refuse: Connection = [{ status: 503 }]

const read = (params: readonly unknown[] = ['k']): Call => ({ operation: 'readOne', params })
const write: Call = { operation: 'writeOne', params: ['k'] }
const members = (
  how: 'batch' | 'together' | 'sequence',
  ...operations: readonly string[]
): Call => ({
  how,
  members: operations.map((operation, at) => ({ operation, params: [`k${at + 1}`] })),
})

function answerCases(): readonly Case[] {
  const one = (name: string, ...steps: readonly SocketStep[]) =>
    over(`answers/${name}`, read(), [[receive(), ...steps]])
  return [
    one('result', send(result(1))),
    one('error', send(failure(1, -32000, 'no'))),
    one('binary', { send: JSON.stringify(result(1)), isBinary: true }),
    over('answers/null', { operation: 'nullOrText', params: [] }, [
      [receive(), send(result(1, null))],
    ]),
    over('answers/digits', { operation: 'anyValue', params: ['a'] }, [
      [receive(), send('{"jsonrpc":"2.0","id":1,"result":[9007199254740993]}')],
    ]),
    over('answers/out of order', members('together', 'readOne', 'writeOne', 'readOne'), [
      [receive(3), send(result(3, 'c')), send(result(1, 'a')), send(result(2, 'b'))],
    ]),
    over('answers/one after the other', members('sequence', 'readOne', 'writeOne'), [
      [receive(), send(result(1, 'a')), receive(), send(result(2, 'b'))],
    ]),
    over('answers/several in one text', members('together', 'readOne', 'readOne'), [
      [receive(2), send([result(2, 'b'), result(1, 'a')])],
    ]),
    over('answers/batch', members('batch', 'readOne', 'writeOne'), [
      [receive(), send([result(2, 'b'), result(1, 'a')])],
    ]),
    over('answers/batch in parts', members('batch', 'readOne', 'writeOne', 'readOne'), [
      [receive(), send(result(3, 'c')), send([result(1, 'a'), failure(2, -32001, 'no')])],
    ]),
    over('answers/notification', { operation: 'tell', params: ['what'] }, [[]]),
    over('answers/invalid params', { operation: 'readOne', params: [1] }, [[]]),
    over('answers/new value', { operation: 'getEntry', params: [] }, [
      [receive(), send(result(1, { kind: 'z', more: true }))],
    ]),
    over('answers/invalid result', { operation: 'readOne', params: ['k'] }, [
      [receive(), send(result(1, 7))],
    ]),
    over('answers/address', read(), [[receive(), send(result(1))]], {
      options: {
        server: '{socket}/rpc/{apiKey}',
        auth: { apiKey: 'a/b' },
        headers: { 'X-A': 'b' },
      },
    }),
    over(
      'answers/key asked again',
      members('sequence', 'readOne', 'readOne'),
      [
        [receive(), send(result(1, 'a')), cut],
        [receive(), send(result(2, 'b'))],
      ],
      { options: { auth: { apiKey: { each: ['one', 'two'] } } } },
    ),
  ]
}

function malformedCases(): readonly Case[] {
  const then = (name: string, ...messages: readonly unknown[]) =>
    over(`malformed/${name}`, read(), [[receive(), ...messages.map(send), send(result(1))]])
  const only = (name: string, message: unknown) =>
    over(`malformed/${name}`, read(), [[receive(), send(message)]])
  return [
    then('unknown id', result(99)),
    then('text as id', result('1')),
    then('no id', { jsonrpc: '2.0', result: 1 }),
    then('not JSON', '<html>'),
    then('empty', ''),
    then('scalars', 'null', '5', '"text"', '[]'),
    only('both result and error', { ...result(1), error: { code: 1, message: 'm' } }),
    only('neither result nor error', { jsonrpc: '2.0', id: 1 }),
    only('no version', { id: 1, result: 'v' }),
    only('error without a code', { jsonrpc: '2.0', id: 1, error: { message: 'm' } }),
    only('list for one call', [result(1)]),
    only('error without an id', failure(null, -32700, 'Parse error')),
    over('malformed/error without an id of two', members('together', 'readOne', 'readOne'), [
      [
        receive(2),
        send(failure(null, -32600, 'Invalid Request')),
        send(result(2, 'b')),
        send(result(1, 'a')),
      ],
    ]),
    over('malformed/twice', members('together', 'readOne', 'readOne'), [
      [receive(2), send(result(1, 'a')), send(result(1, 'z')), send(result(2, 'b'))],
    ]),
    over('malformed/too large', read(), [[receive(), send(result(1, 'x'.repeat(2_000)))]], {
      options: { maxResponseBytes: 1_000 },
    }),
  ]
}

function breakCases(): readonly Case[] {
  return [
    over('breaks/not sent again', write, [[receive(), cut]]),
    over('breaks/sent again', read(), [
      [receive(), cut],
      [receive(), send(result(1))],
    ]),
    over('breaks/batch', members('batch', 'writeOne', 'readOne'), [
      [receive(), cut],
      [receive(), send([result(2, 'b')])],
    ]),
    over('breaks/closed', write, [[receive(), { close: 1001 }]]),
    over('breaks/all that waits', members('together', 'writeOne', 'writeOne'), [[receive(2), cut]]),
    over('breaks/opened again', members('sequence', 'writeOne', 'writeOne'), [
      [receive(), cut],
      [receive(), send(result(2, 'b'))],
    ]),
    over('breaks/opening tried again', write, [refuse, [receive(), send(result(1))]]),
    over('breaks/opening refused', write, [refuse], {
      options: { retry: { attempts: 2, delay: 1 } },
    }),
    over('breaks/opening refused, key', { operation: 'writeOne', params: ['k'] }, [refuse], {
      property: 'redaction',
      options: { auth: { apiKey: 'sesame-open-17' }, retry: { attempts: 1 } },
    }),
    over('breaks/timeout', write, [[receive()]], { options: { timeout: 0.1, clock: 'real' } }),
    over(
      'breaks/late answer',
      members('sequence', 'writeOne', 'writeOne'),
      [[receive(2), send(result(1, 'a')), send(result(2, 'b'))]],
      { options: { timeout: 1, clock: 'real' } },
    ),
  ]
}

const item = (subscription: unknown, value: unknown): SocketStep =>
  send({ jsonrpc: '2.0', method: 'followed', params: { subscription, item: value } })
const entry = (size: number) => ({ kind: 'x', size })
const follow = (take: number, more: Partial<Call> = {}): Call => ({
  ...{ how: 'subscribe', operation: 'follow', params: ['all'], take },
  ...more,
})
const begun = (id: number, subscription: string): readonly SocketStep[] => [
  receive(),
  send(result(id, subscription)),
]
const ended = (id: number): readonly SocketStep[] => [receive(), send(result(id, true))]

function subscriptionCases(): readonly Case[] {
  return [
    over('subscriptions/items', follow(2), [
      [...begun(1, 's'), item('s', entry(1)), item('s', entry(2)), ...ended(2)],
    ]),
    over('subscriptions/before the id', follow(2), [
      [receive(), item('s', entry(1)), send(result(1, 's')), item('s', entry(2)), ...ended(2)],
    ]),
    over('subscriptions/of another', follow(1), [
      [...begun(1, 's'), item('other', entry(1)), item('s', entry(2)), ...ended(2)],
    ]),
    over('subscriptions/params by position', follow(1), [
      [
        ...begun(1, 's'),
        send({ jsonrpc: '2.0', method: 'followed', params: ['s', entry(1)] }),
        item('s', entry(2)),
        ...ended(2),
      ],
    ]),
    over('subscriptions/refused', follow(1), [[receive(), send(failure(1, -32000, 'no'))]]),
    over('subscriptions/new value', follow(1), [
      [...begun(1, 's'), item('s', { kind: 'new', more: 1 }), ...ended(2)],
    ]),
    over('subscriptions/invalid item', follow(2), [
      [...begun(1, 's'), item('s', entry(1)), item('s', { kind: 7 }), ...ended(2)],
    ]),
    over('subscriptions/unsubscribing fails', follow(1), [
      [...begun(1, 's'), item('s', entry(1)), receive(), send(failure(2, -32000, 'unknown'))],
    ]),
    over('subscriptions/break', follow(2), [
      [...begun(1, 's'), item('s', entry(1)), cut],
      [...begun(2, 't'), item('s', entry(9)), item('t', entry(2)), ...ended(3)],
    ]),
    over('subscriptions/two breaks', follow(3), [
      [...begun(1, 's'), item('s', entry(1)), cut],
      [...begun(2, 's'), item('s', entry(2)), cut],
      [...begun(3, 's'), item('s', entry(3)), ...ended(4)],
    ]),
    over(
      'subscriptions/not renewed',
      follow(2, { attempts: 2 }),
      [[...begun(1, 's'), item('s', entry(1)), cut], refuse],
      { options: { retry: { attempts: 1 } } },
    ),
    over('subscriptions/renewing refused', follow(2), [
      [...begun(1, 's'), item('s', entry(1)), cut],
      [receive(), send(failure(2, -32000, 'no'))],
    ]),
    over('subscriptions/over HTTP', follow(1), [], { options: { server: '{origin}' } }),
  ]
}

/** A call that was sent is ended for its caller alone; the connection goes on. */
function cancellationCases(): readonly Case[] {
  const cancelled = (name: string, call: Call, ...steps: readonly SocketStep[]) =>
    over(name, call, [steps], { id: `cancellation/socket/${name}`, property: 'cancellation' })
  const held: SocketStep = { hold: true }
  return [
    cancelled('before the answer', { ...write, cancel: 'held' }, receive(), held),
    cancelled(
      'before the answer to a batch',
      { ...members('batch', 'readOne', 'writeOne'), cancel: 'held' },
      receive(),
      held,
    ),
    cancelled(
      'within a subscription',
      follow(9, { cancel: 'item' }),
      ...begun(1, 's'),
      item('s', entry(1)),
      ...ended(2),
    ),
  ]
}

function handlerCases(): readonly Case[] {
  const handled = (
    name: string,
    handlers: Readonly<Record<string, Handling>>,
    ...steps: readonly SocketStep[]
  ) => over(`handlers/${name}`, { ...read(), handlers }, [[receive(), ...steps, send(result(1))]])
  const note = (...params: readonly unknown[]) => send({ jsonrpc: '2.0', method: 'noted', params })
  const question = (id: unknown, params: unknown = ['ready?']) => ({
    ...{ jsonrpc: '2.0', id, method: 'ask', params },
  })
  const ask = (id: unknown, params?: unknown) => send(question(id, params))
  return [
    handled('notifications', { noted: {} }, note(1, 'a'), note(2)),
    handled('no handler', {}, note(1, 'a')),
    handled('another handler', { ask: { result: true } }, note(1, 'a')),
    handled('invalid notification', { noted: {} }, note('one'), note(2)),
    handled(
      'by name',
      { noted: {} },
      send({ jsonrpc: '2.0', method: 'noted', params: { step: 1 } }),
    ),
    handled('unknown notification', {}, send({ jsonrpc: '2.0', method: 'other' })),
    handled('request', { ask: { result: true } }, ask('q'), receive()),
    handled('request with a number', { ask: { result: false } }, ask(1), receive()),
    handled('request, no handler', {}, ask('q'), receive()),
    handled('unknown request', {}, send({ jsonrpc: '2.0', id: 7, method: 'other' }), receive()),
    handled(
      'request, error',
      { ask: { error: { code: -32001, message: 'not now' } } },
      ask('q'),
      receive(),
    ),
    handled('request, invalid params', { ask: { result: true } }, ask('q', [7]), receive()),
    handled('request, invalid result', { ask: { result: 'yes' } }, ask('q'), receive()),
    handled(
      'requests in one text',
      { ask: { result: true } },
      send([question('p'), question('q', ['sure?'])]),
      receive(),
    ),
  ]
}
