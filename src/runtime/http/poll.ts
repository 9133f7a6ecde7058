import type { Poll } from '../operation.js'
import {
  type Clock,
  closeDeadline,
  endOf,
  race,
  remaining,
  signalOf,
  startDeadline,
} from '../shared/deadline.js'
import { writeJson } from '../shared/json.js'
import type { CallOptions, PollOptions } from './call.js'
import type { Failures } from './failure.js'

/**
 * Calls an operation until its record is final. Yields each changed record, and the final one last. Each request has the
 * timeout of a call. An undocumented state continues the polling. A state that goes back is an error, because the caller may
 * have acted on the later one.
 */
export async function* pollOperation(
  poll: Poll,
  ask: (options: CallOptions) => Promise<unknown>,
  { interval = growing, timeout, signal, ...each }: PollOptions,
  { clock, fail }: { readonly clock: Clock; readonly fail: Failures },
): AsyncGenerator<unknown, void, undefined> {
  const deadline = startDeadline(signal ? [signal] : [], timeout, clock.now)
  let last: string | undefined
  let reached = -1
  try {
    for (let asked = 1; ; asked += 1) {
      const record = await ask({ ...each, signal: signalOf(deadline) })
      const state = String(Object(record)[poll.field])
      const place = poll.order.indexOf(state)
      if (place !== -1 && place < reached) {
        const message = `${poll.field} went back from ${poll.order[reached]} to ${state}`
        throw fail.call('invalid-answer', message)
      }
      reached = Math.max(reached, place)
      const text = writeJson(record)
      if (text !== last) yield record
      last = text
      if (poll.terminal.includes(state)) return
      const wait = typeof interval === 'number' ? interval : interval(asked)
      const rest = Math.min(wait, Math.max(0, remaining(deadline)))
      await race(deadline, clock.sleep(rest, signalOf(deadline)))
      if (endOf(deadline) !== undefined) throw deadline.reason
    }
  } catch (error) {
    const ended = endOf(deadline)
    if (ended === undefined) throw error
    if (ended === 'timeout') throw fail.call('timeout', `not final within ${timeout} ms`)
    throw fail.call('aborted', 'aborted', { cause: deadline.reason })
  } finally {
    closeDeadline(deadline)
  }
}

const growing = (asked: number): number => Math.min(500 * 1.5 ** (asked - 1), 5_000)
