import { createHash } from 'node:crypto'
import type { HttpOperation } from '../../model/api.js'
import { authorize } from '../../runtime/http/security.js'
import type { Sent } from '../wire/exchange.js'

/** The same operation without what it wants of a caller, be it declared as a parameter as well. */
export const withoutCredentials = (operation: HttpOperation): HttpOperation => {
  const keys = Object.values(operation.schemes).flatMap((one) => (one.kind === 'key' ? one : []))
  const isKey = (place: string, name: string) =>
    keys.some(({ in: at, parameter }) => at === place && isSame(at, parameter, name))
  const parameters = operation.parameters.filter((one) => !isKey(one.in, one.name))
  return { ...operation, security: [], schemes: {}, parameters }
}

const isSame = (place: string, one: string, other: string): boolean =>
  place === 'header' ? one.toLowerCase() === other.toLowerCase() : one === other

/** A request with credentials that nobody has in all places of the first alternative; undefined where one of them cannot be filled. */
export const wrongCredentials = (
  operation: HttpOperation,
  sent: Sent,
  seed: number,
): Sent | undefined => {
  const { schemes } = operation
  const nobody = createHash('sha256').update(`credentials that nobody has ${seed}`).digest('hex')
  const wrong = Object.entries(schemes).map(
    ([name, { kind }]) =>
      [name, kind === 'basic' ? { username: 'nobody', password: nobody } : nobody] as const,
  )
  const security = operation.security.filter((names) =>
    names.every((name) => schemes[name] !== undefined && schemes[name].kind !== 'outside'),
  )
  if (security.length === 0) return undefined
  const given = authorize({ security, schemes }, Object.fromEntries(wrong))
  if ('faults' in given) return undefined
  const cookies = [sent.headers.cookie ?? [], given.cookies].flat()
  return {
    ...sent,
    url: [sent.url, ...given.query].reduce(
      (url, one) => `${url}${/\?/.test(url) ? '&' : '?'}${one}`,
    ),
    headers: {
      ...sent.headers,
      ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
      ...given.headers,
    },
  }
}
