import { statSync } from 'node:fs'
import type { ArgDef, ArgsDef } from 'citty'
import { type Document, readDocument } from '../model/document.js'
import { disk, type FileTree } from '../model/file-tree.js'
import { isObject } from '../model/json.js'
import { type ApiFiles, findDocuments } from '../model/load.js'
import { UsageError } from './io.js'

/** How a command learns which documents are meant; those of `spec/` where nothing is said. */
export const documentFlags = {
  openapi: { type: 'string', valueHint: 'file', description: 'The OpenAPI document, 3.0 or 3.1' },
  openrpc: { type: 'string', valueHint: 'file', description: 'The OpenRPC document, 1.0 to 1.4' },
  'allow-outside': {
    type: 'string',
    valueHint: 'folder',
    description: 'References may lead into this folder, besides that of the document',
  },
} as const satisfies ArgsDef

export const arazzoFlag = {
  type: 'string',
  valueHint: 'file',
  description: 'The Arazzo document, 1.0',
} as const satisfies ArgDef

/** The disk, with the folder that `--allow-outside` names. Throws UsageError where it is no folder. */
export const diskAllowing = (allowed: string | undefined): FileTree => {
  if (allowed !== undefined && !isFolder(allowed)) {
    throw new UsageError(`--allow-outside names ${allowed}, which is no folder`)
  }
  return { ...disk, allowed }
}

/** The documents that flags name, or else those of `spec/`. Throws UsageError where there are none. */
export const documentsNamed = ({ openapi, openrpc, arazzo }: Paths): Paths => {
  if (openapi !== undefined || openrpc !== undefined) return { openapi, openrpc, arazzo }
  const found = documentsIn(DEFAULT_FOLDER)
  return { ...found, arazzo: arazzo ?? found.arazzo }
}

export type Paths = { readonly [kind in keyof ApiFiles]: string | undefined }

/**
 * Files of any name, recognised by their contents, or a folder of such under their usual names; `flags` name what words
 * do not. Throws UsageError where two are of one kind, and where there are none.
 */
export const documentsGiven = (
  words: readonly string[],
  flags: Pick<Paths, 'openapi' | 'openrpc'>,
): ApiFiles => {
  if (words.length === 0) return documentsNamed({ ...flags, arazzo: undefined })
  const named = Object.entries(flags).filter(([, path]) => path !== undefined)
  const [only = ''] = words
  if (words.length === 1 && isFolder(only)) {
    const [[flag, path] = []] = named
    if (flag === undefined) return documentsIn(only)
    throw new UsageError(
      `${only} is a folder, and --${flag} names ${path}: give the folder alone, or a file for each document`,
    )
  }
  const given: { -readonly [kind in keyof ApiFiles]: Document | string } = Object.fromEntries(named)
  for (const path of words) {
    const document = readDocument(path)
    const kind = kindOf(document) ?? 'openapi'
    const other = given[kind]
    if (other !== undefined) {
      const one = typeof other === 'string' ? `--${kind} ${other}` : other.file
      throw new UsageError(`${one} and ${path} are both ${kind} documents: one can be given`)
    }
    given[kind] = document
  }
  return given
}

/** Where documents stand unless flags name them. */
export const DEFAULT_FOLDER = 'spec'

const KINDS = ['openapi', 'openrpc', 'arazzo'] as const

/** Recognised by its content, whatever it is called. */
export const kindOf = ({ value }: Document) =>
  KINDS.find((kind) => isObject(value) && kind in value)

const documentsIn = (folder: string): Paths => {
  const found = findDocuments(folder)
  if (found.openapi !== undefined || found.openrpc !== undefined) return found
  throw new UsageError(
    `there is neither openapi.yaml nor openrpc.yaml in ${folder}/: name your documents, or go where they are`,
  )
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
