import { Agent, type ClientRequest, type IncomingMessage, request as plainly } from 'node:http'
import { Agent as SecureAgent, request as securely } from 'node:https'
import { codecOf, holdsItems } from '../../runtime/shared/codecs.js'
import { messageOf } from '../../runtime/shared/message-of.js'
import type { ReceivedResponse, Sent } from '../../traffic/exchange.js'
import { decode, lateWords, MOST_BYTES, type Wire } from './exchange.js'
import { bodyFailure, codeOf, type Failure, failureOf, TooLarge } from './failure.js'

/**
 * Sends by HTTP/1.1 over connections that stay open until `close`. It adds only the headers that HTTP needs, and one that asks
 * for no content coding. It follows no redirects, and decodes bodies that are compressed anyway.
 */
export const createWire = (): { readonly wire: Wire; readonly close: () => void } => {
  const agents = agentsFor({ keepAlive: true, maxSockets: 64 })
  const wire: Wire = (sent, { milliseconds, signal }) =>
    new Promise((resolve) => {
      const began = performance.now()
      let sending: Sending | undefined
      let spare: Agents | undefined
      let first: Failure | undefined
      let isOver = false
      let isBegun = false
      const close = () => {
        isOver = true
        clearTimeout(timer)
        spare?.close()
      }
      const end = (answer: ReceivedResponse) => {
        close()
        resolve({ sent, answer, failure: undefined })
      }
      const fail = ({ failure, cause }: Failure) => {
        close()
        const begun = isBegun ? { isBegun: true as const } : {}
        resolve({ sent, answer: undefined, failure, cause, ...begun })
      }
      const timer = setTimeout(() => {
        const isStuck = sending?.isStuck() === true
        const failure = `${lateWords(milliseconds)}${isStuck ? ': no connection was made' : ''}`
        fail({ failure, cause: isStuck ? 'unreachable' : 'late' })
        sending?.request.destroy()
      }, milliseconds)
      const attempt = (by: Agents) => {
        try {
          sending = send(sent, by, signal)
        } catch (error) {
          const failure = `the request cannot be sent: ${messageOf(error)}`
          return fail({ failure, cause: 'unsent' })
        }
        const { request, isStale } = sending
        request.on('error', (error) => {
          if (isOver) return
          const failed = failureOf(error)
          // If the server accepts no new connection either, this request stopped it; it did not only close an idle connection.
          if (first) return fail(failed.cause === 'unreachable' ? first : failed)
          if (!isStale(error)) return fail(failed)
          first = failed
          spare = agentsFor({ keepAlive: true })
          attempt(spare)
        })
        onSwitch(request, (response) => end(answerOf(response, Buffer.alloc(0), began)))
        request.once('response', (response) => {
          isBegun = true
          const isStream = holdsItems(codecOf(response.headers['content-type'] ?? ''))
          const reading = isStream
            ? bodySoFar(response, milliseconds)
            : wholeBody(response).then((bytes) => ({ bytes, isOpen: undefined }))
          reading.then(
            ({ bytes, isOpen }) => end(answerOf(response, bytes, began, isOpen)),
            (error: unknown) => fail(bodyFailure(error)),
          )
        })
      }
      attempt(agents)
    })
  return { wire, close: agents.close }
}

type Agents = { readonly plain: Agent; readonly secure: SecureAgent; readonly close: () => void }

const agentsFor = (options: ConstructorParameters<typeof Agent>[0]): Agents => {
  const [plain, secure] = [new Agent(options), new SecureAgent(options)]
  const close = () => {
    plain.destroy()
    secure.destroy()
  }
  return { plain, secure, close }
}

type Sending = {
  readonly request: ClientRequest
  readonly isStuck: () => boolean
  /** The server closed an idle connection while the request was sent, and has not begun to respond (RFC 9112, 9.3.1). */
  readonly isStale: (error: Error) => boolean
}

