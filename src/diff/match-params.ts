import { isDeepStrictEqual } from 'node:util'
import type { RpcOperation, RpcParam } from '../model/api.js'

/**
 * The params of two versions of a method: those of one name belong together, and of the others those
 * that stand in one place and take the same, or in a list of the same length.
 */
export function matchParams(before: RpcOperation, after: RpcOperation): MatchedParams {
  const byName = new Map(before.params.map((param) => [param.name, param]))
  const pairs: Match[] = []
  const added: RpcParam[] = []
  const taken = new Set<RpcParam>()
  const isFree = (param: RpcParam | undefined) =>
    param !== undefined && !after.params.some(({ name }) => name === param.name)
  for (const [index, param] of after.params.entries()) {
    const there = before.params[index]
    const renamed =
      there &&
      isFree(there) &&
      (before.params.length === after.params.length || isAlike(there, param))
        ? there
        : undefined
    const twin = there?.name === param.name ? there : (byName.get(param.name) ?? renamed)
    if (twin && !taken.has(twin)) {
      taken.add(twin)
      pairs.push({ before: twin, after: param })
    } else added.push(param)
  }
  return { pairs, added, removed: before.params.filter((param) => !taken.has(param)) }
}

export type Match = { readonly before: RpcParam; readonly after: RpcParam }

export type MatchedParams = {
  /** In the order of the version after. */
  readonly pairs: readonly Match[]
  readonly added: readonly RpcParam[]
  readonly removed: readonly RpcParam[]
}

const isAlike = (one: RpcParam, other: RpcParam) => isDeepStrictEqual(one.schema, other.schema)
