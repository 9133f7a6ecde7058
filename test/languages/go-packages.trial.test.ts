import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DocumentError } from '../../src/model/finding.js'
import { loadApi } from '../../src/read/load.js'
import { CORPORA, corpus, readCorpus } from '../conformance/corpora.js'
import { temporaryFolder } from '../temporary-folder.js'
import { HAS_GO, WITHOUT_GO, WITHOUT_STATICCHECK } from './go.js'
import { faultsOfModule } from './go-packages.js'

const isThere = corpus('documents').includes('index.json')
const documents: readonly { readonly file: string; readonly kind: 'openapi' | 'openrpc' }[] =
  isThere ? JSON.parse(readCorpus('documents', 'index.json')) : []

describe.skipIf(!HAS_GO || !isThere)(`documents of the corpus have Go modules${WITHOUT_GO}`, () => {
  it.each(documents)(
    `$file: formatted, built and vetted${WITHOUT_STATICCHECK}`,
    async ({ file, kind }) => {
      const api = await loadApi({ [kind]: join(CORPORA, 'documents', file) }).catch((error) => {
        // The references of two documents lead out of their folders.
        if (error instanceof DocumentError) return undefined
        throw error
      })
      if (api !== undefined) expect(faultsOfModule(temporaryFolder('go-corpus'), api)).toEqual([])
    },
  )
})
