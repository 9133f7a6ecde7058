import type { RpcOperation } from '../../model/api.js'
import type { Checker } from '../../schema/check.js'
import { callText } from '../wire/write-rpc.js'
import { answered, type Due, oneOf, refused } from './due.js'
import type { Row } from './row.js'
import { isAbsence, isReading, rpcOperations, type Subject } from './subject.js'

/** Values in the text of params that a JSON reader may stumble over, and params that there are too many of. */
export const PARAMS: readonly Row[] = [
  {
    id: 'extra-params-server-error',
    level: 'warning',
    purpose: 'Params beyond those of the method are rejected, or passed over.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J50'],
    tries: [
      {
        title: 'a call with params too many',
        body: (on) => {
          const operation = rpcOperations(on.api).find(({ method }) => method === on.method)
          // Where params are optional, a null in their place is a fault of its own.
          if (operation && operation.params.length > 0) return undefined
          return callText(on.method, Array.isArray(on.params) ? [1, 2, 3] : { x: 1, y: 2, z: 3 })
        },
        cannot: 'no method that answers here is without params',
        due: oneOf(answered(), refused(-32602)),
        choice: 'extra params',
      },
    ],
  },
  {
    id: 'unrepresentable-value-accepted',
    level: 'warning',
    purpose:
      'Half a surrogate pair and a number beyond all bounds fit no schema that does not take them.',
    clause: 'RFC 8259, 6 and 8.2',
    checks: ['J11', 'J15'],
    tries: [
      { title: 'half a surrogate pair in params', text: '"\\ud800"', value: '\ud800' },
      { title: 'the number 1e400 in params', text: '1e400', value: Number.MAX_VALUE },
      {
        title: 'the number 10^400 in params',
        text: `1${'0'.repeat(400)}`,
        value: Number.MAX_VALUE,
      },
    ].map(({ title, text, value }) => ({
      title,
      body: (on: Subject) => withFirstParam(on, text, value),
      cannot: 'no documented method that only reads has a first param that would refuse it',
      due: besideAbsence(refused(-32602, -32700, -32600)),
      isRaw: true as const,
    })),
  },
]

/** The example of a method whose first param does not fit this value, with its text in that place. */
const withFirstParam = (
  { api, checker }: Subject,
  text: string,
  value: unknown,
): string | undefined => {
  for (const operation of rpcOperations(api)) {
    if (!isReading(operation) || operation.errors.some(isAbsence)) continue
    if (operation.paramStructure === 'by-name') continue
    if (!refuses(checker, operation, value)) continue
    const example = operation.examples.find(({ outcome }) => outcome.kind === 'result')
    if (!example || example.params.length === 0) continue
    const rest = example.params.slice(1).map((param) => JSON.stringify(param))
    return callText(operation.method, []).replace('[]', () => `[${[text, ...rest].join(',')}]`)
  }
  return undefined
}

const refuses = (checker: Checker, { params }: RpcOperation, value: unknown): boolean => {
  const [first] = params
  return first?.required === true && !checker.schema(first.schema).check(value)
}

/** That the method is missing is another rule's affair. */
function besideAbsence(due: Due): Due {
  const absent = refused(-32601)
  return {
    ...due,
    fault: (reply, exchange) =>
      absent.fault(reply, exchange) === undefined ? undefined : due.fault(reply, exchange),
  }
}
