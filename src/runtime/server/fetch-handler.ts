import type { BodyStream, Server, ServerReply } from './request.js'

/**
 * The server as a function of the Fetch standard, for workers, Deno, Bun and frameworks that speak it. What is given beside
 * the request, the `env` of a worker or the context of Hono, is the `state` that hooks and handlers find.
 */
export const toFetchHandler =
  (server: Server): ((request: Request, state?: unknown) => Promise<Response>) =>
  async (request, state) => {
    const { method, headers, signal } = request
    const url = targetOf(request.url)
    const reader = request.body?.getReader()
    const body = reader && bodyOf(reader)
    const reply = await server.handle({ method, url, headers, body, signal, state })
    // What the server did not want to read, nobody will.
    await reader?.cancel().catch(() => undefined)
    const { status } = reply
    return new Response(contentOf(reply), { status, headers: reply.headers })
  }

/** Path and query of an address, which the Fetch standard has normalised. */
const targetOf = (url: string): string => {
  const path = url.indexOf('/', url.indexOf('//') + 2)
  return path === -1 ? '/' : url.slice(path)
}

const bodyOf = (reader: ReadableStreamDefaultReader<Uint8Array>): BodyStream => ({
  async *[Symbol.asyncIterator]() {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value
  },
})

const contentOf = ({ body }: ServerReply): BodyInit | null =>
  body === undefined || typeof body === 'string' ? (body ?? null) : new Uint8Array(body)
