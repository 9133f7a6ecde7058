import { wscat } from '../../model/curl.js'
import type { FindingExchange } from '../../model/finding.js'
import { isSocketUrl } from '../../model/servers.js'
import { framedText } from '../../runtime/link/frames.js'
import { REDACTED, type Redact, redactor } from '../../runtime/shared/redact.js'
import { type Exchange, type ReceivedResponse, type Sent, textOf } from '../../traffic/exchange.js'
import type { StdioServer } from '../duplex/command.js'
import type { Target } from '../target.js'

/** An exchange for reports, with the key as `$KEY` throughout. */
export const shown = (
  { sent, answer, failure, recorded, beside, isOfServer }: Exchange,
  { secrets, stdio }: Target,
): Pick<FindingExchange, 'request' | 'response' | 'curl'> => {
  const hidden = keyHider(secrets)
  const sender = isOfServer ? 'sent by' : sent.method
  const request = requestText({ ...sent, method: sender }, hidden)
  return {
    request: recorded === undefined ? request : `${recorded} ${request}`,
    response: answer ? answerText(answer, hidden) : hidden(failure ?? 'no response'),
    // Nobody can make a server send its messages again, but everybody can listen.
    curl:
      commandLine(isOfServer ? { ...sent, body: undefined } : sent, stdio, blotter(secrets)) +
      (beside === undefined ? '' : ` # sent ${beside}`),
  }
}

/** Redacts keys in a text about a server, and then shortens its quotations. */
export const keyHider = (secrets: readonly string[]): Hide => {
  const blot = blotter(secrets)
  return (text) => cutQuotes(blot(text).replaceAll(REDACTED, '$KEY'))
}

/** A redactor is slow to create, and callers pass the same list each time. */
const blotter = (secrets: readonly string[]): Redact => {
  const known = blotters.get(secrets) ?? redactor(secrets)
  blotters.set(secrets, known)
  return known
}

const blotters = new WeakMap<readonly string[], Redact>()

type Hide = (text: string) => string

const requestText = ({ method, url, body }: Sent, hidden: Hide): string =>
  hidden(`${method} ${url}`) + (body === undefined ? '' : ` ${bodyText(body, hidden)}`)

const answerText = ({ status, headers, body }: ReceivedResponse, hidden: Hide): string => {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const head = hidden(`${status}${type === undefined ? '' : ` ${type}`}`)
  return `${head} ${bodyText(body, hidden)}`.trimEnd()
}

/** Redacted before it is truncated, because half a key would not be recognised. Runs of blanks are shown as a count. */
const bodyText = (body: string | Uint8Array, hidden: Hide): string => {
  const isText = typeof body === 'string' || literal(body) !== undefined
  const text = hidden(textOf(body)).replace(/ {100,}/g, ({ length }) => ` … ${length} spaces … `)
  const bytes = isText ? '' : `(${body.length} bytes, not UTF-8) `
  return text.length <= LONGEST
    ? `${bytes}${text}`
    : `${bytes}${text.slice(0, LONGEST)}… (${text.length} characters)`
}

/** Characters. One-line reports truncate further. */
const LONGEST = 2_000

/**
 * Quotes a text of a server or document in a message, whole. Half a key cannot be recognised, so `cutQuotes` shortens quotes
 * only after keys are redacted.
 */
export const quoted = (text: string): string =>
  text.length <= LONGEST_QUOTE ? text : `${BEGIN}${text.replace(MARKS, '')}${END}`

const LONGEST_QUOTE = 80

/** Shortens each long quotation, and removes the marks around all of them. */
export const cutQuotes = (text: string): string =>
  text.includes(BEGIN) ? text.replace(QUOTATION, (_, inside: string) => cut(inside)) : text

const cut = (text: string): string =>
  text.length <= LONGEST_QUOTE
    ? text
    : `${text.slice(0, LONGEST_QUOTE)}… (${text.length} characters)`

/** Noncharacters, which never occur in readable text (Unicode, 23.7). */
const BEGIN = '\ufdd0'
const END = '\ufdd1'
const MARKS = /[\ufdd0\ufdd1]/g
const QUOTATION = /\ufdd0([^\ufdd0\ufdd1]*)\ufdd1/g

const commandLine = (sent: Sent, stdio: StdioServer | undefined, blot: Redact): string =>
  stdio ? pipeLine(sent, stdio, blot) : curlLine(sent, blot)

/**
 * A command for any POSIX shell that sends the same bytes and prints status, headers and body. `blot` redacts keys in a text;
 * the shell inserts `$KEY` in their place.
 */
