import { setTimeout as pause } from 'node:timers/promises'
import { WebSocketProvider } from 'ethers'
import { createSubscriptions, serveHandlers } from 'twinspec/runtime/duplex'
import { serverSocket, socketLink } from 'twinspec/runtime/links/socket'
import { createRpc } from 'twinspec/runtime/rpc'
import { createPublicClient, webSocket } from 'viem'
import { createService } from '../../src/mock/service.js'
import { LOGGER, startChain } from './chain.js'
import {
  type EthereumClient,
  GAP,
  KINDS,
  type Kind,
  readEthereum,
  textOf,
} from './cut-connections.js'
import { startCuttingProxy } from './cutting-proxy.js'

/** A client that is subscribed to all kinds. */
type Subscribed = {
  /** Leaves all subscriptions. */
  readonly leave: () => Promise<unknown>
  readonly close: () => unknown
}

type Seen = (kind: Kind, item: unknown) => void

/** Each client with the options of a user who wants to go on after a break, and a short delay before it connects again. */
export const CLIENTS: Readonly<Record<string, (url: string, seen: Seen) => Promise<Subscribed>>> = {
  twinspec: async (url, seen) => {
    const { service } = createService(await readEthereum())
    const retry = { delay: 1, longest: 20, attempts: 10 }
    const controller = new AbortController()
    const options = { link: socketLink(url, { retry }), retry, signal: controller.signal }
    const rpc = createRpc<EthereumClient>(
      service.rpc as never,
      service.validators,
      options,
      undefined,
      {
        ...{ serveHandlers, createSubscriptions, serverSocket },
      },
    )
    const loops = KINDS.map((kind) => {
      const onGap = () => seen(kind, GAP)
      const items = rpc.subscribe.ethSubscribe(kind, filterOf(kind), { onGap, buffer: 100_000 })
      const done = (async () => {
        for await (const item of items) seen(kind, item)
      })()
      return { items, done }
    })
    return {
      leave: async () => {
        for (const { items } of loops) await items.return?.()
        await Promise.all(loops.map(({ done }) => done))
      },
      close: () => controller.abort(),
    }
  },
  viem: async (url, seen) => {
    const reconnect = { attempts: 1_000, delay: 20 }
    const client = createPublicClient({
      transport: webSocket(url, { reconnect, keepAlive: false }),
    })
    const all = await Promise.all(
      KINDS.map((kind) =>
        client.transport.subscribe({
          params: paramsOf(kind) as never,
          onData: ({ result }) => seen(kind, result),
          // All that an application may know of a break.
          onError: () => seen(kind, GAP),
        }),
      ),
    )
    return {
      leave: () => Promise.all(all.map(({ unsubscribe }) => withinSeconds(unsubscribe()))),
      close: async () => (await client.transport.getRpcClient()).close(),
    }
  },
  ethers: async (url, seen) => {
    const provider = new WebSocketProvider(url, 20180427, { staticNetwork: true })
    await provider.ready
    // Its socket has no listener for errors, so that a break would end the process.
    ;(provider.websocket as unknown as { onerror: () => void }).onerror = () => undefined
    const ids = await Promise.all(
      KINDS.map(async (kind) => {
        const id = await provider.send('eth_subscribe', [...paramsOf(kind)])
        provider._register(id, { _handleMessage: (item: unknown) => seen(kind, item) } as never)
        return id
      }),
    )
    return {
      leave: () =>
        Promise.all(ids.map((id) => withinSeconds(provider.send('eth_unsubscribe', [id])))),
      close: () => withinSeconds(provider.destroy()),
    }
  },
}

const filterOf = (kind: Kind) => (kind === 'logs' ? { address: LOGGER } : undefined)
const paramsOf = (kind: Kind): readonly unknown[] => [kind, filterOf(kind) ?? []].flat()

/** A client that lost its connection may never get a response. */
const withinSeconds = (work: Promise<unknown>) =>
  Promise.race([work.catch(() => undefined), pause(2_000)])

