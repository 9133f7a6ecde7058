import { promisify } from 'node:util'
import { brotliDecompress, constants, gunzip, inflate, inflateRaw } from 'node:zlib'

/** Undoes the codings of a `Content-Encoding` as `fetch` does: unknown ones are left in place, what is cut short is kept. */
export const decode = async (bytes: Bytes, codings: string): Promise<Bytes> => {
  const names = codings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const decoders = names.map((name) => DECODERS.get(name))
  let decoded = bytes
  // RFC 9110 section 8.4: listed in the order in which they were applied.
  for (const decoder of decoders.reverse()) {
    if (decoder === undefined) return bytes
    if (decoded.length > 0)
      decoded = await decoder(decoded).catch((cause) => {
        throw new TypeError('terminated', { cause })
      })
  }
  return decoded
}

/** What no `SharedArrayBuffer` is behind. */
export type Bytes = Uint8Array<ArrayBuffer>

type Decoder = (bytes: Bytes) => Promise<Bytes>

const finishFlush = constants.Z_SYNC_FLUSH

const ungzip: Decoder = (bytes) => promisify(gunzip)(bytes, { finishFlush })

/** Some servers leave the frame of RFC 1950 out. */
const undeflate: Decoder = (bytes) =>
  ((bytes[0] ?? 0) & 0x0f) === 8
    ? promisify(inflate)(bytes, { finishFlush })
    : promisify(inflateRaw)(bytes, { finishFlush })

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', ungzip],
  ['x-gzip', ungzip],
  ['deflate', undeflate],
  ['br', (bytes) => promisify(brotliDecompress)(bytes)],
])
