import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Closed } from './gateway/gateway.js'
import type { Outbox } from './outbox/outbox.js'
import type { Settings } from './setting-rows.js'

/** The facts for the log of a stop, collected while the parts are closed. */
export type StopReport = Partial<Closed> & {
  /** Submissions in the store that are not mined or rejected yet; undefined if the store did not respond. */
  readonly unfinished?: number | undefined
}

/** The number of submissions that the next start continues with. Undefined if the store does not respond within 2 seconds. */
export const countUnfinished = async (outbox: Outbox): Promise<number | undefined> => {
  const deadline = new AbortController()
  const late = pause(2_000, undefined, { signal: deadline.signal }).catch(() => undefined)
  const counted = outbox.depth().then(
    ({ pending, processing }) => pending + processing,
    () => undefined,
  )
  return Promise.race([counted, late]).finally(() => deadline.abort())
}

/** Logs the last line of a stop: the number of finished requests, and what is kept for the next start. */
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
