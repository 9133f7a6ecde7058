import { expect, test } from 'vitest'
import { inOneFile } from '../../../src/emit/declaration.js'
import { emitValidators } from '../../../src/emit/validators.js'
import { apiOf, openapiOf } from '../../read/api-of.js'
import { runWritten } from './written.js'

const grade = { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'] }
const code = { type: 'string', pattern: '^(?:[a-z]\\d)+$' }
const properties = { grade, code, more: { type: 'object', properties: { grade, code } } }
const graded = { type: 'object', properties }

/** Where an emitter tries one way of writing a schema and then takes another. */
const schemas = {
  Nullable: { type: ['object', 'null'], properties },
  Anything: { properties },
  AllOfTwo: { allOf: [graded, { type: ['object', 'null'], additionalProperties: graded }] },
  EachOf: { type: ['array', 'null'], items: { type: ['object', 'string'], properties } },
  OneOfTwo: {
    oneOf: [{ ...graded, required: ['more'] }, { properties: { grade: { not: grade } } }],
  },
}

test('every constant is read by a function', async () => {
  const { text } = inOneFile(emitValidators(await apiOf({ openapi: openapiOf({ schemas }) })))
  const constants = [...text.matchAll(/^const (\w+): \w+(?:<\w+>)? = (?!\()/gm)].map(
    ([, name]) => name ?? '',
  )
  expect(constants).toEqual(
    expect.arrayContaining(['nullableAsObjectGradeValues', 'anythingAsObjectCodePattern']),
  )
  const unread = constants.filter((name) => text.split(new RegExp(`\\b${name}\\b`)).length < 3)
  expect(unread).toEqual([])
})

test('every function that is not exported is called: beside {}, no branch of an anyOf is tested (DigitalOcean)', async () => {
  const branch = { allOf: [graded, { type: 'object', properties: { code } }] }
  const One = { type: 'object', properties: { pages: { anyOf: [branch, graded, {}] } } }
  const api = await apiOf({ openapi: openapiOf({ schemas: { One } }) })
  const { text } = inOneFile(emitValidators(api))
  const functions = [...text.matchAll(/^function (\w+)/gm)].map(([, name]) => name ?? '')
  expect(functions.filter((name) => text.split(new RegExp(`\\b${name}\\b`)).length < 3)).toEqual([])
})

test('a set with a member per line keeps commas, brackets and quotes of its texts (Telnyx)', async () => {
  const cities = [
    'London, UK',
    "it's, a",
    'say "hi, you"',
    'a[b], c',
    'back\\, slash',
    'line\n, two',
  ]
  const values = [...cities, ...['Paris', 'Rome', 'Oslo', 'Bern'], 1, null]
  const checks = await runWritten({ City: { enum: values } })
  const fits = (value: unknown) => checks.City?.check(value)
  expect([values.every(fits), fits('London'), fits('UK')]).toEqual([true, false, false])
})
