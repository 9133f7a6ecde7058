import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpDocument, RpcDocument } from '../model/api.js'
import type { Location } from '../model/finding.js'
import { isObject, isReference } from '../model/json.js'
import { withoutNames } from '../runtime/shared/template.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { byKey } from './by-key.js'
import {
  type DifferenceObject,
  KINDS,
  type ObjectRow,
  RULED_EXTENSIONS,
} from './difference-kinds.js'
import { type RoundedNumbers, roundedNumbers } from './rounded-numbers.js'
import { asObject, dereferenced, membersIn } from './written.js'

/** A place at which two versions differ, before its effect is evaluated. */
export type Difference = {
  /** Whether a rule compares the place; no request and no response depends on a text. */
  readonly kind: 'compared' | 'text' | 'not-compared'
  readonly location: Location
  /** Two different numbers that are equal as doubles, so no rule can compare them. */
  readonly rounded?: RoundedNumbers & { readonly place: Location }
}

/**
 * Every place that differs between the documents of two versions, compared as JSON: comments and the order of keys are
 * ignored. Components that no operation uses are not compared.
 */
export function differences(before: Api, after: Api): readonly Difference[] {
  const all = [
    ...(before.http && after.http ? ofDocuments(before.http, after.http, 'openapi') : []),
    ...(before.rpc && after.rpc ? ofDocuments(before.rpc, after.rpc, 'openrpc') : []),
  ]
  const places = new Map(
    all.map((one) => [`${one.kind} ${one.location.file}#${one.location.pointer}`, one]),
  )
  return [...places.values()]
}

type Written = HttpDocument | RpcDocument

function ofDocuments(
  before: Written,
  after: Written,
  kind: 'openapi' | 'openrpc',
): readonly Difference[] {
  const found: Difference[] = []
  const passed = new Map<object, Set<object>>()
  const [was, is]: readonly JsonObject[] = [before.bundled, after.bundled]
  if (!was || !is) return found

  const differs = (
    kind: Difference['kind'],
    earlier: object,
    later: object,
    key: string | number,
  ) => {
    const isThere = Object.hasOwn(later, key)
    const source = isThere ? after.sourceOf(later) : before.sourceOf(earlier)
    found.push({ kind, location: source.locate(key) })
  }

  /** Whether a member is the same in both; numbers that differ only in their digits are recorded here. */
  const isUnchanged = (
    kind: Difference['kind'],
    earlier: object,
    later: object,
    key: string | number,
  ): boolean => {
    const isEqual = isDeepStrictEqual(earlier[key as never], later[key as never])
    const rounded = roundedNumbers(
      { document: before, holder: earlier, key },
      { document: after, holder: later, key },
    )
    if (!rounded) return isEqual
    const place = before.sourceOf(earlier).locate(key)
    const location = after.sourceOf(later).locate(key)
    found.push({ kind, location, ...(kind !== 'text' && { rounded: { ...rounded, place } }) })
    return true
  }

  // A list instead of recursion, because a chain of references may be longer than the stack.
  const waiting: (readonly [DifferenceObject, unknown, unknown])[] = []
  const walk = (...pair: (typeof waiting)[number]) => waiting.push(pair)

  const compare = ([kind, one, other]: (typeof waiting)[number]): void => {
    if (!isObject(one) || !isObject(other)) return
    const [earlier, later] = [target(was, one), target(is, other)]
    beside(KINDS[kind], one, other)
    const partners = passed.get(earlier) ?? new Set()
    if (partners.has(later)) return
    passed.set(earlier, partners.add(later))
    const row = KINDS[kind]
    if (kind === 'schema') {
      const members = membersIn(is, later)
      for (const [name, member] of membersIn(was, earlier))
        walk('schema', member, members.get(name))
    }
    for (const key of new Set([...Object.keys(earlier), ...Object.keys(later)])) {
      if (!row.apart?.includes(key)) member(row, key, earlier, later)
    }
  }

  /** Compares the members next to a reference; a reference that only one version has is a difference. */
  const beside = (row: ObjectRow, one: JsonObject, other: JsonObject) => {
    if (isReference(one) !== isReference(other)) {
      found.push({ kind: 'compared', location: after.sourceOf(other).locate() })
    } else if (isReference(one)) {
      for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
        const kind = key === '$ref' ? 'compared' : kindOf(row, key)
        if (!isUnchanged(kind, one, other, key)) differs(kind, one, other, key)
      }
    }
  }

  const member = (row: ObjectRow, key: string, earlier: JsonObject, later: JsonObject) => {
    const [x, y] = [earlier[key], later[key]]
    const [one, many, named] = [row.one, row.lists, row.maps].map((kinds) => kindAt(kinds, key))
    const inner = one ?? many ?? named ?? row.each
    if (inner === undefined) {
      const kind = kindOf(row, key)
      if (!isUnchanged(kind, earlier, later, key)) differs(kind, earlier, later, key)
    } else if (Array.isArray(x) && Array.isArray(y)) list(inner, x, y)
    else if (!isObject(x) || !isObject(y)) {
      if (!isDeepStrictEqual(x, y)) differs('compared', earlier, later, key)
    } else if (named === undefined) walk(inner, x, y)
    else {
      const [names, others] = [dereferenced(was, x), dereferenced(is, y)]
      for (const name of new Set([...Object.keys(names), ...Object.keys(others)])) {
        if (isObject(names[name]) && isObject(others[name])) walk(inner, names[name], others[name])
        else if (!isDeepStrictEqual(names[name], others[name])) {
          differs('compared', names, others, name)
        }
      }
    }
  }

  /** Members with names are matched by name, others by index. */
  const list = (
    inner: DifferenceObject,
    earlier: readonly unknown[],
    later: readonly unknown[],
  ) => {
    const named = (values: readonly unknown[], document: JsonObject) =>
      byKey(values, (value, index) => {
        const { in: place, name, code, url } = dereferenced(document, value)
        const own = inner === 'server' ? url : (name ?? code)
        return own === undefined ? String(index) : `${place} ${own}`
      })
    const known = named(earlier, was)
    const [former, order] = [[...known.keys()], [...named(later, is).keys()]]
    const isMoved = order.length === known.size && order.every((name) => known.has(name))
    if (isMoved && order.some((name, index) => former[index] !== name)) {
      differs('text', earlier, later, 0)
    }
    for (const [index, name] of order.entries()) {
      if (known.has(name)) walk(inner, known.get(name), later[index])
      else differs('compared', earlier, later, index)
      known.delete(name)
    }
    if (known.size > 0 && earlier.length > later.length)
      differs('compared', later, earlier, later.length)
  }

  walk(kind, was, is)
  const [paths, others] = [pathsOf(was), pathsOf(is)]
  for (const [path, { item }] of paths) walk('pathItem', item, others.get(path)?.item)
  for (const [map, rest, document] of [
    [paths, others, before],
    [others, paths, after],
  ] as const) {
    for (const [path, { written }] of map) {
      if (rest.has(path)) continue
      found.push({ kind: 'compared', location: document.source.locate('paths', written) })
    }
  }
  const [components, later] = [asObject(was.components), asObject(is.components)]
  const used = new Set([...usedIn(was), ...usedIn(is)])
  walkNamed('securitySchemes')
  for (const section of new Set([...Object.keys(components), ...Object.keys(later)])) {
    if (section !== 'securitySchemes') unused(section)
  }
  for (const pair of waiting) compare(pair)
  // Reports any other difference, which the code above does not find.
  if (found.length === 0 && !isDeepStrictEqual(was, is)) {
    const location = after.source.locate(...firstDifference(was, is))
    found.push({ kind: 'not-compared', location })
  }
  return found

  function walkNamed(section: string) {
    const [x, y] = [asObject(components[section]), asObject(later[section])]
    for (const name of new Set([...Object.keys(x), ...Object.keys(y)])) {
      if (isObject(x[name]) && isObject(y[name])) walk('securityScheme', x[name], y[name])
      else differs('compared', x, y, name)
    }
  }

  /** Components that no operation refers to, directly or indirectly. */
  function unused(section: string) {
    const [x, y] = [asObject(components[section]), asObject(later[section])]
    for (const name of new Set([...Object.keys(x), ...Object.keys(y)])) {
      const all = [x[name], y[name]].filter(isObject)
      if (all.some((one) => used.has(one))) continue
      if (!isUnchanged('not-compared', x, y, name)) differs('not-compared', x, y, name)
    }
  }
}

