import { readCredentials, secretTexts, textSecrets } from '../ground/credentials.js'
import { type Redact, redactor } from '../ground/redact.js'
import { redactCause } from '../ground/redact-value.js'
import { resolveServer, secretVariables } from '../ground/server-url.js'
import { templateNames } from '../ground/template.js'
import { addressSecrets, headerSecrets, urlSecrets } from '../ground/written-secrets.js'
import type { Address, EndpointParts, Find } from './endpoint.js'

/**
 * What finds an address that has to be filled in. Secrets are asked for every time, and the address is made again only
 * where one has changed. Rejects with the TypeError of a variable that has no value, and as the functions of secrets do.
 */
export const createFind = (endpoint: EndpointParts): Find => {
  const { service, choice, server, options } = endpoint
  const names = secretVariables(server)
  const asked = templateNames(server.url)
  let last: { readonly given: readonly unknown[]; readonly address: Address } | undefined

  const find = async (given: readonly unknown[]): Promise<Address> => {
    const credentials = await readCredentials(options.auth, names, unhurried).catch((error) => {
      throw redactCause(error, redactorOf(endpoint, []))
    })
    const secrets = [
      ...secretTexts(credentials),
      ...names.flatMap((name) => options.variables?.[name] ?? []),
    ]
    try {
      const { servers } = service
      const url = resolveServer(servers, choice, options.variables, textSecrets(credentials))
      const address = { url, secrets }
      if (!given.some((value) => typeof value === 'function')) last = { given, address }
      return address
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error)
      // The stack holds the message as it was: a new error instead of a cause.
      throw new TypeError(redactorOf(endpoint, secrets)(said))
    }
  }

  return () => {
    const auth = (options.auth ?? {}) as Readonly<Record<string, unknown>>
    const given = asked.flatMap((name) => [auth[name], options.variables?.[name]])
    return last?.given.every((value, index) => value === given[index]) ? last.address : find(given)
  }
}

/** The deadline of a call is its own affair: it does not wait for an address. */
const unhurried = { race: <T>(work: Promise<T>): Promise<T> => work }

/** What must not be told of anything that was sent to an address. */
export const addressRedactor = (endpoint: EndpointParts, address: Address): Redact => {
  const known = redactors.get(address)
  if (known !== undefined) return known
  const made = redactorOf(endpoint, [...address.secrets, ...addressSecrets(address.url)])
  redactors.set(address, made)
  return made
}

const redactors = new WeakMap<Address, Redact>()

const redactorOf = ({ service, choice, headers }: EndpointParts, more: readonly string[]) =>
  redactor([
    ...urlSecrets(choice ?? '', service.servers, [service.path]),
    ...headerSecrets(headers),
    ...more,
  ])
