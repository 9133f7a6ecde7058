import type { DuplexLink, LinkEvents, ServedExchange, ServedExchangeLink } from '../link/link.js'
import { isLonger } from '../rpc/duplex.js'
import { acceptWeight } from '../wire/content.js'
import { headerOf } from '../wire/headers.js'
import type { EventStreamOptions, ServerCall } from './call.js'
import {
  createEventQueue,
  type EventQueue,
  type EventQueueReader,
  type QueueBudget,
} from './event-queue.js'
import type { RequestAuth } from './handlers.js'
import type { Admitted, ServedLink } from './link-options.js'
import { isAllowedOrigin } from './origin.js'
import { DEFAULT_HEADERS } from './reply.js'
import type { ServedRpc, ServerReply, ServerSide } from './request.js'
import { type Exchanges, rejectRpc } from './rpc.js'
import { dataLines } from './stream.js'
import type { ServerConnection } from './subscriptions.js'
import { textKindOf } from './text-kind.js'

/** Creates what serves texts that have responses, before which the server sends messages of its own. */
export const createExchanges = (rpc: ServedRpc, options: EventStreamOptions): Exchanges => {
  const { sessions: most = 1_000, sessionsPerCaller = 100, idle = 1_800_000 } = options
  const { calls = 100, subscriptions = 1_000, maxBufferedBytes = 1_048_576, origins } = options
  const { heartbeat = 30_000, retry = 1_000 } = options
  const header = options.session?.header.toLowerCase()
  const begins = options.session?.begins
  const sessions = new Map<string, Session>()
  const byCaller = new Map<string, number>()

  const begin = (call: ServerCall, auth: RequestAuth): Session | ServerReply => {
    const caller = call.remoteAddress ?? ''
    const own = byCaller.get(caller) ?? 0
    if (sessions.size >= most) return rejectRpc({ status: 503, message: 'Too many sessions' })
    if (own >= sessionsPerCaller)
      return rejectRpc({ status: 429, message: 'Too many sessions of this caller' })
    const id = createSessionId()
    const session = createSession(rpc, {
      id,
      auth: JSON.stringify(auth),
      maxBufferedBytes,
      subscriptions,
    })
    byCaller.set(caller, own + 1)
    sessions.set(id, session)
    session.ended.signal.addEventListener('abort', () => {
      sessions.delete(id)
      const left = (byCaller.get(caller) ?? 1) - 1
      if (left > 0) byCaller.set(caller, left)
      else byCaller.delete(caller)
    })
    return session
  }

  /** Counts what uses a session, which ends some time after the last use. */
  const use = (session: Session): (() => void) => {
    session.uses += 1
    clearTimeout(session.timer)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      session.uses -= 1
      if (session.uses > 0 || session.ended.signal.aborted) return
      session.timer = setTimeout(() => endSession(session), idle)
      Object(session.timer).unref?.()
    }
  }

  const find = (call: ServerCall, auth: RequestAuth): Session | ServerReply | undefined => {
    const id = header && headerOf(call.headers, header)
    if (id === undefined) return undefined
    const session = sessions.get(id)
    return session && session.auth === JSON.stringify(auth)
      ? session
      : rejectRpc({ status: 404, message: 'The session has ended' })
  }

  const rejectOrigin = ({ headers }: ServerCall): ServerReply | undefined =>
    isAllowedOrigin(headerOf(headers, 'origin'), headerOf(headers, 'host'), origins)
      ? undefined
      : rejectRpc({ status: 403, message: 'Pages of this Origin may not send requests' })

  /** The texts of a queue as events. Only those of a session have ids, by which a client continues the stream. */
  const streamOf = (
    queue: EventQueue,
    session: Session | undefined,
    label: string,
    after: number,
    done: () => void,
  ): ServerReply => {
    const reader = queue.read(after)
    const encoder = new TextEncoder()
    let first = session ? `id: ${label}_${after}\nretry: ${retry}\ndata: \n\n` : undefined
    const leave = (): void => {
      reader.leave()
      done()
    }
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      const text = first
      first = undefined
      if (text !== undefined) return { value: encoder.encode(text), done: false }
      const found = await reader.next(heartbeat)
      if (found === 'over') {
        leave()
        return { value: undefined, done: true }
      }
      const id = found && session ? `id: ${label}_${found.number}\n` : ''
      const event = found ? `event: message\n${id}${dataLines(found.text)}\n` : ': \n\n'
      return { value: encoder.encode(event), done: false }
    }
    const returned = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      leave()
      return { value: undefined, done: true }
    }
    return {
      status: 200,
      headers: {
        ...DEFAULT_HEADERS,
        'content-type': EVENTS,
        // Proxies such as nginx must not collect events.
        'x-accel-buffering': 'no',
        ...(header && session && { [header]: session.id }),
      },
      body: { [Symbol.asyncIterator]: () => ({ next, return: returned }) },
    }
  }

  const run: Exchanges['post'] = async (text, call, auth, answer, respond) => {
    const kind = textKindOf(text)
    let session: Session | undefined
    let isNew = false
    if (header && kind) {
      const found = find(call, auth)
      if (found && 'status' in found) return found
      if (!found && !kind.methods.includes(begins))
        return rejectRpc({ status: 400, message: `A session begins with ${begins}` })
      const begun = found ?? begin(call, auth)
      if ('status' in begun) return begun
      session = begun
      isNew = !found
    }
    if (kind?.isResponse) {
      if (!session) return rejectRpc({ status: 400, message: 'A response needs a session' })
      use(session)()
      receive(session, kind.ids, text)
      return { status: 202, headers: DEFAULT_HEADERS }
    }
    if (session && session.running >= calls)
      return rejectRpc({ status: 429, message: `At most ${calls} requests run at once` })
    const release = session ? use(session) : () => undefined
    const queue = createEventQueue(session?.budget ?? budgetOf(maxBufferedBytes, false))
    const isStreamed = acceptsEvents(call)
    const own = isStreamed ? exchangeSide(rpc, queue, session, subscriptions) : undefined
    const side = own ?? session?.side
    let responded!: () => void
    const connection: ServerConnection | undefined = side && {
      ...side,
      subscriptions: session?.side.subscriptions,
      // Another exchange of the session cancels a call.
      calls: session?.side.calls,
      responded: new Promise<void>((resolve) => {
        responded = resolve
      }),
    }
    // A session survives a connection that breaks: its client continues the event stream.
    const { request } = call
    const signal = session ? session.ended.signal : request.signal
    const inner = { ...call, connection, request: { ...request, signal }, signal: undefined }
    if (session) session.running += 1
    const finish = (): void => {
      if (session) session.running -= 1
      responded?.()
    }
    const running = answer(text, inner, auth)
    const isPushed = await Promise.race([
      running.then(
        () => false,
        () => false,
      ),
      queue.started.then(() => true),
    ])
    if (!isPushed) {
      try {
        const answered = await running
        const reply = respond(answered)
        const isRejected = isNew && (reply.status >= 300 || isError(answered.text))
        if (session && isRejected) endSession(session)
        const more = session && isNew && !isRejected && header ? { [header]: session.id } : {}
        const status = reply.status === 204 ? 202 : reply.status
        return { ...reply, status, headers: { ...reply.headers, ...more } }
      } finally {
        queue.end()
        finish()
        release()
      }
    }
    const label = session ? keep(session, queue) : ''
    running
      .then(
        (answered) => queue.end(answered.text),
        () => queue.end(),
      )
      .finally(finish)
    return streamOf(queue, session, label, 0, release)
  }

  return {
    post: async (text, call, auth, answer, respond) =>
      rejectOrigin(call) ?? (await run(text, call, auth, answer, respond)),
    get: (call, auth) => {
      const rejected = rejectOrigin(call)
      if (rejected) return rejected
      if (call.request.method.toUpperCase() === 'HEAD')
        return rejectRpc({ status: 405, message: 'Method not allowed' })
      if (!acceptsEvents(call))
        return rejectRpc({ status: 406, message: `Accept must have ${EVENTS}` })
      const session = find(call, auth)
      if (session === undefined)
        return rejectRpc({
          status: 400,
          message: `The header ${options.session?.header} is missing`,
        })
      if ('status' in session) return session
      const [label = '', number = ''] = (headerOf(call.headers, 'last-event-id') ?? '').split('_')
      const kept = /^\d{1,15}$/.test(number) ? session.queues.get(label) : undefined
      const release = use(session)
      return kept
        ? streamOf(kept, session, label, Number(number), release)
        : streamOf(session.queue, session, LISTENING, session.queue.lastRead(), release)
    },
    end: (call, auth) => {
      const rejected = rejectOrigin(call)
      if (rejected) return rejected
      const session = find(call, auth)
      if (session === undefined)
        return rejectRpc({
          status: 400,
          message: `The header ${options.session?.header} is missing`,
        })
      if ('status' in session) return session
      endSession(session)
      return { status: 204, headers: DEFAULT_HEADERS }
    },
  }
}

