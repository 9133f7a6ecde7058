import { createSplitter } from '../streams/pieces.js'
import type { LinkConnection, LinkEvents } from './link.js'

/** How texts are divided: `lines`, one text a line; `content-length`, headers before each text, as in LSP. */
export type Framing = 'lines' | 'content-length'

export type FrameOptions = {
  /** `lines` by default. */
  readonly framing?: Framing | undefined
  /** The maximum number of bytes of a text that arrives; 104,857,600 (100 MiB) by default. A larger one ends the connection. */
  readonly maxBytes?: number | undefined
}

/** Two streams of bytes, as Node has them. */
export type ByteStreams = {
  readonly input: AsyncIterable<Uint8Array | string>
  readonly output: ByteOutput
}

/** A `Writable` of Node. */
export type ByteOutput = {
  readonly write: (text: string, done: (error?: Error | null) => void) => unknown
  readonly end?: () => unknown
  readonly on?: (event: 'error', listener: (error: Error) => void) => unknown
}

/** A connection over two streams of bytes. The end of the input is reported to `closed`. */
export const connectStreams = (
  { input, output }: ByteStreams,
  { text, closed }: LinkEvents,
  { framing = 'lines', maxBytes = 100 * 2 ** 20 }: FrameOptions,
): LinkConnection => {
  const texts = framing === 'lines' ? createLineReader(maxBytes) : createFrameReader(maxBytes)
  const iterator = input[Symbol.asyncIterator]()
  let isOver = false
  let paused: Promise<void> | undefined
  let resume = (): void => undefined
  const end = (reason?: unknown): void => {
    if (isOver) return
    isOver = true
    resume()
    closed(reason)
  }
  const read = async (): Promise<void> => {
    try {
      while (!isOver) {
        const step = await iterator.next()
        if (step.done) return end()
        const chunk = typeof step.value === 'string' ? UTF8.encode(step.value) : step.value
        for (const one of texts(chunk)) text(one)
        await paused
      }
    } catch (cause) {
      end(cause instanceof Error ? cause.message : String(cause))
    }
  }
  output.on?.('error', (error) => end(error.message))
  void read()
  return {
    send: (message) =>
      new Promise((resolve, reject) => {
        if (isOver) reject(new Error('the connection is closed'))
        else
          output.write(framedText(message, framing), (error) => (error ? reject(error) : resolve()))
      }),
    close: async () => {
      end()
      try {
        output.end?.()
      } catch {
        // Standard output cannot be ended.
      }
      // A stream that waits for data ends only with it.
      iterator.return?.()?.catch(() => undefined)
    },
    pause: () => {
      paused = new Promise((resolve) => {
        resume = () => {
          paused = undefined
          resolve()
        }
      })
    },
    resume: () => resume(),
  }
}

/** A text with what divides it from the next one. */
export const framedText = (text: string, framing: Framing): string =>
  framing === 'lines'
    ? `${text}\n`
    : `Content-Length: ${UTF8.encode(text).byteLength}\r\n\r\n${text}`

const UTF8 = new TextEncoder()

type Reader = (chunk: Uint8Array) => readonly string[]

const tooLarge = (maxBytes: number): RangeError =>
  new RangeError(`a message has more than ${maxBytes} bytes (maxBytes)`)

const createLineReader = (maxBytes: number): Reader => {
  const decoder = new TextDecoder()
  const splitter = createSplitter('lines', '')
  return (chunk) => {
    const found = splitter.push(decoder.decode(chunk, { stream: true })).map(({ data }) => data)
    if (splitter.waiting() > maxBytes) throw tooLarge(maxBytes)
    return found
  }
}

/** LSP, base protocol: headers end with an empty line; Content-Length counts the bytes of the content. */
const createFrameReader = (maxBytes: number): Reader => {
  let pieces: Uint8Array[] = []
  let size = 0
  /** The number of bytes that are needed before there is something to read. */
  let needed = 1
  let length: number | undefined
  const take = (count: number): Uint8Array => {
    const all = joined(pieces, size)
    pieces = [all.subarray(count)]
    size -= count
    return all.subarray(0, count)
  }
  return (chunk) => {
    const found: string[] = []
    pieces.push(chunk)
    size += chunk.byteLength
    while (size >= needed && (size > 0 || length === 0)) {
      if (length === undefined) {
        const all = joined(pieces, size)
        pieces = [all]
        const head = headOf(all)
        if (head === undefined) {
          if (size > MOST_HEADERS) throw new RangeError('the headers of a message do not end')
          needed = size + 1
          break
        }
        take(head.bytes)
        length = head.length
        if (length > maxBytes) throw tooLarge(maxBytes)
        needed = length
      }
      if (size < length) break
      found.push(new TextDecoder().decode(take(length)))
      length = undefined
      needed = 1
    }
    return found
  }
}

/** Bytes. */
const MOST_HEADERS = 4_096

/** The length in the headers at the beginning, and their bytes; undefined if they are incomplete. */
const headOf = (
  bytes: Uint8Array,
): { readonly bytes: number; readonly length: number } | undefined => {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, MOST_HEADERS))
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [, digits] =
    /^content-length: *(\d+) *$/im.exec(text.slice(0, end).replaceAll('\r', '')) ?? []
  if (digits === undefined) throw new SyntaxError('a message has no header Content-Length')
  return { bytes: end + 4, length: Number(digits) }
}

const joined = (pieces: readonly Uint8Array[], size: number): Uint8Array => {
  const [first] = pieces
  if (pieces.length === 1 && first) return first
  const all = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.byteLength
  }
  return all
}
