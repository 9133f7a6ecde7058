import { fileNameOf, headerParameter, unescaped } from '../shared/file-name.js'

/**
 * Reads a multipart body (RFC 2046, 5.1; RFC 7578) piece by piece, and keeps at most one chunk of it. Throws a MultipartError
 * for an invalid body.
 */
export async function* readMultipart(
  chunks: AsyncIterator<Uint8Array>,
  boundary: string,
): AsyncGenerator<MultipartPiece> {
  const splitter = createMultipartSplitter(boundary)
  for (let step = await chunks.next(); !step.done; step = await chunks.next()) {
    splitter.push(step.value)
    for (let piece = splitter.take(); piece !== undefined; piece = splitter.take()) yield piece
  }
  splitter.end()
}

/** The same for a whole body. */
export function* readPieces(body: Uint8Array, boundary: string): Generator<MultipartPiece> {
  const splitter = createMultipartSplitter(boundary)
  splitter.push(body)
  for (let piece = splitter.take(); piece !== undefined; piece = splitter.take()) yield piece
  splitter.end()
}

/** Divides the chunks of a multipart body. What follows the last boundary is ignored. */
const createMultipartSplitter = (boundary: string) => {
  const delimiter = ASCII.encode(`\r\n--${boundary}`)
  // The first delimiter may be at the very beginning, without a line end before it.
  let rest: Uint8Array = ASCII.encode('\r\n')
  /** `preamble` and `part` end with a boundary, after which the line ends, and the headers of a part follow. */
  let state: 'preamble' | 'part' | 'boundary' | 'headers' | 'closed' = 'preamble'

  const takeData = (): MultipartPiece | undefined => {
    const isPart = state === 'part'
    const at = indexOf(rest, delimiter)
    // The delimiter may begin at the end of the available bytes.
    const end = at === -1 ? rest.byteLength - delimiter.byteLength + 1 : at
    const bytes = end > 0 ? rest.subarray(0, end) : undefined
    if (at !== -1) {
      rest = rest.subarray(at + delimiter.byteLength)
      state = 'boundary'
    } else if (bytes) rest = rest.subarray(end)
    return isPart && bytes ? { kind: 'data', bytes } : undefined
  }

  const endBoundary = (): void => {
    if (isClosing(rest)) {
      state = 'closed'
      return
    }
    const end = indexOf(rest, LINE_END)
    if (end === -1 && rest.byteLength < LONGEST_PADDING + LINE_END.byteLength) return
    // The same limit applies however the body is divided into chunks.
    if (end === -1 || end > LONGEST_PADDING || !isBlank(rest.subarray(0, end)))
      throw new MultipartError('has text after a boundary')
    // The line end is kept, because in a part without headers the empty line follows directly.
    rest = rest.subarray(end)
    state = 'headers'
  }

  const takeHead = (): MultipartPiece | undefined => {
    const end = indexOf(rest, HEAD_END)
    const least = end === -1 ? rest.byteLength - HEAD_END.byteLength + 1 : end
    if (least > LONGEST_HEAD)
      throw new MultipartError(`has a part whose headers exceed ${LONGEST_HEAD} bytes`)
    if (end === -1) return undefined
    const piece = headOf(rest.subarray(0, end))
    rest = rest.subarray(end + HEAD_END.byteLength)
    state = 'part'
    return piece
  }

  return {
    push: (chunk: Uint8Array): void => {
      if (state !== 'closed') rest = rest.byteLength === 0 ? chunk : joinedBytes([rest, chunk])
    },
    /** The next piece; undefined if it needs another chunk. */
    take: (): MultipartPiece | undefined => {
      if (state === 'preamble' || state === 'part') {
        const data = takeData()
        if (data) return data
      }
      if (state === 'boundary') endBoundary()
      return state === 'headers' ? takeHead() : undefined
    },
    end: (): void => {
      if (state !== 'closed') throw new MultipartError('ends before its last boundary')
    },
  }
}

export type MultipartPiece =
  /** The beginning of a part. */
  | {
      readonly kind: 'head'
      readonly name: string
      /** Undefined if the part is not a file. */
      readonly fileName: string | undefined
      /** Its media type with parameters; undefined if it has none. */
      readonly type: string | undefined
    }
  /** Bytes of the current part. */
  | { readonly kind: 'data'; readonly bytes: Uint8Array }

/** A body that is not a multipart body. The message continues `The body`. */
export class MultipartError extends Error {
  override readonly name = 'MultipartError'
}

/** The `boundary` of a Content-Type; undefined if it has no valid one (RFC 2046, 5.1.1). */
export const boundaryOf = (contentType: string): string | undefined => {
  const boundary = headerParameter(contentType, 'boundary')
  return boundary !== undefined && /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary)
    ? boundary
    : undefined
}

const ASCII = new TextEncoder()
const LINE_END = ASCII.encode('\r\n')
const HEAD_END = ASCII.encode('\r\n\r\n')

/** RFC 2046, 5.1.1: blanks that a gateway may have added after a boundary. */
const LONGEST_PADDING = 256
const LONGEST_HEAD = 16_384

const DASH = 0x2d
const isClosing = (bytes: Uint8Array): boolean => bytes[0] === DASH && bytes[1] === DASH

const isBlank = (bytes: Uint8Array): boolean => bytes.every((one) => one === 0x20 || one === 0x09)

const headOf = (bytes: Uint8Array): MultipartPiece => {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new MultipartError('has a part whose headers are not UTF-8')
  }
  const headers = new Map<string, string>()
  for (const line of text.split('\r\n')) {
    const [, name, value = ''] = /^([^:\s]+):\s*(.*)/s.exec(line) ?? []
    if (name !== undefined) headers.set(name.toLowerCase(), value.trim())
    else if (line !== '') throw new MultipartError('has a part with a malformed header')
  }
  const disposition = headers.get('content-disposition') ?? ''
  const name = headerParameter(disposition, 'name')
  if (!/^form-data\s*;/i.test(disposition) || name === undefined)
    throw new MultipartError('has a part without a name: Content-Disposition must be form-data')
  const coding = headers.get('content-transfer-encoding') ?? 'binary'
  // RFC 7578, 4.7: it is deprecated, and clients do not send it over HTTP.
  if (!/^(binary|7bit|8bit)$/i.test(coding))
    throw new MultipartError('has a part with a Content-Transfer-Encoding, which is not supported')
  return {
    kind: 'head',
    name: unescaped(name),
    fileName: fileNameOf(disposition),
    type: headers.get('content-type'),
  }
}

export const joinedBytes = (chunks: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

/** Defined on Node, whose own search is much faster. */
const { Buffer: BUFFER } = globalThis as { Buffer?: typeof Buffer }

const indexOf = (bytes: Uint8Array, wanted: Uint8Array): number => {
  if (BUFFER) return BUFFER.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(wanted)
  const [first = 0] = wanted
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1))
    if (wanted.every((one, index) => bytes[at + index] === one)) return at
  return -1
}
