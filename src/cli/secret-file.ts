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
  const { mode } = statSync(file)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new UsageError(`other users can read the secret ${file}: run chmod 600 on it`)
  const text = readFileSync(file, 'utf8').trim()
  if (text.length < SHORTEST)
    throw new UsageError(
      `the secret in ${file} is shorter than ${SHORTEST} characters: delete the file, and a new one is made`,
    )
  return new TextEncoder().encode(text)
}

const SHORTEST = 32
