import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Gap } from '../../../src/schema/contain/gap.js'
import type { Schema } from '../../../src/schema/schema.js'
import { countRuns, seedOr, sized } from '../../trials/size.js'
import { asDocument, compared, holds, isProven, type Reading, type Version } from './containing.js'
import { declaredOnly, type Plain } from './declared-only.js'
import { nearPairs, respelledPairs } from './near-schemas.js'
import { schemas, values } from './random-schemas.js'

/** The same pairs each time, and ever others in the trials. */
const runs = (count: number) => {
  const numRuns = sized(1, 20) * count
  countRuns(numRuns)
  return { numRuns, seed: seedOr(1) }
}
const given = () => fc.array(values(), { minLength: 30, maxLength: 60 })
const TIMEOUT = sized(120_000, 3_600_000)

const PAIRS = [
  ['unrelated', fc.tuple(schemas(), schemas()), 30],
  ['near', nearPairs(), 150],
] as const

describe.each(PAIRS)('of %s schemas', (_, pairs, count) => {
  // What is narrowed of inputs and what is widened of outputs is one question, asked the other way round.
  test.each(['strict', 'open'] as const)(
    'what is called safe, read as %s, is safe',
    (reading) => {
      fc.assert(
        fc.property(pairs, given(), ([inner, outer], tried) => {
          expect(counterexample(inner, outer, reading, tried)).toBeUndefined()
          expect(counterexample(outer, inner, reading, tried)).toBeUndefined()
        }),
        runs(count),
      )
    },
    TIMEOUT,
  )

  test(
    'each witness is let through by the one and refused by the other, ajv says too',
    () => {
      fc.assert(
        fc.property(pairs, ([inner, outer]) => {
          const [one, other] = [{ schema: inner as Schema }, { schema: outer as Schema }]
          for (const { witness } of compared(one, other).gaps) {
            if (!witness) continue
            const { value } = witness
            expect([value, holds(one, value), holds(other, value)]).toEqual([value, true, false])
            if (![inner, outer].every(ajvIsRightOn)) continue
            const [first, second] = [byAjv(one, value), byAjv(other, value)]
            expect([value, first ?? true, second ?? false]).toEqual([value, true, false])
          }
        }),
        runs(count),
      )
    },
    TIMEOUT,
  )
})

test(
  'the same in other words is no change',
  () => {
    fc.assert(
      fc.property(
        respelledPairs(),
        fc.constantFrom<Reading>('strict', 'open'),
        ([one, other], reading) => {
          expect(compared(one, other, reading).gaps.filter(isReported)).toEqual([])
          expect(compared(other, one, reading).gaps.filter(isReported)).toEqual([])
        },
      ),
      runs(150),
    )
  },
  TIMEOUT,
)

/** What nothing else has looked at is compared by its spelling; of another one it is said that nobody can tell. */
const isReported = (gap: Gap) => isProven(gap) || gap.kind !== 'unevaluated'

/** A declared value of the inner schema that the outer one refuses, though nothing was found. */
function counterexample(inner: Plain, outer: Plain, reading: Reading, tried: readonly unknown[]) {
  const [one, other] = [{ schema: inner as Schema }, { schema: outer as Schema }]
  if (compared(one, other, reading).gaps.length > 0) return undefined
  const declared = { schema: declaredOnly(inner) as Schema }
  const value = tried.find(
    (value) => holds(one, value) && !holds(other, value, reading) && holds(declared, value),
  )
  return value === undefined ? undefined : { inner, outer, value }
}

/** Undefined where its code throws, as it does on some unions under `unevaluatedProperties`. */
function byAjv(version: Version, value: unknown): boolean | undefined {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, validateSchema: false })
  const check = ajv.compile(asDocument(version) as object)
  try {
    return check(value) === true
  } catch {
    return undefined
  }
}

/**
 * Where ajv 8.20 leaves 2020-12: `contains` evaluates no items (core 10.3.1.3), an `if` without `then`
 * and `else` evaluates nothing (core 10.2.2.1), and `contains: true` beside `prefixItems` accepts [].
 */
const ajvIsRightOn = (schema: Plain): boolean => {
  const uses = (keyword: string) => JSON.stringify(schema).includes(`"${keyword}":`)
  if (uses('contains') && (uses('unevaluatedItems') || uses('prefixItems'))) return false
  return !(uses('if') && (uses('unevaluatedItems') || uses('unevaluatedProperties')))
}
