import type { Operation } from '../model/api.js'
import { nameOf } from '../model/operation-name.js'
import { cached } from '../runtime/shared/cached.js'
import { withoutNames } from '../runtime/shared/template.js'
import { isObject } from '../runtime/validate/json-value.js'
import type { UnreadReason } from '../runtime/wire/unread.js'
import { daysText, mergedDays } from './days.js'

/**
 * The recorded usage of an Api: shapes and counts, no values. Usage files can be added up. The published JSON Schema is
 * `usage.schema.json`.
 */
export type Usage = {
  readonly $schema: string
  readonly version: 2
  /** The documents by which requests were read. */
  readonly documents: readonly { readonly title: string; readonly version: string }[]
  /** Identifies the secrets that convert keys to ids: ids of different secrets cannot be compared. */
  readonly secrets: readonly string[]
  /** Consumers beyond this number are counted together. */
  readonly maxConsumers: number
  /** All requests that were read, and those without a documented operation. */
  readonly requests: number
  readonly undocumented: number
  /** Lines or entries that could not be read. */
  readonly faulty: number
  /** Requests that may be of an operation, by its name or `JSON-RPC` for all methods, and why they could not be read. */
  readonly unread: ByOperation<Unread>
  /**
   * By the id of the consumer, then by the name of the operation: `GET /orders`, `eth_call`, and `server eth_subscription` for what
   * the server sent.
   */
  readonly consumers: Readonly<Record<string, ByOperation<OperationUsage>>>
  /** The sum of consumers beyond the maximum. */
  readonly others?: ByOperation<OperationUsage>
  /** A sample of the different request shapes of each operation, as JSON text, with their counts. */
  readonly shapes: ByOperation<Readonly<Record<string, number>>>
}

/** Requests that could not be read, by the reason. */
export type Unread = Readonly<Partial<Record<UnreadReason, number>>>

/** The name of a method in a usage that the server sent: both sides may send one. */
export const serverName = (operation: Operation): string => `server ${nameOf(operation)}`

/** The name in `unread` of JSON-RPC requests whose methods are not known. */
export const ANY_METHOD = 'JSON-RPC'

export type ByOperation<T> = Readonly<Record<string, T>>

/** The number of requests, and their first and last day in UTC (`2026-10-02`), if times were recorded. */
export type CountedRequests = {
  readonly requests: number
  readonly first?: string
  readonly last?: string
}

export type OperationUsage = CountedRequests & {
  /** `status 200`, `error -32602`, `sent application/json`, `variant buy`, `params by name`; `*` for undeclared ones. */
  readonly counts: Readonly<Record<string, CountedRequests>>
  /** Its properties are `path`, `query`, `header`, `cookie` and `body`, which has its media types; for JSON-RPC `params`. */
  readonly request: UsagePlace
  /** Its properties are the statuses, with `header` and `body`; for JSON-RPC `result`. */
  readonly response: UsagePlace
}

/** The counts of a place in requests or responses. A request counts once, even with several values at the place. */
export type UsagePlace = CountedRequests & {
  /** Requests in which every object had the place. */
  readonly always: number
  readonly types?: Readonly<Record<string, number>>
  /** Values that the document lists, by their JSON. */
  readonly values?: Readonly<Record<string, CountedRequests>>
  /** Requests with a value that is not in the list of the document. */
  readonly unlisted?: number
  /** Requests in which the value, or whether there is one, could not be read. */
  readonly unread?: Unread
  /** Characters of texts, items of lists and members of objects. */
  readonly lengths?: Sizes
  readonly sizes?: Sizes
  readonly members?: Sizes
  /** Numbers by their sign and the digits before the decimal point: `-2` for -42, `0` for 0.5. */
  readonly digits?: Readonly<Record<string, number>>
  readonly properties?: Readonly<Record<string, UsagePlace>>
  /** Items by index, if the document declares them so. */
  readonly prefixItems?: Readonly<Record<string, UsagePlace>>
  readonly items?: UsagePlace
  /** Properties that the document does not declare by name. */
  readonly others?: UsagePlace
}

/** The smallest and largest size, and requests by the size rounded up to a power of two: `8` for 5 to 8. */
export type Sizes = {
  readonly least: number
  readonly most: number
  readonly upTo: Readonly<Record<string, number>>
}

export const USAGE_SCHEMA = 'https://unpkg.com/twinspec/usage.schema.json'

/** Adds usages; order and grouping do not matter. Throws TypeError for an empty list. */
export const addUsages = (usages: readonly Usage[]): Usage => {
  const [first, ...rest] = usages
  if (!first) throw new TypeError('there is no usage to add')
  return rest.reduce(addTwo, bounded(first, first.maxConsumers))
}

