import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { nameOf } from '../model/operation-name.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { type PlaceAddress, placeAt, placesTo } from '../usage/addresses.js'
import { mergedDays } from '../usage/days.js'
import {
  ANY_METHOD,
  addUnread,
  type OperationUsage,
  sentKey,
  serverName,
  type Unread,
  type Usage,
  usageByOperation,
} from '../usage/usage.js'
import type { Change, Evidence, Met, Use } from './change.js'
import type { DiffRule } from './rule-row.js'
import { DIFF_RULES } from './rules.js'
import { createPlaces, exactly, NONE, shapeHas, upTo, withUnread } from './usage-places.js'

/** Reads the recorded use of a change in an operation; undefined if the records cannot show it. */
export const createEvidence = (before: Api, usage: Usage) => {
  // Copies, because a method that both sides send has a usage for each.
  const served = new Map<string, Operation>(
    before.serverMethods.map((one) => [one.method, { ...one }]),
  )
  const ofServer = new Set(served.values())
  const usedName = (one: Operation) => (ofServer.has(one) ? serverName(one) : nameOf(one))
  const places = createPlaces(before, ofServer)
  const operations = new Map(before.operations.map((one) => [sentKey(nameOf(one)), one]))
  const usedBy = usageByOperation(usage)
  return (change: Change, name: string | undefined): Evidence | undefined => {
    const { sender } = change
    const known = sender === 'server' ? served : operations
    const operation = name === undefined ? undefined : known.get(sentKey(name))
    if (!operation || (change.level === 'note' && !DEPRECATIONS.has(change.rule))) return undefined
    const own = usedBy(usedName(operation))
    const isOfRequest = RULES.get(change.rule)?.about === undefined
    // Without values, a change of the server's method is about what clients read.
    const direction = isOfRequest && (sender !== 'server' || change.met) ? 'request' : 'response'
    const read = (one: OperationUsage): Use | undefined => {
      if (!change.met) return useByRule(change, operation, one)
      return direction === 'request'
        ? places.ofRequest(change.met, operation, one)
        : places.ofResponse(change.met, operation, one)
    }
    const uses = new Map<string, Use>()
    for (const [consumer, one] of own) {
      const use = read(one)
      if (!use) return undefined
      uses.set(consumer, use)
    }
    // Without calls there is evidence only if the change is about requests.
    if (own.size === 0 && !change.met && !useByRule(change, operation, UNUSED)) return undefined
    const of = [...own.values()].reduce((sum, { requests }) => sum + requests, 0)
    const shape = shapeFor(change.met, operation, own)
    return { sender, direction, uses, of, shape, unread: unreadOf(operation) }
  }

  /** Recorded requests that may be of the operation, although nothing of them could be read. */
  function unreadOf(operation: Operation): Unread {
    const key = operation.kind === 'rpc' ? ANY_METHOD : sentKey(nameOf(operation))
    const own = Object.entries(usage.unread).filter(([name]) => sentKey(name) === key)
    const lines: Unread = usage.faulty > 0 ? { incomplete: usage.faulty } : {}
    return addUnread([...own.map(([, one]) => one), lines])
  }

  function shapeFor(
    met: Met | undefined,
    operation: Operation,
    own: ReadonlyMap<string, OperationUsage>,
  ): string | undefined {
    const name = Object.keys(usage.shapes).find(
      (one) => sentKey(one) === sentKey(usedName(operation)),
    )
    const shapes = Object.entries(usage.shapes[name ?? ''] ?? {}).sort(([, a], [, b]) => b - a)
    if (!met) return undefined
    const addresses = [...own.values()].flatMap((one) => places.addressesOf(met, operation, one))
    return shapes.find(([text]) => {
      const shape: unknown = JSON.parse(text)
      return addresses.some((address) => shapeHas(shape, address, met))
    })?.[0]
  }
}

const UNUSED: OperationUsage = {
  requests: 0,
  counts: {},
  request: { requests: 0, always: 0 },
  response: { requests: 0, always: 0 },
}

/** Notes for which usage is shown, because something is removed or will be. */
const DEPRECATIONS: ReadonlySet<string> = new Set([
  ...['operation-deprecated', 'operation-removed-after-deprecation'],
  ...['parameter-deprecated', 'parameter-removed-after-deprecation', 'property-deprecated'],
  ...['request-property-removed-after-deprecation', 'response-property-removed-after-deprecation'],
])

const RULES: ReadonlyMap<string, DiffRule> = new Map(DIFF_RULES.map((rule) => [rule.id, rule]))

