import { requestCommand } from '../../../model/curl.js'
import { REDACTED, redactor } from '../../../runtime/shared/redact.js'
import { redactValue } from '../../../runtime/shared/redact-value.js'
import type { Fault } from '../../../runtime/validate.js'
import type { FormPart } from '../../../runtime/wire/write-multipart.js'

/** A request to send, and parts that only curl uses. */
export type PreparedRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Blob | undefined
  /** The parts of a multipart body, which curl encodes itself. */
  readonly parts?: readonly FormPart[] | undefined
}

/** A reason why a request is invalid by the document. */
export type RequestFault = {
  /** The key of the affected field: `path.orderId`, `body`, `auth.apiKey`, `server`. */
  readonly field: string
  /** The affected value, as the reader knows it: `address`, `the body`. */
  readonly whose: string
  /** JSON pointer into the value; empty for the value itself. */
  readonly pointer: string
  readonly message: string
} & Partial<Pick<Fault, 'keyword' | 'params'>>

/** The headers that pages must not set (Fetch, "forbidden request-header"): browsers drop them silently. */
export const unsendable = ({ headers }: PreparedRequest): readonly string[] =>
  Object.keys(headers).filter((name) => FORBIDDEN.test(name))

const FORBIDDEN =
  /^(accept-(charset|encoding)|access-control-.*|connection|content-length|cookie|date|dnt|expect|host|keep-alive|origin|permissions-policy|proxy-.*|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|via)$/i

/** The request as a complete command of curl, or of wscat for a WebSocket. */
export const exactCommand = (request: PreparedRequest): string => commandOf(curlRequest(request))

/**
 * As `exactCommand`, with `•••` in place of the secrets. They are masked before the words are quoted, because a quote may divide
 * a secret.
 */
export const maskedCommand = (request: PreparedRequest, secrets: readonly string[]): string => {
  const redact = redactor(secrets)
  const mask = (text: string) => redact(text).replaceAll(REDACTED, '•••')
  return commandOf(redactValue(curlRequest(request), mask))
}

const commandOf = (request: CurlRequest): string => requestCommand(request).join(' \\\n  ')

const curlRequest = ({ method, url, headers: all, body, parts }: PreparedRequest): CurlRequest => {
  const fields = parts?.map(({ name, value, type }) =>
    value instanceof File ? { name, file: value.name } : { name, text: String(value), type },
  )
  const { 'content-type': contentType, ...others } = all
  // curl chooses its own boundary.
  const headers = parts ? others : all
  const file = body instanceof File ? body.name : undefined
  return {
    method,
    url,
    headers,
    ...(fields && { fields }),
    ...(file !== undefined && { file }),
    ...(typeof body === 'string' && { body }),
  }
}

type CurlRequest = Parameters<typeof requestCommand>[0]
