import { describe, expect, it } from 'vitest'
import { CONFORM_RULES } from '../../../../src/conform/rules.js'
import { sized } from '../../../trials/size.js'
import { judgeShelf } from './judge-shelf.js'
import { SHELF_DEFECTS, SHELF_UNCERTAIN } from './shelf-defects.js'

type Findings = Awaited<ReturnType<typeof judgeShelf>>['findings']

const lines = (findings: Findings): readonly string[] =>
  findings.map(({ identity, message, exchange }) => `${identity}: ${message} | ${exchange.request}`)

describe('a shelf without a defect', () => {
  it.each(Array.from({ length: sized(1, 20) }, (_, at) => at + 1))(
    'has no findings with the seed %i, and all of it is tested',
    async (seed) => {
      const { findings, coverage, notTested } = await judgeShelf(undefined, { seed })
      expect(lines(findings)).toEqual([])
      const left = coverage.flatMap(({ declared, met }) =>
        declared.filter((one) => !met.includes(one)),
      )
      // No request can carry an empty segment of a path.
      expect(left.filter((one) => one !== 'getLabel path.name minLength')).toEqual([])
      expect(JSON.stringify(notTested)).not.toContain('could not be created')
    },
  )
})

describe.each(Object.entries(SHELF_DEFECTS))('a shelf with a defect of %s', (_, rows) => {
  it.each(rows.map((row) => [row.fault, row] as const))(
    '%s',
    async (fault, { rule, operation, also = [], by = operation }) => {
      // The trial tries all cases on each.
      const options = sized(0, 1) === 0 ? { only: [by] } : {}
      const { findings } = await judgeShelf(fault, options)
      const own = findings.filter((one) => one.rule === rule)
      expect(own.flatMap(({ operations = [] }) => operations)).toContain(operation)
      const others = findings.filter((one) => one.rule !== rule && !also.includes(one.rule))
      expect(lines(others)).toEqual([])
    },
  )
})

describe('what may be right', () => {
  it.each(SHELF_UNCERTAIN)('%s is not reported: %s', async (fault) => {
    expect(lines((await judgeShelf(fault)).findings)).toEqual([])
  })
})

it('the defects are many, each by its own switch and a rule that exists', () => {
  const rows = Object.values(SHELF_DEFECTS).flat()
  expect(rows.length).toBeGreaterThanOrEqual(55)
  expect(new Set(rows.map(({ fault }) => fault)).size).toBe(rows.length)
  const known = new Set(CONFORM_RULES.map(({ id }) => id))
  expect(
    rows.flatMap(({ rule, also = [] }) => [rule, ...also]).filter((id) => !known.has(id)),
  ).toEqual([])
})
