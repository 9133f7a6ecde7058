import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Closed } from './gateway/gateway.js'
import type { Outbox } from './outbox/outbox.js'
import type { Settings } from './setting-rows.js'

/** What a stop found, filled in while the parts are closed. */
export type StopReport = Partial<Closed> & {
  /** Submissions in the store that are not mined or rejected yet; absent where the store did not answer. */
  readonly unfinished?: number | undefined
}

/** How many submissions the next start continues with. Undefined where the store does not answer within 2 seconds. */
export const countUnfinished = async (outbox: Outbox): Promise<number | undefined> => {
  const given = new AbortController()
  const late = pause(2_000, undefined, { signal: given.signal }).catch(() => undefined)
  const counted = outbox.depth().then(
    ({ pending, processing }) => pending + processing,
    () => undefined,
  )
  return Promise.race([counted, late]).finally(() => given.abort())
}

/** Logs the last line of a stop: how many requests were finished, and what is kept for the next start. */
export const logStop = (log: Logger, report: StopReport, settings: Settings): void => {
  const { finished = 0, interrupted = 0, unfinished } = report
  const requests = `${finished} open requests were finished, ${interrupted} were interrupted`
  const message = `the service has stopped: ${requests}; ${keptOf(settings, unfinished)}`
  log.info({ finished, interrupted, ...(unfinished !== undefined && { unfinished }) }, message)
}

const keptOf = ({ databaseUrl, data }: Settings, unfinished: number | undefined): string => {
  if (databaseUrl === undefined && data === undefined)
    return 'nothing is kept, because there is no --data folder'
  const place = databaseUrl === undefined ? `in ${data}` : 'in PostgreSQL'
  if (unfinished === undefined) return `unfinished submissions are kept ${place}`
  return `${unfinished} unfinished submissions are kept ${place} and continue at the next start`
}