/** The use of a change that is not about a value: of an operation, a parameter, a body, a media type, a variant. */
const useByRule = (
  change: Change,
  operation: Operation,
  usage: OperationUsage,
): Use | undefined => {
  const days = mergedDays([usage])
  const all: Use = { range: exactly(usage.requests), ...days }
  const counted = (what: string): Use => {
    const count = usage.counts[what]
    return count ? { range: exactly(count.requests), ...mergedDays([count]) } : { range: NONE }
  }
  const unknown = (what: string): Unread => {
    const count = usage.counts[what]?.requests ?? 0
    return count > 0 ? { 'not-recorded': count } : {}
  }
  /** Why bodies could not be read, of whatever media type. */
  const bodies = (): Unread => {
    const { body: all } = usage.request.properties ?? {}
    const types = Object.values(all?.properties ?? {})
    return addUnread([all, ...types].flatMap((one) => one?.unread ?? []))
  }
  const parameter = () => parameterOf(change, operation, usage)
  const sent = (): Use | undefined => {
    const found = parameter()
    if (!found) return undefined
    const { place } = found
    const use: Use = { range: exactly(place?.requests ?? 0), ...mergedDays([place ?? {}]) }
    return withUnread(use, found.unread, usage)
  }
  const body = (): Unread => usage.request.properties?.body?.unread ?? {}
  const perhaps = (use: Use | undefined): Use | undefined =>
    use && { ...use, range: upTo(use.range.most) }
  const lastName = segmentsOf(change.before?.pointer ?? '').at(-1) ?? ''
  switch (change.rule) {
    case 'operation-removed-without-deprecation':
    case 'operation-removed-before-sunset':
    case 'operation-removed-after-deprecation':
    case 'operation-deprecated':
    case 'parameter-added-required':
    case 'request-body-added-required':
    case 'server-method-removed':
    case 'server-result-added':
    case 'server-result-removed':
    case 'method-direction-changed':
      return all
    case 'access-became-restricted':
    case 'security-became-required':
    case 'security-alternative-removed':
    case 'security-scope-added':
    case 'security-scheme-changed':
    case 'limit-lowered':
    case 'limit-added':
    case 'server-removed':
    case 'server-chain-changed':
      return perhaps(all)
    case 'parameter-became-required':
    case 'parameter-default-changed': {
      const found = parameter()
      if (!found) return undefined
      const lacking = Math.max(0, usage.requests - (found.place?.always ?? 0))
      const unknown = Object.values(found.unread).reduce((sum, count) => sum + count, 0)
      return {
        range: { least: Math.max(0, lacking - unknown), most: lacking },
        ...(unknown > 0 && { unread: found.unread }),
        ...days,
      }
    }
    case 'parameter-removed':
    case 'parameter-removed-before-sunset':
    case 'parameter-removed-after-deprecation':
    case 'parameter-deprecated':
    case 'param-removed':
    case 'server-param-removed':
    case 'server-param-became-optional':
      return sent()
    case 'parameter-serialization-changed':
    case 'parameter-reserved-changed':
    case 'parameter-empty-value-rejected':
      return perhaps(sent())
    case 'param-renamed': {
      const found = sent()
      const named = counted('params by name')
      return found && { ...found, range: upTo(Math.min(found.range.most, named.range.most)) }
    }
    case 'params-reordered':
    case 'params-shifted':
    case 'server-params-reordered':
      return perhaps(counted('params by position'))
    case 'param-structure-narrowed':
      return structureUse(change, counted)
    case 'request-body-removed':
    case 'request-body-became-required': {
      const body = usage.request.properties?.body
      const unknown = usage.counts['body unknown']?.requests ?? 0
      const had = body?.requests ?? 0
      const least = change.rule === 'request-body-removed' ? had : usage.requests - had - unknown
      return {
        range: { least, most: least + unknown },
        ...(unknown > 0 && { unread: { 'not-recorded': unknown } }),
        ...days,
      }
    }
    case 'request-media-type-removed':
      return withUnread(counted(`sent ${lastName}`), body(), usage)
    case 'request-encoding-changed':
      return perhaps(all)
    case 'variant-removed': {
      const { params } = usage.request.properties ?? {}
      const unread = operation.kind === 'http' ? bodies() : (params?.unread ?? {})
      return withUnread(counted(`variant ${lastName}`), unread, usage)
    }
    case 'success-status-removed':
      return withUnread(counted(`status ${lastName}`), unknown('response unknown'), usage)
    case 'result-removed':
      return withUnread(counted('result'), usage.response.properties?.result?.unread ?? {}, usage)
    default:
      return RULES.get(change.rule)?.about === 'response' ? all : undefined
  }
}

/** The use of the way in which params can no longer be sent. */
const structureUse = (change: Change, counted: (what: string) => Use): Use => {
  const ways = [counted('params by name'), counted('params by position')]
  return change.lost === undefined
    ? { ...ways[0], range: upTo(Math.max(...ways.map(({ range }) => range.most))) }
    : counted(`params ${change.lost}`)
}

const parameterOf = (
  { before }: Pick<Finding, 'before'>,
  operation: Operation,
  usage: OperationUsage,
) => {
  if (!before) return undefined
  const isWanted = ({
    source,
  }: HttpOperation['parameters'][number] | RpcOperation['params'][number]) => {
    const { file, pointer } = source.locate()
    return (
      file === before.file &&
      (before.pointer === pointer || before.pointer.startsWith(`${pointer}/`))
    )
  }
  if (operation.kind === 'rpc') {
    const found = operation.params.find(isWanted)
    return found && at(['params', found.name])
  }
  const found = operation.parameters.find(isWanted)
  return found && at([found.in, found.name])

  /** The place, and the requests of which it is not known whether they had it. */
  function at(address: PlaceAddress) {
    const place = placeAt(usage.request, address)
    const above = placesTo(usage.request, address.slice(0, -1))
    return { place, unread: addUnread(above.map(({ unread = {} }) => unread)) }
  }
}
