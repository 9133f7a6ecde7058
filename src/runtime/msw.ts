import { type HttpHandler, http } from 'msw'
import {
  type Address,
  createAddresses,
  isUrl,
  templateSource,
  withoutGroups,
} from './msw/addresses.js'
import type { Documented, DocumentedHttp, DocumentedRpc } from './msw/documented.js'
import { mockHttp } from './msw/http-response.js'
import type { LooseOverride } from './msw/override.js'
import { createMockPolicy, fault, type MockPolicy, throwAside } from './msw/policy.js'
import { mockRpc } from './msw/rpc-response.js'
import type { HttpValidators, RpcValidators } from './operation.js'
import type { AnyHandlers } from './server/handlers.js'
import type { Server } from './server/server.js'
import { createServerCore, type Service } from './server.js'
import { fillTemplate } from './shared/template.js'
import { validatorsFor } from './shared/validators.js'

export type { Documented } from './msw/documented.js'
export type { HttpOverride, RpcOverride, VariantOverride } from './msw/override.js'

/**
 * Request handlers of MSW for the operations of one or both documents: what a request has to be is asked of it as a server
 * would, and the answers are the documents' own examples, or what an override says. What no operation is at is not theirs.
 * Throws a TypeError for an override that cannot be right and where no address is left.
 */
export const createMockHandlers = (
  service: Service,
  documented: Documented,
  options: MockOptions<object, string> = {},
): HttpHandler[] => {
  const { onError = throwAside, validate = true } = options
  const policy = createMockPolicy(validate, onError)
  const handlers = mockOperations(service, documented, options.overrides ?? {}, policy)
  const core = createServerCore(service, handlers, { basePath: '', validateOutput: false, onError })
  const routes = [...httpRoutes(service, options), ...rpcRoutes(service, options)]
  if (routes.length > 0) return routes.map((route) => intercept(route, core))
  const servers = [...(service.http?.servers ?? []), ...(service.rpc?.servers ?? [])]
  const usable = servers.filter((one) => createAddresses([one], { choice: undefined }).length > 0)
  const known = [...new Set(usable.map(({ name }) => name))].join(', ')
  const named = known ? `, or one of ${known}` : ', as the documents name no absolute one'
  throw fault('no address is left to be mocked', `give \`server\` a URL${named}`)
}

