import type { Content } from '../operation.js'
import { type Bytes, isBuffer } from '../shared/file.js'
import { streamOf } from '../shared/file-stream.js'
import { encodeStrictly } from '../shared/template.js'
import { concreteOf, declaredContent, isRange } from '../wire/content.js'
import { type HeaderRecord, headerOf } from '../wire/headers.js'
import type { ReplyStream, ServerReply } from './request.js'

/**
 * A response of bytes. Its media type is the handler's, else that of the bytes if it is declared, else the declared one. With
 * `requestHeaders`, a part of a sized body is sent if the request has a range (RFC 9110, 14).
 */
export const encodeBytes = (
  body: Bytes,
  { status, headers: own, declared, has416 }: BytesReply,
  requestHeaders?: HeaderRecord,
): ServerReply => {
  const { name, type, size } = describe(body)
  const headers = {
    ...own,
    'content-type': own['content-type'] ?? chooseType(body, type, declared),
    ...(name &&
      own['content-disposition'] === undefined && { 'content-disposition': saveAs(name) }),
    // Adapters set the length of bytes in memory.
    ...(size !== undefined && !isBuffer(body) && { 'content-length': String(size) }),
  }
  const isSliced = body instanceof Blob || isBuffer(body)
  if (requestHeaders === undefined || status !== 200 || !isSliced || size === undefined)
    return { status, headers, body: contentOf(body) }
  const ranged = { ...headers, 'accept-ranges': 'bytes' }
  const range = rangeOf(requestHeaders, size, own.etag)
  // A range beyond the end is ignored if the document does not declare 416.
  if (range === 'none' || (range === 'unsatisfiable' && !has416))
    return { status, headers: ranged, body: contentOf(body) }
  if (range === 'unsatisfiable') {
    const { 'content-type': _, 'content-length': __, 'content-disposition': ___, ...rest } = ranged
    return { status: 416, headers: { ...rest, 'content-range': `bytes */${size}` } }
  }
  const { from, to } = range
  const part =
    body instanceof Blob ? body.slice(from, to + 1) : bytesOf(body).subarray(from, to + 1)
  return {
    status: 206,
    headers: {
      ...ranged,
      ...(body instanceof Blob && { 'content-length': String(to - from + 1) }),
      'content-range': `bytes ${from}-${to}/${size}`,
    },
    body: contentOf(part),
  }
}

type BytesReply = {
  readonly status: number
  /** By lower case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly declared: readonly Content[]
  /** Whether the document declares 416. */
  readonly has416: boolean
}

const describe = (body: Bytes) => {
  if (isBuffer(body)) return { name: '', type: '', size: body.byteLength }
  if (body instanceof ReadableStream) return { name: '', type: '', size: undefined }
  const { name = '', size, type = '' } = body as Partial<File>
  return { name, type, size }
}

const chooseType = (body: Bytes, own: string, declared: readonly Content[]): string => {
  if (own !== '' && declaredContent(declared, own) !== undefined) return own
  const concrete = declared.find(({ type, codec }) => !isRange(type) && codec !== 'json')?.type
  const range = declared.find(({ type }) => isRange(type))?.type
  const ranged = range === undefined ? undefined : concreteOf(range, body)
  return concrete ?? ranged ?? (own || 'application/octet-stream')
}

const contentOf = (body: Bytes | Uint8Array): Uint8Array | ReplyStream => {
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return bytesOf(body)
  return chunksOf(body instanceof Blob ? body.stream() : streamOf(body))
}

/** Not every browser can iterate a stream. */
const chunksOf = (stream: ReadableStream<Uint8Array>): ReplyStream => ({
  [Symbol.asyncIterator]() {
    const reader = stream.getReader()
    return {
      next: async () => {
        const { done, value } = await reader.read()
        return done ? { done, value: undefined } : { done, value }
      },
      return: async () => {
        await reader.cancel()
        return { done: true, value: undefined }
      },
    }
  },
})

const bytesOf = (body: ArrayBuffer | ArrayBufferView): Uint8Array => {
  if (body instanceof Uint8Array) return body
  return ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body)
}

/** RFC 6266, 4.3: the name in ASCII, and in UTF-8 for clients that support it. */
const saveAs = (name: string): string => {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const full = plain === name ? '' : `; filename*=UTF-8''${encodeStrictly(name)}`
  return `attachment; filename="${plain}"${full}`
}

/** The requested range. For several ranges and other units, the whole body is sent (RFC 9110, 14.2). */
const rangeOf = (
  headers: HeaderRecord,
  size: number,
  etag: string | undefined,
): { readonly from: number; readonly to: number } | 'none' | 'unsatisfiable' => {
  const [, first, last] =
    /^bytes=(\d*)-(\d*)$/i.exec(headerOf(headers, 'range')?.trim() ?? '') ?? []
  const condition = headerOf(headers, 'if-range')
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'none'
  if (condition !== undefined && (condition !== etag || condition.startsWith('W/'))) return 'none'
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < from) return 'none'
  return from < size && from <= to ? { from, to } : 'unsatisfiable'
}
