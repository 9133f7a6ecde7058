import { type FileInput, isBuffer, type StreamedFile, unshared } from '../shared/file.js'
import { streamFrom, streamOf } from '../shared/file-stream.js'
import type { WrittenBody } from './serialize.js'

/**
 * Writes a multipart body (RFC 7578). It is a Blob, which copies no file and can be sent again, unless a part is a stream.
 * `FormData` cannot mark files or set media types of parts.
 */
export const writeMultipart = (parts: readonly Part[], mediaType: string): WrittenBody => {
  const boundary = `twinspec-${crypto.randomUUID()}`
  const contentType = `${mediaType}; boundary=${boundary}`
  const all = writePieces(parts, boundary)
  if (all.some(isStreamed)) {
    return { body: streamFrom(chunksOf(all)), contentType, size: undefined }
  }
  const body = new Blob(all.filter((one): one is Exclude<Piece, StreamedFile> => !isStreamed(one)))
  return { body, contentType, size: body.size }
}

/** A part of a multipart body. */
export type Part = {
  /** Undefined outside of forms. */
  readonly name?: string | undefined
  readonly value: string | FileInput
  /** Its media type; undefined for plain text. */
  readonly type?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A part of a form. */
export type FormPart = Part & { readonly name: string }

/** The content of a multipart body, in order. */
export const writePieces = (parts: readonly Part[], boundary: string): readonly Piece[] => [
  ...parts.flatMap((part) => {
    const { value } = part
    const content = isBuffer(value) ? unshared(value) : value
    return [`--${boundary}\r\n${headOf(part)}\r\n\r\n`, content, '\r\n']
  }),
  `--${boundary}--\r\n`,
]

type Piece = string | Exclude<FileInput, ArrayBufferView> | ArrayBufferView<ArrayBuffer>

const isStreamed = (piece: Piece): piece is StreamedFile =>
  typeof piece !== 'string' && !(piece instanceof Blob) && !isBuffer(piece)

const headOf = ({ name, value, type, headers = {} }: Part): string => {
  const file = typeof value === 'string' ? '' : `; filename="${quoted(fileName(value))}"`
  const more = Object.entries(headers).map(([key, text]) => `${onOneLine(key)}: ${onOneLine(text)}`)
  return [
    ...(name === undefined
      ? []
      : [`Content-Disposition: form-data; name="${quoted(name)}"${file}`]),
    ...(type === undefined ? [] : [`Content-Type: ${onOneLine(type)}`]),
    ...more,
  ].join('\r\n')
}

/** The file name; `blob` if there is none, as in `FormData`. */
const fileName = (value: FileInput): string => {
  const { name } = value as { readonly name?: unknown }
  return typeof name === 'string' && name !== '' ? name : 'blob'
}

/** HTML, "multipart/form-data encoding algorithm". */
const quoted = (text: string): string => text.replace(/\r\n?|\n/g, '%0D%0A').replaceAll('"', '%22')

const onOneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')

async function* chunksOf(pieces: readonly Piece[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    const stream = isStreamed(piece) ? streamOf(piece) : new Blob([piece]).stream()
    const reader = stream.getReader()
    try {
      for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value
    } finally {
      // The request may end before the file does.
      await reader.cancel().catch(() => undefined)
    }
  }
}
