import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createSubscriptions, type SubscribeOptions, serveHandlers } from 'twinspec/runtime/duplex'
import { serverSocket, socketLink } from 'twinspec/runtime/links/socket'
import { createRpc, type RpcOptions, type Warning } from 'twinspec/runtime/rpc'
import { parse } from 'yaml'
import { createService } from '../../src/mock/service.js'
import { apiOf } from '../read/api-of.js'
import { LOGGER, startChain } from './chain.js'
import { startCuttingProxy } from './cutting-proxy.js'

/** The document of the proof. */
export const readEthereum = async () =>
  await apiOf({
    openrpc: parse(
      await readFile(new URL('./ethereum.openrpc.yaml', import.meta.url), 'utf8'),
    ) as object,
  })

export type EthereumClient = {
  readonly ethBlockNumber: () => Promise<string>
  readonly subscribe: {
    readonly ethSubscribe: (
      kind: string,
      filter?: object,
      options?: SubscribeOptions,
    ) => AsyncIterableIterator<unknown>
  }
}

export const GAP = Symbol('gap')

/**
 * Subscribes to heads, logs and pending transactions of a real chain, through a proxy that cuts the connection so many times while
 * transactions are sent. Returns what was produced and what each loop saw, with its gaps.
 */
export const cutConnections = async (times: number): Promise<Outcome> => {
  const chain = await startChain()
  const { call, sendTransaction } = chain
  const proxy = await startCuttingProxy(Number(new URL(chain.url).port))
  try {
    const warnings: Warning[] = []
    const controller = new AbortController()
    const { service } = createService(await readEthereum())
    const link = socketLink(`ws://127.0.0.1:${proxy.port}`, {
      retry: { delay: 1, longest: 20, attempts: 10 },
    })
    const options: RpcOptions = {
      link,
      onWarning: (one) => warnings.push(one),
      signal: controller.signal,
      retry: { delay: 1, longest: 20 },
    }
    const rpc = createRpc<EthereumClient>(
      service.rpc as never,
      service.validators,
      options,
      undefined,
      {
        serveHandlers,
        createSubscriptions,
        serverSocket,
      },
    )
    const hashes: string[] = []
    const seen: Record<Kind, (string | typeof GAP)[]> = {
      newHeads: [],
      logs: [],
      newPendingTransactions: [],
    }
    const loops = KINDS.map((kind) => {
      const filter = kind === 'logs' ? { address: LOGGER } : undefined
      const onGap = () => seen[kind].push(GAP)
      const items = rpc.subscribe.ethSubscribe(kind, filter, { onGap, buffer: 100_000 })
      const done = (async () => {
        for await (const item of items) seen[kind].push(textOf[kind](item))
      })()
      return { items, done }
    })
    let isSending = true
    const sending = (async () => {
      while (isSending) {
        hashes.push(await sendTransaction())
        await pause(1)
      }
    })()
    const gaps = () => seen.newHeads.filter((one) => one === GAP).length
    const total = () => KINDS.map((kind) => seen[kind].length)
    const moreOfEach = async () => {
      const before = total()
      while (!total().every((count, index) => count >= (before[index] ?? 0) + 3)) await pause(1)
    }
    await moreOfEach()
    for (let cuts = 1; cuts <= times; cuts += 1) {
      proxy.cut()
      while (gaps() < cuts) await pause(1)
      await moreOfEach()
    }
    isSending = false
    await sending
    await pause(200)
    // What is sent after all loops were left would come from a subscription that was left behind.
    for (const { items } of loops) await items.return?.()
    await Promise.all(loops.map(({ done }) => done))
    const warned = warnings.length
    for (let count = 0; count < 5; count += 1) await call('evm_mine')
    await rpc.ethBlockNumber()
    await pause(100)
    controller.abort()
    const last = Number(await call('eth_blockNumber'))
    const heads = Array.from({ length: last - 4 }, (_, number) => `0x${number.toString(16)}`)
    return {
      produced: { newHeads: heads, logs: hashes, newPendingTransactions: hashes },
      seen,
      leftBehind: warnings.slice(warned),
      warnings: warnings.slice(0, warned),
    }
  } finally {
    proxy.stop()
    await chain.stop()
  }
}

export const KINDS = ['newHeads', 'logs', 'newPendingTransactions'] as const

export type Kind = (typeof KINDS)[number]

export type Outcome = {
  readonly produced: Readonly<Record<Kind, readonly string[]>>
  readonly seen: Readonly<Record<Kind, readonly (string | typeof GAP)[]>>
  readonly leftBehind: readonly Warning[]
  readonly warnings: readonly Warning[]
}

export const textOf: Readonly<Record<Kind, (item: unknown) => string>> = {
  newHeads: (item) => (item as { number: string }).number,
  logs: (item) => (item as { transactionHash: string }).transactionHash,
  newPendingTransactions: String,
}

/** What is wrong with what each loop saw: items lost without a gap, twice, out of order or unknown. Empty if nothing is. */
export const faultsOf = ({ produced, seen }: Outcome): readonly string[] =>
  KINDS.flatMap((kind) => {
    const places = new Map(produced[kind].map((text, index) => [text, index]))
    const faults: string[] = []
    let last: number | undefined
    let isGap = false
    for (const one of seen[kind]) {
      const place = one === GAP ? undefined : places.get(one)
      if (one === GAP) isGap = true
      else if (place === undefined) faults.push(`${kind}: ${one} is unknown`)
      else {
        if (last !== undefined && place <= last) faults.push(`${kind}: ${one} came twice or late`)
        if (last !== undefined && place > last + 1 && !isGap)
          faults.push(`${kind}: ${place - last - 1} lost before ${one}`)
        last = place
        isGap = false
      }
    }
    if (last !== produced[kind].length - 1) faults.push(`${kind}: the last ones are lost`)
    return faults
  })

/** How many gaps each loop saw. */
export const gapsOf = ({ seen }: Outcome): readonly number[] =>
  KINDS.map((kind) => seen[kind].filter((one) => one === GAP).length)
