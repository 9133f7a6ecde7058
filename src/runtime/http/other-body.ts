import type { IncomingResponse } from '../link/transport.js'
import { type Codec, codecNamed, isImported, type ValueCodecs } from '../shared/codecs.js'
import { readText } from './expected-type.js'
import type { Failures } from './failure.js'
import { readFile } from './file-response.js'

/**
 * The value of a body that is not JSON: a text, bytes, a stream that is not read, or a value in a codec that the client was
 * created with. Throws a TypeError if that codec is missing, and a CallError for bytes that are not of the media type.
 */
export const readOther = async (
  response: IncomingResponse,
  codec: Codec,
  { codecs = {}, fail }: DecodeTerms,
): Promise<{ readonly value: unknown; readonly isRaw?: boolean }> => {
  if (codec === 'text') return { value: await readText(response) }
  if (codec === 'bytes') return { value: await readFile(response), isRaw: true }
  if (!isImported(codec)) return { value: response.response().body, isRaw: true }
  const { decode } = codecNamed(codec, codecs)
  const chunks = await response.chunks()
  const body = chunks ? new Blob([...chunks]) : response.response()
  const bytes = new Uint8Array(await body.arrayBuffer())
  try {
    return { value: decode(bytes) }
  } catch (cause) {
    throw fail.call('malformed-answer', `returned a body that is not ${codec}`, { cause })
  }
}

type DecodeTerms = { readonly codecs: ValueCodecs | undefined; readonly fail: Failures }
