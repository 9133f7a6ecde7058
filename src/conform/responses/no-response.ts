import type { Operation } from '../../model/api.js'
import type { Limits } from '../../runtime/operation.js'
import type { Complaint } from '../case.js'
import { type Exchange, isLate, isUnsent, type Sent } from '../wire/exchange.js'
import type { CheckContext } from './check-context.js'
import type { Reading } from './read.js'

/** An answer that did not come, or not all of it. */
export const checkMissing = (
  { api }: CheckContext,
  exchange: Exchange,
  reading: Reading,
): readonly Complaint[] => {
  const { failure, cause, sent } = exchange
  // Who ends a run ends its requests, and what was never sent needs no answer.
  if (failure === undefined || cause === 'ended' || isUnsent(exchange)) return []
  const operation = operationOf(reading)
  const limits =
    reading.kind === 'rpc' ? api.rpc?.limits : { ...api.http?.limits, ...operation?.limits }
  const isSlow = isLate(exchange)
  // RFC 9112, 9.3: a server that refuses a body need not read it to its end.
  if (!isSlow && isTooLarge(sent, limits)) return []
  return [
    {
      rule:
        cause === 'too large'
          ? 'response-too-large'
          : isSlow
            ? 'response-late'
            : 'response-truncated',
      message: failure,
      due: 'a whole response',
      exchange,
      operation,
    },
  ]
}

export const isTooLarge = ({ body = '' }: Sent, limits: Limits = {}): boolean =>
  Buffer.byteLength(body) > (limits.payloadBytes ?? Number.POSITIVE_INFINITY)

export const operationOf = (reading: Reading): Operation | undefined => {
  if (reading.kind === 'http') return reading.operation
  if (reading.kind !== 'rpc' || reading.request.kind !== 'single') return undefined
  return reading.request.member.operation
}
