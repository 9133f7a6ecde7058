import { errorsWithData, httpExamples, pairings } from '../emit/documented.js'
import { exampleNames, projectRpc } from '../emit/projection.js'
import type { Api, HttpOperation, RpcExample, RpcOperation } from '../model/api.js'
import { isObject } from '../model/json.js'
import { rpcOperations } from '../model/operations.js'
import { sampleParams } from '../model/sample-request.js'
import { RpcError } from '../runtime/errors.js'
import {
  answerOfRequest,
  ordinaryKeys,
  pairingOf,
  preferred,
  type RequestValues,
  sortAnswers,
} from '../runtime/examples/documented.js'
import { documentedError, exampleOf } from '../runtime/examples/rpc.js'
import type { HttpValidators } from '../runtime/operation.js'
import type { AnyHandler, RpcContext } from '../runtime/server/handlers.js'
import type { ServerCore } from '../runtime/server/request.js'
import {
  headerRecord,
  readBody,
  type ServerReply,
  type ServerRequest,
} from '../runtime/server/request.js'
import { createServerCore, type Service } from '../runtime/server.js'
import { parseExact } from '../runtime/shared/exact-json.js'
import { messageOf } from '../runtime/shared/message-of.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { validator } from '../runtime/validate.js'
import { type HeaderRecord, headerOf } from '../runtime/wire/headers.js'
import { readCookies, readParameters, type WireParameters } from '../runtime/wire/parameters.js'
import { readQuery } from '../runtime/wire/readings.js'
import { basePaths, createRoutes, splitUrl } from '../runtime/wire/routes.js'
import { decodeText } from '../runtime/wire/text.js'
import { createSampler } from '../schema/readable.js'
import { wrongExamples } from './examples.js'
import { errorReply, type MockBackend, PAYLOAD_BYTES } from './mock.js'
import { type Prism, startPrism } from './prism.js'
import { createService } from './service.js'

/**
 * Creates a mock server with an independent implementation: one Prism per document, with OpenRPC as one path for each method.
 * Prism validates requests and creates responses; this module selects the example for a request, and implements JSON-RPC.
 * Throws MockError if Prism does not start.
 */
export const startPrismBackend = async (
  documents: Api,
  projection?: JsonObject,
): Promise<MockBackend> => {
  const api = withSamples(documents)
  const http = api.http && (await startPrism(api.http.bundled))
  const rpc =
    api.rpc &&
    (await startPrism(projection ?? projectRpc(api)).catch(async (error) => {
      await http?.stop()
      throw error
    }))
  const stop = () => Promise.all([http?.stop(), rpc?.stop()])
  const { service, notMocked } = createService(api)
  const httpServer = http && createHttpFront(api, service, http)
  const rpcServer = rpc && createRpcFront(api, service, rpc)
  const rpcPath = createRoutes(
    (rpcServer?.paths ?? []).map((path) => ({ method: '', path, target: path })),
  )
  const handle: ServerCore['handle'] = async (request) => {
    const isRpc = rpcPath('', splitUrl(request.url)[0]).kind === 'found'
    const server = isRpc ? rpcServer : httpServer
    return server?.handle(request) ?? errorReply(404, 'Not found')
  }
  const paths = [...(rpcServer?.paths ?? []), ...(httpServer?.paths ?? [])]
  return { server: { handle, paths }, wrongExamples: wrongExamples(api), notMocked, stop }
}

