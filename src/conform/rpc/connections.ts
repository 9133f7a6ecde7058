import type { ReceivedResponse, Sent } from '../../traffic/exchange.js'
import { type Case, NotTested, type Session } from '../case.js'
import type { Rule } from '../rule.js'
import type { RawResponses } from '../wire/raw-responses.js'
import { headText, openSocket } from '../wire/raw-socket.js'
import { postRpc } from '../wire/write-request.js'
import {
  describeResponse,
  hasResult,
  isIdOf,
  lacksId,
  readJsonRpcResponse,
} from './json-rpc-response.js'
import { caseWith, type RpcSubject } from './subject.js'

/** Rules for many requests over one connection, and for slow callers. */
export const CONNECTION_RULES: readonly Rule[] = [
  {
    id: 'pipelined-responses-reordered',
    level: 'error',
    purpose:
      'Pipelined requests on one connection get their responses in the order of the requests.',
    clause: 'RFC 9112, 9.3.2',
    checks: ['J99'],
  },
  {
    id: 'notification-answered-later',
    level: 'warning',
    purpose: 'The next response on the connection after a notification belongs to the next call.',
    clause: 'JSON-RPC 2.0, 4.1; RFC 9112, 9.3',
    checks: ['J72'],
  },
  {
    id: 'slow-caller-not-closed',
    level: 'warning',
    purpose: 'The connection of a client that never completes its request is closed.',
    clause: 'RFC 9110, 15.5.9; RFC 9112, 9.5',
    checks: ['J100'],
  },
  {
    id: 'slow-callers-block-others',
    level: 'warning',
    purpose: 'Clients that do not complete their requests do not block other clients.',
    clause: 'RFC 9112, 9.5',
    checks: ['J100'],
  },
]

const MANY = 100
const IN_MANY = `as one of ${MANY} calls over one connection, without waiting for responses`
const AFTER_ONE = 'after a notification over the same connection, without waiting for a response'

/** The number of callers at a time that never end their requests, and for how long: two minutes, in steps of two seconds. */
const SLOW = 16
const STEPS = 60
const STEP_MILLISECONDS = 2_000

export const CONNECTIONS: readonly Case[] = [
  caseWith(`${MANY} calls over one connection`, MANY, async (session, subject) => {
    const sents = Array.from({ length: MANY }, (_, index) =>
      framed(session, subject.call(String(index + 1))),
    )
    const { answers, isBroken, isClosed } = await talk(session, sents)
    // Without ids, a response cannot be matched to its call.
    const wrong = answers.findIndex(
      (answer, index) => !isIdless(answer) && !isAnswerTo(answer, String(index + 1)),
    )
    const sent = sents[wrong < 0 ? answers.length : wrong] ?? framed(session, '')
    if (wrong >= 0) {
      if (answers[wrong]?.status === 429)
        throw new NotTested('the rate limit of the server is exhausted')
      const exchange = { sent, answer: answers[wrong], failure: undefined, beside: IN_MANY }
      const received = describeResponse(readJsonRpcResponse(exchange))
      return session.report('pipelined-responses-reordered', exchange, {
        message: `call ${wrong + 1} of ${MANY} got ${received}, which is not its response`,
        expected: `"id":${wrong + 1}`,
      })
    }
    // A server may close the connection at any time; callers then retry. It must not stop responding on an open connection.
    if (answers.length === MANY || (isClosed && !isBroken)) return
    const failure = isBroken ? 'the response is not HTTP' : 'no further response in time'
    const cause = isBroken ? ('broken' as const) : ('late' as const)
    const exchange = { sent, answer: undefined, failure, cause, beside: IN_MANY }
    session.report('pipelined-responses-reordered', exchange, {
      message: `after ${answers.length} of ${MANY} calls ${failure}`,
      expected: `${MANY} responses`,
    })
  }),
  caseWith('a notification before a call over one connection', 2, async (session, subject) => {
    const sent = framed(session, subject.call('"after"'))
    const { answers } = await talk(session, [framed(session, subject.call(null)), sent])
    const [, answer] = answers
    if (!answer || answer.status === 429 || isIdless(answer) || isAnswerTo(answer, '"after"'))
      return
    const exchange = { sent, answer, failure: undefined, beside: AFTER_ONE }
    session.report('notification-answered-later', exchange, {
      message: `the call after a notification got ${describeResponse(readJsonRpcResponse(exchange))}`,
      expected: '"id":"after"',
    })
  }),
  { ...caseWith('slow callers', STEPS, trySlow), isDisruptive: true },
]

