import { Agent, type IncomingMessage, request as plainly } from 'node:http'
import { Agent as SecureAgent, request as securely } from 'node:https'
import { messageOf } from '../runtime/ground/message-of.js'
import type { Answer, Exchange, Wire } from './exchange.js'

/**
 * Sends by HTTP/1.1 over connections that stay open until `close`. Nothing is added but what the protocol itself needs, no
 * redirect is followed, and a body comes as its bytes.
 */
export const createWire = (): { readonly wire: Wire; readonly close: () => void } => {
  const options = { keepAlive: true, maxSockets: 64 }
  const agents = { 'http:': new Agent(options), 'https:': new SecureAgent(options) }
  const wire: Wire = (sent, { milliseconds, signal }) =>
    new Promise((resolve) => {
      const began = performance.now()
      const url = new URL(sent.url)
      const end = (answer: Answer | undefined, failure?: string) => {
        clearTimeout(timer)
        resolve({ sent, answer, failure })
      }
      const isSecure = url.protocol === 'https:'
      const body = sent.body === undefined ? undefined : Buffer.from(sent.body)
      const length = body === undefined ? {} : { 'content-length': String(body.length) }
      const request = (isSecure ? securely : plainly)(url, {
        method: sent.method,
        agent: isSecure ? agents['https:'] : agents['http:'],
        headers: { ...length, ...sent.headers },
        path: rawPath(sent.url),
        signal,
      })
      const timer = setTimeout(() => {
        end(undefined, `no whole answer in ${milliseconds / 1000} seconds`)
        request.destroy()
      }, milliseconds)
      request.once('error', (error) => end(undefined, wordsOf(error)))
      request.once('response', (response) => {
        whole(response).then(
          (bytes) =>
            end({
              status: response.statusCode ?? 0,
              headers: pairsOf(response.rawHeaders),
              body: bytes,
              milliseconds: performance.now() - began,
            }),
          (error: unknown) => end(undefined, `the answer broke off: ${wordsOf(error)}`),
        )
      })
      request.end(body)
    })
  const close = () => {
    for (const agent of Object.values(agents)) agent.destroy()
  }
  return { wire, close }
}

/** What a run needs to know before anything else: whether anybody is there at all. */
export const isUnreachable = ({ failure }: Exchange): boolean =>
  failure !== undefined && /refused|not be found|unreachable|certificate/.test(failure)

/** As it was written: `new URL` would tidy dots and escapes, which are just what a server is tried with. */
const rawPath = (url: string): string => {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*$/, '')
  return path.startsWith('/') ? path : `/${path}`
}

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
  EPIPE: 'the connection was closed before the request was sent',
}

const wordsOf = (error: unknown): string => {
  const { code } = error as { readonly code?: string }
  const known = code === undefined ? undefined : WORDS[code]
  if (known !== undefined) return known
  return code?.startsWith('CERT_') || code?.includes('SIGNED')
    ? `the certificate is not trusted: ${messageOf(error)}`
    : messageOf(error)
}
