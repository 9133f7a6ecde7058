import { describe, expect, test } from 'vitest'
import { boundaryCasesOf } from '../../../src/conform/cases/boundaries.js'
import { exampleCases } from '../../../src/conform/cases/examples.js'
import { generatedCasesOf } from '../../../src/conform/cases/generated.js'
import { NOT_OFFERED } from '../../../src/conform/operations.js'
import { answered, each, type Fault, paramsOf, run } from './store.js'
import '../../fixed-seed.js'

const MAKERS = [
  ['examples', exampleCases],
  ['bounds', each(boundaryCasesOf)],
  ['generated values', each(generatedCasesOf)],
] as const

describe.each(MAKERS)('%s', (_, make) => {
  test('find nothing to say of a server that keeps the documents', async () => {
    const { reported, texts, cases } = await run(make)
    expect(reported).toEqual([])
    expect(texts.length).toBeGreaterThan(2)
    expect(texts.length).toBeLessThanOrEqual(cases.reduce((sum, { cost }) => sum + cost, 0))
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
  })

  test('are the same requests each time, by the seed', async () => {
    const { texts } = await run(make)
    expect((await run(make)).texts).toEqual(texts)
  })

  test('stop at a method that is not offered, and say so', async () => {
    const { reported, texts, seen } = await run(make, ({ url }) =>
      url.includes('/notes/')
        ? undefined
        : { status: 200, value: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } } },
    )
    expect(reported).toEqual([])
    expect(texts.filter((text) => text.includes('store_put'))).toHaveLength(1)
    expect([...seen.skipped]).toContainEqual([NOT_OFFERED, new Set(['store_put', 'store_ping'])])
  })
})

const oddDigits: Fault = ({ params, isRight }) =>
  !isRight && Array.isArray(params) && /^0x([0-9a-f]{2})*[0-9a-f]$/.test(String(params[0]))
    ? answered(1)
    : undefined

test.each([
  ['bounds', each(boundaryCasesOf)],
  ['generated values', each(generatedCasesOf)],
] as const)('%s catch a server that takes an odd number of digits', async (_, make) => {
  const { reported } = await run(make, oddDigits, { maxExamples: 120 })
  const caught = reported.filter(({ rule }) => rule === 'invalid-params-accepted')
  expect(caught.length).toBeGreaterThan(0)
  for (const one of caught) {
    expect(one.aspect).toBe('params/0 pattern')
    expect(String(paramsOf(one)[0]).length % 2).toBe(1)
  }
})
