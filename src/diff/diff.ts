import { isDeepStrictEqual } from 'node:util'
import type {
  Api,
  HttpDocument,
  HttpOperation,
  Operation,
  RpcDocument,
  RpcOperation,
  Variant,
} from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { nameOf } from '../model/operation-name.js'
import { servers as readServers } from '../read/document-info.js'
import { refTo, type Schema } from '../schema/schema.js'
import { sentKey, type Usage } from '../usage/usage.js'
import { bodyChanges } from './body-changes.js'
import {
  both,
  type Change,
  type Comparison,
  change,
  createGathering,
  documentOf,
  weighed,
} from './change.js'
import { methodChanges } from './method-changes.js'
import {
  addition,
  limitChanges,
  linkChanges,
  operationChanges,
  pollChanges,
  promiseChanges,
  removedOperation,
} from './operation-changes.js'
import { outgoingChanges } from './outgoing-changes.js'
import { parameterChanges } from './parameter-changes.js'
import { responseChanges } from './response-changes.js'
import { schemaFindings } from './schema-findings.js'
import { flowChanges, schemeNameChanges, securityChanges } from './security-changes.js'
import { serverChanges } from './server-changes.js'
import { isKnownMethod, serverMethodChanges } from './server-method-changes.js'
import { createDiffContext } from './subject.js'
import { createChangeEvaluator } from './usage-finding.js'
import { asObject, writtenOperation } from './written.js'

/**
 * Finds the changes from one version to the next, breaking or not. An error breaks callers or readers. The most
 * important findings come first. A version has no findings against itself.
 */
export function diff(was: Api, is: Api, options: DiffOptions): readonly Finding[] {
  const before = withSharedValues(was, is)
  const after = withSharedValues(is, was)
  const today = options.today.toISOString().slice(0, 10)
  const gathering = createGathering(options.usage && createChangeEvaluator(before, options.usage))
  const context = createDiffContext(before, after, today)
  const { pairs, added, removed } = matchOperations(before, after)

  for (const finding of documentChanges(before.http, after.http)) gathering.add(finding)
  for (const finding of documentChanges(before.rpc, after.rpc)) gathering.add(finding)
  for (const operation of removed) {
    if (isKnownMethod(after, operation)) continue
    gathering.add(weighed(removedOperation(after, operation, today), operation), nameOf(operation))
  }
  for (const operation of added) {
    if (isKnownMethod(before, operation)) continue
    gathering.add(addition(before, operation), nameOf(operation))
  }
  for (const [index, pair] of pairs.entries()) {
    options.onProgress?.(index, pairs.length)
    const name = nameOf(pair.after)
    const comparison = { ...pair, context, name, today }
    for (const finding of changes(comparison)) gathering.add(weighed(finding, pair.before), name)
  }
  const others = [...outgoingChanges(context), ...serverMethodChanges(context)]
  for (const { operation, ...finding } of others) {
    gathering.add(finding, operation)
  }
  return gathering.findings()
}

/** Without the values of discriminators that the other version does not have at all: adding or removing one changes no values. */
function withSharedValues(api: Api, other: Api): Api {
  const properties = new Set(
    [...other.schemas.values()].flatMap(({ discriminated }) =>
      Object.keys(discriminated?.values ?? {}),
    ),
  )
  const rows = [...api.schemas].map(([name, one]) => {
    const { discriminated } = one
    const same = other.schemas.get(name)
    const shared = same ? new Set(Object.keys(same.discriminated?.values ?? {})) : properties
    const isShared =
      !discriminated || Object.keys(discriminated.values).every((property) => shared.has(property))
    return [name, isShared ? one : { ...one, schema: discriminated.schema }] as const
  })
  return { ...api, schemas: new Map(rows) }
}

