import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'

/** What was started, by name. */
export type Parts = { [name in Name]?: Part | undefined }

export type Part = { readonly close: () => Promise<void> }

/** Nobody is closed before those who need it. */
const ORDER = [
  'keysDoor',
  'gateway',
  'reference',
  'outbox',
  'compiler',
  'store',
  'chain',
  'folder',
] as const

type Name = (typeof ORDER)[number]

/** Closes all, one after the other; one that fails, or takes far more time than it was given, does not keep the others open. */
export const closeParts = async (parts: Parts, seconds: number, log: Logger): Promise<void> => {
  for (const name of ORDER) {
    const part = parts[name]
    if (part === undefined) continue
    const over = new AbortController()
    const late = pause((seconds + GRACE) * 1_000, 'late', { signal: over.signal })
    try {
      const end = await Promise.race([part.close(), late])
      if (end === 'late') log.warn({ part: name }, 'is not closed in time')
    } catch (error) {
      log.warn({ part: name, err: error }, 'was not closed cleanly')
    } finally {
      over.abort()
      await late.catch(() => undefined)
    }
  }
}

/** Seconds: the gateway itself takes as many as it is given. */
const GRACE = 5
