import { dirname, extname, posix, relative, resolve, sep } from 'node:path'
import { stringify } from 'yaml'
import { exactIn } from '../model/exact-examples.js'
import { createFaults } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { type Bundle, bundle } from '../read/bundle.js'
import { type Document, readDocument } from '../read/document.js'
import { numberTextIn } from '../read/document-info.js'
import type { FileTree } from '../read/file-tree.js'
import { isAddress } from '../read/live-document.js'
import { writeJson } from '../runtime/shared/json.js'
import { joinPointer } from '../runtime/shared/pointer.js'
import { decodePercent } from '../runtime/shared/template.js'

/**
 * Copies the documents of a team, with all the files they refer to, into `spec/`. Texts are unchanged, but references
 * between files that move apart are rewritten. If that would change their meaning, a document becomes one file.
 * Throws DocumentError for a file that cannot be read.
 */
export const adoptDocuments = (sources: Sources, tree: FileTree): Adopted => {
  const known = new Map<string, Document>()
  const read = (path: string): Document => {
    const document = known.get(path) ?? readDocument(path, tree)
    known.set(path, document)
    return document
  }
  const families = KINDS.flatMap((kind): readonly Family[] => {
    const file = sources[kind]
    if (file === undefined) return []
    const entry = read(file)
    // The errors of its parts are printed by the command.
    const whole = bundle(entry, read, tree, createFaults())
    const all = [entry, ...whole.reached.map(({ document }) => document)]
    const members = [...new Map(all.map((one) => [pathOf(one), one])).values()]
    return [{ kind, entry, whole, members }]
  })
  const places = placesOf(families, tree)
  const files = new Map<string, InitFile>()
  const bundled: DocumentKind[] = []
  for (const family of families) {
    const moved = family.members.map((one) =>
      adoptedFile(one, redirected(one, textOf(one, tree), places), places),
    )
    const isSame = meansTheSame(family, moved, places)
    if (!isSame) bundled.push(family.kind)
    for (const file of isSame ? moved : [asOne(family, places)]) files.set(file.path, file)
  }
  const all = [...files.values()]
  const rewritten = all.filter(
    ({ from, text }) => from !== undefined && textAt(from, tree) !== text,
  )
  const leftOut = families.flatMap(({ members }) =>
    members.flatMap((one) => examplesBeside(one, places, tree)),
  )
  return {
    kinds: families.map(({ kind }) => kind),
    isSwagger: families.some(({ entry }) => isObject(entry.value) && 'swagger' in entry.value),
    files: all,
    bundled,
    rewritten: rewritten.map(({ path }) => path),
    leftOut: [...new Map(leftOut.map((one) => [one.from, one])).values()],
  }
}

export type Sources = { readonly [kind in DocumentKind]?: string | undefined }

export type Adopted = {
  readonly kinds: readonly DocumentKind[]
  /** Whether the OpenAPI document is Swagger 2.0, which is read through a converter. */
  readonly isSwagger: boolean
  readonly files: readonly InitFile[]
  /** Documents that were bundled into one file, because their files could not be moved. */
  readonly bundled: readonly DocumentKind[]
  /** Paths of the files in which only references were changed. */
  readonly rewritten: readonly string[]
  /** Files that an `externalValue` names. They may be of any kind, and Twinspec never reads them. */
  readonly leftOut: readonly Pick<Required<InitFile>, 'from' | 'path'>[]
}

/** One file of a new project. */
export type InitFile = {
  /** Relative to the folder of the project, with slashes. */
  readonly path: string
  readonly text: string
  /** If a document exists already, nothing is written; other files (`beside`) are then left unchanged. */
  readonly kind: 'document' | 'beside'
  /** The absolute path of the original document. If it is the same file, nothing is written. */
  readonly from?: string
  /** The lines that an existing file lacks. */
  readonly lacking?: (existing: string) => readonly string[]
}

