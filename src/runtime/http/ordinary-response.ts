import { isJson } from '../shared/json-type.js'
import type { PlainResponse } from '../transport/plain-fetch.js'
import type { ReadResponse } from './response.js'
import type { CallContext } from './send.js'

/**
 * The answer of a call that came to what its document promises: JSON that fits. Any other comes back as a response, its
 * body still to be read, for `readResponse` to read or refuse; what both read is the same.
 */
export const ordinaryResponse = async (
  { operation, validators }: CallContext,
  response: PlainResponse,
  checks: boolean,
): Promise<ReadResponse | PlainResponse> => {
  const { ok, status, headers } = response
  const { responses, variants, sameAs, method } = operation
  const isOrdinary =
    ok && method !== 'HEAD' && !variants && !sameAs && responses[status]?.some(isJson)
  if (!isOrdinary || !isJson(headers.get('content-type') ?? '')) return response
  const text = await response.text()
  try {
    const body = JSON.parse(text)
    const own = checks ? validators?.responses[status] : undefined
    // In the open reading: a service may add fields.
    if (own === undefined || (own.open ?? own.check)(body))
      return { status, headers, body, error: undefined }
  } catch {
    // No JSON; the careful way says so.
  }
  return { ok, status, headers, body: null, text: async () => text, blob: response.blob }
}
