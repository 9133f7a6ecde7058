import type { CallError } from '../errors.js'
import type { Poll } from '../operation.js'
import { startDeadline } from '../shared/deadline.js'
import { redactor } from '../shared/redact.js'
import type { Clock } from '../shared/retry.js'
import type { CallOptions, PollOptions } from './call.js'
import type { HttpContext } from './context.js'
import { createFailures } from './failure.js'

/** Asks an operation until its record is final; each question keeps the timeout of a call. */
export const pollOperation = (
  context: HttpContext,
  poll: Poll,
  ask: (options: CallOptions) => Promise<unknown>,
  options: PollOptions,
): AsyncGenerator<unknown, void, undefined> => {
  const { interval: _, timeout: __, signal: ___, ...each } = options
  const fail = createFailures(context.operation.id, () => redactor([])).call
  return pollRecord(poll, (signal) => ask({ ...each, signal }), {
    ...options,
    clock: context.clock,
    fail: (reason, text, cause) => fail(reason, text, { cause }),
  })
}

/**
 * Asks until the record is final; yields it when it has changed, and the final one last. A state that no document
 * names keeps the wait going; one that goes back is refused, for a caller may have acted on the later one.
 */
export async function* pollRecord(
  poll: Poll,
  ask: (signal: AbortSignal) => Promise<unknown>,
  options: PollOptions & {
    readonly clock: Clock
    readonly fail: (
      reason: 'timeout' | 'aborted' | 'invalid-answer',
      text: string,
      cause?: unknown,
    ) => CallError
  },
): AsyncGenerator<unknown, void, undefined> {
  const { interval = growing, clock, fail } = options
  const deadline = startDeadline({
    signal: options.signal,
    timeout: options.timeout,
    now: clock.now,
  })
  let last: string | undefined
  let reached = -1
  try {
    for (let asked = 1; ; asked += 1) {
      const record = await ask(deadline.signal)
      const state = stateOf(record, poll.field)
      const place = poll.order.indexOf(state)
      const before = poll.order[reached]
      if (place !== -1 && place < reached)
        throw fail('invalid-answer', `${poll.field} went back from ${before} to ${state}`)
      reached = Math.max(reached, place)
      const text = JSON.stringify(record)
      if (text !== last) yield record
      last = text
      if (poll.terminal.includes(state)) return
      const wait = typeof interval === 'number' ? interval : interval(asked)
      const rest = Math.min(wait, Math.max(0, deadline.remaining()))
      await deadline.race(clock.sleep(rest, deadline.signal))
      if (deadline.ended() !== undefined) throw deadline.signal.reason
    }
  } catch (error) {
    const ended = deadline.ended()
    if (ended === undefined) throw error
    const text = ended === 'timeout' ? `not final within ${options.timeout} ms` : 'aborted'
    throw fail(ended, text, ended === 'aborted' ? deadline.signal.reason : undefined)
  } finally {
    deadline.end()
  }
}

const growing = (asked: number): number => Math.min(500 * 1.5 ** (asked - 1), 5_000)

const stateOf = (record: unknown, field: string): string => {
  const value =
    typeof record === 'object' && record !== null
      ? (record as Readonly<Record<string, unknown>>)[field]
      : undefined
  return String(value)
}
