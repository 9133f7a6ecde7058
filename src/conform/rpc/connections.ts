import type { Case, Complaint, Session } from '../case.js'
import { ruleRows } from '../rule.js'
import type { Answer, Exchange, Sent } from '../wire/exchange.js'
import { headText, openSocket, type RawSocket } from '../wire/raw-socket.js'
import { postRpc } from '../wire/write-request.js'
import { describeReply, hasResult, isIdOf, lacksId, readReply } from './reply.js'
import { caseWith, type Subject } from './subject.js'

/** Many requests over one connection, and callers who take their time. */
export const CONNECTION_RULES = ruleRows([
  {
    id: 'pipelined-responses-reordered',
    level: 'error',
    purpose: 'Requests that follow each other over one connection are answered in their order.',
    clause: 'RFC 9112, 9.3.2',
    checks: ['J99'],
  },
  {
    id: 'notification-answered-later',
    level: 'warning',
    purpose: 'What follows a notification over one connection is the answer of the next call.',
    clause: 'JSON-RPC 2.0, 4.1; RFC 9112, 9.3',
    checks: ['J72'],
  },
  {
    id: 'slow-caller-not-closed',
    level: 'warning',
    purpose: 'A caller who never ends its request is hung up on.',
    clause: 'RFC 9110, 15.5.9; RFC 9112, 9.5',
    checks: ['J100'],
  },
  {
    id: 'slow-callers-block-others',
    level: 'warning',
    purpose: 'Callers who do not end their requests keep nobody else waiting.',
    clause: 'RFC 9112, 9.5',
    checks: ['J100'],
  },
])

type ConnectionRule = (typeof CONNECTION_RULES)[number]['id']

const MANY = 100
const MANY_CALLS = `${MANY} calls over one connection`
const IN_MANY = `as one of ${MANY} calls over one connection, without waiting for responses`
const ONE_BEFORE = 'a notification before a call over one connection'

/** Callers at a time who do not come to an end, and how long they go on: two minutes, in steps of two seconds. */
const SLOW = 16
const STEPS = 60
const STEP_MILLISECONDS = 2_000

export const CONNECTIONS: readonly Case[] = [
  caseWith(MANY_CALLS, MANY, async (session, subject) => {
    const sents = Array.from({ length: MANY }, (_, index) =>
      framed(session, subject.call(String(index + 1))),
    )
    return talk(session, MANY_CALLS, sents, (socket) => {
      const { answers, isBroken } = socket.read()
      // Without ids nothing shows which response belongs to which call.
      const wrong = answers.findIndex(
        (answer, index) => !isIdless(answer) && !isAnswerTo(answer, String(index + 1)),
      )
      const sent = sents[wrong < 0 ? answers.length : wrong] ?? framed(session, '')
      if (wrong >= 0 && answers[wrong]?.status === 429) {
        session.skip(`JSON-RPC, ${MANY_CALLS}`, 'the limit of the server was met')
        return []
      }
      if (wrong >= 0) {
        const exchange = { sent, answer: answers[wrong], failure: undefined, beside: IN_MANY }
        const received = describeReply(readReply(exchange))
        const message = `call ${wrong + 1} of ${MANY} brought ${received}, which is not its answer`
        return [complain('pipelined-responses-reordered', message, `"id":${wrong + 1}`, exchange)]
      }
      // A server may close when it likes: who calls asks again. What must not be is that it says no more.
      if (answers.length === MANY || (socket.isClosed() && !isBroken)) return []
      const failure = isBroken ? 'what came is no HTTP' : 'no further answer in time'
      const message = `after ${answers.length} of ${MANY} calls ${failure}`
      const cause = isBroken ? ('broken' as const) : ('late' as const)
      const exchange = { sent, answer: undefined, failure, cause, beside: IN_MANY }
      return [complain('pipelined-responses-reordered', message, `${MANY} answers`, exchange)]
    })
  }),
  caseWith(ONE_BEFORE, 2, async (session, subject) => {
    const sents = [framed(session, subject.call(null)), framed(session, subject.call('"after"'))]
    return talk(session, ONE_BEFORE, sents, (socket) => {
      const [, second] = socket.read().answers
      if (!second || second.status === 429) return []
      if (isIdless(second) || isAnswerTo(second, '"after"')) return []
      const beside = 'after a notification over the same connection, without waiting for a response'
      const exchange = { sent: sents[1] as Sent, answer: second, failure: undefined, beside }
      const message = `the call after a notification brought ${describeReply(readReply(exchange))}`
      return [complain('notification-answered-later', message, '"id":"after"', exchange)]
    })
  }),
  { ...caseWith('slow callers', STEPS, trySlow), isDisruptive: true },
]

