import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { forkOurs } from '../fork.js'
import { removeTempDirs, TEMPORARY } from './run-anvil.js'
import type { SupervisorMessage, SupervisorOptions } from './supervisor-messages.js'

/**
 * Starts a chain of our own, or the one that `folder` holds. Rejects with one sentence where its state cannot be used, another
 * process has it, or anvil is not installed.
 */
export async function startChain(options: ChainOptions): Promise<EmbeddedChain> {
  const { chainId, log, savePause, patience, mostMemory, signal } = options
  const isTemporary = options.folder === undefined
  const folder =
    options.folder === undefined
      ? await mkdtemp(join(tmpdir(), TEMPORARY))
      : join(options.folder, 'chain')
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

  /** Callers keep the address of the chain: a supervisor that dies is followed by one on the same port. */
  async function restartSupervisor(): Promise<void> {
    for (;;) {
      const how = await supervisor.ended
      if (closing.signal.aborted) return
      log.error({ how }, 'the process that keeps the chain ended and is started again')
      while (!closing.signal.aborted) {
        try {
          supervisor = await startSupervisor({ ...wanted, port }, { log, onMemory })
          // It came too late for the message.
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

/** A chain of our own: anvil, started and watched by a process that outlives a crash of the gateway long enough to save it. */
export type EmbeddedChain = {
  /** Where it takes JSON-RPC, on the loopback. It stays the same when the chain is started again. */
  readonly url: string
  /** Bytes that anvil would take while its state is saved. 0 where the machine does not show it: Linux alone does. */
  readonly memory: () => number
  /** Saves the state where there is a folder for it, then ends the chain. */
  readonly close: () => Promise<void>
}

export type ChainOptions = {
  readonly chainId: number
  /** The chain is kept in its folder `chain`; nothing is kept where absent. */
  readonly folder?: string | undefined
  readonly log: Logger
  /** Milliseconds between two states saved: what an anvil that is killed can lose. 1,000 where absent. */
  readonly savePause?: number
  /** Milliseconds to wait for a former gateway's supervisor, which may be saving still; 15,000 where absent. */
  readonly patience?: number
  /** Bytes that anvil may have in memory before it is started again; 4 GB, or half of a smaller machine's, where absent. */
  readonly mostMemory?: number
  /** Ends a start that is under way, which then rejects. A chain that runs is closed instead. */
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds for the supervisor to save and end. */
const PATIENCE = 60_000

/** Starts a supervisor. Rejects with its one sentence where it cannot keep the chain, or where the signal ends it before it does. */
function startSupervisor(
  options: SupervisorOptions,
  { log, signal, onMemory }: StartSupervisorOptions,
): Promise<Supervisor> {
  const child = forkOurs(new URL('./supervisor.js', import.meta.url), {
    args: [JSON.stringify(options)],
    // In a group of its own, a signal to the gateway's group leaves it to finish.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let printed = ''
  let reason: string | undefined
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-2_000)
  })
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
      if (printed !== '') log.debug({ printed }, 'the supervisor of the chain printed this')
      // Not before the process is gone: the caller may start another.
      reject(new Error(reason ?? `the process that keeps the chain ended at its start (${how})`))
    })
  }).finally(() => signal?.removeEventListener('abort', end))
}

export type StartSupervisorOptions = {
  readonly log: Logger
  readonly signal?: AbortSignal | undefined
  /** Is given the bytes of `SupervisorMessage`. */
  readonly onMemory: (bytes: number) => void
}

/** Milliseconds in which a supervisor that has nothing to save yet ends itself, and its anvil. */
const START_PATIENCE = 10_000

export type Supervisor = {
  readonly child: ChildProcess
  /** Resolves with the signal or the exit code. */
  readonly ended: Promise<string>
  readonly url: string
  readonly port: number
}

/** Has the supervisor save the chain and end; kills it where it has not after `milliseconds`. */
async function endSupervisor(
  { child, ended }: Pick<Supervisor, 'child' | 'ended'>,
  milliseconds: number,
): Promise<void> {
  if (child.connected) child.send({ kind: 'close' }, () => undefined)
  const kill = setTimeout(() => child.kill('SIGKILL'), milliseconds)
  await ended
  clearTimeout(kill)
}
