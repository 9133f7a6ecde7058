import type { Server } from '../server.js'
import type { ServerReply } from './request.js'

/** The server as a function of the Fetch standard, for workers, Deno, Bun and frameworks that speak it. */
export const toFetchHandler =
  (server: Server): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const { pathname, search } = new URL(request.url)
    const reader = request.body?.getReader()
    const reply = await server.handle({
      method: request.method,
      url: pathname + search,
      headers: request.headers,
      body: reader && chunksOf(reader),
      signal: request.signal,
    })
    // What the server did not want to read, nobody will.
    await reader?.cancel().catch(() => undefined)
    return new Response(bodyOf(reply), { status: reply.status, headers: reply.headers })
  }

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>) {
  for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value
}

const bodyOf = ({ body }: ServerReply): BodyInit | null =>
  body === undefined || typeof body === 'string' ? (body ?? null) : new Uint8Array(body)
