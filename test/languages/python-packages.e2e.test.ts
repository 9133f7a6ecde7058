import { expect, it } from 'vitest'
import type { Api } from '../../src/model/api.js'
import { disk } from '../../src/read/file-tree.js'
import { loadApi } from '../../src/read/load.js'
import { temporaryFolder } from '../temporary-folder.js'
import { DOCUMENTS } from './documents-of-others.js'
import { pythonProgram, WITHOUT_PYTHON } from './python.js'
import { faultsOfPackages, writePackages } from './python-packages.js'

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