/** Serves an admitted connection over a link of exchanges. */
export const serveExchanges = async <Peer>(
  { rpc, admitted, ended, calls = 100, subscriptions = 1_000 }: Admitted<Peer>,
  link: ServedExchangeLink,
): Promise<ServedLink<Peer>> => {
  const terms = { id: '', auth: '', maxBufferedBytes: 1_048_576, subscriptions }
  const session = createSession(rpc, terms)
  // Nothing can be sent outside of exchanges.
  session.queue.end()
  const exchange: ServedExchange = async (text, { signal } = {}) => {
    const queue = createEventQueue(budgetOf(terms.maxBufferedBytes, false))
    const reader = queue.read(0)
    const kind = textKindOf(text)
    if (kind?.isResponse) {
      receive(session, kind.ids, text)
      queue.end()
    } else if (
      session.ended.signal.aborted ||
      session.running >= calls ||
      isLonger(text, rpc.payloadBytes)
    ) {
      queue.end(rejection(`The message exceeds ${rpc.payloadBytes} bytes, or ${calls} run at once`))
    } else {
      session.running += 1
      let responded!: () => void
      const connection: ServerConnection = {
        ...exchangeSide(rpc, queue, session, subscriptions),
        subscriptions: undefined,
        calls: session.side.calls,
        responded: new Promise<void>((resolve) => {
          responded = resolve
        }),
      }
      admitted
        .answer(text, connection)
        .then(queue.end, () => queue.end())
        .finally(() => {
          session.running -= 1
          responded()
        })
    }
    signal?.addEventListener('abort', reader.leave)
    return { texts: textsOf(reader) }
  }
  const { close } = await link.serve(exchange)
  const closed = new Promise<void>((resolve) => {
    ended.signal.addEventListener('abort', () => resolve())
  })
  return {
    get peer() {
      return session.side.peer() as Peer
    },
    close: async () => {
      endSession(session)
      ended.abort(new Error('the link was closed'))
      await close()
    },
    closed,
  }
}

