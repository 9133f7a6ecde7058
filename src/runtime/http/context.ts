import { transport as platformTransport } from '#transport'
import type { HttpOperation, Server } from '../operation.js'
import type { Why } from '../shared/load-explanations.js'
import { type Clock, systemClock } from '../shared/retry.js'
import { validatorsFor } from '../shared/validators.js'
import type { Transport } from '../transport/web-transport.js'
import { createFindAddress, type FindAddress, serversOf } from './address.js'
import type { HttpOptions, HttpService } from './options.js'
import { acceptOf, type HttpChecks, lowerCase } from './request.js'

/** What the calls of one operation share. */
export type HttpContext = {
  readonly service: HttpService
  readonly operation: HttpOperation
  readonly servers: readonly Server[]
  readonly validators: HttpChecks
  readonly why: Why | undefined
  readonly options: HttpOptions
  readonly clock: Clock
  readonly transport: Transport
  readonly findAddress: FindAddress | undefined
  /** Those of the options, by lower case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The media types that every call accepts. */
  readonly accept: string
}

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
