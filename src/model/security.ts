import type { SecurityScheme } from '../runtime/operation.js'
import { cached } from '../runtime/shared/cached.js'

/**
 * The alternatives of a security requirement in which no header has two credentials. A request has each header once, and
 * `Authorization` has one credential (RFC 9110, 5.3 and 11.6.2), so of the schemes with one header either suffices: `basic` and
 * `bearer` are two alternatives. Cookies and query parameters of several schemes are beside each other in one request.
 */
export const withOnePerHeader = (
  names: readonly string[],
  schemes: Readonly<Record<string, SecurityScheme>>,
): readonly (readonly string[])[] =>
  sharingHeader(names, schemes).reduce<readonly (readonly string[])[]>(
    (alternatives, { names: sharing }) => {
      const parts = alternatives.flatMap((one) =>
        sharing.map((name) => one.filter((other) => other === name || !sharing.includes(other))),
      )
      return parts.length > MOST_ALTERNATIVES ? alternatives : parts
    },
    [names],
  )

/** The headers that several schemes of a requirement have in common. */
export const sharingHeader = (
  names: readonly string[],
  schemes: Readonly<Record<string, SecurityScheme>>,
): readonly { readonly header: string; readonly names: readonly string[] }[] => {
  const byHeader = new Map<string, { readonly header: string; readonly names: string[] }>()
  for (const name of names) {
    const header = Object.hasOwn(schemes, name) ? headerOf(schemes[name]) : undefined
    if (header !== undefined)
      cached(byHeader, header.toLowerCase(), () => ({ header, names: [] })).names.push(name)
  }
  return [...byHeader.values()].filter((one) => one.names.length > 1)
}

const headerOf = (scheme: SecurityScheme | undefined): string | undefined => {
  if (scheme?.kind === 'basic' || scheme?.kind === 'bearer') return 'Authorization'
  return scheme?.kind === 'key' && scheme.in === 'header' ? scheme.parameter : undefined
}

/** A document could multiply its alternatives without end. */
const MOST_ALTERNATIVES = 100
