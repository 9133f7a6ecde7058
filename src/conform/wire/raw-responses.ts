import { headerOf } from '../../runtime/wire/headers.js'
import type { ReceivedResponse } from '../../traffic/exchange.js'
import { decode } from './exchange.js'

/** The responses that arrived over one connection. */
export type RawResponses = {
  /** In order, without interim ones (1xx). */
  readonly answers: readonly ReceivedResponse[]
  /** The bytes after the last response are not HTTP. */
  readonly isBroken: boolean
}

/**
 * Reads the responses of a connection as their bytes arrive (RFC 9112, 6). No byte is read twice, because a server may send
 * very many.
 */
export const createResponseReader = () => {
  const answers: ReceivedResponse[] = []
  const input: Input = { held: EMPTY, isEnded: false }
  let isBroken = false
  const responses = readRawResponses(input, answers)
  const readOn = () => {
    isBroken ||= responses.next().done === true
  }
  return {
    push: (bytes: Uint8Array): void => {
      if (isBroken) return
      input.held = input.held.length === 0 ? bytes : Buffer.concat([input.held, bytes])
      readOn()
    },
    /** The connection has closed, which ends a body without a length. */
    end: (): void => {
      input.isEnded = true
      if (!isBroken) readOn()
    },
    read: (): RawResponses => ({ answers, isBroken }),
  }
}

/** `held`: the bytes that have arrived and are not read yet. */
type Input = { held: Uint8Array; isEnded: boolean }

/** Yields when more bytes are needed. */
type Reading<Result> = Generator<undefined, Result, undefined>

/** Adds each complete response. Returns at bytes that are not HTTP. */
function* readRawResponses(input: Input, answers: ReceivedResponse[]): Reading<void> {
  for (;;) {
    while (input.held.length === 0) yield
    const head = yield* textBefore(input, '\r\n\r\n', HTTP)
    const parsed = head === undefined ? undefined : parseHead(head)
    const body = parsed && (yield* readBody(input, parsed))
    if (parsed === undefined || body === undefined) return
    const { status, headers } = parsed
    if (status >= 200) answers.push(decode({ status, headers, body, milliseconds: 0 }))
  }
}

type Head = Pick<ReceivedResponse, 'status' | 'headers'>

const parseHead = (text: string): Head | undefined => {
  const [first = '', ...lines] = text.split('\r\n')
  const [, status] = /^HTTP\/\d\.\d (\d{3})/.exec(first) ?? []
  if (status === undefined) return undefined
  const headers = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { status: Number(status), headers }
}

/** Undefined if its framing is invalid. */
function* readBody(input: Input, { status, headers }: Head): Reading<Uint8Array | undefined> {
  if (status < 200 || status === 204 || status === 304) return EMPTY
  if (/chunked/i.test(headerOf(headers, 'transfer-encoding') ?? '')) return yield* readChunks(input)
  const length = headerOf(headers, 'content-length')
  if (length === undefined) return yield* readToEnd(input)
  return /^\d+$/.test(length) ? yield* readBytes(input, Number(length)) : undefined
}

function* readChunks(input: Input): Reading<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  for (let isLast = false; !isLast; ) {
    const line = yield* textBefore(input, '\r\n')
    const [digits] = /^[\da-f]+(?=[\t ]*(?:;|$))/i.exec(line ?? '') ?? []
    if (digits === undefined || parts.length > MOST_CHUNKS) return undefined
    const size = Number.parseInt(digits, 16)
    isLast = size === 0
    // A line end follows each chunk.
    if (!isLast) parts.push((yield* readBytes(input, size + 2)).subarray(0, size))
  }
  for (;;) {
    const trailer = yield* textBefore(input, '\r\n')
    if (trailer === undefined) return undefined
    if (trailer === '') return Buffer.concat(parts)
  }
}

/** The text up to a mark, which is read too. Undefined if it is too long, or does not begin with `start`. */
function* textBefore(input: Input, mark: string, start = ''): Reading<string | undefined> {
  for (let from = 0; ; ) {
    const held = Buffer.from(input.held.buffer, input.held.byteOffset, input.held.length)
    if (!start.startsWith(held.toString('latin1', 0, start.length))) return undefined
    const end = held.indexOf(mark, from)
    if (end >= 0) {
      input.held = held.subarray(end + mark.length)
      return held.toString('latin1', 0, end)
    }
    if (held.length > LONGEST_TEXT) return undefined
    from = Math.max(0, held.length - mark.length + 1)
    yield
  }
}

function* readBytes(input: Input, length: number): Reading<Uint8Array> {
  const parts: Uint8Array[] = []
  let missing = length
  while (input.held.length < missing) {
    parts.push(input.held)
    missing -= input.held.length
    input.held = EMPTY
    yield
  }
  parts.push(input.held.subarray(0, missing))
  input.held = input.held.subarray(missing)
  return Buffer.concat(parts)
}

function* readToEnd(input: Input): Reading<Uint8Array> {
  const parts: Uint8Array[] = []
  for (; !input.isEnded; yield) {
    parts.push(input.held)
    input.held = EMPTY
  }
  return Buffer.concat([...parts, input.held])
}

const EMPTY: Uint8Array = new Uint8Array()
const HTTP = 'HTTP/'

/** Bytes of a head or of a line, and chunks of a body: far more than any server sends. */
const LONGEST_TEXT = 256 * 1024
const MOST_CHUNKS = 100_000
