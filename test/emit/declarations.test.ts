import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const GENERATED = join(import.meta.dirname, '../../generated')

/** What a program that uses a file reads of it: types that are stated, and none that a compiler has to find. */
it.each([
  ['viem.ts', 150],
  ['eip1193.ts', 20],
  ['contracts.ts', 40],
  ['http.client.ts', 120],
])('%s declares what it exports, in at most %i lines', (name, most) => {
  const { diagnostics, outputText } = ts.transpileDeclaration(
    readFileSync(join(GENERATED, name), 'utf8'),
    {
      fileName: name,
      reportDiagnostics: true,
      compilerOptions: { declaration: true, isolatedDeclarations: true, strict: true },
    },
  )
  expect(
    diagnostics?.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  ).toEqual([])
  expect(outputText.split('\n').length).toBeLessThanOrEqual(most)
})