/** A document, its bundled form, and all files that it consists of. */
type Family = {
  readonly kind: DocumentKind
  readonly entry: Document
  readonly whole: Bundle
  readonly members: readonly Document[]
}

export type DocumentKind = 'openapi' | 'openrpc'

const KINDS: readonly DocumentKind[] = ['openapi', 'openrpc']

const adoptedFile = (
  document: Document,
  text: string,
  places: ReadonlyMap<string, string>,
): InitFile => {
  const from = pathOf(document)
  return { path: places.get(from) ?? from, text, kind: 'document', from }
}

/** Whether a document bundled at its new place is exactly the same as at its old place. */
const meansTheSame = (
  { entry, whole }: Family,
  moved: readonly InitFile[],
  places: ReadonlyMap<string, string>,
): boolean => {
  const texts = new Map(moved.map(({ path, text }) => [path, Buffer.from(text)]))
  const tree: FileTree = {
    read: (path) => texts.get(posix.normalize(path)) ?? new Uint8Array(),
    kindOf: (path) => (texts.has(posix.normalize(path)) ? 'file' : undefined),
    nameOf: (path) => path,
    realPath: (path) => posix.resolve('/', path),
  }
  const read = (path: string) => readDocument(path, tree)
  try {
    const again = bundle(read(places.get(pathOf(entry)) ?? ''), read, tree, createFaults())
    return JSON.stringify(again.value) === JSON.stringify(whole.value)
  } catch {
    return false
  }
}

const asOne = ({ entry, whole }: Family, places: ReadonlyMap<string, string>): InitFile => {
  const path = places.get(pathOf(entry)) ?? ''
  const value = exactIn({ numberText: numberTextIn(whole) })(whole.value)
  const text =
    extname(path) === '.json'
      ? `${writeJson(value, 2)}\n`
      : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, singleQuote: true })
  return { path, text, kind: 'document' }
}

const textOf = (document: Document, tree: FileTree): string => textAt(pathOf(document), tree)

const textAt = (path: string, tree: FileTree): string =>
  Buffer.from(tree.read(path)).toString('utf8')

/**
 * The new place of each file of the documents. Entry documents get the names that commands look for. Others keep their paths
 * below their common folder. Documents without a shared file do not share a folder either.
 */
const placesOf = (families: readonly Family[], tree: FileTree): ReadonlyMap<string, string> => {
  const places = new Map<string, string>()
  const used = new Set<string>()
  for (const { kind, entry } of families) {
    const place = `spec/${kind}${extensionOf(entry, tree)}`
    places.set(pathOf(entry), place)
    used.add(place)
  }
  for (const members of together(families)) {
    const root = commonFolder(members)
    for (const path of members) {
      if (places.has(path)) continue
      const place = freePlace(`spec/${relative(root, path).split(sep).join('/')}`, used)
      places.set(path, place)
      used.add(place.toLowerCase())
    }
  }
  return places
}

/**
 * YAML includes JSON, so `.yaml` is right for a file without a known extension. Servers send JSON, and a URL may have no
 * extension.
 */
