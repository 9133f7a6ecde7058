import type { HttpOperation, SecurityScheme } from '../operation.js'
import type { BasicCredentials } from '../shared/credentials.js'
import { headerOf } from '../wire/headers.js'
import { readKey, type WireParameters } from '../wire/parameters.js'
import type { AdmittedRequest, Identities, RequestAuth } from './handlers.js'

/**
 * Security scheme -> a function that checks its credential. It receives text for keys and bearer tokens, `{ username, password
 * }` for HTTP Basic, and `undefined` for a scheme that no header carries. Its result is `context.identity[scheme]` of the
 * handler; `undefined` or `null` leads to a 401.
 */
export type Authenticate<Credentials, Identity> = {
  readonly [Scheme in keyof Identity]?: (
    credential: Scheme extends keyof Credentials ? Credentials[Scheme] : never,
    request: AdmittedRequest,
  ) => Checked<Identity[Scheme]> | Promise<Checked<Identity[Scheme]>>
}

type Checked<Data> = Data | null | undefined

/**
 * The results of `authenticate`, by scheme; those of the schemes in `Always` exist for every request that reaches the handler.
 */
export type Identified<Identity, Always = never> = Readonly<Partial<Identity>> &
  Readonly<Pick<Identity, keyof Identity & Always>>

type Check = (credential: unknown, request: AdmittedRequest) => unknown

/** The functions by scheme. Throws a TypeError for a scheme that no operation has, and for a value that is not a function. */
export const readAuthenticate = (
  identified: object | undefined,
  operations: readonly Pick<HttpOperation, 'schemes'>[],
): ReadonlyMap<string, Check> => {
  const known = new Set(operations.flatMap(({ schemes }) => Object.keys(schemes)))
  const entries: readonly (readonly [string, unknown])[] = Object.entries(identified ?? {})
  return new Map(
    entries.flatMap(([name, check]) => {
      if (check === undefined) return []
      if (typeof check !== 'function')
        throw new TypeError(`options.authenticate.${name} must be a function`)
      if (!known.has(name)) {
        const names = [...known].join(', ') || 'none'
        throw new TypeError(
          `options.authenticate: no operation has the scheme '${name}'; they have ${names}`,
        )
      }
      return [[name, check as Check]]
    }),
  )
}

/** The identities of the caller by the first alternative whose credentials are all valid; undefined if there is none. */
export const identify = async (
  { security, schemes }: Pick<HttpOperation, 'security' | 'schemes'>,
  request: AdmittedRequest,
  checks: ReadonlyMap<string, Check>,
): Promise<Identities | undefined> => {
  alternatives: for (const names of security.length === 0 ? [[]] : security) {
    const identity: Record<string, unknown> = {}
    for (const name of names) {
      const check = checks.get(name)
      // A scheme that is not declared may have the name of an inherited property, such as `constructor`.
      const scheme = Object.hasOwn(schemes, name) ? schemes[name] : undefined
      const isOutside = scheme?.kind === 'outside'
      const credential = scheme && credentialOf(scheme, request.auth[name])
      if (credential === undefined && !isOutside) continue alternatives
      if (check === undefined) continue
      const data = (await check(credential, request)) ?? undefined
      if (data === undefined) continue alternatives
      identity[name] = data
    }
    return identity
  }
  return undefined
}

const credentialOf = (
  scheme: SecurityScheme,
  sent: RequestAuth[string],
): string | BasicCredentials | undefined => {
  if (sent === undefined || scheme.kind !== 'basic') return sent
  const colon = sent.indexOf(':')
  return colon === -1
    ? undefined
    : { username: sent.slice(0, colon), password: sent.slice(colon + 1) }
}

/** The credentials of a request: secret parameters by name, security schemes by scheme name. */
export const requestCredentials = (operation: HttpOperation, wire: WireParameters): RequestAuth => {
  const secrets = operation.parameters
    .filter((parameter) => parameter.secret)
    .map((parameter) => [parameter.name, readKey(parameter.in, parameter.name, wire)] as const)
  const schemes = Object.entries(operation.schemes).map(
    ([name, scheme]) => [name, schemeValue(scheme, wire)] as const,
  )
  return Object.fromEntries([...schemes, ...secrets])
}

/** RFC 9110 §11.6.1: a 401 names the authentication schemes of HTTP that apply. */
export const challenge = (operation: HttpOperation): Readonly<Record<string, string>> => {
  const kinds = new Set(Object.values(operation.schemes).map((scheme) => scheme.kind))
  const offers = [
    ...(kinds.has('bearer') ? ['Bearer'] : []),
    ...(kinds.has('basic') ? ['Basic realm="api"'] : []),
    // RFC 9110 requires a challenge of each 401, and has no scheme for keys.
    ...(kinds.has('key') && kinds.size === 1 ? ['ApiKey realm="api"'] : []),
  ]
  return offers.length === 0 ? {} : { 'www-authenticate': offers.join(', ') }
}

const schemeValue = (scheme: SecurityScheme, wire: WireParameters): string | undefined => {
  if (scheme.kind === 'key') return readKey(scheme.in, scheme.parameter, wire)
  if (scheme.kind === 'outside') return undefined
  const [, name = '', value = ''] =
    /^(\S+)\s+(\S.*)$/.exec(headerOf(wire.headers, 'authorization') ?? '') ?? []
  if (name.toLowerCase() !== scheme.kind) return undefined
  if (scheme.kind === 'bearer') return value
  try {
    const bytes = Uint8Array.from(atob(value), (char) => char.charCodeAt(0))
    return new TextDecoder().decode(bytes)
  } catch {
    return undefined
  }
}
