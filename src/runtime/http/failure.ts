import { CallError, type CallFailure, HttpError } from '../errors.js'
import { writeJson } from '../shared/json.js'
import { describeFaults } from '../shared/load-explanations.js'
import type { Redact } from '../shared/redact.js'
import { redactCause, redactHeaders, redactValue } from '../shared/redact-value.js'
import type { Fault } from '../validate.js'

/** Creates the errors of one call, without secrets in text, body, headers and cause. */
export const createFailures = (operation: string, redactNow: () => Redact): Failures => ({
  clean: (value) => redactValue(value, redactNow()),
  call: (reason, text, { faults = [], cause, response } = {}) => {
    const redact = redactNow()
    const why = faults.length === 0 ? '' : `: ${describeFaults(faults)}`
    return new CallError(
      {
        reason,
        operation,
        message: redact(`${operation}: ${text}${why}`),
        issues: redactValue(faults, redact),
        ...redactValue(response, redact),
      },
      cause === undefined ? undefined : { cause: redactCause(cause, redact) },
    )
  },
  http: ({ status, headers, body, faults }) => {
    const redact = redactNow()
    const clean = redactValue(body, redact)
    // Redacted before it is truncated, because a part of a secret is no longer recognised.
    const text = typeof clean === 'string' ? clean : (writeJson(clean) ?? '')
    const excerpt = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}...` : text
    return new HttpError({
      operation,
      status,
      body: clean,
      headers: redactHeaders(headers, redact),
      issues: redactValue(faults, redact),
      message: `${operation} returned ${status}${excerpt === '' ? '' : `: ${excerpt}`}`,
    })
  },
})

export type Failures = {
  /** Removes the secrets from a value before it is quoted and truncated, because a part of a secret is no longer recognised. */
  readonly clean: <T>(value: T) => T
  readonly call: (
    reason: CallFailure,
    text: string,
    details?: {
      readonly faults?: readonly Fault[]
      readonly cause?: unknown
      /** A success that cannot be read as its type. */
      readonly response?: Pick<CallError, 'status' | 'mediaType' | 'text'>
    },
  ) => CallError
  readonly http: (answer: {
    readonly status: number
    readonly headers: Headers
    readonly body: unknown
    readonly faults: readonly Fault[]
  }) => HttpError
}

const EXCERPT = 200
