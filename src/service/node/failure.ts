import { RpcError } from 'twinspec/runtime/errors'

/**
 * Whether the node reports that it does not have the method. Some nodes and proxies use another code with the same words. The
 * words must begin the message, because a contract that reverts may put them further on.
 */
export const isMissingMethod = ({ code, message }: RpcError): boolean =>
  code === MISSING_METHOD || WORDS.test(message)

/** JSON-RPC 2.0, 5.1 */
export const MISSING_METHOD = -32601

const WORDS =
  /^(the |this )?(rpc )?method .*(not found|not supported|does not exist|not available)|^(unsupported|unknown) method/i

/*
 * The messages of nodes for a call that ran out of gas. Their codes differ and also mean other errors, so the texts decide:
 * `gas required exceeds allowance (N)` and `out of gas` of geth, `Out of gas: gas required exceeds allowance: N` and
 * `EVM error OutOfGas` of anvil.
 */

/** Whether a message begins with such a text. A contract that reverts may put it further on. */
export const isOutOfGas = (message: string): boolean =>
  /^(EVM error )?out ?of ?gas\b|^gas required exceeds allowance/i.test(message)

/** Whether a message contains such a text: for errors that cannot come from a contract. */
export const mentionsOutOfGas = (message: string): boolean =>
  /out ?of ?gas|gas required exceeds/i.test(message)

/** The allowed units of gas, if the message contains them. */
export const gasAllowance = (message: string): string | undefined =>
  /gas required exceeds allowance\D*(\d+)/i.exec(message)?.[1]

/** A call ran out of the gas that this service allowed, which the node does not report. */
export class OutOfGas extends RpcError {
  readonly allowance: number

  constructor({ code, method }: RpcError, allowance: number, options: ErrorOptions) {
    const message = `out of gas: gas required exceeds allowance (${allowance})`
    super({ code, message, ...(method && { method }) }, options)
    this.allowance = allowance
  }
}

/**
 * Whether a text of the node contains internal details: a file, a place in its source, a stack, an address of a machine. Such a
 * text is only for the operator. It does not affect the code and the revert data of the error.
 */
export const isInternal = (text: string): boolean => INTERNAL.some((pattern) => pattern.test(text))

const INTERNAL: readonly RegExp[] = [
  // /var/lib/node, ~/.ethereum/geth, C:\node\data
  /(?:^|[\s"'`(=:,[<])(?:~|\.{1,2})?(?:\/[\w.@+-]+){2,}/,
  /\b[a-z]:\\\w/i,
  // backend.go:120, src/eth/api.rs:55:9
  /\b[\w-]+\.(?:rs|go|[cm]?[jt]sx?|py|java|kt|cc|cpp|cs|nim):\d+/,
  /\bpanicked at\b|\bgoroutine \d+|(?:^|\s)at \S+ \(\S+\)/,
  // http://10.0.0.7:8545, 10.0.0.7, localhost:8545, node.internal:8545
  /\b[a-z][a-z0-9+.-]*:\/\/\S/i,
  /\b(?:\d{1,3}\.){3}\d{1,3}\b/,
  /\blocalhost:\d+|\b(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*:\d+\b/i,
]

/** The data of an error without internal texts and stacks; undefined if nothing remains. Hexadecimal data of a revert stays. */
export const publicData = (data: unknown, depth = 0): unknown => {
  if (typeof data === 'string') return isInternal(data) ? undefined : data
  if (typeof data !== 'object' || data === null) return data
  if (depth === DEEPEST) return undefined
  if (Array.isArray(data)) return data.map((item) => publicData(item, depth + 1) ?? null)
  const kept = Object.entries(data).flatMap(([key, value]) => {
    const said = key === 'stack' ? undefined : publicData(value, depth + 1)
    return said === undefined ? [] : [[key, said] as const]
  })
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/** Data of an error is an object of few levels. */
const DEEPEST = 8
