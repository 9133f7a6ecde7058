import type { Operation } from '../operation.js'
import type { DeprecationLink, DeprecationWarning } from './issues.js'

/**
 * The warning for the operations of one request, from the headers of its response (RFC 9745, RFC 8594, RFC 8288). Values that
 * are not dates are ignored. Undefined if nothing remains, or everything is already in `reported`, to which it is added.
 */
export const readDeprecation = (
  sent: SentHeaders,
  operations: readonly Operation[],
  reported: Set<string>,
  redact: (text: string) => string,
): DeprecationWarning | undefined => {
  const since = readDate(sent.deprecation)
  const sunset = readHttpDate(sent.sunset)
  if (since === undefined && sunset === undefined) return undefined
  const names = concerned(operations)
  // In a batch, the deprecated call is unknown, so a later response to a single call is reported again.
  const [only, ...others] = names
  const keys = others.length === 0 ? names : names.map((name) => `one of several: ${name}`)
  if (only === undefined || keys.every((key) => reported.has(key))) return undefined
  for (const key of keys) reported.add(key)
  const found = readLink(sent.link ?? '')
  const link = found && { ...found, href: redact(found.href) }
  const facts = [
    since && `is deprecated as of ${dayOf(since)}`,
    sunset && `ends on ${dayOf(sunset)}`,
  ].filter(Boolean)
  const which = others.length === 0 ? only : `one of ${names.join(', ')}`
  const more = link ? `: see ${link.href} (${link.rel})` : ''
  return {
    kind: 'deprecation',
    operation: names.join(', '),
    operations: names,
    message: `the server says that ${which} ${facts.join(' and ')}${more}`,
    issues: [],
    since,
    sunset,
    link,
  }
}

type SentHeaders = {
  readonly deprecation: string | null
  readonly sunset: string | null
  readonly link: string | null
}

/** Of several calls, those that the client's own document marks, or all if it marks none. */
const concerned = (operations: readonly Operation[]): readonly string[] => {
  const marked = operations.filter(({ deprecated, sunset }) => deprecated || sunset !== undefined)
  const affected = marked.length > 0 ? marked : operations
  return [...new Set(affected.map((one) => (one.kind === 'rpc' ? one.method : one.id)))]
}

/** RFC 9651, 3.3.7: `@1767225600`, maybe with parameters. */
const readDate = (text: string | null): Date | undefined => {
  const [, seconds] = /^ *@(-?\d{1,15}) *(?:;.*)?$/.exec(text ?? '') ?? []
  return seconds === undefined ? undefined : validDate(Number(seconds) * 1_000)
}

/** RFC 9110, 5.6.7: the usual form, and the two obsolete ones that recipients accept. */
export const readHttpDate = (text: string | null): Date | undefined => {
  const value = (text ?? '').trim()
  const usual = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/.exec(
    value,
  )
  if (usual) return dateOf(usual[3], usual[2], usual[1], usual.slice(4))
  const rfc850 = /^[A-Z][a-z]+, (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/.exec(value)
  // Two-digit years are after 2000, because the field was defined later.
  if (rfc850) return dateOf(`20${rfc850[3]}`, rfc850[2], rfc850[1], rfc850.slice(4))
  const c = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/.exec(value)
  return c ? dateOf(c[6], c[1], c[2], c.slice(3, 6)) : undefined
}

const dateOf = (
  year: string | undefined,
  monthName = '',
  day: string | undefined,
  time: readonly string[],
): Date | undefined => {
  const month = MONTHS.indexOf(monthName)
  const [hours, minutes, seconds] = time.map(Number)
  const date = validDate(Date.UTC(Number(year), month, Number(day), hours, minutes, seconds))
  // The 31st of June would be the 1st of July.
  return month >= 0 && date?.getUTCDate() === Number(day) ? date : undefined
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

const validDate = (milliseconds: number): Date | undefined => {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const dayOf = (date: Date): string =>
  date.toISOString().slice(0, date.getUTCFullYear() > 9_999 ? 13 : 10)

/** The link to the successor, else to the description of the deprecation, else of the sunset. */
const readLink = (text: string): DeprecationLink | undefined => {
  const links = [...text.matchAll(LINK)].flatMap(([, href = '', parameters = '']) => {
    const [, , quoted, token] =
      [...parameters.matchAll(PARAMETER)].find(([, name]) => name?.toLowerCase() === 'rel') ?? []
    const rels = (quoted ?? token ?? '').toLowerCase().split(/\s+/)
    return RELS.filter((rel) => rels.includes(rel)).map((rel) => ({ rel, href }))
  })
  return RELS.flatMap((rel) => links.find((one) => one.rel === rel) ?? [])[0]
}

const RELS = ['successor-version', 'deprecation', 'sunset'] as const

/** RFC 8288: `<target>` and its parameters up to the next comma outside quotes. */
const LINK = /<([^<>]*)>((?:[^",<>]|"[^"]*")*)/g

const PARAMETER = /;\s*([^\s;=",]+)\s*(?:=\s*(?:"([^"]*)"|([^\s;,"]*)))?/g
