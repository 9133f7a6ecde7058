import { HttpError, RpcError } from '../errors.js'
import type { RpcOperation } from '../operation.js'
import type { ErrorObject } from '../rpc/match.js'
import { redactor } from '../shared/redact.js'
import { LIMIT_EXCEEDED } from '../shared/retry.js'
import { isObject } from '../validate/json-value.js'
import { callSignal, type ServerCall, type ServerPolicy } from './call.js'
import type { RequestAuth } from './handlers.js'
import { cleanData } from './reply.js'

/** The HTTP status and headers of an error, which are used if they apply to the whole reply. */
export type TransportRejection = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** The error object of a failed call. Internal errors are reported, unless the client has disconnected. */
export const reportFailure = (
  error: unknown,
  call: ServerCall,
  auth: RequestAuth,
  policy: ServerPolicy,
  operation?: RpcOperation,
): ReportedError => {
  const shown = errorOf(error, policy.secretsOf(auth))
  if (shown === undefined && !callSignal(call).aborted)
    policy.report(error, operation, auth, call.state)
  return shown ?? { code: -32603, message: 'Internal error' }
}

type ReportedError = ErrorObject & { readonly rejection?: TransportRejection }

/** The error object without secrets; undefined for internal errors. */
const errorOf = (error: unknown, secrets: readonly string[]): ReportedError | undefined => {
  if (error instanceof RpcError && Number.isInteger(error.code)) return errorObject(error, secrets)
  if (!(error instanceof HttpError)) return undefined
  const { status, body, message } = error
  const names = [...error.headers].filter(([name]) =>
    /^(retry-after$|www-authenticate$|x?-?ratelimit)/.test(name),
  )
  const rejection = { status, headers: Object.fromEntries(names) }
  const own = isObject(body) && Number.isInteger(body.code) && typeof body.message === 'string'
  const code = status === 429 ? LIMIT_EXCEEDED : -32000
  return { ...errorObject(own ? (body as ErrorObject) : { code, message }, secrets), rejection }
}

const errorObject = (
  { code, message, data }: ErrorObject,
  secrets: readonly string[],
): ErrorObject => {
  const text = redactor(secrets)(message)
  if (data === undefined) return { code, message: text }
  try {
    return { code, message: text, data: cleanData(data, secrets) }
  } catch {
    // Data that JSON cannot represent (a bigint, a cycle) is omitted; the code is still sent.
    return { code, message: text }
  }
}
