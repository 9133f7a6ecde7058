import { readdirSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, snippetsOf, whySkipped } from './project.js'

const skipped = whySkipped()
if (skipped) console.warn(`test/peers/standard-schema.e2e.test.ts: ${skipped}`)

describe.skipIf(skipped)('docs/standard-schema.md, with the libraries that it names', () => {
  let project: Awaited<ReturnType<typeof createProject>>
  beforeAll(async () => {
    project = await createProject({ plugins: 'standard-schema' })
  })
  afterAll(() => project?.remove())

  const files = () =>
    new Map(
      snippetsOf('standard-schema.md').map(({ title, text }) => [
        title,
        project.write(`${title.replace(/\W/g, '-')}.ts`, text),
      ]),
    )

  it('every snippet compiles under all strict flags, and so do the types of the specification', () => {
    const types = project.write(
      'types.ts',
      `import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { createOrder, NewOrder, stockLevel } from './generated/standard-schema.js'
const both: StandardSchemaV1<unknown, { customer: string }> & StandardJSONSchemaV1 = NewOrder
const customer: StandardSchemaV1.InferInput<typeof createOrder.request>['customer'] = 'Ada'
const level: StandardSchemaV1.InferOutput<typeof stockLevel.result> = 7
// @ts-expect-error a level is a number
const text: StandardSchemaV1.InferOutput<typeof stockLevel.result> = 'seven'
console.log(both, customer, level, text)
`,
    )
    expect(project.errorsOf([...files().values(), types])).toEqual([])
  })

  it('every snippet runs', async () => {
    const printed = [...files()].map(async ([title, file]) => [title, await project.run(file)])
    expect(Object.fromEntries(await Promise.all(printed))).toEqual({
      tRPC: ['o-1 tea-1', 'BAD_REQUEST'],
      Hono: ['201 {"customer":"Ada"} 400'],
      'TanStack Form': ['must have at least 3 characters, has 1', 'submitted Ada'],
      'JSON Schema': ["[ 'customer', 'lines' ]"],
      'Your own validators': ["{ issues: [ { message: 'must be at least 0', path: [] } ] }"],
    })
  })

  it('JSON Schema of either draft accepts what the validator accepts, issues have paths', async () => {
    const program = project.write(
      'schemas.ts',
      `import * as schemas from './generated/standard-schema.js'
const values = JSON.parse(${JSON.stringify(JSON.stringify(VALUES))})
const { NewOrder, Order, stockLevel, createOrder } = schemas
for (const schema of [NewOrder, Order, createOrder.request, stockLevel.params]) {
  const { validate, jsonSchema } = schema['~standard']
  const results = values.map((value) => validate(value))
  const [current, draft7] = ['draft-2020-12', 'draft-07'].map((target) => jsonSchema.input({ target }))
  console.log(JSON.stringify({ results, current, draft7 }))
}
try { NewOrder['~standard'].jsonSchema.output({ target: 'draft-04' }) } catch (error) { console.log(String(error)) }
`,
    )
    const lines = [...(await project.run(program))]
    expect(lines.pop()).toBe('TypeError: target is draft-04: expected draft-2020-12 or draft-07')
    const rows = lines.map((line) => JSON.parse(line))
    for (const { results, current, draft7 } of rows) {
      const accepted = results.map(({ issues }: { issues?: unknown }) => issues === undefined)
      const checks = [
        new Ajv2020({ strict: false }).compile(current),
        new Ajv({ strict: false }).compile(draft7),
      ]
      for (const check of checks) expect(VALUES.map((value) => check(value))).toEqual(accepted)
    }
    expect(rows[0].results.map(({ issues = [] }) => issues)).toEqual([
      [],
      [{ message: expect.any(String), path: ['customer'] }],
      [{ message: expect.any(String), path: ['lines', 0, 'quantity'] }],
      [],
      [],
      expect.any(Array),
      expect.any(Array),
      expect.any(Array),
    ])
  })

  it('costs nothing where it is not imported', () => {
    const others = readdirSync(`${project.folder}/generated`).filter(
      (name) => name.endsWith('.ts') && name !== 'standard-schema.ts',
    )
    for (const name of others)
      expect(readFileSync(`${project.folder}/generated/${name}`, 'utf8')).not.toMatch(
        /standard-schema/,
      )
  })
})

const LINE = { sku: 'tea-1', quantity: 2 }
const VALUES = [
  { customer: 'Ada', lines: [LINE] },
  { lines: [LINE] },
  { customer: 'Ada', lines: [{ ...LINE, quantity: 0 }] },
  { customer: 'Ada', lines: [LINE], id: 'o-1', status: 'open' },
  {
    customer: 'Ada',
    lines: [LINE],
    id: 'o-1',
    status: 'paid',
    package: { weight: 1, packages: [{}] },
  },
  ['tea-1'],
  ['tea-1', 'north', 3],
  [],
]
