import type { Hooks } from './shared/hooks.js'
import type { Warning } from './shared/issues.js'
import type { Clock, Retry } from './shared/retry.js'
import type { Transport } from './transport/web-transport.js'

/** Options that mean the same for both protocols. */
export type ClientOptions = Hooks & {
  /** Values of the `{variables}` in server URLs. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined
  /** Sends every request; by default the platform's own `fetch`, or a faster way to the same. */
  readonly fetch?: Transport | undefined
  /** Milliseconds for one call, retries included; 60,000 by default, Infinity for no end. */
  readonly timeout?: number | undefined
  /** For operations marked `x-idempotent`; no other is retried. */
  readonly retry?: Retry | undefined
  readonly validate?: Validation | undefined
  /** Receives each response that differs from the document and is returned nevertheless. */
  readonly onWarning?: ((warning: Warning) => unknown) | undefined
  /** Time and waiting, for tests. */
  readonly clock?: Partial<Clock> | undefined
}

/** How values are validated. */
export type Validation = {
  /** `strict`, the default: a request that is invalid is not sent. */
  readonly request?: 'strict' | 'off' | undefined
  /**
   * `tolerant`, the default: unknown properties are ignored. An unknown value of an enum, an unknown variant, the absence of
   * a property that may be null and an undeclared media type are reported to `onWarning`, and the body is returned. Everything
   * else rejects the call. `strict`: every difference from the document rejects the call.
   */
  readonly response?: 'tolerant' | 'strict' | 'off' | undefined
}
