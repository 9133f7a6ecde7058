import { chooseServer } from '../shared/choose-server.js'
import { readCredentials, secretTexts, textSecrets } from '../shared/credentials.js'
import { type Redact, redactor } from '../shared/redact.js'
import { redactCause } from '../shared/redact-value.js'
import { resolveServer, secretVariables } from '../shared/server-url.js'
import { templateNames } from '../shared/template.js'
import { addressSecrets, headerSecrets, urlSecrets } from '../shared/written-secrets.js'
import type { Address, Line } from './client-context.js'

/**
 * The address of a line that has to be filled in. Secrets are asked for every time, and the address is made again only
 * where one has changed. Rejects with the TypeError of a variable that has no value, and as the functions of secrets do.
 */
export const findAddress = (line: Line): Address | Promise<Address> => {
  const { auth = {}, variables } = line.options
  const { url } = serverOf(line)
  const given = templateNames(url).flatMap((name) => [
    (auth as Readonly<Record<string, unknown>>)[name],
    variables?.[name],
  ])
  const last = found.get(line)
  return last?.given.every((value, index) => value === given[index])
    ? last.address
    : fillAddress(line, given)
}

const found = new WeakMap<Line, Found>()

type Found = { readonly given: readonly unknown[]; readonly address: Address }

const fillAddress = async (line: Line, given: readonly unknown[]): Promise<Address> => {
  const { service, options, headers } = line
  // The platform's own error repeats the value, which may be a credential.
  if (headers === undefined)
    throw new TypeError('options.headers holds a name or a value that HTTP does not allow')
  assertPlaces(line)
  const names = secretVariables(serverOf(line))
  const credentials = await readCredentials(options.auth, names, unhurried).catch((error) => {
    throw redactCause(error, redactorOf(line, []))
  })
  const secrets = [
    ...secretTexts(credentials),
    ...names.flatMap((name) => options.variables?.[name] ?? []),
  ]
  try {
    const { servers } = service
    const url = resolveServer(servers, choiceOf(line), options.variables, textSecrets(credentials))
    const address = { url, headers, secrets }
    if (!given.some((value) => typeof value === 'function')) found.set(line, { given, address })
    return address
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    // The stack holds the message as it was: a new error instead of a cause.
    throw new TypeError(redactorOf(line, secrets)(said))
  }
}

/** A documented server without a key takes none; an address of one's own without its place would be called without it. */
const assertPlaces = (line: Line): void => {
  const { servers, path } = line.service
  if (choiceOf(line) === undefined || servers.some(({ name }) => name === choiceOf(line))) return
  const places = templateNames(serverOf(line).url)
  const known = new Set(servers.flatMap(secretVariables))
  for (const [name, value] of Object.entries(line.options.auth ?? {})) {
    if (value === undefined || !known.has(name) || places.includes(name)) continue
    const place = `{${name}}`
    const end = path.includes(place) ? path : place
    throw new TypeError(`the address in options.server has no place for ${name}: write …${end}`)
  }
}

const choiceOf = ({ options: { server } }: Line): string | undefined => server?.toString()

const serverOf = (line: Line) => chooseServer(line.service.servers, choiceOf(line))

/** The deadline of a call is its own affair: it does not wait for an address. */
const unhurried = { race: <T>(work: Promise<T>): Promise<T> => work }

/** What must not be told of anything that was sent to an address. */
export const addressRedactor = (line: Line, address: Address): Redact => {
  const known = redactors.get(address)
  if (known !== undefined) return known
  const made = redactorOf(line, [...(address.secrets ?? []), ...addressSecrets(address.url)])
  redactors.set(address, made)
  return made
}

const redactors = new WeakMap<Address, Redact>()

const redactorOf = (line: Line, more: readonly string[]) => {
  const { service, headers } = line
  return redactor([
    ...urlSecrets(choiceOf(line) ?? '', service.servers, [service.path]),
    ...headerSecrets(headers ?? []),
    ...more,
  ])
}
