import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpOperation } from '../model/api.js'
import type { Server } from '../runtime/operation.js'

/** The operations whose servers are not those of their document. */
export const withOwnServers = (api: Api): readonly HttpOperation[] =>
  api.operations
    .filter((one) => one.kind === 'http')
    .filter(({ servers }) => !isDeepStrictEqual(servers, api.http?.servers))

/** What is chosen of an operation's servers. A name that the document gives to another one as well means that one. */
export const namedServers = (
  api: Api,
  { servers }: HttpOperation,
  chosen: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const isMeant = (one: Server) =>
    (api.http?.servers ?? []).every(
      (other) =>
        other.name !== one.name || (pathOf(other) === pathOf(one) && isBesideOthers(api, one)),
    )
  const names = new Set(servers.filter(isMeant).map(({ name }) => name))
  return Object.fromEntries(Object.entries(chosen).filter(([name]) => names.has(name)))
}

/**
 * Whether a server stands where those of the document do: it names no host, or theirs, or leaves its host to whoever runs it, which
 * is the one that is judged.
 */
export const isBesideOthers = (api: Api, server: Server): boolean => {
  const host = hostOf(server)
  if (host === undefined || host.includes('{')) return true
  return (api.http?.servers ?? []).some((one) => hostOf(one) === host)
}

/** The path of a server's URL, templates kept: `/shop/{apiKey}`. */
export const pathOf = ({ url }: Server): string => url.replace(HOST, '').replace(/\/+$/, '')

const hostOf = ({ url }: Server): string | undefined => HOST.exec(url)?.[0].toLowerCase()

const HOST = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i
