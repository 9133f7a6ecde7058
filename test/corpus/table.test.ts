import { expect, it } from 'vitest'
import { pageOf, sizeCells, toolPageOf } from './table.js'

const row = (file: string, bytes: number, problem?: string) => ({
  file,
  cells: [
    { verb: 'generate', seconds: 1, ...(problem !== undefined && { problem }) },
    ...(problem === undefined
      ? sizeCells({ files: 6, bytes }, [{ verb: '5.9 strict', seconds: 1.26 }])
      : []),
  ],
})

it('the table has files, kilobytes and compile time of each document, and their sums', () => {
  const page = pageOf([row('openapi/a.yaml', 12_001), row('openapi/b.yaml', 1, 'exit 1 | no')])
  expect(page).toContain(`| document | generate | files | KB | tsc s |
| --- | --- | --- | --- | --- |
| openapi/a.yaml | ✓ | 6 | 13 | 1.3 |
| openapi/b.yaml | 1 | – | – | – |
| **read** | 1 of 2 | 6 | 13 | 1.3 |

1. openapi/b.yaml, generate: exit 1 \\| no`)
  expect(page).toContain('"tsc s"')
})

it('the page of other tools says how its numbers compare', () => {
  const cells = sizeCells({ files: 1, bytes: 999 }, [], 'hey-api: ')
  const page = toolPageOf([{ file: 'openapi/a.yaml', cells }])
  expect(page).toContain('| document | hey-api: files | hey-api: KB |')
  expect(page).toContain('the same documents')
})
