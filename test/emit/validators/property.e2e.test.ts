import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mapSubschemas, refTo, type Schema } from '../../../src/schema/schema.js'
import { arbitrarySchema, arbitraryValue } from '../../runtime/arbitrary-schema.js'
import { interpret, runWritten, type Schemas, verdictsOf } from './written.js'
import '../../fixed-seed.js'

const runs = { numRuns: Number(process.env.RUNS ?? 100) }

test.each([
  ['whose parts stand in place', (schemas: Schemas) => schemas],
  ['whose parts are referred to', partsByName],
])(
  'what is written says what the run-time checker says, strictly and openly, of schemas %s',
  async (_, arrange) => {
    const schemas = fc.array(arbitrarySchema(), { minLength: 5, maxLength: 20 })
    const values = fc.array(arbitraryValue(), { minLength: 20, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(schemas, values, async (list, given) => {
        const named = Object.fromEntries(
          list.map((schema, at) => [`Schema${at}`, schema as Schema] as const),
        )
        const written = await runWritten(arrange(named))
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
  },
)

/** The same schemas, each subschema under a name of its own, but for `false`: a reference to that closes no object. */
function partsByName(schemas: Schemas): Schemas {
  const named: Record<string, Schema> = {}
  const apart = (schema: Schema, name: string): Schema => {
    let parts = 0
    if (typeof schema === 'boolean') return schema
    named[name] = mapSubschemas(schema, (part) => apart(part, `${name}Part${++parts}`)) as Schema
    return { $ref: refTo(name) }
  }
  for (const [name, schema] of Object.entries(schemas)) {
    if (apart(schema, name) === schema) named[name] = schema
  }
  return named
}
