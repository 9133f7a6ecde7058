import type { HttpOperation, SecurityScheme } from '../operation.js'
import type { Auth } from './handlers.js'
import type { WireParameters } from './parameters.js'
import { headerOf } from './request.js'
import { decodePercent } from './routes.js'
import { decodeQuery } from './styles.js'

/** What a request presents: its secret parameters by name, its security schemes by scheme name. */
export const credentialsOf = (operation: HttpOperation, wire: WireParameters): Auth => {
  const secrets = operation.parameters
    .filter((parameter) => parameter.secret)
    .map((parameter) => [parameter.name, keyIn(parameter.in, parameter.name, wire)] as const)
  const schemes = Object.entries(operation.schemes).map(
    ([name, scheme]) => [name, schemeValue(scheme, wire)] as const,
  )
  return Object.fromEntries([...schemes, ...secrets])
}

/** RFC 9110 §11.6.1: a 401 says how to authenticate, where HTTP has a name for it. */
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

/** A secret whose encoding is broken is a wrong secret, so it is kept as it is. */
const keyIn = (
  location: 'path' | 'query' | 'header' | 'cookie',
  name: string,
  wire: WireParameters,
): string | undefined => {
  if (location === 'header') return headerOf(wire.headers, name.toLowerCase())
  if (location === 'cookie') return wire.cookies.get(name)?.at(-1)
  if (location === 'path') {
    const raw = wire.path[name]
    return raw === undefined ? undefined : (decodePercent(raw) ?? raw)
  }
  const raw = wire.query.find((pair) => pair.name === name)?.raw
  if (raw === undefined) return undefined
  try {
    return decodeQuery(raw)
  } catch {
    return raw
  }
}

const schemeValue = (scheme: SecurityScheme, wire: WireParameters): string | undefined => {
  if (scheme.kind === 'key') return keyIn(scheme.in, scheme.parameter, wire)
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
