/**
 * Posts a body and tells what came of it; what it gives ends the request. `#send` is `node-send.ts` on Node and
 * `web-send.ts` elsewhere (`imports` of package.json), and both behave alike.
 */
export type Send = (
  url: string,
  headers: Headers,
  body: string,
  answered: (text: string, head: Head) => void,
  failed: (error: unknown) => void,
) => () => void

/** What stands before the body of an answer, as much of a `Response` as is read here. */
export type Head = Pick<Response, 'ok' | 'status' | 'headers'>

/** The part of the platform's `fetch` that is used here. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Sends as a `fetch` does. */
export const sendBy =
  (fetch: Fetch): Send =>
  (url, headers, body, answered, failed) => {
    const controller = new AbortController()
    const ask = async () => {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        signal: controller.signal,
      })
      return [await response.text(), response] as const
    }
    ask().then((told) => answered(...told), failed)
    return () => controller.abort()
  }
