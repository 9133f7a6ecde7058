import { existsSync, type FSWatcher, watch } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { bundle } from '../model/bundle.js'
import { type Document, readDocument } from '../model/document.js'
import type { Paths } from './documents.js'
import { UsageError } from './io.js'

/**
 * Calls `work` now and after every change of a document or of a file that it refers to, one call at
 * a time, until `signal` is aborted.
 */
export const watchDocuments = async (
  documents: Paths,
  work: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> => {
  const watchers = new Map<string, FSWatcher>()
  let isStale = true
  let wake = () => {}
  let files: ReadonlySet<string> = new Set()
  const changed = (folder: string, name: string | null) => {
    // Other files live there too, and an editor's own are hidden; one that was missing may appear.
    const isDocument = name === null || /^[^.].*\.(ya?ml|json)$/i.test(name)
    if (!isDocument && !files.has(join(folder, name))) return
    isStale = true
    wake()
  }
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    while (!signal.aborted) {
      if (isStale) {
        // An editor saves in several steps, and a checkout many files.
        await pause(QUIET)
        isStale = false
        // Watched before it is read: a change in between is seen, at worst twice.
        files = filesRead(documents)
        for (const folder of new Set([...files].map(dirname))) {
          if (watchers.has(folder) || !existsSync(folder)) continue
          const watcher = watch(folder, (_, name) => changed(folder, name))
          // A folder that is taken away ends its watcher and nothing else.
          watcher.on('error', () => watchers.delete(folder))
          watchers.set(folder, watcher)
        }
        if (watchers.size === 0) throw new UsageError('the folders to be watched do not exist')
        await work()
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

/** Milliseconds. */
const QUIET = 50

/** The documents and every file that they refer to, as far as they can be read. */
const filesRead = (documents: Paths): ReadonlySet<string> => {
  const read = new Map<string, Document>()
  const files = new Set<string>()
  const remember = (file: string): Document => {
    const path = resolve(file)
    files.add(path)
    const document = read.get(path) ?? readDocument(file)
    read.set(path, document)
    return document
  }
  for (const file of Object.values(documents)) {
    if (file === undefined) continue
    try {
      bundle(remember(file), remember)
    } catch {
      // What is wrong with it, `work` says in a moment; what was read before is watched.
    }
  }
  return files
}
