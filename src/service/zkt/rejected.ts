/** The reason why a submission is rejected, as in the response (`ZktErrorCode` of the documents). */
export class RejectedSubmission extends Error {
  override readonly name = 'RejectedSubmission'
  readonly errorCode: RejectionCode
  /** Details for people or programs; undefined if there are none. */
  readonly details: unknown
  /** Whole seconds after which the same submission may be accepted. */
  readonly retrySeconds: number | undefined

  constructor(errorCode: RejectionCode, message: string, options: RejectedOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.errorCode = errorCode
    this.details = options.details
    this.retrySeconds = options.retrySeconds
  }
}

export type RejectionCode = keyof typeof STATUS

type RejectedOptions = {
  readonly details?: unknown
  readonly cause?: unknown
  readonly retrySeconds?: number
}

/** `arguments.0` for `/arguments/0`: a place in a sentence. */
export const fieldPath = (pointer: string): string => pointer.slice(1).replaceAll('/', '.')

/** The HTTP status of each code (spec/paths/refusals.yaml). */
export const STATUS = {
  INVALID_BODY: 400,
  UNKNOWN_METHOD: 400,
  ARGUMENTS_MISMATCH: 400,
  COMPILATION_FAILED: 400,
  NO_CODE_AT_ADDRESS: 400,
  EXECUTION_REVERTED: 400,
  NOT_EXECUTED: 400,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
} as const
