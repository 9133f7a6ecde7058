import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Api, JsonObject } from '../model/api.js'
import { headerRecord, readBody, type ServerRequest } from '../runtime/server/request.js'
import type { Server as Handler } from '../runtime/server/server.js'
import { toNodeListener } from '../runtime/server.js'
import { fillTemplate } from '../runtime/shared/template.js'
import { createChecker } from '../schema/check.js'
import { type Answer, type Door, jsonAnswer, pathOf, templatePattern } from './exchange.js'
import { assertExamples } from './precheck.js'
import { MockError, type Prism, startPrism } from './prism.js'
import { prismDocument } from './prism-document.js'
import { createRpcHandler } from './rpc-handler.js'
import { withAnswers } from './sample-responses.js'
import { createSiteHandler, isOfSite, SITE, type SiteFile } from './site-handler.js'
import { createVariantHandler } from './variant-handler.js'

/**
 * Serves both documents' examples at one address, checked by Prism: HTTP operations on their paths,
 * JSON-RPC on the paths of the OpenRPC document's servers. `projection` is that document as one path
 * per method; without it (or without an OpenAPI document) the other half is served alone.
 * Throws DocumentError for a document that Prism would serve wrongly, MockError where Prism does not
 * run. A caller stops what it started, with `stop`.
 */
export const startMock = async (
  api: Api,
  projection: JsonObject | undefined,
  {
    port = 0,
    host = '127.0.0.1',
    onLog = () => {},
    startTimeout = 300_000,
    site,
  }: MockOptions = {},
): Promise<Mock> => {
  assertExamples(api)
  const documents = withAnswers(api, projection)
  const started = await Promise.allSettled(
    [documents.http, documents.rpc].map(
      (document) => document && startPrism(prismDocument(document), { timeout: startTimeout }),
    ),
  )
  const prisms = started.flatMap((one) =>
    one.status === 'fulfilled' && one.value ? [one.value] : [],
  )
  const stopPrisms = () => Promise.all(prisms.map((prism) => prism.stop()))
  try {
    for (const one of started) if (one.status === 'rejected') throw one.reason
    const [http, rpc] = started.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
    const routes = [...(site ? [siteRoute(site)] : []), ...routesOf(api, documents.rpc, http, rpc)]
    const server = createServer(toNodeListener(handlerOf(routes, onLog)))
    const url = await listen(server, port, host)
    return {
      url,
      httpUrl: http && url,
      rpcUrl: rpc && api.rpc && `${url}${api.rpc.path}`,
      stop: async () => {
        const closed = new Promise((resolve) => server.close(resolve))
        server.closeAllConnections()
        await Promise.all([closed, stopPrisms()])
      },
    }
  } catch (error) {
    await stopPrisms()
    throw error
  }
}

export type MockOptions = {
  readonly port?: number
  readonly host?: string
  /** One line per answer: method, path template, status. Secrets in a path are not in it. */
  readonly onLog?: (line: string) => void
  /** Milliseconds that each Prism may take to listen; five minutes by default, as it reads a large document for one of them. */
  readonly startTimeout?: number
  /** A static site to show at `/docs/`, before any path of the documents; called when the first page is asked for. */
  readonly site?: (() => readonly SiteFile[]) | undefined
}

export type Mock = {
  readonly url: string
  /** What replaces the servers of the OpenAPI document. */
  readonly httpUrl: string | undefined
  /** The JSON-RPC endpoint, its path still with `{variables}`. */
  readonly rpcUrl: string | undefined
  readonly stop: () => Promise<void>
}

type Route = {
  readonly name: string
  readonly takes: (path: string) => boolean
  /** What stands before the path that Prism knows: `/v2`, mostly nothing. */
  readonly base: string
  /** Bytes of a body that are read at most. */
  readonly limit: number
  readonly door: Door
}

const routesOf = (
  api: Api,
  projection: JsonObject | undefined,
  http: Prism | undefined,
  rpc: Prism | undefined,
): readonly Route[] => {
  const rpcDoor = api.rpc && projection && rpc && createRpcHandler(api.rpc, projection, rpc.ask)
  const httpDoor = http && createVariantHandler(api, createChecker(api.schemas), http.ask)
  const templates = api.operations.flatMap((one) => (one.kind === 'http' ? [one.path] : []))
  const rpcLimit = api.rpc?.limits.payloadBytes ?? PRISM_LIMIT
  return [
    ...(rpcDoor ? rpcPaths(api).map((path) => routeOf(path, rpcLimit, rpcDoor)) : []),
    ...(httpDoor
      ? byTemplates(templates).flatMap((path) =>
          basesOf(api, path).map((base) => routeOf(path, limitOf(api, path), httpDoor, base)),
        )
      : []),
  ]
}

