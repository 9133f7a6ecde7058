import type { Server } from '../operation.js'
import { isSecretVariable, withoutOrigin } from './server-url.js'
import { templateNames, templatePattern } from './template.js'

/**
 * Secrets in a URL that a user wrote: user and password, and the values of secret variables of a server's template
 * (`/zgt/{apiKey}`). Every part of the path or query with the length of a key is one, too.
 */
export const urlSecrets = (
  url: string,
  servers: readonly Server[],
  templates: readonly string[],
): readonly string[] => {
  const parts = withoutOrigin(url).split(/[/?&=#]/)
  const long = parts.filter((part) => part.length >= 16 && !part.includes('{'))
  const placed = templates.flatMap((template) => placedSecrets(url, servers, template))
  return [...userSecrets(url), ...placed, ...long].flatMap(spellings)
}

/** Credentials by the name of their header: `Bearer token`, and `token` alone. */
export const headerSecrets = (
  headers: Iterable<readonly [name: string, value: unknown]>,
): readonly string[] =>
  [...headers].flatMap(([name, value]) => {
    if (typeof value !== 'string' || !isSecretName(name)) return []
    const text = value.trim()
    if (/authorization$/i.test(name)) return [text, ...schemeSecrets(text)]
    return /cookie$/i.test(name) ? [text, ...cookieSecrets(text)] : [text]
  })

/** The texts of an address with a path or query, which may contain a key that no template declares. */
export const addressSecrets = (url: string): readonly string[] => {
  const { href, origin } = new URL(url, 'http://relative')
  return href === `${origin}/` ? [] : [url, href]
}

/** Whether the name of a header or of a parameter says that its value is secret. */
export const isSecretName = (name: string): boolean =>
  /auth|cookie|key|passw|pwd|secret|session|^sig$|signature|token/i.test(name)

const placedSecrets = (
  url: string,
  servers: readonly Server[],
  template: string,
): readonly string[] => {
  const names = templateNames(template)
  const found = new RegExp(templatePattern(template, '[^/?#]')).exec(url)?.slice(1) ?? []
  return found.filter((value, index) => {
    const name = names[index] ?? ''
    const declared = servers.find(({ variables }) => name in variables)?.variables[name]
    return isSecretVariable(declared) && value !== declared?.default && value !== `{${name}}`
  })
}

const userSecrets = (url: string): readonly string[] => {
  const [, user = '', password = ''] = /^[^/?#]*\/\/([^/?#:]*)(?::([^/?#]*))?@/.exec(url) ?? []
  return password === '' ? [user] : [password, `${user}:${password}`]
}

const schemeSecrets = (value: string): readonly string[] => {
  const [, scheme = '', credentials = ''] = /^(\S+)\s+(\S.*)/s.exec(value) ?? []
  if (scheme.toLowerCase() !== 'basic') return [credentials]
  try {
    const bytes = Uint8Array.from(atob(credentials), (character) => character.charCodeAt(0))
    const pair = new TextDecoder().decode(bytes)
    return [credentials, pair, pair.slice(pair.indexOf(':') + 1)]
  } catch {
    return [credentials]
  }
}

/** Shorter values are settings, not sessions: `theme=1`. */
const cookieSecrets = (value: string): readonly string[] =>
  value
    .split(/;\s*/)
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
    .filter((part) => part.length >= 8)

/** Text in a URL, unchanged and percent-decoded. */
const spellings = (text: string): readonly string[] => {
  try {
    return [text, decodeURIComponent(text)]
  } catch {
    return [text]
  }
}
