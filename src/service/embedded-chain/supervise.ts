import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { AnvilEnded } from './anvil.js'
import { type RunningAnvil, runAnvil } from './run-anvil.js'
import { createSaver, type Saver } from './save.js'
import { createStuckWatch, type Watch } from './stuck-transactions.js'
import type { SuperviseOptions, WriteLog } from './supervisor-messages.js'

/**
 * Keeps a chain running until the signal is aborted. It starts anvil, and restarts it on the same port from its last saved
 * state. It makes anvil mine stuck transactions, and saves the state shortly after each change and at the end. Rejects if the
 * first start fails, or five later ones in a row.
 */
export async function superviseChain(options: SuperviseOptions): Promise<void> {
  const { signal, log, onReady } = options
  let port = options.port
  let failures = 0
  while (!signal.aborted) {
    let anvil: RunningAnvil
    try {
      anvil = await runAnvil({ ...options, ...(port !== undefined && { port }) })
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      // A port that was free may be in use by now; one that callers know may become free again.
      if (failures >= 5 || !(error instanceof AnvilEnded)) throw error
      await pause(port === undefined ? 0 : 200 * 2 ** failures)
      continue
    }
    failures = 0
    port = anvil.port
    const saver = createSaver(anvil, options)
    try {
      if (anvil.isNew) await saver.save()
      onReady(anvil.url, anvil.port)
      await tend(anvil, saver, signal, log)
      if (signal.aborted) await finish(anvil, saver, log)
    } finally {
      await anvil.stop()
    }
    if (signal.aborted) return
    log('warn', 'the chain ended by itself and is started again')
    await pause(LOOK_PAUSE)
  }
}

/** Checks and saves until the signal is aborted or anvil ends. */
async function tend(
  anvil: RunningAnvil,
  saver: Saver,
  signal: AbortSignal,
  log: WriteLog,
): Promise<void> {
  const { child } = anvil
  const over = new AbortController()
  const leave = () => over.abort()
  child.once('exit', leave)
  signal.addEventListener('abort', leave)
  if (signal.aborted || child.exitCode !== null || child.signalCode !== null) leave()
  const loop = async (work: () => Promise<void>, milliseconds: () => number, what: string) => {
    while (!over.signal.aborted) {
      await pause(milliseconds(), undefined, { signal: over.signal }).catch(() => undefined)
      if (over.signal.aborted) return
      await work().catch((error: unknown) => {
        if (!over.signal.aborted) log('warn', `${what}: ${String(error)}`)
      })
    }
  }
  const watch = createStuckWatch(anvil.rpc)
  let answeredAt = performance.now()
  const isDead = async (error: unknown): Promise<boolean> => {
    if ((error as Error).name !== 'TimeoutError') return false
    const silence = performance.now() - answeredAt
    if (silence > LONGEST_SILENCE) return true
    // During long calls, anvil does not respond. If it is killed then, it loses unsaved changes.
    const isBusy = await isWorking(child.pid ?? 0)
    return isBusy === undefined ? silence > SILENCE_UNSEEN : !isBusy
  }
  await Promise.all([
    loop(
      async () => {
        try {
          await look(watch, saver, log)
          answeredAt = performance.now()
        } catch (error) {
          // In bursts, anvil has been observed to stop permanently and fill the memory.
          if (!over.signal.aborted && (await isDead(error))) child.kill('SIGKILL')
          throw error
        }
      },
      () => LOOK_PAUSE,
      'the pool of the chain could not be looked at',
    ),
    loop(saver.save, saver.pause, 'the chain could not be saved'),
  ])
  signal.removeEventListener('abort', leave)
}

async function look(watch: Watch, saver: Saver, log: WriteLog): Promise<void> {
  const { mined, freed } = await saver.besides(watch)
  if (mined) log('debug', 'stranded transactions were mined')
  if (freed > 0) log('info', 'transactions that waited for nothing were put in again', { freed })
}

/** Milliseconds. */
const LOOK_PAUSE = 200

/** Milliseconds without a response after which anvil is killed, even if it uses the processor. */
const LONGEST_SILENCE = 300_000

/** The same if the system does not report whether it uses the processor. */
const SILENCE_UNSEEN = 90_000

/** Mines ready transactions, so that they are saved too. */
async function finish({ rpc, child }: RunningAnvil, saver: Saver, log: WriteLog): Promise<void> {
  try {
    const watch = createStuckWatch(rpc)
    for (let tries = 0; tries < 20; tries += 1) {
      const { pending } = (await rpc.call('txpool_status')) as { pending: string }
      if (Number(pending) === 0) break
      await look(watch, saver, log)
      await pause(50)
    }
    await saver.save()
  } catch (error) {
    const died = child.exitCode ?? child.signalCode
    const message = died === null ? String(error) : `it ended before (${died})`
    log('error', `the chain could not be saved at its end: ${message}`)
  }
}

/**
 * Whether a process uses the processor: one without a response may only be busy. It is observed for
 * `milliseconds`. Undefined except on Linux.
 */
export async function isWorking(pid: number, milliseconds = 2_000): Promise<boolean | undefined> {
  const before = await ticksOf(pid)
  if (before === undefined) return undefined
  await pause(milliseconds)
  const after = await ticksOf(pid)
  return after !== undefined && after - before >= LEAST_TICKS
}

/** Ticks of a hundredth of a second. The timers of a hanging process use fewer. */
const LEAST_TICKS = 5

/** The processor time of a process, in user and in system mode: fields 14 and 15 of `/proc/PID/stat`, see proc(5). */
async function ticksOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // Field 2 is the name of the program, which may contain any character.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields === undefined ? undefined : Number(fields[11]) + Number(fields[12])
}
