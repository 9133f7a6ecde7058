import type { HttpOperation, Server } from '../operation.js'
import { chooseServer, URL_START } from '../shared/choose-server.js'
import {
  type Auth,
  type Credentials,
  readCredentials,
  secretTexts,
  textSecrets,
} from '../shared/credentials.js'
import type { Deadline } from '../shared/deadline.js'
import { resolveServer, secretVariables, withPath } from '../shared/server-url.js'
import { addressSecrets } from '../shared/written-secrets.js'
import type { HttpOptions, HttpService } from './options.js'

/** Where the calls of an operation go, and with which credentials. */
export type Address = {
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly credentials: Credentials
  /** Texts that no error and no hook may show. */
  readonly secrets: () => readonly string[]
  /** An address that is not documented may hold a key anywhere, so no error shows it. */
  readonly hidden: () => readonly string[]
}

/** Calls the functions of `auth` for every call; throws, or rejects with, what they throw. */
export type FindAddress = (deadline: Deadline) => Address | Promise<Address>

/**
 * What finds the address of an operation; undefined where only other operations have a server of the chosen name. Throws a
 * TypeError for options that cannot work: an unknown server, a variable without a value or with one that is not allowed.
 */
export const createFindAddress = (
  service: HttpService,
  operation: HttpOperation,
  options: HttpOptions,
): FindAddress | undefined => {
  const servers = serversOf(service, operation)
  const choice = readChoice(servers, options.server?.toString())
  if (!servers.some(isNamed(choice)) && everyServer(service).some(isNamed(choice))) return undefined
  const auth = (options.auth ?? {}) as Auth
  const server = chooseServer(servers, choice)
  const names = secretNames(operation, server)
  const fill = (credentials: Credentials): Address => {
    const secrets = textSecrets(credentials)
    const baseUrl = resolveServer(servers, choice, options.variables, secrets)
    return {
      baseUrl,
      credentials,
      secrets: () => [
        ...secretTexts(credentials),
        ...names.flatMap((name) => options.variables?.[name] ?? []),
      ],
      hidden: () => (servers.includes(server) ? [] : addressSecrets(baseUrl)),
    }
  }
  if (names.some((name) => typeof auth[name] === 'function'))
    return async (deadline) => fill(await readCredentials(auth, names, deadline))
  const given = names.flatMap((name) => (auth[name] === undefined ? [] : [[name, auth[name]]]))
  const address = fill(Object.fromEntries(given))
  return () => address
}

export const serversOf = (service: HttpService, { servers }: HttpOperation): readonly Server[] =>
  servers.length > 0 ? servers : service.servers

export const pathOf = ({ url }: Server): string => url.replace(/^[^/]*\/\/[^/?#]*/, '')

/** The name of a server, or an address with the path of the first one at its end. */
const readChoice = (servers: readonly Server[], choice: string | undefined): string | undefined => {
  const [first] = servers
  const isAddress = choice !== undefined && URL_START.test(choice)
  return first !== undefined && isAddress ? withPath(choice, pathOf(first)) : choice
}

const everyServer = ({ servers, operations }: HttpService): readonly Server[] => [
  ...servers,
  ...Object.values(operations).flatMap((operation) => operation.servers),
]

const isNamed =
  (choice: string | undefined) =>
  ({ name }: Server): boolean =>
    name === choice

const secretNames = (operation: HttpOperation, server: Server): readonly string[] => [
  ...operation.parameters.filter(({ secret }) => secret === true).map(({ name }) => name),
  ...operation.security.flat(),
  ...secretVariables(server),
]
