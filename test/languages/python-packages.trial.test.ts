import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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

describe.skipIf(!pythonProgram('python') || !isThere)(
  `documents of the corpus have Python packages${WITHOUT_PYTHON}`,
  () => {
    const folder = isThere ? temporaryFolder('python-corpus') : ''
    const written: string[] = []

    it.each(documents)('$file: calls of a mock server have results', async ({ file, kind }) => {
      const name = `${kind}_${file.replace(/\W+/g, '_').toLowerCase()}`
      const api = await loadApi({ [kind]: join(CORPORA, 'documents', file) }).catch((error) => {
        if (error instanceof DocumentError) return undefined
        throw error
      })
      if (api === undefined) return
      writePackages(folder, new Map([[name, api]]))
      written.push(name)
      expect(await callInPython(folder, name, api)).toEqual(expect.any(Number))
    })

    it('are all read, but two; pyright and mypy accept them in their strictest settings', () => {
      expect(documents.length - written.length).toBe(UNREAD)
      expect(faultsOfPackages(folder, written)).toEqual([])
    }, 7_200_000)
  },
)
