import { createServer, type Server as NodeServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Api, Operation } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { loadCodecs } from '../model/load-codecs.js'
import { nameOf } from '../model/operation-name.js'
import { speaksOverSockets } from '../model/sockets.js'
import { createMockPolicy } from '../runtime/examples/policy.js'
import { createExampleServer } from '../runtime/examples/server.js'
import type { Content, HttpValidators } from '../runtime/operation.js'
import { listUnmade, unmadeErrors } from '../runtime/server/reply.js'
import {
  headerRecord,
  type ServerCore,
  type ServerReply,
  type ServerRequest,
} from '../runtime/server/request.js'
import { type Service, toNodeListener } from '../runtime/server.js'
import { holdsValue } from '../runtime/shared/codecs.js'
import { decodePercent, fillTemplate } from '../runtime/shared/template.js'
import { validatorsFor } from '../runtime/shared/validators.js'
import { acceptWeight } from '../runtime/wire/content.js'
import { headerOf } from '../runtime/wire/headers.js'
import { basePaths, createRoutes, splitUrl } from '../runtime/wire/routes.js'
import { createChecker } from '../schema/check.js'
import { createCurl, type MockUrls } from './curl.js'
import { createExamples, wrongExamples } from './examples.js'
import { createService, type NotMocked, routeKey, rpcPaths } from './service.js'
import { serveMockSockets } from './sockets.js'

/**
 * Serves the examples of both documents at one address, and JSON-RPC over WebSocket too if its document needs it: HTTP operations at their paths, JSON-RPC at the paths of the OpenRPC
 * document's servers. Throws MockError if it cannot listen. The caller must call `stop`.
 */
export const startMock = async (api: Api, options: MockServerOptions = {}): Promise<Mock> => {
  const { port = 0, host = '127.0.0.1', onLog = () => {}, site, backend } = options
  const { server, wrongExamples, errorsNotMocked, notMocked, stop } =
    backend ?? (await createMockBackend(api, options))
  let origin = ''
  const urls = () => ({ httpUrl: api.http && origin, rpcUrl: api.rpc && origin + api.rpc.path })
  const list = createListing(api, notMocked, urls)
  try {
    const everywhere = atEveryRpcPath(server, api)
    const listening = createServer(
      toNodeListener(createFront(everywhere, api, { onLog, site, list })),
    )
    const wantsSockets = speaksOverSockets(api)
    const sockets =
      wantsSockets && everywhere.rpc
        ? await serveMockSockets(everywhere, listening, { onLog, load: options.loadSockets })
        : undefined
    origin = await listen(listening, port, host)
    const socketUrl = api.rpc && origin.replace(/^http/, 'ws') + api.rpc.path
    return {
      url: origin,
      ...urls(),
      ...(sockets && { socketUrl }),
      ...(wantsSockets && !sockets && { lacksSockets: everywhere.rpc ? 'package' : 'backend' }),
      wrongExamples,
      ...(errorsNotMocked && { errorsNotMocked }),
      notMocked,
      stop: async () => {
        const closed = new Promise((resolve) => listening.close(resolve))
        await sockets?.close()
        listening.closeAllConnections()
        await Promise.all([closed, stop?.()])
      },
    }
  } catch (error) {
    await stop?.()
    throw error
  }
}

export type MockServerOptions = {
  readonly port?: number
  readonly host?: string
  /** One line per response: method, path template, status. It contains no secret of a path. */
  readonly onLog?: (line: string) => void
  /** A static site to show at `/docs/`, before any path of the documents; called when the first page is requested. */
  readonly site?: (() => readonly SiteFile[]) | undefined
  /** The implementation that sends responses; our own server core by default. */
  readonly backend?: MockBackend | undefined
  /** Milliseconds between two items of a subscription; 1,000 by default. */
  readonly pushInterval?: number | undefined
  /** Loads the WebSockets, which need the package ws. */
  readonly loadSockets?: Parameters<typeof serveMockSockets>[2]['load']
}

export type MockBackend = {
  readonly server: ServerCore
  /** Examples that break their schema, or fit several branches of a `oneOf`. */
  readonly wrongExamples: readonly Finding[]
  /** Error responses that the mock sends itself, with a body that the document does not allow; absent for another backend. */
  readonly errorsNotMocked?: readonly Finding[]
  /** Operations whose responses are not as documented, with the reason. */
  readonly notMocked: readonly NotMocked[]
  readonly stop?: () => Promise<unknown>
}

export type Mock = MockUrls &
  Pick<MockBackend, 'wrongExamples' | 'errorsNotMocked' | 'notMocked'> & {
    readonly url: string
    /** Where JSON-RPC is served over WebSocket; absent if the document needs none, or if it cannot be served. */
    readonly socketUrl?: string | undefined
    /** Why it cannot: the package ws is not installed, or the backend has no connections. */
    readonly lacksSockets?: 'package' | 'backend'
    readonly stop: () => Promise<void>
  }

