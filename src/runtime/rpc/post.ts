import { plainResults } from './answers.js'
import { answerCall, isAbandoned, type PendingCall } from './call.js'
import type { Address, Line, RpcService } from './line.js'
import { leaveToRest, loadRest } from './load-rest.js'
import type { Sent } from './match.js'
import type { Head } from './send.js'

/** Sends calls as one POST and tells what came of it, once. Where nobody waits for any of them, the request is ended. */
export const post = (
  calls: readonly PendingCall[],
  sent: Sent,
  line: Line,
  heard: (outcome: Outcome) => void,
): void => {
  // Put together once, by whoever writes it; `join` would do it for each text besides.
  const texts = calls.reduce((sum, { text }) => (sum ? `${sum},${text}` : text), '')
  const begin = (address: Address) => {
    if (isAbandoned(calls)) return
    const end = line.send(
      address.url,
      line.headers,
      sent === 'alone' ? texts : `[${texts}]`,
      (text, head) => heard({ address, text, head }),
      (error) => heard({ address, error }),
    )
    const leave = () => {
      if (isAbandoned(calls)) end()
    }
    for (const call of calls) call.left = leave
  }
  if (line.address) begin(line.address)
  else
    loadRest()
      .then(({ findAddress }) => findAddress(line))
      .then(begin, (error) => heard({ error }))
}

/** Sends calls, together where the limits allow it, and settles them: at once where all is well, else the rest does. */
export const deliver = (given: readonly PendingCall[], lone: Sent, line: Line): void => {
  const calls = given.filter(({ isOver }) => !isOver)
  const send = (group: readonly PendingCall[], sent: Sent) =>
    post(group, sent, line, (outcome) => {
      const results = plainResults(group, sent, outcome)
      if (results) for (const [index, call] of group.entries()) answerCall(call, results[index])
      else
        leaveToRest(group, 'network', ' came to no usable answer', (rest) =>
          rest.mendDelivery(group, sent, outcome, line),
        )
    })
  if (fits(calls, line.service)) send(calls, calls.length > 1 ? 'batch' : lone)
  else
    leaveToRest(calls, 'network', ' was not sent', (rest) => {
      for (const group of rest.planGroups(calls, lone, line.service.limits))
        send(group.calls, group.sent)
    })
}

/** Whether calls may be sent together; no character of them takes more than three bytes. */
const fits = (calls: readonly PendingCall[], { limits = {} }: RpcService): boolean => {
  const most = calls.reduce((sum, { text }) => sum + text.length * 3 + 1, 1)
  const within = (bytes = Number.POSITIVE_INFINITY) => most <= bytes
  return (
    calls.length <= (limits.batchSize ?? calls.length) &&
    within(limits.payloadBytes) &&
    calls.every(({ method }) => within(method.operation.limits?.payloadBytes))
  )
}

/** What came of an exchange: a text and what stood before it, or an error; no address where nothing was sent. */
export type Outcome = {
  readonly address?: Address
  readonly text?: string
  readonly head?: Head
  readonly error?: unknown
}
