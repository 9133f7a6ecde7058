import { dirname, join, posix } from 'node:path'
import { DocumentError, type Location } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { pointerOf } from '../runtime/shared/pointer.js'
import { decodePercent } from '../runtime/shared/template.js'
import type { Document } from './document.js'
import { type Origin, pathOf } from './document.js'
import type { FileTree } from './file-tree.js'
import { createCopies, isInFolder } from './reference-copies.js'

/**
 * Finds documents by URI, without network access. A URI is the `$self` of an OpenAPI 3.2 document, the `$id` of a schema, or
 * that of a copy of a remote document. Files next to the entry that declare such a URI are found too.
 */
export function createResources(
  entry: Document,
  read: (file: string) => Document,
  tree: FileTree,
): Resources {
  const folder = dirname(pathOf(entry))
  const copies = createCopies(folder, tree)
  const known = new Map<string, Origin>()
  const marks = new Map<Document, Marks>()
  let isSearched = false
  marksOf(entry)
  const isCopy = (document: Document) => copies.uriOf(pathOf(document)) !== undefined
  return { baseOf, rootOf, anchorOf, countAnchors, placeOf, isCopy }

  function marksOf(document: Document): Marks {
    const found = marks.get(document)
    if (found) return found
    const made = marksIn(document, copies.uriOf(pathOf(document)))
    marks.set(document, made)
    for (const { uri, pointer } of made.ids) {
      if (uri !== undefined && !known.has(uri)) known.set(uri, { document, pointer })
    }
    return made
  }

  function innermost({ document, pointer }: Origin): Identified | undefined {
    let found: Identified | undefined
    for (const one of marksOf(document).ids) {
      const isAround = pointer === one.pointer || pointer.startsWith(`${one.pointer}/`)
      if (isAround && one.pointer.length >= (found?.pointer.length ?? 0)) found = one
    }
    return found
  }

  function baseOf(origin: Origin): string | undefined {
    return innermost(origin)?.uri ?? copies.uriOf(pathOf(origin.document))
  }

  function rootOf(origin: Origin): string {
    return innermost(origin)?.pointer ?? ''
  }

  function anchorOf(root: Origin, name: string): string | undefined {
    const { anchors } = marksOf(root.document)
    const within = anchors.filter(
      (one) => one.name === name && `${one.pointer}/`.startsWith(`${root.pointer}/`),
    )
    return (within[0] ?? anchors.find((one) => one.name === name))?.pointer
  }

  function countAnchors(origin: Origin, name: string): number {
    const { document } = origin
    const root = rootOf(origin)
    return marksOf(document).anchors.filter(
      ({ pointer, ...one }) => one.name === name && rootOf({ document, pointer }) === root,
    ).length
  }

  function placeOf(uri: string, place: () => Location): Origin | undefined {
    const found = known.get(uri)
    if (found) return found
    const file = copies.fileOf(uri, place) ?? besideSelf(uri)
    if (file !== undefined) {
      const document = read(file)
      marksOf(document)
      return { document, pointer: '' }
    }
    if (!isSearched) {
      isSearched = true
      search()
    }
    return known.get(uri)
  }

  /** With the `$self` https://host/api/openapi.yaml, https://host/api/a.yaml is the file a.yaml next to the document. */
  function besideSelf(uri: string): string | undefined {
    const self = isObject(entry.value) ? entry.value.$self : undefined
    if (typeof self !== 'string' || !URL.canParse(self) || !URL.canParse(uri)) return undefined
    const [from, to] = [new URL(self), new URL(uri)]
    if (from.origin !== to.origin || from.origin === 'null') return undefined
    const way = posix.relative(posix.dirname(from.pathname), to.pathname)
    const path = join(folder, decodePercent(way) ?? way)
    if (path.includes('\0')) return undefined
    return isInFolder(folder, path, tree) && tree.kindOf(path) === 'file' ? path : undefined
  }

  /** Searches files with a `$id` or a `$self` below the folder of the entry. */
  function search(): void {
    for (const path of tree.filesBelow?.(folder) ?? []) {
      if (!/\.(ya?ml|json)$/i.test(path)) continue
      try {
        const bytes = tree.read(path)
        const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        if (text.includes('$id') || text.includes('$self')) marksOf(read(path))
      } catch (error) {
        // Other files may have any content: an unreadable file is ignored.
        if (!(error instanceof DocumentError) && !isFileError(error)) throw error
      }
    }
  }
}

/** An error of Node for a file that cannot be read. */
const isFileError = (error: unknown): boolean => error instanceof Error && 'code' in error

export type Resources = {
  /** The base URI of relative references in a place; undefined if only the path of the file is known. */
  readonly baseOf: (origin: Origin) => string | undefined
  /** The pointer of the innermost schema with a `$id` around a place, else of the whole document. */
  readonly rootOf: (origin: Origin) => string
  /** The pointer of the schema with an `$anchor` of this name. */
  readonly anchorOf: (root: Origin, name: string) => string | undefined
  /** How many schemas in the resource of a place have an anchor of this name. */
  readonly countAnchors: (origin: Origin, name: string) => number
  /** Whether a document is a copy of a remote one. */
  readonly isCopy: (document: Document) => boolean
  /** The document of an absolute URI without a fragment, if there is one. Throws DocumentError if a copy was changed. */
  readonly placeOf: (uri: string, place: () => Location) => Origin | undefined
}

type Identified = { readonly pointer: string; readonly uri: string | undefined }

type Marks = {
  readonly ids: readonly Identified[]
  readonly anchors: readonly { readonly pointer: string; readonly name: string }[]
}

function marksIn(document: Document, base: string | undefined): Marks {
  const ids: Identified[] = []
  const anchors: { pointer: string; name: string }[] = []
  const path: (string | number)[] = []
  const visit = (value: unknown, around: string | undefined): void => {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        path.push(index)
        visit(item, around)
        path.pop()
      }
      return
    }
    const node = value as Readonly<Record<string, unknown>>
    const { $id, $anchor, $dynamicAnchor } = node
    const id = typeof $id === 'string' ? $id : path.length === 0 ? node.$self : undefined
    let inner = around
    if (typeof id === 'string' && id.startsWith('#')) {
      // Draft 7: a `$id` that is only a fragment corresponds to `$anchor` since 2019-09.
      anchors.push({ pointer: pointerOf(...path), name: id.slice(1) })
    } else if (typeof id === 'string') {
      inner = resolveUri(id, around) ?? around
      ids.push({ pointer: pointerOf(...path), uri: inner })
    }
    for (const name of [$anchor, $dynamicAnchor])
      if (typeof name === 'string') anchors.push({ pointer: pointerOf(...path), name })
    for (const key in node) {
      if (DATA.has(key)) continue
      const member = node[key]
      if (typeof member !== 'object' || member === null) continue
      path.push(key)
      visit(member, inner)
      path.pop()
    }
  }
  visit(document.value, base)
  return { ids, anchors }
}

/** The values of these keys are data, in which a `$id` has no meaning. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'value'])

/** An absolute URI without its fragment; undefined for a relative one without a base. */
export function resolveUri(ref: string, base: string | undefined): string | undefined {
  if (!URL.canParse(ref, base)) return undefined
  const url = new URL(ref, base)
  url.hash = ''
  return url.href
}
