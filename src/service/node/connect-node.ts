import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { RpcOperation } from 'twinspec/runtime/operation'
import { isRpcError } from 'twinspec/runtime/rpc'
import type { Hex } from 'viem'
import { rpcService } from '../../../generated/operations.js'
import { clip } from '../clip.js'
import type { Settings } from '../setting-rows.js'
import { UsageError } from '../usage-error.js'
import { isMissingMethod, MISSING_METHOD } from './failure.js'
import { createKeptFetch } from './kept-fetch.js'
import { type ChainNode, createNode, type NodeOptions } from './node.js'

/**
 * Connects to the node at `url`, and waits for one that is still starting. Rejects with a UsageError if it does not respond
 * within `patience` milliseconds, or if its chain is another one. A base fee causes only a warning: the node can be read, and
 * usually the fee falls to 0 when there are few transactions.
 */
export const connectNode = async (options: ConnectOptions): Promise<ConnectedNode> => {
  const { url, settings, log, signal, patience = 20_000 } = options
  const { chainId, nodeSeconds, upstream } = settings
  const node = createNode({
    ...addressOf(url),
    chainId,
    timeout: nodeSeconds * 1_000,
    ...(upstream === undefined && { mostEstimated: MOST_ESTIMATED }),
  })
  // A node that is starting may respond to one request and not to the next: all of them are repeated.
  const ask = async (signal: AbortSignal): Promise<ConnectedNode> => {
    const rpc = node.rpc.with({ signal })
    const identity = await node.identity({ signal })
    if (identity.chainId !== chainId) {
      throw new UsageError(
        `the node behind is of chain ${identity.chainId}, not ${chainId}: give --upstream another node, or --chain-id ${identity.chainId}`,
      )
    }
    const lacking = await probe({ ...node, rpc })
    const baseFee = upstream === undefined ? 0n : await baseFeeOf(rpc)
    if (baseFee > 0n) log.warn({ wei: String(baseFee) }, BASE_FEE)
    return { node, genesis: identity.genesis, lacking }
  }
  return untilItAnswers(ask, patience, signal, (reason) =>
    log.info({ reason }, 'waiting for the node behind'),
  )
}

const BASE_FEE =
  'the node behind asks a base fee, and nothing that is signed here pays one: reading works, and it will refuse what is written until the fee is 0 (of anvil: --gas-price 0 --block-base-fee-per-gas 0)'

/** Wei per unit of gas; 0 if the node reports none. */
const baseFeeOf = async (rpc: ChainNode['rpc']): Promise<bigint> => {
  const block = await rpc.ethGetBlockByNumber('latest', false)
  return BigInt(block?.baseFeePerGas ?? 0)
}

/** A block of our own chain has ten times as much; a message of 1 MB needs 42 million, and no deployment more. */
const MOST_ESTIMATED = 100_000_000

type ConnectOptions = {
  readonly url: URL | string
  readonly settings: Pick<Settings, 'chainId' | 'nodeSeconds'> & Partial<Pick<Settings, 'upstream'>>
  readonly log: Logger
  /** Aborts the connection attempt. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds. */
  readonly patience?: number
}

type ConnectedNode = {
  readonly node: ChainNode
  /** The hash of block 0. */
  readonly genesis: Hex
  /** The wire names of documented methods that it does not have. */
  readonly lacking: ReadonlySet<string>
}

/** A user and a password in the URL become a header. */
const addressOf = (text: URL | string): Pick<NodeOptions, 'fetch' | 'url'> => {
  const url = new URL(text)
  const { username, password } = url
  if (username === '' && password === '') return { url }
  url.username = ''
  url.password = ''
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = `Basic ${Buffer.from(words).toString('base64')}`
  const kept = createKeptFetch()
  return {
    url,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('authorization', authorization)
      return kept(input, { ...init, headers })
    },
  }
}

const untilItAnswers = async (
  ask: (signal: AbortSignal) => Promise<ConnectedNode>,
  patience: number,
  signal: AbortSignal | undefined,
  onWait: (reason: string) => void,
): Promise<ConnectedNode> => {
  // A timer keeps it alive: Node 20 collects an `AbortSignal.timeout` that only
  // `AbortSignal.any` references, and it never fires.
  const over = new AbortController()
  const deadline = over.signal
  // Each request adds a listener, and Node would warn of a leak.
  setMaxListeners(0, deadline)
  const end = () => over.abort()
  const timer = setTimeout(end, patience)
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  let reason = 'it takes connections, and says nothing'
  try {
    for (let wait = 50; ; wait = Math.min(wait * 2, 1_000)) {
      try {
        return await ask(deadline)
      } catch (error) {
        if (error instanceof UsageError) throw error
        if (signal?.aborted) throw new UsageError('the start was ended')
        if (deadline.aborted) {
          throw new UsageError(
            `the node behind does not answer (${reason}): start it, or give --upstream another one`,
          )
        }
        reason = clip(error instanceof Error ? error.message : String(error), 300)
        if (wait === 400) onWait(reason)
        await pause(wait, undefined, { signal: deadline }).catch(() => undefined)
      }
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

/**
 * The wire names of documented methods that the node does not have. Only methods that the document makes optional are called,
 * and only without params, so that they have no effect. Rejects like the client of the node if it does not respond.
 */
export async function probe(node: ChainNode): Promise<ReadonlySet<string>> {
  const asked = Object.values(rpcService.operations as Record<string, RpcOperation>)
    .filter((operation) => mayLack(operation) && !hasEffect.has(operation.method))
    .map(({ method }) => method)
  const answers = await Promise.allSettled(
    asked.map((method) => node.rpc.request({ method } as { method: 'eth_chainId' })),
  )
  const rejections = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : null))
  const silence = rejections.find((reason) => reason !== null && !isRpcError(reason))
  if (silence !== undefined) throw silence
  return new Set(
    asked.filter((_, index) => {
      const rejection: unknown = rejections[index]
      return isRpcError(rejection) && isMissingMethod(rejection)
    }),
  )
}

const mayLack = ({ errors }: RpcOperation): boolean =>
  errors.some(({ code }) => code === MISSING_METHOD)

/** An invalid call of these methods should have no effect either, but that is not tested. */
const hasEffect: ReadonlySet<string> = new Set([
  'chain_sendSponsoredTransaction',
  'eth_resend',
  'eth_sendRawTransaction',
  'eth_sendRawTransactionSync',
  'eth_sendTransaction',
  'eth_sign',
  'eth_signTransaction',
])
