import { Agent, type IncomingMessage, request as send } from 'node:http'
import type { Refusal } from '../runtime/server/request.js'

/** One HTTP request, read whole. */
export type Exchange = {
  readonly method: string
  /** Path and query, as they were sent. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
  /** Why its body was not read: too large, in an encoding, broken off. */
  readonly refusal?: Refusal | undefined
}

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

export type Ask = (exchange: Exchange) => Promise<Answer>

/** What stands in front of a Prism: it sees the request first and the answer last. */
export type Door = (exchange: Exchange) => Promise<Answer>

/** Asks a server on this machine, over connections that stay open until `close`. */
export const createUpstream = (port: number): { readonly ask: Ask; readonly close: () => void } => {
  const agent = new Agent({ keepAlive: true })
  const ask: Ask = (exchange) =>
    new Promise((resolve, reject) => {
      const { method, target, headers, body } = exchange
      const options = { host: '127.0.0.1', port, agent, method, path: target }
      const passed = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name))
      const length = body.length > 0 || method === 'POST' ? { 'content-length': body.length } : {}
      const request = send({
        ...options,
        headers: { ...Object.fromEntries(passed), ...length } as Record<string, string>,
      })
      request.once('error', (error) => {
        // The other side had closed an idle connection meanwhile, and has seen nothing of this.
        if (request.reusedSocket && 'code' in error && error.code === 'ECONNRESET') {
          ask(exchange).then(resolve, reject)
        } else {
          reject(error)
        }
      })
      request.once('response', (response) => {
        readBody(response).then((whole) => {
          const { statusCode = 502, headers: received } = response
          const kept = Object.entries(received).filter(([name]) => !HOP_BY_HOP.has(name))
          resolve({ status: statusCode, headers: Object.fromEntries(kept), body: whole })
        }, reject)
      })
      request.end(body)
    })
  return { ask, close: () => agent.destroy() }
}

const readBody = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const jsonAnswer = (
  status: number,
  value: unknown,
  headers: Answer['headers'] = {},
): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify(value)),
})

/** The path without its query. */
export const pathOf = ({ target }: Pick<Exchange, 'target'>): string =>
  target.split('?', 1)[0] ?? ''

/** Asks for one example, in Prism's query form, which takes any name; a client's own Prefer goes first. */
export const preferring = (exchange: Exchange, wanted: Wanted): Exchange => {
  const query = new URLSearchParams()
  if (wanted.code !== undefined && /^\d{3}$/.test(wanted.code)) query.set('__code', wanted.code)
  if (wanted.example !== undefined) query.set('__example', wanted.example)
  const separator = exchange.target.includes('?') ? '&' : '?'
  return { ...exchange, target: `${exchange.target}${separator}${query}` }
}

export type Wanted = {
  readonly code?: string | undefined
  readonly example?: string | undefined
}

/** A path template as a test of paths: `/orders/{id}` takes one non-empty segment for `{id}`. */
export const templatePattern = (template: string): RegExp => {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const parts = template.split(/\{[^}]*\}/).map(literal)
  return new RegExp(`^${parts.join('([^/]+)')}$`)
}

const HOP_BY_HOP = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])
