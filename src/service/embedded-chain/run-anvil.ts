import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { lockFolder } from '../store/folder-lock.js'
import { type AnvilRpc, createAnvilRpc, freePort, spawnAnvil, untilListening } from './anvil.js'
import { type ChainIdentity, readState } from './state-file.js'

/**
 * Starts anvil with the state in `folder`, or with a new chain if there is none. Rejects with one sentence if the state
 * is unusable or anvil does not start.
 */
export async function runAnvil(options: AnvilRunOptions): Promise<RunningAnvil> {
  const { folder, chainId, signal } = options
  const home = anvilHome(folder)
  await killStaleProcess(pidFile(folder), home)
  // Files that a previous anvil left there are useless.
  await rm(home, { recursive: true, force: true })
  await mkdir(home, { recursive: true, mode: 0o700 })
  const saved = await readState(statePath(folder), chainId)
  const stateFile = saved && join(home, 'state.json')
  if (stateFile) await writeFile(stateFile, saved.json, { mode: 0o600 })
  const born = saved?.about.born ?? birthday()
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`

  const child = spawnAnvil({
    ...{ chainId, port, home, timestamp: born },
    ...(stateFile && { stateFile }),
  })
  const rpc = createAnvilRpc(url)
  const stop = () => end(child, folder)
  try {
    await writeFile(pidFile(folder), String(child.pid ?? ''))
    await untilListening(child, home, signal)
    await rpc.call('evm_setTime', Date.now())
    // Not at its start: there, the limit would change the hash of block 0, which identifies a stored chain.
    await rpc.call('evm_setBlockGasLimit', `0x${BLOCK_GAS.toString(16)}`)
    const [first, block] = await rpc.batch([
      ['eth_getBlockByNumber', '0x0', false],
      ['eth_blockNumber'],
    ])
    const { hash, timestamp } = first as Block0
    const isOurs = Number(timestamp) === born && hash === (saved?.about.genesis ?? hash)
    if (!isOurs) throw new Error(`anvil makes another chain of ${statePath(folder)} than it held`)
    if (stateFile) await rm(stateFile)
    const about = { chainId, genesis: hash, born }
    return { child, rpc, url, port, about, block, isNew: saved === undefined, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

export type AnvilRunOptions = {
  readonly chainId: number
  /** The chain's own folder: state, process id, and the files of a running anvil. */
  readonly folder: string
  /** A free port by default. */
  readonly port?: number
  /** Aborts the start. */
  readonly signal?: AbortSignal
}

export type RunningAnvil = {
  readonly child: ChildProcess
  readonly rpc: AnvilRpc
  readonly url: string
  readonly port: number
  readonly about: ChainIdentity
  /** The newest block at its start. */
  readonly block: unknown
  /** Whether it has no saved state yet. */
  readonly isNew: boolean
  /** Ends it without saving. */
  readonly stop: () => Promise<void>
}

export const statePath = (folder: string): string => join(folder, 'state')

export const pidFile = (folder: string): string => join(folder, 'anvil.pid')

/** Only one anvil uses this folder. */
export const anvilHome = (folder: string): string => join(folder, 'anvil')

/**
 * Units of gas of a block: more than any submission uses. It also limits the size of a block's receipts, because logs cost 8
 * units a byte. A block of a billion units could contain 125 MB of them.
 */
const BLOCK_GAS = 150_000_000

type Block0 = { readonly hash: string; readonly timestamp: string }

/**
 * The time of block 0, in seconds: a random time of the last year. It is the only part of anvil's genesis that changes its
 * hash, so each new chain has its own hash.
 */
const birthday = (): number => Math.floor(Date.now() / 1_000 - 1 - Math.random() * 31_536_000)

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    // Its state is saved or not needed, so it can be killed.
    child.kill('SIGKILL')
    await ended
  }
  await rm(pidFile(folder), { force: true })
  await rm(anvilHome(folder), { recursive: true, force: true })
}

/**
 * Ends the anvil whose process id a killed supervisor left at `path`. Another process with that id is not ended: `mark`, the
 * folder that only this anvil uses, must be among its arguments.
 */
async function killStaleProcess(path: string, mark: string): Promise<void> {
  const pid = Number(await readFile(path, 'utf8').catch(() => ''))
  if (!Number.isSafeInteger(pid) || pid <= 0) return
  if ((await argumentsOf(pid)).includes(mark)) {
    try {
      process.kill(pid, 'SIGKILL')
      for (let tries = 0; tries < 100 && (await argumentsOf(pid)).includes(mark); tries += 1) {
        await pause(10)
      }
    } catch {
      // It has ended.
    }
  }
  await rm(path, { force: true })
}

/** The command line of a process; empty if it cannot be read. */
async function argumentsOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  }
  if (process.platform === 'win32') return ''
  return promisify(execFile)('ps', ['-p', String(pid), '-o', 'args='])
    .then(({ stdout }) => stdout)
    .catch(() => '')
}

/** The prefix of the temporary folders of chains that are not kept. */
export const TEMPORARY = 'twinspec-chain-'

/** Removes temporary chains whose gateway and supervisor were both killed, and ends their processes. */
export async function removeTempDirs(): Promise<void> {
  const names = await readdir(tmpdir())
  for (const name of names.filter((one) => one.startsWith(TEMPORARY))) {
    const folder = join(tmpdir(), name)
    try {
      // A newer one may be locked soon.
      if (Date.now() - (await stat(folder)).mtimeMs < 60_000) continue
      const lock = await lockFolder(folder)
      await killStaleProcess(pidFile(folder), anvilHome(folder))
      await rm(folder, { recursive: true, force: true })
      await lock.release()
    } catch {
      // It is in use, or belongs to another user.
    }
  }
}
