import { existsSync, type FSWatcher, watch } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Document, parseDocument } from '../read/document.js'
import { disk, type FileTree } from '../read/file-tree.js'
import type { Paths } from './documents.js'
import { UsageError } from './io.js'

/**
 * Calls `work` now and after every change of a document, or of a file that `work` read from its tree. Calls run one
 * at a time, until `signal` is aborted.
 */
export const watchDocuments = async (
  documents: Paths,
  work: (tree: FileTree) => Promise<void>,
  signal: AbortSignal,
  below: FileTree = disk,
): Promise<void> => {
  const watchers = new Map<string, FSWatcher>()
  let isStale = true
  let wake = () => {}
  const files = new Set<string>()
  const changed = (folder: string, name: string | null) => {
    // The folder contains other files, and temporary files of editors are hidden; a missing document may appear.
    const isDocument = name === null || /^[^.].*\.(ya?ml|json)$/i.test(name)
    if (!isDocument && !files.has(join(folder, name))) return
    isStale = true
    wake()
  }
  const look = (file: string) => {
    const path = resolve(file)
    files.add(path)
    const folder = dirname(path)
    if (watchers.has(folder) || !existsSync(folder)) return
    const watcher = watch(folder, (_, name) => changed(folder, name))
    // A removed folder only ends its watcher.
    watcher.on('error', () => watchers.delete(folder))
    watchers.set(folder, watcher)
  }
  // Watching starts before reading: a change in between is noticed, at worst twice.
  const tree: FileTree = {
    ...below,
    read: (path) => {
      look(path)
      return below.read(path)
    },
    kindOf: (path) => {
      look(path)
      return below.kindOf(path)
    },
  }
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    while (!signal.aborted) {
      if (isStale) {
        // An editor saves in several steps, and a checkout writes many files: each change restarts the wait.
        const latest = performance.now() + MOST_WAIT
        do {
          isStale = false
          await pause(QUIET)
        } while (isStale && performance.now() < latest)
        isStale = false
        for (const file of [...Object.values(documents), ...(below.overlays ?? [])])
          if (file !== undefined) look(file)
        if (watchers.size === 0) throw new UsageError('the folders to be watched do not exist')
        await work(tree)
        continue
      }
      await new Promise<void>((resolve) => {
        wake = resolve
        if (isStale || signal.aborted) resolve()
      })
    }
  } finally {
    for (const watcher of watchers.values()) watcher.close()
  }
}

/**
 * Creates a parser that parses a file again only when its text has changed, because parsing takes most of the time of a small
 * generation.
 */
export const createParser = (): typeof parseDocument => {
  const parsed = new Map<string, { readonly text: string; readonly document: Document }>()
  return (text, name) => {
    const known = parsed.get(name)
    if (known?.text === text) return known.document
    const document = parseDocument(text, name)
    parsed.set(name, { text, document })
    return document
  }
}

/**
 * Milliseconds without a change. The steps of a save are usually less than one apart. If they are further apart, a half-written
 * file is read again after the last step.
 */
const QUIET = 10

/** Milliseconds. A folder with constant changes is read nevertheless. */
const MOST_WAIT = 200