/** The maximum body size in bytes if the documents set no limit. */
export const PAYLOAD_BYTES = 10_000_000

const createMockBackend = async (
  api: Api,
  { pushInterval }: Pick<MockServerOptions, 'pushInterval'>,
): Promise<MockBackend> => {
  const checker = createChecker(api.schemas)
  const { service: made, notMocked } = createService(api, checker)
  const service = { ...made, codecs: await loadCodecs(api) }
  const examples = createExamples(api, service, checker, pushInterval)
  const { documented, samples } = examples
  const policy = createMockPolicy(() => {}, { validate: true, hasStates: false, samples })
  const server = createExampleServer(service, documented, policy, {
    payloadBytes: PAYLOAD_BYTES,
    // The only error is a sample that cannot be serialized, and the response reports it.
    onError: () => {},
  })
  const all = [...notMocked, ...examples.notMocked]
  return {
    server,
    wrongExamples: wrongExamples(api),
    errorsNotMocked: findUnmadeErrors(api, service),
    notMocked: all,
  }
}

/** The errors of rejected requests for which the document allows no body that can be made. */
const findUnmadeErrors = ({ operations }: Api, { http, errors, validators }: Service) =>
  operations.flatMap((operation): readonly Finding[] => {
    const { id } = operation
    const record = http?.operations[id]
    if (operation.kind !== 'http' || record === undefined) return []
    const own = validatorsFor<HttpValidators>(validators, id)
    const isWritten = ({ codec }: Content) => holdsValue(codec) || codec === 'text'
    const unmade = unmadeErrors(record, own, errors?.[id]).filter(({ content }) =>
      content.some(isWritten),
    )
    if (unmade.length === 0) return []
    const message = `${nameOf(operation)} rejects invalid requests with bodies that the document does not allow: no body can be made for ${listUnmade(unmade)}; add a valid example`
    return [
      { rule: 'error-not-mocked', level: 'warning', location: operation.source.locate(), message },
    ]
  })

/** The server core serves JSON-RPC at one path, but each declared network may have its own. */
const atEveryRpcPath = (server: ServerCore, api: Api): ServerCore => {
  const [path = '/', ...others] = rpcPaths(api)
  if (others.length === 0) return server
  const routes = routesOf(others)
  const atPath = (request: ServerRequest): ServerRequest => {
    const match = routes('', splitUrl(request.url)[0])
    if (match.kind !== 'found') return request
    return { ...request, url: fillTemplate(path, (name) => match.path[name] ?? 'mock') }
  }
  const { rpc } = server
  return {
    ...server,
    handle: (request) => server.handle(atPath(request)),
    ...(rpc && { rpc: { ...rpc, admit: (request) => rpc.admit(atPath(request)) } }),
  }
}

const routesOf = (templates: readonly string[]) => {
  const paths = new Map(templates.map((path) => [routeKey('', path), path]))
  return createRoutes([...paths.values()].map((path) => ({ method: '', path, target: path })))
}

/** Serves the site, the list of operations and the documented operations, and logs each response. */
const createFront = (
  { handle, paths = [] }: ServerCore,
  api: Api,
  { onLog, site, list }: Front,
): ServerCore => {
  const routes = routesOf([...rpcPaths(api), ...paths])
  const templateOf = (path: string): string | undefined => {
    const match = routes('', path)
    return match.kind === 'found' ? match.target : undefined
  }
  const sitePage = site && createSiteHandler(site)
  const isRpcRoot = rpcPaths(api).includes('/') && !api.operations.some(isRoot)
  const operationList = ({ method, headers }: ServerRequest, path: string) => {
    if (method !== 'GET' || path !== '/') return undefined
    const accept = headerOf(headerRecord(headers), 'accept')
    // Clients of JSON-RPC, which accept JSON only, get 405 for GET, as from a generated server.
    const isListed = isRpcRoot
      ? acceptWeight(accept, 'text/plain') > 0
      : templateOf(path) === undefined
    return isListed ? list(accept) : undefined
  }
  const bases = [...new Set((api.http?.servers ?? []).flatMap((one) => basePaths([one])))]
  const withServerPath = (method: string, path: string): string | undefined => {
    const base = bases.find((one) => templateOf(one + path) !== undefined)
    if (base !== undefined) return base + path
    return method === 'POST' && path === '/' ? rpcPaths(api)[0] : undefined
  }
  const documentedReply = async (request: ServerRequest, path: string): Promise<ServerReply> => {
    const reply = await handle(request)
    if (reply.status !== 404 || reply.body === undefined || templateOf(path)) return reply
    const complete = withServerPath(request.method, path)
    return complete === undefined ? reply : { ...reply, body: missingServerPath(complete) }
  }
  return {
    handle: async (request) => {
      const [path] = splitUrl(request.url)
      const page = isOfSite(path) ? sitePage?.(request.method, path) : undefined
      const reply = page ?? operationList(request, path) ?? (await documentedReply(request, path))
      const place = page ? SITE : (templateOf(path) ?? '(unknown path)')
      onLog(`${request.method} ${place} ${reply.status}`)
      return reply
    },
  }
}

