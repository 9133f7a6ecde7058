import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { messageOf } from '../runtime/shared/message-of.js'
import { type Io, UsageError } from './io.js'

/** Outside of every repository, so that it is not committed by mistake. */
export const defaultSecretFile = ({ env }: Pick<Io, 'env'>): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'twinspec', 'usage-secret')

/**
 * The secret of a file, which is created where it is missing, readable by its owner alone. Throws UsageError where it cannot be
 * read or written, is too short, or can be read by others.
 */
export const secretIn = (file: string, onCreate: () => void): Uint8Array => {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 })
    onCreate()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new UsageError(`the secret ${file} cannot be written: ${messageOf(cause)}`, { cause })
  }
  if (statSync(file).isDirectory()) throw new UsageError(`${file} is a folder: name a file in it`)
  const text = textOf(file)
  // A secret that is public, such as a document, would let anybody test which key an id is of.
  if (/\s/.test(text))
    throw new UsageError(
      `${file} is no secret, which is one line without blanks: name a file that does not exist, and it is made`,
    )
  if (text.length < SHORTEST)
    throw new UsageError(
      `the secret in ${file} is shorter than ${SHORTEST} characters: delete the file, and a new one is made`,
    )
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new UsageError(`other users can read the secret ${file}: run chmod 600 on it`)
  return new TextEncoder().encode(text)
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new UsageError(`the secret ${file} cannot be read: ${messageOf(cause)}`, { cause })
  }
}

const SHORTEST = 32
