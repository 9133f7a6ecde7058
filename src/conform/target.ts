import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpOperation } from '../model/api.js'
import { hostOf, isSocketUrl, pathOfServer } from '../model/servers.js'
import type { Server } from '../runtime/operation.js'
import type { ValueCodecs } from '../runtime/shared/codecs.js'
import { withPath } from '../runtime/shared/server-url.js'
import { decodePercent, fillTemplate } from '../runtime/shared/template.js'
import { withoutTrailingSlashes } from '../runtime/shared/trailing.js'
import { withDefaults } from '../runtime/wire/routes.js'
import { baseFor, type ServerAddresses } from '../traffic/route.js'
import { STDIO_URL } from './duplex/address.js'
import type { StdioServer } from './duplex/command.js'

/** The addresses of the tested server, and the credentials for it. */
export type Target = ServerAddresses & {
  readonly key: string | undefined
  /** The value of Authorization for a gateway in front of either, if its URL contains a user. */
  readonly authorization?: { readonly http: string | undefined; readonly rpc: string | undefined }
  /** No server was named, so the local server of the documents is tested. */
  readonly isOfDocument?: true
  /** Secrets that no response and no report may contain. */
  readonly secrets: readonly string[]
  /** The codecs of bodies that are not built in. */
  readonly codecs?: ValueCodecs
  /** The program at the address `STDIO_URL`. */
  readonly stdio?: StdioServer | undefined
}

export type TargetOptions = {
  /** An address, to which the documented path is appended unless it ends with it, as clients do. */
  readonly url?: string | undefined
  /** A server's name in the documents -> the URL that replaces its own, including `{apiKey}`. */
  readonly servers?: Readonly<Record<string, string>>
  readonly key?: string | undefined
  /** A program that is started for each connection, instead of a server with an address. */
  readonly stdio?: StdioServer | undefined
}

/** Creates the target. Throws TargetError for an invalid URL or an unknown server name. */
export const createTarget = (api: Api, options: TargetOptions): Target => {
  const { url, servers = {}, key, stdio } = options
  const special = withOwnServers(api)
  const known = [
    ...(api.http?.servers ?? []),
    ...(api.rpc?.servers ?? []),
    ...special.flatMap((one) => one.servers),
  ].map(({ name }) => name)
  for (const name of Object.keys(servers)) {
    if (known.includes(name)) continue
    const names = [...new Set(known)].join(', ') || 'none'
    throw new TargetError(`the documents have no server ${name}: they have ${names}`)
  }
  const address = url === undefined ? undefined : parsed(url, 'the URL of the server')
  if (key !== undefined && key.length < SHORTEST_KEY)
    throw new TargetError(
      `a key of fewer than ${SHORTEST_KEY} characters is part of too many words to be redacted: give a longer one`,
    )
  // Without a named server, a local one of the documents is used. Remote ones may be in use by others.
  const isNamed = address !== undefined || Object.keys(servers).length > 0
  const chosen = (declared: readonly Server[]) => (isNamed ? servers : ownServer(declared))
  // As the user name of Basic credentials, the key is followed by a colon.
  const ownSecrets = key === undefined ? [] : [key, `${key}:`]
  if (stdio && api.rpc) return { http: undefined, rpc: STDIO_URL, key, secrets: ownSecrets, stdio }
  if (stdio)
    throw new TargetError(
      'the documents describe no JSON-RPC, which is what a program speaks over standard input and output: name an OpenRPC document',
    )
  const web = address && isSocketUrl(address.href) ? undefined : address
  const http = api.http && baseOf(api.http.servers, chosen(api.http.servers), web, key)
  const rpc = api.rpc && baseOf(api.rpc.servers, chosen(api.rpc.servers), address, key)
  if (http === undefined && rpc === undefined && address === undefined)
    throw new TargetError(whyNobody([...(api.http?.servers ?? []), ...(api.rpc?.servers ?? [])]))
  const users = [http?.user, rpc?.user].filter((user) => user !== undefined)
  // A server of another host gets no requests only because a document names it.
  const bases = special.map((one) => {
    const near = one.servers.filter((server) => isBesideOthers(api, server))
    const named = namedServers(api, one, servers)
    const declared = Object.keys(named).length > 0 ? one.servers : near
    const beside = near.length > 0 ? address : undefined
    return [one.id, baseOf(declared, named, beside, key)?.at(key)] as const
  })
  const ofUsers = users.flatMap((user) => user.secrets)
  const secrets = [...ownSecrets, ...ofUsers.filter((one) => one.length >= SHORTEST_KEY)]
  return {
    http: http?.at(key),
    ...(bases.length === 0 ? {} : { own: new Map(bases) }),
    rpc: rpc?.at(key),
    rpcWithKey: rpc && rpc.at('one') !== rpc.at('another') ? rpc.at : undefined,
    key,
    ...(isNamed ? {} : { isOfDocument: true as const }),
    ...(users.length === 0
      ? {}
      : { authorization: { http: http?.user?.authorization, rpc: rpc?.user?.authorization } }),
    secrets: [...new Set(secrets)],
  }
}

/** The first server on this machine, by its name; variables are replaced by their defaults. */
const ownServer = (declared: readonly Server[]): Readonly<Record<string, string>> => {
  for (const server of declared) {
    const filled = withDefaults(server)
    if (isLoopback(filled)) return { [server.name]: filled }
  }
  return {}
}

