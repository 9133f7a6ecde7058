import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Api } from '../../src/model/api.js'
import { DocumentError } from '../../src/model/finding.js'
import { loadApi } from '../../src/read/load.js'
import { CORPORA, corpus, readCorpus } from '../conformance/corpora.js'
import { temporaryFolder } from '../temporary-folder.js'
import { pythonProgram, WITHOUT_PYTHON } from './python.js'
import { faultsOfPackages, writePackages } from './python-packages.js'
import { callInPython } from './sample-calls.js'

const isThere = corpus('documents').includes('index.json')
const documents: readonly { readonly file: string; readonly kind: 'openapi' | 'openrpc' }[] =
  isThere ? JSON.parse(readCorpus('documents', 'index.json')) : []

/** Their references lead out of their folders. */
const UNREAD = 2

it.skipIf(!pythonProgram('python') || !isThere)(
  `every document of the corpus has a package whose calls of a mock server have results, and that pyright and mypy accept${WITHOUT_PYTHON}`,
  async () => {
    const folder = temporaryFolder('python-corpus')
    const apis = new Map<string, Api>()
    for (const { file, kind } of documents) {
      const name = `${kind}_${file.replace(/\W+/g, '_').toLowerCase()}`
      const api = await loadApi({ [kind]: join(CORPORA, 'documents', file) }).catch((error) => {
        if (error instanceof DocumentError) return undefined
        throw error
      })
      if (api !== undefined) apis.set(name, api)
    }
    writePackages(folder, apis)
    expect(documents.length - apis.size).toBe(UNREAD)
    const failed: unknown[] = []
    for (const [name, api] of apis) {
      const outcome = await callInPython(folder, name, api)
      if (typeof outcome !== 'number') failed.push([name, ...outcome])
    }
    expect(failed).toEqual([])
    expect(faultsOfPackages(folder, apis.keys())).toEqual([])
  },
)
