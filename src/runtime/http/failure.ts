import { CallError, type CallFailure, HttpError } from '../errors.js'
import { describeFaults } from '../shared/load-explanations.js'
import type { Redact } from '../shared/redact.js'
import { redactCause, redactHeaders, redactValue } from '../shared/redact-value.js'
import type { Fault } from '../validate.js'

/** Makes the errors of one call: the boundary that no secret passes, in text, body, headers or cause. */
export const createFailures = (operation: string, redactNow: () => Redact): Failures => ({
  clean: (value) => redactValue(value, redactNow()),
  call: (reason, text, { faults = [], cause } = {}) => {
    const redact = redactNow()
    const why = faults.length === 0 ? '' : `: ${describeFaults(faults)}`
    return new CallError(
      {
        reason,
        operation,
        message: redact(`${operation}: ${text}${why}`),
        issues: redactValue(faults, redact),
      },
      cause === undefined ? undefined : { cause: redactCause(cause, redact) },
    )
  },
  http: ({ status, headers, body, faults }) => {
    const redact = redactNow()
    const clean = redactValue(body, redact)
    // Redacted before it is cut: half a secret would no longer be known as one.
    const text = typeof clean === 'string' ? clean : (JSON.stringify(clean) ?? '')
    const excerpt = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}...` : text
    return new HttpError({
      operation,
      status,
      body: clean,
      headers: redactHeaders(headers, redact),
      issues: redactValue(faults, redact),
      message: `${operation} answered ${status}${excerpt === '' ? '' : `: ${excerpt}`}`,
    })
  },
})

export type Failures = {
  /** The value without secrets: for what quotes it cut short, as half a secret would not be known as one. */
  readonly clean: <T>(value: T) => T
  readonly call: (
    reason: CallFailure,
    text: string,
    details?: { readonly faults?: readonly Fault[]; readonly cause?: unknown },
  ) => CallError
  readonly http: (answer: {
    readonly status: number
    readonly headers: Headers
    readonly body: unknown
    readonly faults: readonly Fault[]
  }) => HttpError
}

const EXCERPT = 200
