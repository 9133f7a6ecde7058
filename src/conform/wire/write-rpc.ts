import type { Target } from '../target.js'
import type { Sent } from './exchange.js'

/** One POST of a text, which need be neither JSON nor JSON-RPC. */
export const postRpc = (
  { rpc, authorization: { rpc: authorization } = NONE }: Target,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Sent => ({
  method: 'POST',
  url: rpc ?? '',
  headers: {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
    ...headers,
  },
  body,
})

const NONE = { http: undefined, rpc: undefined }

/** A call as it is usually written; `id` is JSON text, so that it can be any, and null for a notification. */
export const callText = (method: string, params?: unknown, id: string | null = '1'): string => {
  const members = [
    '"jsonrpc":"2.0"',
    `"method":${JSON.stringify(method)}`,
    ...(params === undefined ? [] : [`"params":${JSON.stringify(params)}`]),
    ...(id === null ? [] : [`"id":${id}`]),
  ]
  return `{${members.join(',')}}`
}
