import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { forkOurs } from '../fork.js'
import { lastWordsOf } from '../last-words.js'
import { removeTempDirs, TEMPORARY } from './run-anvil.js'
import type { SupervisorMessage, SupervisorOptions } from './supervisor-messages.js'

/**
 * Starts our own chain: a new one, or the one in `folder`. Rejects with one sentence if its state is unusable, another process
 * has locked it, or anvil is not installed.
 */
export async function startChain(options: ChainOptions): Promise<EmbeddedChain> {
  const { chainId, log, savePause, patience, mostMemory, signal } = options
  const isTemporary = options.folder === undefined
  const folder =
    options.folder === undefined
      ? await mkdtemp(join(tmpdir(), TEMPORARY))
      : resolve(options.folder, 'chain')
  if (isTemporary) void removeTempDirs().catch(() => undefined)
  const wanted = { chainId, folder, isTemporary, savePause, patience, mostMemory }
  const forget = async () => {
    if (isTemporary) await rm(folder, { recursive: true, force: true })
  }

  let memory = 0
  const onMemory = (bytes: number): void => {
    memory = bytes
  }
  let supervisor = await startSupervisor(wanted, { log, signal, onMemory }).catch(
    async (error: unknown) => {
      await forget()
      throw error
    },
  )
  const { url, port } = supervisor
  const closing = new AbortController()
  const watching = restartSupervisor()

  /** The URL of the chain stays the same: if a supervisor dies, another one starts on the same port. */
  async function restartSupervisor(): Promise<void> {
    for (;;) {
      const how = await supervisor.ended
      if (closing.signal.aborted) return
      log.error({ how }, 'the process that keeps the chain ended and is started again')
      while (!closing.signal.aborted) {
        try {
          supervisor = await startSupervisor({ ...wanted, port }, { log, onMemory })
          // The supervisor started too late to receive the message.
          if (closing.signal.aborted) await endSupervisor(supervisor, PATIENCE)
          break
        } catch (error) {
          log.error({ reason: String(error) }, 'the process that keeps the chain does not start')
          await pause(1_000, undefined, { signal: closing.signal }).catch(() => undefined)
        }
      }
      if (closing.signal.aborted) return
    }
  }

  return {
    url,
    memory: () => memory,
    close: async () => {
      closing.abort()
      await endSupervisor(supervisor, PATIENCE)
      await watching
      await forget()
    },
  }
}

/** Our own chain: anvil, started and watched by a process that outlives a crash of the gateway long enough to save the state. */
export type EmbeddedChain = {
  /** The URL for JSON-RPC, on the loopback. It stays the same when the chain is restarted. */
  readonly url: string
  /** The bytes that anvil would need to save its state. 0 except on Linux. */
  readonly memory: () => number
  /** Saves the state if there is a folder for it, then ends the chain. */
  readonly close: () => Promise<void>
}

export type ChainOptions = {
  readonly chainId: number
  /** The chain is stored in its subfolder `chain`; without it, nothing is stored. */
  readonly folder?: string | undefined
  readonly log: Logger
  /** Milliseconds between two saves, whose changes a killed anvil loses. 1,000 by default. */
  readonly savePause?: number
  /** Milliseconds to wait for a previous gateway's supervisor, which may still be saving; 15,000 by default. */
  readonly patience?: number
  /** The bytes above which anvil is restarted; by default 4 GB, or half the memory of a smaller machine. */
  readonly mostMemory?: number
  /** Aborts a start, which then rejects. After the start, `close` ends the chain instead. */
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds for the supervisor to save and end. */
const PATIENCE = 60_000

/** Starts a supervisor. Rejects with its error sentence if it cannot start the chain, or if the signal is aborted before. */
function startSupervisor(
  options: SupervisorOptions,
  { log, signal, onMemory }: StartSupervisorOptions,
): Promise<Supervisor> {
  const child = forkOurs(new URL('./supervisor.js', import.meta.url), {
    args: [JSON.stringify(options)],
    // In its own group, a signal to the gateway's group does not interrupt it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const lastWords = lastWordsOf(child.stderr)
  let reason: string | undefined
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`${signal ?? code}`))
    child.once('error', (error) => resolve(error.message))
  })
  const end = () => void endSupervisor({ child, ended }, START_PATIENCE)
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  return new Promise<Supervisor>((resolve, reject) => {
    child.on('message', (message: SupervisorMessage) => {
      if (message.kind === 'log') log[message.level](message.details, message.message)
      if (message.kind === 'memory') onMemory(message.bytes)
      if (message.kind === 'ready') {
        log.debug({ url: message.url, supervisor: child.pid }, 'the chain runs')
        resolve({ child, ended, url: message.url, port: message.port })
      }
      if (message.kind === 'failed') {
        reason = message.message
        log.debug({ reason }, 'the supervisor of the chain gives up')
      }
    })
    void ended.then((how) => {
      const printed = lastWords()
      if (printed !== '') log.debug({ printed }, 'the supervisor of the chain printed this')
      // Only after the end of the process, because the caller may start another one.
      const end = `the process that keeps the chain ended at its start (${how})`
      reject(new Error(reason ?? (printed === '' ? end : `${end}: ${printed}`)))
    })
  }).finally(() => signal?.removeEventListener('abort', end))
}

export type StartSupervisorOptions = {
  readonly log: Logger
  readonly signal?: AbortSignal | undefined
  /** Receives the bytes of `SupervisorMessage`. */
  readonly onMemory: (bytes: number) => void
}

/** Milliseconds in which a supervisor without unsaved changes ends itself and its anvil. */
const START_PATIENCE = 10_000

export type Supervisor = {
  readonly child: ChildProcess
  /** Resolves with the signal or the exit code. */
  readonly ended: Promise<string>
  readonly url: string
  readonly port: number
}

/** Makes the supervisor save the chain and end; kills it after `milliseconds`. */
async function endSupervisor(
  { child, ended }: Pick<Supervisor, 'child' | 'ended'>,
  milliseconds: number,
): Promise<void> {
  if (child.connected) child.send({ kind: 'close' }, () => undefined)
  const kill = setTimeout(() => child.kill('SIGKILL'), milliseconds)
  await ended
  clearTimeout(kill)
}
