import { isJson } from '../ground/json-type.js'
import type { HttpOperation } from '../operation.js'
import type { PlainResponse } from '../transport/plain-fetch.js'
import type { Checks } from '../validate.js'
import type { ReadAnswer } from './answer.js'
import { copyTwins } from './copy-twins.js'
import type { HttpChecks } from './request.js'

/**
 * The answer of a call that came to what its document promises: JSON that fits. Any other comes back as a response, its
 * body still to be read, for `readAnswer` to read or refuse; what both read is the same.
 */
export const ordinaryAnswer = async (
  operation: HttpOperation,
  validators: HttpChecks | undefined,
  response: PlainResponse,
  how: { readonly form: string | undefined; readonly checks: boolean },
): Promise<ReadAnswer | PlainResponse> => {
  const { status, headers } = response
  const types = Object.hasOwn(operation.responses, status) ? operation.responses[status] : undefined
  const isRead = response.ok && status !== 204 && operation.method !== 'HEAD'
  if (!isRead || !types?.some(isJson) || !isJson(headers.get('content-type') ?? '')) return response
  const text = await response.text()
  const read = {
    status,
    ok: true,
    headers,
    body: null,
    text: async () => text,
    blob: response.blob,
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return read
  }
  const { forms = {}, responses } = validators ?? {}
  const names = how.form === undefined ? Object.keys(forms) : [how.form]
  const isRefusal = names.some(
    (name) => operation.forms?.[name]?.errors.length !== 0 && fits(forms[name]?.error, body, false),
  )
  const promised =
    (how.form === undefined ? undefined : forms[how.form]?.response) ?? responses?.[status]
  if (isRefusal || (how.checks && !fits(promised, body, true))) return read
  return { status, headers, body: copyTwins(body, operation.sameAs), error: undefined }
}

/** In the open reading: a service may add fields. */
const fits = (checks: Checks | undefined, body: unknown, otherwise: boolean): boolean =>
  checks === undefined ? otherwise : (checks.open ?? checks.check)(body)
