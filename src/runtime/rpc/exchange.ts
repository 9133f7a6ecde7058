import { CallError } from '../errors.js'
import type { Deadline } from '../ground/deadline.js'
import { messageOf } from '../ground/message-of.js'
import { redactCause } from '../ground/redact-value.js'
import type { Address, Endpoint } from './endpoint.js'
import type { Sent } from './match.js'
import { type Call, readVerdicts, type Verdict } from './verdict.js'

/**
 * Sends calls as one POST and says what each of them came to. `alone` takes exactly one call.
 */
export const exchange = async (
  calls: readonly Call[],
  sent: Sent,
  line: Line,
  deadline: Deadline,
): Promise<readonly Verdict[]> => {
  const body = sent === 'alone' ? texts(calls) : `[${texts(calls)}]`
  let address: Address
  try {
    address = await line.endpoint(deadline)
  } catch (cause) {
    return fail(calls, 'invalid-input', `was not sent: ${messageOf(cause)}`, cause)
  }
  const { url, headers, redact } = address
  let response: Response
  let text: string
  try {
    const init = { method: 'POST', headers, body, signal: deadline.signal }
    response = await deadline.race(line.fetch(url, init))
    text = await deadline.race(response.text())
  } catch (error) {
    const cause = redactCause(error, redact)
    return fail(calls, 'network', `got no answer: ${messageOf(cause)}`, cause)
  }
  return readVerdicts(calls, sent, { response, text, redact })
}

export type Line = {
  readonly endpoint: Endpoint
  readonly fetch: Fetch
}

/** The part of the platform's `fetch` that is used here. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

const texts = (calls: readonly Call[]): string => calls.map(({ text }) => text).join()

const fail = (
  calls: readonly Call[],
  reason: 'invalid-input' | 'network',
  message: string,
  cause: unknown,
): readonly Verdict[] =>
  calls.map(({ operation: { method } }) => ({
    kind: 'failed',
    error: new CallError({ reason, operation: method, message: `${method} ${message}` }, { cause }),
    passing: reason === 'network',
  }))
