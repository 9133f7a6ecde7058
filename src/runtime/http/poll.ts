import { CallError } from '../errors.js'
import type { Poll } from '../operation.js'
import { startDeadline } from '../shared/deadline.js'
import type { CallOptions, HttpContext, PollOptions } from './call.js'

/**
 * Asks an operation until its record is final; yields it when it has changed, and the final one last. Each request keeps
 * the timeout of a call. A state that no document names keeps the wait going; one that goes back is an error, for a caller
 * may have acted on the later one.
 */
export async function* pollOperation(
  { operation: { id }, settings: { clock } }: HttpContext,
  poll: Poll,
  ask: (options: CallOptions) => Promise<unknown>,
  { interval = growing, timeout, signal, ...each }: PollOptions,
): AsyncGenerator<unknown, void, undefined> {
  const fail = (reason: 'timeout' | 'aborted' | 'invalid-answer', text: string, cause?: unknown) =>
    new CallError(
      { reason, operation: id, message: `${id}: ${text}` },
      cause === undefined ? undefined : { cause },
    )
  const deadline = startDeadline([signal], timeout, clock.now)
  let last: string | undefined
  let reached = -1
  try {
    for (let asked = 1; ; asked += 1) {
      const record = await ask({ ...each, signal: deadline.signal() })
      const state = String(Object(record)[poll.field])
      const place = poll.order.indexOf(state)
      if (place !== -1 && place < reached) {
        const message = `${poll.field} went back from ${poll.order[reached]} to ${state}`
        throw fail('invalid-answer', message)
      }
      reached = Math.max(reached, place)
      const text = JSON.stringify(record, (_, value) =>
        typeof value === 'bigint' ? `${value}` : value,
      )
      if (text !== last) yield record
      last = text
      if (poll.terminal.includes(state)) return
      const wait = typeof interval === 'number' ? interval : interval(asked)
      const rest = Math.min(wait, Math.max(0, deadline.remaining()))
      await deadline.race(clock.sleep(rest, deadline.signal()))
      if (deadline.ended() !== undefined) throw deadline.reason()
    }
  } catch (error) {
    const ended = deadline.ended()
    if (ended === undefined) throw error
    const text = ended === 'timeout' ? `not final within ${timeout} ms` : 'aborted'
    throw fail(ended, text, ended === 'aborted' ? deadline.reason() : undefined)
  } finally {
    deadline.end()
  }
}

const growing = (asked: number): number => Math.min(500 * 1.5 ** (asked - 1), 5_000)
