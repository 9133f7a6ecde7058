import { plainResults } from './answers.js'
import { answerCall, giveUp, isAbandoned, type PendingCall } from './call.js'
import type { Address, Endpoint } from './endpoint.js'
import type { Sent } from './match.js'
import type { Reply, Send } from './send.js'

/** Sends calls as one POST and tells what came of it, once. Where nobody waits for any of them, the request is ended. */
export const post = (
  calls: readonly PendingCall[],
  sent: Sent,
  { endpoint, send }: Line,
  heard: (outcome: Outcome) => void,
): void => {
  const [first, ...others] = calls
  if (first === undefined) return
  // Put together once, by whoever writes it; `join` would do it for each text besides.
  const texts = others.reduce((sum, { text }) => `${sum},${text}`, first.text)
  const body = sent === 'alone' ? texts : `[${texts}]`
  const begin = (address: Address) => {
    const end = send(
      address.url,
      endpoint.headers,
      body,
      (reply) => heard({ kind: 'answered', reply, address }),
      (error) => heard({ kind: 'failed', error, address }),
    )
    const leave = () => {
      if (isAbandoned(calls)) end()
    }
    for (const call of calls) call.left = leave
  }
  const address = endpoint.find()
  if (!(address instanceof Promise)) begin(address)
  else {
    address.then(
      (found) => {
        if (!isAbandoned(calls)) begin(found)
      },
      (error) => heard({ kind: 'unsent', error }),
    )
  }
}

/** Sends calls and settles them: at once where all is well, else `mend` does. */
export const deliver = (
  calls: readonly PendingCall[],
  sent: Sent,
  line: Line,
  mend: (outcome: Outcome) => Promise<void>,
): void =>
  post(calls, sent, line, (outcome) => {
    const results = resultsOf(calls, sent, outcome)
    if (results === undefined) {
      if (!isAbandoned(calls)) failWith(calls, mend(outcome))
      return
    }
    let index = 0
    for (const call of calls) answerCall(call, results[index++])
  })

/** What is not at hand may be out of reach, above all where the network is what has failed. */
export const failWith = (calls: readonly PendingCall[], work: Promise<void>): void => {
  work.catch((cause) => {
    for (const call of calls) giveUp(call, 'network', ` came to no usable answer${UNTOLD}`, cause)
  })
}

/** Nothing that was heard is repeated: what redacts it is of the part that is missing. */
export const UNTOLD = ', and the part of the client that says why could not be loaded'

export type Line = { readonly endpoint: Endpoint; readonly send: Send }

export type Outcome =
  | { readonly kind: 'answered'; readonly address: Address; readonly reply: Reply }
  | { readonly kind: 'failed'; readonly address: Address; readonly error: unknown }
  | { readonly kind: 'unsent'; readonly error: unknown }

const resultsOf = (calls: readonly PendingCall[], sent: Sent, outcome: Outcome) => {
  if (outcome.kind !== 'answered') return undefined
  const { status, text } = outcome.reply
  try {
    return status >= 200 && status < 300 ? plainResults(calls, sent, text) : undefined
  } catch {
    // No JSON, a broken validator, a stack too small for an answer: told where errors are made.
    return undefined
  }
}