const createHttpFront = (api: Api, service: Service, prism: Prism): ServerCore => {
  const records = Object.values(service.http?.operations ?? {})
  const operations = new Map(api.operations.map((one) => [one.id, one]))
  const entries = records.flatMap(({ id, method, path, servers }) => {
    const operation = operations.get(id)
    if (operation?.kind !== 'http') return []
    return basePaths(servers).map((base) => ({
      method,
      path: base + path,
      target: { operation, base },
    }))
  })
  const routes = createRoutes(entries)
  const handle = async (request: ServerRequest): Promise<ServerReply> => {
    const headers = headerRecord(request.headers)
    const unreadable = unreadableHeader(headers)
    if (unreadable !== undefined) return errorReply(400, unreadable)
    const read = await readBody(request, headers, PAYLOAD_BYTES)
    if (read.rejection) return errorReply(read.rejection.status, read.rejection.message)
    const sent = { method: request.method, target: request.url, headers, body: read.value }
    const [path, query] = splitUrl(request.url)
    const match = routes(request.method.toUpperCase(), path)
    // Prism would also respond at paths without the server's path.
    if (match.kind === 'unknown') return errorReply(404, 'Not found')
    const { operation, base } = match.target
    const below = path.split('/').toSpliced(1, base.split('/').length - 1)
    const plain = { ...sent, target: below.join('/') + (query === '' ? '' : `?${query}`) }
    if (match.kind === 'wrong-method') return prism.ask(plain)
    if (headerOf(headers, 'prefer') !== undefined) return prism.ask(plain)
    const wire = {
      path: match.path,
      query: readQuery(query),
      headers,
      cookies: readCookies(headers),
    }
    const own = service.validators[operation.id] as HttpValidators
    const values = requestValues(operation, own, wire, read.value)
    const example = exampleFor(operation, service, values, headerOf(headers, 'accept'))
    if (example === undefined) return prism.ask(plain)
    const reply = await prism.ask(
      preferring(plain, { code: example.status, example: example.name }),
    )
    // Prism also searches its responses to invalid requests for the example, and has its own names for some examples.
    return reply.status === Number(example.status) ? reply : prism.ask(plain)
  }
  return { handle, paths: entries.map(({ path }) => path) }
}

/** The problem of a media type that Prism cannot parse: it would fail. */
const unreadableHeader = (headers: HeaderRecord): string | undefined => {
  const type = headerOf(headers, 'content-type') ?? ''
  if (type !== '' && !MEDIA_TYPE.test(type))
    return `the header Content-Type is ${JSON.stringify(type)}: it must be one media type, for example application/json`
  const accepted = headerOf(headers, 'accept') ?? ''
  if (accepted.trim() === '' || accepted.split(',').every((one) => MEDIA_TYPE.test(one.trim())))
    return undefined
  return `the header Accept is ${JSON.stringify(accepted)}: it must list media types, for example application/json or */*`
}

/** RFC 9110, 5.6.2; `*` is a valid character. */
const TOKEN = "[!#$%&'*+.^_`|~\\w-]+"

/** RFC 9110, 8.3.1. Prism reads only half of a quoted value with a comma, so it is rejected in `Accept`. */
const MEDIA_TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?:\\s*;\\s*${TOKEN}=(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*"))*$`,
)

/** The values of a request as a server reads them. */
const requestValues = (
  operation: HttpOperation,
  { parameters: validators = {} }: HttpValidators,
  wire: WireParameters,
  body: Uint8Array,
): RequestValues => {
  const { parameters } = readParameters(
    operation,
    (one) => validators[`${one.in}.${one.name}`],
    wire,
  )
  return {
    body: jsonOf(body),
    parameters: Object.fromEntries(
      parameters.flatMap((one) => {
        const { in: place, name } = one.parameter
        return one.kind === 'value' ? [[`${place}.${name}`, one.value]] : []
      }),
    ),
  }
}

/** The example that our own mock server would respond with, if it belongs to the request. */
const exampleFor = (
  operation: HttpOperation,
  service: Service,
  values: RequestValues,
  accept: string | undefined,
) => {
  const documented = httpExamples(operation)
  const record = service.http?.operations[operation.id]
  if (documented === undefined || record === undefined) return undefined
  const { variants = {} } = service.validators[operation.id] as HttpValidators
  const [name, parts] =
    Object.entries(variants).find(([, one]) => one.request.check(values.body)) ?? []
  const variant = name !== undefined && parts ? { name, fits: parts.response.check } : undefined
  const answers = sortAnswers(documented.answers, ordinaryKeys(record), accept)
  return answerOfRequest(documented, answers, values, variant)
}

