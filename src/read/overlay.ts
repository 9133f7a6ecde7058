import { dirname, resolve } from 'node:path'
import { DocumentError, type Finding } from '../model/finding.js'
import { define, isObject } from '../model/json.js'
import { messageOf } from '../runtime/shared/message-of.js'
import { joinPointer, pointerOf, segmentsOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { type JsonPathNode, selectNodes } from '../text/json-path.js'
import { child, type Document, type Origin, pathOf, valueAt } from './document.js'

/**
 * Applies overlays (OpenAPI Overlay 1.0 and 1.1) to documents, in order, and keeps positions: what an overlay wrote has its place in
 * that overlay. An overlay whose `extends` names one of the documents applies to it, any other one to all. Throws DocumentError for an
 * invalid overlay; a target that matches nothing in any document is a warning.
 */
export const applyOverlays = (
  documents: readonly Document[],
  overlays: readonly Document[],
  report: (finding: Finding) => void,
): readonly Document[] => {
  for (const overlay of overlays) assertOverlay(overlay, report)
  const trees = documents.map((document) => createTree(document))
  for (const overlay of overlays) {
    const named = documentsNamedBy(overlay, documents)
    const own = trees.filter((_, index) => named.includes(documents[index] as Document))
    const matched = own.map((tree) => actionsOf(overlay).map((action) => apply(action, tree)))
    for (const [index, { origin }] of actionsOf(overlay).entries()) {
      if (matched.some((one) => one[index])) continue
      const { target } = (valueAt(origin) ?? {}) as JsonObject
      report({
        rule: 'overlay-target-matches-nothing',
        level: 'warning',
        location: overlay.locate(joinPointer(origin.pointer, 'target')),
        message: `the target ${target} matches nothing in ${named.map(({ file }) => file).join(' and ')}: the action changes nothing`,
      })
    }
  }
  return trees.map((tree) => tree.overlaid())
}

/** The documents that `extends` names: by its path, else by the name of its file, as for another version; all if it names none. */
const documentsNamedBy = (
  overlay: Document,
  documents: readonly Document[],
): readonly Document[] => {
  const uri = isObject(overlay.value) ? overlay.value.extends : undefined
  if (typeof uri !== 'string') return documents
  const path = /^[a-z][\w+.-]+:/i.test(uri) ? uri : resolve(dirname(pathOf(overlay)), decoded(uri))
  const exact = documents.filter((one) => [pathOf(one), resolve(pathOf(one))].includes(path))
  const name = lastOf(path)
  const alike = exact.length > 0 ? exact : documents.filter((one) => lastOf(pathOf(one)) === name)
  return alike.length > 0 ? alike : documents
}

const decoded = (uri: string): string => {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

const lastOf = (path: string): string | undefined => path.split(/[/\\]/).at(-1)

type Action = { readonly value: JsonObject; readonly origin: Origin }

const actionsOf = (overlay: Document): readonly Action[] => {
  const { actions } = overlay.value as { readonly actions: readonly JsonObject[] }
  return actions.map((value, index) => ({
    value,
    origin: { document: overlay, pointer: pointerOf('actions', index) },
  }))
}

const invalid = ({ document, pointer }: Origin, message: string, part?: 'key'): DocumentError =>
  new DocumentError({
    rule: 'overlay-is-invalid',
    level: 'error',
    location: document.locate(pointer, part),
    message,
  })

/** Strict, because an overlay that is not applied as written would change what is published. */
const assertOverlay = (document: Document, report: (finding: Finding) => void): void => {
  const root: Origin = { document, pointer: '' }
  const value = isObject(document.value) ? document.value : {}
  const { overlay: version, info, actions, extends: uri } = value
  if (version === undefined)
    throw invalid(root, 'this is not an overlay: it has no overlay field, such as overlay: 1.0.0')
  const minor = typeof version === 'string' ? /^1\.(\d+)\.\d+/.exec(version)?.[1] : undefined
  if (minor === undefined) {
    const message = `the version of this overlay is ${JSON.stringify(version)}: versions 1.0 and 1.1 are supported`
    throw invalid(child(root, 'overlay'), message)
  }
  if (Number(minor) > LAST_MINOR)
    report({
      rule: 'document-version-is-newer',
      level: 'warning',
      location: document.locate('/overlay'),
      message: `the overlay declares version ${version}, which is later than 1.1: it is read as 1.1`,
    })
  assertKnown(value, root, ['overlay', 'info', 'extends', 'actions'])
  for (const key of ['title', 'version'])
    if (!isObject(info) || typeof info[key] !== 'string')
      throw invalid(child(root, 'info'), `the info of an overlay needs a ${key}, which is a string`)
  if (uri !== undefined && typeof uri !== 'string')
    throw invalid(child(root, 'extends'), 'extends must be the address of a document, a string')
  if (!Array.isArray(actions) || actions.length === 0)
    throw invalid(child(root, 'actions'), 'an overlay needs a list of at least one action')
  for (const [index, action] of actions.entries()) {
    const origin = { document, pointer: pointerOf('actions', index) }
    if (!isObject(action)) throw invalid(origin, 'an action must be an object')
    assertKnown(action, origin, ['target', 'description', 'update', 'copy', 'remove'])
    if (typeof action.target !== 'string')
      throw invalid(origin, 'an action needs a target, which is a JSONPath')
    if (action.remove !== undefined && typeof action.remove !== 'boolean')
      throw invalid(child(origin, 'remove'), 'remove must be true or false')
    if (action.copy !== undefined && typeof action.copy !== 'string')
      throw invalid(child(origin, 'copy'), 'copy must be a JSONPath')
    if (action.update !== undefined && action.copy !== undefined && action.remove !== true)
      throw invalid(origin, 'an action has either update or copy: write two actions')
  }
}

const LAST_MINOR = 1

const assertKnown = (value: JsonObject, origin: Origin, known: readonly string[]): void => {
  const key = Object.keys(value).find((one) => !known.includes(one) && !one.startsWith('x-'))
  if (key !== undefined)
    throw invalid(child(origin, key), `there is no field ${key} here: ${known.join(', ')}`, 'key')
}

/** Applies one action to one document. Returns whether its target matches anything there. */
const apply = ({ value: action, origin }: Action, tree: Tree): boolean => {
  const select = (field: 'target' | 'copy'): readonly JsonPathNode[] => {
    const text = String(action[field])
    try {
      return selectNodes(text, tree.root)
    } catch (error) {
      const message = `the JSONPath ${text} is not valid (RFC 9535): ${messageOf(error)}`
      throw invalid(child(origin, field), message)
    }
  }
  const nodes = select('target')
  if (nodes.length === 0) return false
  if (action.remove === true) {
    if (nodes.some(({ segments }) => segments.length === 0))
      throw invalid(child(origin, 'target'), 'the whole document cannot be removed')
    tree.remove(nodes)
    return true
  }
  if (action.update === undefined && action.copy === undefined) return true
  const kinds = [...new Set(nodes.map(({ value }) => kindOf(value)))]
  if (kinds.length > 1) {
    const message = `the target matches ${kinds.join(' and ')}: write one action for each kind`
    throw invalid(child(origin, 'target'), message)
  }
  const source = action.copy === undefined ? child(origin, 'update') : child(origin, 'copy')
  tree.update(nodes, action.copy === undefined ? partOf(source) : copied(), source)
  return true

  function copied(): Part {
    const found = select('copy')
    const [node] = found
    if (node && found.length === 1) return tree.partAt(node.segments)
    throw invalid(source, `copy must match one node, and ${action.copy} matches ${found.length}`)
  }
}

const kindOf = (value: unknown): 'objects' | 'arrays' | 'other values' =>
  Array.isArray(value) ? 'arrays' : isObject(value) ? 'objects' : 'other values'

/** A value and where it was written; `member` is the same for a member of it. */
type Part = {
  readonly value: unknown
  readonly origin: Origin
  readonly member: (key: string) => Part
}

const partOf = (origin: Origin): Part => ({
  value: valueAt(origin),
  origin,
  member: (key) => partOf(child(origin, key)),
})

/** A document that actions change, with the place of each node. */
type Tree = {
  readonly root: unknown
  readonly remove: (nodes: readonly JsonPathNode[]) => void
  /** Merges a part into each node; `source` is the field of the action, for errors. */
  readonly update: (nodes: readonly JsonPathNode[], part: Part, source: Origin) => void
  /** A node as it is now. */
  readonly partAt: (segments: readonly string[]) => Part
  /** The document as it is now. */
  readonly overlaid: () => Document
}

const createTree = (document: Document): Tree => {
  const root = structuredClone(document.value)
  /** Where members were written that are not where their container says: of an object those, of an array all. */
  const moved = new WeakMap<Container, Map<string, Origin> | Origin[]>()

  const memberOf = (container: Container, key: string): unknown =>
    Object.hasOwn(container, key) ? (container as JsonObject)[key] : undefined

  const originOf = (container: Container, own: Origin, key: string): Origin => {
    const known = moved.get(container)
    const found = Array.isArray(known) ? known[Number(key)] : known?.get(key)
    return found ?? child(own, key)
  }

  /** The place of a node, or of its nearest ancestor. */
  const placeOf = (segments: readonly string[]): Origin => {
    let origin: Origin = { document, pointer: '' }
    let at: unknown = root
    for (const key of segments) {
      if (!isContainer(at) || !Object.hasOwn(at, key)) return origin
      origin = originOf(at, origin, key)
      at = memberOf(at, key)
    }
    return origin
  }

  const originsOf = (list: readonly unknown[], own: Origin): Origin[] => {
    const known = moved.get(list as Container)
    if (Array.isArray(known)) return known
    const all = list.map((_, index) => child(own, String(index)))
    moved.set(list as Container, all)
    return all
  }

  const set = (container: JsonObject, key: string, part: Part): void => {
    define(container as Record<string, unknown>, key, clone(part))
    const known = moved.get(container)
    const origins = known instanceof Map ? known : new Map<string, Origin>()
    moved.set(container, origins.set(key, part.origin))
  }

  const append = (list: unknown[], own: Origin, parts: readonly Part[]): void => {
    const origins = originsOf(list, own)
    for (const part of parts) {
      list.push(clone(part))
      origins.push(part.origin)
    }
  }

  /** In a document no object occurs twice. */
  const clone = (part: Part): unknown => {
    const { value } = part
    if (Array.isArray(value)) {
      const list: unknown[] = []
      append(list, part.origin, membersOf(part))
      return list
    }
    if (!isObject(value)) return value
    const copy: JsonObject = {}
    for (const key of Object.keys(value)) set(copy, key, part.member(key))
    return copy
  }

  const membersOf = ({ value, member }: Part): readonly Part[] =>
    (Array.isArray(value) ? value : []).map((_, index) => member(String(index)))

  /** Merges objects, and appends to arrays. Throws DocumentError for members of different kinds. */
  const merge = (target: Container, own: Origin, part: Part, source: Origin): void => {
    if (Array.isArray(target)) append(target, own, membersOf(part))
    else
      for (const key of Object.keys(part.value as JsonObject)) {
        const member = part.member(key)
        const before = memberOf(target, key)
        const isNew = !Object.hasOwn(target, key)
        if (!isNew && kindOf(before) !== kindOf(member.value))
          throw invalid(
            member.origin.document === source.document ? member.origin : source,
            `${kindOf(member.value)} cannot be merged with ${kindOf(before)}: remove ${key} in an action before, and then add it`,
          )
        if (isContainer(before)) merge(before, originOf(target, own, key), member, source)
        else set(target, key, member)
      }
  }

  const containerOf = (segments: readonly string[]): Container => {
    let at: unknown = root
    for (const key of segments.slice(0, -1)) at = memberOf(at as Container, key)
    return at as Container
  }

  const remove = (nodes: readonly JsonPathNode[]): void => {
    // Found before anything is removed; of an array the last item goes first, so that the others keep their index.
    const found = nodes.map(({ segments }) => ({
      container: containerOf(segments),
      own: placeOf(segments.slice(0, -1)),
      key: segments.at(-1) ?? '',
    }))
    for (const { container, own, key } of found.toSorted((a, b) => Number(b.key) - Number(a.key))) {
      if (Array.isArray(container)) {
        originsOf(container, own).splice(Number(key), 1)
        container.splice(Number(key), 1)
        continue
      }
      delete (container as Record<string, unknown>)[key]
    }
  }

  const update = (nodes: readonly JsonPathNode[], part: Part, source: Origin): void => {
    for (const { segments, value } of nodes) {
      const own = placeOf(segments)
      if (Array.isArray(value)) {
        append(value, own, Array.isArray(part.value) ? membersOf(part) : [part])
        continue
      }
      if (kindOf(part.value) !== kindOf(value))
        throw invalid(
          source,
          `the target matches ${kindOf(value)}, which ${kindOf(part.value)} cannot be merged with`,
        )
      if (isObject(value)) merge(value as JsonObject, own, part, source)
      else {
        const container = containerOf(segments)
        const key = segments.at(-1) ?? ''
        if (Array.isArray(container)) {
          originsOf(container, placeOf(segments.slice(0, -1)))[Number(key)] = part.origin
          container[Number(key)] = part.value
        } else set(container as JsonObject, key, part)
      }
    }
  }

  const snapshot = (value: unknown, live: unknown, origin: Origin): Part => {
    const members = new Map(
      isContainer(live)
        ? Object.keys(live).map((key) => [
            key,
            snapshot(
              memberOf(value as Container, key),
              memberOf(live, key),
              originOf(live, origin, key),
            ),
          ])
        : [],
    )
    return { value, origin, member: (key) => members.get(key) as Part }
  }

  /** A copy, because the node itself may be changed while it is merged. */
  const partAt = (segments: readonly string[]): Part => {
    const live = segments.reduce<unknown>((at, key) => memberOf(at as Container, key), root)
    return snapshot(structuredClone(live), live, placeOf(segments))
  }

  const overlaid = (): Document => ({
    ...document,
    value: root,
    locate: (pointer, part) => {
      const origin = placeOf(segmentsOf(pointer))
      return origin.document.locate(origin.pointer, part)
    },
    numberText: (pointer, which) => {
      const segments = segmentsOf(pointer)
      if (valueAt({ document: { value: root }, pointer }) === undefined) return undefined
      const origin = placeOf(segments)
      return origin.document.numberText(origin.pointer, which)
    },
  })

  return { root, remove, update, partAt, overlaid }
}

type Container = JsonObject | unknown[]

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null
