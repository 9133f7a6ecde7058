import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/**
 * Reads a file of `writeState`; undefined if there is none. Rejects with one sentence if the file is incomplete, has
 * another format, or contains another chain.
 */
export async function readState(path: string, chainId: number): Promise<SavedState | undefined> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`${path} cannot be read (${error.code ?? error.message})`)
  })
  if (bytes === undefined) return undefined
  const line = bytes.indexOf('\n')
  const about = readAbout(bytes.subarray(0, Math.max(line, 0)).toString('utf8'))
  if (about === undefined) {
    throw new Error(`${path} is not the state of a chain kept by this service: ${mend}`)
  }
  if (about.chainId !== chainId) {
    throw new Error(
      `${path} holds the chain ${about.chainId}, not ${chainId}: give that --chain-id, or another folder with --data`,
    )
  }
  try {
    const json = await promisify(gunzip)(bytes.subarray(line + 1))
    return { about, json }
  } catch {
    throw new Error(`${path} is damaged: ${mend}`)
  }
}

/** Replaces the state atomically, so that a reader finds a complete file, even after a power failure. */
export async function writeState(
  path: string,
  about: ChainIdentity,
  state: Uint8Array,
): Promise<void> {
  const next = `${path}.new`
  const file = await open(next, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify({ format: FORMAT, ...about })}\n`)
    await file.writeFile(state)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
  // Windows cannot open folders, and does not need this step.
  if (process.platform === 'win32') return
  const folder = await open(dirname(path), 'r')
  await folder.sync().finally(() => folder.close())
}

/** The chain to which a state belongs. */
export type ChainIdentity = {
  readonly chainId: number
  /** The hash of block 0. */
  readonly genesis: string
  /** The time of block 0, in seconds. */
  readonly born: number
}

type SavedState = {
  readonly about: ChainIdentity
  /** The content for anvil's `--load-state`. */
  readonly json: Uint8Array
}

const FORMAT = 'twinspec chain 2'

const mend = 'put a copy of it back, or give another folder with --data'

const readAbout = (text: string): ChainIdentity | undefined => {
  try {
    const { format, chainId, genesis, born } = JSON.parse(text)
    const fits = format === FORMAT && typeof genesis === 'string'
    if (!fits || typeof chainId !== 'number' || typeof born !== 'number') return undefined
    return { chainId, genesis, born }
  } catch {
    return undefined
  }
}
