import type { DuplexLink, LinkConnection, LinkEvents, ServedExchangeLink } from '../link/link.js'
import { isLonger } from '../rpc/duplex.js'
import type { Admitted, LinkOptions, ServedLink } from './link-options.js'
import type { ServedRpc, ServerCore } from './request.js'
import { textKindOf } from './text-kind.js'

/**
 * Serves the methods of JSON-RPC over one link: a `MessagePort`, standard input and output, an accepted socket. Calls
 * run concurrently, at most `calls` at once. When half of `waiting` wait, the link is paused, if it can be; when more than `waiting`
 * do, it is closed. On a link of exchanges, what a handler sends comes before its result. Resolves when the link is open,
 * and rejects if it cannot be opened, or if the option `admit` of the server rejects it.
 *
 * ```ts
 * const { peer } = await serveLink(createServer(handlers), portLink(port))
 * await peer.notify.progress(50)
 * ```
 */
export const serveLink = async <Peer = unknown>(
  server: ServerCore<Peer>,
  link: DuplexLink | ServedExchangeLink,
  { request, ...limits }: LinkOptions = {},
): Promise<ServedLink<Peer>> => {
  const rpc = rpcOf(server)
  const ended = new AbortController()
  const opening = { method: 'GET', url: '', headers: {}, ...request, signal: ended.signal }
  const admitted = await rpc.admit(opening)
  if (!('answer' in admitted)) {
    const text = String(admitted.body)
    throw new Error(`the connection was rejected with ${admitted.status}: ${text}`)
  }
  if (link.kind === 'duplex') return await serveAdmitted({ ...limits, rpc, admitted, ended }, link)
  const { serveExchanges } = await import('./exchanges.js')
  return await serveExchanges({ ...limits, rpc, admitted, ended }, link)
}

/** The methods of JSON-RPC of a server. Throws a TypeError if there are none. */
export const rpcOf = <Peer>({ rpc }: ServerCore<Peer>): ServedRpc<Peer> => {
  if (rpc === undefined) throw new TypeError('the server has no methods of JSON-RPC')
  return rpc
}

/** Serves an admitted connection, whose request has the signal of `ended`. */
export const serveAdmitted = async <Peer>(
  { rpc, admitted, ended, calls = 100, waiting = 1_000, subscriptions = 1_000 }: Admitted<Peer>,
  link: DuplexLink,
): Promise<ServedLink<Peer>> => {
  const queue: string[] = []
  let running = 0
  let queued = 0
  let isPaused = false
  /** The end of the link for the client of the other side, which matches its responses. */
  let peerEvents: LinkEvents | undefined
  let finish!: () => void
  const closed = new Promise<void>((resolve) => {
    finish = resolve
  })
  const end = (reason?: unknown): void => {
    queue.length = 0
    ended.abort(reason)
    peerEvents?.closed(reason)
    side.subscriptions?.endAll()
    side.calls?.endAll(reason)
    finish()
  }
  const receive = (text: string): void => {
    if (ended.signal.aborted) return
    if (isResponse(text)) peerEvents?.text(text)
    else if (running < calls || (running < calls * 2 && rpc.isUrgent(text))) void run(text)
    else wait(text)
  }
  const wait = (text: string): void => {
    queued += text.length
    if (queue.push(text) > waiting || queued > MOST_QUEUED) {
      end('too many calls wait')
      connection.then(({ close }) => close()).catch(() => undefined)
    } else if (queue.length > waiting / 2 && !isPaused) {
      isPaused = true
      connection.then(({ pause }) => pause?.()).catch(() => undefined)
    }
  }
  const proceed = (): void => {
    const next = queue.shift()
    queued -= next?.length ?? 0
    if (isPaused && queue.length === 0) {
      isPaused = false
      connection.then(({ resume }) => resume?.()).catch(() => undefined)
    }
    if (next !== undefined) void run(next)
  }
  const run = async (text: string): Promise<void> => {
    running += 1
    let respond!: () => void
    const responded = new Promise<void>((resolve) => {
      respond = resolve
    })
    try {
      const response = isLonger(text, rpc.payloadBytes)
        ? tooLong(rpc.payloadBytes)
        : await admitted.answer(text, { ...side, responded })
      if (response !== undefined && !ended.signal.aborted) await (await connection).send(response)
    } catch {
      // The connection ended, so nobody waits for the response.
    } finally {
      respond()
      running -= 1
      if (running < calls) proceed()
    }
  }
  const connection: Promise<LinkConnection> = Promise.resolve().then(() =>
    link.open({ text: receive, closed: end }),
  )
  const side = rpc.sideOver(
    {
      kind: 'duplex',
      open: async (events) => {
        if (ended.signal.aborted) throw new Error('the connection ended')
        peerEvents = events
        return await connection
      },
    },
    {
      subscriptions,
      send: async (text) => (await connection).send(text),
      isWaiting: () => queue.length > 0,
    },
  )
  const { close } = await connection
  return {
    get peer() {
      return side.peer()
    },
    close,
    closed,
  }
}

const tooLong = (most: number): string =>
  `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The message exceeds ${most} bytes"}}`

/** Characters of the texts that wait. */
const MOST_QUEUED = 2 ** 24

/** Whether a text has responses to calls of the server. Most calls are recognised without parsing. */
const isResponse = (text: string): boolean => {
  if (text.includes('"method"') && !/"(?:result|error)"/.test(text)) return false
  return textKindOf(text)?.isResponse === true
}
