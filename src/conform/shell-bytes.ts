import { REDACTED } from '../runtime/ground/redact.js'

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
const printed = (bytes: string): readonly string[] =>
  bytes.split(/((.)\2{255,})/s).flatMap((part, index, all) => {
    // A run stands between what is around it, and its byte after it.
    if (part === '' || index % 3 === 2) return []
    if (index % 3 === 0) return [`printf '${[...part].map(escaped).join('')}'`]
    const byte = octal(all[index + 1] ?? '')
    return [`head -c ${part.length} /dev/zero | tr '\\0' '${byte}'`]
  })

const escaped = (byte: string, index: number): string => {
  if (byte === '%') return '%%'
  if (byte === '\\') return '\\\\'
  // The first of them could be taken for an option.
  const isPlain = byte >= ' ' && byte <= '~' && byte !== "'" && !(byte === '-' && index === 0)
  return isPlain ? byte : octal(byte)
}

const octal = (byte: string): string => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`
