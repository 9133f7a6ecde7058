import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CORPORA, corpus, named } from '../conformance/corpora.js'
import { historySection } from './histories.js'
import { bitcoin, HISTORIES } from './pages.js'

const files = corpus('histories/bitcoin')
const docs = join(import.meta.dirname, '../../docs/examples')

it.skipIf(files.length === 0)(
  named('docs/examples/bitcoin.md is up to date: npm run evolution -- --write', files),
  async () => {
    const { name, text, problems } = await bitcoin(join(CORPORA, 'histories'))
    expect(problems).toEqual([])
    expect(existsSync(join(docs, name))).toBe(true)
    expect(readFileSync(join(docs, name), 'utf8')).toBe(text)
  },
)

/** Discord takes a minute: the command alone compares it. */
const quick = HISTORIES.filter(({ kind }) => kind === 'openrpc')

it.skipIf(files.length === 0).each(quick)(
  named('docs/examples/histories.md is up to date: $name', files),
  async (history) => {
    const { text, problems } = await historySection(history, join(CORPORA, 'histories'))
    expect(problems).toEqual([])
    expect(readFileSync(join(docs, 'histories.md'), 'utf8')).toContain(text)
  },
)
