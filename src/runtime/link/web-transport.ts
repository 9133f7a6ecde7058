import { sendBy } from './http-exchange.js'
import type { Fetch, Transport } from './transport.js'

/** The `fetch` of the platform at the time of the call: a program may replace it. */
export const platformFetch: Fetch = (url, init) => globalThis.fetch(url, init)

/**
 * Sends through the `fetch` of the platform. `#transport` (`imports` of package.json) is `node-transport.ts` on Node and
 * this file elsewhere; both behave alike.
 */
export const transport: Transport = sendBy(platformFetch)
