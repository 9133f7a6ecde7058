import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Api, JsonObject } from '../model/api.js'
import { createChecker } from '../model/check.js'
import {
  type Answer,
  type Door,
  type Exchange,
  jsonAnswer,
  pathOf,
  readBody,
  templatePattern,
} from './exchange.js'
import { createFormDoor } from './form-door.js'
import { assertExamples } from './precheck.js'
import { MockError, type Prism, startPrism } from './prism.js'
import { createRpcDoor } from './rpc-door.js'

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
  { port = 0, host = '127.0.0.1', onLog = () => {}, startTimeout = 60_000 }: MockOptions = {},
): Promise<Mock> => {
  assertExamples(api)
  const documents = [api.http?.bundled, projection]
  const started = await Promise.allSettled(
    documents.map((document) => document && startPrism(document, { timeout: startTimeout })),
  )
  const prisms = started.flatMap((one) =>
    one.status === 'fulfilled' && one.value ? [one.value] : [],
  )
  const stopPrisms = () => Promise.all(prisms.map((prism) => prism.stop()))
  try {
    for (const one of started) if (one.status === 'rejected') throw one.reason
    const [http, rpc] = started.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
    const server = createServer(listener(routesOf(api, projection, http, rpc), limitOf(api), onLog))
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
  /** Milliseconds that each Prism may take to listen. */
  readonly startTimeout?: number
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
  readonly door: Door
}

const routesOf = (
  api: Api,
  projection: JsonObject | undefined,
  http: Prism | undefined,
  rpc: Prism | undefined,
): readonly Route[] => {
  const checker = createChecker(api.schemas)
  const fits = (name: string, value: unknown) => checker.named(name).check(value)
  const rpcDoor = api.rpc && projection && rpc && createRpcDoor(api.rpc, projection, rpc.ask)
  const httpDoor = http && createFormDoor(api, fits, http.ask)
  const templates = api.operations.flatMap((one) => (one.kind === 'http' ? [one.path] : []))
  return [
    ...(rpcDoor ? rpcPaths(api).map((path) => routeOf(path, rpcDoor)) : []),
    ...(httpDoor ? byTemplates(templates).map((path) => routeOf(path, httpDoor)) : []),
    ...(httpDoor ? [{ name: '(unknown path)', takes: () => true, door: httpDoor }] : []),
  ]
}

const routeOf = (template: string, door: Door): Route => {
  const pattern = templatePattern(template)
  return { name: template, takes: (path) => pattern.test(path), door }
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

/** The most that any operation takes; each door then refuses by its own limit. */
const limitOf = (api: Api): number => {
  const limits = [api.http?.limits, api.rpc?.limits, ...api.operations.map((one) => one.limits)]
  return Math.max(PRISM_LIMIT, ...limits.map((limit) => limit?.payloadBytes ?? 0))
}

const PRISM_LIMIT = 10_000_000

const listener =
  (routes: readonly Route[], limit: number, onLog: (line: string) => void) =>
  (...[request, response]: Parameters<Parameters<typeof createServer>[1] & object>): void => {
    const answerIt = async (): Promise<readonly [string, Answer]> => {
      const body = await readBody(request, limit)
      const { method = 'GET', url: target = '/', headers } = request
      const exchange: Exchange = { method, target, headers, body }
      const route = routes.find(({ takes }) => takes(pathOf(exchange)))
      if (!route) return ['(unknown path)', jsonAnswer(404, { error: 'there is nothing here' })]
      return [route.name, await route.door(exchange)]
    }
    answerIt()
      .catch((error: Error): readonly [string, Answer] => {
        onLog(`the mock failed: ${error.message}`)
        return ['(failed)', jsonAnswer(502, { error: 'the mock failed' })]
      })
      .then(([name, { status, headers, body }]) => {
        const present = Object.entries(headers).filter(([, value]) => value !== undefined)
        const length = status === 204 ? {} : { 'content-length': body.length }
        response.writeHead(status, { ...Object.fromEntries(present), ...length } as never)
        response.end(body)
        const violations = headers['sl-violations']
        onLog(`${request.method} ${name} ${status}${violations ? ` violates ${violations}` : ''}`)
      })
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
