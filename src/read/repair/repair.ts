import type { Finding } from '../../model/finding.js'
import { changed, isObject } from '../../model/json.js'
import { joinPointer, segmentsOf } from '../../runtime/shared/pointer.js'
import type { JsonObject } from '../../runtime/validate/json-value.js'
import { child, convertedFrom, type Document, keyOf, locate, type Origin } from '../document.js'
import type { ReferenceTarget } from '../references.js'
import { type Place, placeOfItems, placeOfKind, placeWithin } from './places.js'

/**
 * A fault whose meaning is clear. `fault` and `meaning` are the row of docs/documents.md, and `example` tests the
 * row.
 */
export type RepairRow = {
  /** Subject and problem in kebab case. */
  readonly id: string
  /** The rule of its finding, which is a warning. */
  readonly rule: string
  /** The names of the places where the fault may be; `list` and `map` are every list and every map of OpenAPI. */
  readonly where: readonly string[]
  /** The fault in Markdown. */
  readonly fault: string
  /** What it is read as, in Markdown. */
  readonly meaning: string
  /** The repaired value; undefined without the fault. */
  readonly rewrite: (value: unknown, here: Here) => Rewritten | undefined
  readonly example: RepairExample
}

/** A document before and after a repair. */
export type RepairExample = {
  readonly before: object
  readonly after: object
  /** The pointer of the finding in `before`. */
  readonly at: string
}

/** The place that is repaired. */
export type Here = {
  readonly origin: Origin
  readonly place: Place
  /** The name of the place in messages: `security[0]`, `components.schemas`. */
  readonly name: string
  /** The version of the entry: `3.0.3`. */
  readonly version: string
  /** The target of the reference in this place, or at a path in it; undefined if there is none. */
  readonly follow: (ref: string, ...path: readonly string[]) => ReferenceTarget | undefined
  /** The reference from this place to a schema of the entry with this name; undefined if there is none. */
  readonly schemaNamed: (name: string) => string | undefined
  /** Keeps the position of a node that is made, or moved to another place. */
  readonly put: <Node extends object>(node: Node, ...path: readonly string[]) => Node
  /** Like `put`, for a node from another place. */
  readonly putAt: <Node extends object>(node: Node, origin: Origin) => Node
}

export type Rewritten = {
  readonly value: unknown
  readonly faults: readonly RepairFault[]
  /** The keys of `value` that were written otherwise, or elsewhere: key -> path in the value before. */
  readonly keys?: Readonly<Record<string, readonly string[]>> | undefined
}

export type RepairFault = {
  readonly message: string
  /** The path of the fault in the value. */
  readonly at?: readonly string[] | undefined
}

/**
 * Repairs documents node by node, before a node is bundled: only the references to a file tell what its nodes are. References are
 * resolved in the documents as they are written.
 */
export function createRepair(rows: readonly RepairRow[], known: Known): Repair {
  const { report, follow, schemaNamed, version } = known
  const moved = new WeakMap<object, Origin>()
  const renamed = new WeakMap<object, Renamed>()
  const reported = new Set<string>()
  const byPlace = new Map<string, readonly RepairRow[]>()

  return { mend, childOf, originIn }

  function mend(written: unknown, at: Origin, place: Place | undefined): Mended {
    let origin = (isNode(written) ? moved.get(written) : undefined) ?? at
    let value = written
    const atPlace = place === undefined ? [] : rowsAt(place)
    if (place === undefined || atPlace.length === 0) return { value, origin }
    let here = hereAt(origin, place)
    for (const row of atPlace) {
      const done = row.rewrite(value, here)
      if (!done) continue
      const names = isNode(value) ? renamed.get(value) : undefined
      for (const { message, at: path = [] } of done.faults)
        reportOnce(row, asWritten(path, names), origin, message)
      if (isNode(done.value)) {
        const keys = { ...names, ...mapped(done.keys, names) }
        if (Object.keys(keys).length > 0) renamed.set(done.value, keys)
        origin = moved.get(done.value) ?? origin
        here = hereAt(origin, place)
      }
      value = done.value
    }
    return { value, origin }
  }

  function rowsAt({ name, form, holds }: Place): readonly RepairRow[] {
    const found = byPlace.get(name)
    if (found) return found
    const isOpenApi = holds === undefined || !OTHER_KINDS.has(holds)
    const all = rows.filter(
      ({ where }) => where.includes(name) || (isOpenApi && where.includes(form)),
    )
    byPlace.set(name, all)
    return all
  }

  function hereAt(origin: Origin, place: Place): Here {
    return {
      origin,
      place,
      version,
      get name() {
        return placeName(origin)
      },
      follow: (ref, ...path) =>
        follow(ref, { ...origin, pointer: joinPointer(origin.pointer, ...path) }),
      schemaNamed: (name) => schemaNamed(name, origin),
      put: (node, ...path) =>
        putAt(node, { ...origin, pointer: joinPointer(origin.pointer, ...path) }),
      putAt,
    }
  }

  function putAt<Node extends object>(node: Node, origin: Origin): Node {
    moved.set(node, origin)
    return node
  }

  function reportOnce(
    { id, rule }: RepairRow,
    path: readonly string[],
    origin: Origin,
    message: string,
  ) {
    const key = `${id} ${keyOf(origin)} ${path.join('/')} ${message}`
    if (!reported.has(key))
      report({ rule, level: 'warning', location: locate(origin, ...path), message })
    reported.add(key)
  }

  function childOf(node: object, origin: Origin, key: string): Origin {
    const names = renamed.get(node)
    const path = names && Object.hasOwn(names, key) ? names[key] : undefined
    if (path === undefined) return child(origin, key)
    return { ...origin, pointer: joinPointer(origin.pointer, ...path) }
  }

  function originIn(node: object, origin: Origin): Origin {
    const names = renamed.get(node)
    if (!names) return origin
    const { document, pointer } = origin
    const placeOf = (place: string) => {
      if (!place.startsWith(`${pointer}/`)) return place
      const [key = '', ...rest] = segmentsOf(place.slice(pointer.length))
      const path = Object.hasOwn(names, key) ? names[key] : undefined
      return path ? joinPointer(pointer, ...path, ...rest) : place
    }
    return { document: convertedFrom(document, document.value, placeOf), pointer }
  }
}

