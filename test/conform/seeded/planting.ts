import type { ServerResponse } from 'node:http'
import type { ServerReply, ServerRequest } from '../../../src/runtime/server.js'
import type { Around, Serve } from './clean-server.js'

/** Where a defect shows: all of JSON-RPC, of the submissions, or of the status lookup. */
export type Place = 'rpc' | 'submission' | 'status'

export const PATHS: Readonly<Record<Place, string>> = {
  rpc: '/zgt/',
  submission: '/zkt/',
  status: '/gtn/',
}

/** What is asked at a place, its body as text; one that is larger than any that a server must take is left alone. */
export type Asked = {
  readonly request: ServerRequest
  readonly text: string
  /** The body, where it is JSON. */
  readonly json: unknown
}

type Served = ServerReply | undefined
type MayServe = Served | Promise<Served>

/** Answers in place of the server, or leaves it to it. */
export const instead = (place: Place, answer: (asked: Asked, next: Serve) => MayServe): Around => ({
  serve: (next) => async (request) => {
    if (!request.url.startsWith(PATHS[place])) return next(request)
    const { text, again } = await readAhead(request)
    if (text === undefined) return next(again)
    const asked = { request: again, text, json: parsed(text) }
    return (await answer(asked, next)) ?? next(again)
  },
})

/** Sends on what the server answers otherwise than it is. */
export const afterwards = (
  place: Place,
  change: (reply: ServerReply, asked: Asked) => MayServe,
): Around =>
  instead(place, async (asked, next) => {
    const reply = await next(asked.request)
    return (await change(reply, asked)) ?? reply
  })

/** The request as it should not have been read: another body, header or method. */
export const beforehand = (
  place: Place,
  change: (asked: Asked) => Partial<ServerRequest> | undefined,
): Around =>
  instead(place, (asked, next) => {
    const changed = change(asked)
    return changed && next({ ...asked.request, ...changed })
  })

export type Fields = Readonly<Record<string, unknown>>

/** Each answer of JSON-RPC by itself, with the call that it belongs to; undefined leaves it out. */
export const rpcAnswers = (change: (answer: Fields, call: Fields) => unknown): Around =>
  afterwards('rpc', (reply, { json }) => {
    const answers = parsed(bodyText(reply))
    const calls = (Array.isArray(json) ? json : [json]).filter(isRecord)
    const changed = (answer: unknown): unknown => {
      if (!isRecord(answer)) return answer
      return change(answer, calls.find(({ id }) => id === answer.id) ?? {})
    }
    if (Array.isArray(answers)) {
      const all = answers.map(changed)
      const isSame = all.every((one, at) => one === answers[at])
      return isSame
        ? undefined
        : jsonReply(
            reply,
            all.filter((one) => one !== undefined),
          )
    }
    const one = changed(answers)
    return one === answers ? undefined : jsonReply(reply, one)
  })

/** Results of a method. */
export const rpcResult = (method: string, change: (result: never) => unknown): Around =>
  rpcAnswers((answer, call) =>
    call.method === method && answer.result
      ? { ...answer, result: change(answer.result as never) }
      : answer,
  )

/** Bodies of 2xx at a place. */
export const httpResult = (
  place: 'submission' | 'status',
  change: (body: Fields, asked: Asked) => unknown,
): Around =>
  afterwards(place, (reply, asked) => {
    const body = parsed(bodyText(reply))
    if (reply.status !== 200 || !isRecord(body)) return undefined
    const changed = change(body, asked)
    return changed === body ? undefined : jsonReply(reply, changed)
  })

/** Bodies of refusals at a place. */
export const refusals = (
  place: Place,
  change: (reply: ServerReply, asked: Asked) => Served,
): Around =>
  afterwards(place, (reply, asked) => (reply.status < 400 ? undefined : change(reply, asked)))

/** The answer as it leaves the socket: what no server without one can say. */
export const onTheWire = (
  place: Place,
  send: (response: ServerResponse, reply: ServerReply) => void,
): Around => ({
  listen: (next) => (request, response) => {
    if (request.url?.startsWith(PATHS[place])) intercept(response, send)
    next(request, response)
  },
})

const intercept = (
  response: ServerResponse,
  send: (response: ServerResponse, reply: ServerReply) => void,
): void => {
  const { writeHead, write, end } = response
  let head: { status: number; headers: Readonly<Record<string, string>> } | undefined
  let written: string | Uint8Array | undefined
  const held = (status: number, headers: readonly string[]) => {
    head = { status, headers: Object.fromEntries(pairsOf(headers)) }
    return response
  }
  response.writeHead = held as unknown as ServerResponse['writeHead']
  response.write = ((body: string | Uint8Array) => {
    written = body
    return true
  }) as ServerResponse['write']
  response.end = ((body = written) => {
    Object.assign(response, { writeHead, write, end })
    send(response, { status: head?.status ?? 500, headers: head?.headers ?? {}, body })
    return response
  }) as ServerResponse['end']
}

/** Of names and values in turn. */
const pairsOf = (flat: readonly string[]): readonly (readonly [string, string])[] =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : []))

export const jsonReply = ({ status, headers }: ServerReply, body: unknown): ServerReply => ({
  status,
  headers,
  body: JSON.stringify(body),
})

export const rpcReply = (body: unknown, status = 200): ServerReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const rpcError = (id: unknown, code: unknown, message: unknown = 'refused'): ServerReply =>
  rpcReply({ jsonrpc: '2.0', id, error: { code, message } })

export const bodyText = ({ body }: ServerReply): string =>
  body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body ?? '')

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const MOST = 1_100_000

const readAhead = async (
  request: ServerRequest,
): Promise<{ readonly text: string | undefined; readonly again: ServerRequest }> => {
  const { body } = request
  if (body === undefined) return { text: '', again: request }
  if (typeof body === 'string' || body instanceof Uint8Array)
    return { text: Buffer.from(body).toString(), again: request }
  const rest = body[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const step = await rest.next()
    if (step.done) break
    chunks.push(step.value)
    size += step.value.byteLength
    if (size > MOST) {
      const stream = (async function* () {
        yield* chunks
        for (let more = await rest.next(); !more.done; more = await rest.next()) yield more.value
      })()
      return { text: undefined, again: { ...request, body: stream } }
    }
  }
  const whole = Buffer.concat(chunks)
  return { text: whole.toString(), again: { ...request, body: new Uint8Array(whole) } }
}