const addTwo = (one: Usage, other: Usage): Usage => {
  const documents = new Map(
    [...one.documents, ...other.documents].map((document) => [
      JSON.stringify([document.title, document.version]),
      document,
    ]),
  )
  const others =
    one.others && other.others ? addPlain(one.others, other.others) : (one.others ?? other.others)
  const shapes = addPlain(one.shapes, other.shapes)
  const sum: Usage = {
    $schema: USAGE_SCHEMA,
    version: 2,
    documents: [...documents].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value),
    secrets: [...new Set([...one.secrets, ...other.secrets])].sort(),
    maxConsumers: Math.min(one.maxConsumers, other.maxConsumers),
    requests: one.requests + other.requests,
    undocumented: one.undocumented + other.undocumented,
    faulty: one.faulty + other.faulty,
    unread: addPlain(one.unread, other.unread),
    consumers: addPlain(one.consumers, other.consumers),
    ...(others && { others }),
    shapes: Object.fromEntries(
      Object.entries(shapes).map(([name, counts]) => [name, someShapes(counts)]),
    ),
  }
  return bounded(sum, sum.maxConsumers)
}

/**
 * Keeps the shapes with the lowest hashes. The sample does not depend on the order in which files are added, and its counts are
 * exact: a dropped shape is dropped from every sum.
 */
export const someShapes = (
  counts: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> => lowest(counts, MOST_SHAPES).kept

const MOST_SHAPES = 16

/** Selects the named consumers by hash too, so that sums do not depend on the order. */
const bounded = (usage: Usage, most: number): Usage => {
  if (Object.keys(usage.consumers).length <= most) return usage
  const { kept, rest } = lowest(usage.consumers, most)
  const all = usage.others === undefined ? rest : [usage.others, ...rest]
  return { ...usage, consumers: kept, others: all.reduce((sum, one) => addPlain(sum, one)) }
}

const lowest = <T>(all: Readonly<Record<string, T>>, most: number) => {
  const entries = Object.entries(all)
  if (entries.length <= most) return { kept: all, rest: [] }
  const sorted = entries
    .map(([name, value]) => ({ name, value, hash: hashOf(name) }))
    .sort((a, b) => a.hash - b.hash || (a.name < b.name ? -1 : 1))
  const kept = sorted.slice(0, most).map(({ name, value }) => [name, value] as const)
  return { kept: Object.fromEntries(kept), rest: sorted.slice(most).map(({ value }) => value) }
}

/** FNV-1a, 32 bits: it distributes names, and is not a secure hash. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  // Without this, only the last characters of names would decide their order.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Adds counts member by member: bounds and days by minimum or maximum, all other numbers by sum. */
const addPlain = <T extends object>(one: T, other: T): T => {
  const sum = new Map<string, unknown>(Object.entries(one))
  for (const [name, value] of Object.entries(other)) {
    sum.set(name, sum.has(name) ? addMember(name, sum.get(name), value) : value)
  }
  return Object.fromEntries(sum) as T
}

const addMember = (name: string, one: unknown, other: unknown): unknown => {
  if (typeof one === 'object' && typeof other === 'object' && one && other)
    return addPlain(one, other)
  if (typeof one === 'string' && typeof other === 'string')
    return (name === 'first') === one < other ? one : other
  if (name === 'least') return Math.min(Number(one), Number(other))
  if (name === 'most') return Math.max(Number(one), Number(other))
  return Number(one) + Number(other)
}

/** The sum of several, by the reason. */
export const addUnread = (all: readonly Unread[]): Unread =>
  all.reduce((sum, one) => addPlain(sum, one), {})

/** The text of a usage file: members are sorted, so that equal usages have equal texts. */
export const usageText = (usage: Usage): string =>
  `${JSON.stringify(usage, (_, value: unknown) => (isObject(value) ? sorted(value) : value), 1)}\n`

const sorted = (value: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Creates a lookup by operation name: consumer -> usage, with `others` for those beyond the maximum. */
export const usageByOperation = (
  usage: Usage,
): ((name: string) => ReadonlyMap<string, OperationUsage>) => {
  const consumers = [
    ...Object.entries(usage.consumers),
    ...(usage.others ? [[OTHERS, usage.others] as const] : []),
  ]
  const byOperation = new Map<string, Map<string, OperationUsage>>()
  for (const [consumer, own] of consumers) {
    for (const [name, one] of Object.entries(own))
      cached(byOperation, sentKey(name), () => new Map()).set(consumer, one)
  }
  return (name) => byOperation.get(sentKey(name)) ?? new Map()
}

/** The name of consumers beyond the maximum; no consumer has this id. */
export const OTHERS = 'others'

/** Removes the parameter names of a path, which are not sent. */
export const sentKey = (name: string): string => (/^[A-Z]+ /.test(name) ? withoutNames(name) : name)

/** The extent of a usage, for messages. */
export const windowOf = (usage: Usage) => {
  const all = [...Object.values(usage.consumers), ...(usage.others ? [usage.others] : [])]
  const operations = all.flatMap((one): readonly OperationUsage[] => Object.values(one))
  const names = new Set(all.flatMap((one) => Object.keys(one)))
  const count = Object.keys(usage.consumers).length
  return {
    /** Requests of documented operations. */
    requests: operations.reduce((sum, { requests }) => sum + requests, 0),
    consumers: usage.others ? `more than ${count}` : `${count}`,
    operations: names.size,
    /** ` from 2026-10-02 to 2026-11-24`, or empty if no time was recorded. */
    days: daysText(mergedDays(operations)),
  }
}
