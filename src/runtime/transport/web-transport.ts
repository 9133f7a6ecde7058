import { sendBy } from './exchange.js'
import type { Transport } from './transport.js'

/**
 * Sends through the `fetch` of the platform. `#transport` (`imports` of package.json) is `node-transport.ts` on Node and
 * this file elsewhere; both behave alike.
 */
export const transport: Transport = sendBy((url, init) => globalThis.fetch(url, init))
