import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { emitGo } from '../../src/emit/go/go.js'
import type { Api } from '../../src/model/api.js'
import { outputOf } from './go.js'
import { failureOf } from './python.js'

/** Writes the module of a document. */
export const writeModule = (folder: string, api: Api): void => {
  for (const file of emitGo(api, { module: MODULE })) {
    mkdirSync(dirname(join(folder, file.name)), { recursive: true })
    writeFileSync(join(folder, file.name), file.text)
  }
}

export const MODULE = 'example.com/tried'

/** What is wrong with a module: the format, the build, and what vet finds. */
export const faultsOfModule = (folder: string): readonly string[] => {
  const unformatted = outputOf('gofmt', ['-l', '.'], folder)
  return [
    ...(unformatted === '' ? [] : [`gofmt would change ${unformatted}`]),
    ...[failureOf('go', ['vet', './...'], folder), staticcheckFault(folder)].flatMap(
      (one) => one ?? [],
    ),
  ]
}

/** What staticcheck finds, where it is installed: `go install honnef.co/go/tools/cmd/staticcheck@latest`. */
const staticcheckFault = (folder: string): string | undefined =>
  outputOf('staticcheck', ['-version'], folder) === undefined
    ? undefined
    : failureOf('staticcheck', ['./...'], folder)
