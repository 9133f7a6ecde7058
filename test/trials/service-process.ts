import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { basicVariables } from '../variables.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The service as a user starts it: `npm start` in a process of its own, which can be killed and started again at the
 * same address.
 */
export const startServiceProcess = async (
  options: ServiceOptions = {},
): Promise<ServiceProcess> => {
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  let child = spawnService(port, options)
  let output = collect(child)

  const ready = async (): Promise<void> => {
    const deadline = Date.now() + 150_000
    for (;;) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`the service ended while it started:\n${output()}`)
      if (await isReady(url)) return
      if (Date.now() > deadline) throw new Error(`the service did not get ready:\n${output()}`)
      await pause(50)
    }
  }
  const ended = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  if (options.waitUntilReady ?? true) await ready()
  return {
    url,
    port,
    pid: () => child.pid ?? 0,
    output: () => output(),
    ready,
    ended: async () => {
      await ended()
      const { exitCode, signalCode } = child
      return signalCode === null ? exitCode : 128 + constants.signals[signalCode]
    },
    isRunning: () => child.exitCode === null && child.signalCode === null,
    interrupt: () => {
      if (child.pid === undefined) throw new Error('the process did not start')
      process.kill(-child.pid, 'SIGINT')
    },
    crash: async () => {
      child.kill('SIGKILL')
      await ended()
    },
    start: async () => {
      child = spawnService(port, options)
      output = collect(child)
      await ready()
    },
    stop: async () => {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 45_000)
      await ended()
      clearTimeout(late)
      return child.exitCode
    },
  }
}

export type ServiceOptions = {
  readonly port?: number
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly waitUntilReady?: boolean
  /** As on a terminal of its own: `interrupt` needs it. Whoever ends the tests with Ctrl-C leaves it running. */
  readonly ownGroup?: boolean
}

export type ServiceProcess = {
  readonly url: string
  readonly port: number
  readonly pid: () => number
  /** What it wrote so far, on both streams. */
  readonly output: () => string
  readonly ready: () => Promise<void>
  /** Resolves with its exit code when it has ended by itself; as a shell tells it, 130, where a Ctrl-C met it at its very end. */
  readonly ended: () => Promise<number | null>
  readonly isRunning: () => boolean
  /** Ctrl-C in a terminal: to it and to all that it has started. */
  readonly interrupt: () => void
  /** kill -9, and nothing else. */
  readonly crash: () => Promise<void>
  readonly start: () => Promise<void>
  /** Asks it to end and resolves with its exit code. */
  readonly stop: () => Promise<number | null>
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

/** Free at the moment of asking, which is all that can be known. */
export const freePort = async (): Promise<number> => {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

const spawnService = (port: number, options: ServiceOptions): ChildProcess => {
  const { args = [], env = {}, ownGroup = false } = options
  const built = process.env.BUILT
  const main = built === undefined ? SOURCE : [join(built, 'dist/src/service/main.js')]
  return spawn(process.execPath, [...main, '--port', String(port), ...args], {
    cwd: ROOT,
    env: { ...basicVariables(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: ownGroup,
  })
}

/** Where nothing was built. */
const SOURCE = ['--import', 'tsx', '-C', 'twinspec-source', 'src/service/main.ts']

const collect = (child: ChildProcess): (() => string) => {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = `${text}${chunk}`.slice(-200_000)
    })
  return () => text
}

const isReady = async (url: string): Promise<boolean> => {
  try {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(2_000) })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

/** Known to everybody: wallets of trials hold nothing. */
export const MNEMONIC = 'test test test test test test test test test test test junk'
