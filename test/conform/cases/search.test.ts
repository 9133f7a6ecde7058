import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ExchangeFinding } from '../../../src/conform/case.js'
import { search } from '../../../src/conform/cases/generated.js'

import '../../fixed-seed.js'

describe('a search', () => {
  const trial = (value: unknown) =>
    ({ side: 'valid', value, keyword: '', pointer: '', at: '', note: '' }) as const
  const numbers = fc.integer({ min: 0, max: 1_000 }).map(trial)
  const finding = (value: unknown): ExchangeFinding => ({
    ...{ rule: 'r', message: `${value}`, expected: '' },
    exchange: {
      sent: { method: 'GET', url: '', headers: {} },
      answer: { status: 200, headers: [], body: new Uint8Array(), milliseconds: 1 },
      failure: undefined,
    },
  })
  const searching = { trials: numbers, maxExamples: 100, seed: 7, isStill: () => true }

  test('tells the smallest value', async () => {
    const reported = await search({
      ...searching,
      send: async ({ value }) => (Number(value) >= 37 ? [finding(value)] : []),
    })
    expect(reported.map(({ message }) => message)).toEqual(['37'])
  })

  test('tells the first value where the smallest is not found any more', async () => {
    const sent: number[] = []
    const reported = await search({
      ...searching,
      send: async ({ value }) => {
        const isOld = sent.includes(Number(value))
        sent.push(Number(value))
        return Number(value) >= 37 && !isOld ? [finding(value)] : []
      },
    })
    expect(reported.map(({ message }) => Number(message))).toEqual([sent.find((one) => one >= 37)])
  })

  test('sends nothing smaller that is not still what it was meant to be', async () => {
    const reported = await search({
      ...searching,
      isStill: ({ value }) => Number(value) >= 100,
      send: async ({ value }) => (Number(value) >= 37 ? [finding(value)] : []),
    })
    expect(Number(reported[0]?.message)).toBeGreaterThanOrEqual(100)
  })

  test('ends, however much fails', async () => {
    let sent = 0
    const reported = await search({
      ...searching,
      send: async ({ value }) => {
        sent += 1
        return [{ ...finding(value), aspect: `${sent}` }]
      },
    })
    expect(reported.length).toBeLessThanOrEqual(3)
    expect(sent).toBeLessThan(100 + 3 * 82)
  })
  test('throws what sending throws, for nothing was found out then', async () => {
    const send = async () => {
      throw new TypeError('no room')
    }
    await expect(search({ ...searching, send })).rejects.toThrow('no room')
  })
})
