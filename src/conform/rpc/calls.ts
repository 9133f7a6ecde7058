import type { RpcOperation } from '../../model/api.js'
import { rpcOperations } from '../../model/operations.js'
import type { Checker } from '../../schema/check.js'
import { callText } from '../wire/write-request.js'
import {
  answered,
  anyOfExpectations,
  type Expectation,
  errorWith,
  noBody,
  silence,
} from './expectation.js'
import { type JsonRpcResponse, statusWay, wayOf } from './json-rpc-response.js'
import type { Row } from './row.js'
import { isAbsence, isReading, type RpcSubject } from './subject.js'

const NOT_FOUND = errorWith(-32601)

/** A call of the name in the other case, unless that is also the name of a method. */
const inOtherCase = ({ api, method, params, unknown }: RpcSubject): string | undefined => {
  const known = new Set(rpcOperations(api).map((one) => one.method))
  const first = method === unknown ? [...known][0] : method
  const other = [first?.toUpperCase(), first?.toLowerCase()].find(
    (name) => name !== undefined && name !== first && !known.has(name),
  )
  return other === undefined ? undefined : callText(other, params)
}

/** Names that no method has. */
export const UNKNOWN_METHOD_RULES: readonly Row[] = [
  {
    id: 'unknown-method-accepted',
    level: 'error',
    purpose: 'A call to a method that does not exist is rejected with -32601.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J45', 'J92'],
    attempts: [
      {
        title: 'an unknown method',
        body: ({ unknown }) => callText(unknown, []),
        expected: NOT_FOUND,
        choice: 'status of error -32601',
        way: statusWay(-32601),
        times: 2,
      },
    ],
  },
  {
    id: 'reserved-method-accepted',
    level: 'error',
    purpose:
      'Method names that begin with rpc. are reserved: a server rejects those that it does not implement.',
    clause: 'JSON-RPC 2.0, 8',
    checks: ['J46'],
    attempts: [
      {
        title: 'the reserved name rpc.nope',
        body: () => callText('rpc.nope', []),
        expected: NOT_FOUND,
      },
    ],
  },
  {
    id: 'method-name-not-case-sensitive',
    level: 'error',
    purpose: 'Method names are case-sensitive.',
    clause: 'JSON-RPC 2.0, 4 and 5.1',
    checks: ['J48'],
    attempts: [
      { title: 'a method in the other case', body: inOtherCase, expected: NOT_FOUND },
      {
        title: 'a method with a blank before its name',
        body: ({ method, params }) => callText(` ${method}`, params),
        expected: NOT_FOUND,
      },
      {
        title: 'a method with a blank after its name',
        body: ({ method, params }) => callText(`${method} `, params),
        expected: NOT_FOUND,
      },
    ],
  },
]

/** Values in params that JSON parsers may not represent, and extra params. */
export const PARAMS: readonly Row[] = [
  {
    id: 'extra-params-server-error',
    level: 'warning',
    purpose: 'Params that the method does not declare are rejected or ignored.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J50'],
    attempts: [
      {
        title: 'a call with params too many',
        body: (on) => {
          const operation = rpcOperations(on.api).find(({ method }) => method === on.method)
          // If params are optional, a null in their place is a separate error.
          if (operation && operation.params.length > 0) return undefined
          return callText(on.method, Array.isArray(on.params) ? [1, 2, 3] : { x: 1, y: 2, z: 3 })
        },
        cannot: 'no method without params returns a result here',
        expected: anyOfExpectations(answered(), errorWith(-32602)),
        choice: 'extra params',
      },
    ],
  },
  {
    id: 'unrepresentable-value-accepted',
    level: 'warning',
    purpose:
      'An unpaired surrogate, or a number too large to represent, is rejected unless the schema allows it.',
    clause: 'RFC 8259, 6 and 8.2',
    checks: ['J11', 'J15'],
    attempts: [
      { title: 'half a surrogate pair in params', text: '"\\ud800"', value: '\ud800' },
      { title: 'the number 1e400 in params', text: '1e400', value: Number.MAX_VALUE },
      {
        title: 'the number 10^400 in params',
        text: `1${'0'.repeat(400)}`,
        value: Number.MAX_VALUE,
      },
    ].map(({ title, text, value }) => ({
      title,
      body: (on: RpcSubject) => withFirstParam(on, text, value),
      cannot: 'no documented read-only method has a first param whose schema rejects it',
      expected: besideAbsence(errorWith(-32602, -32700, -32600)),
      isRaw: true as const,
    })),
  },
]

/** The example of a method whose first param rejects this value, with this text in its place. */
const withFirstParam = (
  { api, checker }: RpcSubject,
  text: string,
  value: unknown,
): string | undefined => {
  for (const operation of rpcOperations(api)) {
    if (!isReading(operation) || operation.errors.some(isAbsence)) continue
    if (operation.paramStructure === 'by-name') continue
    if (!rejects(checker, operation, value)) continue
    const example = operation.examples.find(({ outcome }) => outcome.kind === 'result')
    if (!example || example.params.length === 0) continue
    const rest = example.params.slice(1).map((param) => JSON.stringify(param))
    return callText(operation.method, []).replace('[]', () => `[${[text, ...rest].join(',')}]`)
  }
  return undefined
}

const rejects = (checker: Checker, { params }: RpcOperation, value: unknown): boolean => {
  const [first] = params
  return first?.required === true && !checker.schema(first.schema).check(value)
}

/** Accepts a missing method, because another rule reports it. */
function besideAbsence(expected: Expectation): Expectation {
  const absent = errorWith(-32601)
  return {
    ...expected,
    fault: (response, exchange) =>
      absent.fault(response, exchange) === undefined
        ? undefined
        : expected.fault(response, exchange),
  }
}

/**
 * Notifications of methods that only read. The check `notification-answered` of every response reports those that get a
 * response.
 */
export const NOTIFICATIONS: readonly Row[] = [
  {
    id: 'notification-rejected',
    level: 'error',
    purpose:
      'A notification is accepted without a JSON-RPC response, and with an HTTP success status.',
    clause: 'JSON-RPC 2.0, 4.1 and 6',
    checks: ['J70', 'J71', 'J78'],
    attempts: [
      {
        title: 'a notification',
        body: (on) => on.call(null),
        expected: silence,
        choice: 'answer to a notification',
        way: silentWay,
      },
      {
        title: 'a notification of an unknown method',
        body: ({ unknown }) => callText(unknown, [], null),
        expected: noBody,
        choice: 'answer to a faulty notification',
      },
      {
        title: 'a notification with the wrong params',
        body: wrongNotification,
        expected: noBody,
        choice: 'answer to a faulty notification',
        cannot: 'no documented read-only method requires params',
      },
      {
        title: 'a batch of notifications',
        body: (on) => `[${on.call(null)},${on.call(null)}]`,
        expected: silence,
        cost: 2,
      },
    ],
  },
]

function wrongNotification({ api }: RpcSubject): string | undefined {
  const found = rpcOperations(api).find(
    (one) => isReading(one) && one.params.some(({ required }) => required),
  )
  return found && callText(found.method, found.paramStructure === 'by-name' ? {} : [], null)
}

function silentWay(response: JsonRpcResponse): string {
  return response.kind === 'empty' ? `nothing, under HTTP ${response.status}` : wayOf(response)
}
