import { basename, dirname, join, relative, resolve } from 'node:path'
import { DocumentError, type Finding } from '../model/finding.js'
import { isObject, isReference, type Reference } from '../model/json.js'
import { cached } from '../runtime/shared/cached.js'
import { joinPointer, pointerOf, segmentsOf } from '../runtime/shared/pointer.js'
import { decodePercent } from '../runtime/shared/template.js'
import { nearest } from '../text/nearest.js'
import type { Document } from './document.js'
import { keyOf, locate, type Origin, pathOf, valueAt } from './document.js'
import type { FileTree } from './file-tree.js'
import { isAddress } from './live-document.js'
import { isWithin } from './reference-copies.js'
import { createResources, resolveUri } from './resources.js'

/**
 * Follows references from an entry document into the files next to it, by path or by `$id`. A reference that leads outside the
 * allowed folders, or is dangling, remote or circular, throws a DocumentError.
 */
export function createReferences(
  entry: Document,
  read: (file: string) => Document,
  tree: FileTree,
  report: (finding: Finding) => void,
): References {
  // Reference -> the end of its chain; without this cache, every link of a chain would follow the chain again.
  const ends = new Map<string, ReferenceTarget>()
  // Most references and file names occur many times in a document.
  const targets = new Map<Document, Map<string, ReferenceTarget>>()
  const neighbours = new Map<Document, Map<string, Document>>()
  const folders = [dirname(pathOf(entry)), ...(tree.allowed === undefined ? [] : [tree.allowed])]
  const roots = folders.map((folder) => tree.realPath(folder))
  const reached: Origin[] = []
  const remote = new Map<string, Origin>()
  const resources = createResources(entry, read, tree)
  /** The maps in whose place are references that are followed now: one may refer to a member of itself. */
  const crossed = new Set<object>()

  return { follow, passed, anchorsOf: resources.countAnchors, reached, remote }

  function* passed(origin: ReferenceTarget, first?: string): Generator<ReferenceTarget> {
    const seen = new Set<string>()
    let ref = first ?? (isReference(origin.value) ? origin.value.$ref : undefined)
    for (let here = origin; ref !== undefined; ) {
      here = targetOf(ref, here)
      if (seen.has(keyOf(here))) break
      seen.add(keyOf(here))
      yield here
      ref = isReference(here.value) && isBare(here.value) ? here.value.$ref : undefined
    }
  }

  function follow(origin: ReferenceTarget, first?: string): ReferenceTarget {
    const passed = new Set<string>()
    let here = first === undefined ? origin : targetOf(first, origin)
    for (;;) {
      const { value } = here
      // Within a chain, a reference with siblings has its own meaning, so it is a target itself.
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
        throw rejected('reference-is-circular', here, `${$ref} refers only to itself`)
      }
      here = next
    }
  }

  function targetOf(ref: string, origin: Origin): ReferenceTarget {
    // Within a schema that has a `$id`, a reference may have another meaning than outside.
    const root = resources.rootOf(origin)
    const known = cached(targets, origin.document, () => new Map<string, ReferenceTarget>())
    return cached(known, `${root} ${ref}`, () => find(ref, origin, root))
  }

  function find(ref: string, origin: Origin, root: string): ReferenceTarget {
    try {
      return named(ref, origin, root)
    } catch (error) {
      const repaired = error instanceof DocumentError ? repairedTarget(ref, origin) : undefined
      if (!repaired) throw error
      return repaired
    }
  }

  function named(ref: string, origin: Origin, root: string): ReferenceTarget {
    const [file = '', fragment = ''] = ref.split('#', 2)
    const here =
      file === '' ? { document: origin.document, pointer: root } : placeOf(file, ref, origin)
    const { document } = here
    const pointer = pointerIn(here, fragment, ref, origin)
    const value = valueAt({ document, pointer })
    const within = value === undefined ? throughMap({ document, pointer }) : undefined
    if (within) return within
    if (value === undefined) {
      const near = nearestTarget({ document, pointer }, file)
      const repaired = near === undefined ? '' : `: did you mean ${near}?`
      throw rejected(
        'reference-is-dangling',
        origin,
        `the target of ${ref} does not exist${repaired}`,
      )
    }
    const target = { document, pointer, value }
    reached.push(target)
    return target
  }

  /**
   * What a reference without a target means: in another file, a component of the entry that it does not name, and elsewhere a
   * schema by its name alone, or a component by the path that it has in Swagger 2.0.
   */
  function repairedTarget(ref: string, origin: Origin): ReferenceTarget | undefined {
    const [, written = 'schemas', name] = INEXACT.exec(ref) ?? []
    const section = written === 'definitions' ? 'schemas' : written
    const pointers = [
      ...(ref.startsWith('#/') ? [ref.slice(1)] : []),
      ...(name === undefined ? [] : [`/components/${section}/${name}`]),
      ...(name === undefined || section !== 'schemas' ? [] : [`/definitions/${name}`]),
    ]
    for (const pointer of pointers) {
      const value = valueAt({ document: entry, pointer })
      if (value === undefined) continue
      const file =
        origin.document === entry ? '' : relative(dirname(pathOf(origin.document)), pathOf(entry))
      report({
        rule: 'reference-is-inexact',
        level: 'warning',
        location: locate(origin, '$ref'),
        message: `the target of ${ref} does not exist, so it is read as ${file}#${entry.locate(pointer).pointer}: write that`,
      })
      const target = { document: entry, pointer, value }
      reached.push(target)
      return target
    }
    return undefined
  }

  /**
   * The target that a pointer probably means, where each segment that does not exist is mistyped: its name if only the last segment
   * is, else the whole reference.
   */
  function nearestTarget({ document, pointer }: Origin, file: string): string | undefined {
    const segments = segmentsOf(pointer)
    const found: string[] = []
    for (const segment of segments) {
      const holder = valueAt({ document, pointer: pointerOf(...found) })
      const names = Object.keys(isObject(holder) ? holder : {})
      const near = names.includes(segment) ? segment : nearest(segment, names)
      if (near === undefined) return undefined
      found.push(near)
    }
    const isOnlyLast = found.slice(0, -1).every((name, at) => name === segments[at])
    return isOnlyLast ? found.at(-1) : `${file}#${pointerOf(...found)}`
  }

  /** The document or the schema that a reference names before its fragment. */
  function placeOf(file: string, ref: string, origin: Origin): Origin {
    const isAbsolute = /^([a-z][a-z0-9+.-]+:|\/\/)/i.test(file)
    const base = resources.baseOf(origin)
    const uri = isAbsolute || base !== undefined ? resolveUri(file, base) : undefined
    const place = uri && resources.placeOf(uri, () => locate(origin, '$ref'))
    if (place) return place
    const isCopied = base !== undefined && resources.isCopy(origin.document)
    if (!isAbsolute && !isCopied) {
      const known = cached(neighbours, origin.document, () => new Map<string, Document>())
      const document = cached(known, file, () => readBeside(file, ref, origin))
      return { document, pointer: '' }
    }
    if (uri !== undefined && /^https?:/.test(uri) && !remote.has(uri)) remote.set(uri, origin)
    throw rejectedRemote(isAbsolute ? ref : (uri ?? ref), origin)
  }

  /** A fragment is an anchor, or a pointer into the innermost schema with a `$id` or else into the document. */
  function pointerIn(
    { document, pointer: root }: Origin,
    fragment: string,
    ref: string,
    origin: Origin,
  ): string {
    const decoded = decodePercent(fragment)
    if (decoded !== undefined && (decoded === '' || decoded.startsWith('/'))) {
      const within = root + decoded
      const isThere = root === '' || valueAt({ document, pointer: within }) !== undefined
      return isThere ? within : decoded
    }
    const place = { document, pointer: root }
    const anchor = decoded === undefined ? undefined : resources.anchorOf(place, decoded)
    if (anchor !== undefined) return anchor
    throw rejected(
      'reference-is-no-pointer',
      origin,
      `${ref} is not a JSON pointer, and no schema has an $anchor of this name: write # and a path of /segments`,
    )
  }

  /** The target of a pointer on whose path a map is a reference to another map. */
  function throughMap({ document, pointer }: Origin): ReferenceTarget | undefined {
    const segments = segmentsOf(pointer)
    for (let length = 1; length < segments.length; length++) {
      const map = { document, pointer: pointerOf(...segments.slice(0, length)) }
      const value = valueAt(map)
      if (!isReference(value) || crossed.has(value)) continue
      crossed.add(value)
      const { pointer: above, ...end } = followed({ ...map, value })
      const origin = { ...end, pointer: joinPointer(above, ...segments.slice(length)) }
      const found = valueAt(origin)
      if (found === undefined) return undefined
      const target = { ...origin, value: found }
      reached.push(target)
      return target
    }
    return undefined
  }

  function followed(map: ReferenceTarget): ReferenceTarget {
    try {
      return follow(map)
    } finally {
      crossed.delete(map.value as object)
    }
  }

  function readBeside(file: string, ref: string, origin: Origin): Document {
    if (isAddress(pathOf(origin.document))) {
      throw rejected(
        'reference-is-remote',
        origin,
        `${ref} is another file on the server, which is not fetched: bundle the document, or save it with its files`,
      )
    }
    const name = decodePercent(file) ?? file
    const beside = join(dirname(pathOf(origin.document)), name)
    if (resolve(beside) === resolve(pathOf(origin.document))) return origin.document
    // A file outside is never opened; not even its existence is checked.
    const isInside = (path: string) => roots.some((root) => isWithin(root, tree.realPath(path)))
    const isThere = (path: string) =>
      !path.includes('\0') && isInside(path) && tree.kindOf(path) !== undefined
    // Some documents contain paths from the root of their repository.
    const path = [beside, ...folders.map((folder) => join(folder, name))].find(isThere) ?? beside
    const real = tree.realPath(path)
    if (!isInside(path)) {
      throw rejected('reference-is-outside', origin, outsideMessage(ref, path, real, folders))
    }
    const kind = path.includes('\0') ? undefined : tree.kindOf(path)
    if (kind === undefined) {
      throw rejected('reference-is-dangling', origin, missingMessage(ref, path, origin, tree))
    }
    if (kind === 'folder') {
      throw rejected(
        'reference-is-dangling',
        origin,
        `${ref} points at a folder: name a file in it`,
      )
    }
    return read(path)
  }
}

