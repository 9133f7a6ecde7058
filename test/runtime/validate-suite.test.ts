import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readDraft7 } from './draft7.js'

const repository = join(import.meta.dirname, '../..')
const suite = resolve(
  repository,
  process.env.CORPORA ?? '../shared/corpora',
  'json-schema-test-suite',
)
const present = existsSync(suite)

type Group = { readonly description: string; readonly schema: unknown; readonly tests: Case[] }
type Case = { readonly description: string; readonly data: unknown; readonly valid: boolean }

/** Groups that are not asked of this validator, each with the reason: file, group (or every one), reason. */
const exceptions: readonly (readonly [file: RegExp, group: RegExp, reason: string])[] = [
  [/^optional\/format\//, /./, 'format is an annotation'],
  [/^optional\/content/, /^validation of/, 'content* is annotation'],
  [/^refRemote/, /^remote ref$/, 'integer.json is not in the corpus'],
  [/^refRemote/, /^base URI change/, 'folderInteger.json is not in the corpus'],
  [/^refRemote/, /^retrieved nested refs/, 'nested/foo-ref-string.json is not in the corpus'],
  [/^optional\/cross-draft/, /^refs to future drafts/, 'the 2019-09 remote is not in the corpus'],
]

const exceptionOf = (file: string, group: string) =>
  exceptions.find(([files, groups]) => files.test(file) && groups.test(group))

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()

const metaschema = createRequire(import.meta.url)('ajv/dist/refs/json-schema-draft-07.json')

const readDocuments = (): Record<string, unknown> => {
  const remotes = join(suite, 'remotes')
  return {
    'http://json-schema.org/draft-07/schema': metaschema,
    ...Object.fromEntries(
      filesIn(remotes).map((name) => [
        `http://localhost:1234/${name}`,
        readJson(join(remotes, name)),
      ]),
    ),
  }
}

describe.skipIf(!present)(
  'JSON-Schema-Test-Suite, draft-07 (skipped where the corpus is absent)',
  () => {
    const tests = join(suite, 'tests/draft7')
    const documents = present ? readDocuments() : {}
    for (const file of present ? filesIn(tests) : []) {
      const groups = (readJson(join(tests, file)) as Group[]).filter(
        ({ description }) => !exceptionOf(file, description),
      )
      if (groups.length === 0) continue
      describe(file, () => {
        for (const group of groups) {
          test(group.description, () => {
            const validator = readDraft7({ ...documents, 'test:schema': group.schema })(
              'test:schema',
            )
            const got = group.tests.map(({ description, data }) => [
              description,
              validator.check(data),
            ])
            const want = group.tests.map(({ description, valid }) => [description, valid])
            expect(got).toEqual(want)
            for (const { data, valid } of group.tests) {
              expect(validator.explain(data).length === 0).toBe(valid)
            }
          })
        }
      })
    }

    test('every exception is one of the suite, and no other group is left out', () => {
      const asked = filesIn(tests).flatMap((file) =>
        (readJson(join(tests, file)) as Group[]).map((group) =>
          exceptionOf(file, group.description),
        ),
      )
      expect(exceptions.filter((row) => !asked.includes(row))).toEqual([])
      expect(asked.filter((row) => row !== undefined).length).toBe(35)
    })
  },
)
