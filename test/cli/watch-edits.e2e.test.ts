import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fileDifferences } from '../../src/cli/stale-files.js'
import { createParser } from '../../src/cli/watch.js'
import { writeTree } from '../../src/cli/write-tree.js'
import { emitAll } from '../../src/emit/emit.js'
import { kindNames } from '../../src/emit/kinds.js'
import { parseDocument } from '../../src/read/document.js'
import { disk } from '../../src/read/file-tree.js'
import { findDocuments, loadApi } from '../../src/read/load.js'

const folder = mkdtempSync(join(tmpdir(), 'twinspec-edits-'))
const spec = join(folder, 'spec')
const out = join(folder, 'generated')
cpSync(new URL('../../spec', import.meta.url), spec, { recursive: true })
afterAll(() => rmSync(folder, { recursive: true }))

const sources = readdirSync(spec, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .sort()

/** Numerical Recipes' generator: the same edits whenever it runs. */
const createDice = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** What people do to a document, some of which breaks it, and to which files where not to any. */
const EDITS: readonly (readonly [RegExp, string, within?: string])[] = [
  [/^( *summary: )(?=\w)/gm, '$1So, ', 'paths/'],
  [/^( *summary: )(?=\w)/gm, '$1So, ', 'methods/'],
  [/^( *description: )(?=\w)/gm, '$1So, '],
  [/^( *)type: string$/gm, '$1type: integer'],
  [/^( *)(maxItems|minLength|maximum): (\d+)$/gm, '$1$2: 1$3'],
  [/^( *)required: true$/gm, '$1required: false'],
  [/^( *)(summary: .*)$/gm, '$1$2\n$1deprecated: true'],
  [/\$ref: *(\S+)/g, '$ref: $1Gone'],
  [/^( *)- /gm, '$1-- '],
  [/^( *)example: (.*)$/gm, '$1example: 7'],
  [/^( *required: \[)\w+, /gm, '$1', 'schemas/'],
  [/^( *name: \w+)$/gm, '$1Too', 'methods/'],
]

type Edit = (typeof EDITS)[number]

/** Changes one place of some file; gives what the file held before. */
const edit = ([pattern, change, within = '']: Edit, dice: (below: number) => number) => {
  const files = sources.filter((name) => name.startsWith(within))
  for (;;) {
    const file = join(spec, files[dice(files.length)] ?? '')
    const before = readFileSync(file, 'utf8')
    const places = [...before.matchAll(pattern)]
    const place = places[dice(places.length)]
    if (!place) continue
    const changed = place[0].replace(new RegExp(pattern.source, 'm'), change)
    const end = place.index + place[0].length
    writeFileSync(file, `${before.slice(0, place.index)}${changed}${before.slice(end)}`)
    return { file, before }
  }
}

const generated = async (parse = parseDocument) => {
  try {
    const api = await loadApi(findDocuments(spec), disk, parse)
    return { findings: api.findings, files: emitAll(api, [], kindNames) }
  } catch (error) {
    return { message: String(error) }
  }
}

test('after any edits, parsing only the changed files generates the same, byte for byte', async () => {
  const watching = createParser()
  const dice = createDice(20261122)
  // What the first edit changes has been parsed before.
  await generated(watching)
  const seen = { written: 0, refused: 0 }
  for (const [round, one] of EDITS.entries()) {
    // An edit in three is taken back, so that what was remembered before comes again.
    const { file, before } = edit(one, dice)
    const watched = await generated(watching)
    const fresh = await generated()
    expect(watched).toEqual(fresh)
    if (watched.files) {
      await writeTree(out, watched.files)
      expect(await fileDifferences(out, fresh.files ?? [])).toEqual([])
      seen.written++
    } else seen.refused++
    if (!watched.files || round % 3 === 0) writeFileSync(file, before)
  }
  expect(seen.written).toBeGreaterThan(3)
  expect(seen.refused).toBeGreaterThan(0)
})
