import { describe, expect, it } from 'vitest'
import { corpus, readCorpus } from '../conformance/corpora.js'
import { temporaryFolder } from '../temporary-folder.js'
import { pythonProgram, WITHOUT_PYTHON } from './python.js'
import { faultsOfPackages, writePackages } from './python-packages.js'
import { callInPython, loadOfCorpus } from './sample-calls.js'

const isThere = corpus('documents').includes('index.json')
const documents: readonly { readonly file: string; readonly kind: 'openapi' | 'openrpc' }[] =
  isThere ? JSON.parse(readCorpus('documents', 'index.json')) : []

describe.skipIf(!pythonProgram('python') || !isThere)(
  `documents of the corpus have Python packages${WITHOUT_PYTHON}`,
  () => {
    const folder = isThere ? temporaryFolder('python-corpus') : ''
    const written: string[] = []

    it.each(documents)('$file: calls of a mock server have results', async ({ file, kind }) => {
      const name = `${kind}_${file.replace(/\W+/g, '_').toLowerCase()}`
      const api = await loadOfCorpus(kind, file)
      writePackages(folder, new Map([[name, api]]))
      written.push(name)
      expect(await callInPython(folder, name, api)).toEqual(expect.any(Number))
    })

    it('are all read; pyright and mypy accept them in their strictest settings', () => {
      expect(written).toHaveLength(documents.length)
      expect(faultsOfPackages(folder, written)).toEqual([])
    }, 7_200_000)
  },
)
