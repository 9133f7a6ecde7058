import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { removeTempDirs, TEMPORARY } from './remove-temp-dirs.js'
import { endSupervisor, startSupervisor } from './start-supervisor.js'

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
  const wanted = {
    ...{ chainId, folder, isTemporary },
    ...(savePause !== undefined && { savePause }),
    ...(patience !== undefined && { patience }),
    ...(mostMemory !== undefined && { mostMemory }),
  }
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
  const watching = watchKeeper()

  /** Whoever knows the address of the chain goes on using it: a supervisor that dies is followed by one on the same port. */
  async function watchKeeper(): Promise<void> {
    for (;;) {
      const how = await supervisor.ended
      if (closing.signal.aborted) return
      log.error({ how }, 'the process that keeps the chain ended and is started again')
      while (!closing.signal.aborted) {
        try {
          supervisor = await startSupervisor({ ...wanted, port }, { log, onMemory })
          // It came too late to be told.
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
