import type { Limits } from '../operation.js'
import { bytesOf, isLonger } from '../shared/byte-length.js'
import type { PendingCall } from './call.js'
import type { Line } from './client-context.js'
import type { Sent } from './match.js'
import { refuseLength } from './unsent.js'

/**
 * Calls in groups that the limits allow; `lone` is how a group of one is sent. A call that is too large by itself is
 * refused.
 */
export const groupCalls = (
  calls: readonly PendingCall[],
  lone: Sent,
  { service: { limits = {} } }: Line,
): readonly Group[] => {
  const counted = calls.flatMap((call) => {
    const bytes = bytesOf(call.text)
    const most = Math.min(bytesIn(limits), bytesIn(call.method.operation.limits))
    if (bytes <= most) return { call, bytes }
    refuseLength(call, bytes, most)
    return []
  })
  return planBatches(counted, limits).map((planned) => {
    const group = planned.map(({ call }) => call)
    return { group, sent: choosePackaging(group, lone, limits) }
  })
}

export type Group = { readonly group: readonly PendingCall[]; readonly sent: Sent }

/** A batch of one stays a batch, unless its brackets were the two bytes too many. */
export const choosePackaging = (
  calls: readonly PendingCall[],
  lone: Sent,
  limits: Limits | undefined,
): Sent => {
  const [first, second] = calls
  if (first === undefined || second !== undefined) return 'batch'
  return isLonger(first.text, bytesIn(limits) - brackets) ? 'alone' : lone
}

/**
 * Calls in groups that each stay within `batchSize` items and `payloadBytes` of body, in the order
 * given. A call that is too large for any group stands alone.
 */
export const planBatches = <Call extends { readonly bytes: number }>(
  calls: readonly Call[],
  limits: Limits,
): readonly (readonly Call[])[] => {
  const { batchSize = Number.POSITIVE_INFINITY } = limits
  const groups: Call[][] = []
  let bytes = 0
  for (const call of calls) {
    const group = groups.at(-1)
    const joined = bytes + comma + call.bytes
    if (group === undefined || group.length >= batchSize || joined > bytesIn(limits)) {
      groups.push([call])
      bytes = brackets + call.bytes
    } else {
      group.push(call)
      bytes = joined
    }
  }
  return groups
}

const bytesIn = ({ payloadBytes = Number.POSITIVE_INFINITY }: Limits = {}): number => payloadBytes

const brackets = 2
const comma = 1
