import { createHash } from 'node:crypto'

/**
 * A name from a document as the name of a file or folder, without its extension. One that is too long for a file system is cut,
 * and ends with a part of its hash.
 */
export const shortFileName = (name: string): string => {
  const bytes = Buffer.from(name)
  if (bytes.length <= MOST_BYTES) return name
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const start = bytes.subarray(0, MOST_BYTES - digest.length - 1).toString('utf8')
  // The last character may be cut into parts.
  return `${start.replace(/\ufffd{1,3}$/, '')}-${digest}`
}

/** File systems allow 255 bytes for a name with its extension, or a suffix while it is written. */
const MOST_BYTES = 200
