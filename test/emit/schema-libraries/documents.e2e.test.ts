import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DocumentError } from '../../../src/model/finding.js'
import { loadApi } from '../../../src/read/load.js'
import { CORPORA, corpus, named, readCorpus } from '../../conformance/corpora.js'
import { countRuns, isFull, seedOr, sized } from '../../trials/size.js'
import { compareLibrary, isLeftOut } from './compare.js'
import { LIBRARIES } from './imported.js'

const seed = seedOr(20_261_130)
const isThere = corpus('documents').includes('index.json')
const all: readonly { readonly file: string; readonly kind: 'openapi' | 'openrpc' }[] = isThere
  ? JSON.parse(readCorpus('documents', 'index.json'))
  : []
/** Every fifth document; in the trials each of them. */
const documents = all.filter((_, at) => isFull || at % 5 === 0)

/** Their references lead out of their folders. */
const UNREAD = 2

describe.each(LIBRARIES)(named('%s', documents), (library) => {
  let unread = 0

  test.each(documents.map(({ file, kind }) => [file, kind] as const))(
    `gives the verdicts of our validators on the examples of %s, and on mutants (seed ${seed})`,
    async (file, kind) => {
      const path = join(CORPORA, 'documents', file)
      const api = await loadApi({ [kind]: path }).catch((error) => {
        if (error instanceof DocumentError) return undefined
        throw error
      })
      if (api === undefined) {
        unread++
        return
      }
      const { differences, ...sum } = await compareLibrary(api, library, {
        values: sized(500, 20_000),
        seed,
      })
      countRuns(sum.values)
      expect(differences.filter((one) => !isLeftOut(one)).slice(0, 3)).toEqual([])
      expect(sum.values).toBeGreaterThan(250)
      expect(sum.accepted).toBeGreaterThan(sum.values / 5)
      expect(sum.accepted).toBeLessThan(sum.values)
    },
    900_000,
  )

  test.skipIf(!isThere || !isFull)('all are read, but two', () => {
    expect(unread).toBe(UNREAD)
  })
})
