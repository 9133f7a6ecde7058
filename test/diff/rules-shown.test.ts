import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DIFF_RULES } from '../../src/diff/rules.js'

/** Every finding that a test of this folder shows as people read it: `error parameter-removed`, and its message. */
const shown = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))
  .flatMap((text) => [...text.matchAll(/toMatchInlineSnapshot\(\s*`((?:[^`\\]|\\.)*)`/g)])
  .flatMap(([, snapshot = '']) => [
    ...snapshot.matchAll(/^[\s"]*(error|warning|note) ([a-z-]+)\n +\S/gm),
  ])
  .map(([, level, rule]) => `${level} ${rule}`)

it.each(DIFF_RULES)('a pair of versions shows $id at its level', ({ id, level }) => {
  expect(shown).toContain(`${level} ${id}`)
})

it('names no rule twice', () => {
  const ids = DIFF_RULES.map(({ id }) => id)
  expect([...new Set(ids)]).toEqual(ids)
})
