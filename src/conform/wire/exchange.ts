/** What is sent, to the byte. */
export type Sent = {
  readonly method: string
  /** Absolute; holds the key where the documents put it there. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export type Answer = {
  readonly status: number
  /** In their order and spelling, those that come twice twice. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** As it was before the server compressed it, where that can be undone. */
  readonly body: Uint8Array
  /** Nothing is left of what Content-Encoding names. */
  readonly isDecoded?: true
  /** From the first byte sent to the last byte read. */
  readonly milliseconds: number
}

/** One request and what came of it. */
export type Exchange = {
  readonly sent: Sent
  /** Undefined where none came, or not all of it. */
  readonly answer: Answer | undefined
  /** Why there is no answer: `the connection was closed`. */
  readonly failure: string | undefined
  /** Where it stands, of one that was recorded: `traffic/orders.har:12`. */
  readonly recorded?: string | undefined
}

/** Sends one request as it is given and resolves with what came of it; never rejects. */
export type Wire = (sent: Sent, options: WireOptions) => Promise<Exchange>

export type WireOptions = {
  /** An answer that is not complete by then is none. */
  readonly milliseconds: number
  readonly signal?: AbortSignal | undefined
}

/** How the failure of a request begins that HTTP cannot carry, a header with a line end in it: nobody was asked anything. */
export const UNSENT = 'the request cannot be sent'

export const isUnsent = ({ failure }: Pick<Exchange, 'failure'>): boolean =>
  failure?.startsWith(UNSENT) === true

/** Whether there is no answer because it took too long. */
export const isLate = ({ failure }: Pick<Exchange, 'failure'>): boolean =>
  failure?.startsWith('no whole answer in') === true

/** The value of a header, the first of several. */
export const headerOf = ({ headers }: Pick<Answer, 'headers'>, name: string): string | undefined =>
  headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]

/** A body as text; bytes that are no UTF-8 become U+FFFD. */
export const textOf = (body: string | Uint8Array | undefined): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body)
