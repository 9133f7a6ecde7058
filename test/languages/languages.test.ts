import { describe, expect, it } from 'vitest'
import { readCases } from './run.js'
import { createTable } from './table.js'

const cases = readCases()

describe('the table of the contract', () => {
  it('has the cases of table.ts: write-cases.ts writes it', () => {
    const written = cases.map(({ wanted: _, ...one }) => one)
    const made = createTable().map(({ wanted: _, ...one }) => one)
    expect(written).toEqual(JSON.parse(JSON.stringify(made)))
  })

  it('has at least 400 cases, each with a name of its own and a result', () => {
    expect(cases.length).toBeGreaterThan(400)
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
    expect(
      cases.filter(({ wanted }) => wanted?.outcome === undefined || wanted.requests === undefined),
    ).toEqual([])
  })

  it('has cases of each property', () => {
    expect([...new Set(cases.map(({ property }) => property))].sort()).toEqual([
      ...[
        'cancellation',
        'forms',
        'ids',
        'links',
        'openness',
        'place',
        'polling',
        'redaction',
        'retries',
        'splitting',
      ],
      ...['time', 'validation', 'wire'],
    ])
  })
})
