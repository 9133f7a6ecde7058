import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { disk } from '../../src/read/file-tree.js'
import { loadApi } from '../../src/read/load.js'
import { temporaryFolder } from '../temporary-folder.js'
import { DOCUMENTS } from './documents-of-others.js'
import { HAS_GO, WITHOUT_GO } from './go.js'
import { writeModule } from './go-packages.js'
import { failureOf } from './python.js'

const VERSION = 'v2.15.0'

/** The linters by default. Otherwise it reports nothing about generated files. */
const SETTINGS = `version: "2"
linters:
  exclusions:
    generated: disable
`

/** The linter in a folder of its own; undefined if it cannot be installed. */
const installed = (): string | undefined => {
  const folder = temporaryFolder('golangci-lint')
  const module = `github.com/golangci/golangci-lint/v2/cmd/golangci-lint@${VERSION}`
  const env = { ...process.env, GOBIN: folder }
  const { status } = spawnSync('go', ['install', module], { env, timeout: 30 * 60_000 })
  return status === 0 ? join(folder, 'golangci-lint') : undefined
}

const linter = HAS_GO ? installed() : undefined
const without = HAS_GO && !linter ? ` (skipped: golangci-lint ${VERSION} is not installable)` : ''

describe.skipIf(!linter)(
  `golangci-lint has no findings by its defaults${WITHOUT_GO}${without}`,
  () => {
    it.each(Object.entries(DOCUMENTS))('in the module of %s', async (name, documents) => {
      const folder = temporaryFolder(`linted-${name}`)
      writeModule(folder, await loadApi(documents, disk))
      writeFileSync(join(folder, '.golangci.yml'), SETTINGS)
      expect(failureOf(linter ?? '', ['run', './...'], folder)).toBeUndefined()
    })
  },
)