/** Milliseconds without items after a break, after which a client counts as dead. */
const PATIENCE = 3_000

/** What a client saw of a chain through a proxy that cut its connection so many times. */
export const cutClient = async (
  times: number,
  subscribe: (url: string, seen: Seen) => Promise<Subscribed>,
): Promise<CutOutcome> => {
  const chain = await startChain()
  const proxy = await startCuttingProxy(Number(new URL(chain.url).port))
  const hashes: string[] = []
  const seen: Record<Kind, (string | typeof GAP)[]> = {
    ...{ newHeads: [], logs: [], newPendingTransactions: [] },
  }
  let isSending = true
  let sending: Promise<void> | undefined
  try {
    const client = await subscribe(`ws://127.0.0.1:${proxy.port}`, (kind, item) => {
      seen[kind].push(item === GAP ? GAP : textOf[kind](item))
    })
    sending = (async () => {
      while (isSending) {
        hashes.push(await chain.sendTransaction())
        await pause(1)
      }
    })()
    const counts = () => KINDS.map((kind) => seen[kind].filter((one) => one !== GAP).length)
    /** Whether each kind goes on. */
    const goesOn = async (): Promise<boolean> => {
      const before = counts()
      for (let waited = 0; waited < PATIENCE; waited += 2) {
        if (counts().every((count, at) => count >= (before[at] ?? 0) + 3)) return true
        await pause(2)
      }
      return false
    }
    await goesOn()
    let survived = 0
    for (let cuts = 0; cuts < times; cuts += 1) {
      proxy.cut()
      // What was on its way counts as before the cut.
      await pause(10)
      if (!(await goesOn())) break
      survived += 1
    }
    isSending = false
    await sending
    await pause(200)
    await client.leave()
    await pause(100)
    const before = proxy.items()
    for (let count = 0; count < 5; count += 1) await chain.call('evm_mine')
    await pause(200)
    const leftBehind = Math.ceil((proxy.items() - before) / 5)
    await client.close()
    const last = Number(await chain.call('eth_blockNumber')) - 5
    const heads = Array.from({ length: last + 1 }, (_, number) => `0x${number.toString(16)}`)
    const produced = { newHeads: heads, logs: hashes, newPendingTransactions: hashes }
    const all = KINDS.map((kind) => countsOf(produced[kind], seen[kind]))
    const sum = (key: keyof (typeof all)[number]) => all.reduce((total, one) => total + one[key], 0)
    return {
      ...{ survived, leftBehind, lost: sum('lost'), unreported: sum('unreported') },
      ...{ twice: sum('twice'), seen: sum('seen') },
    }
  } finally {
    isSending = false
    await sending?.catch(() => undefined)
    proxy.stop()
    await chain.stop()
  }
}

export type CutOutcome = {
  /** The cuts after which each kind went on. */
  readonly survived: number
  readonly seen: number
  /** Items that never arrived. */
  readonly lost: number
  /** Those of them of which the client said nothing. */
  readonly unreported: number
  readonly twice: number
  /** Subscriptions of heads that the server still serves after all were left. */
  readonly leftBehind: number
}

/** From the first item that was seen on. */
const countsOf = (produced: readonly string[], seen: readonly (string | typeof GAP)[]) => {
  const places = new Map(produced.map((text, index) => [text, index]))
  const known = new Set<number>()
  let last: number | undefined
  let isGap = false
  let reported = 0
  let twice = 0
  for (const one of seen) {
    if (one === GAP) {
      isGap = true
      continue
    }
    const place = places.get(one)
    if (place === undefined) continue
    if (known.has(place)) twice += 1
    known.add(place)
    if (isGap && last !== undefined && place > last) reported += place - last - 1
    isGap = false
    last = Math.max(last ?? 0, place)
  }
  const first = known.size === 0 ? produced.length : Math.min(...known)
  const lost = produced.length - first - known.size
  return { seen: known.size, lost, unreported: Math.max(0, lost - reported), twice }
}
