import { callText } from '../wire/write-rpc.js'
import { refused } from './due.js'
import { statusWay } from './reply.js'
import type { Row } from './row.js'
import { rpcOperations, type Subject } from './subject.js'

const NOT_FOUND = refused(-32601)

/** The name in the other case, where that is not the name of a method as well. */
const inOtherCase = ({ api, method, params, unknown }: Subject): string | undefined => {
  const known = new Set(rpcOperations(api).map((one) => one.method))
  const first = method === unknown ? [...known][0] : method
  const other = [first?.toUpperCase(), first?.toLowerCase()].find(
    (name) => name !== undefined && name !== first && !known.has(name),
  )
  return other === undefined ? undefined : callText(other, params)
}

/** Names that no method has. */
export const METHODS: readonly Row[] = [
  {
    id: 'unknown-method-accepted',
    level: 'error',
    purpose: 'A method that does not exist is reported as such.',
    clause: 'JSON-RPC 2.0, 5.1',
    checks: ['J45', 'J92'],
    tries: [
      {
        title: 'an unknown method',
        body: ({ unknown }) => callText(unknown, []),
        due: NOT_FOUND,
        choice: 'status of error -32601',
        way: statusWay(-32601),
        times: 2,
      },
    ],
  },
  {
    id: 'reserved-method-accepted',
    level: 'error',
    purpose: 'Names that begin with rpc. are reserved: what is not implemented does not exist.',
    clause: 'JSON-RPC 2.0, 8',
    checks: ['J46'],
    tries: [
      { title: 'the reserved name rpc.nope', body: () => callText('rpc.nope', []), due: NOT_FOUND },
    ],
  },
  {
    id: 'method-name-not-case-sensitive',
    level: 'error',
    purpose: 'A method has one name, to the letter.',
    clause: 'JSON-RPC 2.0, 4 and 5.1',
    checks: ['J48'],
    tries: [
      { title: 'a method in the other case', body: inOtherCase, due: NOT_FOUND },
      {
        title: 'a method with a blank before its name',
        body: ({ method, params }) => callText(` ${method}`, params),
        due: NOT_FOUND,
      },
      {
        title: 'a method with a blank after its name',
        body: ({ method, params }) => callText(`${method} `, params),
        due: NOT_FOUND,
      },
    ],
  },
]
