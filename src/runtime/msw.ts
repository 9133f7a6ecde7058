import { type HttpHandler, http } from 'msw'
import type { Documented } from './examples/documented.js'
import { createMockPolicy, fault } from './examples/policy.js'
import { createExampleServer } from './examples/server.js'
import type { Server as DocumentedServer } from './operation.js'
import { contentOf } from './server/fetch-handler.js'
import type { ServerCore } from './server/request.js'
import type { Service } from './server.js'
import { cached } from './shared/cached.js'
import { chooseServer, withoutOrigin, withPath } from './shared/server-url.js'
import { escapePattern, fillTemplate } from './shared/template.js'
import { withoutTrailingSlashes } from './shared/trailing.js'
import { pathPattern } from './wire/path-pattern.js'

export type { Documented } from './examples/documented.js'
export type { HttpOverride, RpcOverride, VariantOverride } from './examples/override.js'

/**
 * MSW request handlers for the operations of one or both documents. They validate requests like a generated server, and respond
 * with documented examples or overrides. Requests to other addresses are left to other handlers. Throws a TypeError for an
 * override that the documents do not allow, and if no address can be mocked.
 */
export const createMockHandlers = (
  service: Service,
  documented: Documented,
  options: MockOptions<object, string> = {},
): HttpHandler[] => {
  const { onError = throwAside, validate = true, overrides = {} } = options
  const policy = createMockPolicy(onError, { validate, hasStates: true })
  const core = createExampleServer(service, documented, policy, {
    overrides,
    basePath: '',
    onError,
  })
  const routes = [...httpRoutes(service, options), ...rpcRoutes(service, options)]
  if (routes.length > 0) return routes.map((route) => intercept(route, core))
  const servers = [...(service.http?.servers ?? []), ...(service.rpc?.servers ?? [])]
  const usable = servers.filter((one) => createAddresses([one], { choice: undefined }).length > 0)
  const known = [...new Set(usable.map(({ name }) => name))].join(', ')
  const named = known ? `, or one of ${known}` : ', because the documents have no absolute URL'
  throw fault('there is no server URL to mock', `give \`server\` a URL${named}`)
}

