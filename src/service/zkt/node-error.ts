import { CallError, HttpError, RpcError } from 'twinspec/runtime/errors'
import type { Abi, AbiParameter, Hex } from 'viem'
import { clip } from '../clip.js'
import { isResponseTooLarge, ServiceRejection } from '../node/ask.js'
import {
  gasAllowance,
  isInternal,
  mentionsOutOfGas,
  OutOfGas,
  withoutUrls,
} from '../node/failure.js'
import { selectorOf } from './abi/choose-function.js'
import { RejectedSubmission } from './rejected.js'
import { DecodingError, decodeValues } from './values/values-out.js'

/**
 * The response to an error of the node during a call. It is EXECUTION_REVERTED with the reason if the call itself fails,
 * UNAVAILABLE if the node is the cause. Undefined for an error that is not of the node.
 */
export const errorOfNode = (
  error: unknown,
  abi: Abi,
  what: string,
): RejectedSubmission | undefined => {
  if (!isOfNode(error)) return undefined
  if (error instanceof HttpError && error.status === 413) {
    const message = 'the node takes no transaction of this size'
    return new RejectedSubmission('PAYLOAD_TOO_LARGE', message, { cause: error })
  }
  if (isResponseTooLarge(error)) {
    const message = `${what} returned more than this service reads from the node`
    return new RejectedSubmission('INVALID_BODY', message, { cause: error })
  }
  if (error instanceof ServiceRejection)
    return new RejectedSubmission('UNAVAILABLE', 'the node is busy, try again later', {
      cause: error,
    })
  const reason = error instanceof RpcError ? reasonOf(error, abi) : undefined
  if (reason === undefined)
    return new RejectedSubmission('UNAVAILABLE', 'the node does not answer, try again later', {
      cause: error,
    })
  const details = reason === '' ? {} : { details: reason }
  return new RejectedSubmission('EXECUTION_REVERTED', `the contract reverted ${what}`, {
    cause: error,
    ...details,
  })
}

/** The node returned an error, or did not respond. */
export const isOfNode = (error: unknown): error is CallError | HttpError | RpcError =>
  error instanceof CallError || error instanceof HttpError || error instanceof RpcError

/** The reason why the call failed in the virtual machine, `''` if the node reports none; undefined if the call did not run. */
const reasonOf = (error: RpcError, abi: Abi): string | undefined => {
  const data = revertData(error)
  if (data !== undefined || error.code === REVERTED)
    return revertReason(data ?? '0x', abi) ?? toldReason(error) ?? ''
  if (mentionsOutOfGas(error.message)) {
    const most = error instanceof OutOfGas ? error.allowance : gasAllowance(error.message)
    return most === undefined
      ? 'ran out of gas'
      : `ran out of gas: it takes more than ${most} units`
  }
  const verdict = VERDICTS.find(({ words }) => words.test(error.message))
  const ran = verdict ? verdict.ran : EXECUTION_CODES.has(error.code)
  return ran ? (toldReason(error) ?? wordsOf(error.message)) : undefined
}

const toldReason = ({ message }: RpcError): string | undefined => {
  const reason = REVERT_TEXT.exec(message)?.[1]
  return reason === undefined || isInternal(reason) ? undefined : printable(reason)
}

/** The code for a revert in the successors of EIP-1474: geth, anvil, reth, erigon. */
const REVERTED = 3

/** geth's general server error, EIP-1474's "transaction rejected", and the "VM execution error" of others. */
const EXECUTION_CODES = new Set([-32000, -32003, -32015])

const REVERT_TEXT =
  /^(?:VM Exception[^:]*: |VM execution error: )?(?:execution )?reverted:? ?(.*)$/is

/**
 * Codes differ between nodes. For an invalid opcode, anvil returns -32603, and -32003 if gas is missing. geth returns -32000
 * for both and for its own missing blocks. The first matching row applies.
 */
const VERDICTS: readonly { readonly words: RegExp; readonly ran: boolean }[] = [
  { ran: false, words: /header not found|missing trie|unknown block|not available|pruned/i },
  { ran: false, words: /time[d ]*out|busy|syncing|too many|rate limit|unavailable|nonce/i },
  { ran: true, words: /revert|out of ?gas|gas (required|limit|uint64)|intrinsic gas/i },
  {
    ran: true,
    words: /EVM error|VM execution|opcode|stack ?(over|under)|invalid ?jump|call depth/i,
  },
  { ran: true, words: /(code|contract) ?size|starting ?with|insufficient (funds|balance)/i },
]

