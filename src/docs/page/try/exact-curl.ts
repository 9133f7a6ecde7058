import { requestCurl } from '../../../model/curl.js'
import type { Wire } from './wire.js'

/** The request as lines of curl, with nothing left to fill in. */
export const exactCurl = ({ method, url, headers, body }: Wire): string => {
  const fields =
    body instanceof FormData
      ? [...body].map(([name, value]) =>
          value instanceof File ? { name, file: value.name } : { name, text: String(value) },
        )
      : undefined
  const file = body instanceof File ? body.name : undefined
  return requestCurl({
    method,
    url,
    headers,
    ...(fields && { fields }),
    ...(file !== undefined && { file }),
    ...(typeof body === 'string' && { body }),
  }).join(' \\\n  ')
}
