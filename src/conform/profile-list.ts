/** The expected behaviour of a dialect where the clauses leave a choice: choice -> the accepted ways. */
export type Profile = {
  readonly name: string
  readonly purpose: string
  readonly ways: Readonly<Record<string, readonly string[]>>
}

const ANSWERED = ['answered']
const INVALID = ['error -32600']
const UNPARSED = ['error -32700']
const UNREAD = ['error -32700', 'error -32600']

/** The choices of all profiles, unless they override them. */
const COMMON = {
  'byte order mark': UNPARSED,
  'broken UTF-8': UNPARSED,
  'duplicate method': ['rejected', 'the last counts'],
  'duplicate id': ['rejected', 'the last counts'],
  'no request object': INVALID,
  'null params': ['error -32600', 'error -32602'],
  'unknown member': ANSWERED,
  'null id': ANSWERED,
  'fractional id': ANSWERED,
  'id with an exponent': ANSWERED,
  'huge id': ANSWERED,
  'structured id': INVALID,
  'boolean id': INVALID,
  'extra params': ['error -32602'],
  'answer to a notification': ['nothing, under HTTP 204', 'nothing, under HTTP 202'],
  'answer to a faulty notification': ['nothing'],
  'equal ids in a batch': ['both answered'],
  'rejection of a large batch': ['one object', 'an error for each call'],
  'limit of a batch counts': ['each member'],
  'too many notifications in a batch': ['rejected'],
  'status of error -32700': ['HTTP 200'],
  'status of error -32600': ['HTTP 200'],
  'status of error -32601': ['HTTP 200'],
  GET: ['HTTP 405'],
}

/** The ways are those of `Session.observe`; a choice that is not listed is free. */
export const PROFILES: readonly Profile[] = [
  {
    name: 'strict',
    purpose:
      'JSON-RPC 2.0 to the letter, and HTTP 200 with every error object except those of HTTP itself.',
    ways: { ...COMMON, 'unknown key': ['HTTP 401'], 'a batch counts as': ['each call'] },
  },
  {
    name: 'geth',
    purpose: 'go-ethereum and its forks: lenient JSON parsing, and HTTP 200 for every response.',
    ways: {
      ...COMMON,
      'broken UTF-8': ['answered', 'error -32700'],
      'duplicate method': ['the last counts'],
      'duplicate id': ['the last counts'],
      'null params': ANSWERED,
      'boolean id': ['answered', 'error -32600'],
      'answer to a notification': ['nothing, under HTTP 200'],
      'rejection of a large batch': ['an array of one'],
      GET: ['HTTP 200', 'HTTP 405'],
    },
  },
  {
    name: 'jsonrpsee',
    purpose:
      'Servers built on jsonrpsee: they treat invalid requests as invalid JSON, and may respond to a notification with null.',
    ways: {
      ...COMMON,
      'byte order mark': ['error -32700', 'HTTP 400'],
      'duplicate method': ['rejected'],
      'duplicate id': ['rejected'],
      'no request object': UNREAD,
      'null params': ANSWERED,
      'fractional id': UNREAD,
      'id with an exponent': UNREAD,
      'huge id': UNREAD,
      'structured id': UNREAD,
      'boolean id': UNREAD,
      'extra params': ['answered', 'error -32602'],
      'answer to a notification': ['null', 'nothing, under HTTP 200'],
      'answer to a faulty notification': ['null', 'nothing'],
      'status of error -32700': ['HTTP 200', 'HTTP 400'],
    },
  },
]
