/** One JSON-RPC message, and what it says by its document. */
export type CallRow = {
  readonly name: string
  readonly methods: readonly object[]
  /** The text of the body. */
  readonly message: string
  readonly verdict: CallVerdict
  /** Why a client does not write the message in this form. */
  readonly isOnlyRead?: string
}

/** The calls that are read, in order; a call that cannot be read is `unread`, and a message without a call is `none`. */
export type CallVerdict = readonly (
  | { readonly operation: string; readonly params: Readonly<Record<string, unknown>> }
  | 'unread'
  | 'none'
)[]

const only = (value: unknown): object =>
  typeof value === 'object' && value !== null
    ? { type: 'object', properties: { a: { type: 'integer', enum: [1] } }, required: ['a'] }
    : { type: typeof value === 'number' ? 'integer' : typeof value, enum: [value] }

const method = (
  name: string,
  params: Readonly<Record<string, unknown>>,
  { optional = [], structure }: { optional?: readonly string[]; structure?: string } = {},
): object => ({
  name,
  ...(structure !== undefined && { paramStructure: structure }),
  params: Object.entries(params).map(([key, value]) => ({
    name: key,
    required: !optional.includes(key),
    schema: only(value),
  })),
  result: { name: 'result', schema: { type: 'string', enum: [name] } },
})

const TWO = method('two', { a: 'x', b: 5 }, { structure: 'by-position' })
const NAMED = method('named', { a: 'x', b: 5 }, { structure: 'by-name' })
const EITHER = method('either', { a: 'x', b: 5 }, { structure: 'either' })
const TAIL = method('tail', { a: 'x', b: 5 }, { optional: ['b'], structure: 'by-position' })
const NAMED_TAIL = method('namedTail', { a: 'x', b: 5 }, { optional: ['b'], structure: 'by-name' })
const OBJECT = method('box', { o: { a: 1 } }, { structure: 'by-position' })
const NONE = method('nothing', {})

const call = (
  name: string,
  declared: object | readonly object[],
  message: unknown,
  verdict: CallVerdict,
  isOnlyRead?: string,
): CallRow => ({
  name,
  methods: [declared].flat(),
  message: typeof message === 'string' ? message : JSON.stringify(message),
  verdict,
  ...(isOnlyRead !== undefined && { isOnlyRead }),
})

const envelope = (method: string, params?: unknown, more: object = {}): object => ({
  jsonrpc: '2.0',
  method,
  ...(params !== undefined && { params }),
  id: 1,
  ...more,
})

const reads = (operation: string, params: Readonly<Record<string, unknown>> = {}): CallVerdict => [
  { operation, params },
]

const BOTH = { a: 'x', b: 5 }

// JSON-RPC 2.0, 4 and 6; OpenRPC, Method Object.
export const CALLS: readonly CallRow[] = [
  call('params by position', TWO, envelope('two', ['x', 5]), reads('two', BOTH)),
  call('params by name', NAMED, envelope('named', { a: 'x', b: 5 }), reads('named', BOTH)),
  call(
    'params by name in another order',
    NAMED,
    envelope('named', { b: 5, a: 'x' }),
    reads('named', BOTH),
    'clients keep the order of the document',
  ),
  call('either, by position', EITHER, envelope('either', ['x', 5]), reads('either', BOTH)),
  call(
    'either, by name',
    EITHER,
    envelope('either', BOTH),
    reads('either', BOTH),
    'clients send params by position',
  ),
  call('by name where by position is declared', TWO, envelope('two', BOTH), ['unread']),
  call('by position where by name is declared', NAMED, envelope('named', ['x', 5]), ['unread']),
  call('an omitted optional param', TAIL, envelope('tail', ['x']), reads('tail', { a: 'x' })),
  call(
    'an omitted optional param by name',
    NAMED_TAIL,
    envelope('namedTail', { a: 'x' }),
    reads('namedTail', { a: 'x' }),
  ),
  call('an omitted required param', TWO, envelope('two', ['x']), ['unread']),
  call('a surplus param', TWO, envelope('two', ['x', 5, 6]), ['unread']),
  call('a surplus param by name', NAMED, envelope('named', { ...BOTH, c: 1 }), ['unread']),
  call('a param of the wrong type', TWO, envelope('two', [7, 5]), ['unread']),
  call('a param outside its enumeration', TWO, envelope('two', ['y', 5]), ['unread']),
  call(
    'an object as the only param',
    OBJECT,
    envelope('box', [{ a: 1 }]),
    reads('box', { o: { a: 1 } }),
  ),
  call('the object in place of the list', OBJECT, envelope('box', { a: 1 }), ['unread']),
  call('no params', NONE, envelope('nothing'), reads('nothing'), 'clients send an empty list'),
  call('an empty list of params', NONE, envelope('nothing', []), reads('nothing')),
  call('an unknown method', TWO, envelope('three', []), ['none']),
  call('a method in other letters', TWO, envelope('Two', ['x', 5]), ['none']),
  call(
    'an id that is a text',
    TWO,
    envelope('two', ['x', 5], { id: 'a' }),
    reads('two', BOTH),
    'clients send numbers',
  ),
  call(
    'an id that is null',
    TWO,
    envelope('two', ['x', 5], { id: null }),
    reads('two', BOTH),
    'clients send numbers',
  ),
  call(
    'a notification',
    TWO,
    { jsonrpc: '2.0', method: 'two', params: ['x', 5] },
    reads('two', BOTH),
    'the client calls',
  ),
  call('params that are null', TWO, envelope('two', null), ['unread']),
  call('params that are a text', TWO, envelope('two', 'x'), ['unread']),
  call('another version', TWO, envelope('two', ['x', 5], { jsonrpc: '1.0' }), ['unread']),
  call('no version', TWO, { method: 'two', params: ['x', 5], id: 1 }, ['unread']),
  call('a method that is a number', TWO, envelope('two', ['x', 5], { method: 2 }), ['unread']),
  call('an id that is an object', TWO, envelope('two', ['x', 5], { id: {} }), ['unread']),
  call(
    'an unknown member',
    TWO,
    envelope('two', ['x', 5], { extra: true }),
    reads('two', BOTH),
    'clients send none',
  ),
  call('text that is not JSON', TWO, '{"jsonrpc":"2.0",', ['unread']),
  call(
    'a batch of two methods',
    [TWO, NAMED],
    [envelope('two', ['x', 5]), envelope('named', BOTH, { id: 2 })],
    [...reads('two', BOTH), ...reads('named', BOTH)],
  ),
  call(
    'a batch of one',
    TWO,
    [envelope('two', ['x', 5])],
    reads('two', BOTH),
    'one call is sent alone',
  ),
  call(
    'a batch with a call that cannot be read',
    TWO,
    [envelope('two', ['x', 5]), envelope('two', ['y', 5], { id: 2 })],
    [...reads('two', BOTH), 'unread'],
  ),
  call(
    'a batch with an unknown method',
    TWO,
    [envelope('three', []), envelope('two', ['x', 5], { id: 2 })],
    ['none', ...reads('two', BOTH)],
  ),
  call(
    'a batch with a member that is no object',
    TWO,
    [1, envelope('two', ['x', 5])],
    ['unread', ...reads('two', BOTH)],
  ),
  call('an empty batch', TWO, [], ['unread']),
]
