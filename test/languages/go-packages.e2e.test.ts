import { describe, expect, it } from 'vitest'
import { disk } from '../../src/read/file-tree.js'
import { loadApi } from '../../src/read/load.js'
import { temporaryFolder } from '../temporary-folder.js'
import { DOCUMENTS } from './documents-of-others.js'
import { HAS_GO, WITHOUT_GO, WITHOUT_STATICCHECK } from './go.js'
import { faultsOfModule } from './go-packages.js'

describe.skipIf(!HAS_GO)(`five documents have Go modules${WITHOUT_GO}`, () => {
  it.each(Object.entries(DOCUMENTS))(
    `%s: formatted, built and vetted${WITHOUT_STATICCHECK}`,
    async (name, documents) => {
      const api = await loadApi(documents, disk)
      expect(faultsOfModule(temporaryFolder(`go-${name}`), api)).toEqual([])
    },
  )
})
