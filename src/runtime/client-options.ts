import { transport as platformTransport } from '#transport'
import { sendBy } from './link/http-exchange.js'
import { CLIENT_FIELDS, type Fetch, type FetchOptions, type Send } from './link/transport.js'
import { platformFetch } from './link/web-transport.js'
import type { HttpOperation, Operation, Server } from './operation.js'
import { type Auth, assertSecret } from './shared/credentials.js'
import { type Clock, systemClock } from './shared/deadline.js'
import type { Why } from './shared/explain.js'
import type { Hooks } from './shared/hooks.js'
import type { Warning } from './shared/issues.js'
import type { Retry } from './shared/retry.js'
import { secretVariables } from './shared/server-url.js'
import { templateNames } from './shared/template.js'

/** The options of a client, for HTTP and JSON-RPC. */
export type ClientOptions<ServerName extends string = string, Secrets = Auth> = Hooks & {
  /**
   * The name of a documented server, or a URL. The documented path is appended to a URL that does not end with it. By default
   * the first documented server. Each path of an HTTP document may have its own servers.
   */
  readonly server?: ServerName | (string & Readonly<Record<never, never>>) | URL | undefined
  /** Secret parameters and server variables by name, credentials by the name of their security scheme. */
  readonly auth?: Secrets | undefined
  /** Values of the `{variables}` in server URLs. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined
  /** Headers of every request. Documented headers take precedence; cookies are joined. */
  readonly headers?: HeadersInit | undefined
  /**
   * The package of the client with its version, such as `@acme/orders/1.4.2`. It is sent as `X-Client-Package`, so that
   * `twinspec usage` counts by it. Nothing is sent by default. In browsers the header needs a CORS preflight.
   */
  readonly clientPackage?: string | undefined
  /** Sends every request; by default the platform's `fetch`, or a faster transport with the same behaviour. */
  readonly fetch?: Fetch | undefined
  /**
   * Fields of `fetch` for every request, such as `{ credentials: 'include' }` for the cookies of a browser. In a browser, no
   * secret is needed for a cookie of the document, and none is sent: only the browser sets cookies.
   */
  readonly fetchOptions?: FetchOptions | undefined
  /** Wraps the function that sends each request; `openTelemetry` of `runtime/open-telemetry` returns such a wrapper. */
  readonly around?: ((send: Send) => Send) | undefined
  /** Milliseconds for one call, retries included; 60,000 by default, Infinity for no timeout. */
  readonly timeout?: number | undefined
  /**
   * The maximum size of a response body in bytes, decompressed; 104,857,600 (100 MiB) by default, Infinity for no limit. A
   * larger body rejects the call with the reason `response-too-large`. Streams and `raw`, which do not collect a body, have no
   * limit.
   */
  readonly maxResponseBytes?: number | undefined
  /** Applies to operations marked `x-idempotent` and calls with an idempotency key; no other call is retried. */
  readonly retry?: Retry | undefined
  readonly validate?: Validation | undefined
  /**
   * `bigint`: an integer beyond 2^53 - 1 in a response is a bigint with all its digits, whatever its declared type; more than
   * 4,300 digits reject the call. `number`, the default: it is rounded. Every number that is rounded, such as `1e400`, is
   * reported to `onWarning`; with `validate.response: 'strict'` it rejects the call.
   */
  readonly integers?: 'number' | 'bigint' | undefined
  /**
   * Receives a warning for each response that differs from the document and is returned nevertheless. It also receives, once
   * for each operation, the deprecation or sunset that a response announces (`Deprecation`, `Sunset`).
   */
  readonly onWarning?: ((warning: Warning) => unknown) | undefined
  /** Replaces the current time and the waiting, for tests. */
  readonly clock?: Partial<Clock> | undefined
  /**
   * Loads the module that explains validation errors, if the generated client does not: `() => import('./explanations.js')`.
   * Without it, errors do not contain the reasons, and tolerant validation accepts only unknown properties.
   */
  readonly explanations?: Why | undefined
}

