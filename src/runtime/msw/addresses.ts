import type { Server } from '../operation.js'
import { chooseServer } from '../shared/server-url.js'
import { escapePattern, fillTemplate } from '../shared/template.js'

/**
 * The addresses that are mocked, as patterns of URLs without their query. A variable of a path, or a secret one, may be
 * anything; one of a host is what `variables` says, else one of its `enum`, else its default. A relative server is at the
 * origin of the page, and left out where there is no page. Throws a TypeError where nothing is left.
 */
export const createAddresses = (
  servers: readonly Server[],
  { choice, variables = {} }: Where,
): readonly Address[] => {
  const chosen = choose(servers, choice)
  const addresses = chosen.flatMap((server) => addressOf(server, variables) ?? [])
  // Two networks may share a host, and one request is answered once.
  return [...new Map(addresses.map((address) => [address.source, address])).values()]
}

export type Where = {
  /** The name of a documented server or a URL; all documented servers where it is undefined. */
  readonly choice: string | undefined
  readonly variables?: Readonly<Record<string, string>> | undefined
}

export type Address = {
  /** The source of a regular expression, whose groups are the variables of the path. */
  readonly source: string
  readonly names: readonly string[]
}

/** The pattern of a path template behind an address; what follows the address is its last group. */
export const templateSource = (template: string): string =>
  template
    .split(/\{[^{}]*\}/)
    .map(escapePattern)
    .join('[^/]+')

/** The same without groups: what a group has caught, other code may try to decode. */
export const withoutGroups = (source: string): string => source.replaceAll('([^/]+)', '[^/]+')

/** Whether a choice is a URL, or half of one, and no name. */
export const isUrl = (choice: string): boolean => /^(\/|[a-z][a-z\d+.-]*:\/\/)/i.test(choice)

const choose = (servers: readonly Server[], choice: string | undefined): readonly Server[] => {
  if (choice === undefined) return servers
  if (isUrl(choice)) return [chooseServer(servers, choice)]
  return servers.filter(({ name }) => name === choice)
}

const addressOf = (
  { url, variables }: Server,
  given: Readonly<Record<string, string>>,
): Address | undefined => {
  const whole = absolute(url)
  if (whole === undefined) return undefined
  const marks: string[] = []
  const marked = fillTemplate(whole, (name) => `${MARK}${marks.push(name) - 1}x`)
  const defaults = (name: string): string => given[name] ?? variables[name]?.default ?? ''
  // A port cannot contain a mark, so an address with a variable port uses its defaults.
  const parsed = URL.canParse(marked) ? new URL(marked) : new URL(fillTemplate(whole, defaults))
  const names: string[] = []
  const fill = (text: string, part: 'host' | 'path'): string =>
    escapePattern(text).replace(MARKS, (_, index: string) => {
      const name = marks[Number(index)] ?? ''
      const { secret, enum: values } = variables[name] ?? {}
      const value = given[name]
      if (part === 'path' && value === undefined && (values === undefined || secret)) {
        names.push(name)
        return '([^/]+)'
      }
      const options = value === undefined ? (values ?? [defaults(name)]) : [value]
      const spelt = part === 'host' ? options.map((one) => one.toLowerCase()) : options
      return `(?:${spelt.map(escapePattern).join('|')})`
    })
  const host = fill(parsed.origin, 'host')
  return { source: host + fill(parsed.pathname.replace(/\/+$/, ''), 'path'), names }
}

const absolute = (url: string): string | undefined => {
  if (!url.startsWith('/')) return url
  const { location } = globalThis as { location?: { readonly origin?: string } }
  return location?.origin === undefined ? undefined : location.origin + url
}

/** A text that a host and a path both take as it is. */
const MARK = 'twinspec-variable-'
const MARKS = /twinspec\\-variable\\-(\d+)x/g