const siteRoute = (site: () => readonly SiteFile[]): Route => ({
  name: SITE,
  takes: isOfSite,
  base: '',
  limit: 0,
  door: createSiteHandler(site),
})

const routeOf = (template: string, limit: number, door: Door, base = ''): Route => {
  const pattern = templatePattern(template)
  const takes = (path: string) => path.startsWith(base) && pattern.test(path.slice(base.length))
  return { name: template, takes, base, limit, door }
}

/** Who was told one address calls the bare paths, and who fills in the documented ones those below `/v2`. */
const basesOf = (api: Api, path: string): readonly string[] => {
  const servers = api.operations.flatMap((one) =>
    one.kind === 'http' && one.path === path ? one.servers : [],
  )
  const bases = servers.map(({ url, variables }) => {
    const filled = fillTemplate(url, (name) => variables[name]?.default ?? '')
    return (/^(?:[a-z+.-]+:\/\/[^/]*)?(\/[^?#]*)?/i.exec(filled)?.[1] ?? '').replace(/\/+$/, '')
  })
  return [...new Set(['', ...bases])]
}

const byTemplates = (paths: readonly string[]): readonly string[] =>
  [...new Set(paths)].sort((a, b) => a.split('{').length - b.split('{').length)

/** The paths of all servers of the OpenRPC document. */
const rpcPaths = (api: Api): readonly string[] => {
  const paths = (api.rpc?.servers ?? []).map(
    ({ url }) => /^(?:[a-z+.-]+:\/\/[^/]*)?(\/[^?#]*)?/i.exec(url)?.[1] ?? '/',
  )
  return byTemplates([api.rpc?.path ?? '/', ...paths])
}

/** The most that any operation of the path takes; the door then refuses by the limit of the one that is called. */
const limitOf = (api: Api, path: string): number => {
  const limits = api.operations.flatMap((one) =>
    one.kind === 'http' && one.path === path
      ? [one.limits.payloadBytes ?? api.http?.limits.payloadBytes ?? PRISM_LIMIT]
      : [],
  )
  return Math.max(...limits)
}

const PRISM_LIMIT = 10_000_000

const handlerOf = (routes: readonly Route[], onLog: (line: string) => void): Handler => {
  const answerTo = async (request: ServerRequest, route: Route | undefined): Promise<Answer> => {
    // Not Prism's own refusal: that tells the path, in which a key may stand.
    if (!route) return jsonAnswer(404, { error: 'there is nothing here' })
    const { method, url } = request
    const target = url.startsWith(route.base) ? url.slice(route.base.length) : url
    const headers = headerRecord(request.headers)
    const read = await readBody(request, headers, route.limit)
    const body = read.refusal ? Buffer.alloc(0) : Buffer.from(read.value)
    return route.door({ method, target, headers, body, refusal: read.refusal })
  }
  return {
    handle: async (request) => {
      const { method, url } = request
      const route = routes.find(({ takes }) => takes(pathOf({ target: url })))
      const { status, headers, body } = await answerTo(request, route).catch((error: Error) => {
        onLog(`the mock failed: ${error.message}`)
        return jsonAnswer(502, { error: 'the mock failed' })
      })
      const violations = headers['sl-violations']
      const name = route?.name ?? '(unknown path)'
      onLog(`${method} ${name} ${status}${violations ? ` violates ${violations}` : ''}`)
      const present = Object.entries(headers).flatMap(([header, value]) =>
        value === undefined ? [] : [[header, String(value)] as const],
      )
      return { status, headers: Object.fromEntries(present), body }
    },
  }
}

const listen = (server: Server, port: number, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new MockError(`the mock cannot listen on ${host}:${port}: ${cause.message}`, { cause }),
      )
    })
    server.listen(port, host, () => {
      const { address, port: bound, family } = server.address() as AddressInfo
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`)
    })
  })
