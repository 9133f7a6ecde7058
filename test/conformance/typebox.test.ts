import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import * as schemas from '../../generated/schemas.js'
import * as validators from '../../generated/validators.js'
import type { Validator } from '../../src/runtime/validate.js'
import { httpOperations, methods } from '../spec/documents.js'

const address = '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1'
const frame = { from: address, gas: '0x1', gasUsed: '0x1', input: '0x' }

const hash = `0x${'11'.repeat(32)}`
const place = { blockHash: hash, blockNumber: '0x1', transactionIndex: '0x0' }
const otherTransaction = { ...place, from: address, hash, type: '0x6a' }

/** What the examples leave out. */
const MORE = [
  { address, amount: '0x1', index: '0x0', validatorIndex: '0x0' },
  { blockNumber: '0x1' },
  otherTransaction,
  `0x${'00'.repeat(48)}`,
  { ...frame, type: 'CALL', calls: [{ ...frame, type: 'CALL', revertReason: 'no', to: address }] },
]

const pool = valuesOf([
  ...MORE,
  ...methods.flatMap(({ examples }) =>
    examples.flatMap(({ params, outcome }) =>
      outcome.kind === 'result' ? [params, outcome.value] : [params],
    ),
  ),
  ...httpOperations
    .flatMap(({ body, responses }) => [body, ...responses].flatMap((one) => one?.content ?? []))
    .flatMap(({ examples }) => examples.map(({ value }) => value)),
])

describe('TypeBox reads schemas.ts as validators.ts reads the documents', () => {
  const validatorOf = new Map(Object.entries<unknown>(validators))
  const verdicts = Object.entries<TSchema>(schemas).map(([name, schema]) => {
    const validator = validatorOf.get(name) as Validator
    const fitting = pool.filter((value) => validator.check(value))
    const differing = pool.filter((value) => validator.check(value) !== Value.Check(schema, value))
    return { name, fitting: fitting.length, differing: differing.slice(0, 3) }
  })

  it('for every named schema, and every value in any example, whole, lacking a member or with a wrong one', () => {
    expect(pool.length).toBeGreaterThan(3000)
    expect(verdicts.filter(({ differing }) => differing.length > 0)).toEqual([])
  })

  it('and every named schema has a value that fits it', () => {
    expect(verdicts.filter(({ fitting }) => fitting === 0).map(({ name }) => name)).toEqual([])
  })
})

/** Some values and all that stand in them; of each object also what is left without each of its members, and with a number there. */
function valuesOf(roots: readonly unknown[]): readonly unknown[] {
  const found = new Map<string, unknown>()
  const add = (value: unknown) => found.set(JSON.stringify(value), value)
  const waiting = [...roots]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (found.has(JSON.stringify(value))) continue
    add(value)
    if (typeof value !== 'object' || value === null) continue
    waiting.push(...Object.values(value))
    if (Array.isArray(value)) continue
    for (const key of Object.keys(value)) {
      add(Object.fromEntries(Object.entries(value).filter(([other]) => other !== key)))
      add({ ...value, [key]: 5 })
    }
  }
  return [...found.values()]
}