/** The value of a document that is repaired as a whole, without following references. */
export function repairDocument(
  document: Document,
  kind: string,
  rows: readonly RepairRow[],
  report: (finding: Finding) => void,
): unknown {
  const none = () => undefined
  const { mend, childOf } = createRepair(rows, {
    ...{ report, version: '', follow: none, schemaNamed: none },
  })
  return visit(document.value, { document, pointer: '' }, placeOfKind(kind))

  function visit(written: unknown, at: Origin, place: Place | undefined): unknown {
    if (place === undefined) return written
    const { value, origin } = mend(written, at, place)
    if (Array.isArray(value))
      return value.map((item, index) =>
        visit(item, child(origin, String(index)), placeOfItems(place)),
      )
    if (!isObject(value)) return value
    return changed(value, (member, key) =>
      visit(member, childOf(value, origin, key), placeWithin(place, key)),
    )
  }
}

export type Repair = {
  /** The repaired value, and where it was written. */
  readonly mend: (written: unknown, at: Origin, place: Place | undefined) => Mended
  /** Where a member of a repaired object was written. */
  readonly childOf: (node: object, origin: Origin, key: string) => Origin
  /** The origin of a repaired object, from which the members are located. */
  readonly originIn: (node: object, origin: Origin) => Origin
}

type Mended = { readonly value: unknown; readonly origin: Origin }

type Known = {
  readonly version: string
  readonly report: (finding: Finding) => void
  readonly follow: (ref: string, origin: Origin) => ReferenceTarget | undefined
  readonly schemaNamed: (name: string, origin: Origin) => string | undefined
}

type Renamed = Readonly<Record<string, readonly string[]>>

/** Of other kinds of documents, whose lists and maps have checks of their own. */
const OTHER_KINDS: ReadonlySet<string> = new Set([
  'method',
  'contentDescriptor',
  'error',
  'examplePairing',
  'rpcExample',
  'swaggerParameter',
  'swaggerResponse',
  'swaggerPathItem',
])

const isNode = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A path as it was written, before its first key was renamed. */
const asWritten = (path: readonly string[], names: Renamed | undefined): readonly string[] => {
  const [first, ...rest] = path
  if (first === undefined || !names || !Object.hasOwn(names, first)) return path
  return [...(names[first] ?? []), ...rest]
}

const mapped = (keys: Renamed = {}, names: Renamed | undefined): Renamed =>
  Object.fromEntries(Object.entries(keys).map(([key, path]) => [key, asWritten(path, names)]))

/** `security[0]` for an item, `components.schemas` for a section, else the last key. */
function placeName({ document, pointer }: Origin): string {
  const segments = segmentsOf(pointer)
  const [last = 'the document', list] = segments.toReversed()
  if (list === 'components' && segments.length === 2) return `components.${last}`
  return list !== undefined && /^\d+$/.test(last) && isItem(document.value, segments)
    ? `${list}[${last}]`
    : last
}

/** Whether the value that contains the last segment is a list: a status is a number too. */
function isItem(root: unknown, segments: readonly string[]): boolean {
  let value = root
  for (const segment of segments.slice(0, -1))
    value = isNode(value) ? (value as Record<string, unknown>)[segment] : undefined
  return Array.isArray(value)
}

/** An object with repaired keys. The first of two keys with one meaning keeps it. */
export function renameKeys(
  node: object,
  repaired: (key: string, value: unknown) => string,
): Pick<Rewritten, 'value' | 'keys'> | undefined {
  const names = new Map<string, string>()
  for (const [key, value] of Object.entries(node)) {
    const name = repaired(key, value)
    if (name !== key && !Object.hasOwn(node, name) && ![...names.values()].includes(name))
      names.set(key, name)
  }
  if (names.size === 0) return undefined
  return {
    value: Object.fromEntries(
      Object.entries(node).map(([key, value]) => [names.get(key) ?? key, value]),
    ),
    keys: Object.fromEntries([...names].map(([key, name]) => [name, [key]])),
  }
}

export const without = (node: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([key]) => !keys.includes(key)))
