import type { HttpOperation, SecurityScheme } from '../operation.js'
import type { BasicCredentials } from '../shared/credentials.js'
import type { AdmittedRequest, Auth, Identities } from './handlers.js'

/**
 * Security scheme -> a function that checks its credential: text for keys and bearer tokens, `{ username, password }` for HTTP
 * Basic, `undefined` for a scheme that no header carries. What it returns is `context.identity[scheme]` of the handler;
 * `undefined` or `null` is answered 401.
 */
export type Authenticate<Credentials, Identity> = {
  readonly [Scheme in keyof Identity]?: (
    credential: Scheme extends keyof Credentials ? Credentials[Scheme] : never,
    request: AdmittedRequest,
  ) => Checked<Identity[Scheme]> | Promise<Checked<Identity[Scheme]>>
}

type Checked<Data> = Data | null | undefined

/** What `authenticate` returned, by scheme: of the schemes in `Always` for every request that reaches the handler. */
export type Identified<Identity, Always = never> = Readonly<Partial<Identity>> &
  Readonly<Pick<Identity, keyof Identity & Always>>

type Check = (credential: unknown, request: AdmittedRequest) => unknown

/** The functions by scheme. Throws a TypeError for a scheme that no operation has, and for what is no function. */
export const readAuthenticate = (
  given: object | undefined,
  operations: readonly Pick<HttpOperation, 'schemes'>[],
): ReadonlyMap<string, Check> => {
  const known = new Set(operations.flatMap(({ schemes }) => Object.keys(schemes)))
  const entries: readonly (readonly [string, unknown])[] = Object.entries(given ?? {})
  return new Map(
    entries.flatMap(([name, check]) => {
      if (check === undefined) return []
      if (typeof check !== 'function')
        throw new TypeError(`options.authenticate.${name} must be a function`)
      if (!known.has(name)) {
        const names = [...known].join(', ') || 'none'
        throw new TypeError(
          `options.authenticate: no operation has the scheme '${name}', but ${names}`,
        )
      }
      return [[name, check as Check]]
    }),
  )
}

/** What is known of the caller: of the first alternative whose credentials are all right; undefined where none is. */
export const identify = async (
  { security, schemes }: Pick<HttpOperation, 'security' | 'schemes'>,
  request: AdmittedRequest,
  checks: ReadonlyMap<string, Check>,
): Promise<Identities | undefined> => {
  alternatives: for (const names of security.length === 0 ? [[]] : security) {
    const identity: Record<string, unknown> = {}
    for (const name of names) {
      const check = checks.get(name)
      const isOutside = schemes[name]?.kind === 'outside'
      const credential = credentialOf(schemes[name], request.auth[name])
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
  scheme: SecurityScheme | undefined,
  sent: Auth[string],
): string | BasicCredentials | undefined => {
  if (sent === undefined || scheme?.kind !== 'basic') return sent
  const colon = sent.indexOf(':')
  return colon === -1
    ? undefined
    : { username: sent.slice(0, colon), password: sent.slice(colon + 1) }
}
