import type { Server } from '../operation.js'
import { chooseServer, URL_START } from '../shared/choose-server.js'
import {
  type Auth,
  type Credentials,
  readCredentials,
  secretTexts,
  textSecrets,
} from '../shared/credentials.js'
import { type Redact, redactor } from '../shared/redact.js'
import { redactCause } from '../shared/redact-value.js'
import { resolveServer, secretVariables, withPath } from '../shared/server-url.js'
import { addressSecrets, headerSecrets, urlSecrets } from '../shared/written-secrets.js'
import type { RpcService } from './method.js'

/**
 * What gives the address of each request: always the same one, unless a credential is a function. Throws a TypeError that
 * says what is missing; what is returned rejects with what a function of `auth` throws, redacted.
 */
export const createAddress = (
  service: RpcService,
  options: AddressOptions,
): (() => Address | Promise<Address>) => {
  const { auth = {}, variables } = options
  const choice = readServer(service, options.server)
  const headers = readHeaders(options.headers)
  const server = chooseServer(service.servers, choice)
  const names = secretVariables(server)
  assertCredentials(service, auth, names, server)
  const redactorOf = (secrets: readonly string[]): Redact =>
    redactor([
      ...urlSecrets(choice ?? '', service.servers, [service.path]),
      ...headerSecrets(Object.entries(headers)),
      ...secrets,
    ])
  const fill = (credentials: Credentials): Address => {
    const secrets = [
      ...secretTexts(credentials),
      ...names.flatMap((name) => variables?.[name] ?? []),
    ]
    try {
      const url = resolveServer(service.servers, choice, variables, textSecrets(credentials))
      return {
        url,
        headers,
        shown: () => redactorOf(secrets)(url),
        redact: () => redactorOf([...secrets, ...addressSecrets(url)]),
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      // The stack contains the original message, so the error is not passed on as a cause.
      throw new TypeError(redactorOf(secrets)(message))
    }
  }
  const given = auth as Auth
  if (names.some((name) => typeof given[name] === 'function')) {
    return async () =>
      fill(
        await readCredentials(auth, names, unlimited).catch((error) => {
          throw redactCause(error, redactorOf([]))
        }),
      )
  }
  const address = fill(pickDefined(given, names))
  return () => address
}

export type AddressOptions = {
  readonly server?: string | URL | undefined
  /** Values of the server's variables. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined
  readonly auth?: object | undefined
  /** Sent with every request. */
  readonly headers?: HeadersInit | undefined
}

export type Address = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The URL without its secrets. */
  readonly shown: () => string
  /** Creates what removes the secrets of this address from texts. */
  readonly redact: () => Redact
}

const readHeaders = (given: HeadersInit | undefined): Address['headers'] => {
  try {
    const own = Object.fromEntries(new Headers(given))
    return { accept: JSON_TYPE, 'content-type': JSON_TYPE, ...own }
  } catch {
    // The platform's own error repeats the value, which may be a credential.
    throw new TypeError('options.headers holds a name or a value that HTTP does not allow')
  }
}

const JSON_TYPE = 'application/json'

/** The name of a documented server, or an address with the documented path at its end. */
const readServer = (
  { servers, path }: RpcService,
  given: string | URL | undefined,
): string | undefined => {
  const text = given?.toString()
  const isAddress = text !== undefined && URL_START.test(text)
  return isAddress && !servers.some(({ name }) => name === text) ? withPath(text, path) : text
}

/** Every credential is one of the document and has its place in the address; a documented server may need none. */
const assertCredentials = (
  { servers }: RpcService,
  auth: object,
  names: readonly string[],
  server: Server,
): void => {
  const known = new Set([...servers.flatMap(secretVariables), ...names])
  const isDocumented = servers.includes(server)
  for (const [name, value] of Object.entries(auth)) {
    if (value === undefined || names.includes(name)) continue
    if (!known.has(name)) {
      const all = [...known].map((one) => `'${one}'`).join(', ') || 'none'
      throw new TypeError(`options.auth: the document has no credential '${name}', but ${all}`)
    }
    if (!isDocumented) {
      throw new TypeError(
        `options.auth: options.server already has a value in the place of ${name}: write {${name}} there`,
      )
    }
  }
}

/** The deadline belongs to each call: it does not wait for an address. */
const unlimited = { race: <T>(work: Promise<T>): Promise<T> => work }

/** Only for credentials of which none is a function. */
const pickDefined = (auth: Auth, names: readonly string[]): Credentials =>
  Object.fromEntries(
    names.flatMap((name) => (auth[name] === undefined ? [] : [[name, auth[name]]])),
  ) as Credentials
