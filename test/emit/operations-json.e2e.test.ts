import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DocumentError } from '../../src/model/finding.js'
import { loadApi } from '../../src/read/load.js'
import { CORPORA, corpus, named, readCorpus } from '../conformance/corpora.js'
import { faultsOf, operationsFileOf, recordsIn, recordsOf } from './operations-json.js'

const isThere = corpus('documents').includes('index.json')
const documents: readonly { readonly file: string; readonly kind: 'openapi' | 'openrpc' }[] =
  isThere ? JSON.parse(readCorpus('documents', 'index.json')) : []

/** Their references lead out of their folders. */
const UNREAD = 2
let unread = 0

describe(named('documents of other teams', documents), () => {
  it.each(documents.map(({ file, kind }) => [file, kind] as const))(
    'operations.json of %s is valid, and has the records of operations.ts',
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
      const data = operationsFileOf(api)
      expect(faultsOf(data)).toEqual([])
      expect(recordsIn(data)).toEqual(recordsOf(api))
    },
    900_000,
  )

  it.skipIf(!isThere)('are all read, but two', () => {
    expect(unread).toBe(UNREAD)
  })
})
