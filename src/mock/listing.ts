import type { Api, Operation } from '../model/api.js'
import { weightOf } from '../runtime/examples/documented.js'
import type { ServerReply } from '../runtime/server/request.js'
import { basePaths } from '../runtime/server/routes.js'
import { createCurl, type MockUrls } from './curl.js'
import type { NotMocked } from './service.js'

/**
 * What the mock answers at `/`: its operations as text, one per line, or as JSON with a line of curl for each. An operation
 * that is not mocked has a `problem` in place of the line.
 */
export const createListing = (
  api: Api,
  notMocked: readonly NotMocked[],
  urls: () => MockUrls,
): ((accept: string | undefined) => ServerReply) => {
  let json: string | undefined
  const text = api.operations.map((operation) => `${placeOf(operation)}\n`).join('')
  return (accept) => {
    if (weightOf(accept, 'application/json') <= weightOf(accept, 'text/plain'))
      return replyOf('text/plain', text)
    json ??= JSON.stringify(listingOf(api, notMocked, urls()), null, 2)
    return replyOf('application/json', json)
  }
}

const replyOf = (type: string, body: string): ServerReply => ({
  status: 200,
  headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' },
  body,
})

const listingOf = (api: Api, notMocked: readonly NotMocked[], urls: MockUrls) => {
  const problems = new Map(notMocked.map(({ operation, message }) => [operation, message]))
  const curl = createCurl(api, urls)
  const operations = api.operations.map((operation) => {
    const { kind, id, method } = operation
    const problem = problems.get(id)
    return {
      ...{ id, kind, method },
      path: kind === 'http' ? pathOf(operation) : (api.rpc?.path ?? '/'),
      ...(problem === undefined ? { curl: curl(operation) } : { problem }),
    }
  })
  return { http: urls.httpUrl, rpc: urls.rpcUrl, operations }
}

const pathOf = ({ servers, path }: Extract<Operation, { kind: 'http' }>): string =>
  (basePaths(servers)[0] ?? '') + path

/** `GET /v2/orders`, `eth_getBalance`. */
const placeOf = (operation: Operation): string =>
  operation.kind === 'http' ? `${operation.method} ${pathOf(operation)}` : operation.method