const revertData = ({ data }: RpcError): Hex | undefined => {
  const nested = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  if (typeof nested !== 'string') return undefined
  const [hex] = /0x(?:[0-9a-fA-F]{2})*$/.exec(nested) ?? []
  return hex as Hex | undefined
}

/** `EVM error CreateContractSizeLimit` becomes `create contract size limit`; addresses of nodes are omitted. */
const wordsOf = (message: string): string => {
  if (isInternal(withoutUrls(message, '…'))) return ''
  const [, name] = /^EVM error (\w+)$/.exec(message) ?? []
  const text = name === undefined ? message : spaced(name)
  return clip(withoutUrls(text, '…').replace(/\s+/g, ' '), 300)
}

const spaced = (name: string): string =>
  name
    .replace('FEOpcode', 'Opcode')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()

/**
 * The reason of a revert as text. It is the text of `Error(string)`, the explanation of a `Panic(uint256)`, or an error of the
 * ABI with its arguments (`TooLittle(5, "no")`). For other data, it is the bytes. Undefined if there are none.
 */
const revertReason = (data: Hex, abi: Abi): string | undefined => {
  if (data === '0x') return undefined
  const selector = data.slice(0, 10).toLowerCase()
  const rest: Hex = `0x${data.slice(10)}`
  if (selector === ERROR) return solidityErrorText(data) ?? printable(data)
  if (selector === PANIC) return asPanic(rest) ?? printable(data)
  const errors = abi.filter((entry) => entry.type === 'error')
  const entry = errors.find((error) => selectorOf(error) === selector)
  const values = entry && decoded(entry.inputs, rest)
  return printable(entry && values ? `${entry.name}(${values.map(written).join(', ')})` : data)
}

/** The text of `Error(string)`; undefined for any other bytes. */
export const solidityErrorText = (data: Hex): string | undefined => {
  if (data.slice(0, 10).toLowerCase() !== ERROR) return undefined
  const [text] = decoded([{ type: 'string' }], `0x${data.slice(10)}`) ?? []
  return typeof text === 'string' ? printable(text) : undefined
}

/** A contract chooses the text, so it is shortened, and characters that control a terminal or a log are replaced. */
export const printable = (text: string): string =>
  clip(text, MOST).replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '\ufffd')

const MOST = 1000

/** `Error(string)` and `Panic(uint256)`, the two built-in errors of Solidity. */
const ERROR = '0x08c379a0'
const PANIC = '0x4e487b71'

const asPanic = (data: Hex): string | undefined => {
  const [code] = decoded([{ type: 'uint256' }], data) ?? []
  if (typeof code !== 'string') return undefined
  return `panic: ${PANICS[code] ?? 'for no known reason'} (0x${BigInt(code).toString(16).padStart(2, '0')})`
}

/** Solidity documentation, "Panic via assert and Error via require". */
const PANICS: Readonly<Record<string, string>> = {
  0: 'the compiler put it there',
  1: 'an assertion failed',
  17: 'arithmetic overflow or underflow',
  18: 'division or modulo by zero',
  33: 'a number that is no member of an enum',
  34: 'a storage byte array is encoded wrongly',
  49: 'pop of an empty array',
  50: 'an array index is out of bounds',
  65: 'too much memory was allocated',
  81: 'a call of an internal function that was never set',
}

const decoded = (parameters: readonly AbiParameter[], data: Hex): unknown[] | undefined => {
  try {
    return decodeValues(parameters, data)
  } catch (error) {
    if (error instanceof DecodingError) return undefined
    throw error
  }
}

/** Integers are decimal strings here, but are printed without quotes. */
const written = (value: unknown): string => {
  if (typeof value === 'string' && /^(-?\d+|0x[0-9a-fA-F]*)$/.test(value)) return value
  return Array.isArray(value) ? `[${value.map(written).join(', ')}]` : JSON.stringify(value)
}
