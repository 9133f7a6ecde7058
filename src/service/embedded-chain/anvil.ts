import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { lastWordsOf } from '../last-words.js'
import { createKeptFetch } from '../node/kept-fetch.js'

/**
 * Starts anvil on a port of the loopback: gas is free, no account is unlocked, only errors are printed. It does not wait until anvil
 * listens: `untilListening` does. Throws an Error with instructions if anvil is not installed.
 */
export function spawnAnvil(options: AnvilOptions): ChildProcess {
  const { chainId, port, timestamp } = options
  // It runs in its home, where a relative path would lead elsewhere.
  const home = resolve(options.home)
  const stateFile = options.stateFile && resolve(options.stateFile)
  return spawn(
    anvilProgram(),
    [
      ...['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId)],
      ...['--accounts', '0', '--gas-price', '0', '--block-base-fee-per-gas', '0'],
      // A payload of 1 MB takes 42 million gas, and its request is 2 MB long.
      ...['--disable-min-priority-fee', '--gas-limit', '1000000000', '--no-request-size-limit'],
      // The number of old states that geth keeps. Each contains the hashes of all blocks. With 1,000 states, 3,000 blocks of
      // one small transaction each took 650 MB; with these they take 140 MB. All receipts, logs and blocks are kept.
      ...['--prune-history', '128', '--cache-path', join(home, 'cache'), '--no-cors', '--quiet'],
      // A trace occupies one thread. With a single thread, a burst of calls once ended in a deadlock.
      ...['--threads', String(Math.max(4, availableParallelism()))],
      ...['--config-out', listeningFile(home)],
      ...(timestamp === undefined ? [] : ['--timestamp', String(timestamp)]),
      ...(stateFile === undefined ? [] : ['--load-state', stateFile]),
    ],
    {
      cwd: home,
      // The user's own configuration of anvil does not apply.
      env: {
        PATH: process.env.PATH,
        SystemRoot: process.env.SystemRoot,
        HOME: home,
        _RJEM_MALLOC_CONF: ALLOCATOR,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
}

/**
 * anvil uses jemalloc, which keeps freed memory for 10 seconds in an arena for each thread. Large responses and saved states
 * left 300 MB there. With these options, it returns the memory at once.
 */
const ALLOCATOR = 'narenas:1,oversize_threshold:0,dirty_decay_ms:0,muzzy_decay_ms:0'

export type AnvilOptions = {
  readonly chainId: number
  readonly port: number
  /** A folder for this anvil only. */
  readonly home: string
  /** The time of block 0, in seconds. With a state, it must be that of the state's block 0: anvil keeps its own one too. */
  readonly timestamp?: number
  /** JSON from `anvil_dumpState`, unpacked: the chain continues from there. */
  readonly stateFile?: string
}

/** The path of the program in the package for this machine. Throws an Error with instructions. */
function anvilProgram(): string {
  const built = platforms[`${process.platform}-${process.arch}`]
  if (built === undefined) {
    throw new Error(
      `anvil is not built for ${process.platform} on ${process.arch}: give --upstream the address of a node`,
    )
  }
  const name = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  const packages = [createRequire(import.meta.url)]
  try {
    // The package for the machine is a dependency of this one; strict installers hide it from all others.
    packages.push(createRequire(packages[0]?.resolve('@foundry-rs/anvil/package.json') ?? ''))
  } catch {
    // Reported below, where the program itself is missing.
  }
  for (const require of packages.reverse()) {
    try {
      return require.resolve(`@foundry-rs/anvil-${built}/bin/${name}`)
    } catch {
      // The next one may have it.
    }
  }
  throw new Error(
    'the chain of its own needs anvil: npm install @foundry-rs/anvil (with optional dependencies), or give --upstream the address of a node',
  )
}

const platforms: Readonly<Record<string, string>> = {
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-amd64',
  'linux-arm64': 'linux-arm64',
  'linux-x64': 'linux-amd64',
  'win32-x64': 'win32-amd64',
}

/** A port of the loopback that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}

/**
 * Resolves when the anvil that was started in `home` listens. Rejects with an AnvilEnded, which has what anvil printed, if it
 * ends before that, if it does not listen within 20 seconds, or if the signal is aborted.
 */
export async function untilListening(
  child: ChildProcess,
  home: string,
  signal?: AbortSignal,
): Promise<void> {
  let failure: Error | undefined
  const lastWords = lastWordsOf(child.stderr)
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.once('error', (error) => {
    failure = error
  })
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    signal?.throwIfAborted()
    if (failure) throw new Error(`anvil did not start: ${failure.message}`)
    const ended = child.exitCode ?? child.signalCode
    if (ended !== null) {
      // Its end may be known before its last words are read.
      await Promise.race([closed, pause(1_000)])
      throw new AnvilEnded(ended, lastWords())
    }
    if (existsSync(listeningFile(home))) return
    await pause(5)
  }
  throw new Error('anvil started, but did not listen within 20 seconds')
}

/** Anvil ended before it listened, for example because another process has its port: another start may succeed. */
export class AnvilEnded extends Error {
  constructor(how: number | NodeJS.Signals, lastWords: string) {
    const end = `anvil ended at its start (${how})`
    super(lastWords === '' ? end : `${end}: ${lastWords}`)
  }
}

/**
 * Anvil writes it when it has its port, and not if another process has it. A response at that port would be no proof, because
 * it may come from the other process.
 */
const listeningFile = (home: string): string => join(home, 'listening.json')

/**
 * Calls the methods of anvil that the document does not have: for mining, its pool and its state. Rejects with an Error if
 * anvil returns one or does not respond, and with ResponseTooLarge above the limit of a response.
 */
export function createAnvilRpc(url: string, { mostBytes = MOST_BYTES }: RpcOptions = {}): AnvilRpc {
  const read = createKeptFetch({ mostBytes })
  const readState = createKeptFetch({ mostBytes: MOST_STATE_BYTES })
  const batch = async (calls: readonly AnvilCall[], timeout = 30_000) => {
    const body = JSON.stringify(
      calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params })),
    )
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(timeout)
    const fetch = calls.some(([method]) => method === 'anvil_dumpState') ? readState : read
    const response = await fetch(url, { method: 'POST', headers, body, signal }).catch(
      (error: unknown) => {
        // A timeout during the response is an error of its socket.
        throw signal.aborted ? signal.reason : error
      },
    )
    const answers: readonly Answer[] = JSON.parse(await response.text())
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    return calls.map(([method], id) => {
      const answer = byId.get(id)
      if (answer?.error) throw new Error(`anvil refuses ${method}: ${answer.error.message}`)
      return answer?.result
    })
  }
  return {
    batch,
    call: async (method, ...params) => (await batch([[method, ...params]], 60_000))[0],
  }
}

type RpcOptions = {
  /** The maximum bytes of a response, other than the state. */
  readonly mostBytes?: number
}

/** A batch of 100 transactions of the pool, of 2 MB each as text, is the largest other response. */
const MOST_BYTES = 256_000_000

/** The maximum length of a string in V8: 2^29 - 24 characters. */
const MOST_STATE_BYTES = 2 ** 29 - 24

export type AnvilRpc = {
  readonly call: (method: string, ...params: unknown[]) => Promise<unknown>
  /** Results in the order of the calls; `timeout` in milliseconds. */
  readonly batch: (calls: readonly AnvilCall[], timeout?: number) => Promise<readonly unknown[]>
}

export type AnvilCall = readonly [method: string, ...params: unknown[]]

type Answer = {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}
