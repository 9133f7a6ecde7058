import { dirname, join, resolve } from 'node:path'
import type { JsonObject } from './api.js'
import { type Context, contextOf, enter, INLINED, itemKind } from './context.js'
import type { Document } from './document.js'
import type { Faults } from './faults.js'
import { disk, type FileTree } from './file-tree.js'
import { freeName, inlineName } from './inline-name.js'
import { changed, define, entriesOf, isObject, isReference, type Reference } from './json.js'
import { nearest } from './nearest.js'
import { child, keyOf, type Origin, pathOf, valueAt } from './origin.js'
import { joinPointer, percentDecoded, pointerOf, segmentsOf } from './pointer.js'
import {
  assertNoReference,
  isWithin,
  missingMessage,
  outsideMessage,
  refused,
} from './reference-faults.js'

/**
 * One self-contained document made of an entry and the files it refers to. Every reference left in
 * it reads `#/components/SECTION/NAME`; path items and methods stand where they were referred to.
 * What no reference changes is theirs, not a copy: nobody writes into it.
 * References stay below the folder of the entry and the folder that `tree` allows besides it, symbolic links resolved.
 * A reference that leads outside, is dangling, remote or refers only to itself is a DocumentError: thrown, or
 * where there is an `attempt`, given to that and left as it was written.
 */