/** `Order`, `#Order`, `#/definitions/Order`, `#/parameters/page` or `components/schemas/Order`. */
const INEXACT =
  /^#?\/?(?:(?:components\/)?(schemas|definitions|parameters|responses|requestBodies|headers|examples)\/)?([\w.-]+)$/

type References = {
  /** The last target of a chain of references that begins at `origin`, or with `first`. */
  readonly follow: (origin: ReferenceTarget, first?: string) => ReferenceTarget
  /** The targets that `follow` passes, the last one included. */
  readonly passed: (origin: ReferenceTarget, first?: string) => Iterable<ReferenceTarget>
  /** The number of schemas around a place, within one `$id` or else one document, with a `$dynamicAnchor` of a name. */
  readonly anchorsOf: (origin: Origin, name: string) => number
  /** Every target found so far. */
  readonly reached: readonly Origin[]
  /** The HTTP URIs that no local file has, each with a reference to it. */
  readonly remote: ReadonlyMap<string, Origin>
}

/** The value at the place that a reference names. */
export type ReferenceTarget = Origin & { readonly value: unknown }

/** Whether a reference has no siblings, so that it only forwards. */
export const isBare = (value: Reference) => Object.keys(value).length === 1

/** The error of a reference that cannot be followed, at its line. */
function rejected(rule: string, origin: Origin, message: string): DocumentError {
  return new DocumentError({ rule, level: 'error', location: locate(origin, '$ref'), message })
}

