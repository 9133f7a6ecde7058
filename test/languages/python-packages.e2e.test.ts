import { expect, it } from 'vitest'
import type { Api } from '../../src/model/api.js'
import { disk } from '../../src/read/file-tree.js'
import { loadApi } from '../../src/read/load.js'
import { temporaryFolder } from '../temporary-folder.js'
import { CALLS, DOCUMENTS } from './documents-of-others.js'
import { meshApi } from './mesh.js'
import { pythonProgram, WITHOUT_PYTHON } from './python.js'
import { faultsOfPackages, writePackages } from './python-packages.js'
import { callInPython } from './sample-calls.js'

it.skipIf(!pythonProgram('python'))(
  `five documents have packages whose calls of a mock server have results, and that pyright and mypy accept${WITHOUT_PYTHON}`,
  async () => {
    const folder = temporaryFolder('python-packages')
    const apis = new Map<string, Api>()
    for (const [name, documents] of Object.entries(DOCUMENTS))
      apis.set(name, await loadApi(documents, disk))
    writePackages(folder, apis)
    const calls: Record<string, number | readonly string[]> = {}
    for (const [name, api] of apis) calls[name] = await callInPython(folder, name, api)
    expect(calls).toEqual(CALLS)
    expect(faultsOfPackages(folder, apis.keys())).toEqual([])
  },
)

it.skipIf(!pythonProgram('python'))(
  `schemas that all lead to each other are read at once${WITHOUT_PYTHON}`,
  async () => {
    const folder = temporaryFolder('python-mesh')
    const api = await meshApi()
    writePackages(folder, new Map([['mesh', api]]))
    expect(await callInPython(folder, 'mesh', api)).toBe(1)
  },
)
