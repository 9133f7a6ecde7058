import { parseExact } from '../runtime/server/exact-json.js'
import { decodeText } from '../runtime/server/request.js'

/** The JSON of a body as generated servers read it; undefined where it is none, no UTF-8, or nested too deep. */
export const readJson = (body: Uint8Array): ReturnType<typeof parseExact> | undefined => {
  const text = decodeText(body)
  if (text === undefined) return undefined
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}
