import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { RpcOperation } from 'twinspec/runtime/operation'
import { isRpcError } from 'twinspec/runtime/rpc'
import type { Hex } from 'viem'
import { rpcService } from '../../../generated/operations.js'
import type { Settings } from '../setting-rows.js'
import { UsageError } from '../usage-error.js'
import { isMissingMethod, MISSING_METHOD } from './failure.js'
import { createKeptFetch } from './kept-fetch.js'
import { createNode, type Node, type NodeOptions } from './node.js'

/**
 * The node at `url`, once it answers: one that starts at the same time as we do is waited for. Rejects with a UsageError where
 * it does not answer within `patience` milliseconds, or is of another chain. One that asks for a base fee is accepted with a warning: it can be
 * read, and of most chains the fee falls to 0 when little is written.
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
  // A node that is starting may answer one question and not the next: all of them are asked again.
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

/** Wei for a unit of gas; 0 where the node tells none. */
const baseFeeOf = async (rpc: Node['rpc']): Promise<bigint> => {
  const block = await rpc.ethGetBlockByNumber('latest', false)
  return BigInt(block?.baseFeePerGas ?? 0)
}

/** A block of our own chain takes ten times as much; a message of 1 MB takes 42 million, and no deployment more. */
const MOST_ESTIMATED = 100_000_000

type ConnectOptions = {
  readonly url: URL | string
  readonly settings: Pick<Settings, 'chainId' | 'nodeSeconds'> & Partial<Pick<Settings, 'upstream'>>
  readonly log: Logger
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds. */
  readonly patience?: number
}

type ConnectedNode = {
  readonly node: Node
  /** The hash of block 0. */
  readonly genesis: Hex
  /** The documented methods that it does not have, by wire name. */
  readonly lacking: ReadonlySet<string>
}

/** A user and a password in the address go into a header. */
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
  // Held by its timer: Node 20 collects an `AbortSignal.timeout` that only `AbortSignal.any` knows, and it never comes.
  const over = new AbortController()
  const deadline = over.signal
  // Each question listens, and Node would warn of a leak.
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
        reason = error instanceof Error ? error.message : String(error)
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
 * The documented methods that the node does not have, by wire name. Only those are asked for that the document lets a node
 * lack, and only without params, which no node acts upon. Rejects as the client of the node does where it does not answer.
 */
export async function probe(node: Node): Promise<ReadonlySet<string>> {
  const asked = Object.values(rpcService.operations as Record<string, RpcOperation>)
    .filter((operation) => mayLack(operation) && !hasEffect.has(operation.method))
    .map(({ method }) => method)
  const answers = await Promise.allSettled(
    asked.map((method) => node.rpc.request({ method } as { method: 'eth_chainId' })),
  )
  const refusals = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : null))
  const silence = refusals.find((reason) => reason !== null && !isRpcError(reason))
  if (silence !== undefined) throw silence
  return new Set(
    asked.filter((_, index) => {
      const refusal: unknown = refusals[index]
      return isRpcError(refusal) && isMissingMethod(refusal)
    }),
  )
}

const mayLack = ({ errors }: RpcOperation): boolean =>
  errors.some(({ code }) => code === MISSING_METHOD)

/** Asked for wrongly they would do nothing either; but nobody should have to believe that. */
const hasEffect: ReadonlySet<string> = new Set([
  'chain_sendSponsoredTransaction',
  'eth_resend',
  'eth_sendRawTransaction',
  'eth_sendRawTransactionSync',
  'eth_sendTransaction',
  'eth_sign',
  'eth_signTransaction',
])
