import type { Api, HttpOperation, RpcOperation } from '../model/api.js'
import { httpCurl, rpcCurl } from '../model/curl.js'
import { createSampler, type Sampler } from '../model/sample.js'
import { sampleParams, sampleRequest } from '../model/sample-request.js'
import type { Mock } from './mock.js'

/** A line of curl for each operation's first example, or with made-up values; secrets as `$NAME` for the shell to fill. */
export const curlLines = (api: Api, { httpUrl, rpcUrl }: Mock): readonly string[] => {
  const madeUp = createSampler(api.schemas)
  return api.operations.flatMap((operation) => {
    if (operation.kind === 'http')
      return httpUrl === undefined ? [] : [httpLine(httpUrl, operation, madeUp)]
    return rpcUrl === undefined ? [] : [rpcLine(rpcUrl, operation, madeUp)]
  })
}

const httpLine = (base: string, asked: HttpOperation, madeUp: Sampler): string => {
  const media = asked.body?.content.find(({ examples }) => examples.length > 0)
  const example = media?.examples[0]
  const { operation, sent } = sampleRequest(asked, madeUp, media && example && { media, example })
  return httpCurl(base, operation, sent).join(' ')
}

const rpcLine = (url: string, operation: RpcOperation, madeUp: Sampler): string => {
  const { method, paramStructure, examples } = operation
  const shown =
    examples.find(({ outcome }) => outcome.kind === 'result') ??
    examples[0] ??
    sampleParams(operation, madeUp)
  const params = paramStructure === 'by-name' ? shown?.namedParams : shown?.params
  return rpcCurl(url, { jsonrpc: '2.0', id: 1, method, params: params ?? [] }).join(' ')
}
