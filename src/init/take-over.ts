import { extname, posix } from 'node:path'
import { stringify } from 'yaml'
import { bundle } from '../model/bundle.js'
import { type Document, readDocument } from '../model/document.js'
import type { FileTree } from '../model/file-tree.js'
import type { Family, Kind } from './family.js'
import { pathOf, placesOf } from './places.js'
import type { InitFile } from './project-file.js'
import { redirected } from './redirect.js'

/**
 * The documents that a team has, with all the files that they refer to, as they are to stand in `spec/`: text for text, but
 * for references between files that no longer lie beside each other as they did. Where even that cannot be done without a
 * change of what they mean, a document comes as one file. Throws DocumentError for what cannot be read.
 */
export const takeOver = (sources: Sources, tree: FileTree): Taken => {
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
    const whole = bundle(entry, read, tree)
    const members = [entry, ...whole.reached.map(({ document }) => document)]
    return [
      {
        kind,
        entry,
        whole,
        members: [...new Map(members.map((one) => [pathOf(one), one])).values()],
      },
    ]
  })
  const places = placesOf(families)
  const files = new Map<string, InitFile>()
  const bundled: Kind[] = []
  for (const family of families) {
    const moved = family.members.map((one) =>
      taken(one, redirected(one, textOf(one, tree), places), places),
    )
    const isSame = meansTheSame(family, moved, places)
    if (!isSame) bundled.push(family.kind)
    for (const file of isSame ? moved : [asOne(family, places)]) files.set(file.path, file)
  }
  const all = [...files.values()]
  const rewritten = all.filter(
    ({ from, text }) => from !== undefined && textAt(from, tree) !== text,
  )
  return {
    kinds: families.map(({ kind }) => kind),
    files: all,
    bundled,
    rewritten: rewritten.map(({ path }) => path),
  }
}

export type Sources = { readonly [kind in Kind]?: string | undefined }

export type Taken = {
  readonly kinds: readonly Kind[]
  readonly files: readonly InitFile[]
  /** Documents that came as one file, since their files could not be laid out again. */
  readonly bundled: readonly Kind[]
  /** Paths of the files in which references were changed, and nothing else. */
  readonly rewritten: readonly string[]
}

const KINDS: readonly Kind[] = ['openapi', 'openrpc']

const taken = (document: Document, text: string, places: ReadonlyMap<string, string>): InitFile => {
  const from = pathOf(document)
  return { path: places.get(from) ?? from, text, kind: 'document', from }
}

/** Bundled where it came from and where it goes to: the same document, to the letter. */
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
    const again = bundle(read(places.get(pathOf(entry)) ?? ''), read, tree)
    return JSON.stringify(again.value) === JSON.stringify(whole.value)
  } catch {
    return false
  }
}

const asOne = ({ entry, whole }: Family, places: ReadonlyMap<string, string>): InitFile => {
  const path = places.get(pathOf(entry)) ?? ''
  const text =
    extname(path) === '.json'
      ? `${JSON.stringify(whole.value, null, 2)}\n`
      : stringify(whole.value, { lineWidth: 0, aliasDuplicateObjects: false, singleQuote: true })
  return { path, text, kind: 'document' }
}

const textOf = (document: Document, tree: FileTree): string => textAt(pathOf(document), tree)

const textAt = (path: string, tree: FileTree): string =>
  Buffer.from(tree.read(path)).toString('utf8')
