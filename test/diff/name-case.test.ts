import { describe, expect, it } from 'vitest'
import { changesOf, orders } from './versions.js'

/** RFC 9110, 5.1: names of header fields are case-insensitive. Names of query parameters and cookies are not. */
const parameter = (place: string, name: string) =>
  orders(`parameters: [{ name: ${name}, in: ${place}, required: true, schema: { type: string } }]`)
const key = (place: string, name: string) =>
  orders(
    'security: [{ k: [] }]',
    `components: { securitySchemes: { k: { type: apiKey, in: ${place}, name: ${name} } } }`,
  )
const renamed = (place: string, name: string, scheme: string) =>
  orders(
    `security: [{ ${scheme}: [] }]`,
    `components: { securitySchemes: { ${scheme}: { type: apiKey, in: ${place}, name: ${name} } } }`,
  )
const response = (name: string) =>
  orders(
    `responses: { '200': { description: ok, headers: { ${name}: { required: true, schema: { type: string } } } } }`,
  )
const part = (name: string) =>
  orders(
    `requestBody: { content: { multipart/form-data: { schema: { type: object, properties: { a: { type: string } } }, encoding: { a: { headers: { ${name}: { required: true, schema: { type: string } } } } } } } }`,
  )

const rules = async (...versions: Parameters<typeof changesOf>) =>
  (await changesOf(...versions)).map(({ rule }) => rule)

describe('a name that changes only in case', () => {
  it.each([
    ['a header parameter', parameter('header', 'x-a'), parameter('header', 'X-A')],
    ['the header of an API key', key('header', 'x-api-key'), key('header', 'X-API-Key')],
    ['a response header', response('x-left'), response('X-Left')],
    ['the header of a part', part('x-kind'), part('X-Kind')],
  ])('is no change of %s', async (_, before, after) => {
    expect(await rules(before, after)).toEqual([])
    expect(await rules(after, before)).toEqual([])
  })

  it.each([
    ['a query parameter', parameter('query', 'a'), parameter('query', 'A'), 'parameter-removed'],
    ['a cookie', parameter('cookie', 'a'), parameter('cookie', 'A'), 'parameter-removed'],
    ['a key in the query', key('query', 'k'), key('query', 'K'), 'security-scheme-changed'],
    ['a key in a cookie', key('cookie', 'k'), key('cookie', 'K'), 'security-scheme-changed'],
  ])('is one of %s', async (_, before, after, rule) => {
    expect(await rules(before, after)).toContain(rule)
  })

  it('and a scheme that is renamed with it sends the same credentials', async () => {
    expect(await rules(renamed('header', 'x-k', 'a'), renamed('header', 'X-K', 'b'))).toEqual([
      'security-scheme-renamed',
    ])
  })
})
