import type { Limits } from '../operation.js'
import { bytesOf, isLonger, type PendingCall } from './call.js'
import type { Sent } from './match.js'

/** Calls in groups that the limits allow, each with how it is sent; `lone` is how a group of one is. */
export const planGroups = (
  calls: readonly PendingCall[],
  lone: Sent,
  limits: Limits,
): readonly Group[] => {
  const counted = calls.map((call) => ({ call, bytes: bytesOf(call.text) }))
  return planBatches(counted, limits).map((group) => {
    const own = group.map(({ call }) => call)
    return { calls: own, sent: choosePackaging(own, lone, limits) }
  })
}

type Group = { readonly calls: readonly PendingCall[]; readonly sent: Sent }

/** A batch of one stays a batch, unless its brackets were the two bytes too many. */
export const choosePackaging = (
  calls: readonly PendingCall[],
  lone: Sent,
  { payloadBytes = Number.POSITIVE_INFINITY }: Limits,
): Sent => {
  const [first, second] = calls
  if (first === undefined || second !== undefined) return 'batch'
  return isLonger(first.text, payloadBytes - brackets) ? 'alone' : lone
}

/**
 * Calls in groups that each stay within `batchSize` items and `payloadBytes` of body, in the order
 * given. A call that is too large for any group stands alone: refusing it is its sender's part.
 */
export const planBatches = <Call extends { readonly bytes: number }>(
  calls: readonly Call[],
  limits: Limits,
): readonly (readonly Call[])[] => {
  const { batchSize = Number.POSITIVE_INFINITY, payloadBytes = Number.POSITIVE_INFINITY } = limits
  const groups: Call[][] = []
  let bytes = 0
  for (const call of calls) {
    const group = groups.at(-1)
    const joined = bytes + comma + call.bytes
    if (group === undefined || group.length >= batchSize || joined > payloadBytes) {
      groups.push([call])
      bytes = brackets + call.bytes
    } else {
      group.push(call)
      bytes = joined
    }
  }
  return groups
}

const brackets = 2
const comma = 1
