import type { Limits } from '../operation.js'
import { isAbandoned, leaveToRest, type PendingCall, settle } from './call.js'
import type { Address, Line } from './client-context.js'
import type { Sent } from './match.js'
import { plainResponses } from './responses.js'
import type { Heard } from './send.js'

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
  const hear = (heard: Heard) => {
    const { head } = heard
    const answers = plainResponses(calls, sent, heard)
    // What may be told without what redacts it.
    const untold = head ? ` came to no usable answer (HTTP ${head.status})` : ' got no answer'
    if (answers)
      calls.forEach((call, index) => {
        settle(call, 'resolve', answers[index]?.result)
      })
    else
      leaveToRest(line, calls, 'network', untold, (rest) =>
        rest.mend(calls, sent, { address, ...heard }, line),
      )
  }
  const texts = calls.map(({ text }) => text).join()
  const end = line.send(address.url, address.headers, sent === 'alone' ? texts : `[${texts}]`, hear)
  const leave = () => {
    if (isAbandoned(calls)) end()
  }
  for (const call of calls) call.left = leave
}

/** Whether calls may be sent together; no character of them takes more than three bytes. */
const fits = (calls: readonly PendingCall[], { service }: Line): boolean => {
  let most = 1
  for (const { text } of calls) most += text.length * 3 + 1
  const { length } = calls
  const allows = ({ limits: { batchSize = length, payloadBytes = most } = {} }: Limited) =>
    length <= batchSize && most <= payloadBytes
  return allows(service) && calls.every(({ method }) => allows(method.operation))
}

type Limited = { readonly limits?: Limits }

/** What came of an exchange; no address where nothing was sent. */
export type Outcome = Heard & { readonly address?: Address }