const extensionOf = (entry: Document, tree: FileTree): string => {
  const named = extname(pathOf(entry)).toLowerCase()
  if (EXTENSIONS.has(named)) return named
  return isAddress(entry.path ?? entry.file) && /^\s*\{/.test(textOf(entry, tree))
    ? '.json'
    : '.yaml'
}

const EXTENSIONS = new Set(['.yaml', '.yml', '.json'])

const together = (families: readonly Family[]): readonly (readonly string[])[] => {
  const lists = families.map(({ members }) => members.map(pathOf))
  const [first = [], second = []] = lists
  const shared = first.some((path) => second.includes(path))
  return shared ? [[...new Set([...first, ...second])]] : lists
}

const commonFolder = (paths: readonly string[]): string =>
  paths.map(dirname).reduce((common, folder) => {
    let here = common
    while (
      here !== folder &&
      here !== dirname(here) &&
      !folder.startsWith(here.endsWith(sep) ? here : here + sep)
    ) {
      here = dirname(here)
    }
    return here
  })

/** A path that is free even if the file system ignores case. */
const freePlace = (place: string, used: ReadonlySet<string>): string => {
  if (!used.has(place.toLowerCase())) return place
  const extension = extname(place)
  const stem = place.slice(0, place.length - extension.length)
  for (let number = 2; ; number++) {
    const next = `${stem}-${number}${extension}`
    if (!used.has(next.toLowerCase())) return next
  }
}

/** The file that a document was read from, absolute. */
const pathOf = ({ path, file }: Document): string => resolve(path ?? file)

/** The text of a document at its new place; only references to files that have moved relative to it are changed. */
const redirected = (
  document: Document,
  text: string,
  places: ReadonlyMap<string, string>,
): string => {
  const source = pathOf(document)
  const place = places.get(source) ?? ''
  const edits = [...stringsIn(document.value, '')]
    .filter(isReferring)
    .flatMap(({ text: ref, pointer }): readonly Edit[] => {
      const [file = '', ...fragment] = ref.split('#')
      const path = decodePercent(file) ?? file
      const target = file === '' ? undefined : places.get(resolve(dirname(source), path))
      if (target === undefined) return []
      if (posix.join(posix.dirname(place), path) === target) return []
      const { line, column } = document.locate(pointer)
      return [{ line, column, next: [pathTo(place, target), ...fragment].join('#'), ref }]
    })
  return edited(text, edits)
}

type Edit = {
  readonly line: number
  readonly column: number
  readonly ref: string
  readonly next: string
}

/** The files beside a document that its examples name. */
const examplesBeside = (
  document: Document,
  places: ReadonlyMap<string, string>,
  tree: FileTree,
): Adopted['leftOut'] => {
  const source = pathOf(document)
  const folder = posix.dirname(places.get(source) ?? '')
  return [...stringsIn(document.value, '')].flatMap(({ key, text }) => {
    const path = decodePercent(text) ?? text
    const from = resolve(dirname(source), path)
    const isLocalFile = key === 'externalValue' && !isAddress(text) && tree.kindOf(from) === 'file'
    return isLocalFile ? [{ from, path: posix.join(folder, path) }] : []
  })
}

function* stringsIn(value: unknown, pointer: string): Generator<Text> {
  for (const [key, member] of Object.entries(value ?? {})) {
    const here = joinPointer(pointer, key)
    if (typeof member === 'string') yield { key, text: member, pointer: here }
    else if (typeof member === 'object') yield* stringsIn(member, here)
  }
}

type Text = { readonly key: string; readonly text: string; readonly pointer: string }

/** A reference, or a string in a discriminator's mapping, which may be one. */
const isReferring = ({ key, pointer }: Text): boolean =>
  key === '$ref' || /\/discriminator\/mapping\/[^/]*$/.test(pointer)

/** With a leading dot, so that YAML parses it as a plain string. */
const pathTo = (place: string, target: string): string => {
  const path = posix.relative(posix.dirname(place), target)
  return encodeURI(path.startsWith('.') ? path : `./${path}`)
}

/** A reference that is not found literally, such as one with escapes, is left unchanged; the caller checks the result. */
const edited = (text: string, edits: readonly Edit[]): string => {
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  const lines = text.slice(mark).split('\n')
  const byPlace = [...edits].sort((a, b) => b.line - a.line || b.column - a.column)
  for (const { line, column, ref, next } of byPlace) {
    const found = lines[line - 1] ?? ''
    const start = column - 1 + (/^['"]/.test(found.slice(column - 1)) ? 1 : 0)
    if (!found.startsWith(ref, start)) continue
    lines[line - 1] = found.slice(0, start) + next + found.slice(start + ref.length)
  }
  return text.slice(0, mark) + lines.join('\n')
}