export type MockOptions<Overrides, ServerName extends string> = {
  /**
   * The mocked server: a documented name, or a URL to which the documented path is appended. By default all documented servers
   * are mocked. An object has one server for each document, with the URLs that clients use.
   */
  readonly server?:
    | Place<ServerName>
    | { readonly http?: Place<ServerName>; readonly rpc?: Place<ServerName> }
    | undefined
  /** Values of server variables in a host, instead of their defaults. */
  readonly variables?: Readonly<Record<string, string>> | undefined
  /** Operation id -> its response, instead of the documented examples. */
  readonly overrides?: Overrides | undefined
  /** Whether the responses of overrides are validated against the documents; true by default. */
  readonly validate?: boolean | undefined
  /**
   * Called with errors of a test's own overrides. By default they are thrown outside of any promise, so that the run
   * fails even if the code under test ignores the 500 or -32603.
   */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** A documented name or a URL. Any text is allowed; editors suggest the names. */
type Place<ServerName extends string> = ServerName | (string & Readonly<Record<never, never>>)

type Route = {
  /** Matches a URL without its query. */
  readonly pattern: RegExp
  /** The path of a URL for the server. */
  readonly path: (url: string) => string
}

const httpRoutes = ({ http: web }: Service, options: Placed): readonly Route[] => {
  const sources = new Map<string, Set<string>>()
  for (const { path, servers } of Object.values(web?.operations ?? {})) {
    const bases = cached(sources, path, () => new Set())
    for (const { source } of createAddresses(servers, whereOf(options, 'http'))) bases.add(source)
  }
  return [...sources].flatMap(([path, bases]) => {
    if (bases.size === 0) return []
    const base = `(?:${[...bases].map(withoutGroups).join('|')})`
    // What follows the address is the first group.
    const source = pathPattern(path, '[^/]')
    const whole = new RegExp(`^${base}(${source})$`)
    return {
      pattern: new RegExp(`^${base}${withoutGroups(source)}$`),
      path: (url) => whole.exec(url)?.[1] ?? path,
    }
  })
}

const rpcRoutes = ({ rpc }: Service, options: Placed): readonly Route[] => {
  if (rpc === undefined) return []
  return createAddresses(rpc.servers, whereOf(options, 'rpc'), rpc.path).map(
    ({ source, names }: Address) => {
      const whole = new RegExp(`^${source}/?$`)
      const path = (url: string): string => {
        const caught = whole.exec(url)?.slice(1) ?? []
        return fillTemplate(rpc.path, (name) => caught[names.indexOf(name)] ?? 'mocked')
      }
      return { pattern: new RegExp(`^${withoutGroups(source)}/?$`), path }
    },
  )
}

type Placed = MockOptions<object, string>

const whereOf = ({ server, variables }: Placed, kind: 'http' | 'rpc') => ({
  choice: typeof server === 'object' ? server[kind] : server,
  variables,
})

const intercept = ({ pattern, path }: Route, core: ServerCore): HttpHandler =>
  http.all(pattern, async ({ request }) => {
    const { method, headers, signal } = request
    const { origin, pathname, search } = new URL(request.url)
    const url = path(origin + pathname) + search
    const body = new Uint8Array(await request.arrayBuffer())
    const reply = await core.handle({ method, url, headers, body, signal })
    return new Response(contentOf(reply), { status: reply.status, headers: { ...reply.headers } })
  })

/** Outside of any promise, so that every test runner sees it, even if the code under test ignores the response. */
const throwAside = (error: unknown): void =>
  queueMicrotask(() => {
    throw error
  })

/**
 * The mocked addresses, as patterns of URLs without their query. A variable of a path, and a secret one, matches anything. A
 * variable of a host has the value of `variables`, else one of its `enum`, else its default. A relative server is at the origin
 * of the page, and is omitted without a page.
 */
const createAddresses = (
  servers: readonly DocumentedServer[],
  { choice, variables = {} }: Where,
  path = servers[0] === undefined ? '' : withoutOrigin(servers[0].url),
): readonly Address[] => {
  const isAddress = choice !== undefined && isUrl(choice)
  const chosen = choose(servers, isAddress ? withPath(choice, path) : choice)
  const addresses = chosen.flatMap((server) => addressOf(server, variables) ?? [])
  // Two networks may share a host; each address has one handler.
  return [...new Map(addresses.map((address) => [address.source, address])).values()]
}

type Where = {
  /** The name of a documented server or a URL; undefined means all documented servers. */
  readonly choice: string | undefined
  readonly variables?: Readonly<Record<string, string>> | undefined
}

type Address = {
  /** The source of a regular expression, whose groups are the variables of the path. */
  readonly source: string
  readonly names: readonly string[]
}

/** The pattern without groups, because other code may decode the text of a group. */
const withoutGroups = (source: string): string =>
  source.replace(/\\.|\((?!\?)/gs, (part) => (part === '(' ? '(?:' : part))

/** Whether a choice is a URL or a path, not a name. */
const isUrl = (choice: string): boolean => /^(\/|[a-z][a-z\d+.-]*:\/\/)/i.test(choice)

const choose = (
  servers: readonly DocumentedServer[],
  choice: string | undefined,
): readonly DocumentedServer[] => {
  if (choice === undefined) return servers
  if (isUrl(choice)) return [chooseServer(servers, choice)]
  return servers.filter(({ name }) => name === choice)
}

const addressOf = (
  { url, variables }: DocumentedServer,
  chosen: Readonly<Record<string, string>>,
): Address | undefined => {
  const whole = absolute(url)
  if (whole === undefined) return undefined
  const marks: string[] = []
  const marked = fillTemplate(whole, (name) => `${MARK}${marks.push(name) - 1}x`)
  const defaults = (name: string): string => chosen[name] ?? variables[name]?.default ?? ''
  // A port cannot contain a placeholder, so an address with a variable port uses its defaults.
  const parsed = URL.canParse(marked) ? new URL(marked) : new URL(fillTemplate(whole, defaults))
  const names: string[] = []
  const fill = (text: string, part: 'host' | 'path'): string =>
    escapePattern(text).replace(MARKS, (_, index: string) => {
      const name = marks[Number(index)] ?? ''
      const { secret, enum: values } = variables[name] ?? {}
      const value = chosen[name]
      if (part === 'path' && value === undefined && (values === undefined || secret)) {
        names.push(name)
        return '([^/]+)'
      }
      const options = value === undefined ? (values ?? [defaults(name)]) : [value]
      const spelt = part === 'host' ? options.map((one) => one.toLowerCase()) : options
      return `(?:${spelt.map(escapePattern).join('|')})`
    })
  const host = fill(parsed.origin, 'host')
  return { source: host + fill(withoutTrailingSlashes(parsed.pathname), 'path'), names }
}

const absolute = (url: string): string | undefined => {
  if (!url.startsWith('/')) return url
  const { location } = globalThis as { location?: { readonly origin?: string } }
  return location?.origin === undefined ? undefined : location.origin + url
}

/** A placeholder that is valid in hosts and paths without encoding. */
const MARK = 'twinspec-variable-'
const MARKS = /twinspec\\-variable\\-(\d+)x/g
