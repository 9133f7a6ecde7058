import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { validateMnemonic } from '@scure/bip39'
import { english, generateMnemonic } from 'viem/accounts'
import { UsageError } from '../usage-error.js'

/**
 * The mnemonic in the file `mnemonic` of `folder`. A missing file is created, readable only by this user. Without a folder, it
 * is a new mnemonic that is not stored. Rejects with a UsageError if the file does not contain a valid one.
 */
export async function readOrMakeMnemonic(folder: string | undefined): Promise<string> {
  if (folder === undefined) return newMnemonic()
  const file = join(folder, 'mnemonic')
  const kept = await textOf(file)
  if (kept === undefined) await keep(file, newMnemonic())
  try {
    // Read back even if it was created here: if two processes start at the same time, the first one's mnemonic is kept.
    return checkedMnemonic(kept ?? (await readFile(file, 'utf8')))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`${file}: ${error.message}; restore the file from a backup`)
  }
}

/** Twelve words, of 128 random bits. */
export function newMnemonic(): string {
  return generateMnemonic(english)
}

/** The words in lower case with single spaces. Throws a UsageError without the words if they are invalid in BIP-39. */
export function checkedMnemonic(text: string): string {
  const words = text.trim().toLowerCase().split(/\s+/).join(' ')
  if (validateMnemonic(words, english)) return words
  throw new UsageError(
    'the mnemonic cannot be used: it must be 12, 15, 18, 21 or 24 words of the English list of BIP-39, the last of which has the checksum',
  )
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes the file atomically, and never replaces an existing one: a lost mnemonic means that every wallet is lost. */
async function keep(file: string, mnemonic: string): Promise<void> {
  const draft = `${file}-${randomUUID()}`
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  try {
    const handle = await open(draft, 'wx', 0o600)
    await handle.writeFile(`${mnemonic}\n`)
    await handle.sync()
    await handle.close()
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
}
