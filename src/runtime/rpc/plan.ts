import type { Limits } from '../operation.js'

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
