import type { HttpOperation, SecurityScheme } from '../operation.js'
import type { ResolvedSecrets } from '../shared/credentials.js'
import { pointerOf } from '../shared/pointer.js'
import { encodeStrictly } from '../shared/template.js'
import type { Fault } from '../validate.js'

/**
 * The parts of a request that contain the credentials. With `faults`, which list invalid or missing credentials, it must not be
 * sent.
 */
export type Authorization = {
  readonly headers: Readonly<Record<string, string>>
  readonly query: readonly string[]
  readonly cookies: readonly string[]
  readonly faults: readonly Fault[]
}

/**
 * The first alternative with credentials for all its schemes, those before others that the request does not contain; else
 * nothing, if the document allows that.
 */
export const authorize = (
  operation: Pick<HttpOperation, 'security' | 'schemes'>,
  credentials: ResolvedSecrets,
): Authorization => {
  const { security, schemes } = operation
  const isProvided = (name: string): boolean => Object.hasOwn(credentials, name)
  const supplied = (name: string): boolean => schemes[name]?.kind === 'outside' || isProvided(name)
  const chosen =
    security.find((names) => names.length > 0 && names.every(isProvided)) ??
    security.find((names) => names.length > 0 && names.every(supplied)) ??
    security.find((names) => names.length === 0)
  if (chosen === undefined && security.length > 0)
    return { ...NOTHING, faults: [missing(security, supplied)] }
  // A scheme that is not declared may have the name of an inherited property, such as `constructor`.
  const declared = (chosen ?? []).filter((name) => Object.hasOwn(schemes, name))
  const parts = declared.map((name) => carry(name, schemes[name], credentials[name]))
  return {
    headers: Object.assign({}, ...parts.map(({ headers }) => headers)),
    query: parts.flatMap(({ query }) => query),
    cookies: parts.flatMap(({ cookies }) => cookies),
    faults: parts.flatMap(({ faults }) => faults),
  }
}

const carry = (
  name: string,
  scheme: SecurityScheme | undefined,
  secret: ResolvedSecrets[string] | undefined,
): Authorization => {
  if (scheme === undefined || scheme.kind === 'outside' || secret === undefined) return NOTHING
  if (scheme.kind === 'basic') {
    if (typeof secret === 'string') return wrong(name, '{ username, password }')
    const pair = new TextEncoder().encode(`${secret.username}:${secret.password}`)
    return inHeaders({ authorization: `Basic ${btoa(String.fromCharCode(...pair))}` })
  }
  if (typeof secret !== 'string') return wrong(name, 'a string')
  if (scheme.kind === 'bearer') return inHeaders({ authorization: `Bearer ${secret}` })
  if (scheme.in === 'header') return inHeaders({ [scheme.parameter.toLowerCase()]: secret })
  const pair = `${encodeStrictly(scheme.parameter)}=${encodeStrictly(secret)}`
  return scheme.in === 'query' ? { ...NOTHING, query: [pair] } : { ...NOTHING, cookies: [pair] }
}

const NOTHING: Authorization = { headers: {}, query: [], cookies: [], faults: [] }

const inHeaders = (headers: Readonly<Record<string, string>>): Authorization => ({
  ...NOTHING,
  headers,
})

const wrong = (name: string, shape: string): Authorization => ({
  ...NOTHING,
  faults: [{ pointer: pointerOf('auth', name), keyword: 'type', message: `must be ${shape}` }],
})

const missing = (
  security: readonly (readonly string[])[],
  supplied: (name: string) => boolean,
): Fault => {
  const alternatives = security.map((names) =>
    names.filter((name) => !supplied(name)).join(' and '),
  )
  return {
    pointer: '/auth',
    keyword: 'required',
    message: `needs the credentials ${alternatives.join(', or ')}`,
  }
}