async function* textsOf(reader: EventQueueReader): AsyncGenerator<string, void, undefined> {
  try {
    for (;;) {
      const found = await reader.next(LONGEST_WAIT)
      if (found === 'over') return
      if (found) yield found.text
    }
  } finally {
    reader.leave()
  }
}

/** Milliseconds; nothing happens after them. */
const LONGEST_WAIT = 60_000

const rejection = (message: string): string =>
  `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":${JSON.stringify(message)}}}`

/** The exchanges of one caller, who receives messages outside of them too. */
type Session = {
  readonly id: string
  /** The credentials with which it began. */
  readonly auth: string
  readonly ended: AbortController
  readonly budget: QueueBudget
  readonly ids: { last: number }
  /** What belongs to no exchange. */
  readonly queue: EventQueue
  readonly side: ServerSide
  /** By label; they can be read again. */
  readonly queues: Map<string, EventQueue>
  /** The links that wait for responses, by id. */
  readonly pending: Map<unknown, LinkEvents>
  lastLabel: number
  running: number
  uses: number
  timer: ReturnType<typeof setTimeout> | undefined
}

type SessionTerms = {
  readonly id: string
  readonly auth: string
  readonly maxBufferedBytes: number
  readonly subscriptions: number
}

const createSession = (
  rpc: ServedRpc,
  { id, auth, maxBufferedBytes, subscriptions }: SessionTerms,
): Session => {
  const budget = budgetOf(maxBufferedBytes, true)
  const queue = createEventQueue(budget)
  const pending: Session['pending'] = new Map()
  const ended = new AbortController()
  const ids = { last: 0 }
  const link = linkTo(() => queue, pending)
  const side = rpc.sideOver(link, { subscriptions, ids, send: async (text) => queue.push(text) })
  const queues = new Map([[LISTENING, queue]])
  const state = { lastLabel: 0, running: 0, uses: 0, timer: undefined }
  return { id, auth, ended, budget, ids, queue, side, queues, pending, ...state }
}

