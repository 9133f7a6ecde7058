import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { corpus, named, readCorpus } from '../../conformance/corpora.js'
import { readDraft7 } from '../../runtime/draft7.js'
import { interpret, runWritten, schemasOf, verdictsOf } from './written.js'

type Group = { readonly description: string; readonly schema: unknown; readonly tests: Case[] }
type Case = { readonly description: string; readonly data: unknown; readonly valid: boolean }

/** Groups that are not asked, each with the reason: file, group, reason. The run-time checker is not asked them either. */
const exceptions: readonly (readonly [file: RegExp, group: RegExp, reason: string])[] = [
  [/^optional\/format\//, /./, 'format is an annotation'],
  [/^optional\/content/, /^validation of/, 'content* is annotation'],
  [/^refRemote/, /^(remote ref$|base URI change|retrieved nested refs)/, 'not in the corpus'],
  [/^optional\/cross-draft/, /^refs to future drafts/, 'the 2019-09 remote is not in the corpus'],
]

const files = corpus('json-schema-test-suite/tests/draft7')
const metaschema = createRequire(import.meta.url)('ajv/dist/refs/json-schema-draft-07.json')
const remotes = corpus('json-schema-test-suite/remotes').map((name) => [
  `http://localhost:1234/${name}`,
  JSON.parse(readCorpus('json-schema-test-suite/remotes', name)),
])
const documents = {
  'http://json-schema.org/draft-07/schema': metaschema,
  ...Object.fromEntries(remotes),
}

describe.skipIf(files.length === 0)(
  named('JSON-Schema-Test-Suite, draft-07, as checks that were written ahead of time', files),
  () => {
    let asked = 0
    for (const file of files) {
      const groups = JSON.parse(
        readCorpus('json-schema-test-suite/tests/draft7', file),
      ) as readonly Group[]
      for (const { description, schema, tests } of groups) {
        if (exceptions.some(([one, other]) => one.test(file) && other.test(description))) continue
        asked += tests.length
        test(`${file}: ${description}`, async () => {
          const root = readDraft7({ ...documents, 'test:schema': schema })('test:schema')
          const schemas = schemasOf(root)
          const { Root } = await runWritten(schemas)
          const interpreted = interpret(schemas)('Root')
          const got = tests.map(({ data, ...one }) => {
            const { written, interpreted: checked } = verdictsOf(
              Root ?? interpreted,
              interpreted,
              data,
            )
            return { ...one, data, written, open: checked.open }
          })
          const want = tests.map((one, at) => ({
            ...one,
            written: { strict: one.valid, open: got[at]?.open },
            open: got[at]?.open,
          }))
          expect(got).toEqual(want)
        })
      }
    }

    test('is asked nearly whole, and says what it is not asked', () => {
      const left = exceptions.map(([file, group, why]) => `${file.source} ${group.source}: ${why}`)
      console.info(`${asked} cases are asked; not asked, by file and group:\n${left.join('\n')}`)
      expect(asked).toBeGreaterThan(1000)
    })
  },
)
