import { accessSync, constants, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '../runtime/shared/message-of.js'
import { UsageError } from './io.js'

/** Throws UsageError where a file cannot be written, so that it is reported before the work and not after it. */
export const assertWritable = (path: string): void => {
  inASentence(path, () => {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`${path} is a folder: name a file in it`)
    accessSync(dirname(path), constants.W_OK)
  })
}

/** Replaces a file whole or not at all. Throws UsageError where it cannot be written. */
export const writeWhole = (path: string, text: string): void => {
  const next = join(dirname(path), `.${basename(path)}.twinspec-${process.pid}.new`)
  inASentence(path, () => {
    try {
      writeFileSync(next, text, { flush: true })
      renameSync(next, path)
    } finally {
      rmSync(next, { force: true })
    }
  })
}

const inASentence = (path: string, work: () => void): void => {
  try {
    work()
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError(`${path} cannot be written: ${messageOf(cause)}`, { cause })
  }
}