/** Whether a URL is that of a server on this machine. */
export const isLoopback = (url: string): boolean => {
  if (url === STDIO_URL) return true
  const plain = url.replace(/[{}]/g, '')
  if (!URL.canParse(plain)) return false
  const { protocol, hostname } = new URL(plain)
  return /^(?:https?|wss?):$/.test(protocol) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

const whyNobody = (declared: readonly Server[]): string => {
  const urls = [...new Set(declared.map(({ url }) => withoutUser(url)))]
  return urls.length === 0
    ? 'the documents declare no server: give the URL of the server to test'
    : `the documents declare no server on this machine, and others are only tested when you name them: give the URL of the server to test, for example ${urls[0]}`
}

/** Characters. */
const SHORTEST_KEY = 4

export class TargetError extends Error {
  override readonly name = 'TargetError'
}

/** Why nothing is sent to an operation; undefined if `baseFor` has its address. */
export const unsupportedReason = (target: Target, operation: HttpOperation): string | undefined => {
  if (baseFor(target, operation) !== undefined) return undefined
  if (!target.own?.has(operation.id)) return 'no server was given for its document'
  const urls = operation.servers.map(({ name, url }) => `${url} (${name})`).join(' or ')
  return `it has its own server, ${urls}, which is only tested if --server names it`
}

/** The path parameters of an operation that are secret. */
export const secretNames = ({ parameters }: HttpOperation): readonly string[] =>
  parameters.flatMap(({ name, secret }) => (secret === true ? [name] : []))

type Base = {
  readonly at: (key: string | undefined) => string
  readonly user: User | undefined
}

const baseOf = (
  declared: readonly Server[],
  chosen: Readonly<Record<string, string>>,
  address: URL | undefined,
  key: string | undefined,
): Base | undefined => {
  const server = declared.find(({ name }) => Object.hasOwn(chosen, name))
  const template = server && chosen[server.name]
  if (server && template !== undefined) {
    const url = parsed(template.replace(/[{}]/g, ''), `--server ${server.name}`)
    return { at: filling(server, withoutUser(template), key), user: userOf(url) }
  }
  if (!address) return undefined
  const [first] = declared
  const path = first ? pathOfServer(first) : ''
  const base = withoutUser(withoutTrailingSlashes(address.href))
  return { at: filling(first, withPath(base, path), key), user: userOf(address) }
}

const filling =
  (server: Server | undefined, template: string, own: string | undefined): Base['at'] =>
  (key = own) => {
    const filled = fillTemplate(template, (name) => {
      const { secret = false, default: usual } = server?.variables[name] ?? {}
      return encodeURIComponent((secret ? key : undefined) ?? usual ?? '')
    })
    const bare = withoutTrailingSlashes(filled)
    // The slashes after a scheme are not those of a path.
    return bare.endsWith(':') ? filled.slice(0, bare.length + 1) : bare
  }

const parsed = (text: string, what: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /[?#]/.test(url.href))
    throw new TargetError(
      `${what} must end before any ? or #: paths of the documents are added to it`,
    )
  if (url && /^(?:https?|wss?):$/.test(url.protocol)) return url
  const shown = withoutUser(text)
  throw new TargetError(
    `${what} must be a URL that begins with http://, https://, ws:// or wss://, not ${shown}`,
  )
}

const withOwnServers = (api: Api): readonly HttpOperation[] =>
  api.operations
    .filter((one) => one.kind === 'http')
    .filter(({ servers }) => !isDeepStrictEqual(servers, api.http?.servers))

/** The chosen URLs for an operation's servers. A name that the document also gives to another server means that one. */
const namedServers = (
  api: Api,
  { servers }: HttpOperation,
  chosen: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const isChosen = (one: Server) =>
    (api.http?.servers ?? []).every(
      (other) =>
        other.name !== one.name ||
        (pathOfServer(other) === pathOfServer(one) && isBesideOthers(api, one)),
    )
  const names = new Set(servers.filter(isChosen).map(({ name }) => name))
  return Object.fromEntries(Object.entries(chosen).filter(([name]) => names.has(name)))
}

/**
 * Whether a server of an operation belongs to the tested one: it has no host, the host of the document's servers, or a host with
 * a variable.
 */
const isBesideOthers = (api: Api, server: Server): boolean => {
  const host = hostOf(server)
  if (host === undefined || host.includes('{')) return true
  return (api.http?.servers ?? []).some((one) => hostOf(one) === host)
}

/** The user in the URL of a server: `https://bob:password@host` (RFC 3986, 3.2.1). */
type User = {
  /** The value of Authorization for such a URL (RFC 7617). */
  readonly authorization: string
  /** Secrets to redact: the password, and the pair; without a password, the name. */
  readonly secrets: readonly string[]
}

const userOf = ({ username, password }: URL): User | undefined => {
  if (username === '' && password === '') return undefined
  const [name, word] = [decoded(username), decoded(password)]
  const pair = `${name}:${word}`
  return {
    authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
    secrets: [pair, word === '' ? name : word],
  }
}

/** Also removes the user from texts that are not valid URLs. */
const withoutUser = (url: string): string => url.replace(/^([^/?#]*\/\/)[^/?#]*@/, '$1')

/** Percent-decodes a text; unchanged if that is not possible. */
export const decoded = (text: string): string => decodePercent(text) ?? text
