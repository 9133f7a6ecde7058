import type { Operation } from '../../model/api.js'
import type { Sent } from '../../traffic/exchange.js'
import type { VariedInput } from '../case.js'

/**
 * Records which values the server handled correctly, so that a run need not send them again. Operations often share parts of
 * requests: parts of one name with equal schemas, such as `path.id`. If all values of a part were tested at one operation, a few
 * show whether another operation validates it.
 */
export const createSharing = (): Sharing => {
  const known = new Map<string, Operation>()
  const rejected = new Set<string>()
  return {
    isTriedElsewhere: (input, what) => {
      const operation = known.get(keyOf(input, what))
      return operation !== undefined && operation !== input.operation
    },
    note: (input, what) => {
      const key = keyOf(input, what)
      if (!known.has(key)) known.set(key, input.operation)
    },
    isRejected: (sent) => rejected.has(textOf(sent)),
    noteRejected: (sent) => void rejected.add(textOf(sent)),
  }
}

export type Sharing = {
  /** `what` names values: `invalid maximum just above the maximum`. */
  readonly isTriedElsewhere: (input: VariedInput, what: string) => boolean
  readonly note: (input: VariedInput, what: string) => void
  /** Whether the server rejected the same invalid request. */
  readonly isRejected: (sent: Sent) => boolean
  readonly noteRejected: (sent: Sent) => void
}

const keyOf = ({ part, schema }: VariedInput, what: string): string =>
  `${part} ${JSON.stringify(schema)} ${what}`

const textOf = ({ method, url, headers, body }: Sent): string =>
  `${method} ${url} ${JSON.stringify(headers)} ${body}`
