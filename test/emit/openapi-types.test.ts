import { expect, test } from 'vitest'
import { emitHttpTypes } from '../../src/emit/openapi-types.js'
import { DocumentError } from '../../src/model/finding.js'
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

test('a chain that openapi-typescript cannot walk is refused by name', async () => {
  const api = await apiOf({ openapi: chain(3000) })
  await expect(emitHttpTypes(api)).rejects.toBeInstanceOf(DocumentError)
  await expect(emitHttpTypes(api)).rejects.toThrow(
    /runs out of stack on a chain .* shorten the chain/,
  )
})

test('a chain of three hundred is an ordinary input', async () => {
  const { text } = await emitHttpTypes(await apiOf({ openapi: chain(300) }))
  expect(text).toContain('S299: string')
})

test('a sequence of octets is a Blob', async () => {
  const schemas = {
    File: { type: 'object', properties: { data: { type: 'string', format: 'binary' } } },
  }
  const { text } = await emitHttpTypes(await apiOf({ openapi: openapiOf({ schemas }) }))
  expect(text).toMatch(/data\?: Blob/)
})