/** How values are validated. */
export type Validation = {
  /** `strict`, the default: an invalid request is not sent. */
  readonly request?: 'strict' | 'off' | undefined
  /**
   * `tolerant`, the default: unknown properties are ignored. An unknown value of an enum, an unknown variant, a
   * missing property that may be null, and `null` for an optional property are reported to `onWarning`;
   * the body is returned, with `null` for that missing property, and without that optional one.
   * The same holds for `null` as a value of a map: the warning names its key.
   * Every other difference rejects the call. `strict`: every difference from the document rejects the call.
   * A success of an undeclared media type rejects the call, whatever this is.
   */
  readonly response?: 'tolerant' | 'strict' | 'off' | undefined
}

/** The validated options of a client, with their defaults. */
export type ClientSettings = {
  readonly transport: Send
  /** Sends calls whose response is not read: it never reads a body ahead. */
  readonly rawTransport: Send
  readonly fetchOptions: FetchOptions | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly timeout: number
  readonly maxResponseBytes: number
  readonly retry: Retry
  readonly clock: Clock
  readonly validate: Validation
  readonly options: ClientOptions
  /** The operations whose deprecation was reported to `onWarning`. */
  readonly reported: Set<string>
}

/** The exports of generated `operations.ts` for one document. */
type Service = {
  readonly servers: readonly Server[]
  readonly operations: Readonly<Record<string, Operation>>
}

/** The servers of a document, and the names of the credentials of its requests. */
type Named = { readonly servers: readonly Server[]; readonly credentials?: readonly string[] }

/** Validates the options of a client and adds defaults. Throws a TypeError for an invalid option, with the expected value. */
export const readOptions = (named: Named, options: ClientOptions): ClientSettings => {
  const {
    timeout = 60_000,
    maxResponseBytes = 100 * 2 ** 20,
    retry = {},
    validate = {},
    clock,
    clientPackage,
    fetch,
    around = (send) => send,
  } = options
  expect('timeout', isDuration(timeout), 'a number of milliseconds, or Infinity')
  expect('maxResponseBytes', maxResponseBytes >= 1, 'a number from 1')
  expect('retry', typeof retry === 'object', 'an object')
  expect('retry.attempts', (retry.attempts ?? 1) >= 1, 'a number from 1')
  for (const name of ['delay', 'longest'] as const)
    expect(`retry.${name}`, isDuration(retry[name] ?? 0), 'a number of milliseconds')
  expect('validate', typeof validate === 'object', 'an object')
  const chosen = [
    ['integers', options.integers] as const,
    ...Object.entries(validate).map(([key, value]) => [`validate.${key}`, value] as const),
  ]
  for (const [name, value] of chosen) {
    const words: readonly unknown[] = CHOICES[name]?.split(',') ?? []
    expect(name, words.includes(value ?? words[0]), words.join(' or ') || 'left out')
  }
  for (const name of FUNCTIONS) {
    const all = [options[name]].flat()
    const isEach = all.every((one) => one === undefined || typeof one === 'function')
    expect(name, isEach, 'a function')
  }
  const isNamed = clientPackage === undefined || isClientPackage(clientPackage)
  expect('clientPackage', isNamed, 'a name and a version: @acme/orders/1.4.2')
  checkNames(named, options)
  const web = sendBy(fetch ?? platformFetch)
  return {
    transport: around(fetch ? web : platformTransport),
    rawTransport: around(web),
    fetchOptions: readFetchOptions(options.fetchOptions),
    headers: {
      ...readHeaders(options.headers),
      ...(clientPackage && { [PACKAGE_HEADER]: clientPackage }),
    },
    timeout,
    maxResponseBytes,
    retry,
    clock: { ...systemClock, ...retry.clock, ...clock },
    validate,
    options,
    reported: new Set(),
  }
}

/**
 * The options that `createClient` passes to the client of one protocol: its own options take precedence; `auth`, `variables`
 * and `headers` are merged. Names that exist only in the document of the other protocol are omitted.
 */
export const mergeOptions = <Options extends ClientOptions<string, object>>(
  shared: Options,
  own: Options | undefined,
  service: Service,
  other: Service = { servers: [], operations: {} },
): Options => {
  const [mine, theirs] = [service, other].map((one) => namesOf(namedBy(one), shared.server))
  const share = (kind: 'auth' | 'variables') =>
    Object.entries(shared[kind] ?? {}).filter(
      ([name]) => mine?.[kind].has(name) || !theirs?.[kind].has(name),
    )
  const present = Object.entries(own ?? {}).filter(([, value]) => value !== undefined)
  const headers = [shared.headers, own?.headers].flatMap((one) => Object.entries(readHeaders(one)))
  return {
    ...shared,
    ...Object.fromEntries(present),
    auth: { ...Object.fromEntries(share('auth')), ...own?.auth },
    variables: { ...Object.fromEntries(share('variables')), ...own?.variables },
    headers: Object.fromEntries(headers),
  }
}

