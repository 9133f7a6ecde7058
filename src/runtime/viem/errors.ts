import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { CallError, HttpError, RpcError } from '../errors.js'

/**
 * What a call of ours came to as viem's own error, ours as its cause: a refusal keeps code and data, by which viem
 * chooses its class and decodes the reason of a revert. `url` is without secrets.
 */
export const viemError = (error: unknown, { body, url, timeout }: Asked): unknown => {
  if (error instanceof RpcError) return new RpcRequestError({ body, error, url })
  if (error instanceof HttpError) {
    const { status, headers, message: details } = error
    return new HttpRequestError({ body, status, headers, details, url, cause: error })
  }
  if (!(error instanceof CallError)) return error
  switch (error.reason) {
    case 'timeout':
      return Object.assign(new TimeoutError({ body, url }), { cause: error, timeout })
    case 'aborted':
      return error
    case 'invalid-input':
      return refused(error, INVALID_PARAMS, { body, url })
    default:
      return new HttpRequestError({ body, details: error.message, url, cause: error })
  }
}

/** As the server itself would have refused what was not sent. */
export const unknownMethod = (asked: Asked): RpcRequestError => {
  const message = `the document has no method ${asked.body.method}`
  return refused(new Error(message), METHOD_NOT_FOUND, asked)
}

export type Asked = {
  readonly body: { readonly method: string; readonly params?: unknown }
  readonly url: string
  readonly timeout?: number | undefined
}

const refused = (error: Error, code: number, { body, url }: Asked): RpcRequestError => {
  const { message } = error
  return new RpcRequestError({ body, error: Object.assign(error, { code, message }), url })
}

/** JSON-RPC 2.0 §5.1. */
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
