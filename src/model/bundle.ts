import { joinPointer, segmentsOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from './api.js'
import { type Context, contextOf, enter, INLINED, itemKind, type Scope } from './context.js'
import { bundledDiscriminator } from './discriminator.js'
import type { Document } from './document.js'
import { child, keyOf, locate, type Origin } from './document.js'
import { createDynamicReferences, NO_SCOPE, scopeWithin, textOf } from './dynamic-scope.js'
import { disk, type FileTree } from './file-tree.js'
import { type Faults, THROWING } from './finding.js'
import { changed, define, entriesOf, isObject, isReference, type Reference } from './json.js'
import { componentRef, freeName, inlineName } from './names.js'
import { ITEM_KEYS, PATH_KEYS, renamed } from './path-item.js'
import { createReferences, isBare, type Target } from './references.js'

/**
 * Makes one self-contained document of an entry and the files it refers to.
 * Every remaining reference is `#/components/SECTION/NAME`; references to path items and methods are replaced by their targets.
 * Nodes without references are shared with the documents, not copied: do not modify them.
 * References must stay below the folder of the entry or the folder that `tree` allows, with symbolic links resolved.
 * A reference that leads outside, is dangling, is remote or refers only to itself is a DocumentError. It is thrown. If
 * `attempt` is given, it receives the error, and the reference stays as written.
 * OpenAPI does not allow a reference in place of a whole map, but real documents have it: it is followed, with a warning.
 */
export function bundle(
  entry: Document,
  read: (file: string) => Document,
  tree: FileTree = disk,
  { attempt, report }: Pick<Faults, 'attempt' | 'report'> = THROWING,
): Bundle {
  const origins = new Map<object, Origin>()
  const homes = new Map<string, string>()
  const sections = new Map<string, Map<string, unknown>>()
  const waiting: (() => void)[] = []
  /** The targets that are being copied in place of references. */
  const inlining = new Set<string>()
  const circular = new Set<string>()
  const { follow, anchorsOf, reached, remote } = createReferences(entry, read, tree, report)
  const dynamic = createDynamicReferences(follow, anchorsOf)

  const { components, openapi } = isObject(entry.value) ? entry.value : {}
  const isOlder = /^3\.[01]\b/.test(String(openapi))
  for (const [section, written] of entriesOf(components)) {
    const pointer = joinPointer('', 'components', section)
    const map = mapAt({ document: entry, pointer, value: written })
    const taken = new Map<string, unknown>()
    sections.set(section, taken)
    for (const [name, member] of entriesOf(map.value)) {
      const origin = child(map, name)
      homes.set(
        keyOf({ document: entry, pointer: joinPointer(pointer, name) }),
        componentRef(section, name),
      )
      homes.set(keyOf(origin), componentRef(section, name))
      const forwards = isReference(member) && isBare(member)
      const here = { ...origin, value: member }
      const reached = forwards ? attempt(() => follow(here)) : undefined
      const target = reached?.document === entry ? undefined : reached
      if (target) homes.set(keyOf(target), componentRef(section, name))
      taken.set(name, undefined)
      waiting.push(() => {
        taken.set(
          name,
          target
            ? copy(target.value, target, contextOf(section))
            : copy(member, origin, contextOf(section)),
        )
      })
    }
  }

  const root: Record<string, unknown> = {}
  origins.set(root, { document: entry, pointer: '' })
  for (const [key, value] of entriesOf(entry.value)) {
    if (key !== 'components') {
      const origin = { document: entry, pointer: joinPointer('', key) }
      const context = enter({ kind: 'object', section: undefined }, key, value)
      const copied = copy(value, origin, context)
      if (key !== 'paths' || !isObject(copied)) define(root, key, copied)
      else {
        const paths = renamed(copied, PATH_KEYS, reportMeant(origin))
        origins.set(paths, origin)
        define(root, key, paths)
      }
    }
  }
  for (let job = waiting.shift(); job; job = waiting.shift()) job()
  if (sections.size > 0) {
    const all: Record<string, unknown> = {}
    for (const [section, members] of sections) {
      const record: Record<string, unknown> = {}
      for (const [name, value] of members) define(record, name, value)
      origins.set(record, { document: entry, pointer: joinPointer('', 'components', section) })
      define(all, section, record)
    }
    origins.set(all, { document: entry, pointer: '/components' })
    root.components = all
  }
  return {
    value: root,
    originOf: (node) => origins.get(node) ?? { document: entry, pointer: '' },
    reached,
    remote,
  }

  function copy(value: unknown, origin: Origin, outer: Context): unknown {
    const context = within(value, origin, outer)
    if (Array.isArray(value)) {
      const inner = { ...context, kind: itemKind(context) }
      const list = value.map((item, index) => copyMember(item, origin, String(index), inner))
      const made = list.every((item, index) => item === value[index]) ? value : list
      origins.set(made, origin)
      return made
    }
    if (!isObject(value)) return value
    if (context.section === 'requirements') return requirement(value, origin)
    if (context.kind === 'map' && isReference(value)) {
      return inlined(mapAt({ ...origin, value }), value, origin, context)
    }
    const meant = dynamically(value, origin, context)
    if (meant) return meant
    if (context.kind === 'object' && isReference(value)) return refer(value, origin, context)
    const copied = changed(value, (member, key) => {
      const isMapping =
        key === 'discriminator' &&
        context.kind === 'object' &&
        context.section === 'schemas' &&
        isObject(member)
      return isMapping
        ? bundledDiscriminator(member, child(origin, key), { follow, homeOf, report })
        : copyMember(member, origin, key, enter(context, key, member))
    })
    const isItem = context.section === 'pathItems' && context.kind === 'object'
    const made = isItem ? renamed(copied, ITEM_KEYS, reportMeant(origin)) : copied
    origins.set(made, origin)
    return made
  }

  function reportMeant(origin: Origin) {
    return (rule: string, key: string, name: string) => {
      const message = `${key === '' ? 'an empty key' : key} is read as ${name}: write that`
      report({ rule, level: 'warning', location: locate(origin, key), message })
    }
  }

  /** The context of the members of a schema, which may define targets of `$dynamicRef`. */
  function within(value: unknown, origin: Origin, context: Context): Context {
    if (context.section !== 'schemas' || context.kind !== 'object' || !isObject(value))
      return context
    const { scope = NO_SCOPE } = context
    const inner = scopeWithin(scope, value, origin)
    return inner === scope ? context : { ...context, scope: inner }
  }

  /** The schema with its `$dynamicRef` replaced, if it has one target in this scope. */
  function dynamically(value: JsonObject, origin: Origin, context: Context) {
    const { $dynamicRef, ...rest } = value
    if (typeof $dynamicRef !== 'string' || context.section !== 'schemas') return undefined
    const { scope = NO_SCOPE } = context
    const target =
      context.kind === 'object' && dynamic.targetOf($dynamicRef, { ...origin, value }, scope)
    if (!target) return undefined
    const reference = { $ref: homeOf(target, 'schemas', scope) }
    const made = copy(rest, origin, context) as JsonObject
    const { allOf } = made
    const isOnly = !isReference(made) && !Array.isArray(allOf)
    const merged = isOnly
      ? { ...reference, ...made }
      : { ...made, allOf: [...(Array.isArray(allOf) ? allOf : []), reference] }
    for (const one of [reference, merged]) origins.set(one, origin)
    return merged
  }

  /** A map, or the target of the reference in its place. */
  function mapAt(written: Target): Target {
    if (!isReference(written.value)) return written
    const { $ref } = written.value
    const map = attempt(() => follow(written))
    if (map === undefined || !isObject(map.value)) return { ...written, value: {} }
    report({
      rule: 'map-is-a-reference',
      level: 'warning',
      location: locate(written, '$ref'),
      message: `a whole map is a reference to ${$ref}, but only members of a map may be references: Twinspec reads its members; other tools may reject it`,
    })
    return map
  }

  /** Most members are texts and numbers, which have no origin of their own. */
  function copyMember(member: unknown, parent: Origin, key: string, context: Context): unknown {
    if (typeof member !== 'object' || member === null) return member
    return copy(member, child(parent, key), context)
  }

  function refer(value: Reference, origin: Origin, context: Context): unknown {
    const target = attempt(() => follow({ ...origin, value }))
    if (!target) {
      const { $ref, ...siblings } = value
      // A schema that cannot be read accepts any value. Readers omit any other part.
      const isSchema = context.section === 'schemas'
      const record = isSchema ? { ...siblings, $comment: `not read: ${$ref}` } : { ...value }
      origins.set(record, origin)
      return record
    }
    if (context.section === undefined || INLINED.has(context.section)) {
      return inlined(target, value, origin, context)
    }
    const $ref = homeOf(target, context.section, context.scope)
    const { $ref: written, ...siblings } = value
    const isFirst = Object.keys(value)[0] === '$ref'
    const made = changed(isFirst ? value : { $ref: written, ...siblings }, (member, key) =>
      key === '$ref' ? $ref : copy(member, child(origin, key), enter(context, key, member)),
    )
    origins.set(made, origin)
    return made
  }

  /** OpenAPI 3.2, Security Requirement Object: a key that names no component of the entry is the URI of a scheme. */
  function requirement(value: JsonObject, origin: Origin): JsonObject {
    const declared = sections.get('securitySchemes')
    const nameOf = (key: string): string => {
      const isName = isOlder || declared?.has(key) || !/[#/]|\.(ya?ml|json)$/.test(key)
      const place = { ...child(origin, key), value: key }
      const target = isName ? undefined : attempt(() => follow(place, key))
      return target ? (segmentsOf(homeOf(target, 'securitySchemes')).at(-1) ?? key) : key
    }
    const names = entriesOf(value).map(([key, scopes]) => [nameOf(key), scopes] as const)
    const made = Object.fromEntries(names)
    origins.set(made, origin)
    return made
  }

  /** A copy of the target; a path item also has the fields beside its `$ref` (OpenAPI 3.1, Path Item Object). */
  function inlined(target: Target, value: Reference, origin: Origin, context: Context): unknown {
    const key = keyOf(target)
    const { $ref, ...siblings } = value
    if (inlining.has(key)) {
      // A reference within several copies is reported once.
      if (!circular.has(keyOf(origin)))
        report({
          rule: 'reference-is-circular',
          level: 'warning',
          location: locate(origin, '$ref'),
          message: `the target of ${$ref} contains this reference, so it is read as an empty object here: remove the reference`,
        })
      circular.add(keyOf(origin))
      const empty = {}
      origins.set(empty, origin)
      return empty
    }
    inlining.add(key)
    const made = copy(target.value, target, context)
    inlining.delete(key)
    if (context.section !== 'pathItems' || isBare(value) || !isObject(made)) return made
    const merged = { ...made, ...(copy(siblings, origin, context) as JsonObject) }
    origins.set(merged, origin)
    return merged
  }

  /** The component of a target. A generic schema has one component for each scope in which its meaning differs. */
  function homeOf(target: Target, section: string, scope: Scope = NO_SCOPE): string {
    const own = section === 'schemas' ? dynamic.scopeFor(target, scope) : NO_SCOPE
    const key = own.size === 0 ? keyOf(target) : `${keyOf(target)} ${textOf(own)}`
    return homes.get(key) ?? settle(target, section, key, own)
  }

  /** Gives a target outside the entry's components a place there, and copies it later. */
  function settle(target: Target, section: string, key = keyOf(target), scope = NO_SCOPE): string {
    const members = sections.get(section) ?? new Map<string, unknown>()
    sections.set(section, members)
    const ends = [...scope.keys()].flatMap(
      (name) => dynamic.targetOf(`#${name}`, target, scope) ?? [],
    )
    const name = freeName([target, ...ends].map(inlineName).join(''), members)
    members.set(name, undefined)
    homes.set(key, componentRef(section, name))
    waiting.push(() => {
      members.set(name, copy(valueIn(scope, target), target, { ...contextOf(section), scope }))
    })
    return componentRef(section, name)
  }
}

export type Bundle = {
  readonly value: JsonObject
  /** The origin of an object or array of `value`. */
  readonly originOf: (node: object) => Origin
  /** All targets of references that the entry reaches. */
  readonly reached: readonly Origin[]
  /** The URIs of remote documents that no local file has, each with a reference to it. */
  readonly remote: ReadonlyMap<string, Origin>
}

/** An `$id` identifies only one schema: the one that no scope changes. */
function valueIn(scope: Scope, { value }: Target): unknown {
  if (scope.size === 0 || !isObject(value)) return value
  const { $id, ...rest } = value
  return rest
}