/** Sends a request. Throws if its request line or a header contains invalid characters. */
const send = (sent: Sent, agents: Agents, signal: AbortSignal | undefined): Sending => {
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
  let bytesRead: () => number = () => 0
  request.once('socket', (socket) => {
    const before = socket.bytesRead
    bytesRead = () => socket.bytesRead - before
    isStuck = socket.connecting
    // On a reused connection, listeners would accumulate.
    if (!isStuck) return
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      isStuck = false
    })
  })
  request.end(body)
  return {
    request,
    isStuck: () => isStuck,
    isStale: (error) =>
      request.reusedSocket && bytesRead() === 0 && CLOSED.has(codeOf(error) ?? ''),
  }
}

/** Reports a response with 101, which no request asks for: Node has no `response` event for it, and leaves the socket open. */
export const onSwitch = (
  request: ClientRequest,
  report: (response: IncomingMessage) => void,
): void =>
  void request.once('upgrade', (response, socket) => {
    socket.destroy()
    report(response)
  })

const UNCODED = { 'accept-encoding': 'identity' }
const CLOSED = new Set(['ECONNRESET', 'EPIPE'])

/** Headers are bytes (RFC 9110, 5.5); text is encoded as UTF-8. */
const bytesOf = (headers: Sent['headers']): Sent['headers'] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  )

/** The response for a message and the body that was read; `began` is when the request was sent. */
export const answerOf = (
  { statusCode = 0, rawHeaders }: IncomingMessage,
  body: Uint8Array,
  began: number,
  isOpen?: true,
): ReceivedResponse =>
  decode({
    ...(isOpen && { isOpen }),
    status: statusCode,
    headers: pairsOf(rawHeaders),
    body,
    milliseconds: performance.now() - began,
  })

const pairsOf = (raw: readonly string[]): readonly (readonly [string, string])[] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []))

/**
 * Reads a stream until it ends, for a short time after its first bytes, or for a while after its head if there are none. Then it
 * closes the connection.
 */
const bodySoFar = async (
  message: IncomingMessage,
  milliseconds: number,
): Promise<{ readonly bytes: Uint8Array; readonly isOpen: true | undefined }> => {
  const chunks: Buffer[] = []
  let size = 0
  const isLeft = await new Promise<boolean>((resolve, reject) => {
    const leave = (): void => resolve(true)
    let timer = setTimeout(leave, Math.min(FIRST_ITEM, milliseconds))
    let isBegun = false
    message.on('data', (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > MOST_OF_STREAM) leave()
      if (isBegun) return
      isBegun = true
      clearTimeout(timer)
      timer = setTimeout(leave, MORE_ITEMS)
    })
    message.on('end', () => resolve(false))
    message.on('error', reject)
    message.on('close', () => clearTimeout(timer))
  })
  const bytes = Buffer.concat(chunks)
  if (!isLeft) return { bytes, isOpen: undefined }
  message.on('error', () => undefined).destroy()
  return { bytes, isOpen: true }
}

/** Milliseconds to wait for the first item of a stream, and for later items. */
const FIRST_ITEM = 2_000
const MORE_ITEMS = 300
const MOST_OF_STREAM = 1024 * 1024

/** The body of a response. Rejects with TooLarge and closes the connection if it has more than `MOST_BYTES`. */
export const wholeBody = async (message: IncomingMessage): Promise<Uint8Array> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    // Throwing ends the loop, which destroys the message.
    if (size > MOST_BYTES) throw new TooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * The path and query of an absolute URL, as written: `new URL` would change the dots and escapes that a case tests.
 * Characters that no request line allows (RFC 9112, 3.2), such as a blank, are percent-encoded.
 */
export const requestPath = (url: string): string => {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*/s, '')
  return (path.startsWith('/') ? path : `/${path}`).replace(/[^\u0021-\u007e]+/g, encoded)
}

/** A lone surrogate has no UTF-8 encoding: U+FFFD is sent instead, as in a body. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'))
