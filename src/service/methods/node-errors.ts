import { CallError, HttpError, RpcError } from 'twinspec/runtime/errors'
import type { RpcOperation } from 'twinspec/runtime/operation'
import { isHex } from 'viem'
import { ServiceRejection } from '../node/ask.js'
import {
  gasAllowance,
  isInternal,
  isMissingMethod,
  isOutOfGas,
  MISSING_METHOD,
  publicData,
} from '../node/failure.js'
import { printable, solidityErrorText } from '../zkt/node-error.js'

/**
 * The response to an error of a node: a code that the method declares, or one of JSON-RPC's own, with the node's data. The
 * message is geth's, even if another node has its own; geth's errors are unchanged. The reason of a revert comes from its data,
 * because nodes copy any bytes of a contract into their messages.
 */
const rejectionOf = (error: RpcError, operation: RpcOperation): RpcError => {
  if (error instanceof ServiceRejection) return error
  if (isMissingMethod(error)) return notAvailable(operation)
  if (error.code === LIMITED) return rejection(error, LIMITED, 'rate limit exceeded')
  if (isBeyondAnyChain(error.message))
    return rejection(error, INVALID, 'block number larger than int64')
  if (isOutOfGas(error.message) && declares(operation, OUT_OF_GAS))
    return rejection(error, OUT_OF_GAS, outOfGasWords(error.message))
  const rule = RULES.find(
    ({ codes, words, methods }) =>
      codes.includes(error.code) && words.test(error.message) && methods(operation),
  )
  if (rule !== undefined)
    return rejection(error, rule.code, rule.say?.(error.message, operation) ?? plain(error.message))
  // Some nodes use this code for every call that ends early.
  const isOther = error.code === OUT_OF_GAS
  if ((declares(operation, error.code) && !isOther) || GENERAL.includes(error.code))
    return rejection(error, error.code, wordsOf(error))
  return rejection(
    error,
    (isServerError(error.code) || error.code === REVERTED) && declares(operation, FAILED)
      ? FAILED
      : INTERNAL,
    wordsOf(error),
  )
}

/** Whether the node does not have the requested block. This differs from the document's "not kept". */
export const isUnknownBlock = (error: unknown, operation: RpcOperation): boolean =>
  error instanceof RpcError &&
  ((error.code === NOT_FOUND && !declares(operation, NOT_FOUND)) ||
    (OUT_OF_RANGE.test(error.message) && !isBeyondAnyChain(error.message)))

/** The error for a method that the node lacks, or that the service does not offer. */
export const notAvailable = ({ method, errors }: RpcOperation): RpcError => {
  const declared = errors.find(({ code }) => code === MISSING_METHOD)?.message
  return new RpcError({ code: MISSING_METHOD, message: declared ?? 'method not found', method })
}

/** geth's code, which all other nodes use too. */
const REVERTED = 3
const INVALID = -32602
const INTERNAL = -32603
const FAILED = -32000
const NOT_FOUND = -32001
/** Used by Nethermind and others: clients read geth's -32000 as invalid params. */
const OUT_OF_GAS = -32015
const REJECTED = -32003
const LIMITED = -32005

const GENERAL = [MISSING_METHOD, INVALID, INTERNAL]

/** JSON-RPC 2.0, 5.1: codes that a server defines. */
const isServerError = (code: number): boolean => code <= -32000 && code >= -32099

const declares = ({ errors }: RpcOperation, code: number): boolean =>
  errors.some((error) => error.code === code)

const rejection = (error: RpcError, code: number, message: string): RpcError => {
  const { data, method } = error
  return new RpcError(
    { code, message, data: publicData(data), ...(method && { method }) },
    // For the log of the operator, with the omitted parts.
    { cause: error },
  )
}

const wordsOf = ({ code, message, data }: RpcError): string => {
  if (code !== REVERTED || !isHex(data) || PANIC.test(data)) return plain(message)
  const reason = solidityErrorText(data)
  return reason ? `execution reverted: ${reason}` : 'execution reverted'
}

/** `Panic(uint256)`: a contract cannot choose the text of its number. */
const PANIC = /^0x4e487b710{62}[\da-f]{2}$/i

/** The first line: the next lines of some nodes are stack frames. A line with internal details is replaced. */
const plain = (message: string): string => {
  const line = message.split(/\r?\n/, 1)[0]?.slice(0, 500) ?? ''
  if (!isInternal(line)) return printable(line)
  return REVERT.test(line) ? 'execution reverted' : 'the node failed'
}

const REVERT = /^execution reverted\b/i

const outOfGasWords = (message: string): string => {
  const most = gasAllowance(message)
  return most === undefined ? 'out of gas' : `out of gas: gas required exceeds allowance (${most})`
}

const OUT_OF_RANGE = /^BlockOutOfRangeError/

/** Geth reports these errors when it parses the params. */
const isBeyondAnyChain = (message: string): boolean => {
  const [, asked = '0'] = /^BlockOutOfRangeError.* requested was (\d+)/.exec(message) ?? []
  return BigInt(asked) >= 2n ** 63n
}

/** `EVM error StackUnderflow` as geth writes it. */
const evmWords = (message: string): string => {
  const name = message.replace(EVM_ERROR, '').trim()
  return EVM_WORDS[name] ?? name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}

/** anvil's text for the reason that ends a call; its code is that of any internal error. */
export const EVM_ERROR = /^EVM error /

