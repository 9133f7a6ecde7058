import type { Server, ServerVariable } from '../operation.js'
import { fillTemplate, templateNames, templatePattern } from './template.js'
import { withoutTrailingSlashes } from './trailing.js'

/**
 * Appends a documented path (`/rpc/{apiKey}`) to an address, unless the address already ends with it. A variable of the path
 * matches any one segment. Slashes at the end of the address are removed.
 */
export const withPath = (address: string, path: string): string => {
  const [, written = '', rest = ''] = /^([^?#]*)(.*)/s.exec(address) ?? []
  const base = withoutTrailingSlashes(written)
  const documented = withoutTrailingSlashes(path)
  // A host is not a segment of the path: `http://host` does not end with `/{apiKey}`.
  return new RegExp(`${templatePattern(documented, '[^/?#]')}$`).test(withoutOrigin(base))
    ? `${base}${rest}`
    : `${base}${documented}${rest}`
}

/** A URL, or the template of one, without its scheme, host and port. */
export const withoutOrigin = (url: string): string => url.replace(/^[^/?#]*\/\/[^/?#]*/, '')

/** The names of the server's variables that are secret, in the order of its URL. */
export const secretVariables = (server: Server): readonly string[] =>
  templateNames(server.url).filter((name) => isSecretVariable(server.variables[name]))

/** Whether a variable is secret; an undeclared one may be a key. */
export const isSecretVariable = (declared: ServerVariable | undefined): boolean =>
  declared === undefined || declared.secret === true

/**
 * The address for a client, without a slash at the end of its path. `{variables}` are filled from `variables`; secret and undeclared ones
 * also from `secrets`, percent-encoded. Throws a TypeError for a missing or invalid value, or a URL of another scheme than `scheme`.
 */
export const fillServer = (
  server: Server,
  variables: Readonly<Record<string, string | undefined>> = {},
  secrets: Readonly<Record<string, string | undefined>> = {},
  scheme = /^https?:/i,
): string => {
  const hidden = new Set(secretVariables(server))
  const url = fillTemplate(server.url, (name) => {
    const declared = server.variables[name]
    const secret = hidden.has(name) ? (secrets[name] ?? variables[name]) : undefined
    if (secret !== undefined) return encodeURIComponent(secret)
    const value = variables[name] ?? declared?.default
    if (value === undefined) throw new TypeError(`the server URL needs a value for '${name}'`)
    if (declared?.enum !== undefined && !declared.enum.includes(value)) {
      const allowed = declared.enum.map((one) => `'${one}'`).join(', ')
      throw new TypeError(`server variable '${name}' must be one of ${allowed}`)
    }
    return value
  })
  if (!url.startsWith('/')) {
    if (!(scheme.test(url) && URL.canParse(url)))
      throw new TypeError(
        `server '${server.name}' is no http:// or https:// URL: choose another, or give a URL`,
      )
  } else if (!('location' in globalThis)) {
    throw new TypeError(`server '${server.name}' is relative to its document: give a URL`)
  }
  return withPath(url, '')
}

/** The server that `choice` selects, with its variables not yet filled. */
export const chooseServer = (servers: readonly Server[], choice: string | undefined): Server => {
  const server = choice === undefined ? servers[0] : servers.find(({ name }) => name === choice)
  if (server) return server
  if (choice === undefined) throw new TypeError('the document declares no server: give a URL')
  if (!URL_START.test(choice)) {
    const names = [...new Set(servers.map(({ name }) => `'${name}'`))].join(', ')
    // A partial URL may contain a key, and a long text may be one: only a text that looks like a name is quoted.
    const shown = /^[\w.-]{1,15}$/.test(choice) ? `'${choice}'` : 'as given'
    throw new TypeError(`no server is named ${shown}: give a URL${names && ` or one of ${names}`}`)
  }
  // A URL may use the variables that the documented servers declare, `{apiKey}` above all.
  const declared = Object.assign({}, ...servers.map(({ variables }) => variables).reverse())
  return { name: 'as given', url: choice, variables: declared }
}

/** Matches an address, but no name of a server; the empty one is the origin of a page, as in `fetch`. */
export const URL_START = /^(\/|[a-z][a-z\d+.-]*:\/\/|$)/i
