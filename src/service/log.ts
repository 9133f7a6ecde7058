import { type Logger, pino } from 'pino'
import { clip } from './clip.js'
import type { Settings } from './setting-rows.js'

/**
 * Logs each event as one line, in JSON or plain text. Secrets of `settings` are redacted in all lines. Each text has at most
 * 1,000 characters: callers, contracts and nodes choose some of them.
 */
export const createLog = (settings: LogSettings, { write, form = 'json' }: LogOptions): Logger => {
  const secrets = secretsOf(settings)
  const escaped = secrets.map((secret) => JSON.stringify(secret).slice(1, -1))
  const redacted = (line: string) =>
    escaped.reduce((text, secret) => text.replaceAll(secret, '***'), line)
  // Redacted before it is cut: the first half of a secret would not be found.
  const short = (text: string) =>
    text.length <= MOST_TEXT
      ? text
      : clip(
          secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text),
          MOST_TEXT,
        )
  return pino(
    {
      level: settings.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(args, method) {
          method.apply(this, shortArguments(args, short) as typeof args)
        },
      },
      serializers: {
        err: (error) => errorOf(error, short),
        error: (error) => errorOf(error, short),
      },
    },
    {
      write: (line: string) => {
        write(form === 'json' ? redacted(line) : readable(redacted(line)))
      },
    },
  )
}

export type LogSettings = Pick<Settings, 'databaseUrl' | 'logLevel' | 'mnemonic' | 'upstream'>

export type LogOptions = {
  /** Receives a complete line, including its line feed. */
  readonly write: (line: string) => unknown
  readonly form?: 'json' | 'plain'
}

/** The chain of causes, five at most. Stacks are omitted, because they contain paths of the machine, and sometimes values. */
const errorOf = (error: unknown, short: Shorten, most = 5): unknown => {
  if (!(error instanceof Error)) return shortValue(error, short)
  const { name, message, cause } = error
  const code = 'code' in error ? { code: error.code } : {}
  const causes = cause === undefined || most === 0 ? {} : { cause: errorOf(cause, short, most - 1) }
  return { name, message: short(message), ...code, ...causes }
}

type Shorten = (text: string) => string

const MOST_TEXT = 1_000

/** The arguments of a method of the log: an error or an object, and a message. */
const shortArguments = (
  [first, ...rest]: readonly unknown[],
  short: Shorten,
): readonly unknown[] => {
  const [message = first instanceof Error ? first.message : undefined, ...others] = rest
  const event = first instanceof Error ? { err: first } : shortValue(first, short)
  return message === undefined ? [event] : [event, shortValue(message, short), ...others]
}

/** A value whose texts are short; errors are written by `errorOf`. */
const shortValue = (value: unknown, short: Shorten, depth = 0): unknown => {
  if (typeof value === 'string') return short(value)
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  if (depth === DEEPEST) return '…'
  const item = (one: unknown) => shortValue(one, short, depth + 1)
  if (Array.isArray(value)) return value.map(item)
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, item(one)]))
}

const DEEPEST = 8

/** No code logs a secret, but a library's error might contain one. Texts of less than eight characters may be ordinary words. */
const secretsOf = ({ databaseUrl, mnemonic, upstream }: LogSettings): readonly string[] => {
  const addresses = [databaseUrl, upstream].filter((one) => one !== undefined)
  return [
    ...addresses,
    ...addresses.flatMap((text) => {
      const { username, password, pathname, search } = new URL(text)
      const written = [...pathname.split('/'), ...search.split(/[?&=]/)]
      // The name of a database is in a path too, and so is `/rpc`: only long words are keys.
      const keys = written.filter((word) => word.length >= 16)
      const passwords = [password, unescaped(password)].filter((word) => word.length >= 8)
      // As in the header of HTTP Basic.
      const pair = Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString('base64')
      const pairs = password === '' ? [] : [`${username}:${password}@`, pair]
      return [...pairs, ...passwords, ...keys]
    }),
    ...(mnemonic === undefined ? [] : [mnemonic]),
  ]
}

/** Invalid percent-encoding, such as `%ff`, stays as it is. */
const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const readable = (line: string): string => {
  const { time, level, msg = '', ...rest } = JSON.parse(line) as Record<string, unknown>
  const more = Object.entries(rest).map(([name, value]) => ` ${name}=${wordOf(value)}`)
  return `${String(time).slice(11, 23)} ${String(level).padEnd(5)} ${msg}${more.join('')}\n`
}

const wordOf = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
