/**
 * Posts a body and tells what came of it; what it gives ends the request. `#send` is `node-send.ts` on Node and
 * `web-send.ts` elsewhere (`imports` of package.json), and both behave alike.
 */
export type Send = (
  url: string,
  headers: Headers,
  body: string,
  answered: (reply: Reply) => void,
  failed: (error: unknown) => void,
) => () => void

/** An answer that has arrived whole. */
export type Reply = { readonly status: number; readonly headers: Headers; readonly text: string }

/** The part of the platform's `fetch` that is used here. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Sends as a `fetch` does. */
export const sendBy =
  (fetch: Fetch): Send =>
  (url, headers, body, answered, failed) => {
    const controller = new AbortController()
    const { signal } = controller
    const ask = async (): Promise<Reply> => {
      const response = await fetch(url, { method: 'POST', headers, body, signal })
      const { status } = response
      const text = await response.text()
      return {
        status,
        text,
        get headers() {
          return response.headers
        },
      }
    }
    ask().then(answered, failed)
    return () => controller.abort()
  }
