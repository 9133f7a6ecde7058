import type { Limits } from '../operation.js'
import { plainAnswers } from './answers.js'
import { isAbandoned, leaveToRest, type PendingCall, settle } from './call.js'
import type { Address, Line, RpcService } from './line.js'
import type { Sent } from './match.js'
import type { Head } from './send.js'

/** Sends calls as one POST and tells what came of it, once. Where nobody waits for any of them, the request is ended. */
export const post = (
  calls: readonly PendingCall[],
  sent: Sent,
  line: Line,
  heard: (outcome: Outcome) => void,
): void => {
  const texts = calls.map(({ text }) => text).join()
  const begin = (address: Address) => {
    if (isAbandoned(calls)) return
    const end = line.send(
      address.url,
      address.headers,
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
    line
      .loadRest()
      .then(({ findAddress }) => findAddress(line))
      .then(begin, (error) => heard({ error }))
}

/** Sends calls, together where the limits allow it, and settles them: at once where all is well, else the rest does. */
export const deliver = (given: readonly PendingCall[], lone: Sent, line: Line): void => {
  const calls = given.filter(({ isOver }) => !isOver)
  const send = (group: readonly PendingCall[], sent: Sent) =>
    post(group, sent, line, (outcome) => {
      const answers = plainAnswers(group, sent, outcome)
      if (answers)
        for (const [index, call] of group.entries()) settle(call, 'resolve', answers[index]?.result)
      else
        leaveToRest(line, group, 'network', untold(outcome), (rest) =>
          rest.mendDelivery(group, sent, outcome, line),
        )
    })
  if (fits(calls, line.service)) send(calls, calls.length > 1 ? 'batch' : lone)
  else
    leaveToRest(line, calls, 'network', UNSENT, (rest) => rest.sendGroups(calls, lone, line, send))
}

/** Whether calls may be sent together; no character of them takes more than three bytes. */
const fits = (calls: readonly PendingCall[], { limits }: RpcService): boolean => {
  const { length } = calls
  const most = calls.reduce((sum, { text }) => sum + text.length * 3 + 1, 1)
  const within = ({ batchSize = length, payloadBytes = most }: Limits = {}) =>
    length <= batchSize && most <= payloadBytes
  return within(limits) && calls.every(({ method }) => within(method.operation.limits))
}

/** What may be told of an exchange without what redacts it. */
const untold = ({ address, head }: Outcome): string =>
  head ? ` came to no usable answer (HTTP ${head.status})` : address ? ' got no answer' : UNSENT

const UNSENT = ' was not sent'

/** What came of an exchange: a text and what stood before it, or an error; no address where nothing was sent. */
export type Outcome = {
  readonly address?: Address
  readonly text?: string
  readonly head?: Head
  readonly error?: unknown
}