/** Our server core implements JSON-RPC; Prism validates params and creates results. */
const createRpcFront = (api: Api, service: Service, prism: Prism): ServerCore => {
  const methods = rpcOperations(api)
  const all = { params: validator(() => true), result: validator(() => true) }
  const { rpc, openrpc } = service
  return createServerCore(
    {
      ...(rpc && { rpc }),
      openrpc,
      validators: Object.fromEntries(methods.map(({ id }) => [id, all])),
    },
    Object.fromEntries(methods.map((one) => [one.id, askMethod(one, prism)])),
    { payloadBytes: PAYLOAD_BYTES, validateOutput: false },
  )
}

const askMethod = (operation: RpcOperation, prism: Prism): AnyHandler => {
  const { method, examples } = operation
  const names = exampleNames(operation)
  const documented = { pairings: pairings(operation), errors: errorsWithData(operation) }
  return async (params: unknown, { headers }: RpcContext) => {
    const { code, example: wish } = preferred(headerOf(headers, 'prefer'))
    const pairing =
      wish === undefined
        ? pairingOf(documented, params)
        : orError(() => exampleOf(wish, operation, documented.pairings))
    const example = names[examples.findIndex(({ name }) => name === pairing?.name)]
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const sent = { method: 'POST', target: `/${encodeURI(method)}`, headers: JSON_ONLY, body }
    const { status, body: text } = await prism.ask(preferring(sent, { example }))
    const value = jsonOf(text)
    if (status === 200 && isObject(value)) {
      if (code !== undefined)
        throw new RpcError(orError(() => documentedError(code, operation, documented)))
      if (isObject(value.error))
        throw new RpcError(value.error as { code: number; message: string })
      return value.result
    }
    const data = isObject(value) ? value.validation : undefined
    throw new RpcError(
      data === undefined
        ? { code: -32603, message: 'Internal error', data: value }
        : { code: -32602, message: 'Invalid params', data },
    )
  }
}

/** Adds a generated result to each method without an example of one: Prism's own would have both a result and an error. */
const withSamples = (api: Api): Api => {
  const sampler = createSampler(api.schemas, 'response')
  return {
    ...api,
    operations: api.operations.map((one) => {
      if (one.kind === 'http' || one.examples.some(({ outcome }) => outcome.kind === 'result'))
        return one
      const { source } = one.result
      const sample: RpcExample = {
        name: 'sample',
        summary: undefined,
        ...(sampleParams(one, sampler) ?? { params: [], namedParams: {} }),
        places: { params: [], result: source },
        outcome: { kind: 'result', value: sampler(one.result.schema) ?? null },
        source,
      }
      return { ...one, examples: [...one.examples, sample] }
    }),
  }
}

/** A preference that the document does not have leads to an error response, as on our own mock server. */
const orError = <Preferred>(preferred: () => Preferred): Preferred => {
  try {
    return preferred()
  } catch (cause) {
    throw new RpcError({ code: -32603, message: messageOf(cause) })
  }
}

const JSON_ONLY = { 'content-type': 'application/json', accept: 'application/json' }

/** Requests an example with Prism's query parameters, which accept every name. */
const preferring = <Sent extends { readonly target: string }>(
  sent: Sent,
  { code, example }: Wish,
): Sent => {
  const query = new URLSearchParams()
  if (code !== undefined && /^\d{3}$/.test(code)) query.set('__code', code)
  if (example !== undefined) query.set('__example', example)
  if (query.size === 0) return sent
  return { ...sent, target: `${sent.target}${sent.target.includes('?') ? '&' : '?'}${query}` }
}

type Wish = { readonly code?: string; readonly example: string | undefined }

/** The JSON of a body; undefined if it is not JSON. */
const jsonOf = (body: ServerReply['body']): unknown => {
  const text = body instanceof Uint8Array ? decodeText(body) : body
  if (typeof text !== 'string') return undefined
  try {
    return parseExact(text).value
  } catch {
    return undefined
  }
}
