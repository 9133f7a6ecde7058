import {
  type BodyStream,
  isStream,
  type ReplyStream,
  type ServerCore,
  type ServerReply,
} from './request.js'

/**
 * Creates a Fetch API handler for a server, for workers, Deno, Bun and frameworks that support it. The second argument, such as
 * the `env` of a worker or the context of Hono, is the `state` of hooks and handlers.
 */
export const toFetchHandler =
  (server: ServerCore): ((request: Request, state?: unknown) => Promise<Response>) =>
  async (request, state) => {
    const { method, headers } = request
    let gone: AbortController | undefined
    const signal = (): AbortSignal => {
      gone ??= new AbortController()
      return AbortSignal.any([request.signal, gone.signal])
    }
    const url = targetOf(request.url)
    const reader = request.body?.getReader()
    const body = reader && bodyOf(reader)
    const reply = await server.handle({ method, url, headers, body, signal, state })
    // Discards the part of the body that the server did not read.
    await reader?.cancel().catch(() => undefined)
    const { status } = reply
    const leave = (): void => gone?.abort(new Error('The caller closed the connection'))
    return new Response(contentOf(reply, leave), { status, headers: reply.headers })
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

/** The body of a reply for a `Response`. */
export const contentOf = (
  { body }: ServerReply,
  /** Called if the reader of a stream cancels it. */
  leave: () => void = () => undefined,
): BodyInit | null => {
  if (body === undefined || typeof body === 'string') return body ?? null
  return isStream(body) ? readableOf(body, leave) : new Uint8Array(body)
}

/** Reads on demand. An error of the iterable aborts the stream, and cancelling the stream ends the iterable. */
const readableOf = (pieces: ReplyStream, leave: () => void): ReadableStream<Uint8Array> => {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      pull: async (controller) => {
        const step = await iterator.next()
        if (step.done) controller.close()
        else controller.enqueue(step.value)
      },
      cancel: async () => {
        leave()
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
