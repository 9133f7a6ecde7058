import { describe, expect, it } from 'vitest'
import { disk } from '../../src/read/file-tree.js'
import { loadApi } from '../../src/read/load.js'
import { temporaryFolder } from '../temporary-folder.js'
import { CALLS, DOCUMENTS } from './documents-of-others.js'
import { HAS_GO, WITHOUT_GO, WITHOUT_STATICCHECK } from './go.js'
import { faultsOfModule, MODULE, writeModule } from './go-packages.js'
import { meshApi } from './mesh.js'
import { callInGo } from './sample-calls.js'

describe.skipIf(!HAS_GO)(`five documents have Go modules${WITHOUT_GO}`, () => {
  it.each(Object.entries(DOCUMENTS))(
    `%s: calls of a mock server have results; formatted, built and vetted${WITHOUT_STATICCHECK}`,
    async (name, documents) => {
      const api = await loadApi(documents, disk)
      const folder = temporaryFolder(`go-${name}`)
      writeModule(folder, api)
      expect(await callInGo(folder, MODULE, api)).toEqual(CALLS[name])
      expect(faultsOfModule(folder)).toEqual([])
    },
  )
})

it.skipIf(!HAS_GO)(
  `schemas that all lead to each other are read at once${WITHOUT_GO}`,
  async () => {
    const folder = temporaryFolder('go-mesh')
    const api = await meshApi()
    writeModule(folder, api)
    expect(await callInGo(folder, MODULE, api)).toBe(1)
  },
)
