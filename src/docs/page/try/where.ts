import type { Server } from '../../../runtime/operation.js'
import { resolveServer, secretVariables } from '../../../runtime/shared/server-url.js'
import { templateNames } from '../../../runtime/shared/template.js'
import type { TryData } from './data.js'

/** The servers that a reader may choose: the documents' own, where this page came from, and an address of theirs. */
export function placesOf({ servers }: Pick<TryData, 'servers'>, origin: string | undefined) {
  const reachable = servers.filter(({ url }) => !url.startsWith('/') || origin !== undefined)
  const documented = reachable.map((server): Place => {
    const url = server.url.startsWith('/') ? `${origin}${server.url}` : server.url
    return { key: `server:${server.name}`, words: server.name, server: { ...server, url } }
  })
  const here: readonly Place[] =
    origin === undefined
      ? []
      : [{ key: 'origin', words: 'the origin of this page', server: movedTo(servers[0], origin) }]
  return [...documented, ...here, { key: 'address', words: 'another address', server: undefined }]
}

export type Place = {
  readonly key: string
  readonly words: string
  /** Undefined where the reader writes the address. */
  readonly server: Server | undefined
}

/** A documented server at an address of the reader's own; an origin alone gets the documented path behind it. */
export function movedTo(documented: Server | undefined, address: string): Server {
  const bare = /^https?:\/\/[^/?#]+(?=\/?$)/i.exec(address)?.[0]
  const url = bare === undefined ? address : bare + pathOf(documented?.url ?? '')
  return { name: 'as given', url, variables: documented?.variables ?? {} }
}

/** What stands behind the host of an address with variables; where the host is one whole variable, behind that. */
const pathOf = (url: string): string => {
  const path = url.replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*|^\{[^}]*\}/i, '')
  return path === '' || path.startsWith('/') ? path : `/${path}`
}

/** The origin of an address, whatever stands behind it; undefined where it is none. */
export const originOf = (address: string): string | undefined =>
  /^https?:\/\/[^/?#]+/i.exec(address)?.[0]

/** Where requests go, its variables filled in; or what is wrong with it, as a sentence. */
export function resolvePlace(
  server: Server | undefined,
  filled: Filled,
): { readonly url: string } | { readonly wrong: string } {
  if (server === undefined || server.url.trim() === '')
    return { wrong: 'Name a server: choose one, or write its address.' }
  if (!/^(https?:\/\/|\{)/i.test(server.url))
    return { wrong: 'The address must begin with http:// or https://.' }
  const { variables, secrets } = filled
  const missing = templateNames(server.url).find(
    (name) => !variables[name] && !secrets[name] && !server.variables[name]?.default,
  )
  if (missing !== undefined) return { wrong: `The address needs a value for ${missing}.` }
  try {
    return { url: resolveServer([server], undefined, present(variables), present(secrets)) }
  } catch (error) {
    return { wrong: `The address cannot be used: ${error instanceof Error ? error.message : ''}.` }
  }
}

/** Variables of servers, and secrets, by name. */
export type Filled = {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly secrets: Readonly<Record<string, string | undefined>>
}

/** The variables of a server that are no secret. */
export const openVariables = (server: Server): readonly string[] => {
  const hidden = new Set(secretVariables(server))
  return templateNames(server.url).filter((name) => !hidden.has(name))
}

/** What is empty is not given. */
const present = (values: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value))
