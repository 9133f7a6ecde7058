import { RpcError } from 'twinspec/runtime/errors'
import { clip } from '../clip.js'

/**
 * An error of the node with a short message. A contract chooses the reason of a revert, and nodes copy it into their messages:
 * a call of 264 bytes can cause a message of a megabyte.
 */
export const withShortMessage = (error: RpcError): RpcError => {
  const { code, message, data, method, cause } = error
  if (message.length <= MOST_OF_NODE) return error
  return new RpcError(
    { code, message: clip(message, MOST_OF_NODE), data, ...(method && { method }) },
    cause === undefined ? {} : { cause },
  )
}

/** The maximum length of a message of a node, in characters. */
export const MOST_OF_NODE = 2_000

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
  /gas required exceeds allowance\D{0,3}(\d+)/i.exec(message)?.[1]

/** A call ran out of the gas that this service allowed, which the node does not report. */
export class OutOfGas extends RpcError {
  readonly allowance: number

  constructor({ code, method }: RpcError, allowance: number, options: ErrorOptions) {
    const message = `out of gas: gas required exceeds allowance (${allowance})`
    super({ code, message, ...(method && { method }) }, options)
    this.allowance = allowance
  }
}

/** A text of the node with `word` in place of each URL. */
export const withoutUrls = (text: string, word: string): string =>
  text.replaceAll(/[a-z0-9+.-]+(?::\/\/\S+)?/gi, (part) => (part.includes('://') ? word : part))

/** The same, also for each address of a machine. */
export const withoutAddresses = (text: string, word: string): string =>
  withoutUrls(text, word)
    .replaceAll(/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g, word)
    .replaceAll(/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?/gi, (part) =>
      MACHINE.test(part) ? word : part,
    )

/** localhost, localhost:8545, node.internal:8545 */
const MACHINE = /^localhost(?::\d+)?$|\.[a-z][a-z0-9-]*:\d+$/i

/**
 * Whether a text of the node contains internal details: a file, a place in its source, a stack, an address of a machine. Such a
 * text is only for the operator. It does not affect the code and the revert data of the error. No pattern begins with a
 * repetition: it would be tried at each character of a long text.
 */
export const isInternal = (text: string): boolean => INTERNAL.some((pattern) => pattern.test(text))

const INTERNAL: readonly RegExp[] = [
  // /var/lib/node, ~/.ethereum/geth, C:\node\data
  /(?:^|[\s"'`(=:,[<])(?:~|\.{1,2})?(?:\/[\w.@+-]+){2,}/,
  /\b[a-z]:\\\w/i,
  // backend.go:120, src/eth/api.rs:55:9
  /[\w-]\.(?:rs|go|[cm]?[jt]sx?|py|java|kt|cc|cpp|cs|nim):\d/,
  /\bpanicked at\b|\bgoroutine \d|(?:^|\s)at \S+ \(\S+\)/,
  // http://10.0.0.7:8545, 10.0.0.7, localhost:8545, node.internal:8545
  /[a-z0-9+.-]:\/\/\S/i,
  /\b(?:\d{1,3}\.){3}\d{1,3}\b/,
  /\blocalhost:\d|[a-z0-9-]\.[a-z][a-z0-9-]*:\d+\b/i,
]

/** The data of an error without internal texts and stacks; undefined if nothing remains. Hexadecimal data of a revert stays. */
export const publicData = (data: unknown, depth = 0): unknown => {
  if (typeof data === 'string') {
    if (REVERT_DATA.test(data)) return data
    const text = clip(data, MOST_OF_NODE)
    return isInternal(text) ? undefined : text
  }
  if (typeof data !== 'object' || data === null) return data
  if (depth === DEEPEST) return undefined
  if (Array.isArray(data)) return data.map((item) => publicData(item, depth + 1) ?? null)
  const kept = Object.entries(data).flatMap(([key, value]) => {
    const shown = key === 'stack' ? undefined : publicData(value, depth + 1)
    return shown === undefined ? [] : [[key, shown] as const]
  })
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/** Parity and Nethermind write a word before the bytes. */
const REVERT_DATA = /^(?:reverted )?0x[\da-f]*$/i

/** Data of an error is an object of few levels. */
const DEEPEST = 8
