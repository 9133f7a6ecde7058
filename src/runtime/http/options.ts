import type { ClientOptions } from '../client-options.js'
import type { HttpOperation, Limits, Server } from '../operation.js'
import type { Auth } from '../shared/credentials.js'

/** What generated `operations.ts` holds of an HTTP document. */
export type HttpService = {
  readonly servers: readonly Server[]
  readonly limits: Limits
  readonly operations: Readonly<Record<string, HttpOperation>>
}

export type HttpOptions<ServerName extends string = string, Secrets = Auth> = ClientOptions & {
  /**
   * A documented name, or an address, to which the documented path is appended unless it ends with it; the first documented
   * server by default. Each path of the document may have servers of its own.
   */
  readonly server?: ServerName | (string & Readonly<Record<never, never>>) | URL | undefined
  /** Secret parameters by name, credentials by the name of their security scheme. */
  readonly auth?: Secrets | undefined
  /** Sent with every call beside the documented headers, which win. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}
