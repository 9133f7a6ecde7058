import { describe, expect, it } from 'vitest'
import { placedResponses } from '../../src/emit/languages/responses.js'
import { isStreamed } from '../../src/model/streams.js'
import { declaredResponse, isSuccessOf, successResponses } from '../../src/runtime/wire/status.js'
import { apiOf, openapiOf } from '../read/api-of.js'

// OpenAPI, Responses Object: `default` describes what no other key describes.
describe('the responses that describe successes', () => {
  it.each<[declared: readonly string[], successes: readonly string[]]>([
    [['200', '404', 'default'], ['200']],
    [
      ['204', '2XX', '4XX'],
      ['204', '2XX'],
    ],
    [['2XX', 'default'], ['2XX']],
    [['default'], ['default']],
    [['404', 'default'], ['default']],
    [['302', 'default'], ['default']],
    [['302', '404'], []],
    [[], []],
  ])('%j: %j', async (declared, successes) => {
    const responses = declared.map((status) => ({ status }))
    const found = successResponses(responses)
    expect(found.map(({ status }) => status)).toEqual(successes)
    for (const status of [200, 204, 299]) {
      const described = declaredResponse(responses, status)
      if (described)
        expect(isSuccessOf(responses, status)).toBe(successes.includes(described.status))
    }
  })
})

const ITEM = { type: 'object', properties: { stream: { type: 'boolean' } } }

describe('an operation whose only description of a success is', () => {
  it.each(['200', '2XX', 'default'])('%s', async (key) => {
    const content = { 'text/event-stream': { itemSchema: ITEM } }
    const responses = { [key]: { description: 'Items.', content }, 404: { description: 'None.' } }
    const get = { operationId: 'watch', responses }
    const api = await apiOf({ openapi: openapiOf({ version: '3.2.0', paths: { '/a': { get } } }) })
    const [operation] = api.operations
    if (operation?.kind !== 'http') throw new Error('no operation')
    expect(isStreamed(operation)).toBe(true)
    expect(placedResponses(operation).hasOnlyStreams).toBe(true)
  })
})
