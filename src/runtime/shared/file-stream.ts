import type { StreamedFile } from './file.js'

/** The bytes of a file, as a stream. A module of its own: only clients that send files load it. */
export const streamOf = (
  file: StreamedFile | ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> => {
  if (file instanceof ReadableStream) return file
  const chunks = typeof file.stream === 'function' ? file.stream() : file.stream
  return chunks instanceof ReadableStream ? chunks : streamFrom(chunks)
}

/** `ReadableStream.from`, which some browsers do not have. */
export const streamFrom = (chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async (reason) => {
      await iterator.return?.(reason)
    },
  })
}
