import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.js'
import type { Case } from './case.js'
import { HAS_GO, outputOf, WITHOUT_GO } from './go.js'
import { casesFor, commandOf, generateFor } from './languages.js'
import { failureOf } from './python.js'
import { differences, playCases } from './run.js'

const failing = async (folder: string, cases: readonly Case[]) =>
  (await playCases(commandOf('go', folder), cases)).filter((one) => differences(one).length > 0)

/** A property, and the change of the runtime that breaks it alone. */
const BROKEN = [
  [
    'ids',
    'match.go',
    'return &match{reason: UnmatchedAnswer, message: fmt.Sprintf("%d responses',
    'return readResponse(found[0])\n\treturn &match{message: fmt.Sprintf("%d responses',
  ],
  [
    'splitting',
    'rpc.go',
    'len(groups[last]) >= limit.BatchSize',
    'len(groups[last]) > limit.BatchSize',
  ],
  ['retries', 'exchange.go', 'return status == 429 || status == 503', 'return status == 429'],
  [
    'redaction',
    'redact.go',
    'made.WriteString(text[from:at] + redacted)',
    'made.WriteString(text[from:end])',
  ],
  ['polling', 'http.go', 'if string(text) != last {', 'if string(text) != last || true {'],
  ['openness', 'schemas.go', 'if reading == tolerant {', 'if reading == "" {'],
] as const

describe.skipIf(!HAS_GO)(`a Go module of the contract${WITHOUT_GO}`, () => {
  it('holds the contract', async () => {
    const folder = temporaryFolder('contract-go')
    await generateFor('go', folder)
    const played = await playCases(commandOf('go', folder), casesFor('go'))
    expect(played.flatMap(differences)).toEqual([])
  })

  it('has the format of gofmt, and nothing that go vet finds', async () => {
    const folder = temporaryFolder('contract-go')
    await generateFor('go', folder)
    expect(outputOf('gofmt', ['-l', '.'], folder)).toBe('')
    expect(failureOf('go', ['vet', './...'], folder)).toBeUndefined()
  })

  it.each(BROKEN)(
    'with a broken rule of %s fails in its cases alone',
    async (property, file, from, to) => {
      const folder = temporaryFolder('contract-go-broken')
      await generateFor('go', folder)
      const path = join(folder, 'internal/runtime', file)
      const text = readFileSync(path, 'utf8')
      expect(text).toContain(from)
      writeFileSync(path, text.replace(from, to))
      const found = await failing(
        folder,
        casesFor('go').filter((one) => !['time', 'links'].includes(one.property)),
      )
      expect(new Set(found.map(({ one }) => one.property))).toEqual(new Set([property]))
    },
  )
})
