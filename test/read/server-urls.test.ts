import { expect, it } from 'vitest'
import { apiOf, openapiOf, openrpcOf } from './api-of.js'

it.each([
  ['api.example.com/v1', 'https://api.example.com/v1', true],
  ['{region}.example.com', 'https://{region}.example.com', true],
  ['localhost:8080', 'http://localhost:8080', true],
  ['10.0.0.1:8080/rpc', 'https://10.0.0.1:8080/rpc', true],
  ['//example.com/v1', 'https://example.com/v1', true],
  ['v1', '/v1', false],
  ['./v1.0', '/v1.0', false],
  ['.', '/', false],
  ['/v1', '/v1', false],
  ['https://example.com/a.b', 'https://example.com/a.b', false],
  ['{base}/v1', '{base}/v1', false],
])('the server %s is read as %s', async (url, want, isReported) => {
  for (const documents of [
    { openapi: openapiOf({ servers: [{ url }] }) },
    { openrpc: openrpcOf({ servers: [{ url, name: 'main' }] }) },
  ]) {
    const { http, rpc, findings } = await apiOf(documents)
    expect((http ?? rpc)?.servers.map((server) => server.url)).toEqual([want])
    const rules = findings.map(({ rule }) => rule)
    expect(rules.includes('server-url-has-no-scheme')).toBe(isReported)
  }
})
