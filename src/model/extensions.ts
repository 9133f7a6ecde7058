import type { Limits } from '../runtime/operation.js'
import type { Api } from './api.js'
import { wordsSaid } from './json.js'

/** The extensions that the documents use, each with its meaning: a sentence that begins with its verb. */
export function extensionsUsed(api: Api): readonly (readonly [name: string, means: string])[] {
  const found = wordsSaid([api.http?.bundled, api.rpc?.bundled], Object.keys(EXTENSIONS))
  return Object.entries(EXTENSIONS).filter(([name]) => found.has(name))
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'x-variants':
    'names the request variants of an operation: for each the schema of its request, of its answers, of the bodies that are errors under a 2xx, and an example. The variant of a request decides the variant of its answer.',
  'x-contract-call':
    'on a variant, names the properties that make it a call of a contract: `abi`, `method` and `arguments` of the request, and `output` of the answer to a function that only reads.',
  'x-rpc-method': 'on a link, names a method of the OpenRPC document as what to call next.',
  'x-poll':
    'says that an answer is a state: `field` holds it, `terminal` lists the values that end it, `order` the order in which values follow each other.',
  'x-stream-end':
    'is the text that ends a stream in place of an item. A stream that ends without it was cut off.',
  'x-same-as': 'names another property that may carry the same value; a reader accepts either.',
  'x-secret':
    'marks a parameter or a server variable that is never shown in an error, a log or a report.',
  'x-bigint': 'marks an integer that generated code reads and writes as `bigint`, with all digits.',
  'x-access': 'is `public`, or `key` where a key is needed.',
  'x-limits':
    'gives `requestsPerMinute`, `batchSize` (requests in a batch) and `payloadBytes` (bytes of a body).',
  'x-stability-level': 'is `draft`, `alpha` (experimental), `beta` or `stable`.',
  'x-deprecated-at': 'is the date from which an operation is deprecated.',
  'x-sunset': 'is the date on which a deprecated operation ends.',
  'x-replaced-by':
    'names what to call in place of an operation: an operationId, `GET /path`, a method, or a URL.',
  'x-idempotent': 'says that a request may be repeated without asking for its effect twice.',
  'x-idempotency-key':
    'names the header of a key that clients make for each call, so that it may be repeated.',
  'x-pagination':
    'says how the next page is asked for: `items` and `more` are pointers into a response, `next` gives parameters their value in it, `page` and `offset` name parameters that count.',
  'x-chain-id': "is the chain id of a server's network.",
  'x-native-currency':
    "gives `name`, `symbol` and `decimals` of what a server's network counts fees and balances in.",
  'x-name': 'is the name by which a client chooses a server.',
  'x-direction':
    'says who sends a method: `client`, `server` or `both`. A server sends notifications, and requests that clients respond to.',
  'x-error':
    'is the error of an example in which a method refuses: `code`, `message` and maybe `data`.',
  'x-not-shown': 'says what the description of the service leaves open.',
  'x-assumption': 'says what was chosen there, and why. No promise rests on it.',
}

/** `x-limits` in words; empty without limits. */
export const limitWords = (limits: Limits): string =>
  [
    limits.requestsPerMinute && `${limits.requestsPerMinute} requests a minute`,
    limits.batchSize && `${limits.batchSize} requests in a batch`,
    limits.payloadBytes && `${limits.payloadBytes.toLocaleString('en')} bytes a body`,
  ]
    .filter(Boolean)
    .join(', ')
