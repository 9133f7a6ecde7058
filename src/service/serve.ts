import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { openControlSocket } from './access/control-socket.js'
import { createKeys } from './access/keys.js'
import { createLimits } from './access/limits.js'
import { createCompiler } from './compiler/create-compiler.js'
import { startChain } from './embedded-chain/start-chain.js'
import { createGateway } from './gateway/gateway.js'
import { createMetrics } from './gateway/metrics.js'
import { createReference } from './gateway/reference.js'
import { callerOf, walletOf } from './gateway/request-context.js'
import { createMethods } from './methods/methods.js'
import { connectNode } from './node/connect-node.js'
import { createOutbox } from './outbox/create-outbox.js'
import type { Settings } from './setting-rows.js'
import { countUnfinished, logStop, type StopReport } from './stop-report.js'
import { lockFolder } from './store/folder-lock.js'
import { assertLinksStayInside } from './store/links.js'
import { bindStore, openStore } from './store/open-store.js'
import { recordUsage } from './usage/record-usage.js'
import { UsageError } from './usage-error.js'
import { readOrMakeMnemonic } from './wallet/mnemonic.js'
import { createWallets } from './wallet/wallets.js'
import { createZkt } from './zkt/zkt.js'

/**
 * Starts the whole service and resolves when it is ready. Rejects with a UsageError if the user can fix the problem; all
 * parts that were started are ended again.
 */
export const startService = async (
  settings: Settings,
  options: StartOptions,
): Promise<RunningService> => {
  const parts: Parts = {}
  let closed: Promise<void> | undefined
  const ending = new AbortController()
  const close = () => {
    // Requests that wait for a block get a response while there is still time for it.
    const held = setTimeout(() => ending.abort(), 1_000 * Math.max(0, settings.stopSeconds - LEAVE))
    closed ??= closeParts(parts, settings.stopSeconds, options.log).finally(() =>
      clearTimeout(held),
    )
    return closed
  }
  const { log, signal } = options
  const over = new AbortController()
  // Each connection to the store adds a listener, and Node would warn of a leak.
  setMaxListeners(0, over.signal)
  const end = () => over.abort(new UsageError('the start was ended'))
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  try {
    const stages = { log, over, ending: ending.signal }
    const { url, keys, report } = await start(settings, stages, parts)
    signal?.removeEventListener('abort', end)
    // The last step, because a new key must be printed, or it is lost.
    const first = await keys.createFirst(FIRST_KEY)
    let stopped: Promise<void> | undefined
    return {
      url,
      key: first?.key,
      close: () => {
        stopped ??= close().then(() => logStop(log, report(), settings))
        return stopped
      },
    }
  } catch (error) {
    signal?.removeEventListener('abort', end)
    await close()
    throw startError(over.signal.aborted ? over.signal.reason : error)
  }
}

type StartOptions = {
  readonly log: Logger
  /** Aborts a start, which then rejects with a UsageError. */
  readonly signal?: AbortSignal | undefined
}

export type RunningService = {
  /** The URL of the service, without a path. */
  readonly url: string
  /** A new API key, returned only here, if the store had none. */
  readonly key: string | undefined
  /** Finishes accepted requests within the time in the settings, and ends all parts. */
  readonly close: () => Promise<void>
}

const start = async (settings: Settings, { log, over, ending }: Stages, parts: Parts) => {
  const { chainId, databaseUrl, data } = settings
  const { signal } = over
  if (data !== undefined) await assertLinksStayInside(data, '--data')
  const [store, { node, genesis, lacking, memory }] = await allOf(
    over,
    openStore({ databaseUrl, folder: data, log, signal }).then((opened) => {
      parts.store = opened
      return opened
    }),
    urlOfNode(settings, log, parts, signal).then(async ({ url, memory }) => ({
      ...(await connectNode({ url, settings, log, signal })),
      memory,
    })),
  )
  const wallets = createWallets(settings.mnemonic ?? (await readOrMakeMnemonic(data)))
  const signer = wallets.wallet(0).address
  await bindStore(store, { chainId, genesis, signer })
  if (lacking.size > 0) {
    // The operator chose the node of --upstream; the methods of the embedded chain are always the same.
    const level = settings.upstream === undefined ? 'debug' : 'info'
    const message = 'the node does not offer these methods: calls to them get error -32601'
    log[level]({ methods: [...lacking] }, message)
  }

  const keys = createKeys(store)
  const metrics = createMetrics()
  const outbox = createOutbox({ store, wallets, chain: node.chain, log })
  let report: StopReport = {}
  parts.outbox = {
    close: async () => {
      await outbox.stop()
      report = { ...report, unfinished: await countUnfinished(outbox) }
    },
  }
  metrics.watchOutbox(outbox.depth)
  if (settings.upstream === undefined) metrics.watchChain(memory)
  const compiler = createCompiler({
    processes: settings.compilerProcesses,
    seconds: settings.compilerSeconds,
    megabytes: settings.compilerMegabytes,
    evmVersion: settings.evmVersion,
    log,
  })
  parts.compiler = compiler
  const limits = createLimits({ settings, store, log })
  const reference = settings.noDocs ? undefined : createReference({ log })
  parts.reference = reference
  const isChainFull = () => memory() > 1e6 * settings.chainMegabytes
  const usage =
    settings.usage === undefined
      ? undefined
      : await recordUsage(settings.usage, { log, onRecords: metrics.recorded })
  parts.usage = usage
  const gateway = createGateway({
    handlers: {
      ...createMethods({
        node,
        lacking,
        settings,
        callerOf,
        onError: (error) => log.warn({ err: error }, 'the node failed'),
      }),
      ...createZkt({
        outbox,
        chain: node.chain,
        compiler: metrics.countCompilations(compiler),
        wallets,
        walletOf,
        callerOf,
        limits,
        isChainFull,
        waitMilliseconds: settings.waitSeconds * 1_000,
        ending,
      }),
    },
    keys,
    limits,
    settings,
    log,
    metrics,
    isChainFull,
    probes: { store: () => store.query('select 1'), node: () => node.chain.blockNumber() },
    reference: reference?.read,
    usage,
  })
  parts.gateway = {
    close: async () => {
      report = { ...report, ...(await gateway.close()) }
    },
  }
  // The process that has locked the folder of the store manages its keys.
  if (data !== undefined && databaseUrl === undefined) {
    parts.keysDoor = await openControlSocket(keys, data, log)
  }
  signal.throwIfAborted()
  const { url } = await gateway.listen()
  // The first source does not need to wait for the compiler; everything else does not need it.
  void compiler.ready().catch((error: unknown) => log.error({ err: error }, 'no Solidity'))
  return { url, keys, report: () => report }
}

