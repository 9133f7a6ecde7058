import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Case, Reply, Request, SocketStep } from './case.js'

/** A server that plays the script of one case at a time, and records what it receives. */
export const startServer = async () => {
  let script: readonly Reply[] = []
  let sockets: readonly (readonly SocketStep[])[] = []
  let requests: Request[] = []
  let opened = 0
  let isHeld = false
  let waiting: ServerResponse[] = []
  const tellHeld = (): void => {
    isHeld = true
    for (const one of waiting.splice(0)) one.end()
  }
  const hold = (response: ServerResponse): void => {
    tellHeld()
    // A client that is not cancelled ends too, with another outcome.
    setTimeout(() => response.end(), LONGEST_HOLD).unref()
  }
  const nextRequest = async (): Promise<void> => {
    const before = requests.length
    for (let turn = 0; requests.length === before && turn < LONGEST_HOLD / 5; turn += 1)
      await sleep(5)
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.url === '/cancel') {
      if (isHeld) response.end()
      else waiting.push(response)
      return
    }
    const body = Buffer.concat(chunks)
    const reply = script.find((one) => one.for !== undefined && body.includes(one.for)) ??
      script[Math.min(requests.length, script.length - 1)] ?? { status: 204 }
    requests.push(recorded(request, body))
    await play(reply, response, { hold, nextRequest }).catch(() => response.destroy())
  })
  const acceptor = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const own = requests
    own.push(recorded(request, Buffer.alloc(0)))
    const steps = sockets[Math.min(opened, sockets.length - 1)] ?? []
    opened += 1
    const [first] = steps
    if (first && 'status' in first)
      socket.end(`HTTP/1.1 ${first.status} \r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    else
      acceptor.handleUpgrade(request, socket, head, (accepted) => {
        const record = (text: string): void => {
          own.push({ method: 'TEXT', target: '', headers: [], body: text })
        }
        void perform(steps, accepted, record, tellHeld)
      })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Begins a case. */
    play: ({
      script: replies = [],
      sockets: connections = [],
    }: Pick<Case, 'script' | 'sockets'>) => {
      script = replies
      sockets = connections
      requests = []
      opened = 0
      isHeld = false
      waiting = []
    },
    /** Resolves when the client has closed its WebSockets, so that all of its texts have arrived. */
    closed: async (): Promise<void> => {
      for (let waits = 0; acceptor.clients.size > 0 && waits < 500; waits += 1) await sleep(2)
      for (const one of acceptor.clients) one.terminate()
    },
    requests: (): readonly Request[] => requests,
    close: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Milliseconds. */
const LONGEST_HOLD = 10_000

type Stage = {
  /** Leaves a response as it is. */
  readonly hold: (response: ServerResponse) => void
  /** Resolves when another request has arrived. */
  readonly nextRequest: () => Promise<void>
}

const play = async (
  reply: Reply,
  response: ServerResponse,
  { hold, nextRequest }: Stage,
): Promise<void> => {
  const { status = 200, headers = {}, body = '', delay = 0, drip, cut, refuse, rest } = reply
  await sleep(delay)
  if (reply.hold === 'head') {
    hold(response)
    return
  }
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
  if (rest !== undefined) {
    await nextRequest()
    response.write(rest)
  }
  if (reply.hold === 'body') hold(response)
  else if (!cut) response.end()
  else {
    await sleep(20)
    response.destroy()
  }
}

/** Performs the steps of one connection. */
const perform = async (
  steps: readonly SocketStep[],
  socket: WebSocket,
  record: (text: string) => void,
  tellHeld: () => void,
): Promise<void> => {
  let received = 0
  let expected = 0
  let wake = (): void => undefined
  socket.on('error', () => undefined)
  socket.on('message', (data) => {
    record(String(data))
    received += 1
    wake()
  })
  for (const step of steps) {
    if ('receive' in step) {
      expected += step.receive
      while (received < expected)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    } else if ('send' in step) socket.send(step.isBinary ? Buffer.from(step.send) : step.send)
    else if ('close' in step) socket.close(step.close)
    else if ('hold' in step) tellHeld()
    else if ('cut' in step) {
      // What was sent before arrives.
      await sleep(20)
      socket.terminate()
    }
  }
}

const sleep = (milliseconds: number) =>
  milliseconds === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, milliseconds))

/** What each platform adds for itself. */
const OWN =
  /^(host|user-agent|accept-encoding|connection|upgrade|sec-websocket-.*|sec-fetch-mode|accept-language: \*)$/

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
