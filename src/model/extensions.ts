import type { Limits } from '../runtime/operation.js'
import type { Api } from './api.js'
import { wordsIn } from './json.js'

/** The extensions that the documents use, each with its meaning: a sentence that begins with its verb. */
export function extensionsUsed(api: Api): readonly (readonly [name: string, means: string])[] {
  const found = wordsIn([api.http?.bundled, api.rpc?.bundled], Object.keys(EXTENSIONS))
  return Object.entries(EXTENSIONS).filter(([name]) => found.has(name))
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'x-variants':
    'lists the request variants of an operation, each with the schemas of its request, its responses and its errors with a 2xx status, and an example. The variant of a request determines the variant of its response.',
  'x-contract-call':
    'on a variant, names the properties of a contract call: `abi`, `method` and `arguments` of the request, and `output` of the response to a read-only function.',
  'x-webhooks':
    'lists the webhooks of a document before OpenAPI 3.1, as `webhooks` does from 3.1 on.',
  'x-rpc-method': 'on a link, names the method of the OpenRPC document to call next.',
  'x-poll':
    'marks a response that clients poll: `field` contains the state, `terminal` lists the final states, and `order` lists all states in their order.',
  'x-stream-end':
    'is the text that a stream sends after its last item. A stream that ends without it is incomplete.',
  'x-same-as': 'names another property that may have the same value; clients accept either.',
  'x-secret':
    'marks a parameter or a server variable that is never shown in an error, a log or a report.',
  'x-bigint': 'marks an integer that generated code reads and writes as `bigint`, with all digits.',
  'x-access': 'is `public`, or `key` where a key is needed.',
  'x-limits':
    'contains `requestsPerMinute`, `batchSize` (requests in a batch) and `payloadBytes` (bytes of a body).',
  'x-stability-level': 'is `draft`, `alpha` (experimental), `beta` or `stable`.',
  'x-deprecated-at': 'is the date from which an operation is deprecated.',
  'x-sunset': 'is the date on which a deprecated operation ends.',
  'x-replaced-by':
    'names the replacement of an operation: an operationId, `GET /path`, a method, or a URL.',
  'x-idempotent':
    'declares that repeating a request has no further effect, so clients may retry it.',
  'x-idempotency-key':
    'names the header of the key that clients generate for each call, so that they may retry it.',
  'x-pagination':
    'declares how clients request the next page. `items` and `more` are pointers into a response, `next` sets parameters from it, `page` and `offset` name parameters that count.',
  'x-chain-id': "is the chain id of a server's network.",
  'x-native-currency':
    "contains `name`, `symbol` and `decimals` of the currency of a server's network.",
  'x-name': 'is the name by which a client chooses a server.',
  'x-direction':
    'declares who sends a method: `client`, `server` or `both`. A server sends notifications, and requests that clients respond to.',
  'x-subscription':
    'declares that the result of a method is the id of a subscription: the method that ends it, and the notifications in which the server sends its items.',
  'x-cancel':
    'names the notification that cancels a request, and the place of the id of the request in its params.',
  'x-progress':
    'names the notification of the progress of a request, the places of its token and its value, and the place of the token in the params of a request.',
  'x-additional-params':
    'opens the params by name of a method: `true` for any other params, or the schema of their values.',
  'x-error':
    'is the error of an example in which a method fails: `code`, `message` and, if present, `data`.',
  'x-not-shown': 'describes what the description of the service leaves open.',
  'x-assumption': 'describes what was assumed there, and why. The service does not promise it.',
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
