import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CONFORM_RULES } from '../../src/conform/rules.js'
import { DIFF_RULES } from '../../src/diff/rules.js'
import { LINT_RULES } from '../../src/lint/lint.js'
import { currentRule } from '../../src/model/old-names.js'

const [, table = ''] = readFileSync('docs/upgrading.md', 'utf8').split('## Rules\n')
const renamed = [...table.matchAll(/^\| `([\w-]+)` \| `([\w-]+)` \|$/gm)]
const ids = [LINT_RULES, DIFF_RULES, CONFORM_RULES].map((rules) => rules.map(({ id }) => id))

it('docs/upgrading.md names the current id of each old one, and every current id is a rule', () => {
  expect(renamed.length).toBeGreaterThan(150)
  for (const [, old = '', current = ''] of renamed) {
    expect(currentRule(old)).toBe(current)
    expect(ids.flat()).toContain(current)
    expect(ids.flat()).not.toContain(old)
  }
})

it('no two rules of lint, diff and conform have one id, but for remarks on a baseline', () => {
  const all = ids.flatMap((list) => [...new Set(list)])
  expect(all.filter((id, index) => all.indexOf(id) < index)).toEqual([])
})
