import type { RpcOperation } from '../../model/api.js'
import type { Answer } from '../wire/exchange.js'
import { errorOf, type RpcError } from './read.js'

/**
 * Whether an error says that the server does not have a method, as real nodes say it. A code that the method declares means what
 * its document says, but for -32601.
 */
export const isNotOffered = (
  { method, errors }: Pick<RpcOperation, 'method' | 'errors'>,
  { code, message }: RpcError,
): boolean => {
  if (code === METHOD_NOT_FOUND) return true
  if (errors.some((one) => one.code === code)) return false
  if (code === METHOD_NOT_SUPPORTED) return true
  const said = message.trim().toLowerCase()
  const name = method.toLowerCase()
  return NODE_TEXTS.some(({ pattern }) => {
    const [found, named = name] = pattern.exec(said) ?? []
    return found !== undefined && named === name
  })
}

/** Whether a response to a call says so: by its error, or without one by its status. */
export const isResponseOfNoOffer = (
  operation: Pick<RpcOperation, 'method' | 'errors'>,
  answer: Answer,
): boolean => {
  const error = errorOf(answer)
  return error ? isNotOffered(operation, error) : isStatusOfNoOffer(answer.status)
}

/** Whether a status says the same of an operation: it is not there, or not with this method, or not implemented. */
export const isStatusOfNoOffer = (status: number): boolean => NO_OFFER.has(status)

/** JSON-RPC 2.0, 5.1. */
const METHOD_NOT_FOUND = -32601

/** EIP-1474, Error codes. */
const METHOD_NOT_SUPPORTED = -32004

/** RFC 9110, 15.6.2: what the handlers of `notOffered` in a generated server answer. */
export const NOT_IMPLEMENTED = 501

/** RFC 9110, 15.5.5, 15.5.6 and 15.6.2. */
const NO_OFFER: ReadonlySet<number> = new Set([404, 405, NOT_IMPLEMENTED])

/** The sentences of nodes that use another code, in lower case. A group holds the name of the method. */
const NODE_TEXTS: readonly { readonly pattern: RegExp; readonly source: string }[] = [
  {
    pattern: /^the method "?(\w+)"? does not exist ?\/ ?is not available/,
    source: 'geth, rpc/errors.go, methodNotFoundError; Ganache and Rootstock use it too',
  },
  {
    pattern: /^method "?(\w+)"? (?:is )?not (?:supported|implemented)/,
    source: 'Hardhat Network, MethodNotSupportedError; Ganache',
  },
  { pattern: /^method "?(\w+)"? not found/, source: 'Hardhat Network, MethodNotFoundError' },
  { pattern: /^(?:the )?method not found\b/, source: 'the message of JSON-RPC 2.0, 5.1' },
  { pattern: /^unsupported method:? "?(\w+)"?/, source: 'Alchemy and other gateways' },
]