async function trySlow(session: Session, subject: RpcSubject): Promise<void> {
  const sent = framed(session, subject.call())
  const sockets = await Promise.all(
    Array.from({ length: SLOW }, () => openSocket(sent.url, session)),
  )
  try {
    const head = headText({ ...sent, headers: { ...sent.headers, 'x-slow': '' } })
    await Promise.all(sockets.map((socket) => socket.write(head.slice(0, -4))))
    for (let step = 0; step < STEPS && sockets.some((one) => !one.isClosed()); step++) {
      const plain = postRpc(session.target, subject.call())
      const exchange = await session.probe(plain, { isBusy: true })
      const response = readJsonRpcResponse(exchange)
      if (!hasResult(response)) {
        const shown = { ...exchange, beside: `during ${SLOW} requests that are never completed` }
        return session.report('slow-callers-block-others', shown, {
          message: `during ${SLOW} slow requests, a call got ${describeResponse(response)}`,
          expected: 'a result',
        })
      }
      await session.sleep(STEP_MILLISECONDS)
      await Promise.all(sockets.map((one) => one.write('x')))
    }
    if (sockets.every((one) => one.isClosed() || one.read().answers.length > 0)) return
    const seconds = (STEPS * STEP_MILLISECONDS) / 1_000
    const failure = `nothing in ${seconds} seconds`
    const silent = { answer: undefined, failure, cause: 'late' as const }
    session.report(
      'slow-caller-not-closed',
      { sent: { ...sent, body: undefined }, ...silent },
      {
        message: `the connection of a client that sent a byte every ${STEP_MILLISECONDS / 1_000} seconds was still open after ${seconds}`,
        expected: 'HTTP 408, or a closed connection',
      },
    )
  } finally {
    for (const socket of sockets) socket.close()
  }
}

/** Milliseconds for all responses over one connection. */
const LONGEST = 60_000

const framed = ({ target }: Session, body: string): Sent =>
  postRpc(target, body, { 'content-length': String(Buffer.byteLength(body)) })

/** Sends all requests at once over one socket. Resolves with the responses when all have arrived, or no more arrive. */
const talk = async (session: Session, sents: readonly Sent[]) => {
  await session.take(sents.length)
  const socket = await openSocket(session.target.rpc ?? '', session)
  if (socket.isClosed())
    throw new NotTested(`no connection was made: ${socket.failure() ?? 'it was closed'}`)
  try {
    await socket.write(sents.map((sent) => `${headText(sent)}${sent.body}`).join(''))
    const began = session.now()
    // More responses may follow as long as some arrive.
    for (let before = 0; before < sents.length && session.now() - began < LONGEST; ) {
      const isNew = (raw: RawResponses) => raw.isBroken || raw.answers.length > before
      if (!(await socket.until(isNew, 10_000)) || socket.read().isBroken) break
      before = socket.read().answers.length
    }
    return { ...socket.read(), isClosed: socket.isClosed() }
  } finally {
    socket.close()
  }
}

const isAnswerTo = (answer: ReceivedResponse, id: string): boolean => {
  const response = readJsonRpcResponse({ answer, failure: undefined })
  return response.kind === 'one' && isIdOf(id, response.object)
}

const isIdless = (answer: ReceivedResponse): boolean =>
  lacksId(readJsonRpcResponse({ answer, failure: undefined }))
