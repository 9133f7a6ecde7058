/**
 * The files of a tar archive (POSIX ustar, with pax headers for long names), by their paths. Throws where it ends in the middle
 * of a file or is none.
 */
export const readTar = (bytes: Uint8Array): ReadonlyMap<string, Uint8Array> => {
  const files = new Map<string, Uint8Array>()
  let longName: string | undefined
  let at = 0
  while (at + BLOCK <= bytes.length) {
    const header = bytes.subarray(at, at + BLOCK)
    if (header.every((byte) => byte === 0)) return files
    if (checksum(header) !== octal(header, 148, 8)) throw new Error('a header is damaged')
    const size = octal(header, 124, 12)
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size)
    if (content.length < size) throw new Error('it ends in the middle of a file')
    const kind = String.fromCharCode(header[156] ?? 0)
    if (kind === 'x') longName = paxPath(content) ?? longName
    else if (kind === 'L') longName = text(content, 0, size)
    else if (kind !== 'g') {
      if (kind === '0' || kind === '\0') files.set(longName ?? nameIn(header), content)
      longName = undefined
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  if (files.size === 0) throw new Error('there is no file in it')
  return files
}

const BLOCK = 512

const text = (bytes: Uint8Array, from: number, length: number): string => {
  const field = bytes.subarray(from, from + length)
  const end = field.indexOf(0)
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end))
}

const octal = (header: Uint8Array, from: number, length: number): number => {
  const words = text(header, from, length).trim()
  if (!/^[0-7]+$/.test(words)) throw new Error('a header is damaged')
  return Number.parseInt(words, 8)
}

/** The sum of a header's bytes, its own field taken for spaces. */
const checksum = (header: Uint8Array): number =>
  header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0)

const nameIn = (header: Uint8Array): string => {
  const prefix = text(header, 257, 5) === 'ustar' ? text(header, 345, 155) : ''
  const name = text(header, 0, 100)
  return prefix === '' ? name : `${prefix}/${name}`
}

/** Records of `LENGTH path=VALUE` and a line break, of which the length counts bytes. */
const paxPath = (content: Uint8Array): string | undefined =>
  /(?:^|\n)\d+ path=([^\n]*)\n/.exec(new TextDecoder().decode(content))?.[1]
