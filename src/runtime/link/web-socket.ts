/** What a link needs of a WebSocket: the class of the platform, or that of the package ws. */
export type Socket = {
  readonly readyState: number
  readonly bufferedAmount: number
  binaryType: string
  readonly send: (text: string) => void
  readonly close: (code?: number, reason?: string) => void
  /** `message` has `data`, `close` has `code` and `reason`, `error` may have `error`. */
  readonly addEventListener: (type: string, listener: (event: SocketEvent) => void) => void
  /** Frames of the protocol, which browsers do not offer. */
  readonly ping?: () => void
  readonly terminate?: () => void
  readonly pause?: () => void
  readonly resume?: () => void
  /** For the event `pong`. */
  readonly on?: (type: 'pong', listener: () => void) => unknown
}

export type SocketEvent = {
  readonly data?: unknown
  readonly code?: number
  readonly reason?: string
  readonly error?: unknown
}

/** Opens a socket. Throws for an address, a subprotocol or headers that the platform does not accept. */
export type Connect = (address: string, terms: ConnectTerms) => Socket | Promise<Socket>

type ConnectTerms = {
  readonly protocols: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Opens the WebSocket of the platform. Node, Deno and Bun take headers in place of the subprotocols, browsers take none.
 * `#socket` (`imports` of package.json) is `node-socket.ts` on Node and this file elsewhere.
 */
export const connect: Connect = (address, { protocols, headers }) => {
  const { WebSocket } = globalThis as unknown as { readonly WebSocket: SocketClass }
  if (Object.keys(headers).length === 0) return new WebSocket(address, [...protocols])
  try {
    return new WebSocket(address, { protocols: [...protocols], headers })
  } catch (cause) {
    throw new TypeError(
      'the WebSocket of this platform takes no headers: credentials can be in the URL, in `protocols` or in `login`',
      { cause },
    )
  }
}

type SocketClass = new (address: string, terms: string[] | object) => Socket