const EVM_WORDS: Readonly<Record<string, string>> = {
  CreateContractSizeLimit: 'max code size exceeded',
  CreateInitCodeSizeLimit: 'max initcode size exceeded',
  InvalidFEOpcode: 'invalid opcode: INVALID',
  InvalidJump: 'invalid jump destination',
  OpcodeNotFound: 'invalid opcode',
  OutOfFunds: 'insufficient balance for transfer',
  OutOfOffset: 'return data out of bounds',
  StateChangeDuringStaticCall: 'write protection',
}

type Rule = {
  readonly codes: readonly number[]
  readonly words: RegExp
  readonly methods: (operation: RpcOperation) => boolean
  readonly code: number
  readonly say?: (message: string, operation: RpcOperation) => string
}

const only =
  (...methods: readonly string[]) =>
  ({ method }: RpcOperation): boolean =>
    methods.includes(method)
const allButSimulations = (operation: RpcOperation): boolean =>
  operation.method !== 'eth_simulateV1' && declares(operation, FAILED)
const simulations = only('eth_simulateV1')

const INTRINSIC = /^intrinsic gas too (low|high -- CallGasCostMoreThanGasLimit)/i

/** A simulation has codes for errors that other methods distinguish only by message. */
const simulated = (code: number, words: RegExp): Rule => ({
  codes: [FAILED, REJECTED],
  words,
  methods: simulations,
  code,
  say: geth,
})

const geth = (message: string): string =>
  GETH_WORDS.find(([words]) => words.test(message))?.[1] ?? plain(message)

const GETH_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^insufficient funds for gas \* price \+ value$/i, 'insufficient funds for gas * price + value'],
  [/^transaction already imported$/i, 'already known'],
  [INTRINSIC, 'intrinsic gas too low'],
]

/** Measured on anvil 1.7.1; geth uses none of these codes with these texts. The first matching row applies. */
const RULES: readonly Rule[] = [
  {
    codes: [INVALID],
    words: OUT_OF_RANGE,
    methods: only('eth_getLogs', 'eth_newFilter'),
    code: INVALID,
    say: () => 'block range extends beyond current head block',
  },
  {
    codes: [INVALID],
    words: OUT_OF_RANGE,
    methods: (operation) => declares(operation, FAILED),
    code: FAILED,
    say: missingBlock,
  },
  {
    codes: [NOT_FOUND],
    words: /^resource not found/i,
    methods: (operation) => declares(operation, FAILED) && !declares(operation, NOT_FOUND),
    code: FAILED,
    say: missingBlock,
  },
  // A tracer that the node does not have is read as a program in JavaScript.
  {
    codes: [INTERNAL],
    words: /^failed to evaluate JS code/,
    methods: ({ method }) => method.startsWith('debug_trace'),
    code: INVALID,
  },
  {
    codes: [INTERNAL],
    words: EVM_ERROR,
    methods: allButSimulations,
    code: FAILED,
    say: evmWords,
  },
  simulated(-38014, /insufficient funds/i),
  simulated(-38010, /nonce too low/i),
  simulated(-38011, /nonce too high/i),
  simulated(-38012, /less than block base ?fee/i),
  simulated(-38013, INTRINSIC),
  simulated(-38015, /block gas limit/i),
  {
    codes: [FAILED, REJECTED],
    words: INTRINSIC,
    methods: allButSimulations,
    code: FAILED,
    say: geth,
  },
  { codes: [REJECTED], words: /./, methods: allButSimulations, code: FAILED, say: geth },
]

/** `block not found` if the document has these words, else geth's. */
function missingBlock(_: string, { errors }: RpcOperation): string {
  const declared = errors.find(({ code }) => code === FAILED)?.message ?? ''
  return /^(block|header) not found$/.test(declared) ? declared : 'header not found'
}

/** The response to an error of a call to the node; every other error is returned unchanged. */
export const asResponse = (error: unknown, operation: RpcOperation): unknown => {
  if (error instanceof RpcError) return rejectionOf(error, operation)
  if (error instanceof CallError || error instanceof HttpError) return unanswered(error, operation)
  return error
}

/**
 * The response if the node sent none, or an unreadable one. It omits the address and the error of the
 * node, which are only for the operator.
 */
const unanswered = (
  error: CallError | HttpError,
  { method, errors }: Pick<RpcOperation, 'method' | 'errors'>,
): RpcError => {
  const says = (code: number, message: string): RpcError =>
    new RpcError({ code, message, method }, { cause: error })
  if (error instanceof HttpError) {
    if (error.status === 429) return says(-32005, 'rate limit exceeded')
    if (error.status === 413) return says(-32602, 'the node takes no request of this size')
    return says(-32603, 'the node does not answer')
  }
  if (error.reason === 'invalid-input')
    return says(-32602, 'the params cannot be passed on: they are too large or nested too deeply')
  if (error.reason === 'timeout' && errors.some(({ code }) => code === TOOK_TOO_LONG))
    return says(TOOK_TOO_LONG, 'the simulation took too long')
  return says(-32603, MESSAGES[error.reason] ?? 'the node does not answer')
}

/** Only simulations have a code for it. */
const TOOK_TOO_LONG = -32016

const MESSAGES: Partial<Record<CallError['reason'], string>> = {
  timeout: 'the node did not answer in time',
  aborted: 'the caller has gone',
  'malformed-answer': 'the answer of the node could not be read',
  'unmatched-answer': 'the answer of the node could not be read',
}
