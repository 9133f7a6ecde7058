import type { HttpOperation, Limits, Server } from '../operation.js'
import type { Auth } from '../shared/credentials.js'
import type { Clock, Retry } from '../shared/retry.js'
import type { Transport } from '../transport/web-transport.js'
import type { Validation } from './call.js'

/** What generated `operations.ts` holds of an HTTP document. */
export type HttpService = {
  readonly servers: readonly Server[]
  readonly limits: Limits
  readonly operations: Readonly<Record<string, HttpOperation>>
}

export type HttpOptions<ServerName extends string = string, Secrets = Auth> = {
  /** A documented name, or a URL that stands for every server; the first documented one by default. */
  readonly server?: ServerName | (string & Readonly<Record<never, never>>) | URL | undefined
  /** Values of the `{variables}` in server URLs. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined
  /** Secret parameters by name, credentials by the name of their security scheme. */
  readonly auth?: Secrets | undefined
  /** Sent with every call beside the documented headers, which win. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Sends every request; the platform's own `fetch`, or a faster way to the same, by default. */
  readonly fetch?: Transport | undefined
  /** Milliseconds for one call, retries included; 60,000 by default, Infinity for no end. */
  readonly timeout?: number | undefined
  /** For operations that the document calls idempotent, on network failure, 429 and 503; no other is repeated. */
  readonly retry?: Retry | undefined
  readonly validate?: Validation | undefined
  /** Time and waiting, for tests. */
  readonly clock?: Partial<Clock> | undefined
}
