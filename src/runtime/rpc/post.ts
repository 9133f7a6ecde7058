import { plainAnswers } from './answers.js'
import { isAbandoned, leaveToRest, type PendingCall, settle } from './call.js'
import type { Address, Line } from './line.js'
import type { Sent } from './match.js'
import type { Head } from './send.js'

/** Sends calls, together where the limits allow it, and settles them. */
export const deliver = (given: readonly PendingCall[], lone: Sent, line: Line): void => {
  const calls = given.filter(({ isOver }) => !isOver)
  const { address } = line
  if (address && fits(calls, line))
    exchange(calls, calls.length > 1 ? 'batch' : lone, line, address)
  else leaveToRest(line, calls, 'network', ' was not sent', (rest) => rest.send(calls, lone, line))
}

/**
 * Sends calls as one POST and settles them: at once where all is well, else the rest does. Where nobody waits for any of
 * them, the request is ended.
 */
export const exchange = (
  calls: readonly PendingCall[],
  sent: Sent,
  line: Line,
  address: Address,
): void => {
  if (isAbandoned(calls)) return
  const hear = (outcome: Outcome) => {
    const { head } = outcome
    const answers = plainAnswers(calls, sent, outcome)
    // What may be told without what redacts it.
    const untold = head ? ` came to no usable answer (HTTP ${head.status})` : ' got no answer'
    if (answers)
      for (const [index, call] of calls.entries()) settle(call, 'resolve', answers[index]?.result)
    else
      leaveToRest(line, calls, 'network', untold, (rest) => rest.mend(calls, sent, outcome, line))
  }
  const texts = calls.map(({ text }) => text).join()
  const end = line.send(
    address.url,
    address.headers,
    sent === 'alone' ? texts : `[${texts}]`,
    (text, head) => hear({ address, text, head }),
    (error) => hear({ address, error }),
  )
  const leave = () => {
    if (isAbandoned(calls)) end()
  }
  for (const call of calls) call.left = leave
}

/** Whether calls may be sent together; no character of them takes more than three bytes. */
const fits = (calls: readonly PendingCall[], { service }: Line): boolean => {
  const { length } = calls
  const most = calls.reduce((sum, { text }) => sum + text.length * 3 + 1, 1)
  return [service, ...calls.map(({ method }) => method.operation)].every(
    ({ limits: { batchSize = length, payloadBytes = most } = {} }) =>
      length <= batchSize && most <= payloadBytes,
  )
}

/** What came of an exchange: a text and what stood before it, or an error; no address where nothing was sent. */
export type Outcome = {
  readonly address?: Address
  readonly text?: string
  readonly head?: Head
  readonly error?: unknown
}
