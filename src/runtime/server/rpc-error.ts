import { HttpError, RpcError } from '../errors.js'
import { redactor } from '../shared/redact.js'
import { isObject } from '../validate/json-value.js'
import { cleanData } from './reply.js'

/** What HTTP should say too, if it can be said of everything in the reply. */
export type TransportRefusal = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

export type ErrorObject = {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** The error object that tells a refusal, without secrets; undefined for everything that is nobody's business outside. */
export const reportError = (
  error: unknown,
  secrets: readonly string[],
): (ErrorObject & { readonly refusal?: TransportRefusal }) | undefined => {
  if (error instanceof RpcError && Number.isInteger(error.code)) return errorObject(error, secrets)
  if (!(error instanceof HttpError)) return undefined
  const { status, body, message } = error
  const names = [...error.headers].filter(([name]) =>
    /^(retry-after$|www-authenticate$|x?-?ratelimit)/.test(name),
  )
  const refusal = { status, headers: Object.fromEntries(names) }
  const own = isObject(body) && Number.isInteger(body.code) && typeof body.message === 'string'
  const code = status === 429 ? -32005 : -32000
  return { ...errorObject(own ? (body as ErrorObject) : { code, message }, secrets), refusal }
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
    // Data that JSON cannot say (a bigint, a cycle) must not cost the caller the code.
    return { code, message: text }
  }
}
