import '../../fixed-seed.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Schema } from '../../../src/model/schema.js'
import { arbitrarySchema, arbitraryValue } from '../../runtime/arbitrary-schema.js'
import { interpret, runWritten, verdictsOf } from './written.js'

const runs = { numRuns: Number(process.env.RUNS ?? 100) }
const unwritten = /"unevaluated(Items|Properties)":/

test('what is written says what the run-time checker says, strictly and openly', async () => {
  const schemas = fc.array(
    arbitrarySchema().filter((schema) => !unwritten.test(JSON.stringify(schema))),
    { minLength: 5, maxLength: 20 },
  )
  const values = fc.array(arbitraryValue(), { minLength: 20, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(schemas, values, async (list, given) => {
      const named = Object.fromEntries(
        list.map((schema, at) => [`Schema${at}`, schema as Schema] as const),
      )
      const written = await runWritten(named)
      const interpreted = interpret(named)
      for (const [name, schema] of Object.entries(named)) {
        const checks = written[name]
        if (checks === undefined) throw new Error(`${name} was not written`)
        for (const value of given) {
          const got = verdictsOf(checks, interpreted(name), value)
          expect([schema, value, got.written]).toEqual([schema, value, got.interpreted])
        }
      }
    }),
    runs,
  )
})