export const curlLine = (
  { method, url, headers, body }: Sent,
  blot: (text: string) => string,
): string => {
  const quoted = (text: string) => quotedPieces(blot(text).split(REDACTED))
  if (isSocketUrl(url)) return wscatLine({ method, url, headers, body }, quoted)
  const usual = body === undefined ? 'GET' : 'POST'
  const flags = [
    method === 'HEAD' ? '-sI' : '-si',
    ...(method === usual || (method === 'HEAD' && body === undefined)
      ? []
      : [`-X ${/^[A-Z]+$/.test(method) ? method : quoted(method)}`]),
    // The test may depend on path segments or characters that curl would normalise or expand.
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
  // curl adds a Content-Type to a body without one.
  const without = body === undefined || names.includes('content-type') ? [] : ['content-type:']
  // curl also sends `Expect: 100-continue` before a large body.
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

/** The same for a WebSocket: each line of JSON is a text of its own. */
const wscatLine = ({ url, headers, body }: Sent, quoted: (text: string) => string): string => {
  const { authorization } = headers
  return wscat(
    {
      ...{ url, texts: body === undefined ? [] : textsIn(body) },
      ...(authorization !== undefined && { headers: { authorization } }),
    },
    quoted,
  ).join(' ')
}

/** Each line of JSON is a text of its own. */
const textsIn = (body: string | Uint8Array | undefined): readonly string[] => {
  const text = textOf(body)
  const lines = text.split('\n')
  return lines.every((line) => line.startsWith('{')) ? lines : [text]
}

/** The same for a program: its standard input stays open until it has had time to respond. */
const pipeLine = ({ body }: Sent, { words, framing }: StdioServer, blot: Redact): string => {
  const quoted = (text: string) => quotedPieces(blot(text).split(REDACTED))
  const command = words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(blot(word)) ? word : quoted(word)))
    .join(' ')
  const texts = textsIn(body)
  const isPlain = texts.every((one) => one.length <= LONGEST_WORD && !NEEDS_BYTES.test(one))
  const printing = isPlain
    ? ['printf', ...printfWords(texts, framing, quoted)].join(' ')
    : written(texts.map((text) => framedText(text, framing)).join(''), blot)
  return printing.length <= LONGEST_LINE
    ? `{ ${printing}; sleep 3; } | ${command}`
    : `${command} < messages # ${textOf(body).length} characters, too long to be shown`
}

/** printf uses its format once for each text. */
const printfWords = (
  texts: readonly string[],
  framing: StdioServer['framing'],
  quoted: (text: string) => string,
): readonly string[] =>
  framing === 'lines'
    ? ["'%s\\n'", ...texts.map(quoted)]
    : [
        "'Content-Length: %s\\r\\n\\r\\n%s'",
        ...texts.flatMap((text) => [String(Buffer.byteLength(text)), quoted(text)]),
      ]

/** Whether Basic credentials (RFC 7617) are entirely secret: `$KEY` is then the pair, and not its base64. */
const isSecretUser = (name: string, value: string | undefined, blot: (text: string) => string) => {
  const [, encoded] = /^Basic ([A-Za-z\d+/=]+)$/.exec(value ?? '') ?? []
  if (encoded === undefined || name.toLowerCase() !== 'authorization') return false
  return blot(Buffer.from(encoded, 'base64').toString()) === REDACTED
}

/**
 * The authentication scheme (RFC 9110, 11.4) is not secret, even if both together are a known secret: `$KEY` is the part after
 * it.
 */
const withScheme = (name: string, value: string, blot: (text: string) => string): string => {
  const [, scheme = '', rest = ''] = /^([\w-]+) +(\S+)$/.exec(value) ?? []
  const isBoth = blot(value) === REDACTED && blot(rest) === REDACTED
  return isBoth && /authorization$/i.test(name) ? `${scheme} ${blot(rest)}` : value
}

/** Characters: from 1 MiB on, curl sends `Expect: 100-continue`. */
const ASKS_FIRST = 1_000_000

/** Arguments of a process are limited in length, and a readable line should be shorter. */
const LONGEST_WORD = 8_000
const LONGEST_LINE = 20_000

/** Control characters, invisible characters, and a leading `@` that would name a file. */
const NEEDS_BYTES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /^@|[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/

/** In double quotes if the shell interprets nothing in it, otherwise in single-quoted pieces joined by `"$KEY"`. */
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

const literal = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** Compresses long runs of one byte, which cause most long bodies. */
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
  // A leading `-` could be taken for an option.
  const isPlain = byte >= ' ' && byte <= '~' && byte !== "'" && !(byte === '-' && index === 0)
  return isPlain ? byte : octal(byte)
}

const octal = (byte: string): string => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`
