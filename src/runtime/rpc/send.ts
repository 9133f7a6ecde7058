/**
 * Posts a body and tells what came of it; what it gives ends the request. `#send` is `node-send.ts` on Node and
 * `web-send.ts` elsewhere (`imports` of package.json), and both behave alike.
 */
export type Send = (url: string, headers: Headers, body: string, hear: Hear) => () => void

export type Hear = (heard: Heard) => void

/** A text and what stood before it, or an error. */
export type Heard = { readonly text?: string; readonly head?: Head; readonly error?: unknown }

/** What stands before the body of an answer, as much of a `Response` as is read here. */
export type Head = Pick<Response, 'ok' | 'status' | 'headers'>

/** The part of the platform's `fetch` that is used here. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Sends as a `fetch` does. */
export const sendBy =
  (fetch: Fetch): Send =>
  (url, headers, body, hear) => {
    const controller = new AbortController()
    const ask = async () => {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        signal: controller.signal,
      })
      return { text: await response.text(), head: response }
    }
    ask().then(hear, (error) => hear({ error }))
    return () => controller.abort()
  }
