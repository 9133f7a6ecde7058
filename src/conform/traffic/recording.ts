import type { Answer, Sent } from '../wire/exchange.js'

/** One request as it was recorded, and what came of it. */
export type Recording = {
  readonly file: string
  /** 1-based: where it begins. */
  readonly line: number
  /** Of an entry of one large value, which may stand on a line with all the others: `/log/entries/3`. */
  readonly pointer?: string
  /** Without an address where only JSON-RPC was recorded, and not where it went. */
  readonly sent: Omit<Sent, 'url'> & { readonly url: string | undefined }
  /** Undefined where none was recorded. */
  readonly answer: Answer | undefined
}

/** A recording that cannot be read: one sentence with its file and line, and what to do. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
  readonly file: string
  readonly line: number

  constructor(file: string, line: number, message: string, options: ErrorOptions = {}) {
    super(`${file}:${line}: ${message}`, options)
    this.file = file
    this.line = line
  }
}

/** The line of a place in a text, 1-based. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** Parses a text that begins at a line of a file. Throws RecordingError where it is no JSON. */
export const parseRecorded = (file: string, line: number, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const [, position = '0'] = /position (\d+)/.exec(String(cause)) ?? []
    const place = line + lineAt(text, Number(position)) - 1
    const advice = 'it is cut short or edited by hand: record it again, or leave it out'
    throw new RecordingError(file, place, `this is no JSON, so ${advice}`, { cause })
  }
}

/** An answer of JSON-RPC of which nothing but its text was recorded. */
export const plainAnswer = (text: string): Answer => ({
  status: 200,
  headers: [['content-type', 'application/json']],
  body: new TextEncoder().encode(text),
  milliseconds: 0,
})

export const plainRequest = (text: string): Recording['sent'] => ({
  method: 'POST',
  url: undefined,
  headers: { 'content-type': 'application/json' },
  body: text,
})
