import { describe, expect, it } from 'vitest'
import type { ConformFinding } from '../../../src/conform/report/findings.js'
import { CONFORM_RULES } from '../../../src/conform/rules.js'
import { sized } from '../../trials/size.js'
import { judged } from './checked.js'
import { DEFECTS } from './defects.js'
import { smallApi, wholeApi } from './small-api.js'

const lineOf = ({ identity, message, exchange }: ConformFinding): string =>
  `${identity}: ${message} | ${exchange.request} | ${exchange.response}`

const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('a server without a defect', () => {
  it.each(seeds(sized(1, 50)))('has no findings with the seed %i', async (seed) => {
    const { verdict, troubles } = await judged(smallApi, {}, { seed, maxExamples: sized(3, 20) })
    expect(verdict.findings.map(lineOf)).toEqual([])
    expect(troubles).toEqual([])
    expect(verdict.cases).toBeGreaterThan(300)
  })

  it.skipIf(sized(0, 1) === 0)('has no findings with all of its methods', async () => {
    const { verdict } = await judged(wholeApi, {}, { maxExamples: 3 })
    expect(verdict.findings.map(lineOf)).toEqual([])
    expect(verdict.cases).toBeGreaterThan(900)
  })
})

describe.each(Object.entries(DEFECTS))('a server with a defect in %s', (_, rows) => {
  it.each(rows.map((row) => [row.name, row] as const))(
    '%s',
    async (_, { around, by, also = [], only }) => {
      const { verdict } = await judged(smallApi, around, { only })
      const rules = new Set(verdict.findings.map(({ rule }) => rule))
      expect({ found: by.some((rule) => rules.has(rule)), cases: verdict.cases > 0 }).toEqual({
        found: true,
        cases: true,
      })
      const unusedPathParameters = verdict.findings.filter(
        ({ rule }) => ![...by, ...also].includes(rule),
      )
      expect(unusedPathParameters.map(lineOf)).toEqual([])
    },
  )
})

describe('the defects', () => {
  const rows = Object.values(DEFECTS).flat()

  it('are many, over both protocols, each by its own name', () => {
    expect(DEFECTS['JSON-RPC'].length).toBeGreaterThanOrEqual(60)
    expect(DEFECTS.HTTP.length).toBeGreaterThanOrEqual(60)
    const names = Object.entries(DEFECTS).flatMap(([group, list]) =>
      list.map(({ name }) => `${group} ${name}`),
    )
    expect(new Set(names).size).toBe(rows.length)
  })

  it('are expected of rules that there are', () => {
    const known = new Set(CONFORM_RULES.map(({ id }) => id))
    const named = rows.flatMap(({ by, also = [] }) => [...by, ...also])
    expect(named.filter((id) => !known.has(id))).toEqual([])
  })
})
