import createClient, { type Client } from 'openapi-fetch'
import { namedBy, readOptions } from './client-options.js'
import type { HttpCallContext, HttpOptions, HttpService } from './http/call.js'
import type { Failures } from './http/failure.js'
import type { AnyInput } from './http/request.js'
import type { ReadResponse } from './http/response.js'
import { sendChecked } from './http/send.js'
import { createContexts } from './http.js'
import type { HttpOperation } from './operation.js'
import { codecOf, holdsFields, isSequential, sentCodec } from './shared/codecs.js'
import type { Why } from './shared/explain.js'
import { parseJson } from './shared/json.js'
import { essence } from './shared/media-type.js'
import { declaredContent } from './wire/content.js'

/**
 * An openapi-fetch client that sends requests like `createHttp`: with the credentials of `options.auth`, validated, and retried
 * if the document allows it. A call resolves with `data` or `error` as in openapi-fetch, and rejects with a CallError if there
 * is no usable response. Middleware is added with `use`.
 */
export const createFetch = <Paths extends object>(
  service: HttpService,
  validators: object,
  options: HttpOptions = {},
  why: Why | undefined = options.explanations,
): Client<Paths> => {
  const settings = readOptions(namedBy(service), { ...options, explanations: why })
  const contexts = new Map(
    createContexts(service, validators, settings).map((context) => [
      `${context.operation.method} ${context.operation.path}`,
      context,
    ]),
  )
  const pending = new Map<string, Pending>()
  const client = createClient<Paths>({
    // openapi-fetch needs an address to create a request; `options.server` decides where it goes.
    baseUrl: 'http://localhost',
    fetch: async (request, init?: RequestInit) => {
      const call = pending.get(request.headers.get(CALL) ?? '')
      if (call === undefined) throw new TypeError('a middleware removed the headers of the request')
      return await sendRequest(call, request, init)
    },
  })
  client.use({
    onRequest: ({ request, schemaPath, params, id, options: { parseAs } }) => {
      const context = contexts.get(`${request.method} ${schemaPath}`)
      if (context === undefined)
        throw new TypeError(`${request.method} ${schemaPath} is not documented`)
      pending.set(id, { context, params, parseAs })
      request.headers.set(CALL, id)
    },
    onResponse: ({ id }) => void pending.delete(id),
    onError: ({ id }) => void pending.delete(id),
  })
  return client
}

/** The generated client. Parameters in `Secret` are optional, because the client has their values. */
export type FetchClient<Paths extends object, Secret extends string> = Client<{
  [Path in keyof Paths]: {
    [Key in keyof Paths[Path]]: WithoutSecrets<Paths[Path][Key], Secret>
  }
}>

type WithoutSecrets<Operation, Secret extends string> = Operation extends {
  parameters: { path: infer Path }
}
  ? [Secret & keyof Path] extends [never]
    ? Operation
    : Omit<Operation, 'parameters'> & {
        parameters: Omit<Operation['parameters'], 'path'> & OptionalPath<Path, Secret>
      }
  : Operation

type OptionalPath<Path, Secret extends string> = [Exclude<keyof Path, Secret>] extends [never]
  ? { path?: Partial<Path> }
  : { path: Omit<Path, Secret> & Partial<Pick<Path, Secret & keyof Path>> }

/** The header that identifies the call of a request after all middleware; it is not sent. */
const CALL = 'x-twinspec-call'

type Pending = {
  readonly context: HttpCallContext
  readonly params: AnyInput
  readonly parseAs: string
}

const sendRequest = async (
  { context, params, parseAs }: Pending,
  request: Request,
  init: RequestInit | undefined,
): Promise<Response> => {
  const headers = Object.fromEntries(
    [...request.headers].filter(([name]) => name !== CALL && name !== 'content-type'),
  )
  const input = { ...params, ...(await readBody(request, context.operation)) }
  const finish = parseAs === 'json' ? asJson : (response: Response) => response
  const plain = new Request('http://localhost')
  // openapi-fetch adds fields that the platform does not know, such as `next`, to the object.
  const names = [...FIELDS.filter((name) => request[name] !== plain[name]), ...Object.keys(request)]
  const changed = names.map((name) => [name, Reflect.get(request, name)] as const)
  const fetchOptions = { ...Object.fromEntries(changed), ...init }
  const options = { headers, signal: request.signal, fetchOptions }
  return await sendChecked(context, input, options, finish)
}

/** The fields of a request that `fetch` reads, beside those that the client sets. */
const FIELDS = ['cache', 'credentials', 'integrity', 'keepalive', 'mode', 'referrerPolicy'] as const

/** openapi-fetch parses every 2xx body as JSON. A validated text is therefore converted to a JSON string. */
const asJson = (response: Response, { body }: ReadResponse, fail: Failures): Response => {
  const type = response.headers.get('content-type') ?? 'application/json'
  if (!response.ok || codecOf(type) === 'json' || body === undefined) return response
  if (typeof body !== 'string')
    throw fail.call('malformed-answer', `returned ${type}: read it with parseAs: 'blob'`)
  const { status, statusText, headers } = response
  return new Response(JSON.stringify(body), { status, statusText, headers })
}

/** The body in the form that `createHttp` accepts, so that it is validated. */
const readBody = async (request: Request, { body: declared }: HttpOperation): Promise<AnyInput> => {
  if (request.body === null) return {}
  const contentType = request.headers.get('content-type') ?? 'application/octet-stream'
  const content = declared && declaredContent(declared.content, contentType)
  const codec = sentCodec(content, contentType)
  if (codec === 'json') return { body: await request.json(), contentType }
  if (content && isSequential(codec)) {
    const text = await request.text()
    const read = parseJson(text, () => '')
    // By default, openapi-fetch writes a list as one JSON text. Any other text is that of the caller's serializer.
    const isList = 'value' in read && Array.isArray(read.value) && text.endsWith(']')
    return { body: isList ? read.value : text, contentType }
  }
  if (!holdsFields(codec)) return { body: await request.blob(), contentType }
  const form = await request.formData()
  const type = essence(contentType)
  if (codec === 'multipart') return { body: form, contentType: type }
  return { body: new URLSearchParams([...form] as [string, string][]), contentType: type }
}
