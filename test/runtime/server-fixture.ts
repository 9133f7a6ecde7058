import { createServer, request as nodeRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ServerCore, toFetchHandler, toNodeListener } from '../../src/runtime/server.js'

export type Sent = {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export type Got = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** The server asked directly. */
export const overHandle =
  (server: ServerCore) =>
  async (sent: Sent): Promise<Got> => {
    const { status, headers, body } = await server.handle({ headers: {}, ...sent })
    return {
      status,
      headers,
      body: body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body ?? ''),
    }
  }

/** The server behind `Request -> Response`. */
export const overFetch =
  (server: ServerCore) =>
  async ({ url, body, ...init }: Sent): Promise<Got> => {
    const hasBody = body !== undefined && init.method !== 'GET' && init.method !== 'HEAD'
    const content = typeof body === 'string' ? new TextEncoder().encode(body) : body
    const request = new Request(`http://service${url}`, {
      ...init,
      ...(hasBody && content && { body: new Uint8Array(content) }),
    })
    const response = await toFetchHandler(server)(request)
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }
  }

/** The server behind a socket of its own, closed after the answer. */
export const overNode =
  (server: ServerCore) =>
  async ({ url, method, headers = {}, body = '' }: Sent): Promise<Got> => {
    const listening = createServer(toNodeListener(server))
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = listening.address() as AddressInfo
      return await new Promise<Got>((resolve, reject) => {
        const length = { 'content-length': String(Buffer.byteLength(body)) }
        const request = nodeRequest({
          host: '127.0.0.1',
          port,
          path: url,
          method,
          headers: { ...length, ...headers },
        })
        request.on('error', reject)
        request.on('response', (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers as Got['headers'],
              body: text,
            })
          })
        })
        request.end(body)
      })
    } finally {
      listening.closeAllConnections()
      await new Promise((resolve) => listening.close(resolve))
    }
  }
