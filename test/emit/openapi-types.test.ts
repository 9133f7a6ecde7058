import { expect, test } from 'vitest'
import { emitHttpTypes } from '../../src/emit/openapi-types.js'
import { answering, apiOf, openapiOf } from '../model/api-of.js'

/** Each schema holds the next, and one operation uses the first. */
const chain = (count: number) => {
  const schemas = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `S${index}`,
      index + 1 < count
        ? { type: 'object', properties: { next: { $ref: `#/components/schemas/S${index + 1}` } } }
        : { type: 'string' },
    ]),
  )
  return openapiOf({ schemas, paths: { '/': answering({ $ref: '#/components/schemas/S0' }) } })
}

test('a chain of thousands is an ordinary input', async () => {
  const { text } = emitHttpTypes(await apiOf({ openapi: chain(3000) }))
  expect(text).toContain('S2999: string')
})

test('a sequence of octets is a Blob', async () => {
  const schemas = {
    File: { type: 'object', properties: { data: { type: 'string', format: 'binary' } } },
  }
  const { text } = emitHttpTypes(await apiOf({ openapi: openapiOf({ schemas }) }))
  expect(text).toMatch(/data\?: Blob/)
})
