import { describe, expect, it } from 'vitest'
import { corpus, readCorpus } from '../conformance/corpora.js'
import { temporaryFolder } from '../temporary-folder.js'
import { HAS_GO, WITHOUT_GO, WITHOUT_STATICCHECK } from './go.js'
import { faultsOfModule, MODULE, writeModule } from './go-packages.js'
import { callInGo, loadOfCorpus } from './sample-calls.js'

const isThere = corpus('documents').includes('index.json')
const documents: readonly { readonly file: string; readonly kind: 'openapi' | 'openrpc' }[] =
  isThere ? JSON.parse(readCorpus('documents', 'index.json')) : []

describe.skipIf(!HAS_GO || !isThere)(`documents of the corpus have Go modules${WITHOUT_GO}`, () => {
  it.each(documents)(
    `$file: calls of a mock server have results; formatted, built and vetted${WITHOUT_STATICCHECK}`,
    async ({ file, kind }) => {
      const api = await loadOfCorpus(kind, file)
      const folder = temporaryFolder('go-corpus')
      writeModule(folder, api)
      expect(await callInGo(folder, MODULE, api)).toEqual(expect.any(Number))
      expect(faultsOfModule(folder)).toEqual([])
    },
  )
})