/** The first difference between two different values, as keys and indexes. */
function firstDifference(one: unknown, other: unknown): readonly string[] {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return []
  const [earlier, later]: readonly Readonly<Record<string, unknown>>[] = [{ ...one }, { ...other }]
  for (const key of new Set([...Object.keys(later ?? {}), ...Object.keys(earlier ?? {})])) {
    const [x, y] = [earlier?.[key], later?.[key]]
    if (!isDeepStrictEqual(x, y)) return [key, ...firstDifference(x, y)]
  }
  return []
}

/** The object itself, or the end of its chain of references. */
function target(bundled: JsonObject, value: JsonObject): JsonObject {
  const passed = new Set<JsonObject>()
  let here = value
  while (isReference(here) && !passed.has(here)) {
    passed.add(here)
    here = dereferenced(bundled, here)
  }
  return here
}

/** All objects that the operations of a document refer to, directly or indirectly. */
function usedIn(bundled: JsonObject): ReadonlySet<object> {
  const { components: _, ...roots } = bundled
  const found = new Set<object>()
  const waiting: unknown[] = [roots]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one !== 'object' || one === null || found.has(one)) continue
    found.add(one)
    if (isReference(one)) waiting.push(dereferenced(bundled, one))
    waiting.push(...membersIn(bundled, one).values())
    for (const member of Object.values(one)) if (member) waiting.push(member)
  }
  return found
}

const kindOf = ({ compared = [], texts = [] }: ObjectRow, key: string): Difference['kind'] => {
  if (compared.includes(key) || RULED_EXTENSIONS.has(key)) return 'compared'
  return texts.includes(key) || key.startsWith('x-') ? 'text' : 'not-compared'
}

const kindAt = (kinds: Readonly<Record<string, DifferenceObject>> | undefined, key: string) =>
  kinds && Object.hasOwn(kinds, key) ? kinds[key] : undefined

/** Path items by their templates; the name in the braces is never sent. */
const pathsOf = (bundled: JsonObject) =>
  new Map(
    Object.entries(asObject(bundled.paths)).map(([written, item]) => [
      withoutNames(written),
      { written, item },
    ]),
  )
