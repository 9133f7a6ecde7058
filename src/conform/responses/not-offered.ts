import type { RpcOperation } from '../../model/api.js'
import type { ReceivedResponse } from '../../traffic/exchange.js'
import { errorOf, type RpcErrorBody } from './read.js'

/**
 * Whether an error means that the server does not have a method, in the words of real nodes. If the method declares the code,
 * its document defines the meaning, except for -32601.
 */
export const isNotOffered = (
  { method, errors }: Pick<RpcOperation, 'method' | 'errors'>,
  { code, message }: RpcErrorBody,
): boolean => {
  if (code === METHOD_NOT_FOUND) return true
  if (errors.some((one) => one.code === code)) return false
  if (code === METHOD_NOT_SUPPORTED) return true
  const text = message.trim().toLowerCase()
  const name = method.toLowerCase()
  return NODE_TEXTS.some(({ pattern }) => {
    const [found, named = name] = pattern.exec(text) ?? []
    return found !== undefined && named === name
  })
}

/** Whether a response to a call means this: by its error, or without one by its status. */
export const isResponseOfNoOffer = (
  operation: Pick<RpcOperation, 'method' | 'errors'>,
  answer: ReceivedResponse,
): boolean => {
  const error = errorOf(answer)
  return error ? isNotOffered(operation, error) : isStatusOfNoOffer(answer.status)
}

/** Whether a status means that an operation does not exist, not with this method, or is not implemented. */
export const isStatusOfNoOffer = (status: number): boolean => NO_OFFER.has(status)

/** JSON-RPC 2.0, 5.1. */
const METHOD_NOT_FOUND = -32601

/** EIP-1474, Error codes. */
const METHOD_NOT_SUPPORTED = -32004

/** RFC 9110, 15.6.2: the status of the `notOffered` handlers in a generated server. */
export const NOT_IMPLEMENTED = 501

/** RFC 9110, 15.5.5, 15.5.6 and 15.6.2. */
const NO_OFFER: ReadonlySet<number> = new Set([404, 405, NOT_IMPLEMENTED])

/** The lowercase messages of nodes that use another code. A group captures the name of the method. */
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
