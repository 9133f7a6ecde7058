import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { emitAll } from '../../src/emit/emit.js'
import { DEFAULT_KINDS } from '../../src/emit/kinds.js'
import type { Api } from '../../src/model/api.js'
import { type ApiFiles, loadApi } from '../../src/read/load.js'
import { writeEmitted } from './write-emitted.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A file of an installed package. */
export const installed = (path: string): string => join(root, 'node_modules', path)

/** A project elsewhere that has the package, generates from documents of its own and uses what came of them. */
export const createProject = () => {
  const folder = mkdtempSync(join(tmpdir(), 'foreign-documents-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/twinspec'))
  symlinkSync(installed('openapi-fetch'), join(folder, 'node_modules/openapi-fetch'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return {
    generate: async (name: string, files: ApiFiles): Promise<Generated> => {
      const target = join(folder, name)
      mkdirSync(target)
      const api = await loadApi(files)
      writeEmitted(target, emitAll(api, [], [...DEFAULT_KINDS, 'server']))
      const load = (file: string) =>
        import(/* @vite-ignore */ pathToFileURL(join(target, file)).href)
      return { api, load }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export type Generated = {
  readonly api: Api
  /** Imports one of the generated files: what it exports, no compiler has seen, so it is called as it comes. */
  readonly load: (file: string) => Promise<Readonly<Record<string, Exported>>>
}

// biome-ignore lint/suspicious/noExplicitAny: the types of generated code are proven elsewhere, by compiling it
type Exported = (...args: readonly any[]) => any
