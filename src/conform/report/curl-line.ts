import { REDACTED } from '../../runtime/shared/redact.js'
import type { Sent } from '../wire/exchange.js'

/**
 * A line for any POSIX shell that sends the same to the byte and shows status, headers and body. `blot` takes keys out of a
 * text; the shell fills in `$KEY` in its place.
 */
export const curlLine = (
  { method, url, headers, body }: Sent,
  blot: (text: string) => string,
): string => {
  const quoted = (text: string) => quotedPieces(blot(text).split(REDACTED))
  const usual = body === undefined ? 'GET' : 'POST'
  const flags = [
    method === 'HEAD' ? '-sI' : '-si',
    ...(method === usual || (method === 'HEAD' && body === undefined)
      ? []
      : [`-X ${/^[A-Z]+$/.test(method) ? method : quoted(method)}`]),
    // What it would tidy or expand is often just what the server was tried with.
    ...(/\/\.{1,2}(\/|$|[?#])/.test(url) ? ['--path-as-is'] : []),
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
  ]
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  const user = Object.keys(headers).find((name) => isSecretUser(name, headers[name], blot))
  const fields = Object.entries(headers).flatMap(([name, value]) => {
    if (name.toLowerCase() === 'accept' && value === '*/*') return []
    if (name === user) return []
    return value === '' ? [`${name};`] : [`${name}: ${withScheme(name, value, blot)}`]
  })
  const named = user === undefined ? [] : ['-u "$KEY"']
  // It adds a type of its own to a body that has none.
  const without = body === undefined || names.includes('content-type') ? [] : ['content-type:']
  // And it asks before it sends a large one.
  const unasked =
    body === undefined || body.length < ASKS_FIRST || names.includes('expect') ? [] : ['expect:']
  const command = [
    'curl',
    ...flags,
    ...named,
    quoted(url),
    ...[...fields, ...without, ...unasked].map((field) => `-H ${quoted(field)}`),
  ].join(' ')
  if (body === undefined) return command
  const plain = typeof body === 'string' ? body : literal(body)
  if (plain !== undefined && plain.length <= LONGEST_WORD && !NEEDS_BYTES.test(plain))
    return `${command} --data-binary ${quoted(plain)}`
  const piped = written(body, blot)
  return piped.length <= LONGEST_LINE
    ? `${piped} | ${command} --data-binary @-`
    : `${command} --data-binary @body # a file of ${body.length} bytes, too long to be shown`
}

/** Basic credentials (RFC 7617) all of which are secret: `$KEY` is then the pair, and not its base64. */
const isSecretUser = (name: string, value: string | undefined, blot: (text: string) => string) => {
  const [, encoded] = /^Basic ([A-Za-z\d+/=]+)$/.exec(value ?? '') ?? []
  if (encoded === undefined || name.toLowerCase() !== 'authorization') return false
  return blot(Buffer.from(encoded, 'base64').toString()) === REDACTED
}

/** The scheme of credentials (RFC 9110, 11.4) is no secret, though both together are known as one: `$KEY` is what follows it. */
const withScheme = (name: string, value: string, blot: (text: string) => string): string => {
  const [, scheme = '', rest = ''] = /^([\w-]+) +(\S+)$/.exec(value) ?? []
  const isBoth = blot(value) === REDACTED && blot(rest) === REDACTED
  return isBoth && /authorization$/i.test(name) ? `${scheme} ${blot(rest)}` : value
}

/** Characters: from 1 MiB on, curl sends `Expect: 100-continue`. */
const ASKS_FIRST = 1_000_000

/** An argument of a process has an end, and a line that is read should have one before that. */
const LONGEST_WORD = 8_000
const LONGEST_LINE = 20_000

/** What a terminal would obey, what cannot be seen, and an `@` that would name a file. */
const NEEDS_BYTES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /^@|[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

/** Between `"` where a shell reads nothing else into it, else pieces between `'` with `"$KEY"` in the middle. */
const quotedPieces = (pieces: readonly string[]): string => {
  if (pieces.length > 1 && pieces.every((piece) => !/["\\$`!]/.test(piece)))
    return `"${pieces.join('$KEY')}"`
  return pieces.map((piece) => `'${piece.replaceAll("'", "'\\''")}'`).join('"$KEY"')
}

/** Commands of a POSIX shell that print these bytes: `{ printf '…'; head -c 9 /dev/zero | tr '\0' '\141'; }`. */
const written = (body: string | Uint8Array, blot: (text: string) => string): string => {
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
