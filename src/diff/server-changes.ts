import { isDeepStrictEqual } from 'node:util'
import type { Finding } from '../model/finding.js'
import type { Server } from '../runtime/operation.js'
import { withoutTrailingSlashes } from '../runtime/shared/trailing.js'
import type { Source } from '../schema/source.js'
import { inSentence } from '../text/escape.js'
import { change } from './change.js'

/** Changes of the servers of a document or an operation; `owner` names it in messages. */
export function* serverChanges(
  owner: string,
  before: Addresses,
  after: Addresses,
): Generator<Finding> {
  const free = new Set(before.servers)
  const at = (server: Server) => before.source.locate('servers', before.servers.indexOf(server))
  const matches = new Map<Server, Server>()
  // Two servers may share a template and differ in its variables, so the closest matches are paired first.
  for (const isMatch of LIKENESS) {
    for (const server of after.servers) {
      if (matches.has(server)) continue
      const match = [...free].find((other) => isMatch(other, server))
      if (!match) continue
      matches.set(server, match)
      free.delete(match)
    }
  }
  for (const [index, server] of after.servers.entries()) {
    const match = matches.get(server)
    const place = after.source.locate('servers', index)
    if (!match) {
      const places = { before: before.source.locate('servers'), after: place }
      yield change('server-added', places, `${owner} has the new server ${server.url}`)
      continue
    }
    const places = { before: at(match), after: place }
    if (match.chainId !== undefined && match.chainId !== server.chainId) {
      const now = server.chainId === undefined ? 'not declared' : `${server.chainId}`
      const message = `the chain id at ${server.url} is ${now} now, and was ${match.chainId}: transactions that callers sign for the old chain are rejected`
      yield change('server-chain-changed', places, message)
    }
    for (const sentence of variableChanges(match, server)) {
      yield change('server-variable-changed', places, `${sentence} in the server URL ${server.url}`)
    }
  }
  for (const server of free) {
    const places = { before: at(server), after: after.source.locate('servers') }
    const message = `${owner} no longer has the server ${server.url}: callers who use it may fail`
    yield change('server-removed', places, message)
  }
}

type Addresses = { readonly servers: readonly Server[]; readonly source: Source }

const urlOf = ({ url }: Server) => withoutTrailingSlashes(url)

const isSameUrl = (one: Server, other: Server) => urlOf(one) === urlOf(other)

const LIKENESS: readonly ((one: Server, other: Server) => boolean)[] = [
  (one, other) =>
    isSameUrl(one, other) &&
    one.chainId === other.chainId &&
    isDeepStrictEqual(one.variables, other.variables),
  (one, other) => isSameUrl(one, other) && one.name === other.name,
  isSameUrl,
]

function* variableChanges(before: Server, after: Server): Generator<string> {
  for (const [name, variable] of Object.entries(after.variables)) {
    const was = Object.hasOwn(before.variables, name) ? before.variables[name] : undefined
    if (!was) continue
    if (was.default !== variable.default && variable.secret !== true) {
      yield `the default of the variable \`${name}\` is ${inSentence(variable.default)} now, and was ${inSentence(was.default)},`
    }
    const allowed = variable.enum
    if (!allowed) continue
    const lost = was.enum?.filter((value) => !allowed.includes(value))
    if (!lost)
      yield `the variable \`${name}\` must be one of ${allowed.map(inSentence).join(', ')} now; it could be any text`
    else if (lost.length > 0)
      yield `the variable \`${name}\` can no longer be ${lost.map(inSentence).join(', ')}`
  }
}