export function bundle(
  entry: Document,
  read: (file: string) => Document,
  tree: FileTree = disk,
  attempt: Faults['attempt'] = (work) => work(),
): Bundle {
  const origins = new Map<object, Origin>()
  const homes = new Map<string, string>()
  // Reference -> the end of its chain; without it, a chain is walked again from each of its links.
  const ends = new Map<string, Target>()
  // Most references, and most names of files, are written many times in a document.
  const targets = new Map<Document, Map<string, Target>>()
  const neighbours = new Map<Document, Map<string, Document>>()
  const sections = new Map<string, Map<string, unknown>>()
  const waiting: (() => void)[] = []
  const folders = [dirname(pathOf(entry)), ...(tree.allowed === undefined ? [] : [tree.allowed])]
  const roots = folders.map((folder) => tree.realPath(folder))
  const reached: Origin[] = []

  const components = isObject(entry.value) ? entry.value.components : undefined
  for (const [section, members] of entriesOf(components)) {
    assertNoReference(entry, section, members)
    const taken = new Map<string, unknown>()
    sections.set(section, taken)
    for (const [name, member] of entriesOf(members)) {
      const pointer = joinPointer('', 'components', section, name)
      homes.set(keyOf({ document: entry, pointer }), reference(section, name))
      const forwards = isReference(member) && isBare(member)
      const here = { document: entry, pointer, value: member }
      const reached = forwards ? attempt(() => follow(here)) : undefined
      const target = reached?.document === entry ? undefined : reached
      if (target) homes.set(keyOf(target), reference(section, name))
      taken.set(name, undefined)
      waiting.push(() => {
        taken.set(
          name,
          target
            ? copy(target.value, target, contextOf(section))
            : copy(member, { document: entry, pointer }, contextOf(section)),
        )
      })
    }
  }

  const root: Record<string, unknown> = {}
  origins.set(root, { document: entry, pointer: '' })
  for (const [key, value] of entriesOf(entry.value)) {
    if (key !== 'components') {
      const origin = { document: entry, pointer: joinPointer('', key) }
      root[key] = copy(value, origin, enter({ kind: 'object', section: undefined }, key, value))
    }
  }
  for (let job = waiting.shift(); job; job = waiting.shift()) job()
  if (sections.size > 0) {
    const all: Record<string, unknown> = {}
    for (const [section, members] of sections) {
      const record: Record<string, unknown> = {}
      for (const [name, value] of members) define(record, name, value)
      origins.set(record, { document: entry, pointer: joinPointer('', 'components', section) })
      all[section] = record
    }
    origins.set(all, { document: entry, pointer: '/components' })
    root.components = all
  }
  return {
    value: root,
    originOf: (node) => origins.get(node) ?? { document: entry, pointer: '' },
    reached,
  }

  function copy(value: unknown, origin: Origin, context: Context): unknown {
    if (Array.isArray(value)) {
      const inner = { ...context, kind: itemKind(context) }
      const list = value.map((item, index) => copyMember(item, origin, String(index), inner))
      const made = list.every((item, index) => item === value[index]) ? value : list
      origins.set(made, origin)
      return made
    }
    if (!isObject(value)) return value
    if (context.kind === 'object' && isReference(value)) return refer(value, origin, context)
    const made = changed(value, (member, key) => {
      const isMapping =
        key === 'discriminator' &&
        context.kind === 'object' &&
        context.section === 'schemas' &&
        isObject(member)
      return isMapping
        ? discriminator(member, child(origin, key))
        : copyMember(member, origin, key, enter(context, key, member))
    })
    origins.set(made, origin)
    return made
  }

  /** Most members are texts and numbers, which have no place of their own. */
  function copyMember(member: unknown, parent: Origin, key: string, context: Context): unknown {
    if (typeof member !== 'object' || member === null) return member
    return copy(member, child(parent, key), context)
  }

  /** A mapping may name a component or refer to a schema; all become references. */
  function discriminator(value: JsonObject, origin: Origin): JsonObject {
    if (!isObject(value.mapping)) return { ...value }
    const mapping = entriesOf(value.mapping).map(([name, target]) => {
      const ref = String(target)
      if (!/[#/]|\.(ya?ml|json)$/.test(ref)) return [name, reference('schemas', ref)]
      const pointer = joinPointer(origin.pointer, 'mapping', name)
      const place = { ...origin, pointer, value: target }
      const found = attempt(() => follow(place, ref))
      return [name, !found ? ref : (homes.get(keyOf(found)) ?? settle(found, 'schemas'))]
    })
    return { ...value, mapping: Object.fromEntries(mapping) }
  }

  function refer(value: Reference, origin: Origin, context: Context): unknown {
    const target = attempt(() => follow({ ...origin, value }))
    if (!target) {
      const record = { ...value }
      origins.set(record, origin)
      return record
    }
    if (context.section === undefined || INLINED.has(context.section)) {
      return copy(target.value, target, context)
    }
    const $ref = homes.get(keyOf(target)) ?? settle(target, context.section)
    const { $ref: written, ...siblings } = value
    const isFirst = Object.keys(value)[0] === '$ref'
    const made = changed(isFirst ? value : { $ref: written, ...siblings }, (member, key) =>
      key === '$ref' ? $ref : copy(member, child(origin, key), enter(context, key, member)),
    )
    origins.set(made, origin)
    return made
  }

  /** Gives a target outside the entry's components a home there, and copies it later. */
  function settle(target: Target, section: string): string {
    const members = sections.get(section) ?? new Map<string, unknown>()
    sections.set(section, members)
    const name = freeName(inlineName(target), members)
    members.set(name, undefined)
    homes.set(keyOf(target), reference(section, name))
    waiting.push(() => {
      members.set(name, copy(target.value, target, contextOf(section)))
    })
    return reference(section, name)
  }

  /** The last target of a chain of references that begins at `origin`, or with `first`. */
  function follow(origin: Target, first?: string): Target {
    const passed = new Set<string>()
    let here = first === undefined ? origin : targetOf(first, origin)
    for (;;) {
      const { value } = here
      // On the way, a reference with siblings says something of its own: it is a target in itself.
      const isEnd =
        !isReference(value) || ((passed.size > 0 || first !== undefined) && !isBare(value))
      const end = isEnd ? here : ends.get(keyOf(here))
      if (end) {
        for (const key of passed) ends.set(key, end)
        return end
      }
      passed.add(keyOf(here))
      const { $ref } = value as Reference
      const next = targetOf($ref, here)
      if (passed.has(keyOf(next))) {
        throw refused('reference-is-circular', here, `${$ref} refers only to itself`)
      }
      here = next
    }
  }

  function targetOf(ref: string, origin: Origin): Target {
    return keptOf(targets, origin.document, ref, () => find(ref, origin))
  }

  function find(ref: string, origin: Origin): Target {
    const [file = '', fragment = ''] = ref.split('#', 2)
    if (/^([a-z][a-z0-9+.-]+:|\/\/)/i.test(file)) {
      throw refused(
        'reference-is-remote',
        origin,
        `${ref} is remote: keep a copy beside the document and refer to that`,
      )
    }
    const document =
      file === ''
        ? origin.document
        : keptOf(neighbours, origin.document, file, () => readBeside(file, ref, origin))
    const pointer = percentDecoded(fragment)
    if (pointer === undefined || (pointer !== '' && !pointer.startsWith('/'))) {
      throw refused(
        'reference-is-no-pointer',
        origin,
        `${ref} is no JSON pointer: anchors are not supported, write # and a path of /segments`,
      )
    }
    const value = valueAt({ document, pointer })
    if (value === undefined) {
      const above = pointerOf(...segmentsOf(pointer).slice(0, -1))
      const parent = valueAt({ document, pointer: above })
      const near = nearest(
        segmentsOf(pointer).at(-1) ?? '',
        Object.keys(isObject(parent) ? parent : {}),
      )
      const meant = near === undefined ? '' : `: did you mean ${near}?`
      throw refused('reference-is-dangling', origin, `${ref} points at nothing${meant}`)
    }
    const target = { document, pointer, value }
    reached.push(target)
    return target
  }

  function readBeside(file: string, ref: string, origin: Origin): Document {
    const path = join(dirname(pathOf(origin.document)), percentDecoded(file) ?? file)
    if (resolve(path) === resolve(pathOf(origin.document))) return origin.document
    // Nothing is asked of a file outside, not even whether it exists.
    const real = tree.realPath(path)
    if (!roots.some((root) => isWithin(root, real))) {
      throw refused('reference-is-outside', origin, outsideMessage(ref, path, real, folders))
    }
    const kind = path.includes('\0') ? undefined : tree.kindOf(path)
    if (kind === undefined) {
      throw refused('reference-is-dangling', origin, missingMessage(ref, path, origin, tree))
    }
    if (kind === 'folder') {
      throw refused('reference-is-dangling', origin, `${ref} points at a folder: name a file in it`)
    }
    return read(path)
  }
}

/** What was found in a document under a name; nothing is kept where nothing is found. */
function keptOf<T>(
  all: Map<Document, Map<string, T>>,
  document: Document,
  name: string,
  find: () => T,
): T {
  const known = all.get(document) ?? new Map<string, T>()
  all.set(document, known)
  const found = known.get(name) ?? find()
  known.set(name, found)
  return found
}

/** Whether a reference is alone, and so only forwards. */
const isBare = (value: Reference) => Object.keys(value).length === 1

export type Bundle = {
  readonly value: JsonObject
  /** Where an object or array of `value` was written. */
  readonly originOf: (node: object) => Origin
  /** What is referred to from anywhere that the entry reaches. */
  readonly reached: readonly Origin[]
}

/** What is at the place that a reference names. */
type Target = Origin & { readonly value: unknown }

const reference = (section: string, name: string) => joinPointer('#', 'components', section, name)
