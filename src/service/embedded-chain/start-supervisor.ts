import type { ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import { forkOurs } from '../fork.js'
import type { SupervisorMessage, SupervisorOptions } from './supervisor-messages.js'

/** Starts a supervisor. Rejects with its one sentence where it cannot keep the chain, or where the signal ends it before it does. */
export function startSupervisor(
  options: SupervisorOptions,
  { log, signal, onMemory }: StartKeeperOptions,
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
      // Not before the process is gone: whoever hears it may start another.
      reject(new Error(reason ?? `the process that keeps the chain ended at its start (${how})`))
    })
  }).finally(() => signal?.removeEventListener('abort', end))
}

export type StartKeeperOptions = {
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
export async function endSupervisor(
  { child, ended }: Pick<Supervisor, 'child' | 'ended'>,
  milliseconds: number,
): Promise<void> {
  if (child.connected) child.send({ kind: 'close' }, () => undefined)
  const kill = setTimeout(() => child.kill('SIGKILL'), milliseconds)
  await ended
  clearTimeout(kill)
}
