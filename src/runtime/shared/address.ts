import type { ClientSettings } from '../client-options.js'
import type { Server } from '../operation.js'
import {
  type Auth,
  type ResolvedSecrets,
  readCredentials,
  secretTexts,
  textSecrets,
} from './credentials.js'
import { type Redact, redactor } from './redact.js'
import { redactCause } from './redact-value.js'
import {
  chooseServer,
  fillServer,
  secretVariables,
  URL_START,
  withoutOrigin,
  withPath,
} from './server-url.js'
import { addressSecrets, headerSecrets, urlSecrets } from './written-secrets.js'

/** The address of calls, with their credentials. */
export type Address = {
  /** Without a trailing slash. */
  readonly url: string
  readonly credentials: ResolvedSecrets
  /** Texts that no error and no hook may contain. */
  readonly secrets: () => readonly string[]
  /** The texts of an undocumented address, which no error may contain, because it may have a key anywhere. */
  readonly hidden: () => readonly string[]
}

/**
 * Finds the address of one call. It calls the functions of `auth`, with the rejected credentials; rejects with their redacted
 * errors.
 */
export type FindAddress = (rejected?: ResolvedSecrets) => Address | Promise<Address>

type Place = {
  readonly servers: readonly Server[]
  /** The path of an undocumented address: `/zgt/{apiKey}`. */
  readonly path: string
  /** Names of the credentials of a request, apart from the variables of its server. */
  readonly names: readonly string[]
}

/**
 * Creates the function that finds the address of requests. Throws a TypeError for invalid options: an unknown server, a URL
 * that is not HTTP (or of the scheme `scheme`), a variable without an allowed value, or a credential that has no place in the
 * address.
 */
export const createFindAddress = (
  place: Place,
  settings: ClientSettings,
  scheme?: RegExp,
): FindAddress => {
  const { servers, path, names: own } = place
  const { headers, options } = settings
  const { variables = {} } = options
  const choice = readChoice(servers, path, options.server?.toString())
  const server = findServer(place, settings)
  const names = [...new Set([...own, ...secretVariables(server)])]
  const auth = options.auth ?? {}
  for (const name of servers.flatMap(secretVariables)) {
    const isPlaced = names.includes(name) || servers.includes(server)
    if (!isPlaced && auth[name] !== undefined)
      throw new TypeError(
        `options.auth: options.server already has a value in the place of ${name}: write {${name}} there`,
      )
  }
  const written = (): readonly string[] => [
    ...urlSecrets(choice ?? '', servers, [path, ...servers.map((one) => withoutOrigin(one.url))]),
    ...headerSecrets(Object.entries(headers)),
    ...names.flatMap((name) => variables[name] ?? []),
  ]
  const fill = (credentials: ResolvedSecrets): Address => {
    const url = fillServer(server, variables, textSecrets(credentials), scheme)
    return {
      url,
      credentials,
      secrets: () => [...written(), ...secretTexts(credentials)],
      hidden: () => (servers.includes(server) ? [] : addressSecrets(url)),
    }
  }
  const needed: Auth = Object.fromEntries(
    names.flatMap((name) => (auth[name] === undefined ? [] : [[name, auth[name]]])),
  )
  if (Object.values(needed).some((secret) => typeof secret === 'function'))
    return async (rejected) =>
      fill(
        await readCredentials(needed, rejected).catch((error) => {
          throw redactCause(error, redactor(written()))
        }),
      )
  const address = fill(needed as ResolvedSecrets)
  return () => address
}

/** The server that the options choose, with its variables not yet filled. Throws a TypeError for an unknown one. */
export const findServer = (
  { servers, path }: Pick<Place, 'servers' | 'path'>,
  { options }: Pick<ClientSettings, 'options'>,
): Server => chooseServer(servers, readChoice(servers, path, options.server?.toString()))

export const redactorOf = ({ secrets, hidden }: Address): Redact =>
  redactor([...secrets(), ...hidden()])

/** The name of a server, or an address that ends with the documented path. */
const readChoice = (
  servers: readonly Server[],
  path: string,
  choice: string | undefined,
): string | undefined => {
  const isAddress = choice !== undefined && URL_START.test(choice)
  return isAddress && !servers.some(({ name }) => name === choice)
    ? withPath(choice, path) || '/'
    : choice
}