export type DiffOptions = {
  /** The date by which diff decides whether a deprecated operation may be removed. */
  readonly today: Date
  /** Recorded usage of the old version; findings contain the number of affected requests. */
  readonly usage?: Usage | undefined
  /** Called with the number of compared operations, and the number of all. */
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

/** Servers that an operation inherits from its document are compared once, with the document. */
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

/** OpenRPC 1.3, Method Object: an alternative list of servers. Clients call those of the document, so the Api omits it. */
const methodServers = (api: Api, operation: RpcOperation) => {
  const { servers } = writtenOperation(api, operation)
  return Array.isArray(servers) && servers.length > 0 ? readServers(servers) : undefined
}

/** Pairs the operations of two versions by method and path, or by the name of the method. */
export function matchOperations(before: Api, after: Api): Matched {
  const matches = new Map<Operation, Operation>()
  const free = new Set(before.operations)
  // Templates that differ only in their parameter names are first matched by exact name.
  for (const keyOf of [nameOf, (one: Operation) => sentKey(nameOf(one))]) {
    const known = new Map([...free].map((operation) => [keyOf(operation), operation]))
    for (const operation of after.operations) {
      const match = matches.has(operation) ? undefined : known.get(keyOf(operation))
      if (!match || !free.delete(match)) continue
      matches.set(operation, match)
    }
  }
  return {
    pairs: after.operations.flatMap((operation) => {
      const match = matches.get(operation)
      return match ? [{ before: match, after: operation }] : []
    }),
    added: after.operations.filter((operation) => !matches.has(operation)),
    removed: [...free],
  }
}

type Matched = {
  readonly pairs: readonly { readonly before: Operation; readonly after: Operation }[]
  readonly added: readonly Operation[]
  readonly removed: readonly Operation[]
}

/** Changes of a document outside its operations, if both versions have the document. */
function* documentChanges(
  before: HttpDocument | RpcDocument | undefined,
  after: HttpDocument | RpcDocument | undefined,
): Generator<Finding> {
  if (!before && after) {
    const location = after.source.locate()
    const kind = after.kind === 'http' ? 'OpenAPI' : 'OpenRPC'
    const message = `the old version has no ${kind} document, so all of ${after.title} ${after.version} is new`
    yield change('document-is-new', { before: undefined, after: location }, message)
  }
  if (!before || !after) return
  const owner = after.kind === 'http' ? 'the HTTP service' : 'the JSON-RPC service'
  yield* serverChanges(owner, before, after)
  yield* limitChanges(owner, before, after)
  yield* schemeNameChanges(before, after)
  yield* flowChanges(before, after)
  const [was, is] = [schemasOf(before), schemasOf(after)]
  for (const name of Object.keys(was)) {
    if (Object.hasOwn(is, name)) continue
    const places = {
      before: before.source.locate('components', 'schemas', name),
      after: after.source.locate('components', 'schemas', name),
    }
    const message = `the schema \`${name}\` is removed: generated types lose that name`
    yield change('schema-removed', places, message)
  }
}

const schemasOf = ({ bundled }: HttpDocument | RpcDocument) =>
  asObject(asObject(bundled.components).schemas)

/** The variants of a request (`x-variants`): the request and the response of each are compared separately. */
function* variantChanges(comparison: Comparison<HttpOperation>): Generator<Finding> {
  const { before, after, name, context } = comparison
  const found = new Map(before.variants.map((variant) => [variant.name, variant]))
  for (const variant of after.variants) {
    const match = found.get(variant.name)
    found.delete(variant.name)
    const places = both(comparison, 'x-variants', variant.name)
    if (!match) {
      if (before.variants.length > 0) {
        yield change(
          'variant-added',
          places,
          `${name} accepts the variant \`${variant.name}\` now as well`,
        )
      }
      continue
    }
    const subject = (what: string, member: string) => ({
      what: `${what} the variant \`${variant.name}\` of ${name}`,
      before: { locate: () => before.source.locate('x-variants', variant.name, member) },
      after: { locate: () => after.source.locate('x-variants', variant.name, member) },
    })
    yield* schemaFindings(
      context,
      { direction: 'request', ...subject('the request body of', 'request') },
      { $ref: refTo(match.request) },
      { $ref: refTo(variant.request) },
    )
    yield* schemaFindings(
      context,
      { direction: 'response', ...subject('the response to', 'responses') },
      anyOf(match),
      anyOf(variant),
    )
  }
  // If all variants are removed, the schema of the body still declares the accepted values.
  if (after.variants.length === 0) return
  for (const variant of found.values()) {
    const message = `${name} no longer accepts the variant \`${variant.name}\`: callers who send it may be rejected`
    yield change('variant-removed', both(comparison, 'x-variants', variant.name), message)
  }
}

const anyOf = ({ responses, errors }: Variant): Schema => {
  const all = [...responses, ...errors].map((name) => ({ $ref: refTo(name) }))
  return all.length === 0 ? true : { anyOf: all }
}
