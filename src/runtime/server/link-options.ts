import type { AdmittedConnection, ServedRpc, ServerRequest } from './request.js'

/** An admitted connection with its limits. */
export type Admitted<Peer> = Omit<LinkOptions, 'request'> & {
  readonly rpc: ServedRpc<Peer>
  readonly admitted: AdmittedConnection
  /** Aborted at the end of the connection. */
  readonly ended: AbortController
}

export type LinkOptions = {
  /** The maximum number of texts that run at once; 100 by default. */
  readonly calls?: number | undefined
  /** The maximum number of texts that wait to run; 1,000 by default. One more closes the connection. */
  readonly waiting?: number | undefined
  /** The maximum number of subscriptions of a connection; 1,000 by default. More get the error -32005. */
  readonly subscriptions?: number | undefined
  /** The request that opened the connection: its URL, headers, address and state. The path is that of the document. */
  readonly request?: Partial<Omit<ServerRequest, 'method' | 'body' | 'signal'>> | undefined
}

/** A connection of a server. */
export type ServedLink<Peer = unknown> = {
  /** What the server sends to the other side: `peer.notify.<id>(…)` and `peer.call.<id>(…)`. */
  readonly peer: Peer
  readonly close: () => Promise<void>
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>
}
