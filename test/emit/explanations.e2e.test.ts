import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import * as generated from '../../generated/explanations.js'
import { collectShown } from '../../src/conform/values/shown-values.js'
import { isPart, operationParts, type Parts } from '../../src/model/operation-parts.js'
import { open, type Validator } from '../../src/runtime/validate.js'
import { samplesOf } from '../../src/schema/random.js'
import type { Schema } from '../../src/schema/schema.js'
import { api, checker } from '../spec/documents.js'

type Row = { readonly of: string; readonly schema: Schema; readonly written: Validator }
type Exports = { readonly [name: string]: Validator | Exports }

const explanations = generated as unknown as Exports

/** Every validator of the file, beside the schema that it is of. */
const rows: readonly Row[] = [
  ...[...api.schemas.values()].map(({ name, schema }): Row => {
    return { of: name, schema, written: explanations[name] as Validator }
  }),
  ...api.operations.flatMap((one) =>
    rowsOf(operationParts(one), explanations[one.id] as Exports, `${one.id} `),
  ),
]

function rowsOf(parts: Parts, validators: Exports, of: string): readonly Row[] {
  return Object.entries(parts).flatMap(([key, part]) =>
    isPart(part)
      ? [{ of: of + key, schema: part.schema, written: validators[key] as Validator }]
      : rowsOf(part, validators[key] as Exports, `${of + key}.`),
  )
}

const making = collectShown(api, checker)

describe('explanations.ts, for values that each schema takes, and for those with one thing changed', () => {
  test.each(rows.map((row) => [row.of, row] as const))('%s', (_, { schema, written }) => {
    const right = samplesOf(schema, making)
    const values = [...right, ...right.slice(0, 2).flatMap((value) => mutantsOf(value, 3))]
    const interpreted = checker.schema(schema)
    let wrong = 0
    for (const value of values) {
      for (const [validator, want] of [
        [written, interpreted],
        [open(written), open(interpreted)],
      ] as const) {
        const faults = validator.explain(value)
        expect([value, faults.length === 0]).toEqual([value, want.check(value)])
        expect([value, faults]).toEqual([value, want.explain(value)])
        // Without a keyword it would only be said that something is wrong.
        expect([value, faults.filter(({ keyword }) => keyword === '')]).toEqual([value, []])
        wrong += faults.length
      }
    }
    expect(right.flatMap((value) => written.explain(value))).toEqual([])
    // Whatever takes only some values has been seen to refuse one.
    expect(wrong > 0).toBe(values.some((value) => !interpreted.check(value)))
  })

  test('which are many', () => {
    const refused = rows.filter(({ schema, written }) =>
      samplesOf(schema, making).some((value) =>
        mutantsOf(value, 1).some((mutant) => !written.check(mutant)),
      ),
    )
    expect([rows.length > 250, refused.length / rows.length > 0.9]).toEqual([true, true])
  })
})

describe('a bundle with the explanations of one operation', () => {
  let text = ''
  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: "export { ethGetBalance } from './generated/explanations.ts'",
        resolveDir: new URL('../..', import.meta.url).pathname,
        loader: 'ts',
      },
      bundle: true,
      write: false,
      format: 'esm',
      conditions: ['twinspec-source'],
      legalComments: 'none',
    })
    text = outputFiles[0]?.text ?? ''
  })

  test('holds the checks and schemas that it needs', () => {
    expect(names(text)).toEqual(expect.arrayContaining(['isAddress', 'isUint256']))
    expect(text).toMatch(/title: "BlockByHash"/)
  })

  test('and no others', () => {
    expect(text).not.toMatch(/isBlock\b|isTransaction\b|isZktSubmission\b|excessBlobGas/)
    expect(text.match(/\bexplained\(/g)?.length).toBeLessThan(15)
  })
})

const names = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:function|var|const) (is\w+)/gm)].map(([, name]) => name ?? '')

/** A value lacking a member, with a wrong one, or with one too many, at each of its places. */
function mutantsOf(value: unknown, depth: number): readonly unknown[] {
  const other = [5, null, {}, [], `${value}g`]
  if (depth === 0 || typeof value !== 'object' || value === null) return other
  if (Array.isArray(value)) {
    return [
      ...other.slice(0, 3),
      value.slice(1),
      [...value, 5],
      ...mutantsOf(value[0], depth - 1).map((item) => [item, ...value.slice(1)]),
    ]
  }
  const entries = Object.entries(value)
  return [
    ...other.slice(0, 2),
    { ...value, more: 1 },
    ...entries.flatMap(([key, part]) => [
      Object.fromEntries(entries.filter(([name]) => name !== key)),
      ...mutantsOf(part, depth - 1).map((each) => ({ ...value, [key]: each })),
    ]),
  ]
}