const endSession = (session: Session): void => {
  clearTimeout(session.timer)
  const reason = new Error('the session ended')
  session.ended.abort(reason)
  for (const events of new Set(session.pending.values())) events.closed(reason)
  session.pending.clear()
  session.side.subscriptions?.endAll()
  session.side.calls?.endAll(reason)
  for (const queue of session.queues.values()) queue.end()
}

const receive = ({ pending }: Session, ids: readonly unknown[], text: string): void => {
  for (const events of new Set(ids.map((id) => pending.get(id)))) events?.text(text)
  for (const id of ids) pending.delete(id)
}

/** Keeps a queue, so that its stream can be continued. Returns its label. */
const keep = (session: Session, queue: EventQueue): string => {
  const { queues } = session
  session.lastLabel += 1
  const label = String(session.lastLabel)
  queues.set(label, queue)
  for (const [other, { isOver, discard }] of queues) {
    if (queues.size <= MOST_KEPT) break
    if (!isOver()) continue
    discard()
    queues.delete(other)
  }
  return label
}

/** Ended queues of a session. */
const MOST_KEPT = 100

/** What the server sends in an exchange. After its end, the stream of the session has what follows. */
const exchangeSide = (
  rpc: ServedRpc,
  queue: EventQueue,
  session: Session | undefined,
  subscriptions: number,
): ServerSide => {
  const target = () => (session && queue.isOver() ? session.queue : queue)
  return rpc.sideOver(linkTo(target, session?.pending), {
    subscriptions,
    ids: session?.ids,
    send: async (text) => target().push(text),
  })
}

const linkTo = (target: () => EventQueue, pending: Session['pending'] | undefined): DuplexLink => ({
  kind: 'duplex',
  open: async (events) => ({
    send: async (text) => {
      const id = text.startsWith(REQUEST) ? textKindOf(text)?.ids[0] : undefined
      if (id !== undefined) {
        if (!pending) throw new Error('requests to the caller need the option eventStreams.session')
        // Calls that timed out have no response either.
        if (pending.size >= MOST_PENDING)
          for (const [first] of pending) {
            pending.delete(first)
            break
          }
        pending.set(id, events)
      }
      await target().push(text)
    },
    close: async () => undefined,
  }),
})

/** How our own requests begin. */
const REQUEST = '{"jsonrpc":"2.0","id":'

/** Calls of a session without a response. */
const MOST_PENDING = 1_000

const budgetOf = (most: number, isKeeping: boolean): QueueBudget => ({
  most,
  isKeeping,
  bytes: 0,
  unread: 0,
  sent: [],
})

/** The label of the stream of what belongs to no exchange. */
const LISTENING = '0'

const EVENTS = 'text/event-stream'

/** A caller that accepts anything expects JSON. */
const acceptsEvents = ({ headers }: ServerCall): boolean => {
  const accept = headerOf(headers, 'accept') ?? ''
  return /text\/event-stream/i.test(accept) && acceptWeight(accept, EVENTS) > 0
}

const isError = (text: string | undefined): boolean =>
  text !== undefined && Object(JSON.parse(text)).error !== undefined

const createSessionId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
