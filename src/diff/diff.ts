import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { servers as readServers } from '../model/reading.js'
import { bodyChanges } from './body-changes.js'
import { type Comparison, documentOf, nameOf } from './comparison.js'
import { documentChanges } from './document-changes.js'
import { type Change, createGathering } from './gather.js'
import { linkChanges } from './link-changes.js'
import { matchOperations } from './match-operations.js'
import { methodChanges } from './method-changes.js'
import { addition, operationChanges, withdrawal } from './operation-changes.js'
import { outgoingChanges } from './outgoing-changes.js'
import { parameterChanges } from './parameter-changes.js'
import { pollChanges, promiseChanges } from './promise-changes.js'
import { responseChanges } from './response-changes.js'
import { securityChanges } from './security-changes.js'
import { serverChanges } from './server-changes.js'
import { weighed } from './stability.js'
import { createDiffContext } from './subject.js'
import { variantChanges } from './variant-changes.js'
import { writtenOperation } from './written.js'

/**
 * What changed from one version to the next, breaking or not: errors break callers or readers, what
 * matters most comes first, and a version against itself yields nothing.
 */
export function diff(before: Api, after: Api, options: DiffOptions): readonly Finding[] {
  const today = options.today.toISOString().slice(0, 10)
  const gathering = createGathering()
  const context = createDiffContext(before, after, today)
  const { pairs, added, removed } = matchOperations(before, after)

  for (const finding of documentChanges(before.http, after.http)) gathering.add(finding)
  for (const finding of documentChanges(before.rpc, after.rpc)) gathering.add(finding)
  for (const operation of removed) {
    gathering.add(weighed(withdrawal(after, operation, today), operation), nameOf(operation))
  }
  for (const operation of added) gathering.add(addition(before, operation), nameOf(operation))
  for (const [index, pair] of pairs.entries()) {
    options.onProgress?.(index, pairs.length)
    const name = nameOf(pair.after)
    const comparison = { ...pair, context, name, today }
    for (const finding of changes(comparison)) gathering.add(weighed(finding, pair.before), name)
  }
  for (const { operation, ...finding } of outgoingChanges(context)) {
    gathering.add(finding, operation)
  }
  return gathering.findings()
}

export type DiffOptions = {
  /** Decides whether what was deprecated may go. */
  readonly today: Date
  /** Called with how many operations are compared, and of how many. */
  readonly onProgress?: (done: number, total: number) => void
}

function* changes(comparison: Comparison): Generator<Change> {
  yield* operationChanges(comparison)
  yield* promiseChanges(comparison)
  yield* linkChanges(comparison)
  yield* ownServerChanges(comparison)
  if (isRpc(comparison)) yield* methodChanges(comparison)
  if (!isHttp(comparison)) return
  yield* securityChanges(comparison)
  yield* parameterChanges(comparison)
  yield* bodyChanges(comparison)
  yield* variantChanges(comparison)
  yield* responseChanges(comparison)
  yield* pollChanges(comparison)
}

/** Operations are paired within a protocol. */
const isHttp = (comparison: Comparison): comparison is Comparison<HttpOperation> =>
  comparison.after.kind === 'http'

const isRpc = (comparison: Comparison): comparison is Comparison<RpcOperation> =>
  comparison.after.kind === 'rpc'

/** Servers that an operation takes from its document are compared once, with the document. */
function* ownServerChanges({ before, after, context, name }: Comparison): Generator<Finding> {
  const addresses = (api: Api, operation: Operation) => {
    const servers = documentOf(api, operation)?.servers ?? []
    const own = operation.kind === 'http' ? operation.servers : methodServers(api, operation)
    return { servers: own ?? servers, isOwn: own && !isDeepStrictEqual(own, servers) }
  }
  const [was, is] = [addresses(context.before, before), addresses(context.after, after)]
  if (!was.isOwn && !is.isOwn) return
  yield* serverChanges(
    name,
    { servers: was.servers, source: before.source },
    { servers: is.servers, source: after.source },
  )
}

/** OpenRPC 1.3, Method Object: an alternative list of servers. Clients call those of the document, so the model has none. */
const methodServers = (api: Api, operation: RpcOperation) => {
  const { servers } = writtenOperation(api, operation)
  return Array.isArray(servers) && servers.length > 0 ? readServers(servers) : undefined
}
