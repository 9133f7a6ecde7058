import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CORPORA, corpus, named, readCorpus } from '../conformance/corpora.js'
import { changeOverlapping, countsOf } from '../diff/trial/overlapping.js'
import { countRuns, isFull, sized } from './size.js'

type Row = { readonly file: string; readonly kind: 'openapi' | 'openrpc' }

const histories: readonly { readonly kind: Row['kind']; readonly versions: readonly string[] }[] =
  corpus('histories').length === 0 ? [] : JSON.parse(readCorpus('histories', 'index.json'))
const documents: readonly Row[] =
  corpus('documents').length === 0 ? [] : JSON.parse(readCorpus('documents', 'index.json'))

const FILES: readonly Row[] = [
  ...documents.map(({ file, kind }) => ({ file: `documents/${file}`, kind })),
  ...histories.flatMap(({ kind, versions }) =>
    versions.map((file) => ({ file: `histories/${file}`, kind })),
  ),
]

it.skipIf(FILES.length === 0)(
  named('a change of an alternative that lint calls overlapping is reported', FILES),
  async () => {
    const rows: (Omit<ReturnType<typeof countsOf>, 'missed'> & { readonly file: string })[] = []
    const missed: string[] = []
    for (const { file, kind } of FILES) {
      if (rows.length === sized(1, FILES.length)) break
      const steps = file.split('/')
      // Documents of several files refer within their project.
      const folder = join(CORPORA, ...steps.slice(0, 3))
      const changes = await changeOverlapping(
        { path: join(CORPORA, file), kind, folder },
        { alternatives: sized(2, 1_000), properties: sized(1, 3) },
      ).catch((error: unknown) => {
        // Some documents are published with errors that leave nothing to read.
        missed.push(`${file}: ${String(error).slice(0, 200)}`)
        return []
      })
      const counts = countsOf(changes)
      if (counts.changes === 0) continue
      const { missed: silent, ...row } = counts
      rows.push({ file, ...row })
      for (const one of silent) missed.push(`${file} ${JSON.stringify(one)}`)
      if (isFull) console.log(JSON.stringify({ file, ...row, silent }))
    }
    const total = (key: 'changes' | 'reported' | 'same') =>
      rows.reduce((sum, row) => sum + row[key], 0)
    console.table(rows)
    countRuns(total('changes'))
    console.log(`overlapping alternatives below ${CORPORA}: ${total('changes')} changes`)
    expect(missed).toEqual([])
    expect(total('changes')).toBeGreaterThan(0)
    expect(total('reported')).toBe(total('changes'))
    expect(total('same')).toBeGreaterThanOrEqual(total('changes') * 0.9)
  },
  sized(600_000, 7_200_000),
)
