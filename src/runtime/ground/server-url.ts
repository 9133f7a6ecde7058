import type { Server } from '../operation.js'
import { fillTemplate, templateNames } from './template.js'

/**
 * The address that a client talks to, without a trailing slash. `choice` is a name from the document, a URL that
 * replaces the documented ones, or undefined for the first server. `{variables}` are filled from `variables`, the
 * secret ones (and those that no document declares) from `secrets` too, percent-encoded. Throws a TypeError that says
 * what does not fit.
 */
export const resolveServer = (
  servers: readonly Server[],
  choice: string | undefined,
  variables: Readonly<Record<string, string | undefined>> = {},
  secrets: Readonly<Record<string, string | undefined>> = {},
): string => fillServer(chooseServer(servers, choice), variables, secrets)

/** The server that `choice` means, its variables not filled yet. */
export const chooseServer = (servers: readonly Server[], choice: string | undefined): Server => {
  if (choice === undefined) {
    const [first] = servers
    if (first === undefined) throw new TypeError('the document names no server: give a URL')
    return first
  }
  const named = servers.find(({ name }) => name === choice)
  if (named !== undefined) return named
  if (!isUrl(choice)) {
    const names = servers.map(({ name }) => `'${name}'`).join(', ') || 'none'
    // Half a URL may hold a key: only what looks like a name is repeated.
    const given = /^[\w.-]+$/.test(choice) ? `'${choice}'` : 'so'
    throw new TypeError(`no server is named ${given}: give a URL or one of ${names}`)
  }
  // A URL may use the variables that the documented servers declare, `{apiKey}` above all.
  const declared = Object.assign({}, ...servers.map((server) => server.variables).reverse())
  return { name: 'as given', url: choice, variables: declared }
}

/** The names of the server's variables that are secret, in the order of its URL. */
export const secretVariables = (server: Server): readonly string[] =>
  templateNames(server.url).filter(
    (name) => server.variables[name]?.secret ?? !(name in server.variables),
  )

const fillServer = (
  server: Server,
  variables: Readonly<Record<string, string | undefined>>,
  secrets: Readonly<Record<string, string | undefined>>,
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
    if (!URL.canParse(url)) throw new TypeError(`the URL of server '${server.name}' is not valid`)
  } else if (!('location' in globalThis)) {
    throw new TypeError(`server '${server.name}' is relative to its document: give a URL`)
  }
  return url.replace(/\/+$/, '')
}

const isUrl = (choice: string): boolean =>
  /^([a-z][a-z\d+.-]*:)?\/\//i.test(choice) || choice.startsWith('/')
