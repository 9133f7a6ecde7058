import type { Content, DeclaredResponse, StreamContent } from '../../src/runtime/operation.js'
import { codecOf, responseCodec } from '../../src/runtime/shared/codecs.js'

/** Status -> the media types of its body, as the responses of an operation. */
export const declaredResponses = (
  types: Readonly<Record<string, readonly string[]>>,
  streams: Readonly<Record<string, Readonly<Record<string, StreamContent>>>> = {},
): readonly DeclaredResponse[] =>
  Object.entries(types).map(([status, some]) => ({
    status,
    content: contentOf(some, responseCodec).map((one) => {
      const stream = streams[status]?.[one.type]
      return stream === undefined ? one : { ...one, stream }
    }),
  }))

/** Media types without encodings. */
export const contentOf = (types: readonly string[], codecFor = codecOf): readonly Content[] =>
  types.map((type) => ({ type, codec: codecFor(type) }))