export type MockOptions<Overrides, ServerName extends string> = {
  /**
   * Where the service is mocked: at the documented server of this name, or below this URL; at every documented one by
   * default. An object says it of each document, and its URLs are those that the clients are given.
   */
  readonly server?:
    | Place<ServerName>
    | { readonly http?: Place<ServerName>; readonly rpc?: Place<ServerName> }
    | undefined
  /** Variables of servers that stand in a host, where not their defaults. */
  readonly variables?: Readonly<Record<string, string>> | undefined
  /** Operation id -> what it answers in place of the documents' examples. */
  readonly overrides?: Overrides | undefined
  /** Whether answers that overrides give must be what the documents allow; true by default. */
  readonly validate?: boolean | undefined
  /**
   * Hears what is wrong with a test's own overrides while it runs. By default it is thrown outside of any promise, so that
   * the run fails even where the code under test swallows the 500 or -32603 that tells it too.
   */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** A documented name or a URL; any text is one, and the names are offered first. */
type Place<ServerName extends string> = ServerName | (string & Readonly<Record<never, never>>)

const mockOperations = (
  { http: web, rpc, validators }: Service,
  documented: Documented,
  overrides: object,
  policy: MockPolicy,
): AnyHandlers => {
  const given = overrides as Readonly<Record<string, LooseOverride | undefined>>
  const known = { ...web?.operations, ...rpc?.operations }
  for (const id of Object.keys(given))
    if (!Object.hasOwn(known, id))
      throw fault(`there is no operation '${id}'`, 'overrides are named by operation ids')
  return Object.fromEntries(
    Object.values(known).map((operation) => {
      const { id } = operation
      const override = Object.hasOwn(given, id) ? given[id] : undefined
      if (operation.kind === 'rpc') {
        const own = validatorsFor<RpcValidators>(validators, id)
        const shown = (documented[id] ?? { pairings: [] }) as DocumentedRpc
        return [id, mockRpc(operation, own, shown, override, policy)]
      }
      const own = validatorsFor<HttpValidators>(validators, id)
      const shown = (documented[id] ?? { answers: [] }) as DocumentedHttp
      return [id, mockHttp(operation, own, shown, override, policy)]
    }),
  )
}

type Route = {
  /** Of a URL without its query. */
  readonly pattern: RegExp
  /** The path that the server knows it by. */
  readonly path: (url: string) => string
}

const httpRoutes = ({ http: web }: Service, options: Placed): readonly Route[] => {
  const sources = new Map<string, Set<string>>()
  for (const { path, servers } of Object.values(web?.operations ?? {})) {
    const bases = sources.get(path) ?? new Set()
    for (const { source } of createAddresses(servers, whereOf(options, 'http'))) bases.add(source)
    sources.set(path, bases)
  }
  return [...sources].flatMap(([path, bases]) => {
    if (bases.size === 0) return []
    const base = `(?:${[...bases].map(withoutGroups).join('|')})`
    const whole = new RegExp(`^${base}(${templateSource(path)})$`)
    return {
      pattern: new RegExp(`^${base}${templateSource(path)}$`),
      path: (url) => whole.exec(url)?.[1] ?? path,
    }
  })
}

const rpcRoutes = ({ rpc }: Service, options: Placed): readonly Route[] => {
  if (rpc === undefined) return []
  const where = whereOf(options, 'rpc')
  const choice =
    where.choice !== undefined && isBare(where.choice)
      ? where.choice.replace(/\/$/, '') + rpc.path
      : where.choice
  return createAddresses(rpc.servers, { ...where, choice }).map(({ source, names }: Address) => {
    const whole = new RegExp(`^${source}/?$`)
    const path = (url: string): string => {
      const caught = whole.exec(url)?.slice(1) ?? []
      return fillTemplate(rpc.path, (name) => caught[names.indexOf(name)] ?? 'mocked')
    }
    return { pattern: new RegExp(`^${withoutGroups(source)}/?$`), path }
  })
}

type Placed = MockOptions<object, string>

const whereOf = ({ server, variables }: Placed, kind: 'http' | 'rpc') => ({
  choice: typeof server === 'object' ? server[kind] : server,
  variables,
})

/** A URL that says no path, behind which the documented one is meant. */
const isBare = (choice: string): boolean =>
  isUrl(choice) && /^[a-z][a-z\d+.-]*:\/\/[^/]*\/?$/i.test(choice)

const intercept = ({ pattern, path }: Route, core: Server): HttpHandler =>
  http.all(pattern, async ({ request }) => {
    const { method, headers, signal } = request
    const origin = headers.get('origin')
    const shared = origin === null ? {} : { 'access-control-allow-origin': origin }
    const wanted = headers.get('access-control-request-method')
    if (method === 'OPTIONS' && wanted !== null)
      return new Response(null, {
        status: 204,
        headers: { ...shared, ...preflight(headers, wanted) },
      })
    const { origin: from, pathname, search } = new URL(request.url)
    const url = path(from + pathname) + search
    const body = new Uint8Array(await request.arrayBuffer())
    const reply = await core.handle({ method, url, headers, body, signal })
    const content =
      typeof reply.body === 'string' ? reply.body : reply.body && new Uint8Array(reply.body)
    return new Response(content ?? null, {
      status: reply.status,
      headers: { ...shared, ...reply.headers },
    })
  })

/** Where a simulated browser asks first, it is let in, since what it asks for is not there to be protected. */
const preflight = (headers: Headers, method: string): Readonly<Record<string, string>> => ({
  'access-control-allow-methods': method,
  'access-control-allow-headers': headers.get('access-control-request-headers') ?? '*',
})
