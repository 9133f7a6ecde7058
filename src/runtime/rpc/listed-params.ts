import type { RpcParam } from '../operation.js'

/** Params by position as they are sent: `null` for an optional one that is skipped, and nothing for the last ones. */
export const listedParams = (
  params: readonly RpcParam[],
  given: readonly unknown[],
): readonly unknown[] =>
  Array.from(given.slice(0, given.findLastIndex((one) => one !== undefined) + 1), (one, at) =>
    one === undefined && !params[at]?.required ? null : one,
  )
