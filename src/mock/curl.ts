import type { Api, HttpOperation, RpcOperation } from '../model/api.js'
import { httpCurl, rpcCurl } from '../model/curl.js'
import type { Mock } from './mock.js'

/** A line of curl for each operation's first example, secrets as `$NAME` for the shell to fill. */
export const curlLines = (api: Api, { httpUrl, rpcUrl }: Mock): readonly string[] =>
  api.operations.flatMap((operation) => {
    if (operation.kind === 'http')
      return httpUrl === undefined ? [] : [httpLine(httpUrl, operation)]
    return rpcUrl === undefined ? [] : [rpcLine(rpcUrl, operation)]
  })

const httpLine = (base: string, operation: HttpOperation): string => {
  const media = operation.body?.content[0]
  const example = media?.examples[0]
  return httpCurl(base, operation, media && example && { media, example }).join(' ')
}

const rpcLine = (url: string, { method, paramStructure, examples }: RpcOperation): string => {
  const shown = examples.find(({ outcome }) => outcome.kind === 'result') ?? examples[0]
  const params = paramStructure === 'by-name' ? shown?.namedParams : shown?.params
  return rpcCurl(url, { jsonrpc: '2.0', id: 1, method, params: params ?? [] }).join(' ')
}