/**
 * A reference to a remote document is a warning: the described part is unknown, and the rest of the
 * document is read. A URL never names a file.
 */
function rejectedRemote(ref: string, origin: Origin): DocumentError {
  const isFile = /^file:/i.test(ref)
  const message = isFile
    ? `${ref} is a URL of a file: write its path, relative to this document`
    : `${ref} is remote and is not fetched, so its content is unknown: run again with --fetch-references, which keeps a copy beside the document, or put a file with that $id there`
  return new DocumentError({
    rule: 'reference-is-remote',
    level: isFile ? 'error' : 'warning',
    location: locate(origin, '$ref'),
    message,
  })
}

/** The reason why a path outside `folders` is not read: the path itself, or a symbolic link, leads outside. */
function outsideMessage(
  ref: string,
  path: string,
  real: string,
  folders: readonly string[],
): string {
  const isLink = folders.some((folder) => isWithin(resolve(folder), resolve(path)))
  const [way, folder] = isLink
    ? [` by a symbolic link to ${real}`, dirname(real)]
    : ['', dirname(path)]
  return `${ref} leads outside of ${folders.join(' and ')}${way}: move the file below the document's folder, or allow its folder with --allow-outside ${folder}`
}

/** The advice for a file that does not exist at `path`. */
function missingMessage(ref: string, path: string, origin: Origin, tree: FileTree): string {
  const document = pathOf(origin.document)
  const [folder, real] = [dirname(document), tree.realPath(document)]
  const isLink = join(tree.realPath(folder), basename(document)) !== real
  const beside = join(dirname(real), relative(folder, path))
  const isThere = isLink && isWithin(dirname(real), beside) && tree.kindOf(beside) !== undefined
  const advice = isThere
    ? `${document} is a symbolic link, and the file is beside its target, so name that document: ${real}`
    : `put it at ${path}, correct the reference, or name the folder that it is relative to with --allow-outside`
  return `${ref} points at a file that does not exist: ${advice}`
}
