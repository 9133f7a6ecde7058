import { lightRequest, sendMade } from '#fetch'
import type { LightRequest, Made, PlainResponse } from '../transport/plain-fetch.js'
import { lightRequest as webRequest } from '../transport/web-fetch.js'
import type { HttpOptions } from './options.js'

/** How requests are made and sent: by the platform's shortest way, or by the `fetch` that somebody gave. */
export type Transport = {
  readonly Request: LightRequest
  readonly send: (request: Made) => Promise<PlainResponse>
}

/** A `fetch` of one's own is given a whole `Request`. */
export const transportOf = ({ fetch }: HttpOptions): Transport =>
  fetch === undefined
    ? { Request: lightRequest, send: sendMade }
    : { Request: webRequest, send: (request) => fetch(request as Request) }