type Stages = {
  readonly log: Logger
  /** Aborts the start: with its own reason, or with the error of the first part that fails. */
  readonly over: AbortController
  /** Ends requests that the running service holds open. */
  readonly ending: AbortSignal
}

/** Seconds before the end at which held responses are sent. */
const LEAVE = 2

const FIRST_KEY = { name: 'first', kind: 'private' } as const

const urlOfNode = async (
  { upstream, chainId, databaseUrl, data }: Settings,
  log: Logger,
  parts: Parts,
  signal: AbortSignal,
): Promise<{ readonly url: URL | string; readonly memory: () => number }> => {
  if (upstream !== undefined) return { url: upstream, memory: () => 0 }
  // An embedded store has already locked the folder. A supervisor alone would wait for the chain of a
  // previous one, which may still be saved.
  const lock = data !== undefined && databaseUrl !== undefined && (await lockFolder(data))
  if (lock) parts.folder = { close: lock.release }
  const chain = await startChain({ chainId, folder: data, log, signal })
  parts.chain = chain
  return chain
}

/**
 * Runs all tasks; the first that fails aborts the others. All are awaited nevertheless, so that nothing starts after the
 * caller has ended the started parts.
 */
const allOf = async <T extends readonly unknown[]>(
  over: AbortController,
  ...work: {
    readonly [K in keyof T]: Promise<T[K]>
  }
): Promise<T> => {
  for (const one of work) one.catch((error: unknown) => over.abort(error))
  const settled = await Promise.allSettled(work)
  over.signal.throwIfAborted()
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as unknown as T
}

/** The started parts, by name. */
type Parts = { [name in Name]?: Part | undefined }

type Part = { readonly close: () => Promise<void> }

/** Each part is closed before the parts that it needs. */
const ORDER = [
  'keysDoor',
  'gateway',
  'usage',
  'reference',
  'outbox',
  'compiler',
  'store',
  'chain',
  'folder',
] as const

type Name = (typeof ORDER)[number]

/** Closes all parts, one after the other. A part that fails, or far exceeds its time, does not keep the others open. */
export const closeParts = async (parts: Parts, seconds: number, log: Logger): Promise<void> => {
  for (const name of ORDER) {
    const part = parts[name]
    if (part === undefined) continue
    const over = new AbortController()
    const late = pause((seconds + GRACE) * 1_000, 'late', { signal: over.signal })
    try {
      const end = await Promise.race([part.close(), late])
      if (end === 'late') log.warn({ part: name }, 'is not closed in time')
    } catch (error) {
      log.warn({ part: name, err: error }, 'was not closed cleanly')
    } finally {
      over.abort()
      await late.catch(() => undefined)
    }
  }
}

/** Seconds in addition to the time that the gateway itself may take. */
const GRACE = 5

/** The reason that a part could not start, as a UsageError. Programming errors are returned unchanged. */
export const startError = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof UsageError) return error
  if (FAULTS.includes(error.name)) return error
  return new UsageError(explained(error), { cause: error })
}

const explained = (error: Error): string => {
  const { code, port } = error as { readonly code?: unknown; readonly port?: unknown }
  if (code === 'EADDRINUSE')
    return `port ${port} is in use: end what listens there, or give --port another one (0 takes a free one)`
  if (code === 'EACCES' && port !== undefined)
    return `port ${port} may not be used by this user: give --port another one, above 1023`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `--host is no address of this machine: ${error.message}`
  return error.message
}

const FAULTS = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'AssertionError']
