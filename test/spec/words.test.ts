import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CORPORA } from '../conformance/corpora.js'
import { sources, written } from './documents.js'

const OFFICIAL = join(CORPORA, 'execution-apis/openrpc.json')
const here = existsSync(OFFICIAL)
const skipped = here ? '' : ' (skipped: no corpora)'

describe('our own words', () => {
  it.skipIf(!here)(`no long sentence is that of the Ethereum document${skipped}`, () => {
    const theirs = new Set(proseIn(JSON.parse(readFileSync(OFFICIAL, 'utf8'))).flatMap(passages))
    const ours = written.flatMap(({ file, pointer, node }) =>
      Object.values(node).flatMap((value) =>
        typeof value === 'string' ? passages(value).map((text) => ({ file, pointer, text })) : [],
      ),
    )
    expect(theirs.size).toBeGreaterThan(100)
    expect(ours.length).toBeGreaterThan(300)
    expect(ours.filter(({ text }) => theirs.has(text))).toEqual([])
  })

  it('would be derived from theirs', () => {
    const sentence = 'Returns the balance of the account at the given address, and of no other one.'
    expect(passages(`  ${sentence.toUpperCase()}\n `)).toEqual(passages(sentence))
    expect(passages(sentence)).toHaveLength(1)
  })

  it('no document points at a file that its readers do not have', () => {
    const pointing = [...sources].flatMap(([file, text]) =>
      text
        .split('\n')
        .filter((line) =>
          /\b(SERVICE|ASSUMPTIONS|METHODS|FACTS|DESIGN|CLIENTS)\b|shared\/|corpora/.test(line),
        )
        .map((line) => `${file}: ${line.trim()}`),
    )
    expect(pointing).toEqual([])
  })
})

/** Every text in a document, descriptions and all. */
function proseIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(proseIn) : []
}

/** A text and its sentences, those of 60 characters and more, without what a copy might change. */
function passages(text: string): readonly string[] {
  if (/^(0x|#\/|https?:|\^)/.test(text)) return []
  const plain = text
    .toLowerCase()
    .replace(/[\s`*_]+/g, ' ')
    .trim()
  const sentences = plain.split(/(?<=[.;:]) /)
  return [...new Set([plain, ...sentences])]
    .map((one) => one.replace(/[.;:]$/, ''))
    .filter((one) => one.length >= 60)
}
