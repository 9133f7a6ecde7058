import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findDocuments, loadApi } from '../../../src/read/load.js'
import type { Schema } from '../../../src/schema/schema.js'
import { CORPORA } from '../../conformance/corpora.js'
import { countRuns, isFull, seedOr, sized } from '../../trials/size.js'
import { compareVerdicts, type Difference } from './verdicts/compare.js'
import { inheritsMembers } from './verdicts/mutate.js'

/**
 * 2,000 values of some schemas of each document; in the trials a million of all documents: of all schemas, but of a thousand of
 * GitHub's 5,373, as ajv and TypeBox take seconds to compile some of them.
 */
const seed = seedOr(20_261_122)
const schemas = sized(25, 1_000)

const path = (from: string) => fileURLToPath(new URL(from, import.meta.url))
const EXECUTION_APIS = `${CORPORA}/execution-apis/openrpc.json`
const GITHUB = path('../../bench/node_modules/@octokit/openapi/generated/api.github.com.json')

const DOCUMENTS = [
  ['our documents', findDocuments(path('../../../spec')), undefined, 300_000],
  ['the execution APIs', { openrpc: EXECUTION_APIS }, EXECUTION_APIS, 300_000],
  ["GitHub's document", { openapi: GITHUB }, GITHUB, 400_000],
] as const

/**
 * Where others are not right, or are not asked the same. ajv is given our own expressions, as it would read every pattern
 * with the flag `u`, which refuses `[\w-.]`, and is set to look at own properties, or `required: ["toString"]` would hold of
 * `{}` (2020-12 validation 6.5.3 speaks of the properties that an instance has).
 */
const EXCEPTIONS: readonly Exception[] = [
  {
    from: ['ajv', 'typebox'],
    clause: '2020-12 validation 6.2.1: the division results in an integer',
    because: '4.07 is a multiple of 0.01, and 4.07 / 0.01 is 407.00000000000006',
    of: (_, schema) => /"multipleOf":\d*\.\d/.test(JSON.stringify(schema)),
  },
  {
    from: ['the run-time checker', 'its open reading', 'ajv', 'typebox'],
    clause: 'no clause: JSON has no prototypes',
    // To ask each object for its prototype takes a ZKT body and a batch a fifth longer, where many kinds of objects come more.
    because: 'written checks read a member as TypeScript does, inherited ones included',
    of: ({ value }) => inheritsMembers(value),
  },
]

type Exception = {
  readonly from: readonly Difference['from'][]
  readonly clause: string
  readonly because: string
  readonly of: (difference: Difference, schema: Schema) => boolean
}

for (const [name, files, needed, inTrials] of DOCUMENTS) {
  const isAbsent = needed !== undefined && !existsSync(needed)
  const why = isAbsent ? ' (skipped: the document is not here)' : ''
  test.skipIf(isAbsent)(
    `what is written for ${name} gives the verdict of all who know better${why}`,
    async () => {
      const values = sized(2_000, inTrials)
      countRuns(values)
      const api = await loadApi(files)
      const compared = await compareVerdicts(api, {
        values,
        schemas,
        seed,
        isExcepted: (difference, schema) =>
          EXCEPTIONS.some(
            ({ from, of }) => from.includes(difference.from) && of(difference, schema),
          ),
        report: (message) => {
          if (isFull) process.stderr.write(`${name}, seed ${seed}: ${message}\n`)
        },
      })
      const { differences, ...sum } = compared
      if (isFull) process.stderr.write(`${name}: ${JSON.stringify(sum)}\n`)
      expect(differences.slice(0, 5)).toEqual([])
      expect(sum).toMatchObject({ values, unanswered: 0 })
      expect(sum.accepted).toBeGreaterThan(values / 5)
      expect(sum.values - sum.accepted).toBeGreaterThan(values / 5)
      expect(sum.askedOfLibraries).toBeGreaterThan(values * 0.8)
    },
    6_000_000,
  )
}