async function trySlow(session: Session, subject: Subject): Promise<readonly Complaint[]> {
  const sent = framed(session, subject.call())
  const sockets = await Promise.all(
    Array.from({ length: SLOW }, () => openSocket(sent.url, session)),
  )
  const complaints: Complaint[] = []
  try {
    const head = headText({ ...sent, headers: { ...sent.headers, 'x-slow': '' } })
    await Promise.all(sockets.map((socket) => socket.write(head.slice(0, -4))))
    for (let step = 0; step < STEPS && sockets.some((one) => !one.isClosed()); step++) {
      const exchange = await session.probe(postRpc(session.target, subject.call()), {
        isBusy: true,
      })
      const reply = readReply(exchange)
      if (!hasResult(reply)) {
        const message = `beside ${SLOW} slow callers a call brought ${describeReply(reply)}`
        const shown = { ...exchange, beside: `beside ${SLOW} callers who never end their requests` }
        complaints.push(complain('slow-callers-block-others', message, 'a result', shown))
        break
      }
      await session.sleep(STEP_MILLISECONDS)
      await Promise.all(sockets.map((one) => one.write('x')))
    }
    const open = sockets.filter((one) => !one.isClosed() && one.read().answers.length === 0)
    if (open.length > 0 && complaints.length === 0) {
      const seconds = (STEPS * STEP_MILLISECONDS) / 1_000
      const failure = `nothing in ${seconds} seconds`
      const message = `the connection of a caller who sent a byte every ${STEP_MILLISECONDS / 1_000} seconds was still open after ${seconds}`
      const silent = { answer: undefined, failure, cause: 'late' as const }
      const exchange = { sent: { ...sent, body: undefined }, ...silent }
      complaints.push(
        complain('slow-caller-not-closed', message, 'HTTP 408, or a closed connection', exchange),
      )
    }
  } finally {
    for (const socket of sockets) socket.close()
  }
  return complaints
}

const framed = ({ target }: Session, body: string): Sent =>
  postRpc(target, body, { 'content-length': String(Buffer.byteLength(body)) })

/** All at once over one socket, and what is to be said of it when all is answered or nothing more comes. */
const talk = async (
  session: Session,
  name: string,
  sents: readonly Sent[],
  judge: (socket: RawSocket) => readonly Complaint[],
): Promise<readonly Complaint[]> => {
  await session.take(sents.length)
  const socket = await openSocket(session.target.rpc ?? '', session)
  if (socket.isClosed()) {
    const why = socket.failure() ?? 'it was closed'
    session.skip(`JSON-RPC, ${name}`, `no connection was made: ${why}`)
    return []
  }
  try {
    await socket.write(sents.map((sent) => `${headText(sent)}${sent.body}`).join(''))
    let count = -1
    // As long as answers come, more may.
    while (count < socket.read().answers.length && socket.read().answers.length < sents.length) {
      count = socket.read().answers.length
      const before = count
      if (!(await socket.until(({ answers }) => answers.length > before, 10_000))) break
    }
    return judge(socket)
  } finally {
    socket.close()
  }
}

const isAnswerTo = (answer: Answer, id: string): boolean => {
  const reply = readReply({ answer, failure: undefined })
  return reply.kind === 'one' && isIdOf(id, reply.answer)
}

const isIdless = (answer: Answer): boolean => lacksId(readReply({ answer, failure: undefined }))

const complain = (
  rule: ConnectionRule,
  message: string,
  expected: string,
  exchange: Exchange,
): Complaint => ({
  rule,
  message,
  expected,
  exchange,
})
