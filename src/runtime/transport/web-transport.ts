/**
 * Sends one request and resolves with its response, as `fetch` does. Both clients send through one such function: the
 * user's `fetch` option, or the `transport` of the platform. `#transport` (`imports` of package.json) is
 * `node-transport.ts` on Node and this file elsewhere; both behave alike.
 */
export type Transport = (url: string, init: RequestInit) => Promise<Response>

export const transport: Transport = (url, init) => globalThis.fetch(url, init)
