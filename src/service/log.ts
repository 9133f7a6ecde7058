import { type Logger, pino } from 'pino'
import type { Settings } from './setting-rows.js'

/** One line of JSON for each event, or one that a person can read. No secret of `settings` comes through in any. */
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
  /** Takes a whole line with its end. */
  readonly write: (line: string) => unknown
  readonly form?: 'json' | 'plain'
}

/**
 * The chain of causes, five at most, without stacks: they tell paths of the machine, and sometimes what was passed around.
 */
const errorOf = (error: unknown, most = 5): unknown => {
  if (!(error instanceof Error)) return error
  const { name, message, cause } = error
  const code = 'code' in error ? { code: error.code } : {}
  const causes = cause === undefined || most === 0 ? {} : { cause: errorOf(cause, most - 1) }
  return { name, message, ...code, ...causes }
}

/** Nothing here means to log a secret; a library's error might. What is shorter than eight letters may be any word. */
const secretsOf = ({ databaseUrl, mnemonic, upstream }: LogSettings): readonly string[] => {
  const addresses = [databaseUrl, upstream].filter((one) => one !== undefined)
  return [
    ...addresses,
    ...addresses.flatMap((text) => {
      const { username, password, pathname, search } = new URL(text)
      const written = [...pathname.split('/'), ...search.split(/[?&=]/)]
      // A database is named in a path as well, and so is `/rpc`: long words alone are keys.
      const keys = written.filter((word) => word.length >= 16)
      const passwords = [password, unescaped(password)].filter((word) => word.length >= 8)
      return [...(password === '' ? [] : [`${username}:${password}@`]), ...passwords, ...keys]
    }),
    ...(mnemonic === undefined ? [] : [mnemonic]),
  ].map((secret) => JSON.stringify(secret).slice(1, -1))
}

/** `%ff` alone is no text. */
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
