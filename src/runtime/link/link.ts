import type { RpcOperation } from '../operation.js'

/** What carries the messages of a JSON-RPC client: its option `link`. Without that option, HTTP does. */
export type RpcLink = ExchangeLink | DuplexLink

/** A link on which each text that is sent has its own response, as in HTTP. */
export type ExchangeLink = {
  readonly kind: 'exchange'
  /**
   * Sends a request, a notification or a batch as JSON. Resolves with the texts of its response: none for notifications,
   * usually one, several for a stream. An error that it throws counts as a rejection of `network`.
   */
  readonly exchange: (text: string, sending: Sending) => Promise<LinkResponse>
  /**
   * Called once, before the first exchange: passes what the server sends outside of responses to `receive`. The signal is the
   * option `signal` of the client; when it aborts, nothing more is received. Rejects if nothing more can be received before.
   */
  readonly listen?: (receive: (text: string) => void, signal: AbortSignal) => Promise<void>
  /** Texts that are removed from everything that errors quote: credentials of the link. */
  readonly secrets?: () => readonly string[]
}

/** The side of a server of such a link. */
export type ServedExchangeLink = {
  readonly kind: 'exchange'
  /** Passes each text to `exchange`, and sends the texts that it returns, until it is closed. */
  readonly serve: (exchange: ServedExchange) => ServedCarrier | Promise<ServedCarrier>
}

/** Resolves with the texts of the response to a text; the last one is the response itself. Never rejects. */
export type ServedExchange = (
  text: string,
  sending?: { readonly signal?: AbortSignal | undefined },
) => Promise<{ readonly texts: AsyncIterable<string> }>

/** What passes texts to a server. */
export type ServedCarrier = { readonly close: () => unknown }

/**
 * A link on which both sides send at any time: a socket, a `MessagePort`, standard input and output. The client opens it for
 * its first call, and again for the first call after it closed. A link that cannot be opened again rejects.
 */
export type DuplexLink = {
  readonly kind: 'duplex'
  /** Resolves when texts can be sent. Each opening has events of its own. */
  readonly open: (events: LinkEvents) => Promise<LinkConnection>
  /** Texts that are removed from everything that errors quote: credentials of the link. */
  readonly secrets?: () => readonly string[]
}

/** What a duplex link reports to the client that opened it. */
export type LinkEvents = {
  /** One message or batch arrived. */
  readonly text: (text: string) => void
  /** Nothing more will arrive. Every pending call is rejected with `reason` as the cause. */
  readonly closed: (reason?: unknown) => void
}

/** An open duplex link. */
export type LinkConnection = {
  /** Resolves when the text was passed on; rejects if it was not sent. */
  readonly send: (text: string) => Promise<void>
  /** The client calls it when its option `signal` aborts. */
  readonly close: () => Promise<void>
  /** Stops reading, and begins again, where the link can: a server calls them when many calls of a connection wait. */
  readonly pause?: () => void
  readonly resume?: () => void
}

/** What a link may need to know about a text besides the text itself. */
export type Sending = {
  /** Aborts when no caller waits for the response any more. */
  readonly signal: AbortSignal
  /** 1, and one more for each retry. */
  readonly attempt: number
  /** The calls in the text, in its order. */
  readonly calls: readonly SentCall[]
}

/** A call in a text; a notification has no id. */
export type SentCall = {
  readonly id: number | undefined
  readonly method: { readonly operation: RpcOperation }
}

/** The response to one text. */
export type LinkResponse =
  | { readonly texts: readonly string[] | AsyncIterable<string>; readonly rejection?: undefined }
  | { readonly rejection: LinkRejection; readonly texts?: undefined }

/** Why a text has no response. The client decides by it whether calls that may be repeated are repeated. */
export type LinkRejection =
  | {
      /** The other side responded with an error of its own protocol, such as a status of HTTP outside 2xx. */
      readonly reason: 'status'
      readonly status: number
      readonly headers?: Headers | undefined
      /** The body of the response. A JSON-RPC error in it is the error of the calls. */
      readonly text: string
      /**
       * When the same text may succeed: seconds or a date, as in the header `Retry-After`; null if the time is not known.
       * Without it the text is not sent again.
       */
      readonly retryAfter?: string | null | undefined
    }
  | {
      /**
       * `network`: the text or its response was lost, and may be sent again. `too-large`: the response exceeds a limit.
       * `not-sent`: something that the link needs, such as a credential, could not be obtained. `hook`: a function of the
       * caller threw `cause`, with which the calls reject.
       */
      readonly reason: 'network' | 'too-large' | 'not-sent' | 'hook'
      readonly cause?: unknown
      readonly text?: undefined
      readonly retryAfter?: undefined
    }
