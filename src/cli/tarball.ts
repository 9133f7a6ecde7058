import { gunzipSync } from 'node:zlib'

/**
 * The texts in a .tgz by their paths, as npm writes one: POSIX.1-1988 headers, with the paths of POSIX.1-2001 where one is long.
 * Throws for what is no archive, or breaks off.
 */
export const readTarball = (bytes: Uint8Array): ReadonlyMap<string, string> => {
  const tar = gunzipSync(bytes)
  const files = new Map<string, string>()
  let longName: string | undefined
  let at = 0
  while (at + BLOCK <= tar.length && tar[at] !== 0) {
    const header = tar.subarray(at, at + BLOCK)
    if (field(header, 257, 5) !== 'ustar') throw new Error('it is no tar archive')
    const size = Number.parseInt(field(header, 124, 12), 8)
    const body = tar.subarray(at + BLOCK, at + BLOCK + size)
    if (!(size >= 0) || body.length < size) throw new Error('the archive breaks off')
    const kind = field(header, 156, 1)
    if (kind === 'x') longName = /^\d+ path=(.*)$/m.exec(body.toString('utf8'))?.[1]
    else {
      const prefix = field(header, 345, 155)
      const name = longName ?? (prefix === '' ? '' : `${prefix}/`) + field(header, 0, 100)
      longName = undefined
      if (kind === '0' || kind === '') files.set(name, body.toString('utf8'))
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  // A whole one ends with blocks of zeros.
  if (tar[at] !== 0) throw new Error('the archive breaks off')
  return files
}

const BLOCK = 512

/** Up to the first zero byte. */
const field = (header: Buffer, start: number, length: number): string => {
  const text = header.toString('utf8', start, start + length)
  const end = text.indexOf('\0')
  return (end < 0 ? text : text.slice(0, end)).trim()
}
