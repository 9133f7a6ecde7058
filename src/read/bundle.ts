import { dirname, relative } from 'node:path'
import { DocumentError, type Faults, THROWING } from '../model/finding.js'
import { changed, define, entriesOf, isObject, isReference, type Reference } from '../model/json.js'
import { joinPointer, segmentsOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { recordUnread } from '../schema/source.js'
import { componentRef, freeName } from '../text/names.js'
import {
  AS_DATA,
  contextOf,
  type DynamicScope,
  enter,
  INLINED,
  itemKind,
  type NodeContext,
} from './context.js'
import { bundledDiscriminator } from './discriminator.js'
import type { Document } from './document.js'
import { child, keyOf, locate, type Origin, pathOf } from './document.js'
import { createDynamicReferences, NO_SCOPE, scopeText, scopeWithin } from './dynamic-scope.js'
import { disk, type FileTree } from './file-tree.js'
import { inlineName } from './inline-name.js'
import { createReferences, isBare, type ReferenceTarget } from './references.js'
import { placeOfItems, placeOfKind, placeWithin } from './repair/places.js'
import { createRepair, type RepairRow } from './repair/repair.js'

/**
 * Makes one self-contained document of an entry and the files it refers to.
 * Every remaining reference is `#/components/SECTION/NAME`; references to path items and methods are replaced by their targets.
 * Nodes without references are shared with the documents, not copied: do not modify them.
 * References must stay below the folder of the entry or the folder that `tree` allows, with symbolic links resolved.
 * A reference that leads outside, is dangling, is remote or refers only to itself is a DocumentError. It is thrown. If
 * `attempt` is given, it receives the error, and the reference stays as written.
 * OpenAPI does not allow a reference in place of a whole map, but real documents have it: it is followed, with a warning.
 * Each node is repaired by `rows` before it is copied.
 */
export function bundle(
  entry: Document,
  read: (file: string) => Document,
  tree: FileTree = disk,
  { attempt, report }: Pick<Faults, 'attempt' | 'report'> = THROWING,
  rows: readonly RepairRow[] = [],
): Bundle {
  const origins = new Map<object, Origin>()
  const passing = new Map<object, readonly string[]>()
  const homes = new Map<string, string>()
  const sections = new Map<string, Map<string, unknown>>()
  const waiting: (() => void)[] = []
  /** The targets that are being copied in place of references. */
  const inlining = new Set<string>()
  const circular = new Set<string>()
  const { follow, passed, anchorsOf, reached, remote } = createReferences(entry, read, tree, report)
  const dynamic = createDynamicReferences(follow, anchorsOf)

  const written = isObject(entry.value) ? entry.value : {}
  const { mend, childOf, originIn } = createRepair(rows, {
    ...{ report, schemaNamed },
    version: String(written.openapi ?? written.openrpc),
    follow: targetOf,
  })
  const whole = placeOfKind('openrpc' in written ? 'openrpc' : 'document')
  const componentsPlace = placeWithin(whole, 'components')
  const { components, openapi } = written
  const isOlder = /^3\.[01]\b/.test(String(openapi))
  const extensions: [name: string, value: unknown][] = []
  for (const [section, members] of entriesOf(components)) {
    const pointer = joinPointer('', 'components', section)
    // The value of an extension is data, also where it looks like a reference.
    if (section.startsWith('x-')) {
      extensions.push([section, copy(members, { document: entry, pointer }, AS_DATA)])
      continue
    }
    const place = placeWithin(componentsPlace, section)
    const { value } = mend(members, { document: entry, pointer }, place)
    const map = mapAt({ document: entry, pointer, value })
    const used = new Map<string, unknown>()
    sections.set(section, used)
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
      used.set(name, undefined)
      waiting.push(() => {
        used.set(
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
    if (key === 'components') continue
    const context = { kind: 'object', section: undefined, place: whole } as const
    define(root, key, copyMember(value, written, { document: entry, pointer: '' }, key, context))
  }
  for (let job = waiting.shift(); job; job = waiting.shift()) job()
  if (sections.size > 0 || extensions.length > 0) {
    const all: Record<string, unknown> = {}
    for (const [section, members] of sections) {
      const record: Record<string, unknown> = {}
      for (const [name, value] of members) define(record, name, value)
      origins.set(record, { document: entry, pointer: joinPointer('', 'components', section) })
      define(all, section, record)
    }
    for (const [name, value] of extensions) define(all, name, value)
    origins.set(all, { document: entry, pointer: '/components' })
    root.components = all
  }
  return {
    value: root,
    originOf: (node) => origins.get(node) ?? { document: entry, pointer: '' },
    passedBy: (node) => passing.get(node) ?? [],
    reached,
    remote,
  }

  function copy(written: unknown, at: Origin, context: NodeContext): unknown {
    const { value, origin } = mend(written, at, context.place)
    return copyRepaired(value, origin, context)
  }

  function copyRepaired(value: unknown, origin: Origin, outer: NodeContext): unknown {
    const context = within(value, origin, outer)
    if (Array.isArray(value)) {
      const place = context.place && placeOfItems(context.place)
      const inner = { ...context, kind: itemKind(context), place }
      const list = value.map((item, index) =>
        copyItem(item, childOf(value, origin, String(index)), inner),
      )
      const made = list.every((item, index) => item === value[index]) ? value : list
      origins.set(made, originIn(value, origin))
      return made
    }
    if (!isObject(value)) return value
    if (context.section === 'requirements') return requirement(value, origin)
    if (context.kind === 'map' && isReference(value)) {
      const made = inlined(mapAt({ ...origin, value }), value, origin, context)
      if (isObject(made)) passing.set(made, attempt(() => componentsOn({ ...origin, value })) ?? [])
      return made
    }
    const target = dynamically(value, origin, context)
    if (target) return target
    if (context.kind === 'object' && isReference(value)) return refer(value, origin, context)
    const copied = changed(value, (member, key) => {
      const isMapping =
        key === 'discriminator' &&
        context.kind === 'object' &&
        context.section === 'schemas' &&
        isObject(member)
      return isMapping
        ? discriminator(member, child(origin, key))
        : copyMember(member, value, origin, key, context)
    })
    origins.set(copied, originIn(value, origin))
    return copied
  }

  /** The target of a reference; undefined without one, which is reported where the reference is copied. */
  function targetOf(ref: string, origin: Origin): ReferenceTarget | undefined {
    try {
      return follow({ ...origin, value: { $ref: ref } }, ref)
    } catch (error) {
      if (error instanceof DocumentError) return undefined
      throw error
    }
  }

  /** The reference to a schema of the entry by its name, as a file writes it. */
  function schemaNamed(name: string, { document }: Origin): string | undefined {
    const schemas = isObject(components) ? components.schemas : undefined
    if (!isObject(schemas) || !Object.hasOwn(schemas, name)) return undefined
    const file = document === entry ? '' : relative(dirname(pathOf(document)), pathOf(entry))
    return `${file}${componentRef('schemas', name)}`
  }

  function discriminator(value: JsonObject, origin: Origin): JsonObject {
    const names: string[] = []
    const known = {
      homeOf,
      report,
      follow: (written: ReferenceTarget, ref: string) => {
        const target = follow(written, ref)
        names.push(...componentsOn(written, ref))
        return target
      },
    }
    const made = bundledDiscriminator(value, origin, known)
    passing.set(made, names)
    return made
  }

  /** The first component of the entry on the way of a reference; that component has the next one. */
  function componentsOn(origin: ReferenceTarget, first?: string): readonly string[] {
    for (const { document, pointer } of passed(origin, first)) {
      const [components, section, name] = segmentsOf(pointer)
      if (document === entry && components === 'components' && section && name !== undefined)
        return [componentRef(section, name)]
    }
    return []
  }

  /** The context of the members of a schema, which may define targets of `$dynamicRef`. */
  function within(value: unknown, origin: Origin, context: NodeContext): NodeContext {
    if (context.section !== 'schemas' || context.kind !== 'object' || !isObject(value))
      return context
    const { scope = NO_SCOPE } = context
    const inner = scopeWithin(scope, value, origin)
    return inner === scope ? context : { ...context, scope: inner }
  }

  /** The schema with its `$dynamicRef` replaced, if it has one target in this scope. */
  function dynamically(value: JsonObject, origin: Origin, context: NodeContext) {
    const { $dynamicRef, ...rest } = value
    if (typeof $dynamicRef !== 'string' || context.section !== 'schemas') return undefined
    const { scope = NO_SCOPE } = context
    const target =
      context.kind === 'object' && dynamic.targetOf($dynamicRef, { ...origin, value }, scope)
    if (!target) return undefined
    const reference = { $ref: homeOf(target, 'schemas', scope) }
    const made = copyRepaired(rest, origin, context) as JsonObject
    const { allOf } = made
    const isOnly = !isReference(made) && !Array.isArray(allOf)
    const merged = isOnly
      ? { ...reference, ...made }
      : { ...made, allOf: [...(Array.isArray(allOf) ? allOf : []), reference] }
    for (const one of [reference, merged]) origins.set(one, origin)
    return merged
  }

  /** A map, or the target of the reference in its place. */
  function mapAt(written: ReferenceTarget): ReferenceTarget {
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

  function copyItem(item: unknown, origin: Origin, context: NodeContext): unknown {
    const isText = typeof item !== 'object' || item === null
    return isText && context.place === undefined ? item : copy(item, origin, context)
  }

  /** Most members are texts and numbers, which have no origin of their own. */
  function copyMember(
    member: unknown,
    parent: object,
    parentOrigin: Origin,
    key: string,
    outer: NodeContext,
  ): unknown {
    const place = placeWithin(outer.place, key)
    const isText = typeof member !== 'object' || member === null
    if (isText && place === undefined) return member
    const { value, origin } = mend(member, childOf(parent, parentOrigin, key), place)
    return copyRepaired(value, origin, { ...enter(outer, key, value), place })
  }

  function refer(value: Reference, origin: Origin, context: NodeContext): unknown {
    const target = attempt(() => follow({ ...origin, value }))
    if (!target) {
      const { $ref, ...siblings } = value
      // A schema that cannot be read accepts any value. Readers omit any other part.
      const isSchema = context.section === 'schemas'
      const record = isSchema ? { ...siblings, $comment: `not read: ${$ref}` } : { ...value }
      if (isSchema) recordUnread(record, { $ref })
      origins.set(record, origin)
      return record
    }
    const names = componentsOn({ ...origin, value })
    if (context.section === undefined || INLINED.has(context.section)) {
      const made = inlined(target, value, origin, context)
      if (isObject(made)) passing.set(made, [...(passing.get(made) ?? []), ...names])
      return made
    }
    const $ref = homeOf(target, context.section, context.scope)
    const { $ref: written, ...siblings } = value
    const isFirst = Object.keys(value)[0] === '$ref'
    const made = changed(isFirst ? value : { $ref: written, ...siblings }, (member, key) =>
      key === '$ref' ? $ref : copyMember(member, value, origin, key, context),
    )
    origins.set(made, originIn(value, origin))
    // Most references lead to a component itself.
    if (names.some((one) => one !== $ref)) passing.set(made, names)
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
  function inlined(
    target: ReferenceTarget,
    value: Reference,
    origin: Origin,
    context: NodeContext,
  ): unknown {
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
  function homeOf(
    target: ReferenceTarget,
    section: string,
    scope: DynamicScope = NO_SCOPE,
  ): string {
    const own = section === 'schemas' ? dynamic.scopeFor(target, scope) : NO_SCOPE
    const key = own.size === 0 ? keyOf(target) : `${keyOf(target)} ${scopeText(own)}`
    return homes.get(key) ?? settle(target, section, key, own)
  }

  /** Gives a target outside the entry's components a place there, and copies it later. */
  function settle(
    target: ReferenceTarget,
    section: string,
    key = keyOf(target),
    scope = NO_SCOPE,
  ): string {
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
  /** The components of the entry to which an object of `value` referred, as written: also aliases, and those of which it is a part. */
  readonly passedBy: (node: object) => readonly string[]
  /** The origin of an object or array of `value`. */
  readonly originOf: (node: object) => Origin
  /** All targets of references that the entry reaches. */
  readonly reached: readonly Origin[]
  /** The URIs of remote documents that no local file has, each with a reference to it. */
  readonly remote: ReadonlyMap<string, Origin>
}

/** An `$id` identifies only one schema: the one that no scope changes. */
function valueIn(scope: DynamicScope, { value }: ReferenceTarget): unknown {
  if (scope.size === 0 || !isObject(value)) return value
  const { $id, ...rest } = value
  return rest
}
