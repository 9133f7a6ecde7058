import { type Dirent, existsSync, lstatSync, readlinkSync, writeFileSync } from 'node:fs'
import {
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { File } from '../emit/file.js'
import { UsageError } from './io.js'
import { type FileDifference, fileDifferences } from './stale-files.js'

/**
 * Replaces a folder by the given files atomically, and returns the differences from before. The files are written next to it and
 * then renamed; if that fails, the old folder is restored. Hidden files of the folder (`.gitattributes`) are kept; `kept`
 * returns them. Throws UsageError if the folder contains anything else that was not generated, or cannot be written.
 */
export const writeTree = async (
  folder: string,
  files: readonly File[],
  { kept = keptFiles, written = () => undefined }: WriteOptions = {},
): Promise<readonly FileDifference[]> => {
  try {
    const place = await placeOf(folder)
    await recover(place)
    const hidden = await kept(place, folder)
    const changes = await fileDifferences(place, files)
    if (changes.length > 0) await swap(place, files, { kept: hidden, changes, written })
    return changes
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    // System errors about a path or its permissions are for the user to fix; all others are bugs.
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw cause
    throw new UsageError(`${folder} cannot be written: ${message}`, { cause })
  }
}

export type WriteOptions = {
  /** The names of the files to keep in the folder; throws UsageError if it contains foreign files. */
  readonly kept?: typeof keptFiles
  /** Called during writing, with the number of written files. */
  readonly written?: (count: number) => void
}

/** The folder name for messages, with a slash. */
export const folderName = (out: string): string => (/[\\/]$/.test(out) ? out : `${out}/`)

/** The target folder of a symbolic link, because a rename would replace the link. */
const placeOf = async (folder: string): Promise<string> => {
  const place = resolve(folder)
  if (existsSync(place)) return realpath(place)
  const broken = brokenLink(place)
  if (broken === undefined) return place
  throw new UsageError(
    `${folder} cannot be written: ${broken} is a symbolic link to ${readlinkSync(broken)}, which does not lead to a folder; remove the link, create the folder it names, or choose another --out`,
  )
}

/** The broken or circular symbolic link in a path. */
const brokenLink = (place: string): string | undefined => {
  if (existsSync(place)) return undefined
  // From the top, because a link below a broken one cannot be inspected.
  const above = dirname(place) === place ? undefined : brokenLink(dirname(place))
  if (above !== undefined) return above
  return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ? place : undefined
}

/** The hidden files; all others must be generated. Reading ends at the first that is not, because the folder may be a whole disk. */
const keptFiles = async (place: string, folder: string): Promise<readonly string[]> => {
  const { hidden, visible } = await readOutFolder(place, folder)
  const isUnmarked = ({ name }: Dirent): boolean => UNMARKED.test(name)
  const marked = visible.filter((entry) => !isUnmarked(entry))
  let foreign = marked.length === 0 ? visible[0] : undefined
  for (const entry of marked) {
    if (foreign !== undefined) break
    if (!(await isOurs(join(place, entry.name), entry))) foreign = entry
  }
  if (!foreign) return hidden
  throw new UsageError(
    `${join(folder, foreign.name)} was not generated, and ${folder} would be replaced: choose another --out, or move the file`,
  )
}

/** Whether it is a file with the mark, or a folder that contains only such files. */
const isOurs = async (path: string, entry: Dirent): Promise<boolean> => {
  if (!entry.isDirectory()) return entry.isFile() && (await isMarked(path, FILE_MARK))
  const inside = await readdir(path, { withFileTypes: true })
  const others = inside.filter(({ name }) => !UNMARKED.test(name) && name !== COMPILED)
  for (const one of others) if (!(await isOurs(join(path, one.name), one))) return false
  return others.length > 0
}

/** What Python compiles beside modules when a program imports them. */
const COMPILED = '__pycache__'

/** Part of the first line of every generated file. */
export const FILE_MARK = 'enerated by `twinspec generate`'

/** JSON and sums have no comments, so these count as generated if a marked file is next to them. */
const UNMARKED = /^((http\.openapi|operations|rpc\.openapi|rpc\.openrpc)\.json|go\.sum)$/

type Swap = {
  readonly kept: readonly string[]
  readonly changes: readonly FileDifference[]
  readonly written: (count: number) => void
}

const swap = async (
  place: string,
  files: readonly File[],
  { kept, changes, written }: Swap,
): Promise<void> => {
  const changed = new Set(changes.map(({ name }) => name))
  const next = besides(place, process.pid, 'new')
  const last = besides(place, process.pid, 'old')
  const replaces = existsSync(place) && (await readdir(place)).length > 0
  try {
    await makeFolder(next)
    const folders = new Set(files.map(({ name }) => dirname(join(next, name))))
    for (const folder of folders) await mkdir(folder, { recursive: true })
    await eachOfMany(
      files,
      async ({ name, text }) => {
        if (!changed.has(name) && (await isLinked(join(place, name), join(next, name)))) return
        // Flushed before the rename, or a power failure could replace old files by empty ones.
        if (replaces) await writeFile(join(next, name), text, { flush: true })
        // Without a flush, promises for thousands of small files take ten times as long as the files.
        else writeFileSync(join(next, name), text)
      },
      written,
    )
    for (const name of kept) await copyFile(join(place, name), join(next, name))
    const hadTree = existsSync(place)
    if (hadTree) await rename(place, last)
    try {
      await rename(next, place)
    } catch (error) {
      if (hadTree) await rename(last, place)
      throw error
    }
  } finally {
    await rm(next, { recursive: true, force: true })
  }
  await rm(last, { recursive: true, force: true })
}

/** `mkdir` with `recursive` of Node 20 never ends if the parent folder exists and rejects new ones, such as /proc. */
const makeFolder = async (folder: string): Promise<void> => {
  if (existsSync(folder)) return
  await makeFolder(dirname(folder))
  await mkdir(folder)
}

/**
 * Runs a few at a time, because a disk flushes many files together as fast as a few. A failure is reported when the running ones
 * have ended too, because their folder is then removed.
 */
const eachOfMany = async <T>(
  many: readonly T[],
  work: (one: T) => Promise<void>,
  done: (count: number) => void,
): Promise<void> => {
  for (let at = 0; at < many.length; at += AT_ONCE) {
    done(at)
    const results = await Promise.allSettled(many.slice(at, at + AT_ONCE).map(work))
    for (const one of results) if (one.status === 'rejected') throw one.reason
  }
}

const AT_ONCE = 16

/** Hard-links an unchanged file, which needs no flush; false if the file system does not support it. */
const isLinked = async (file: string, name: string): Promise<boolean> => {
  try {
    await link(file, name)
    return true
  } catch {
    return false
  }
}

const besides = (place: string, pid: number | string, age: 'new' | 'old'): string =>
  join(dirname(place), `.${basename(place)}.twinspec-${pid}.${age}`)

/** Cleans up after a killed run: its old tree is restored if it was killed between the renames. */
const recover = async (place: string): Promise<void> => {
  const parent = dirname(place)
  if (!existsSync(parent)) return
  const prefix = `.${basename(place)}.twinspec-`
  for (const name of await readdir(parent)) {
    const [, pid, age] = name.startsWith(prefix)
      ? (/^(\d+)\.(new|old)$/.exec(name.slice(prefix.length)) ?? [])
      : []
    if (pid === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue
    if (age === 'old' && !existsSync(place)) await rename(join(parent, name), place)
    else await rm(join(parent, name), { recursive: true, force: true })
  }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * The content of a folder that is to be replaced: hidden files, which are kept, and all others. Empty if there is no folder yet.
 * Throws UsageError, with the name `folder`, if `place` is a file.
 */
export const readOutFolder = async (place: string, folder: string) => {
  if (!existsSync(place)) return { hidden: [], visible: [] }
  const entries = await readdir(place, { withFileTypes: true }).catch((cause) => {
    if (cause.code !== 'ENOTDIR') throw cause
    throw new UsageError(`${folder} is not a folder: choose another --out`, { cause })
  })
  const isHidden = (entry: Dirent) => entry.isFile() && entry.name.startsWith('.')
  return {
    hidden: entries.filter(isHidden).map(({ name }) => name),
    visible: entries.filter((entry) => !isHidden(entry)),
  }
}

/** Whether the first line of a file contains a mark; only the beginning is read. */
export const isMarked = async (file: string, mark: string): Promise<boolean> => {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0)
    return buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0]?.includes(mark) ?? false
  } finally {
    await handle.close()
  }
}
