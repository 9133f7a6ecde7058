/** A file to send: any source of its bytes, so that it need not be read into memory first. */
export type FileInput = Blob | ArrayBuffer | ArrayBufferView | StreamedFile

/** A file whose bytes are read while it is sent: `{ name: 'a.csv', type: 'text/csv', stream: createReadStream('a.csv') }`. */
export type StreamedFile = {
  readonly name?: string | undefined
  /** Its media type. */
  readonly type?: string | undefined
  readonly stream: Chunks | (() => Chunks)
}

type Chunks = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** All sources of a body of bytes. */
export type Bytes = FileInput | ReadableStream<Uint8Array>

export const isBuffer = (value: unknown): value is ArrayBuffer | ArrayBufferView =>
  value instanceof ArrayBuffer || ArrayBuffer.isView(value)

/** The bytes as `fetch` and Blob accept them: those of a SharedArrayBuffer are copied. */
export const unshared = (
  bytes: ArrayBuffer | ArrayBufferView,
): ArrayBuffer | ArrayBufferView<ArrayBuffer> =>
  bytes instanceof ArrayBuffer || bytes.buffer instanceof ArrayBuffer
    ? (bytes as ArrayBuffer | ArrayBufferView<ArrayBuffer>)
    : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice()

/** Whether a value has its own stream: a Blob, or a file as in `StreamedFile`. */
export const isFile = (value: unknown): value is Blob | StreamedFile => {
  if (value instanceof Blob) return true
  const { stream } = Object(value) as { readonly stream?: unknown }
  return typeof stream === 'function' || isChunks(stream)
}

export const isBytes = (value: unknown): value is Bytes =>
  isBuffer(value) || isFile(value) || value instanceof ReadableStream

const isChunks = (value: unknown): value is Chunks =>
  value instanceof ReadableStream ||
  (typeof value === 'object' && value !== null && Symbol.asyncIterator in value)
