import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Reply, Request } from './case.js'

/** A server that plays the script of one case at a time, and records what it receives. */
export const startServer = async () => {
  let script: readonly Reply[] = []
  let requests: Request[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const reply = script.find((one) => one.for !== undefined && body.includes(one.for)) ??
      script[Math.min(requests.length, script.length - 1)] ?? { status: 204 }
    requests.push(recorded(request, body))
    await play(reply, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Begins a case. */
    play: (replies: readonly Reply[]): void => {
      script = replies
      requests = []
    },
    requests: (): readonly Request[] => requests,
    close: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const play = async (reply: Reply, response: ServerResponse): Promise<void> => {
  const { status = 200, headers = {}, body = '', delay = 0, drip, cut, refuse } = reply
  await sleep(delay)
  if (refuse) {
    response.destroy()
    return
  }
  const type = body === '' ? {} : { 'content-type': 'application/json' }
  response.writeHead(status, { ...type, ...headers })
  if (drip === undefined) response.write(body)
  else
    for (const character of body) {
      response.write(character)
      await sleep(drip)
    }
  if (!cut) response.end()
  else {
    await sleep(20)
    response.destroy()
  }
}

const sleep = (milliseconds: number) =>
  milliseconds === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, milliseconds))

/** What each platform adds for itself. */
const OWN = /^(host|user-agent|accept-encoding|connection|sec-fetch-mode|accept-language: \*)$/

/** A request as cases compare it: names of headers in lower case and sorted, boundaries and random keys fixed. */
const recorded = (
  { method = '', url = '', rawHeaders }: IncomingMessage,
  bytes: Buffer,
): Request => {
  const pairs = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? ''] as const] : [],
  )
  const text = bytes.toString('utf8')
  const isText = Buffer.from(text).equals(bytes)
  return {
    method,
    target: url,
    headers: pairs
      .filter(([name, value]) => !OWN.test(name) && !OWN.test(`${name}: ${value}`))
      .map(([name, value]) => fixed(`${name}: ${value}`))
      .sort(),
    body: isText ? fixed(text) : `base64 ${bytes.toString('base64')}`,
  }
}

const fixed = (text: string): string =>
  text
    .replace(/twinspec-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'BOUNDARY')
    .replace(/^(idempotency-key: ).*$/, '$1KEY')
