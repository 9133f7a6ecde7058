import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import type { DocsFile } from '../../src/docs/docs.js'

/**
 * A server on the loopback that answers as it was set, and lets pages of any origin read it. The `site` is what it serves
 * below `/docs/`.
 */
export async function startCanned(site: readonly DocsFile[] = []): Promise<CannedServer> {
  const heard: Heard[] = []
  let next: Canned = {}
  const server = createServer(async (request, response) => {
    const page = site.find(({ name }) => request.url === `/docs/${name}`)
    if (page) {
      const type = TYPES[extname(page.name)] ?? 'text/plain'
      return response.writeHead(200, { 'content-type': type }).end(page.text)
    }
    if (next.cors !== false) allow(response)
    if (request.method === 'OPTIONS') return response.writeHead(204).end()
    let text = ''
    for await (const chunk of request) text += chunk
    const { 'content-type': type, ...others } = request.headers
    heard.push({
      method: request.method ?? '',
      url: request.url ?? '',
      type,
      headers: Object.fromEntries(
        Object.entries(others).filter(([name]) => /^(authorization|x-)/.test(name)),
      ),
      text,
      body: parsed(text),
    })
    const { status = 200, json, text: given = JSON.stringify(json) ?? '', headers = {} } = next
    if (next.silent) return
    response.writeHead(status, {
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    })
    if (next.broken) {
      response.write(given)
      return setTimeout(() => response.destroy(), 100)
    }
    return response.end(given)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    heard,
    answer: (canned) => {
      next = canned
    },
    reset: () => {
      next = {}
      heard.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type CannedServer = {
  readonly address: string
  /** Every request but those that ask whether one may be sent. */
  readonly heard: readonly Heard[]
  readonly answer: (canned: Canned) => void
  readonly reset: () => void
  readonly close: () => Promise<void>
}

export type Canned = {
  readonly status?: number
  readonly json?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** False where no page may read the answer. */
  readonly cors?: boolean
  /** Never answers. */
  readonly silent?: boolean
  /** Ends before its body does. */
  readonly broken?: boolean
}

export type Heard = {
  readonly method: string
  readonly url: string
  readonly type: string | undefined
  /** `authorization`, and those that begin with `x-`. */
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** What its JSON says; the text where it is none. */
  readonly body: unknown
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
}

const allow = (response: ServerResponse): void => {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-allow-headers', '*, authorization')
  response.setHeader('access-control-allow-methods', '*')
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
