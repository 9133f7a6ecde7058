import type { Limits } from '../runtime/operation.js'

/** What `x-limits` says, in words; empty where it says nothing. */
export const limitWords = (limits: Limits): string =>
  [
    limits.requestsPerMinute && `${limits.requestsPerMinute} requests a minute`,
    limits.batchSize && `${limits.batchSize} requests in a batch`,
    limits.payloadBytes && `${limits.payloadBytes.toLocaleString('en')} bytes a body`,
  ]
    .filter(Boolean)
    .join(', ')
