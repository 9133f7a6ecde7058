import { type Logger, pino } from 'pino'
import type { Settings } from './setting-rows.js'

/** Logs each event as one line, in JSON or plain text. Secrets of `settings` are redacted in all lines. */
export const createLog = (settings: LogSettings, { write, form = 'json' }: LogOptions): Logger => {
  const secrets = secretsOf(settings)
  const redacted = (line: string) =>
    secrets.reduce((text, secret) => text.replaceAll(secret, '***'), line)
  return pino(
    {
      level: settings.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error) => errorOf(error), error: (error) => errorOf(error) },
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
const errorOf = (error: unknown, most = 5): unknown => {
  if (!(error instanceof Error)) return error
  const { name, message, cause } = error
  const code = 'code' in error ? { code: error.code } : {}
  const causes = cause === undefined || most === 0 ? {} : { cause: errorOf(cause, most - 1) }
  return { name, message, ...code, ...causes }
}

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
      return [...(password === '' ? [] : [`${username}:${password}@`]), ...passwords, ...keys]
    }),
    ...(mnemonic === undefined ? [] : [mnemonic]),
  ].map((secret) => JSON.stringify(secret).slice(1, -1))
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
