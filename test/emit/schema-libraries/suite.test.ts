import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import {
  mapSubschemas,
  referredName,
  refTo,
  type Schema,
  type SchemaObject,
} from '../../../src/schema/schema.js'
import { corpus, named, readCorpus } from '../../conformance/corpora.js'
import { readDraft7 } from '../../runtime/draft7.js'
import { apiOfSchemas, schemasOf } from '../validators/written.js'
import { importSchemas, LIBRARIES, verdictOf } from './imported.js'

type Group = { readonly description: string; readonly schema: unknown; readonly tests: Case[] }
type Case = { readonly description: string; readonly data: unknown; readonly valid: boolean }

/** Groups that are not asked, with the reason: file and group. `validate-suite.test.ts` leaves out the same. */
const NOT_ASKED: readonly (readonly [file: RegExp, group: RegExp])[] = [
  [/^optional\/format\//, /./],
  [/^optional\/content/, /^validation of/],
  [/^refRemote/, /^(remote ref$|base URI change|retrieved nested refs)/],
  [/^optional\/cross-draft/, /^refs to future drafts/],
]

const files = corpus('json-schema-test-suite/tests/draft7')
const documents = {
  'http://json-schema.org/draft-07/schema': createRequire(import.meta.url)(
    'ajv/dist/refs/json-schema-draft-07.json',
  ),
  ...Object.fromEntries(
    corpus('json-schema-test-suite/remotes').map((name) => [
      `http://localhost:1234/${name}`,
      JSON.parse(readCorpus('json-schema-test-suite/remotes', name)),
    ]),
  ),
}

describe.skipIf(files.length === 0)(named('JSON-Schema-Test-Suite, draft-07', files), () => {
  const groups = files.flatMap((file) => {
    const all: readonly Group[] = JSON.parse(
      readCorpus('json-schema-test-suite/tests/draft7', file),
    )
    return all
      .filter(({ description }) =>
        NOT_ASKED.every(([one, group]) => !one.test(file) || !group.test(description)),
      )
      .map((group) => ({ ...group, file }))
  })
  // All groups are one document: a library is bundled and run once.
  const all: Record<string, Schema> = {}
  groups.forEach(({ schema }, at) => {
    const root = readDraft7({ ...documents, 'test:schema': schema })('test:schema')
    for (const [name, one] of Object.entries(schemasOf(root)))
      all[`${name}Of${at}`] = moved(one, at)
  })

  describe.each(LIBRARIES)('%s', (library) => {
    test.each([
      ['as they are', (schema: Schema) => schema],
      ['with the types that a schema without any accepts', typed],
    ])('gives the verdict of the suite for every value, by schemas %s', async (_, change) => {
      const api = apiOfSchemas(
        Object.fromEntries(Object.entries(all).map(([name, one]) => [name, change(one)])),
      )
      const schemas = await importSchemas(api, library)
      const got = groups.flatMap(({ tests, file, description }, at) =>
        tests.map(({ data, valid, ...one }) => {
          const verdict = verdictOf(schemas[`RootOf${at}`], data)
          return { case: `${file}: ${description}: ${one.description}`, verdict, valid }
        }),
      )
      expect(got.length).toBeGreaterThan(1000)
      expect(got.filter(({ verdict, valid }) => verdict !== valid)).toEqual([])
    })
  })
})

/** The same schema with all types where it has none, so that the library has builders for it. */
function typed(schema: Schema): Schema {
  if (typeof schema === 'boolean' || schema.$ref !== undefined) return schema
  const all = mapSubschemas(schema, typed) as SchemaObject
  if (schema.type !== undefined || schema.enum !== undefined || 'const' in schema) return all
  return { ...all, type: ['null', 'boolean', 'number', 'string', 'array', 'object'] }
}

/** A schema with its references changed to those of its group. */
const moved = (schema: Schema, group: number): Schema => {
  if (typeof schema === 'boolean') return schema
  const name = referredName(schema)
  if (name !== undefined) return { $ref: refTo(`${name}Of${group}`) }
  return mapSubschemas(schema, (one) => moved(one, group)) as SchemaObject
}
