import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { connectNode } from './node/connect-node.js'
import type { Settings } from './settings.js'
import { StartError, startError } from './start-error.js'

/**
 * Starts the whole service and resolves once it answers. Rejects with a StartError where the user can mend it; what was started
 * by then is ended again.
 */
export const startService = async (
  settings: Settings,
  options: StartOptions,
): Promise<RunningService> => {
  const parts: Parts = {}
  let closed: Promise<void> | undefined
  const ending = new AbortController()
  const close = () => {
    // What is held until it is mined leaves while there still is time for an answer.
    const held = setTimeout(() => ending.abort(), 1_000 * Math.max(0, settings.stopSeconds - LEAVE))
    closed ??= closeParts(parts, settings.stopSeconds, options.log).finally(() =>
      clearTimeout(held),
    )
    return closed
  }
  const { log, signal } = options
  const over = new AbortController()
  // Each connection to the store listens, and Node would warn of a leak.
  setMaxListeners(0, over.signal)
  const end = () => over.abort(new StartError('the start was ended'))
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  try {
    const { url, keys } = await start(settings, { log, over, ending: ending.signal }, parts)
    signal?.removeEventListener('abort', end)
    // Last of all: a key that is made must be printed, or it is lost.
    const first = await keys.createFirst(FIRST_KEY)
    return { url, key: first?.key, close }
  } catch (error) {
    signal?.removeEventListener('abort', end)
    await close()
    throw startError(over.signal.aborted ? over.signal.reason : error)
  }
}

type StartOptions = {
  readonly log: Logger
  /** Ends a start that is under way, which then rejects with a StartError. */
  readonly signal?: AbortSignal | undefined
}

export type RunningService = {
  /** Where it answers, without a path. */
  readonly url: string
  /** A new API key, shown only here, where the store had none. */
  readonly key: string | undefined
  /** Finishes what was accepted, for as long as the settings allow, and ends everything that was started. */
  readonly close: () => Promise<void>
}

/** What takes long goes on side by side; modules are loaded while other processes start. */
const start = async (settings: Settings, { log, over, ending }: Stages, parts: Parts) => {
  const { chainId, databaseUrl, data } = settings
  const { signal } = over
  const [store, { node, genesis, lacking, memory }, modules] = await allOf(
    over,
    import('./store/open-store.js')
      .then(({ openStore }) => openStore({ databaseUrl, folder: data, log, signal }))
      .then((opened) => {
        parts.store = opened
        return opened
      }),
    urlOfNode(settings, log, parts, signal).then(async ({ url, memory }) => ({
      ...(await connectNode({ url, settings, log, signal })),
      memory,
    })),
    loadModules(),
  )
  const wallets = modules.createWallets(
    settings.mnemonic ?? (await modules.readOrMakeMnemonic(data)),
  )
  const signer = wallets.wallet(0).address
  await modules.bindStore(store, { chainId, genesis, signer })
  if (lacking.size > 0) log.info({ methods: [...lacking] }, 'the node behind lacks methods')

  const keys = modules.createKeys(store)
  const metrics = modules.createMetrics()
  const outbox = modules.createOutbox({ store, wallets, chain: node.chain, log })
  parts.outbox = { close: outbox.stop }
  metrics.watchOutbox(outbox.depth)
  const compiler = modules.createCompiler({ ...settings.compiler, log })
  parts.compiler = compiler
  const limits = modules.createLimits({ settings, store, log })
  const reference = settings.docs ? modules.createReference() : undefined
  parts.reference = reference
  const isChainFull = () => memory() > 1e6 * settings.chainMegabytes
  const gateway = modules.createGateway({
    handlers: {
      ...modules.createMethods({
        node,
        lacking,
        settings,
        callerOf: modules.callerOf,
        onError: (error) => log.warn({ err: error }, 'the node behind failed'),
      }),
      ...modules.createZkt({
        outbox,
        chain: node.chain,
        compiler: metrics.countCompilations(compiler),
        wallets,
        walletOf: modules.walletOf,
        callerOf: modules.callerOf,
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
  })
  parts.gateway = gateway
  // The process that has locked the folder of the store manages its keys.
  if (data !== undefined && databaseUrl === undefined) {
    parts.keysDoor = await modules.openControlSocket(keys, data, log)
  }
  signal.throwIfAborted()
  const { url } = await gateway.listen()
  // The first source need not wait for its compiler; all else need not wait for either.
  void compiler.ready().catch((error: unknown) => log.error({ err: error }, 'no Solidity'))
  return { url, keys }
}

type Stages = {
  readonly log: Logger
  /** Ends the start: with a reason of its own, or by the first part that fails. */
  readonly over: AbortController
  /** Ends what the running service holds. */
  readonly ending: AbortSignal
}

/** Seconds before the end at which held answers are given. */
const LEAVE = 2

const FIRST_KEY = { name: 'first', kind: 'private' } as const

const urlOfNode = async (
  { upstream, chainId, databaseUrl, data }: Settings,
  log: Logger,
  parts: Parts,
  signal: AbortSignal,
): Promise<{ readonly url: URL | string; readonly memory: () => number }> => {
  if (upstream !== undefined) return { url: upstream, memory: () => 0 }
  // An embedded store has locked it. A supervisor alone would wait for the folder's chain, which a former one may be saving still.
  const lock = data !== undefined && databaseUrl !== undefined && (await lockData(data))
  if (lock) parts.folder = { close: lock.release }
  const { startChain } = await import('./embedded-chain/start-chain.js')
  const chain = await startChain({ chainId, folder: data, log, signal })
  parts.chain = chain
  return chain
}

const lockData = async (folder: string) => {
  const { lockFolder } = await import('./store/folder-lock.js')
  return lockFolder(folder)
}

const loadModules = async () => {
  const loaded = await Promise.all([
    import('./access/keys.js'),
    import('./access/control-socket.js'),
    import('./access/limits.js'),
    import('./compiler/create-compiler.js'),
    import('./gateway/gateway.js'),
    import('./gateway/metrics.js'),
    import('./gateway/reference.js'),
    import('./gateway/request-context.js'),
    import('./methods/methods.js'),
    import('./outbox/create-outbox.js'),
    import('./store/bind-store.js'),
    import('./wallet/mnemonic.js'),
    import('./wallet/wallets.js'),
    import('./zkt/zkt.js'),
  ])
  const [keys, socket, limits, compiler, gateway, metrics, reference, context, ...rest] = loaded
  const [methods, outbox, bind, mnemonic, wallets, zkt] = rest
  return {
    ...keys,
    ...socket,
    ...limits,
    ...compiler,
    ...gateway,
    ...metrics,
    ...reference,
    ...context,
    ...methods,
    ...outbox,
    ...bind,
    ...mnemonic,
    ...wallets,
    ...zkt,
  }
}

/**
 * The first that fails ends the others. All are waited for nevertheless, so that nothing starts after the caller has ended
 * what was started.
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

/** What was started, by name. */
type Parts = { [name in Name]?: Part | undefined }

type Part = { readonly close: () => Promise<void> }

/** Nobody is closed before those who need it. */
const ORDER = [
  'keysDoor',
  'gateway',
  'reference',
  'outbox',
  'compiler',
  'store',
  'chain',
  'folder',
] as const

type Name = (typeof ORDER)[number]

/** Closes all, one after the other; one that fails, or takes far more time than it was given, does not keep the others open. */
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

/** Seconds: the gateway itself takes as many as it is given. */
const GRACE = 5
