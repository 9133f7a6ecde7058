import { resolve } from 'node:path'
import { type FileTree, MOST_BYTES } from '../model/file-tree.js'
import { fetchDocument, isAddress, type LiveKind } from '../model/live-document.js'
import { type Io, UsageError } from './io.js'

/** Whether a word names a document that is no file: a URL, or `-` for standard input. */
export const isLive = (word: string): boolean => word === STANDARD_INPUT || isAddress(word)

const STANDARD_INPUT = '-'

/** How messages call it. */
const STDIN_NAME = '<stdin>'

/**
 * A tree that has the documents of URLs and of standard input beside the files of `below`. Rejects with DocumentError for a
 * URL that gives no document, with UsageError where standard input is named twice.
 */
export const readLiveSources = async (
  named: readonly LiveSource[],
  below: FileTree,
  { headers, stdin }: LiveInput,
): Promise<FileTree> => {
  const live = named.filter(({ word }) => isLive(word))
  if (live.length === 0) return below
  if (live.filter(({ word }) => word === STANDARD_INPUT).length > 1) {
    throw new UsageError('- is standard input, which can be read once: name a file for the other')
  }
  const options = { headers: headers.map(readHeader) }
  // By absolute paths, as some readers resolve them.
  const texts = new Map<string, { readonly name: string; readonly bytes: Uint8Array }>()
  for (const { word, kind } of live) {
    if (word === STANDARD_INPUT) {
      texts.set(resolve(word), { name: STDIN_NAME, bytes: await readStandardInput(stdin) })
    } else {
      const { name, text } = await fetchDocument(word, kind, options)
      texts.set(resolve(word), { name, bytes: Buffer.from(text) })
    }
  }
  return {
    ...below,
    read: (path) => texts.get(resolve(path))?.bytes ?? below.read(path),
    kindOf: (path) => (texts.has(resolve(path)) ? 'file' : below.kindOf(path)),
    nameOf: (path) => texts.get(resolve(path))?.name ?? below.nameOf(path),
    realPath: (path) => (isAddress(path) ? path : below.realPath(path)),
  }
}

export type LiveSource = {
  readonly word: string
  /** Undefined where the content decides. */
  readonly kind: LiveKind | undefined
}

type LiveInput = { readonly headers: readonly string[]; readonly stdin: Io['stdin'] }

/** `name: value`, as curl takes it. The value may be a secret, so no message shows it. */
const readHeader = (line: string): readonly [string, string] => {
  const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/s.exec(line) ?? []
  try {
    new Headers([[name, value]])
    return [name, value]
  } catch (cause) {
    throw new UsageError("--header is no header: write it as 'name: value'", { cause })
  }
}

const readStandardInput = async (stdin: Io['stdin']): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  let total = 0
  for await (const part of stdin?.() ?? []) {
    total += part.length
    if (total > MOST_BYTES) {
      throw new UsageError(`standard input has more than ${MOST_BYTES / 2 ** 20} MiB`)
    }
    parts.push(part)
  }
  return Buffer.concat(parts)
}
