import { Agent, type ClientRequest, type IncomingMessage, request as plainly } from 'node:http'
import { Agent as SecureAgent, request as securely } from 'node:https'
import { messageOf } from '../../runtime/ground/message-of.js'
import { decode } from './decode.js'
import { type Answer, type Exchange, type Sent, UNSENT, type Wire } from './exchange.js'
import { requestPath } from './request-path.js'

/**
 * Sends by HTTP/1.1 over connections that stay open until `close`. Nothing is added but what the protocol itself needs, and that
 * no content coding is wanted; no redirect is followed, and a body that is compressed all the same comes decoded.
 */
export const createWire = (): { readonly wire: Wire; readonly close: () => void } => {
  const agents = agentsFor({ keepAlive: true, maxSockets: 64 })
  const wire: Wire = (sent, { milliseconds, signal }) =>
    new Promise((resolve) => {
      const began = performance.now()
      let trial: Trial | undefined
      let spare: Agents | undefined
      let isOver = false
      const end = (answer: Answer | undefined, failure?: string) => {
        isOver = true
        clearTimeout(timer)
        spare?.close()
        resolve({ sent, answer, failure })
      }
      const timer = setTimeout(() => {
        const why = trial?.isStuck() ? `: ${NO_CONNECTION}` : ''
        end(undefined, `no whole answer in ${milliseconds / 1000} seconds${why}`)
        trial?.request.destroy()
      }, milliseconds)
      const attempt = (by: Agents) => {
        try {
          trial = send(sent, by, signal)
        } catch (error) {
          return end(undefined, `${UNSENT}: ${messageOf(error)}`)
        }
        const { request, isStale } = trial
        request.on('error', (error) => {
          if (isOver) return
          if (spare || !isStale(error)) return end(undefined, wordsOf(error))
          spare = agentsFor({ keepAlive: true })
          attempt(spare)
        })
        request.once('response', (response) => {
          whole(response).then(
            (bytes) =>
              end(
                decode({
                  status: response.statusCode ?? 0,
                  headers: pairsOf(response.rawHeaders),
                  body: bytes,
                  milliseconds: performance.now() - began,
                }),
              ),
            (error: unknown) => end(undefined, `the answer broke off: ${wordsOf(error)}`),
          )
        })
      }
      attempt(agents)
    })
  return { wire, close: agents.close }
}

/** What a run needs to know before anything else: whether anybody is there at all. */
export const isUnreachable = ({ failure }: Exchange): boolean =>
  failure !== undefined && UNREACHABLE.test(failure)

const NO_CONNECTION = 'no connection was made'
const TIMED_OUT = 'the connection timed out'
const NO_TLS = 'nobody speaks TLS there'
const UNREACHABLE = new RegExp(
  `refused|not be found|unreachable|certificate|${NO_CONNECTION}|${TIMED_OUT}|${NO_TLS}`,
)

type Agents = { readonly plain: Agent; readonly secure: SecureAgent; readonly close: () => void }

const agentsFor = (options: ConstructorParameters<typeof Agent>[0]): Agents => {
  const [plain, secure] = [new Agent(options), new SecureAgent(options)]
  const close = () => {
    plain.destroy()
    secure.destroy()
  }
  return { plain, secure, close }
}

type Trial = {
  readonly request: ClientRequest
  /** It waits for its connection still. */
  readonly isStuck: () => boolean
  /** The server closed a connection that was open as the request set out, and has not begun to answer (RFC 9112, 9.3.1). */
  readonly isStale: (error: Error) => boolean
}

/** Throws where a request line or a header cannot hold what it is to. */
const send = (sent: Sent, agents: Agents, signal: AbortSignal | undefined): Trial => {
  const url = new URL(sent.url)
  const isSecure = url.protocol === 'https:'
  const body = sent.body === undefined ? undefined : Buffer.from(sent.body)
  const length = body === undefined ? {} : { 'content-length': String(body.length) }
  const request = (isSecure ? securely : plainly)(url, {
    method: sent.method,
    agent: isSecure ? agents.secure : agents.plain,
    headers: { ...length, ...UNCODED, ...bytesOf(sent.headers) },
    path: requestPath(sent.url),
    signal,
  })
  let isStuck = false
  let heard: () => number = () => 0
  request.once('socket', (socket) => {
    const before = socket.bytesRead
    heard = () => socket.bytesRead - before
    isStuck = socket.connecting
    // A connection that is kept would collect one of each request.
    if (!isStuck) return
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      isStuck = false
    })
  })
  request.end(body)
  return {
    request,
    isStuck: () => isStuck,
    isStale: (error) => request.reusedSocket && heard() === 0 && CLOSED.has(codeOf(error) ?? ''),
  }
}

const UNCODED = { 'accept-encoding': 'identity' }
const CLOSED = new Set(['ECONNRESET', 'EPIPE'])

/** A header is bytes (RFC 9110, 5.5), and those of a text are UTF-8. */
const bytesOf = (headers: Sent['headers']): Sent['headers'] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  )

const whole = async (message: IncomingMessage): Promise<Uint8Array> => {
  const chunks: Buffer[] = []
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const pairsOf = (raw: readonly string[]): readonly (readonly [string, string])[] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []))

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer',
  ENOTFOUND: 'the host could not be found',
  EAI_AGAIN: 'the host could not be found',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: TIMED_OUT,
  EPIPE: 'the connection was closed before the request was sent',
}

const codeOf = (error: unknown): string | undefined =>
  (error as { readonly code?: string }).code ?? undefined

const wordsOf = (error: unknown): string => {
  const code = codeOf(error)
  const known = code === undefined ? undefined : WORDS[code]
  if (known !== undefined) return known
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL_')) return `${NO_TLS}: ${code}`
  return code?.startsWith('CERT_') || code?.includes('SIGNED')
    ? `the certificate is not trusted: ${messageOf(error)}`
    : messageOf(error)
}
