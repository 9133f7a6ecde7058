/** The contract's cases, and what drivers and the runner say to each other: README.md tells it. */

export type Case = {
  /** `parameters/queryForm/list`, unique. */
  readonly id: string
  readonly property: Property
  readonly protocol: 'http' | 'rpc'
  readonly options?: Options
  readonly call: Call
  /** The responses of the server, one for each request; the last one is repeated. By default 204 (HTTP). */
  readonly script?: readonly Reply[]
  /** What the server does on each WebSocket connection, in their order; further ones do as the last. */
  readonly sockets?: readonly (readonly SocketStep[])[]
  /** Without `outcome` and `requests`, those of the TypeScript client are written into the table. */
  readonly wanted?: Wanted
}

export type Property =
  | 'wire'
  | 'forms'
  | 'polling'
  | 'ids'
  | 'splitting'
  | 'retries'
  | 'redaction'
  | 'validation'
  | 'openness'
  | 'time'
  | 'cancellation'
  | 'place'
  | 'links'

/**
 * Times are seconds. `server` is `{origin}` by default, in which the runner puts the address of its server, and `{socket}` over
 * WebSockets.
 */
export type Options = {
  readonly server?: string
  readonly variables?: Readonly<Record<string, string>>
  /** A list is what a function returns, call by call; a pair is user and password. */
  readonly auth?: Readonly<
    Record<
      string,
      | string
      | { readonly user: string; readonly password: string }
      | { readonly each: readonly string[] }
    >
  >
  readonly headers?: Readonly<Record<string, string>>
  readonly timeout?: number
  readonly retry?: {
    readonly attempts?: number
    readonly delay?: number
    readonly longest?: number
  }
  readonly maxResponseBytes?: number
  readonly validateRequest?: 'strict' | 'off'
  readonly validateResponse?: 'tolerant' | 'strict' | 'off'
  /** The clock moves only by waits, unless it is `real`. */
  readonly clock?: 'real'
}

export type Call = {
  /** `together`: the members as calls of their own, all at once. `sequence`: one after the other. */
  readonly how?:
    | 'call'
    | 'poll'
    | 'pages'
    | 'items'
    | 'stream'
    | 'batch'
    | 'together'
    | 'sequence'
    | 'subscribe'
  readonly operation?: string
  readonly input?: Input
  readonly params?: unknown
  /** Of `batch`, `together` and `sequence`. */
  readonly members?: readonly { readonly operation: string; readonly params: unknown }[]
  /** Of a poll, in seconds. */
  readonly timeout?: number
  readonly interval?: number
  /** The items to read before a stream is closed. */
  readonly take?: number
  /**
   * When the caller cancels: before the call, at a wait of the client, after the first item, or when the server has begun to hold a
   * response, which `GET /cancel` tells.
   */
  readonly cancel?: 'before' | 'wait' | 'item' | 'held'
  /** Of a subscription: how often it is renewed in succession. */
  readonly attempts?: number
  /** The handlers of what the server sends, by operation: what they return, or the error that they throw. */
  readonly handlers?: Readonly<Record<string, Handling>>
}

export type Handling = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** A file is `{ $file: { text, name, type } }`. */
export type Input = {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
  readonly cookie?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly contentType?: string
}

export type Reply = {
  /** A text in the requests that it answers; by default it answers requests in their order. */
  readonly for?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Milliseconds before the head. */
  readonly delay?: number
  /** Milliseconds between the characters of the body. */
  readonly drip?: number
  /** The connection breaks after the body. */
  readonly cut?: true
  /** The connection breaks before the head. */
  readonly refuse?: true
  /** Nothing follows: no head, or no more of the body. */
  readonly hold?: 'head' | 'body'
  /** More of the body, which is sent when another request has arrived. */
  readonly rest?: string
}

/** A WebSocket connection that has done all of its steps is open until the client closes it. */
export type SocketStep =
  /** Waits for so many further texts of the client. */
  | { readonly receive: number }
  | { readonly send: string; readonly isBinary?: true }
  /** Closes the connection with a code. */
  | { readonly close: number }
  /** The connection breaks without a closing frame. */
  | { readonly cut: true }
  /** `GET /cancel` has its response now. */
  | { readonly hold: true }
  /** The response to the opening request; the only step of its connection. */
  | { readonly status: number }

export type Wanted = {
  readonly outcome?: Outcome
  readonly requests?: readonly Request[]
  /** The waits in seconds. */
  readonly waits?: readonly number[]
  /** The number of warnings; `undefined` where each language has its own. */
  readonly warnings?: number | undefined
  /** The params with which handlers were called. */
  readonly handled?: readonly Handled[]
}

/** `value` is the JSON text of the params. */
export type Handled = { readonly operation: string; readonly value: string }

/** `value` is a JSON text, so that digits count; of streams, polls and batches it is a list of outcomes. */
export type Outcome = {
  readonly kind: 'value' | 'list' | 'gap' | 'CallError' | 'HttpError' | 'RpcError' | 'TypeError'
  readonly value?: string
  readonly list?: readonly Outcome[]
  readonly reason?: string
  readonly operation?: string
  readonly status?: number
  readonly code?: number
  /** The message of an RpcError, and the body of an HttpError as JSON. */
  readonly text?: string
  /** The outermost place of its issues. */
  readonly pointer?: string
}

/** A text over a WebSocket has the method `TEXT`, and only a body. */
export type Request = {
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
  readonly body: string
}

/** What a driver prints for one case. `shown` is everything that a program could print: errors, causes, logs, clients. */
export type Answer = {
  readonly id: string
  readonly outcome: Outcome
  readonly waits: readonly number[]
  readonly warnings: number
  readonly handled?: readonly Handled[]
  readonly shown: string
}
