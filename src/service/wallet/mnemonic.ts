import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { english, generateMnemonic } from 'viem/accounts'

/**
 * The mnemonic in the file `mnemonic` of `folder`, made there, for this user's eyes only, where there is none; a new one that is
 * kept nowhere where no folder is given. Rejects with a MnemonicError where the file holds none.
 */
export async function readOrMakeMnemonic(folder: string | undefined): Promise<string> {
  if (folder === undefined) return newMnemonic()
  const file = join(folder, 'mnemonic')
  const kept = await textOf(file)
  if (kept === undefined) await keep(file, newMnemonic())
  try {
    // Read back even where we made it: of two processes that start at once, the first one's is kept.
    return checkedMnemonic(kept ?? (await readFile(file, 'utf8')))
  } catch (error) {
    if (!(error instanceof MnemonicError)) throw error
    throw new MnemonicError(`${file}: ${error.message}; restore the file from a backup`)
  }
}

/** Twelve words, of 128 random bits. */
export function newMnemonic(): string {
  return generateMnemonic(english)
}

/** The words in lower case with single spaces. Throws a MnemonicError, which tells none of them, where BIP-39 knows them not. */
export function checkedMnemonic(text: string): string {
  const words = text.trim().toLowerCase().split(/\s+/)
  if (![12, 15, 18, 21, 24].includes(words.length)) {
    throw new MnemonicError(
      `a mnemonic has 12, 15, 18, 21 or 24 words, and this one has ${text.trim() ? words.length : 0}`,
    )
  }
  const indexes = words.map((word) => english.indexOf(word))
  const unknown = indexes.indexOf(-1)
  if (unknown >= 0) {
    throw new MnemonicError(
      `word ${unknown + 1} of the mnemonic is not in the English list of BIP-39`,
    )
  }
  if (!isConsistent(indexes)) {
    throw new MnemonicError(
      'the checksum of the mnemonic is wrong: a word is wrong, or in the wrong place',
    )
  }
  return words.join(' ')
}

/** What should be a mnemonic is none. */
export class MnemonicError extends Error {
  override readonly name = 'MnemonicError'
}

/** BIP-39: eleven bits a word; of each 33 bits, 32 are entropy, and the rest begins its SHA-256. */
function isConsistent(indexes: readonly number[]): boolean {
  const bits = indexes.map((index) => index.toString(2).padStart(11, '0')).join('')
  const entropy = bits.slice(0, (bits.length / 33) * 32)
  const octets = entropy.match(/.{8}/g)?.map((octet) => Number.parseInt(octet, 2)) ?? []
  const [digest = 0] = createHash('sha256').update(Uint8Array.from(octets)).digest()
  return digest.toString(2).padStart(8, '0').startsWith(bits.slice(entropy.length))
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Whole or not at all, and never over one that is there: a mnemonic lost is every wallet lost. */
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
