import { REDACTED } from '../../runtime/shared/redact.js'

/** Commands of a POSIX shell that print these bytes: `{ printf '…'; head -c 9 /dev/zero | tr '\0' '\141'; }`. */
export const written = (body: string | Uint8Array, blot: (text: string) => string): string => {
  const text = typeof body === 'string' ? body : (literal(body) ?? latin(body))
  const isText = typeof body === 'string' || literal(body) !== undefined
  const commands = blot(text)
    .split(REDACTED)
    .flatMap((piece, index) => [
      ...(index === 0 ? [] : [`printf '%s' "$KEY"`]),
      ...printed(isText ? latin(new TextEncoder().encode(piece)) : piece),
    ])
  const [only = `printf ''`, ...others] = commands
  return others.length === 0 && !only.includes('|') ? only : `{ ${commands.join('; ')}; }`
}

/** Bytes as text; undefined where they are no UTF-8. */
export const literal = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A character for each byte. */
const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** What is long mostly is so by one byte that comes again and again. */
const printed = (bytes: string): readonly string[] => {
  const commands: string[] = []
  let plainFrom = 0
  const flush = (end: number) => {
    if (end > plainFrom)
      commands.push(`printf '${[...bytes.slice(plainFrom, end)].map(escaped).join('')}'`)
  }
  for (let from = 0; from < bytes.length; ) {
    let end = from + 1
    while (end < bytes.length && bytes[end] === bytes[from]) end += 1
    if (end - from >= LONG_RUN) {
      flush(from)
      commands.push(`head -c ${end - from} /dev/zero | tr '\\0' '${octal(bytes[from] ?? '')}'`)
      plainFrom = end
    }
    from = end
  }
  flush(bytes.length)
  return commands
}

const LONG_RUN = 256

const escaped = (byte: string, index: number): string => {
  if (byte === '%') return '%%'
  if (byte === '\\') return '\\\\'
  // The first of them could be taken for an option.
  const isPlain = byte >= ' ' && byte <= '~' && byte !== "'" && !(byte === '-' && index === 0)
  return isPlain ? byte : octal(byte)
}

const octal = (byte: string): string => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`
