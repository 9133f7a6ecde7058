import { createServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What came back, as far as a defect may change it; `json` is undefined where the body is none. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json: unknown
}

/** What was asked; `json` as above. */
export type Asked = { readonly path: string; readonly json: unknown }

export type Change = (answer: Answer, asked: Asked) => Answer

/** Stands before a server, sends on what comes as it comes, and the answers as a defect changes them. */
export const startProxy = async (target: string, change: Change) => {
  const { hostname, port } = new URL(target)
  const server = createServer((asked, reply) => {
    const sent: Buffer[] = []
    const { method, url: path = '/', headers } = asked
    const onward = send({ hostname, port, method, path, headers, setHost: false }, async (came) => {
      const body = await textOf(came)
      const { statusCode: status = 500, headers: known } = came
      const answer = { status, headers: plain(known), json: parsed(body) }
      const next = change(answer, { path, json: parsed(Buffer.concat(sent).toString()) })
      reply.writeHead(next.status, next.headers)
      reply.end(next.json === answer.json ? body : JSON.stringify(next.json))
    })
    onward.on('error', () => reply.destroy())
    asked.on('data', (chunk: Buffer) => sent.push(chunk))
    asked.on('error', () => onward.destroy())
    asked.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<unknown>((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

const textOf = async (message: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const plain = (headers: IncomingMessage['headers']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      HOP.has(name) ? [] : [[name, String(value)]],
    ),
  )

/** Of one connection (RFC 9110, 7.6.1), or of a length that may change. */
const HOP = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'date'])

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
