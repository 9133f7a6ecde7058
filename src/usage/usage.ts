import { cached } from '../runtime/shared/cached.js'
import { isObject } from '../runtime/validate/json-value.js'
import { daysText, mergedDays } from './days.js'

/**
 * What recorded requests used of an Api: shapes and counts, no values. Files of it are added up. The published JSON Schema is
 * `usage.schema.json`.
 */
export type Usage = {
  readonly $schema: string
  readonly version: 1
  /** The documents that requests were read by. */
  readonly documents: readonly { readonly title: string; readonly version: string }[]
  /** Identifies the secrets by which keys became ids: ids of different secrets cannot be compared. */
  readonly secrets: readonly string[]
  /** Consumers beyond this number are counted together. */
  readonly maxConsumers: number
  /** Requests that were read: of documented operations, and of nothing that the documents declare. */
  readonly requests: number
  readonly undocumented: number
  /** Lines or entries that could not be read. */
  readonly faulty: number
  /** By the id of the consumer, then by the name of the operation: `GET /orders`, `eth_call`. */
  readonly consumers: Readonly<Record<string, ByOperation<OperationUsage>>>
  /** Consumers beyond the maximum, together. */
  readonly others?: ByOperation<OperationUsage>
  /** Some of the different shapes of the requests of each operation, as JSON text, with their counts. */
  readonly shapes: ByOperation<Readonly<Record<string, number>>>
}

export type ByOperation<T> = Readonly<Record<string, T>>

/** How many requests, and the first and last day of them in UTC (`2026-10-02`), where times were recorded. */
export type Count = { readonly requests: number; readonly first?: string; readonly last?: string }

export type OperationUsage = Count & {
  /** `status 200`, `error -32602`, `sent application/json`, `variant buy`, `params by name`; `*` for what is not declared. */
  readonly counts: Readonly<Record<string, Count>>
  /** Its properties are `path`, `query`, `header`, `cookie` and `body`; of JSON-RPC `params`. */
  readonly request: Place
  /** Its properties are the statuses, with `header` and `body`; of JSON-RPC `result`. */
  readonly response: Place
}

/** A place in requests or responses, with what was there. A request counts once, however many values it has at the place. */
export type Place = Count & {
  /** Requests in which no object lacked it. */
  readonly always: number
  readonly types?: Readonly<Record<string, number>>
  /** Values that the document lists, by their JSON. */
  readonly values?: Readonly<Record<string, Count>>
  /** Requests with a value that the document does not list, where it lists some. */
  readonly unlisted?: number
  /** Characters of texts, items of lists and members of objects. */
  readonly lengths?: Sizes
  readonly sizes?: Sizes
  readonly members?: Sizes
  /** Numbers by their sign and the digits before the decimal point: `-2` for -42, `0` for 0.5. */
  readonly digits?: Readonly<Record<string, number>>
  readonly properties?: Readonly<Record<string, Place>>
  /** Items by their index, where the document declares them so. */
  readonly prefixItems?: Readonly<Record<string, Place>>
  readonly items?: Place
  /** Properties that the document does not declare by their name. */
  readonly others?: Place
}

/** The bounds, and requests by the size rounded up to a power of two: `8` for 5 to 8. */
export type Sizes = {
  readonly least: number
  readonly most: number
  readonly upTo: Readonly<Record<string, number>>
}

export const USAGE_SCHEMA = 'https://unpkg.com/twinspec/usage.schema.json'

/** The sum of usages, in any order and grouping the same. Throws TypeError without any. */
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
    version: 1,
    documents: [...documents].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value),
    secrets: [...new Set([...one.secrets, ...other.secrets])].sort(),
    maxConsumers: Math.min(one.maxConsumers, other.maxConsumers),
    requests: one.requests + other.requests,
    undocumented: one.undocumented + other.undocumented,
    faulty: one.faulty + other.faulty,
    consumers: addPlain(one.consumers, other.consumers),
    ...(others && { others }),
    shapes: Object.fromEntries(
      Object.entries(shapes).map(([name, counts]) => [name, someShapes(counts)]),
    ),
  }
  return bounded(sum, sum.maxConsumers)
}

/**
 * Of many different shapes those with the lowest hashes are kept: a sample that is the same in whatever order files are added, and
 * whose counts are exact, as what is dropped once is dropped from every sum.
 */
export const someShapes = (
  counts: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> => lowest(counts, MOST_SHAPES).kept

const MOST_SHAPES = 16

/** Which consumers are named is decided by hash too, so that sums do not depend on an order. */
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

/** FNV-1a, 32 bits: it spreads names, and protects nothing. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  // The last characters of names alone would decide their order.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Objects of counts member by member: bounds and days by the lesser or the greater, all other numbers by their sum. */
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

/** The text of a file: members sorted, so that the same usage is the same text. */
export const usageText = (usage: Usage): string =>
  `${JSON.stringify(usage, (_, value: unknown) => (isObject(value) ? sorted(value) : value), 1)}\n`

const sorted = (value: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Finds who used an operation by its name: consumer -> usage, with `others` for those beyond the maximum. */
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

/** How consumers beyond the maximum are called together; no id of a consumer is this. */
export const OTHERS = 'others'

/** The name in the braces of a path is not sent. */
export const sentKey = (name: string): string =>
  /^[A-Z]+ /.test(name) ? name.replace(/{[^}]*}/g, '{}') : name

/** What a usage covers, for messages. */
export const windowOf = (usage: Usage) => {
  const all = [...Object.values(usage.consumers), ...(usage.others ? [usage.others] : [])]
  const operations = all.flatMap((one): readonly OperationUsage[] => Object.values(one))
  const names = new Set(all.flatMap((one) => Object.keys(one)))
  const count = Object.keys(usage.consumers).length
  return {
    /** Of documented operations. */
    requests: operations.reduce((sum, { requests }) => sum + requests, 0),
    consumers: usage.others ? `more than ${count}` : `${count}`,
    operations: names.size,
    /** ` from 2026-10-02 to 2026-11-24`, or nothing where no time was recorded. */
    days: daysText(mergedDays(operations)),
  }
}
