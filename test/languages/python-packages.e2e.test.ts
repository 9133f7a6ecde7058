import { expect, it } from 'vitest'
import type { Api } from '../../src/model/api.js'
import { disk } from '../../src/read/file-tree.js'
import { loadApi } from '../../src/read/load.js'
import { temporaryFolder } from '../temporary-folder.js'
import { pythonProgram, WITHOUT_PYTHON } from './python.js'
import { faultsOfPackages, writePackages } from './python-packages.js'

const SAMPLES = 'node_modules/@readme/oas-examples/3.1/json'

/** Documents of other people, and our own. */
const DOCUMENTS = {
  ours: { openapi: 'spec/openapi.yaml', openrpc: 'spec/openrpc.yaml' },
  petstore: { openapi: `${SAMPLES}/petstore.json` },
  trains: { openapi: `${SAMPLES}/train-travel.json` },
  security: { openapi: `${SAMPLES}/security.json` },
  wallet: { openrpc: 'node_modules/@metamask/api-specs/dist/build/openrpc.json' },
}

it.skipIf(!pythonProgram('python'))(
  `five documents have packages that import, and that pyright and mypy accept${WITHOUT_PYTHON}`,
  async () => {
    const folder = temporaryFolder('python-packages')
    const apis = new Map<string, Api>()
    for (const [name, documents] of Object.entries(DOCUMENTS))
      apis.set(name, await loadApi(documents, disk))
    writePackages(folder, apis)
    expect(faultsOfPackages(folder, apis.keys())).toEqual([])
  },
)
