import { expect, it } from 'vitest'
import { conform } from '../../../src/conform/conform.js'
import { textOf } from '../../../src/traffic/exchange.js'
import { apiOf, openapiOf } from '../../read/api-of.js'

const thing = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } }
const other = { type: 'object', required: ['b'], properties: { b: { type: 'string' } } }

/** The texts that a strict server receives as JSON, how often, and the rules that a lax one breaks. */
const judge = async (schema: object, example: unknown, isTaken: (text: string) => boolean) => {
  const content = { 'application/json': { schema, example } }
  const responses = { 200: { description: 'ok' }, 400: { description: 'no' } }
  const post = { operationId: 'put', requestBody: { required: true, content }, responses }
  const api = await apiOf({
    openapi: openapiOf({ version: '3.1.0', paths: { '/things': { post } } }),
  })
  const counts = new Map<string, number>()
  const { findings } = await conform(api, {
    ...{ url: 'http://127.0.0.1:9', rate: null, maxExamples: 5, sleep: async () => undefined },
    wire: async (sent) => {
      const text = textOf(sent.body)
      if (sent.headers['content-type'] === 'application/json')
        counts.set(text, (counts.get(text) ?? 0) + 1)
      const isValid = text === JSON.stringify(example) || isTaken(text)
      const status = isValid ? 200 : 400
      const answer = { status, headers: [], body: new Uint8Array(), milliseconds: 1 }
      return { sent, answer, failure: undefined }
    },
  })
  return { counts, findings }
}

it.each<[schema: object, example: unknown, wrong: readonly string[]]>([
  [thing, { a: 'x' }, ['[]', '"text"', '1', 'true', 'null']],
  [{ type: 'integer' }, 5, ['[]', '"text"', 'true', 'null', '{}']],
  [{ type: 'array', items: { type: 'integer' } }, [7], ['"text"', '1', 'true', 'null', '{}']],
  [{ oneOf: [thing, other] }, { a: 'x' }, ['[]', '"text"', '1', 'true', 'null']],
  [{ ...thing, type: ['object', 'null'] }, { a: 'x' }, ['[]', '"text"', '1', 'true']],
])('each body of another type than %j is sent once', async (schema, example, wrong) => {
  const { counts } = await judge(schema, example, () => false)
  expect(wrong.map((text) => [text, counts.get(text)])).toEqual(wrong.map((text) => [text, 1]))
})

it.each(['[]', '"text"', '1', 'true', 'null'])('taking %s is one finding', async (body) => {
  const { findings } = await judge(thing, { a: 'x' }, (text) => text === body)
  const found = findings.filter(({ message }) => message.includes(': body '))
  expect(found.map(({ rule }) => rule)).toEqual(['body-of-wrong-type-accepted'])
  expect(findings.some(({ rule }) => rule === 'invalid-request-accepted')).toBe(false)
})

it('an array for one of several objects is a body of a wrong type', async () => {
  const { findings } = await judge({ oneOf: [thing, other] }, { a: 'x' }, (text) => text === '[]')
  const found = findings.filter(({ message }) => message.includes(': body '))
  expect(found.map(({ rule }) => rule)).toEqual(['body-of-wrong-type-accepted'])
})
