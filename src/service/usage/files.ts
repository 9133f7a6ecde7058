import { randomBytes } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/**
 * Writes lines into compressed files of a folder. A new file begins each day and above a size; the oldest are deleted above a
 * number of files. Each call writes a complete gzip member, so that a crash loses no line that was written before.
 */
export const createUsageFiles = (folder: string, options: FileOptions = {}): UsageFiles => {
  const { mostBytes = 64 * 2 ** 20, mostFiles = 16, now = Date.now } = options
  let open: { readonly descriptor: number; readonly day: string; size: number } | undefined
  let count = 0

  const close = (): void => {
    if (open) closeSync(open.descriptor)
    open = undefined
  }
  const fileOf = (day: string, bytes: number) => {
    if (open && open.day === day && open.size + bytes <= mostBytes) return { file: open, gone: [] }
    close()
    count += 1
    // A process in another container may have the same number.
    const unique = `${process.pid}-${count}-${randomBytes(4).toString('hex')}`
    const time = new Date(now()).toISOString().replace(/[-:]|\..*/g, '')
    const descriptor = openSync(join(folder, `usage-${time}-${unique}.ndjson.gz`), 'wx', 0o600)
    open = { descriptor, day, size: 0 }
    const gone = readdirSync(folder)
      .filter((one) => OURS.test(one))
      .sort()
      .slice(0, -mostFiles)
    for (const one of gone) rmSync(join(folder, one), { force: true })
    return { file: open, gone }
  }
  return {
    write: (lines) => {
      const bytes = gzipSync(lines.map((line) => `${line}\n`).join(''))
      const { file, gone } = fileOf(new Date(now()).toISOString().slice(0, 10), bytes.length)
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(file.descriptor, bytes, at)
        file.size += bytes.length
      } catch (error) {
        // An incomplete member would make those after it unreadable.
        ftruncateSync(file.descriptor, file.size)
        close()
        throw error
      }
      return { deleted: gone }
    },
    close,
  }
}

export type UsageFiles = {
  /** Throws file system errors. Returns the names of files that were deleted to free space. */
  readonly write: (lines: readonly string[]) => { readonly deleted: readonly string[] }
  readonly close: () => void
}

export type FileOptions = {
  /** The maximum size of a file. */
  readonly mostBytes?: number
  readonly mostFiles?: number
  readonly now?: () => number
}

const OURS = /^usage-\d{8}T\d{6}-\d+-\d+-[\da-f]{8}\.ndjson\.gz$/
