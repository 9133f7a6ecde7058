import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { File } from '../../src/emit/file.js'
import { UNCHECKED } from '../../src/emit/header.js'

/** Writes emitted files as `generate` does, but so that a compiler passes over none of them. */
export function writeEmitted(folder: string, files: readonly File[]): void {
  for (const { name, text } of files) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text.replace(UNCHECKED, '//'))
  }
}