/** The header with the package and version of a client: `@acme/orders/1.4.2`. */
export const PACKAGE_HEADER = 'x-client-package'

/** Whether a text is an npm package name and a version: `@acme/orders/1.4.2`. */
export const isClientPackage = (text: string): boolean =>
  /^(?:@[\w.-]{1,214}\/)?[\w.-]{1,214}\/[\w.+-]{1,50}$/.test(text)

/**
 * Headers by lower case name, without null and undefined values. Throws a TypeError for names and values that HTTP does not
 * allow.
 */
export const readHeaders = (present: HeadersInit = {}): Readonly<Record<string, string>> => {
  const pairs = Symbol.iterator in present ? [...present] : Object.entries(present)
  const named = pairs.filter(([, value]) => value !== undefined && value !== null)
  try {
    return Object.fromEntries(new Headers(named as [string, string][]))
  } catch {
    // The platform's own error repeats the value, which may be a credential.
    throw new TypeError('options.headers contains a name or a value that HTTP does not allow')
  }
}

/**
 * The fields of `fetch` of a call, added to those of its client; undefined without any. Throws a TypeError for a field that the
 * client sets itself.
 */
export const readFetchOptions = (
  own: FetchOptions | undefined,
  shared?: FetchOptions,
): FetchOptions | undefined => {
  if (own === undefined) return shared
  const taken = CLIENT_FIELDS.find((name) => name in own)
  expect(`fetchOptions.${taken}`, taken === undefined, 'left out: the client sets it')
  const merged = { ...shared, ...own }
  return Object.keys(merged).length > 0 ? merged : undefined
}

const checkNames = (named: Named, { auth = {}, variables = {}, server }: ClientOptions): void => {
  const known = namesOf(named, server)
  const present = { auth, variables }
  for (const kind of ['auth', 'variables'] as const) {
    for (const [name, value] of Object.entries(present[kind])) {
      if (value === undefined) continue
      if (!known[kind].has(name)) {
        const all = [...known[kind]].map((one) => `'${one}'`).join(', ') || 'none'
        throw new TypeError(`options.${kind} takes no '${name}'; it takes ${all}`)
      }
      if (kind === 'auth' && typeof value !== 'function') assertSecret(name, value)
    }
  }
}

/** The names that `auth` and `variables` may have: those of the document, and those of the caller's own address. */
const namesOf = ({ servers, credentials = [] }: Named, server: ClientOptions['server']) => {
  const own = templateNames(String(server ?? ''))
  return {
    auth: new Set([...servers.flatMap(secretVariables), ...credentials, ...own]),
    variables: new Set([...servers.flatMap(({ url }) => templateNames(url)), ...own]),
  }
}

/** The names of a document, whose HTTP operations may have servers of their own. */
export const namedBy = ({ servers, operations }: Service): Named => {
  const http = Object.values(operations).filter((one) => one.kind === 'http')
  return {
    servers: [...servers, ...http.flatMap((one) => one.servers)],
    credentials: http.flatMap(credentialNames),
  }
}

/** The names in `auth` of an operation: of its secret parameters, and of the security schemes that a request contains. */
export const credentialNames = ({
  parameters,
  schemes,
  security,
}: Pick<HttpOperation, 'parameters' | 'schemes' | 'security'>): readonly string[] => [
  ...parameters.filter(({ secret }) => secret).map(({ name }) => name),
  ...security.flat().filter((name) => schemes[name]?.kind !== 'outside'),
]

const FUNCTIONS = ['fetch', 'onWarning', 'onRequest', 'onResponse', 'onError'] as const

/** The allowed values of an option; the first is the default. */
const CHOICES: Readonly<Record<string, string>> = {
  integers: 'number,bigint',
  'validate.request': 'strict,off',
  'validate.response': 'tolerant,strict,off',
}

const isDuration = (value: unknown): boolean => typeof value === 'number' && value >= 0

const expect = (name: string, holds: boolean, due: string): void => {
  if (!holds) throw new TypeError(`options.${name} must be ${due}`)
}
