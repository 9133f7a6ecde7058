import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DocumentError } from '../../src/model/finding.js'
import { loadApi } from '../../src/read/load.js'
import { CORPORA, corpus, readCorpus } from '../conformance/corpora.js'
import { temporaryFolder } from '../temporary-folder.js'
import { HAS_GO, WITHOUT_GO, WITHOUT_STATICCHECK } from './go.js'
import { faultsOfModule, MODULE, writeModule } from './go-packages.js'
import { callInGo } from './sample-calls.js'

const isThere = corpus('documents').includes('index.json')
const documents: readonly { readonly file: string; readonly kind: 'openapi' | 'openrpc' }[] =
  isThere ? JSON.parse(readCorpus('documents', 'index.json')) : []

describe.skipIf(!HAS_GO || !isThere)(`documents of the corpus have Go modules${WITHOUT_GO}`, () => {
  it.each(documents)(
    `$file: calls of a mock server have results; formatted, built and vetted${WITHOUT_STATICCHECK}`,
    async ({ file, kind }) => {
      const api = await loadApi({ [kind]: join(CORPORA, 'documents', file) }).catch((error) => {
        // The references of two documents lead out of their folders.
        if (error instanceof DocumentError) return undefined
        throw error
      })
      if (api === undefined) return
      const folder = temporaryFolder('go-corpus')
      writeModule(folder, api)
      expect(await callInGo(folder, MODULE, api)).toEqual(expect.any(Number))
      expect(faultsOfModule(folder)).toEqual([])
    },
  )
})