type Front = Required<Pick<MockServerOptions, 'onLog'>> &
  Pick<MockServerOptions, 'site'> & { readonly list: (accept: string | undefined) => ServerReply }

const isRoot = (operation: Operation): boolean =>
  operation.kind === 'http' &&
  basePaths(operation.servers).some((base) => base + operation.path === '/')

/** The reason of a 404 for a request without the path of the declared servers. */
const missingServerPath = (path: string): string =>
  JSON.stringify({ error: `Not found: the path of the documented server is missing: ${path}` })

const listen = (server: NodeServer, port: number, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const remedy =
        cause.code === 'EADDRINUSE' ? '; choose another --port, or 0 for a free one' : ''
      const message = `the mock cannot listen on ${host}:${port}: ${cause.message}${remedy}`
      reject(new MockError(message, { cause }))
    })
    server.listen(port, host, () => {
      const { address, port: bound, family } = server.address() as AddressInfo
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`)
    })
  })

/** The mock server cannot run: its port is in use, or Prism did not start. */
export class MockError extends Error {
  override readonly name = 'MockError'
}

/**
 * The response at `/`: the operations as text, one per line, or as JSON with a curl command for each. An operation that is not
 * mocked has a `problem` in place of the command.
 */
const createListing = (
  api: Api,
  notMocked: readonly NotMocked[],
  urls: () => MockUrls,
): ((accept: string | undefined) => ServerReply) => {
  let json: string | undefined
  const text = api.operations.map((operation) => `${placeOf(operation)}\n`).join('')
  return (accept) => {
    if (acceptWeight(accept, 'application/json') <= acceptWeight(accept, 'text/plain'))
      return replyOf('text/plain', text)
    json ??= JSON.stringify(listingOf(api, notMocked, urls()), null, 2)
    return replyOf('application/json', json)
  }
}

const replyOf = (type: string, body: string): ServerReply => ({
  status: 200,
  headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' },
  body,
})

const listingOf = (api: Api, notMocked: readonly NotMocked[], urls: MockUrls) => {
  const problems = new Map(notMocked.map(({ operation, message }) => [operation, message]))
  const curl = createCurl(api, urls)
  const operations = api.operations.map((operation) => {
    const { kind, id, method } = operation
    const problem = problems.get(id)
    return {
      ...{ id, kind, method },
      path: kind === 'http' ? pathOf(operation) : (api.rpc?.path ?? '/'),
      ...(problem === undefined ? { curl: curl(operation) } : { problem }),
    }
  })
  return { http: urls.httpUrl, rpc: urls.rpcUrl, operations }
}

const pathOf = ({ servers, path }: Extract<Operation, { kind: 'http' }>): string =>
  (basePaths(servers)[0] ?? '') + path

/** `GET /v2/orders`, `eth_getBalance`. */
const placeOf = (operation: Operation): string =>
  operation.kind === 'http' ? `${operation.method} ${pathOf(operation)}` : operation.method

/** Whether a path belongs to the site: `/docs` and everything below it. */
const isOfSite = (path: string): boolean => path === SITE || path.startsWith(`${SITE}/`)

const SITE = '/docs'

/** Serves a static site, each file by its full name. `read` is called on the first request. */
const createSiteHandler = (
  read: () => readonly SiteFile[],
): ((method: string, path: string) => ServerReply) => {
  let files: ReadonlyMap<string, string> | undefined
  return (method, path) => {
    if (method !== 'GET' && method !== 'HEAD')
      return errorReply(405, 'The reference only accepts GET', { allow: 'GET, HEAD' })
    if (path === SITE) return { status: 307, headers: { location: 'docs/' } }
    files ??= new Map(read().map(({ name, text }) => [name, text]))
    const name = (decodePercent(path.slice(SITE.length + 1)) ?? path) || 'index.html'
    const text = files.get(name)
    if (text === undefined) return errorReply(404, `There is no such page; the first is ${SITE}/`)
    const headers = {
      'content-type': `${TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain'}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    }
    return { status: 200, headers, body: text }
  }
}

/** The path below the site, and the complete text. */
type SiteFile = { readonly name: string; readonly text: string }

/** A response with a message in JSON. */
export const errorReply = (
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): ServerReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error }),
})

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  md: 'text/markdown',
  txt: 'text/plain',
}
