import { transport as platformTransport } from '#transport'
import type { HttpOperation } from '../operation.js'
import type { Why } from '../shared/load-explanations.js'
import { systemClock } from '../shared/retry.js'
import { validatorsFor } from '../shared/validators.js'
import { createFindAddress, serversOf } from './address.js'
import type { HttpOptions, HttpService } from './options.js'
import { acceptOf, type HttpChecks, lowerCase } from './request.js'
import type { HttpContext } from './send.js'

/** What a client is created from. */
export type HttpClientParts = {
  readonly service: HttpService
  readonly validators: object
  readonly options: HttpOptions
  readonly why: Why | undefined
}

/**
 * What the calls of one operation share. Throws a TypeError for options that cannot work: an unknown server, a variable
 * without a value, a header that HTTP does not allow, missing validators.
 */
export const createContext = (
  { service, validators, options, why }: HttpClientParts,
  id: string,
  operation: HttpOperation,
): HttpContext => ({
  service,
  operation,
  servers: serversOf(service, operation),
  validators: validatorsFor<HttpChecks>(validators, id),
  why,
  options,
  clock: { ...systemClock, ...options.retry?.clock, ...options.clock },
  transport: options.fetch ?? platformTransport,
  findAddress: createFindAddress(service, operation, options),
  accept: acceptOf(operation),
  headers: readHeaders(options.headers),
})

const readHeaders = (given: HttpOptions['headers']): Readonly<Record<string, string>> => {
  const headers = lowerCase(given)
  try {
    new Headers(headers)
    return headers
  } catch {
    // The platform's own error repeats the value, which may be a credential.
    throw new TypeError('options.headers holds a name or a value that HTTP does not allow')
  }
}
